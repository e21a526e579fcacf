package wb95

import "slices"

// Ransom is the points that the enemy gets for it when a reinforcement comes, 0 for
// nothing: also where his points have reached the best line of the victory scale, so
// that more change nothing.
func (a *Adviser) Ransom(id string) int {
	u, enemy := a.s.unit(id), a.s.sc.Other(a.side)
	if u == nil || u.Where != Later {
		return 0
	}
	n := 0
	for i := range a.s.sc.Awards {
		w := &a.s.sc.Awards[i]
		if w.Kind != awardEntered || w.Side != "" && w.Side != enemy {
			continue
		}
		for _, name := range w.Formations {
			if u.c.Parent != name && u.c.Formation != name {
				continue
			}
			came := func(v Unit) bool {
				return v.Where != Later && v.c.Side == a.side && (v.c.Parent == name || v.c.Formation == name)
			}
			if !slices.ContainsFunc(a.s.Units, came) {
				n += w.Points
			}
		}
	}
	if a.atBest(enemy) {
		return 0
	}
	return n
}

// Thrift tells whether the game is judged by the enemy's points alone, and more of them
// can still change how: a unit that we lose may then cost more than a hex.
func (a *Adviser) Thrift() bool {
	enemy := a.s.sc.Other(a.side)
	ours, _ := a.Heads()
	return a.s.sc.Scorer == enemy && ours > 0 && !a.atBest(enemy)
}

// atBest tells whether a side's points have reached the last line of the scale.
func (a *Adviser) atBest(side Side) bool {
	best, any := 0, false
	for _, g := range a.s.sc.Scale {
		if g.Side == side && (!any || g.From > best) {
			best, any = g.From, true
		}
	}
	for _, s := range a.score {
		if any && s.Side == string(side) {
			return s.Points >= best
		}
	}
	return false
}
