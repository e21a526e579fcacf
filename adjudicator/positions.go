package adjudicator

import (
	"crypto/sha256"

	"fieldpost/adjudicator/view"
)

// Positions plays over positions that travel as bytes, while its system works on a form
// S of its own. A Game that embeds it has At, Play, View and End, and is a Repeater.
type Positions[S any] struct {
	engine Engine[S]
	decode func([]byte) (S, error)
	kept   Memory[S] // those read or written lately
	phases phases    // of many more
}

// Over are the positions that decode reads, played by the engine.
func (e Engine[S]) Over(decode func([]byte) (S, error)) *Positions[S] {
	return &Positions[S]{engine: e, decode: decode}
}

// Read is a position in the system's form. It may be looked at, not changed: others look
// at it as well.
func (p *Positions[S]) Read(position []byte) (S, error) { return p.kept.Read(position, p.decode) }

// Kept is the position of the bytes, if it was read or written lately.
func (p *Positions[S]) Kept(position []byte) (s S, ok bool) { return p.kept.Find(position) }

// At tells which phase the position stands before.
func (p *Positions[S]) At(position []byte) (Phase, error) {
	sum := sha256.Sum256(position)
	if known, ok := p.phases.find(sum); ok {
		return known, nil
	}
	s, err := p.Read(position)
	if err != nil {
		return Phase{}, err
	}
	at := p.engine.Info(s)
	p.phases.keep(sum, at)
	return at, nil
}

// Play runs the phase that the position stands before.
func (p *Positions[S]) Play(position []byte, journal []Entry, dice Dice, answers Answerer) (Outcome, error) {
	run, err := p.Course(position)
	if err != nil {
		return Outcome{}, err
	}
	return run(journal, dice, answers)
}

// Course runs phase after phase from a position, without reading every position anew.
func (p *Positions[S]) Course(position []byte) (Runner, error) {
	s, err := p.Read(position)
	if err != nil {
		return nil, err
	}
	return func(journal []Entry, dice Dice, answers Answerer) (Outcome, error) {
		out, after, err := p.engine.Play(s, journal, dice, answers)
		if complete := err == nil && len(out.Pending) == 0; complete {
			p.kept.Keep(out.Position, p.engine.Clone(after))
			s = after
		}
		return out, err
	}, nil
}

// View is what a side may know of a position.
func (p *Positions[S]) View(position []byte, side Side) (*view.View, error) {
	s, err := p.Read(position)
	if err != nil {
		return nil, err
	}
	return p.engine.View(s, side), nil
}

// End is the position with a verdict that the players gave themselves.
func (p *Positions[S]) End(position []byte, winner Side, verdict string) ([]byte, error) {
	s, err := p.Read(position)
	if err != nil {
		return nil, err
	}
	if p.engine.Info(s).Over {
		return nil, ErrOver
	}
	s = p.engine.Clone(s)
	p.engine.End(s, winner, verdict)
	return Encode(s), nil
}
