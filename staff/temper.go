package staff

import (
	"math/rand/v2"

	"fieldpost/adjudicator/famous"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// temper is in what the plan of an officer differs from the cadet's. The zero value is the
// cadet's own.
type temper struct {
	name string
	errand
	craft  bool // sees to what a cadet does not
	later  bool // writes no programme before its chit comes
	learnt bool // is known to do well to the end of a game, see experience
	// gain and dear are by how many percent more the least gain of an attack and the price
	// of own losses are, fire by how many that of fire on the way.
	gain, dear, fire int
	focus            hex.Hex // the place of the main effort; 0: none
	bias             uint64  // draws the hexes that count half or double; 0: none do
	few              bool    // the main effort's attacks and duties alone
	stance           stance
	stubborn, supple bool // ground is held at any price; at none
	sure             bool // attacks are off where they would be worse than even
	turned           bool // who makes the points defends, the other side attacks
	kept             *kept
}

// kept is what an officer reckons once for all the sheets that they think about; nil: nothing is kept.
type kept struct {
	ways map[string]map[wayTo]*famous.Ways // by the ground on which they are measured
	open map[string]*network               // the map without the enemy and with all its bridges, by class
}

// wayTo is what a class of units has to go.
type wayTo struct {
	class string
	goal  hex.Hex
}

// on is what was measured on a ground.
func (k *kept) on(ground string) map[wayTo]*famous.Ways {
	if k.ways[ground] == nil {
		k.ways[ground] = map[wayTo]*famous.Ways{}
	}
	return k.ways[ground]
}

// stance is what units do that have no attack.
type stance int

const (
	press stance = iota // they go for what is worth most
	stay
	leave // they keep out of the enemy's reach
)

// more is a number with so many percent more.
func more(n, percent int) int { return n + n*percent/100 }

func (t temper) least(n int) int  { return more(n, t.gain) }
func (t temper) price(n int) int  { return more(n, t.dear) }
func (t temper) danger(n int) int { return more(n, t.fire) }

// most is how many attacks are made at most.
func (t temper) most(n int) int {
	if t.few {
		return 0
	}
	return n
}

// queue is how much further off an entry is, in hexes, for who would stand behind so many steps there.
func (t temper) queue(steps int) int {
	if t.craft {
		return 2 * steps
	}
	return 0
}

// biased is what a hex counts to a temper with a bias: one in five half of what it does to others, and one in
// five twice as much.
func (t temper) biased(h hex.Hex, worth int) int {
	if t.bias == 0 {
		return worth
	}
	switch rand.New(rand.NewPCG(t.bias, uint64(h))).IntN(5) {
	case 0:
		return worth / 2
	case 1:
		return 2 * worth
	}
	return worth
}

// drawn is what a place of the enemy's is worth with the main effort somewhere.
func (t temper) drawn(h hex.Hex, worth int) int {
	worth = t.biased(h, worth)
	switch t.focus {
	case 0:
		return worth
	case h:
		return 3 * worth
	}
	return worth / 2
}

// retreat is what the standing orders of WB-95 say to units that are on no objective.
func (t temper) retreat() string {
	if t.stubborn {
		return "HOLD"
	}
	return "RETREAT FULL"
}

// stalwart is who stands to the last in Duel on the Steppe.
func (t temper) stalwart() string {
	switch {
	case t.stubborn:
		return "ALWAYS"
	case t.supple:
		return "NEVER"
	}
	return "AT KEY"
}

// floor is the odds below which an attack is off.
func (t temper) floor(usual string) string {
	if t.sure {
		return "2:1"
	}
	return usual
}

// tempers are those whose sheets an officer weighs, for a system: the cadet's first, the
// others in order of how often they have been the better ones. Main efforts come with them.
func tempers(system string, foci []hex.Hex) []temper {
	out := []temper{{name: cadets}}
	switch system {
	case "wb95":
		out = append(out, careful, temper{name: "hold", gain: 100000},
			temper{name: "bold", gain: -60, dear: -25})
	case "steppe":
		out = append(out, temper{name: "hold", few: true, stance: stay}, temper{name: "careful", gain: 300, dear: 60, sure: true},
			temper{name: "delay", few: true, stance: leave, supple: true}, temper{name: "attack and stay", stance: stay},
			temper{name: "strike and give way", gain: 200, dear: 30, stance: leave}, temper{name: "bold", gain: -100, dear: -30},
			temper{name: "supple", supple: true}, temper{name: "stubborn", stubborn: true})
	case "famous":
		out = append(out, temper{name: "hold", few: true, stance: stay}, temper{name: "careful", gain: 100, dear: 60, fire: 150},
			temper{name: "bold", gain: -60, dear: -35, fire: -40}, temper{name: "attack and stay", stance: stay},
			temper{name: "turned", turned: true}, turnedCareful)
	}
	for _, h := range foci {
		out = append(out, temper{name: mainEffort(h), focus: h})
		if system != "wb95" {
			out = append(out, temper{name: "careful main effort at " + h.String(), focus: h, gain: 60, dear: 30, fire: 80})
		}
	}
	return out
}

// mainEffort is the name of the plan that has its main effort at a hex.
func mainEffort(h hex.Hex) string { return "main effort at " + h.String() }

// cadets is the name of the plan that a cadet has, too.
const cadets = "as the cadet"

// planned is the temper that the plan of the turn has.
func (o Officer) planned(v *view.View) temper {
	var places []hex.Hex // a main effort may be anywhere
	for _, p := range v.Objectives {
		places = append(places, p.Hex)
	}
	planned := o.usual(v)
	for _, as := range o.tempers(v, places) {
		if as.name == o.Plan {
			planned = as
		}
	}
	planned.craft = true
	return planned
}
