package steppe

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// antiTankHit is the highest die that hits.
//
// Steppe 13.0/6
func antiTankHit(s Side) int {
	if s == German {
		return 4
	}
	return 2
}

// antiTank lets anti-tank guns in the target hex fire before aircraft and artillery. It
// reports whether the attack goes on.
//
// Steppe 13.0/1
// Steppe 13.0/2
// Steppe 13.0/3
// Steppe 13.0/4
// Steppe 13.0/5
// Steppe 13.0/7
// Steppe 13.0/8
// Steppe 13.0/9
// Steppe 13.0/10
// Steppe 13.0/11
//
// reading Steppe 13.0: no line of the book names an anti-tank gun, so the rule sleeps
// until an owner's counters have some. Targets are armor, motorized, mechanized and
// armored cavalry. An attack that is cancelled is used up all the same.
func (c *combat) antiTank() bool {
	guns := slices.DeleteFunc(c.defenders(), func(u *Unit) bool { return !u.c.AT })
	hit := false
	base := strings.TrimPrefix(c.label, "combat ")
	for _, g := range guns {
		targets := slices.DeleteFunc(c.living(), func(u *Unit) bool { return !u.c.Mech })
		if len(targets) == 0 {
			break
		}
		slices.SortStableFunc(targets, func(a, b *Unit) int {
			n := b.face().Attack - a.face().Attack
			if c.def.antiTank == "WEAKEST" {
				n = -n
			}
			if n == 0 {
				n = a.Steps - b.Steps
			}
			return n
		})
		name := c.r.Ask(adjudicator.Decision{Label: fmt.Sprintf("anti-tank %s %s", base, g.c.Name), Kind: kindAntiTank, Side: c.enemy, Clause: "Steppe 13.0",
			Options: stepOptions(targets), Proposal: targets[0].c.Name, Source: "doctrine: the strongest first"})[0]
		u := c.s.byName(c.side, name)
		label := fmt.Sprintf("anti-tank %s %s", base, g.c.Name)
		die := c.r.Roll("Steppe 13.0", label+" die", 1, 6)[0]
		e := view.Event{Kind: "anti-tank", Clause: "Steppe 13.0", Side: string(c.enemy), Hexes: []hex.Hex{c.target}, Rolls: []string{label + " die"},
			Facts: map[string]string{"gun": g.c.Name, "unit": u.c.Name, "die": fmt.Sprint(die), "label": label + " die", "outcome": "misses"}}
		if die <= antiTankHit(c.enemy) {
			e.Facts["outcome"] = "hits"
		}
		c.r.Tell(e)
		if die <= antiTankHit(c.enemy) {
			c.s.loseStep(c.r, u)
			hit = true
		}
	}
	c.units = c.living()
	if !hit {
		return true
	}
	if len(c.units) == 0 {
		return false
	}
	floor := c.in.min
	if floor == "" {
		floor = "3:2"
	}
	proposal := answerNo
	if c.doc.cancel && c.odds().level < slices.Index(c.s.sc.Columns, floor) {
		proposal = answerYes
	}
	answer := c.r.Ask(adjudicator.Decision{Label: "cancel " + base, Kind: kindCancel, Side: c.side, Clause: "Steppe 13.0",
		Options:  []adjudicator.Option{{Answer: answerYes, Means: "the attack is called off"}, {Answer: answerNo, Means: "the attack goes on"}},
		Proposal: proposal, Source: "doctrine: MIN"})[0]
	if answer == answerYes {
		c.r.Tell(view.Event{Kind: "cancelled", Clause: "Steppe 13.0", Side: string(c.side), Hexes: []hex.Hex{c.target}, Facts: map[string]string{"hex": c.s.spot(c.target)}})
	}
	return answer == answerNo
}
