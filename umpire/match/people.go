package match

import (
	"slices"
	"time"

	"fieldpost/store"
	"fieldpost/umpire/seats"
)

// Persons are those of a seat who send its sheets now and get its mail, each as the
// player that they stand for: the player first.
func (gs *Games) Persons(p store.Player) []store.Player {
	all := []store.Player{p.As(0)}
	for i, c := range p.Commanders {
		if seats.Commands(c) || gs.StandsIn(p, c) {
			all = append(all, p.As(i+1))
		}
	}
	return all
}

// Everybody are the persons of all seats of a game.
func (gs *Games) Everybody(g store.Game) (all []store.Player) {
	for _, p := range g.Players {
		all = append(all, gs.Persons(p)...)
	}
	return all
}

// StandsIn tells whether a deputy may send sheets in the player's place now.
func (gs *Games) StandsIn(p store.Player, c store.Commander) bool {
	now := gs.Now()
	in := func(s store.Span) bool { return Within(s, now) }
	if c.Left || !c.Deputy {
		return false
	}
	if !c.Stands.To.IsZero() {
		return in(c.Stands)
	}
	return slices.ContainsFunc(p.Away, in)
}

// Within tells whether a moment is in a span of time.
func Within(s store.Span, at time.Time) bool { return !at.Before(s.From) && at.Before(s.To) }
