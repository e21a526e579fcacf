package steppe

import (
	"cmp"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// stackLimit is the most steps in a hex.
//
// Steppe 7.1/1
const stackLimit = 6

// load is the steps that count on a hex.
func (s *State) load(i int) int { return stackSteps(s.stack(i)) }

// stackSteps are the steps of a stack that count; headquarters do not.
//
// Steppe 2.4/4
func stackSteps(us []*Unit) int {
	n := 0
	for _, u := range us {
		if u.combat() {
			n += u.Steps
		}
	}
	return n
}

// room tells whether a unit may end its movement on a hex: never with the enemy, with
// friends of whatever command.
//
// Steppe 7.0/1
// Steppe 7.1/5
func (s *State) room(i int, u *Unit) bool {
	if s.holderIx(i) == other(u.c.Side) {
		return false
	}
	if !u.combat() {
		return true
	}
	n := s.load(i)
	if u.Where == OnMap && s.ix(u.Hex) == i {
		n -= u.Steps
	}
	return n+u.Steps <= stackLimit
}

// trim makes the owner eliminate what is over the limit at the end of all movement.
//
// Steppe 7.1/3
// Steppe 7.1/4
//
// reading Steppe 7.1: checked at the end of the Move mode and after every advance,
// retreat and entry; steps lost so count as eliminations. A red-sash unit may lose
// steps to comply.
func (s *State) trim(r *adjudicator.Run, h hex.Hex) {
	for s.load(s.ix(h)) > stackLimit {
		side := s.holder(h)
		us := slices.Clone(s.unitsAt(h))
		us = slices.DeleteFunc(us, func(u *Unit) bool { return !u.combat() })
		slices.SortStableFunc(us, func(a, b *Unit) int { return cmp.Or(s.worth(a)-s.worth(b), byStrength(a, b)) })
		d := adjudicator.Decision{Label: s.label("overstack " + h.String()), Kind: kindOverstack, Side: side,
			Clause: "Steppe 7.1", Options: stepOptions(us), Proposal: us[0].c.Name,
			Source: "doctrine: lowest points, then weakest"}
		u := s.byName(side, r.Ask(d)[0])
		r.Tell(view.Event{Kind: "overstack", Clause: "Steppe 7.1", Hexes: []hex.Hex{h}, Side: string(side),
			Facts: map[string]string{"unit": u.c.Name, "hex": s.spot(h)}})
		s.loseStep(r, u) // Steppe 7.2/6
	}
}

// trimAll is the check of every hex.
func (s *State) trimAll(r *adjudicator.Run) {
	var over []hex.Hex
	for _, us := range s.at.list {
		if len(us) > 1 && stackSteps(us) > stackLimit {
			over = append(over, us[0].Hex)
		}
	}
	slices.Sort(over)
	for _, h := range over {
		s.trim(r, h)
	}
}

// loseStep takes a step from a unit: it is turned over, replaced by its successor, or
// removed.
//
// Steppe 2.3/4
//
// reading Steppe 2.3: losses are steps. A red-sash division runs red full, red
// depleted, white full, white depleted.
func (s *State) loseStep(r *adjudicator.Run, u *Unit) {
	was := u.red()
	u.Steps--
	e := view.Event{Side: string(u.c.Side), Facts: map[string]string{"unit": u.c.Name}}
	switch {
	case u.Steps <= 0:
		// A unit without another side is eliminated by any loss, and so is one that is
		// depleted, and a headquarters; a loss of two eliminates an ordinary full unit.
		//
		// Steppe 2.3/5
		// Steppe 2.3/7
		// Steppe 2.3/8
		// Steppe 10.2/6
		s.score(u, was)
		s.remove(u)
		e.Kind, e.Facts["side"] = "destroyed", string(u.c.Side)
	case was && !u.red():
		// The white-sash unit takes the place of the red-sash one.
		//
		// Steppe 2.3/6
		// Steppe 7.2/3
		// Steppe 10.2/8
		s.score(u, true)
		e.Kind, e.Clause, e.Facts["figures"] = "replaced", "Steppe 7.2", u.figures()
	default:
		e.Kind, e.Facts["figures"] = "depleted", u.figures() // Steppe 7.2/2
	}
	r.Tell(e)
}

// destroy eliminates a unit with all its steps, successor included: it could not
// complete a retreat.
func (s *State) destroy(r *adjudicator.Run, u *Unit) {
	for u.Where == OnMap {
		s.loseStep(r, u)
	}
}

// remove takes an eliminated unit off the map. A headquarters comes back in the next
// turn, a Kampfgruppe's counter goes to the pool.
//
// Steppe 2.4/8
func (s *State) remove(u *Unit) {
	s.lift(u)
	keep := Unit{ID: u.ID, Where: Gone, Activated: u.Activated, c: u.c, n: u.n}
	switch {
	case u.c.Type == HQ:
		keep.Where, keep.Steps, keep.Due, keep.Back = Later, 1, s.Turn+1, true
	case u.c.KG:
		keep.Where, keep.Steps = InPool, u.c.Steps()
	}
	*u = keep
}
