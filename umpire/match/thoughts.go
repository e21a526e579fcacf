package match

import (
	"maps"
	"slices"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/store"
)

// Thought is a finished sheet that is not played yet: it is held until its writer says
// DONE once more, or it leaves them time for a second thought.
type Thought struct {
	Turn   int `json:"turn"`
	Serial int `json:"serial"` // of the sheet whose DONE does not count yet
	Orders int `json:"orders"` // of the sheet with the orders, the same or an earlier one
	// Doubts are what a held sheet is held for, in words.
	Doubts []string `json:"doubts,omitempty"`
	// Held tells that it waits for its writer, Until when a second thought is over.
	Held  bool      `json:"held,omitempty"`
	Until time.Time `json:"until,omitzero"`
	// Parts are what is held of a side with several commanders, by commander.
	Parts map[int]HeldPart `json:"parts,omitempty"`
	// By is the commander who wrote, from 1 for the commander-in-chief, in notes of earlier
	// programs, which held a side for one of them alone.
	By int `json:"by,omitempty"`
	// Since is when the writer was told, Reminded whether they were told again.
	Since    time.Time `json:"since"`
	Reminded bool      `json:"reminded,omitempty"`
}

// HeldPart is one commander's part that is held.
type HeldPart struct {
	Sheet  int       `json:"sheet"` // its writer's, with the orders
	Doubts []string  `json:"doubts"`
	Since  time.Time `json:"since"`
	// Others tells that there is nothing to look at but the parts of others.
	Others bool `json:"others,omitempty"`
}

// HeldParts are what is held of a side, by commander; nothing of no thought.
func (t *Thought) HeldParts() map[int]HeldPart {
	switch {
	case t == nil || !t.Held:
		return map[int]HeldPart{}
	case len(t.Parts) == 0:
		return map[int]HeldPart{max(t.By-1, 0): {Sheet: t.Orders, Doubts: t.Doubts, Since: t.Since}}
	}
	return maps.Clone(t.Parts)
}

// Over tells whether the time for a second thought has passed.
func (t Thought) Over(now time.Time) bool { return !t.Held && !t.Until.After(now) }

// ToRemind tells whether the writer of a held sheet is still to be told again.
func (t Thought) ToRemind() bool { return t.Held && !t.Reminded }

// Thoughts are the thoughts of a game, by side: a side has one at most.
type Thoughts map[adjudicator.Side]Thought

// Next is the earliest end of a second thought; zero for none.
func (t Thoughts) Next() (next time.Time) {
	for _, one := range t {
		if !one.Held {
			next = Sooner(next, one.Until)
		}
	}
	return next
}

// Sooner is the earlier of two moments; zero is none.
func Sooner(a, b time.Time) time.Time {
	switch {
	case a.IsZero():
		return b
	case b.IsZero(), !b.Before(a):
		return a
	}
	return b
}

// ThoughtRecords are the thoughts of games.
var ThoughtRecords = store.OnePerGame[Thoughts]("thought")

// Keep has a Change keep the thoughts of a game, or forget that there were any.
func (t Thoughts) Keep(c *store.Change, game string) {
	if len(t) == 0 {
		ThoughtRecords.Drop(c, game)
		return
	}
	ThoughtRecords.Put(c, game, t)
}

// ThoughtsOf reads a game's thoughts.
func (gs *Games) ThoughtsOf(id string) (t Thoughts, err error) {
	t, _, err = ThoughtRecords.Get(gs.DB, id)
	return t, err
}

// SecondThought is how long a clean DONE waits before it is played.
func SecondThought(g store.Game) time.Duration {
	d, err := undoTerm(g.Options[OptionUndo])
	if err != nil {
		return 0
	}
	return d
}

// leastConcession is how long a side can take back at least that it gives the game up.
const leastConcession = 15 * time.Minute

// Concession is a side's word that it gives the game up, while it can be taken back.
type Concession struct {
	Serial int       `json:"serial"` // of the sheet that says so
	Until  time.Time `json:"until"`
}

// Concessions are those of a game, by side.
type Concessions map[adjudicator.Side]Concession

// ConcessionTerm is how long a concession can be taken back: as a finished sheet, and a
// quarter of an hour at least, also against a staff officer.
func ConcessionTerm(g store.Game) time.Duration { return max(leastConcession, SecondThought(g)) }

// First is the concession that counts first; no side has made one if it is "".
func (all Concessions) First() (side adjudicator.Side, first Concession) {
	for _, s := range slices.Sorted(maps.Keys(all)) {
		if one := all[s]; side == "" || one.Until.Before(first.Until) {
			side, first = s, one
		}
	}
	return side, first
}

// ConcessionRecords are the concessions of games.
var ConcessionRecords = store.OnePerGame[Concessions]("concession")

// Keep has a Change keep the concessions of a game, or forget that there were any.
func (all Concessions) Keep(c *store.Change, game string) {
	if len(all) == 0 {
		ConcessionRecords.Drop(c, game)
		return
	}
	ConcessionRecords.Put(c, game, all)
}

// ConcessionsOf reads a game's concessions.
func (gs *Games) ConcessionsOf(id string) (all Concessions, err error) {
	all, _, err = ConcessionRecords.Get(gs.DB, id)
	return all, err
}
