package famous

import "fieldpost/adjudicator"

// Settings implements adjudicator.Optional.
func (g *Game) Settings() []adjudicator.Setting {
	return []adjudicator.Setting{
		// GD 17.0
		adjudicator.Choice(setUpOption, "GD 17.0", "when both sides place the units that the book lets them place", []string{setUpPrinted, setUpChoose}, []string{
			"on default hexes, or as the section SETUP of the sheet for turn 1 says",
			"in secret, before turn 1: the sheet of turn 0 has a section SETUP, an empty one means the default hexes"}),
		// GD 1.1
		adjudicator.FogSetting("GD 1.1", "where the enemy's stacks are, their content within ten hexes and a line of sight",
			"only what is in sight or was reported, as dated notes", "everything on the map"),
	}
}

// With implements adjudicator.Optional.
func (g *Game) With(values map[string]string) (adjudicator.Game, error) {
	chosen, err := adjudicator.Chosen(g.Settings(), values)
	if err != nil {
		return nil, err
	}
	sc := *g.sc // its tables are never changed
	sc.chosen, sc.Fog = chosen, adjudicator.Fog(chosen[adjudicator.FogOption])
	with := newGame(&sc)
	with.choose = chosen[setUpOption] == setUpChoose
	return with, nil
}

// blind: a side knows of the enemy only what is in sight or was reported. The
// scenario files can ask for it too.
func (sc *Scenario) blind() bool {
	return sc.Fog == adjudicator.FogBlind || sc.Switches.HidePresence && sc.Fog == ""
}
