package match

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
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

// deliberationsOf begins the names of the notes with a side's deliberations.
func deliberationsOf(game, side string) string { return "staff/" + game + "/" + side + "/" }

// DeliberationNote is the note with the deliberation of a turn; one of the same turn takes its place.
func DeliberationNote(game, side string, turn int) string {
	return fmt.Sprintf("%s%03d", deliberationsOf(game, side), turn)
}

// Deliberations are those of a side in order of turns, before a turn: a game that was set back has
// some of later ones, which count no more.
func (gs *Games) Deliberations(game, side string, before int) (all []Deliberation, err error) {
	notes, err := gs.DB.Notes(deliberationsOf(game, side))
	if err != nil {
		return nil, err
	}
	for name, text := range notes {
		var d Deliberation
		if err := json.Unmarshal(text, &d); err != nil {
			return nil, fmt.Errorf("note %s: %w", strings.ToValidUTF8(name, "?"), err)
		}
		if d.Turn < before {
			all = append(all, d)
		}
	}
	slices.SortFunc(all, func(a, b Deliberation) int { return a.Turn - b.Turn })
	return all, nil
}
