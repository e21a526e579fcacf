package steppe

import (
	"maps"
	"strconv"

	"fieldpost/adjudicator"
)

// winByOption is the option of how far ahead the side must be that the scenario names, winByPrinted
// its default.
const (
	winByOption  = "win-by"
	winByPrinted = "printed"
)

// winBy are its values besides; with a negative one that side wins if it is no farther behind.
var winBy = []string{"4", "0", "-4", "-8", "-12", "-16"}

// Settings implements adjudicator.Optional.
func (g *Game) Settings() []adjudicator.Setting {
	return []adjudicator.Setting{
		// Steppe 17.7
		// Steppe 17.14
		// Steppe 17.17
		{Name: winByOption, Clause: "Steppe 17.7", Values: append([]string{winByPrinted}, winBy...), Default: winByPrinted,
			Means: "by how many points the side that the scenario names must be ahead to win; printed: as the book says, for its own map; a number: as agreed, since ours is a reconstruction; below 0 it may be so far behind"},
		adjudicator.FogSetting("", "everything on the map",
			"only what stands within two hexes of its units or was seen there, as dated notes",
			"everything on the map, as in the rulebook")}
}

// With implements adjudicator.Optional.
//
// reading Steppe 17.7: by how much a side must be ahead is printed for a map, charts and a turn track
// that are lost, and on our reconstructions it may be out of reach; the option win-by says otherwise.
func (g *Game) With(values map[string]string) (adjudicator.Game, error) {
	chosen, err := adjudicator.Chosen(g.Settings(), values)
	if err != nil {
		return nil, err
	}
	mode, lead := adjudicator.Fog(chosen[adjudicator.FogOption]), chosen[winByOption]
	if mode == g.sc.Fog && lead == g.sc.winBy {
		return g, nil
	}
	sc := *g.sc // its tables are never changed
	sc.Fog, sc.winBy = mode, lead
	if n, err := strconv.Atoi(lead); err == nil {
		sc.Margin = n
	}
	return newGame(&sc), nil
}

// options are those that differ from the default.
func (sc *Scenario) options() map[string]string {
	out := map[string]string{adjudicator.FogOption: string(sc.Fog), winByOption: sc.winBy}
	maps.DeleteFunc(out, func(_, value string) bool { return value == "" })
	if len(out) == 0 {
		return nil
	}
	return out
}
