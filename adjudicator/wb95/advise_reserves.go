package wb95

import (
	"slices"

	"fieldpost/adjudicator/view"
)

// Ransom is the points that the enemy gets for it when a reinforcement comes, 0 for
// nothing: also where their points have reached the best line of the victory scale, so
// that more change nothing.
func (a *Adviser) Ransom(id string) int {
	u, enemy := a.s.unit(id), a.s.sc.Other(a.side)
	if u == nil || u.Where != Later {
		return 0
	}
	if a.atBest(enemy) {
		return 0
	}
	n := 0
	for i := range a.s.sc.Awards {
		w := &a.s.sc.Awards[i]
		if w.Kind != awardEntered || !w.isFor(enemy) {
			continue
		}
		for _, name := range w.Formations {
			if u.c.partOf(name) && !a.s.hasEntered(name, a.side) {
				n += w.Points
			}
		}
	}
	return n
}

// isFor tells whether the side can get points by the award.
func (w *Award) isFor(side Side) bool { return w.Side == "" || w.Side == side }

// Thrift tells whether the game is judged by the enemy's points alone, and more of them
// can still change how: a unit that we lose may then cost more than a hex.
func (a *Adviser) Thrift() bool {
	enemy := a.s.sc.Other(a.side)
	ours, _ := a.Heads()
	return a.s.sc.Scorer == enemy && ours > 0 && !a.atBest(enemy)
}

// atBest tells whether a side's points have reached the last line of the scale.
func (a *Adviser) atBest(side Side) bool {
	var lines []int
	for _, g := range a.s.sc.Scale {
		if g.Side == side {
			lines = append(lines, g.From)
		}
	}
	if len(lines) == 0 {
		return false
	}
	i := slices.IndexFunc(a.score, func(s view.Score) bool { return s.Side == string(side) })
	return i >= 0 && a.score[i].Points >= slices.Max(lines)
}
