package match

import (
	"fmt"
	"slices"
	"strconv"

	"fieldpost/adjudicator/hex"
	"fieldpost/store"
)

// Deliberation is what a staff officer who looks ahead thought of a turn, and what a person in
// their place has of it in a folder: where the units stood. It is kept beside the game and told to
// nobody before the game is over.
type Deliberation struct {
	Turn   int                `json:"turn"`
	Plan   Considered         `json:"plan"`
	Others []Considered       `json:"others,omitempty"` // the best first
	Stood  map[string]hex.Hex `json:"stood,omitempty"`  // by id, as in staff.Stood
}

// Considered is a plan, and what it was expected to bring in hundredths of a victory point.
type Considered struct {
	Name  string `json:"name"`
	Worth int    `json:"worth"`
}

// TurnKey is the key of what is kept of a side's turn.
type TurnKey struct {
	store.Seat
	Turn int
}

// DeliberationRecords are the deliberations; one of the same turn takes the place of the one before.
var DeliberationRecords = store.KindOf[Deliberation]("staff", store.Shape[TurnKey]{
	Form:  "GAME/SIDE/TURN",
	Words: func(k TurnKey) []string { return []string{k.Game, k.Side, fmt.Sprintf("%03d", k.Turn)} },
	Parse: func(words []string) (k TurnKey, ok bool) {
		if len(words) != 3 {
			return k, false
		}
		turn, err := strconv.Atoi(words[2])
		return TurnKey{store.Seat{Game: words[0], Side: words[1]}, turn}, err == nil
	},
	Game: func(k TurnKey) string { return k.Game }})

// Deliberations are those of a side in order of turns, before a turn: a game that was set back has
// some of later ones, which count no more.
func (gs *Games) Deliberations(game, side string, before int) (all []Deliberation, err error) {
	kept, err := DeliberationRecords.All(gs.DB, game, side)
	if err != nil {
		return nil, err
	}
	for _, d := range kept {
		if d.Turn < before {
			all = append(all, d)
		}
	}
	slices.SortFunc(all, func(a, b Deliberation) int { return a.Turn - b.Turn })
	return all, nil
}
