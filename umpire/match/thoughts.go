package match

import (
	"encoding/json"
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
	// Since is when the writer was told, Reminded whether they were told again.
	Since    time.Time `json:"since"`
	Reminded bool      `json:"reminded,omitempty"`
}

// Over tells whether the time for a second thought has passed.
func (t Thought) Over(now time.Time) bool { return !t.Held && !t.Until.After(now) }

// ToRemind tells whether the writer of a held sheet is still to be told again.
func (t Thought) ToRemind() bool { return t.Held && !t.Reminded }

// Thoughts are the thoughts of a game, by side: a side has one at most.
type Thoughts map[adjudicator.Side]Thought

// of tells whether the DONE of a filing does not count yet.
func (t Thoughts) of(f Filing) bool {
	one, ok := t[f.Side]
	return ok && one.Turn == f.Turn && f.Serial >= one.Serial
}

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

// ThoughtNote names the note of a game's thoughts.
func ThoughtNote(game string) string { return "thought/" + game }

// ThoughtsOf reads a game's thoughts.
func (gs *Games) ThoughtsOf(id string) (t Thoughts, err error) {
	err = gs.ReadNote(ThoughtNote(id), &t)
	return t, err
}

// thoughtsWith are a game's thoughts with the notes of a Change.
func (gs *Games) thoughtsWith(id string, changed map[string][]byte) (t Thoughts, err error) {
	text, is := changed[ThoughtNote(id)]
	if !is {
		return gs.ThoughtsOf(id)
	}
	if text != nil {
		err = json.Unmarshal(text, &t)
	}
	return t, err
}

// HasSecondThoughts tells whether a game goes by the rules of second thoughts: a sheet
// with DONE and doubts is held, and a bare DONE finishes what is filed.
func HasSecondThoughts(g store.Game) bool { return g.Options[OptionUndo] != "" }

// SecondThought is how long a clean DONE waits before it is played.
func SecondThought(g store.Game) time.Duration {
	d, err := undoTerm(g.Options[OptionUndo])
	if err != nil {
		return 0
	}
	return d
}

// UnfinishedOf are the sides whose orders or answers are missing, and not only the
// deadline, under the notes of a Change.
func (gs *Games) UnfinishedOf(m Match, pending []adjudicator.Decision, changed map[string][]byte) (sides []string, err error) {
	f, err := gs.SheetsOf(m, Given{Changed: changed})(adjudicator.Phase{Turn: m.Open.Turn, Label: RulesLabel(m.Open.Phase)})
	if err != nil {
		return nil, err
	}
	return WaitingFor(slices.DeleteFunc(slices.Clone(pending), func(d adjudicator.Decision) bool {
		_, _, known := f.Answer(d)
		return known
	})), nil
}

// Awaited are the sides that a game waits for. Where it waits for several at once, those
// that have finished are left out, unless it is only the deadline that is waited for.
func (gs *Games) Awaited(id string, pending []adjudicator.Decision) []string {
	sides := WaitingFor(pending)
	if len(sides) < 2 {
		return sides
	}
	m, err := gs.Load(id)
	if err != nil || m.Open == nil {
		return sides
	}
	if left, err := gs.UnfinishedOf(m, pending, nil); err == nil && len(left) > 0 {
		return left
	}
	return sides
}
