// Package engine tries the rules without mail: random legal play with every phase
// audited, orders made illegal, staff officers against weaker players. It knows games by
// adjudicator.Game; what orders of a system look like it has from trial/systems.
package engine

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/trial/systems"
)

// Random is a player who gives random legal orders.
type Random struct {
	Game   adjudicator.Game
	Rand   *rand.Rand
	Counts map[string][2]int // by kind of order: that stood, that were refused

	at map[int]systems.Order // of the last sheet, by line
}

// NewRandom seats a random player.
func NewRandom(game adjudicator.Game, number int, side adjudicator.Side, counts map[string][2]int) *Random {
	seed := uint64(number)
	for _, c := range side {
		seed = seed*31 + uint64(c)
	}
	return &Random{Game: game, Rand: rand.New(rand.NewPCG(seed, 1942)), Counts: counts}
}

// Sheet implements playtest.Player.
func (p *Random) Sheet(v *view.View, serial int) (string, error) {
	system, err := systems.Get(v.System)
	if err != nil {
		return "", err
	}
	list, err := system.Orders(p.Game, v, p.Rand)
	if err != nil {
		return "", err
	}
	var text string
	text, p.at = systems.Compose(v, serial, list)
	return text, nil
}

// Choose implements playtest.Chooser: any option, every second time what the doctrine proposes.
func (p *Random) Choose(d adjudicator.Decision) string {
	if p.Rand.IntN(2) == 0 {
		return d.Proposal
	}
	p.count("reaction "+d.Kind, true)
	return d.Options[p.Rand.IntN(len(d.Options))].Answer
}

// Judged implements sandtable.Counter.
func (p *Random) Judged(lines []adjudicator.Line) {
	for _, l := range lines {
		if o, ok := p.at[l.Pos.Line]; ok {
			p.count(o.Kind, l.Refused == nil)
		}
	}
}

func (p *Random) count(kind string, stood bool) {
	n := p.Counts[kind]
	if stood {
		n[0]++
	} else {
		n[1]++
	}
	p.Counts[kind] = n
}

// CountTable prints counts of orders by kind.
func CountTable(counts map[string][2]int) string {
	out := fmt.Sprintf("%-28s %9s %9s\n", "orders", "stood", "refused")
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		out += fmt.Sprintf("%-28s %9d %9d\n", k, counts[k][0], counts[k][1])
	}
	return out
}

// Passive is a player who does nothing at all.
type Passive struct{}

// Sheet implements playtest.Player.
func (Passive) Sheet(v *view.View, serial int) (string, error) {
	text, _ := systems.Compose(v, serial, nil)
	return text, nil
}
