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
	Info  func(S) Phase // the phase that the position stands before
	Run   func(*Run, S) // plays it
	Clone func(S) S     // copies the position
	// CloneOver copies the position over one that nobody needs any more, and returns that; may be nil.
	CloneOver func(s, old S) S
	// View is what a side may know of the position, which it leaves alone.
	View func(S, Side) *view.View
	// End notes a verdict that the players gave themselves: see Game.
	End func(s S, winner Side, verdict string)
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
	return Outcome{Position: Encode(p.State), Journal: p.Journal, Events: p.Events, Pending: p.Pending}, p.State, nil
}

// Encoder is a position that writes its encoding itself, to the bytes of encoding/json and
// faster.
type Encoder interface{ Encoding() []byte }

// Encode writes a position's canonical encoding.
func Encode(state any) []byte {
	if e, ok := state.(Encoder); ok {
		return e.Encoding()
	}
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
