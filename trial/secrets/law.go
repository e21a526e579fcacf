package secrets

import (
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// moment is a phase as it truly was: who stood where before and after it, and all
// that happened, to whomever it was told.
type moment struct {
	*room
	before, after map[string]hex.Hex // by planted name
	events        []view.Event
	own, met      knowledge
	seq           uint64
}

// laws say which names of the enemy's units a side may know after a phase. A game
// of a system that is not here cannot be judged.
var laws = map[string]func(moment){"wb95": wb95Law, "steppe": steppeLaw, "famous": famousLaw}

// everything: in an open game who is or was on the map is known.
func everything(m moment) {
	for _, at := range []map[string]hex.Hex{m.before, m.after} {
		for name := range at {
			m.toAll(name)
		}
	}
}

func (m moment) toAll(name string) {
	if !m.marks[name].Name {
		return
	}
	for _, s := range m.seats {
		m.met.learn(s.side, name, m.seq)
	}
}

// named are the planted names in facts of an event, all of them if none is asked for.
func named(e view.Event, facts ...string) (out []string) {
	for fact, text := range e.Facts {
		if len(facts) > 0 && !slices.Contains(facts, fact) {
			continue
		}
		for _, w := range marked.FindAllString(text, -1) {
			out = append(out, strings.ToLower(w))
		}
	}
	return out
}

// wb95Law: a side knows whom it has fought.
//
// WB-95 16.1.3
func wb95Law(m moment) {
	for _, e := range m.events {
		m.fight(e)
	}
}

// fights are the kinds of events that tell of a fight, hand to hand, from afar or
// against guns and headquarters alone, which are ridden down.
var fights = map[string]bool{"combat": true, "overrun": true, "fire": true, "fire-nothing": true, "fire-bridge": true}

// fight notes who gets to know whom: in a combat every stack that takes part is
// looked at, whole (its hexes are in the event), and with it come the guns that
// support it; who fires from afar is named with his guns, and sees nobody.
func (m moment) fight(e view.Event) {
	if !fights[e.Kind] {
		return
	}
	for name, h := range m.before {
		if e.Kind == "combat" && slices.Contains(e.Hexes, h) {
			m.toAll(name)
		}
	}
	for _, name := range named(e, "units", "enemy", "guns", "gunsA", "gunsD") {
		m.toAll(name)
	}
}

// steppeLaw: everything on the map is public, and who comes on to it or is sent
// for; what waits beside it is its owner's.
//
// Steppe 2.6
func steppeLaw(m moment) {
	everything(m)
	for _, e := range m.events {
		switch e.Kind {
		case "enter", "railed", "kg": // who may be gone again before the phase ends
			for _, name := range named(e) {
				m.toAll(name)
			}
		case "chit", "chit-wasted", "hq-gone", "hq-back": // a chit shows whose it is
			for _, name := range named(e, "hq") {
				m.toAll(name)
			}
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
func famousLaw(m moment) {
	been := map[string][]hex.Hex{}
	for _, at := range []map[string]hex.Hex{m.before, m.after} {
		for name, h := range at {
			been[name] = append(been[name], h)
		}
	}
	for _, e := range m.events {
		for _, name := range named(e) {
			been[name] = append(been[name], e.Hexes...)
		}
		if e.Mark == "fire" || e.Mark == "combat" {
			for _, name := range named(e) {
				m.toAll(name)
			}
		}
	}
	for _, s := range m.seats {
		for name, at := range been {
			if !m.marks[name].Name || m.own.has(s.side, name, m.seq) || m.met.has(s.side, name, m.seq) {
				continue
			}
			if m.seen(s.side, at, been) {
				m.met.learn(s.side, name, m.seq)
			}
		}
	}
}

// seen tells whether units of a side were ever within sight of one of the hexes.
func (m moment) seen(side string, hexes []hex.Hex, been map[string][]hex.Hex) bool {
	for name, at := range been {
		if !m.own.has(side, name, m.seq) {
			continue
		}
		for _, from := range at {
			if slices.ContainsFunc(hexes, func(h hex.Hex) bool { return m.grid.Distance(from, h) <= inspected }) {
				return true
			}
		}
	}
	return false
}
