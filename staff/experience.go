package staff

import (
	"fmt"
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// experience is how a chief plays a side of a scenario unless something else comes out clearly better in a rehearsal:
// as officers have done best who kept to one temper from the first turn to the last. A rehearsal does not see that
// far. Other sides are played as a cadet would.
var experience = map[string]map[string]temper{
	"gd-akhtyrka": {
		"GERMAN": turnedCareful,
		"SOVIET": eager,
	},
	"gd-lutchessa": {"SOVIET": eager},
	"gd-mischurin-rog": {
		"GERMAN": unsparing,
		"SOVIET": turnedBold,
	},
	"kharkov-1942": {"SOVIET": sparing, "GERMAN": sparing},
	"kharkov-1943": {"SOVIET": careful},
	"kursk":        {"GERMAN": sparing, "SOVIET": sparing},
	"two-stars":    {"AMERICAN": sparing, "SOVIET": sparing},
}

// Tempers that nobody weighs who has not learnt that they do well.
var (
	eager      = temper{name: "eager", gain: -60, dear: -35}
	unsparing  = temper{name: "unsparing", dear: -35, fire: -40}
	sparing    = temper{name: "sparing", dear: 60}
	turnedBold = temper{name: "turned, bold", turned: true, gain: -60, dear: -35, fire: -40}
)

// Tempers that have done well, and that others weigh, too: of WB-95 and of Famous Divisions.
var (
	careful       = temper{name: "careful", gain: 120, dear: 60}
	turnedCareful = temper{name: "turned, careful", turned: true, gain: 50, dear: 40, fire: 150}
)

// usual is the temper that others must do better than.
func (o Officer) usual(v *view.View) temper {
	for _, as := range known(v.System) {
		if as.name == o.Usual && as.name != cadets {
			as.learnt = true
			return as
		}
	}
	as, learnt := experience[v.Scenario][v.Side]
	if !learnt || o.Strength != Chief || o.Usual != "" {
		return temper{name: cadets}
	}
	as.learnt = true
	return as
}

// known are the tempers of a system, but for main efforts.
func known(system string) []temper {
	return append(tempers(system, nil), eager, unsparing, sparing, turnedBold)
}

// Plans names what [Officer.Usual] may be in a system: all plans that have no main effort.
func Plans(system string) (names []string) {
	for _, as := range known(system) {
		names = append(names, as.name)
	}
	return names
}

// checkPlan names the plans of a system unless a name is one of them or "".
func checkPlan(system, name string) error {
	plans := Plans(system)
	if name == "" || slices.Contains(plans, name) {
		return nil
	}
	return fmt.Errorf("%q is not a plan of the staff's for %s: write one of %q", name, system, plans)
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
