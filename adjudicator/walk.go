package adjudicator

import "fieldpost/adjudicator/view"

// Walk goes on from a position phase by phase, in memory alone: nothing of it is told,
// recorded or written out.
type Walk interface {
	At() Phase
	View(side Side) *view.View
	// Play plays the phase that it stands before. It is not done, and the walk stands where it
	// stood, if an answer was missing; the error is ErrOver after the end of the game.
	Play(dice Dice, answers Answerer) (done bool, err error)
}

// Walker is a Game that can be walked through.
type Walker interface {
	Walk(position []byte) (Walk, error)
}

// Walk implements Walker.
func (p *Positions[S]) Walk(position []byte) (Walk, error) {
	s, err := p.Read(position)
	if err != nil {
		return nil, err
	}
	return &walk[S]{p.engine, s}, nil
}

type walk[S any] struct {
	engine Engine[S]
	state  S
}

func (w *walk[S]) At() Phase { return w.engine.Info(w.state) }

func (w *walk[S]) View(side Side) *view.View { return w.engine.View(w.state, side) }

func (w *walk[S]) Play(dice Dice, answers Answerer) (done bool, err error) {
	if w.At().Over {
		return false, ErrOver
	}
	p, err := Play(w.engine.Clone(w.state), w.engine.Run, nil, dice, answers)
	if err != nil || len(p.Pending) > 0 {
		return false, err
	}
	w.state = p.State
	return true, nil
}
