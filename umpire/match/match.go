package match

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/store"
	"fieldpost/umpire/share"
)

// Match is a game loaded from the store: its record with the latest position and the
// phase that waits, and the scenario under the rules and options that it is played by.
type Match struct {
	store.Position
	Rules  adjudicator.Game
	System adjudicator.System
	// Share is what the club has of the processors; nil is all of them.
	Share *share.Share
}

// Load loads a game.
func (gs *Games) Load(id string) (Match, error) {
	pos, err := gs.DB.Load(id)
	if err != nil {
		return Match{Position: pos}, err
	}
	return gs.Under(pos)
}

// Under puts what the store has of a game under its rules. A Change that is being made
// passes its own record, so that what it has altered counts.
func (gs *Games) Under(pos store.Position) (m Match, err error) {
	m.Position, m.Share = pos, gs.Share
	m.Rules, m.System, err = gs.RulesOf(pos.Game)
	return m, err
}

// Since is the match right after a phase, with nothing that waits.
func (m Match) Since(phase store.Phase) Match {
	m.Latest, m.Open = &phase, nil
	return m
}

// At is the place of the latest position in the sequence of play.
func (m Match) At() (adjudicator.Phase, error) { return m.Rules.At(m.Latest.Snapshot) }

// View is what a side knows of the latest position: in the midst of a phase as it began, with the
// midst beside it if the side is asked for the rest of an activation.
func (m Match) View(side string) (*view.View, error) {
	return SeenInMidst(m.Rules, m.Latest.Snapshot, m.Open, adjudicator.Side(side))
}

// SeenInMidst is what a side knows of a position, and of the midst of the phase that waits there if
// it is asked for the rest of an activation.
func SeenInMidst(rules adjudicator.Game, position []byte, open *store.OpenPhase, side adjudicator.Side) (*view.View, error) {
	v, err := rules.View(position, side)
	if err != nil || open == nil {
		return v, err
	}
	pending, err := PendingOf(open)
	asksRest := func(d adjudicator.Decision) bool { return d.Wanted && d.Side == side }
	if err != nil || !slices.ContainsFunc(pending, asksRest) {
		return v, err
	}
	journal, err := EntriesOf(open.Journal)
	if err != nil {
		return nil, err
	}
	v.Midst, err = Midst(rules, position, journal, side)
	return v, err
}

// Midst is what a side knows in the midst of a phase, when that has come as far as a journal.
func Midst(rules adjudicator.Game, position []byte, journal []adjudicator.Entry, side adjudicator.Side) (*view.View, error) {
	out, err := rules.Play(position, journal, JournalOnly{}, JournalOnly{})
	if err != nil {
		return nil, err
	}
	return rules.View(out.Position, side)
}

// OpenPhase names the phase that waits, "" if none does.
func (m Match) OpenPhase() string {
	if m.Open == nil {
		return ""
	}
	return m.Open.Phase
}

// NextTurn is the turn of a side's next player-turn: sides play in order, or both
// at once in a phase of both.
func (m Match) NextTurn(at adjudicator.Phase, side string) int {
	for _, s := range m.Rules.Sides() {
		if s == at.Side || at.Side == "" {
			return at.Turn
		}
		if string(s) == side {
			return at.Turn + 1
		}
	}
	return at.Turn
}

// CatchPanic turns a panic of the rules engine into an error; defer it.
func CatchPanic(err *error) {
	if x := recover(); x != nil {
		*err = fmt.Errorf("the rules engine failed: %v\n%s", x, debug.Stack())
	}
}

func EntriesOf(journal json.RawMessage) (list []adjudicator.Entry, err error) {
	if len(journal) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(journal, &list); err != nil {
		return nil, fmt.Errorf("its journal cannot be read: %w", err)
	}
	return list, nil
}

// JournalOnly has neither dice nor answers: with it a phase runs on its journal alone.
type JournalOnly struct{}

func (JournalOnly) Throw(label string, _, _ int) ([]int, []byte, error) {
	return nil, nil, fmt.Errorf("dice %q: %w", label, ErrMissing)
}

func (JournalOnly) Answer(adjudicator.Decision) (answer, source string, known bool) {
	return "", "", false
}

// ErrMissing stops a repeat that wants more than the journal holds.
var ErrMissing = errors.New("the journal does not hold it")
