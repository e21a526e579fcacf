package steppe

import (
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// moveMode moves the units of the activation, in the order that is written.
//
// Steppe 9.0/1
// Steppe 2.6/7
func (a *activation) moveMode() {
	a.now = moving
	for u := range a.s.onMap() {
		a.did(u).begun = u.Hex
	}
	for i, in := range a.prog.steps {
		if in.verb == verbKG && a.turnOf(i) { // at the start of the Move mode
			a.breakDown(in)
		}
	}
	a.hold(verbMove, verbHQ, verbEnter)
	a.each(func(i int) bool { return a.prog.steps[i].marches(a.prog, i) && a.turnOf(i) }, a.marchOrder)
	a.settle()
	for i, in := range a.prog.steps {
		switch in.verb {
		case verbMerge:
			if a.turnOf(i) {
				a.merge(in)
			}
		case verbRail: // Steppe 4.2/2
			if a.turnOf(i) {
				a.rail(in)
			}
		}
	}
	a.s.trimAll(a.r)
}

// marchOrder carries out an order while units move.
func (a *activation) marchOrder(i int) {
	in, was := &a.prog.steps[i], len(a.strides)
	switch in.verb {
	case verbAsk:
		a.askHere(i, verbMove, verbHQ, verbEnter)
		return
	case verbMove, verbHQ:
		a.moveOrder(in)
	case verbEnter:
		a.enter(in)
	case verbBlow:
		a.blow(*in)
		was = -1
	}
	a.came(i, len(a.strides) > was)
}

// marches tells whether an order is carried out while units move, a STOP among such orders
// included.
func (in *instruction) marches(p *programme, i int) bool {
	switch in.verb {
	case verbMove, verbHQ, verbEnter, verbBlow:
		return true
	case verbStop, verbAsk:
		return p.half(i) == moving
	}
	return false
}

// moveOrder moves the units of one order; those whose way is written together move
// together. None waits for the others.
//
// Steppe 9.2/1
// Steppe 9.2/3
func (a *activation) moveOrder(in *instruction) {
	for _, u := range in.units {
		if why := a.mayMove(u); why != "" {
			a.dropped(in.text, u.c.Name+" "+why)
			continue
		}
		w := a.s.newWalk(u)
		if in.path != nil {
			a.slowDown(w, u, in.units)
		}
		a.walkTo(u, w, in, "move")
	}
}

// slowDown lets a unit go no faster than the slowest of those that begin in its hex.
//
// Steppe 9.2/2
func (a *activation) slowDown(w *walk, u *Unit, mates []*Unit) {
	for _, o := range mates {
		if a.did(o).begun == a.did(u).begun {
			w.mp = min(w.mp, a.s.allowance(o))
		}
	}
}

// mayMove says why a unit may not move in this activation, and activates it.
//
// Steppe 2.4/1
//
// reading Steppe 6.0: no headquarters moves another one; one that is left behind moves
// with its own chit or with an individual hex.
func (a *activation) mayMove(u *Unit) string {
	switch {
	case a.did(u).moved:
		return "has moved in this activation"
	case a.did(u).spent:
		return "has used all its movement points"
	case u.Entered:
		return "came on the map in this activation"
	}
	return a.activate(u)
}

// walkTo carries a movement out and tells of it.
func (a *activation) walkTo(u *Unit, w *walk, in *instruction, kind string) {
	goal := in.goal()
	if u.Where == OnMap && goal == u.Hex {
		return
	}
	from := u.Hex
	way, short := a.s.grope(u, w, in.course)
	a.did(u).moved = true
	if way == nil {
		a.dropped(in.text, u.c.Name+" cannot get nearer to "+a.s.spot(goal))
		return
	}
	a.s.march(u, way)
	a.strode(stride{u: u, way: way, in: in}, a.moveEvent(kind, u, from, way), short)
}

// moveEvent is that a unit has gone a way.
func (a *activation) moveEvent(kind string, u *Unit, from hex.Hex, way []hex.Hex) view.Event {
	return view.Event{Kind: kind, Side: string(a.side), Mark: "move", Hexes: way,
		Facts: view.Pairs{"unit", u.c.Name, "from", a.s.spot(from), "to", a.s.spot(u.Hex)}}
}

// overrunHexes is how far an overrun movement may go, whatever the unit's allowance.
//
// Steppe 9.3/10
const overrunHexes = 4

// overrunMoves moves the units with an overrun marker, if the programme says so: before
// the next chit is drawn.
//
// Steppe 9.3/9
// Steppe 9.3/11
//
// reading Steppe 9.3: four hexes, without their prices, stopping in a zone of control,
// never over an unbridged Major River; the point for leaving a zone of control is one
// hex less.
func (a *activation) overrunMoves() {
	a.now = pursuing
	a.hold(verbOverrunMove)
	a.each(func(i int) bool { return a.prog.half(i) == pursuing && a.turnOf(i) }, a.pursue)
	a.settle()
}

// pursue carries out an order of the overrun movement.
func (a *activation) pursue(i int) {
	in, was := &a.prog.steps[i], len(a.strides)
	if in.verb == verbAsk {
		a.askHere(i, verbOverrunMove)
		return
	}
	for _, u := range in.units {
		if !a.hasMarker(u) {
			a.dropped(in.text, u.c.Name+" has no overrun marker")
			continue
		}
		a.overrunMove(u, in)
	}
	a.came(i, len(a.strides) > was)
}

// hasMarker tells whether a unit has an overrun marker that is not used yet.
func (a *activation) hasMarker(u *Unit) bool {
	if u.Where != OnMap || a.did(u).overran {
		return false
	}
	return slices.Contains(a.marked, u)
}

// overrunMove moves a unit with an overrun marker. Whether it may make its ordinary
// movement afterwards is a switch.
func (a *activation) overrunMove(u *Unit, in *instruction) {
	did := a.did(u)
	was := did.moved
	w := &walk{s: a.s, side: a.side, motorized: true, mp: overrunHexes, start: a.s.ix(u.Hex), free: true}
	a.walkTo(u, w.ready(), in, "overrun-move")
	did.overran = true
	did.moved = was || !a.s.sc.Switches.OverrunThenMove
}
