package engine

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/playtest"
	"fieldpost/trial/systems"
)

// Tried counts the mutants of a kind.
type Tried struct {
	Clause   rule.Clause
	Count    int
	Accepted []string // sheets with a mutant that stood
}

// Add joins two counts.
func (t Tried) Add(o Tried) Tried {
	return Tried{o.Clause, t.Count + o.Count, append(slices.Clone(t.Accepted), o.Accepted...)}
}

// mutantsEach is how often each mutation is tried on a View.
const mutantsEach = 4

// Mutate plays a match of random orders and has every mutation of the system tried
// on each View that a player gets: a legal sheet, one thing in it made illegal.
func Mutate(ctx context.Context, m playtest.Match, r *rand.Rand) (map[string]Tried, error) {
	tried := map[string]Tried{}
	counts := map[string][2]int{}
	for _, side := range m.Game.Sides() {
		m.Players[side] = &saboteur{Random: NewRandom(m.Game, m.Number, side, counts), match: m, r: r, tried: tried}
	}
	_, err := m.Play(ctx)
	return tried, err
}

// saboteur plays at random and tries mutants on what it sees.
type saboteur struct {
	*Random
	match playtest.Match
	r     *rand.Rand
	tried map[string]Tried
}

// Sheet implements playtest.Player.
func (s *saboteur) Sheet(v *view.View, serial int) (string, error) {
	text, err := s.Random.Sheet(v, serial)
	if err != nil {
		return "", err
	}
	var legal []systems.Order
	for _, line := range slices.Sorted(maps.Keys(s.at)) {
		legal = append(legal, s.at[line])
	}
	for _, m := range systems.Table[v.System].Mutations {
		for range mutantsEach {
			if err := s.try(m, v, legal); err != nil {
				return "", err
			}
		}
	}
	return text, nil
}

// try hands in a sheet with one mutant among a few legal orders.
func (s *saboteur) try(m systems.Mutation, v *view.View, legal []systems.Order) error {
	bad, with, ok := m.Make(s.match.Game, v, s.r)
	if !ok {
		return nil
	}
	list := slices.Clone(with)
	for range min(3, len(legal)) {
		if o := legal[s.r.IntN(len(legal))]; o.Section == "STANDING" && bad.Section != "STANDING" {
			list = append(list, o)
		}
	}
	text, at := systems.Compose(v, 1, append(list, bad))
	sheet, faults := orders.Parse(orders.Canonical(text), s.match.Vocabulary)
	t := Tried{Clause: m.Clause, Count: 1}
	if len(faults) == 0 {
		stood, legal := stands(s.match.Game.Check(v, sheet), at, bad)
		if !legal {
			return nil // what should stand beside it does not: this is no mutant of a legal sheet
		}
		if stood {
			t.Accepted = []string{fmt.Sprintf("%s %s, turn %d:\n%s", v.Scenario, v.Side, v.Turn, text)}
		}
	}
	s.tried[m.Kind] = s.tried[m.Kind].Add(t)
	return nil
}

// stands tells whether the mutant was accepted, and whether all other orders were.
func stands(f *adjudicator.Filing, at map[int]systems.Order, bad systems.Order) (stood, others bool) {
	stood, others = true, true
	for _, l := range f.Lines {
		switch o, ok := at[l.Pos.Line]; {
		case !ok || l.Refused == nil:
		case o == bad:
			stood = false
		case o.Kind == "with":
			others = false
		}
	}
	return stood, others
}

// TriedTable prints the counts, and the first sheet that was accepted of each kind.
func TriedTable(tried map[string]Tried) string {
	out := fmt.Sprintf("%-46s %-13s %9s %9s\n", "mutation", "forbidden by", "tried", "accepted")
	var bad string
	for _, k := range slices.Sorted(maps.Keys(tried)) {
		t := tried[k]
		out += fmt.Sprintf("%-46s %-13s %9d %9d\n", k, t.Clause, t.Count, len(t.Accepted))
		if len(t.Accepted) > 0 {
			bad += "\naccepted, " + k + ":\n" + t.Accepted[0]
		}
	}
	return out + bad
}
