package staff

import (
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// experience is how a chief plays a side of a scenario unless something else comes out clearly better in a rehearsal:
// as officers have done best who kept to one temper from the first turn to the last. A rehearsal does not see that
// far. Other sides are played as a cadet would.
var experience = map[string]map[string]temper{
	"gd-akhtyrka": {
		"GERMAN": {name: "turned, careful", turned: true, gain: 50, dear: 40, fire: 150},
		"SOVIET": eager,
	},
	"gd-lutchessa": {"SOVIET": eager},
	"gd-kursk":     {"SOVIET": {name: "bold", gain: -60, dear: -35, fire: -40}},
	"gd-mischurin-rog": {
		"GERMAN": {name: "unsparing", dear: -35, fire: -40},
		"SOVIET": {name: "turned, bold", turned: true, gain: -60, dear: -35, fire: -40},
	},
	"kharkov-1942": {"SOVIET": sparing, "GERMAN": sparing},
	"kharkov-1943": {"SOVIET": careful},
	"kursk":        {"GERMAN": sparing, "SOVIET": sparing},
}

var (
	eager   = temper{name: "eager", gain: -60, dear: -35}
	careful = temper{name: "careful", gain: 120, dear: 60} // of WB-95
	sparing = temper{name: "sparing", dear: 60}
)

// usual is the temper that others must do better than.
func (o Officer) usual(v *view.View) temper {
	if as, known := experience[v.Scenario][v.Side]; known && o.Strength == Chief {
		as.learnt = true
		return as
	}
	return temper{name: cadets}
}

// tempers are those whose sheets an officer weighs, the usual one first.
func (o Officer) tempers(v *view.View, foci []hex.Hex) []temper {
	usual := o.usual(v)
	out := []temper{usual}
	for _, as := range tempers(v.System, foci) {
		if as.name != usual.name {
			out = append(out, as)
		}
	}
	return out
}
