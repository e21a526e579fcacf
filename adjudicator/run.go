// Package adjudicator is the rules-neutral core of the engine: phases that are
// run, and repeated, over a journal of dice and answers. It and everything below
// it is pure: no clock, no files, no network, no randomness, no logging.
package adjudicator

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// ErrDiverged says that a repeated phase did not ask and roll what its journal
// holds. The game must be frozen: its rules have changed under it, or there is a bug.
var ErrDiverged = errors.New("the phase differs from its journal")

// ErrLabelTwice says that a rule used one label twice in a phase, which would
// give two random events the same dice.
var ErrLabelTwice = errors.New("label used twice in a phase")

// Dice throws the dice of one random event. All dice of the event are thrown
// together; the same label in the same phase always gives the same dice.
type Dice interface {
	Throw(label string, count, sides int) (dice []int, proof []byte, err error)
}

// Run is one pass over a phase. Only a rules system holds one.
type Run struct {
	journal []Entry
	next    int
	dice    Dice
	answers Answerer
	events  []view.Event
	through func(view.Event) []view.Event
	labels  map[string]bool
}

// unwind is the private panic that leaves a phase; Play recovers it.
type unwind struct {
	pending []Decision
	err     error
}

// Roll throws count dice of the given number of sides for the random event
// label. It is the only randomness of a game. The label is fixed by the rules
// (kind and hex or unit), never by orders, and used once in a phase.
func (r *Run) Roll(c rule.Clause, label string, count, sides int) []int {
	r.once(label)
	if r.next < len(r.journal) {
		e := r.journal[r.next]
		if !e.rolled(c, label, count, sides) {
			r.diverged(fmt.Sprintf("dice %q (%s)", label, c), e)
		}
		r.next++
		return slices.Clone(e.Dice)
	}
	dice, proof, err := r.dice.Throw(label, count, sides)
	if err == nil && len(dice) != count {
		err = fmt.Errorf("dice %q: asked for %d, got %d", label, count, len(dice))
	}
	if err != nil {
		panic(unwind{err: err})
	}
	r.journal = append(r.journal, Entry{Kind: EntryRoll, Clause: c, Label: label, Sides: sides, Dice: dice, Proof: proof})
	r.next++
	return slices.Clone(dice)
}

// rolled tells whether an entry of the journal is this throw.
func (e Entry) rolled(c rule.Clause, label string, count, sides int) bool {
	switch {
	case e.Kind != EntryRoll, e.Clause != c, e.Label != label:
		return false // of another event
	}
	return len(e.Dice) == count && e.Sides == sides
}

// answered tells whether an entry of the journal is the answer to a decision.
func (e Entry) answered(d Decision) bool {
	return e.Kind == EntryAnswer && e.Label == d.Label && e.Side == d.Side
}

// Ask returns the answers to the decisions, in order. If any is not known yet the
// phase stops here, and all that are unanswered are pending together; then none of
// the others is fixed either: a side of a secret decision may change its mind until
// the last one has answered.
// An answer that is none of the decision's options stops the run with a Violation.
func (r *Run) Ask(ds ...Decision) []string {
	out := make([]string, len(ds))
	var pending []Decision
	var fresh []Entry
	for i, d := range ds {
		r.once(d.Label)
		if r.next < len(r.journal) {
			e := r.journal[r.next]
			if !e.answered(d) {
				r.diverged(fmt.Sprintf("the answer of %s to %q", d.Side, d.Label), e)
			}
			r.next++
			out[i] = e.Answer
			continue
		}
		a, src, known := r.answers.Answer(d)
		if known && !d.allows(a) {
			panic(unwind{err: &rule.Violation{Clause: d.Clause, Why: fmt.Sprintf("%q does not answer %q", a, d.Label)}})
		}
		if !known {
			pending = append(pending, d)
		}
		fresh = append(fresh, Entry{Kind: EntryAnswer, Clause: d.Clause, Label: d.Label, Side: d.Side, Answer: a, Source: src})
		out[i] = a
	}
	if len(pending) > 0 {
		panic(unwind{pending: pending})
	}
	r.journal = append(r.journal, fresh...)
	r.next += len(fresh)
	return out
}

// Tell records an event.
func (r *Run) Tell(e view.Event) {
	if r.events == nil {
		r.events = make([]view.Event, 0, r.likely())
	}
	if r.through == nil {
		r.events = append(r.events, e)
		return
	}
	r.events = append(r.events, r.through(e)...)
}

// likely is how many events a phase may be expected to tell of: about two for each order
// of its journal, and one for each other answer and throw.
func (r *Run) likely() int {
	n := 16
	for i := range r.journal {
		n += 1 + 2*strings.Count(r.journal[i].Answer, "\n")
	}
	return n
}

// Through has every event that is told from now on pass a system's fog: it becomes
// what each audience may know of it, or nothing.
func (r *Run) Through(fog func(view.Event) []view.Event) { r.through = fog }

// once guards against two events or decisions of one phase under one label.
func (r *Run) once(label string) {
	if r.labels[label] {
		panic(unwind{err: fmt.Errorf("%w: %q", ErrLabelTwice, label)})
	}
	r.labels[label] = true
}

func (r *Run) diverged(want string, e Entry) {
	panic(unwind{err: fmt.Errorf("%w: entry %d should be %s, the journal holds %s %q (%s)", ErrDiverged, r.next, want, e.Kind, e.Label, e.Clause)})
}

func (d Decision) allows(answer string) bool {
	if len(d.Options) == 0 {
		return true
	}
	return slices.ContainsFunc(d.Options, func(o Option) bool { return o.Answer == answer })
}

// Pass is what one pass over a phase produced.
type Pass[S any] struct {
	State   S            // after the phase; with Pending, in its midst: to be looked at only
	Journal []Entry      // feed it to the next pass
	Events  []view.Event // of this pass, from the start of the phase
	Pending []Decision   // empty: the phase is complete
}

// Play runs a phase over a position, which the phase may change: whoever wants to
// keep it hands in a copy. It always starts at the beginning of the phase and repeats
// what the journal holds, so a rules system keeps nothing between passes and is
// written as straight-line code.
// With a complete journal neither dice nor answers are consulted: that is an audit.
func Play[S any](s S, phase func(*Run, S), journal []Entry, dice Dice, answers Answerer) (p Pass[S], err error) {
	r := &Run{journal: slices.Clone(journal), dice: dice, answers: answers, labels: make(map[string]bool, len(journal))}
	defer func() {
		x := recover()
		u, ours := x.(unwind)
		switch {
		case x == nil:
			if r.next < len(r.journal) {
				err = fmt.Errorf("%w: %d entries are left over", ErrDiverged, len(r.journal)-r.next)
				return
			}
			p = Pass[S]{State: s, Journal: r.journal, Events: r.events}
		case !ours:
			panic(x)
		case u.err != nil:
			err = u.err
		default:
			p = Pass[S]{State: s, Journal: r.journal, Events: r.events, Pending: u.pending}
		}
	}()
	phase(r, s)
	return
}
