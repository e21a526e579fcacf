package steppe

import "fieldpost/adjudicator"

// Settings implements adjudicator.Optional.
func (g *Game) Settings() []adjudicator.Setting {
	return []adjudicator.Setting{adjudicator.FogSetting("", "everything on the map",
		"only what stands within two hexes of its units or was seen there, as dated notes",
		"everything on the map, as in the rulebook")}
}

// With implements adjudicator.Optional.
func (g *Game) With(values map[string]string) (adjudicator.Game, error) {
	chosen, err := adjudicator.Chosen(g.Settings(), values)
	if err != nil {
		return nil, err
	}
	mode := adjudicator.Fog(chosen[adjudicator.FogOption])
	if mode == g.sc.Fog {
		return g, nil
	}
	sc := *g.sc // its tables are never changed
	sc.Fog = mode
	return newGame(&sc), nil
}

// options are those that differ from the default.
func (sc *Scenario) options() map[string]string {
	if sc.Fog == "" {
		return nil
	}
	return map[string]string{adjudicator.FogOption: string(sc.Fog)}
}
