package steppe

import "fieldpost/adjudicator"

// fogMode is what the sides of a game see of one another.
type fogMode string

// The modes. The zero value is the rulebook's, which hides nothing: open is another
// word for it.
const (
	fogRulebook fogMode = "rulebook"
	fogBlind    fogMode = "blind"
	fogOpen     fogMode = "open"
)

const optionFog = "fog"

// Settings implements adjudicator.Optional.
func (g *Game) Settings() []adjudicator.Setting {
	return []adjudicator.Setting{{Name: optionFog, Default: string(fogRulebook), Values: []string{string(fogRulebook), string(fogBlind), string(fogOpen)},
		Means: "what a side sees of the enemy; rulebook and open: everything on the map; blind: only what stands within two hexes of its units or was seen there, as dated notes"}}
}

// With implements adjudicator.Optional.
func (g *Game) With(values map[string]string) (adjudicator.Game, error) {
	mode := fogMode(values[optionFog])
	if mode != "" {
		if err := g.Settings()[0].Check(string(mode)); err != nil {
			return nil, err
		}
	}
	if mode == fogRulebook {
		mode = ""
	}
	if mode == g.sc.Fog {
		return g, nil
	}
	sc := *g.sc // its tables are never changed
	sc.Fog = mode
	return &Game{sc: &sc}, nil
}

// options are those that differ from the default.
func (sc *Scenario) options() map[string]string {
	if sc.Fog == "" {
		return nil
	}
	return map[string]string{optionFog: string(sc.Fog)}
}
