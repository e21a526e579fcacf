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
	return &walk[S]{engine: p.engine, state: s}, nil
}

type walk[S any] struct {
	engine Engine[S]
	state  S
	own    bool // the state is nobody else's: the first one may be remembered for others
	before *S   // the position before the last phase, which nobody needs any more
}

func (w *walk[S]) At() Phase { return w.engine.Info(w.state) }

func (w *walk[S]) View(side Side) *view.View { return w.engine.View(w.state, side) }

func (w *walk[S]) Play(dice Dice, answers Answerer) (done bool, err error) {
	if w.At().Over {
		return false, ErrOver
	}
	p, err := Play(w.clone(), w.engine.Run, nil, dice, answers)
	if err != nil || len(p.Pending) > 0 {
		return false, err
	}
	if was := w.state; w.own {
		w.before = &was
	}
	w.state, w.own = p.State, true
	return true, nil
}

// clone copies the position, over the one before if there is one.
func (w *walk[S]) clone() S {
	if w.engine.CloneOver == nil || w.before == nil {
		return w.engine.Clone(w.state)
	}
	old := *w.before
	w.before = nil
	return w.engine.CloneOver(w.state, old)
}
