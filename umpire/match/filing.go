package match

import (
	"fmt"
	"strconv"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/store"
)

// Filing is what is kept of an accepted sheet beside its text.
type Filing struct {
	Side    adjudicator.Side  `json:"side"`
	Turn    int               `json:"turn"`
	Serial  int               `json:"serial"`
	Answers map[string]string `json:"answers"`
	Done    bool              `json:"done"`
	// Bare tells that the sheet has no orders of its own. In a game with second thoughts
	// it leaves those that are filed as they are, and its DONE finishes them.
	Bare bool `json:"bare,omitempty"`
	// Mode is the sheet's MODE line, empty if it has none: the one before holds.
	Mode string `json:"mode,omitempty"`
	// Phase is the phase that waited when the sheet came, Replies its answers to
	// what that phase asked.
	Phase   string            `json:"phase,omitempty"`
	Replies map[string]string `json:"replies,omitempty"`

	// Withdrawn takes the side's earlier sheets for the turn back.
	Withdrawn bool `json:"withdrawn,omitempty"`

	// Joined takes the place of the side's earlier sheets for the turn: it is joined
	// from all that its commanders want.
	Joined bool `json:"joined,omitempty"`

	// Doubts are what a finished sheet with these orders would be held for, in words.
	Doubts []string `json:"doubts,omitempty"`

	// By is who filed it in the player's place, "" if they did.
	By string `json:"by,omitempty"`

	// Seq is the Change that brought it.
	Seq uint64 `json:"seq,omitempty"`
}

// Of tells whether it is a side's, for a turn.
func (s Filing) Of(side string, turn int) bool { return string(s.Side) == side && s.Turn == turn }

// speaksOf tells whether a sheet has an answer to a decision.
func (s Filing) speaksOf(d adjudicator.Decision) bool {
	_, speaks := s.Answers[d.Answers()]
	return speaks
}

// cameInItsTurn tells whether a sheet came while its turn was being played.
func (s Filing) cameInItsTurn() bool {
	return strings.HasPrefix(s.Phase, fmt.Sprintf("turn %d ", s.Turn))
}

// FilingKey is the key of a filing.
type FilingKey struct {
	store.Seat
	Turn, Serial int
}

// FilingRecords are what accepted sheets answer.
var FilingRecords = store.KindOf[Filing]("filing", store.Shape[FilingKey]{
	Form: "GAME/SIDE/TURN/SERIAL",
	Words: func(k FilingKey) []string {
		return []string{k.Game, k.Side, fmt.Sprintf("%03d", k.Turn), fmt.Sprintf("%06d", k.Serial)}
	},
	Parse: func(words []string) (k FilingKey, ok bool) {
		if len(words) != 4 {
			return k, false
		}
		turn, badTurn := strconv.Atoi(words[2])
		serial, badSerial := strconv.Atoi(words[3])
		return FilingKey{store.Seat{Game: words[0], Side: words[1]}, turn, serial}, badTurn == nil && badSerial == nil
	},
	Game: func(k FilingKey) string { return k.Game }})

// placeMark stands in the source of an answer between a sheet and who filed it.
const placeMark = ", filed by "

func (s Filing) by() string {
	if s.By == "" {
		return ""
	}
	return placeMark + s.By
}

// of tells whether the DONE of a filing does not count yet.
func (t Thoughts) of(f Filing) bool {
	one, ok := t[f.Side]
	return ok && one.Turn == f.Turn && f.Serial >= one.Serial
}
