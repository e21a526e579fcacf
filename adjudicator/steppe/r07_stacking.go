package steppe

import (
	"cmp"
	"fmt"
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
	if s.ix(u.Hex) == i {
		n -= u.Steps
	}
	return n+u.Steps <= stackLimit
}

// mayEnd tells whether a movement may lead a unit to a hex: wherever no enemy stands. Who
// may stay there is settled when all have moved.
//
// Steppe 7.1/3
func (w *walk) mayEnd(i int, u *Unit) bool {
	if w.tight || w.s.sc.before(2) {
		return w.s.room(i, u)
	}
	return w.s.holderIx(i) != other(u.c.Side)
}

// stride is a movement that was made in the mode that is played now.
type stride struct {
	u     *Unit
	was   Unit // before it, of a unit that comes on the map
	way   []hex.Hex
	in    *instruction
	event int // among those that are held back
}

// hold holds back what is told until all have moved that the programme moves with some verbs.
func (a *activation) hold(moves ...verb) {
	n := 0
	for i := range a.prog.steps {
		if in := &a.prog.steps[i]; slices.Contains(moves, in.verb) {
			n += len(in.units)
		}
	}
	a.holding = true
	a.strides = slices.Grow(a.strides[:0], n)
	a.held = slices.Grow(a.held[:0], eventsOfStride*n)
}

// eventsOfStride are the events that a stride is told by: that it was made, and that it is
// short of its goal.
const eventsOfStride = 2

// settle makes the hexes comply with the limit when all have moved: who came last to one
// that holds too many goes back on its way, hex by hex.
//
// Steppe 7.1/3
//
// deviation Steppe 7.1: a unit that finds its goal full at the end of all movement stops
// one hex short, as its owner would have had it; nothing is eliminated for it.
func (a *activation) settle() {
	for {
		k := slices.IndexFunc(a.strides, a.isLastIntoFull)
		if k < 0 {
			break
		}
		a.goesBack(&a.strides[k])
	}
	a.holding = false
	for _, e := range a.held {
		if e.Kind != "" { // a movement that was taken back
			a.r.Tell(e)
		}
	}
}

// isLastIntoFull tells whether a stride ends in a hex that holds too many, and is the last
// that does.
func (a *activation) isLastIntoFull(st stride) bool {
	came := func(o stride) bool { return o.u.combat() && o.mayGoBack() && o.u.Hex == st.u.Hex }
	if !came(st) || a.s.load(a.s.ix(st.u.Hex)) <= stackLimit {
		return false
	}
	k := len(a.strides) - 1
	for !came(a.strides[k]) {
		k--
	}
	return a.strides[k].u == st.u
}

// mayGoBack tells whether there is a hex to go back to, or the edge of the map.
func (st stride) mayGoBack() bool {
	return st.u.Where == OnMap && (len(st.way) > 1 || st.was.Where == Later)
}

// goesBack takes a stride back by a hex; a unit whose first hex on the map is full looks for
// another one.
func (a *activation) goesBack(st *stride) {
	if len(st.way) == 1 {
		a.entersElsewhere(st)
		return
	}
	st.way = st.way[:len(st.way)-1]
	a.s.put(st.u, last(st.way))
	a.toldOtherwise(st)
}

// entersElsewhere has a reinforcement enter where there is room, or not at all. It comes
// when all have moved, over what bridges stand then, and is told of after all of that.
func (a *activation) entersElsewhere(st *stride) {
	a.s.lift(st.u)
	*st.u = st.was
	st.was = Unit{} // it is tried once
	w := a.s.newWalk(st.u)
	w.tight = true
	way, _ := a.s.follow(st.u, w, st.in.inward(), a.seeds(st.u, w, st.in.at)...)
	st.way = way
	if way != nil {
		a.s.march(st.u, way)
		st.u.arrived()
	}
	a.toldLast(st)
	a.toldOtherwise(st)
}

// toldLast puts what is told of a stride behind all that is held back so far.
func (a *activation) toldLast(st *stride) {
	event, note := &a.held[st.event], &a.held[st.event+1]
	told := []view.Event{*event, *note}
	*event, *note = view.Event{}, view.Event{}
	st.event = len(a.held)
	a.held = append(a.held, told...)
}

// toldOtherwise changes what is told of a stride to where it ends now.
func (a *activation) toldOtherwise(st *stride) {
	e := &a.held[st.event]
	note := &a.held[st.event+1] // that it falls short
	*note = view.Event{}
	why := ""
	switch goal := st.in.inward().goal(); {
	case st.u.Where != OnMap:
		*e, why = view.Event{}, st.u.c.Name+" finds no room to enter"
	case len(st.way) == 1 && !st.u.Entered:
		*e, why = view.Event{}, st.u.c.Name+" cannot get nearer to "+a.s.spot(goal)
	default:
		e.Hexes = st.way
		e.Facts = e.Facts.With("to", a.s.spot(st.u.Hex))
		if st.u.Entered {
			e.Facts = e.Facts.With("at", st.way[0].String())
		}
		if st.u.Hex != goal {
			why = a.fallsShort(st.u, goal)
		}
	}
	if why != "" {
		*note = a.droppedEvent(st.in.text, why)
	}
}

// fallsShort says that a unit does not come to its goal.
func (a *activation) fallsShort(u *Unit, goal hex.Hex) string {
	return fmt.Sprintf("%s stops at %s, short of %s", u.c.Name, a.s.spot(u.Hex), a.s.spot(goal))
}

// tell tells of an event, or holds it back until all have moved.
func (a *activation) tell(e view.Event) {
	if a.holding {
		a.held = append(a.held, e)
		return
	}
	a.r.Tell(e)
}

// strode notes a movement and tells of it, and whether it is short of its goal, when it is
// settled.
func (a *activation) strode(st stride, e view.Event, short bool) {
	st.event = len(a.held)
	a.strides = append(a.strides, st)
	a.tell(e)
	note := view.Event{}
	if short {
		note = a.droppedEvent(st.in.text, a.fallsShort(st.u, st.in.inward().goal()))
	}
	a.tell(note)
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
			Facts: view.Pairs{"unit", u.c.Name, "hex", s.spot(h)}})
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
	s.losses[sideIndex(u.c.Side)]++
	e := view.Event{Side: string(u.c.Side), Facts: view.Pairs{"unit", u.c.Name}}
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
		e.Kind, e.Facts = "destroyed", e.Facts.With("side", string(u.c.Side))
	case was && !u.red():
		// The white-sash unit takes the place of the red-sash one.
		//
		// Steppe 2.3/6
		// Steppe 7.2/3
		// Steppe 10.2/8
		s.score(u, true)
		e.Kind, e.Clause, e.Facts = "replaced", "Steppe 7.2", e.Facts.With("figures", u.figures())
	default:
		e.Kind, e.Facts = "depleted", e.Facts.With("figures", u.figures()) // Steppe 7.2/2
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

// remove takes an eliminated unit out of play, a Kampfgruppe like any other. A headquarters
// comes back in the next turn.
//
// Steppe 2.4/8
// Steppe 14.0/11
func (s *State) remove(u *Unit) {
	s.lift(u)
	keep := Unit{ID: u.ID, Where: Gone, Activated: u.Activated, c: u.c, n: u.n}
	switch {
	case u.c.Type == HQ:
		keep.Where, keep.Steps, keep.Due, keep.Back = Later, 1, s.Turn+1, true
	case u.c.KG && s.sc.before(2): // its counter was formed again then
		keep.Where, keep.Steps = InPool, u.c.Steps()
	}
	*u = keep
}
