package steppe

import (
	"fmt"
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// moveMode moves the units of the activation, in the order that is written.
//
// Steppe 9.0/1
// Steppe 2.6/7
func (a *activation) moveMode() {
	for i := range a.s.Units {
		if u := &a.s.Units[i]; u.Where == OnMap {
			a.did(u).begun = u.Hex
		}
	}
	for _, in := range a.prog.steps {
		if in.verb == "KG" { // at the start of the Move mode
			a.breakDown(in)
		}
	}
	for _, in := range a.prog.steps {
		switch in.verb {
		case "MOVE", "HQ":
			a.moveOrder(in)
		case "ENTER":
			a.enter(in)
		case "BLOW":
			a.blow(in)
		}
	}
	for _, in := range a.prog.steps {
		switch in.verb {
		case "MERGE":
			a.merge(in)
		case "RAIL": // 4.2: at the end of the Move mode
			a.rail(in)
		}
	}
	a.s.trimAll(a.r)
}

// moveOrder moves the units of one order; those that begin in one hex go no faster
// than the slowest of them.
//
// Steppe 9.2/1
// Steppe 9.2/2
// Steppe 9.2/3
func (a *activation) moveOrder(in instruction) {
	for _, u := range in.units {
		if why := a.mayMove(u); why != "" {
			a.dropped(in.text, u.c.Name+" "+why)
			continue
		}
		w := a.s.newWalk(u)
		for _, o := range in.units {
			if o != u && o.Where == OnMap && a.did(o).begun == a.did(u).begun && len(in.path) > 0 {
				mp, one := a.s.allowance(o)
				w.mp, w.oneHex = min(w.mp, mp), w.oneHex || one
			}
		}
		a.walkTo(u, w, in, "move")
	}
}

// mayMove says why a unit may not move in this activation, and activates it.
//
// Steppe 2.4/1
//
// reading Steppe 6.0: no headquarters moves another one; one that is left behind moves
// with its own chit or with an individual hex.
func (a *activation) mayMove(u *Unit) string {
	if a.did(u).moved {
		return "has moved in this activation"
	}
	if a.did(u).spent {
		return "has used all its movement points"
	}
	if u.Entered {
		return "came on the map in this activation"
	}
	if u == a.hq && u.Where != OnMap {
		return "is not on the map"
	}
	return a.activate(u)
}

// walkTo carries a movement out and tells of it.
func (a *activation) walkTo(u *Unit, w *walk, in instruction, kind string) {
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
	a.tellMove(kind, u, from, way)
	if short {
		a.dropped(in.text, fmt.Sprintf("%s stops at %s, short of %s", u.c.Name, a.s.spot(u.Hex), a.s.spot(goal)))
	}
}

func (a *activation) tellMove(kind string, u *Unit, from hex.Hex, way []hex.Hex) {
	a.r.Tell(view.Event{Kind: kind, Side: string(a.side), Mark: "move", Hexes: way,
		Facts: map[string]string{"unit": u.c.Name, "from": a.s.spot(from), "to": a.s.spot(u.Hex)}})
}

// overrunWalk is the hexes of an overrun movement.
const overrunHexes = 4

// overrunMoves moves the units with an overrun marker.
//
// Steppe 9.3/9
// Steppe 9.3/10
// Steppe 9.3/11
//
// reading Steppe 9.3: four hexes, without their prices, stopping in a zone of control,
// never over an unbridged Major River; the point for leaving a zone of control is one
// hex less.
func (a *activation) overrunMoves() {
	for _, in := range a.prog.steps {
		if in.verb != "OVERRUN-MOVE" {
			continue
		}
		for _, u := range in.units {
			did := a.did(u)
			if u.Where != OnMap || !slices.Contains(a.marked, u) || did.overran {
				a.dropped(in.text, u.c.Name+" has no overrun marker")
				continue
			}
			was := did.moved
			w := &walk{s: a.s, side: a.side, motorized: true, mp: overrunHexes, start: a.s.ix(u.Hex), free: true}
			w.ready()
			a.walkTo(u, w, in, "overrun-move")
			did.overran = true
			did.moved = was || !a.s.sc.Switches.OverrunThenMove
		}
	}
	a.s.trimAll(a.r)
}
