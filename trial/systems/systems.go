// Package systems is all that the trials must know of each rules system: what random
// and illegal orders of it look like, what the enemy seals in it, and whose names a
// side may know. The trials of a further system need one entry in its table.
package systems

import (
	"fmt"
	"math/rand/v2"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// System is what the trials know of a rules system.
type System struct {
	Rules adjudicator.System
	// Inside is a game as the trials look into it: what must hold of its positions, and
	// disguises that its fog must hide. Ok is false where it is another system's.
	Inside func(game adjudicator.Game) (inside any, ok bool)
	// Orders are random orders for a turn, of every kind that the system knows, written
	// from a View alone. They are meant to be legal; what the rules refuse falls away
	// and is counted.
	Orders func(game adjudicator.Game, v *view.View, r *rand.Rand) ([]Order, error)
	// Mutations make orders that are illegal by what the View says, without asking the
	// rules; SetUp are those of them that break the set-up of a game with a turn 0.
	Mutations, SetUp []Mutation
	// Feelers are orders that feel for the enemy, most of them illegal: the sections of
	// a sheet.
	Feelers func(v *view.View, r *rand.Rand) string
	// Sealed tells which phases play what the enemy has sealed, so that they differ
	// where that does; nil: none.
	Sealed func(adjudicator.Phase) bool
	// Law says which names of enemy units a side may know after a phase.
	Law func(Moment)
}

// Table is the systems by their id.
var Table = map[string]System{"wb95": wb95Trial, "steppe": steppeTrial, "famous": famousTrial}

// Get is the system of an id.
func Get(id string) (System, error) {
	s, ok := Table[id]
	if !ok {
		return s, fmt.Errorf("the trials do not know the system %q", id)
	}
	return s, nil
}

// Inside is a game as its system lets the trials look into it; the game itself if no
// system knows it.
func Inside(game adjudicator.Game) any {
	for _, s := range Table {
		if inside, ok := s.Inside(game); ok {
			return inside
		}
	}
	return game
}

// Mutation makes one kind of illegal order.
type Mutation struct {
	Kind   string
	Clause rule.Clause // that forbids it
	// Make takes its values from the View. With are legal orders that the illegal
	// one needs beside it; ok is false where the View offers no case.
	Make func(game adjudicator.Game, v *view.View, r *rand.Rand) (bad Order, with []Order, ok bool)
}
