package adjudicator

import (
	"encoding/json"
	"errors"
	"fmt"

	"fieldpost/adjudicator/view"
)

// ErrOver says that the game has ended.
var ErrOver = errors.New("the game is over")

// Engine is what the core needs of a system to play phases over positions in the
// system's own form S.
type Engine[S any] struct {
	Info   func(S) Phase  // the phase that the position stands before
	Run    func(*Run, S)  // plays it
	Clone  func(S) S      // copies the position
	Encode func(S) []byte // writes it canonically
	// Dress adds to events what people call things; may be nil.
	Dress func(S, []view.Event)
}

// Play runs the phase that a position stands before; the position itself is left
// alone. It returns what came of it and the position after it, or ErrOver.
func (e Engine[S]) Play(s S, journal []Entry, dice Dice, answers Answerer) (Outcome, S, error) {
	info := e.Info(s)
	if info.Over {
		return Outcome{}, s, ErrOver
	}
	p, err := Play(e.Clone(s), e.Run, journal, dice, answers)
	if err != nil {
		return Outcome{}, s, fmt.Errorf("%s, %s: %w", info.Label, info.Name, err)
	}
	for i := range p.Events {
		p.Events[i].Phase = info.Name
	}
	if e.Dress != nil {
		e.Dress(p.State, p.Events)
	}
	return Outcome{Position: e.Encode(p.State), Journal: p.Journal, Events: p.Events, Pending: p.Pending}, p.State, nil
}

// PlayAt is Play from an encoded position; the position after a phase that is
// complete is kept.
func (e Engine[S]) PlayAt(start Stored[S], journal []Entry, dice Dice, answers Answerer) (Outcome, error) {
	s, err := start.state()
	if err != nil {
		return Outcome{}, err
	}
	out, after, err := e.Play(s, journal, dice, answers)
	if complete(out, err) {
		start.kept.Keep(out.Position, e.Clone(after))
	}
	return out, err
}

// complete tells whether a phase was played to its end.
func complete(out Outcome, err error) bool { return err == nil && len(out.Pending) == 0 }

// CourseAt runs phase after phase from an encoded position, without reading every
// position anew: for repeating whole games.
func (e Engine[S]) CourseAt(start Stored[S]) (Runner, error) {
	s, err := start.state()
	if err != nil {
		return nil, err
	}
	return func(journal []Entry, dice Dice, answers Answerer) (Outcome, error) {
		out, after, err := e.Play(s, journal, dice, answers)
		if complete(out, err) {
			start.kept.Keep(out.Position, e.Clone(after))
			s = after
		}
		return out, err
	}, nil
}

// Encode writes a position's canonical encoding.
func Encode(state any) []byte {
	b, err := json.Marshal(state)
	if err != nil {
		panic(err) // a position holds nothing that JSON cannot write
	}
	return b
}

// Decode reads a position's encoding. Format is where the number of the encoding
// lands, want the one that this version reads.
func Decode(position []byte, state any, format *int, want int) error {
	if err := json.Unmarshal(position, state); err != nil {
		return fmt.Errorf("position: %w", err)
	}
	if *format != want {
		return fmt.Errorf("position: encoding %d, this version reads %d", *format, want)
	}
	return nil
}
