package soak

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
)

// Scribe writes orders of one rules system. It sees Views only.
type Scribe struct {
	// Orders are random orders for a turn, of every kind that the system knows. They
	// are meant to be legal; what the rules refuse falls away and is counted.
	Orders func(game adjudicator.Game, v *view.View, r *rand.Rand) ([]Order, error)
	// Mutants make orders that are illegal by what the View says, without asking
	// the rules (mutants.go).
	Mutants []Mutation
	// Sealed tells which phases play what the enemy has sealed, so that they differ
	// where that does; nil: none.
	Sealed func(adjudicator.Phase) bool
	// Template is the sections of an empty sheet.
	Template []string
}

// scribes are the systems that the soak can play at random.
var scribes = map[string]Scribe{"wb95": wb95Scribe, "steppe": steppeScribe, "famous": famousScribe}

// Random is a player who gives random legal orders.
type Random struct {
	Game   adjudicator.Game
	Rand   *rand.Rand
	Counts map[string][2]int // by kind of order: that stood, that were refused

	at map[int]Order
}

// NewRandom seats a random player.
func NewRandom(game adjudicator.Game, number int, side adjudicator.Side, counts map[string][2]int) *Random {
	seed := uint64(number)
	for _, c := range side {
		seed = seed*31 + uint64(c)
	}
	return &Random{Game: game, Rand: rand.New(rand.NewPCG(seed, 1942)), Counts: counts}
}

// Sheet implements Player.
func (p *Random) Sheet(v *view.View, serial int) (string, error) {
	scribe, ok := scribes[v.System]
	if !ok {
		return "", fmt.Errorf("nobody writes random orders for %s yet", v.System)
	}
	list, err := scribe.Orders(p.Game, v, p.Rand)
	if err != nil {
		return "", err
	}
	var text string
	text, p.at = compose(v, serial, list)
	return text, nil
}

// Choose implements chooser: any option, every second time what the doctrine proposes.
func (p *Random) Choose(d adjudicator.Decision) string {
	if p.Rand.IntN(2) == 0 {
		return d.Proposal
	}
	p.count("reaction "+d.Kind, true)
	return d.Options[p.Rand.IntN(len(d.Options))].Answer
}

// Stood implements counter.
func (p *Random) Stood(lines []adjudicator.Line) {
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
