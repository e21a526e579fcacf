package staff

import (
	"fmt"
	"strconv"
	"strings"

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
		"GERMAN": unsparing,
		"SOVIET": {name: "turned, bold", turned: true, gain: -60, dear: -35, fire: -40},
	},
	"kharkov-1942": {"SOVIET": sparing, "GERMAN": sparing},
	"kharkov-1943": {"SOVIET": careful},
	"kursk":        {"GERMAN": sparing, "SOVIET": sparing},
}

// Tempers of those who spare losses or do not, which nobody weighs who has not learnt that they do well.
var (
	eager     = temper{name: "eager", gain: -60, dear: -35}
	unsparing = temper{name: "unsparing", dear: -35, fire: -40}
	sparing   = temper{name: "sparing", dear: 60}
)

// careful wants larger gains, for losses count more; of WB-95.
var careful = temper{name: "careful", gain: 120, dear: 60}

// usual is the temper that others must do better than.
func (o Officer) usual(v *view.View) temper {
	as, known := experience[v.Scenario][v.Side]
	known = known && o.Strength == Chief
	if o.Usual != "" {
		as, known = called(v.System, o.Usual)
		known = known && as.name != cadets
	}
	if !known {
		return temper{name: cadets}
	}
	as.learnt = true
	return as
}

// called is the temper of a name, but for main efforts.
func called(system, name string) (as temper, known bool) {
	for _, as := range append(tempers(system, nil), eager, unsparing, sparing) {
		if as.name == name {
			return as, true
		}
	}
	return temper{}, false
}

// checkPlan says which plans [Officer.Usual] may name for a system, unless the name is one of them or "".
func checkPlan(system, name string) error {
	if _, known := called(system, name); known || name == "" {
		return nil
	}
	var names []string
	for _, as := range append(tempers(system, nil), eager, unsparing, sparing) {
		names = append(names, strconv.Quote(as.name))
	}
	return fmt.Errorf("%q is not a plan of the staff's for %s: write %s", name, system, strings.Join(names, ", "))
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
