package famous

import "fieldpost/adjudicator"

// fogMode is what the sides of a game see of one another.
type fogMode string

// The modes. The zero value is the rulebook's.
const (
	fogRulebook fogMode = "rulebook"
	fogBlind    fogMode = "blind"
	fogOpen     fogMode = "open"
)

const optionFog = "fog"

// Settings implements adjudicator.Optional.
func (g *Game) Settings() []adjudicator.Setting {
	return []adjudicator.Setting{
		// GD 17.0
		{Name: setUpOption, Clause: "GD 17.0", Values: []string{setUpPrinted, setUpChoose}, Default: setUpPrinted,
			Means: "when both sides place the units that the book lets them place; printed: on default hexes, or as the section SETUP of the sheet for turn 1 says; " +
				"choose: in secret, before turn 1: the sheet of turn 0 has a section SETUP, an empty one means the default hexes"},
		// GD 1.1
		{Name: optionFog, Clause: "GD 1.1", Default: string(fogRulebook), Values: []string{string(fogRulebook), string(fogBlind), string(fogOpen)},
			Means: "what a side sees of the enemy; rulebook: where his stacks are, their content within ten hexes and a line of sight; blind: only what is in sight or was reported, as dated notes; open: everything on the map"},
	}
}

// With implements adjudicator.Optional.
func (g *Game) With(values map[string]string) (adjudicator.Game, error) {
	out := *g
	for _, s := range g.Settings() {
		v, given := values[s.Name]
		if !given || v == "" {
			continue
		}
		if err := s.Check(v); err != nil {
			return nil, err
		}
		switch s.Name {
		case setUpOption:
			out.choose = v == setUpChoose
		case optionFog:
			sc := *g.sc // its tables are never changed
			if sc.Fog = fogMode(v); sc.Fog == fogRulebook {
				sc.Fog = ""
			}
			out.sc = &sc
		}
	}
	return &out, nil
}

// options are those that differ from the default.
func (sc *Scenario) options() map[string]string {
	if sc.Fog == "" {
		return nil
	}
	return map[string]string{optionFog: string(sc.Fog)}
}

// blind: a side knows of the enemy only what is in sight or was reported. The
// scenario files can ask for it too.
func (sc *Scenario) blind() bool {
	return sc.Fog == fogBlind || sc.Switches.HidePresence && sc.Fog == ""
}
