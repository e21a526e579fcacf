package systems

import (
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// Moment is a phase as it truly was, of a game whose units bear names that stand
// nowhere else: who stood where before and after it, and all that happened, to
// whomever it was told.
type Moment struct {
	Before, After map[string]hex.Hex // by the units' names
	Events        []view.Event
	Sides         []string
	Grid          hex.Grid
	Words         func(text string) []string         // the names and ids of units in a text
	Owns          func(side, name string) bool       // whose the unit is
	Knows         func(side, name string) bool       // it owns the unit, or has met it
	Meet          func(side string, names ...string) // from now on it may know them
}

// Everything is the law of an open game: who is or was on the map is known.
func Everything(m Moment) {
	for _, at := range []map[string]hex.Hex{m.Before, m.After} {
		for name := range at {
			m.toAll(name)
		}
	}
}

func (m Moment) toAll(names ...string) {
	for _, side := range m.Sides {
		m.Meet(side, names...)
	}
}

// named are the names in facts of an event, all of them if none is asked for.
func (m Moment) named(e view.Event, facts ...string) (out []string) {
	for fact, text := range e.Facts.All() {
		if len(facts) == 0 || slices.Contains(facts, fact) {
			out = append(out, m.Words(text)...)
		}
	}
	return out
}

// wb95Law: a side knows whom it has fought.
//
// WB-95 16.1.3
func wb95Law(m Moment) {
	for _, e := range m.Events {
		m.fight(e)
	}
}

// fights are the kinds of events that tell of a fight, hand to hand, from afar or
// against guns and headquarters alone, which are ridden down.
var fights = map[string]bool{"combat": true, "overrun": true, "fire": true, "fire-nothing": true, "fire-bridge": true}

// fight notes who gets to know whom: in a combat every stack that takes part is
// looked at, whole (its hexes are in the event), and with it come the guns that
// support it; who fires from afar is named with their guns, and sees nobody.
func (m Moment) fight(e view.Event) {
	if !fights[e.Kind] {
		return
	}
	for name, h := range m.Before {
		if e.Kind == "combat" && slices.Contains(e.Hexes, h) {
			m.toAll(name)
		}
	}
	m.toAll(m.named(e, "units", "enemy", "guns", "gunsA", "gunsD")...)
}

// steppeLaw: everything on the map is public, and who comes on to it or is sent
// for; what waits beside it is its owner's.
//
// Steppe 2.6
func steppeLaw(m Moment) {
	Everything(m)
	for _, e := range m.Events {
		switch e.Kind {
		case "enter", "railed", "kg": // who may be gone again before the phase ends
			m.toAll(m.named(e)...)
		case "chit", "chit-wasted", "hq-gone", "hq-back": // a chit shows whose it is
			m.toAll(m.named(e, "hq")...)
		}
	}
}

// inspected is how far, in hexes, stacks are inspected.
//
// GD 1.1/1
const inspected = 10

// famousLaw: a side knows whom it could look at, within ten hexes of its units
// (lines of sight left aside: the search is for what was told to somebody who stood
// nowhere near), whom it fought, and whoever fired at it, from however far.
//
// GD 1.1
func famousLaw(m Moment) {
	been := map[string][]hex.Hex{}
	for _, at := range []map[string]hex.Hex{m.Before, m.After} {
		for name, h := range at {
			been[name] = append(been[name], h)
		}
	}
	for _, e := range m.Events {
		for _, name := range m.named(e) {
			been[name] = append(been[name], e.Hexes...)
		}
		if e.Mark == "fire" || e.Mark == "combat" {
			m.toAll(m.named(e)...)
		}
	}
	for _, side := range m.Sides {
		for name, at := range been {
			if !m.Knows(side, name) && m.seen(side, at, been) {
				m.Meet(side, name)
			}
		}
	}
}

// seen tells whether units of a side were ever within sight of one of the hexes.
func (m Moment) seen(side string, hexes []hex.Hex, been map[string][]hex.Hex) bool {
	for name, at := range been {
		if !m.Owns(side, name) {
			continue
		}
		for _, from := range at {
			if slices.ContainsFunc(hexes, func(h hex.Hex) bool { return m.Grid.Distance(from, h) <= inspected }) {
				return true
			}
		}
	}
	return false
}
