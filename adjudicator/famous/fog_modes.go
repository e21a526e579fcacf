package famous

import (
	"cmp"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// overlooks tells whether a side sees that counters stand on a hex. By the rulebook
// it always does; in a blind game a unit must look there, fortified or not.
func (s *State) overlooks(side Side, h hex.Hex) bool {
	if !s.sc.blind() {
		return true
	}
	return s.seenBy(side, s.sc.Board.Grid.Index(h))
}

// noteGround writes down, in a blind game, what each side sees of who held the
// ground last. Objectives are always known: points hang on them.
func (s *State) noteGround() {
	if !s.sc.blind() {
		return
	}
	for k, side := range s.sc.Sides {
		known := []byte(s.Known[k])
		if len(known) != len(s.Last) {
			known = slices.Clone(s.Last) // the set-up, which both have read
		}
		sight := s.outlook(side)
		for i := range known {
			if known[i] != s.Last[i] && (sight.has(i) || s.hearsOf(side, i)) {
				known[i] = s.Last[i]
			}
		}
		s.Known[k] = string(known)
	}
}

// hearsOf tells whether a side knows who held a hex last, seen or not: its own units, or an
// objective.
func (s *State) hearsOf(side Side, i int) bool {
	h := s.sc.Board.Grid.At(i)
	return s.lastOn(h) == side || s.objective(h)
}

// knownLast is who held each hex last, as a side knows it.
func (s *State) knownLast(side Side) letters {
	if side != "" && s.sc.blind() {
		if known := s.Known[s.sc.number(side)]; known != "" {
			return letters(known)
		}
	}
	return s.Last
}

// believed is the position as a side knows it in a blind game: its orders take their
// ways by it, and where the truth is otherwise the march ends.
func (s *State) believed(side Side) *State {
	if !s.sc.blind() {
		return s
	}
	b := s.clone()
	b.Units = slices.DeleteFunc(b.Units, func(u Unit) bool {
		foe := u.c.Side != side
		return foe && u.onMap() && !s.overlooks(side, u.Hex)
	})
	for _, c := range s.Contacts {
		if c.Side != side || !s.takenOnTrust(c) {
			continue
		}
		for _, x := range c.Units {
			if slices.ContainsFunc(b.Units, func(o Unit) bool { return o.ID == x.ID }) {
				continue
			}
			u := *s.unit(x.ID)
			u.Where, u.Hex, u.Steps, u.Aboard = OnMap, c.Hex, x.Steps, ""
			b.Units = append(b.Units, u)
		}
	}
	slices.SortFunc(b.Units, func(a, b Unit) int { return strings.Compare(a.ID, b.ID) })
	b.index()
	return b
}

// takenOnTrust: nobody of the side is or looks where it remembers an enemy.
func (s *State) takenOnTrust(c Contact) bool {
	return s.holder(c.Hex) != c.Side && !s.overlooks(c.Side, c.Hex)
}

// works are the kinds of events that tell of a unit at work or in trouble: that it
// happened is seen like counters are, who it was only by inspection.
var works = map[string]string{"demolition": "an engineer", "pontoon": "an engineer", "cleared": "an engineer", "overstacked": "a unit", "exit": "a unit"}

// audience makes of an event that speaks to everybody what each side may know of it.
//
// reading GD 1.1: what is done on a hex is seen as the counters there are, by whom only where they can be inspected.
func (s *State) audience(e view.Event) []view.Event {
	somebody, ok := works[e.Kind]
	if !ok {
		return s.pontoonNews(e)
	}
	h := e.Hexes[0]
	side := cmp.Or(s.holder(h), Side(e.Facts.Get("side")))
	if side == "" {
		return []view.Event{e}
	}
	foe := s.sc.Other(side)
	if s.makesOut(foe, h) {
		return []view.Event{e}
	}
	own := e
	own.To = []string{string(side)}
	if !s.overlooks(foe, h) {
		return []view.Event{own}
	}
	other := e
	other.To, other.Facts = []string{string(foe)}, slices.Clone(e.Facts)
	other.Facts = other.Facts.With("unit", somebody)
	return []view.Event{own, other}
}

// pontoonNews: in a blind game a bridge that is laid or given up out of sight is
// its owner's business.
func (s *State) pontoonNews(e view.Event) []view.Event {
	switch e.Kind {
	case "pontoon-built", "pontoon-spoilt":
		side := Side(e.Facts.Get("side"))
		open := !s.sc.blind() || side == ""
		if open || len(e.To) > 0 {
			break
		}
		if len(e.Hexes) == 0 || !s.overlooks(s.sc.Other(side), e.Hexes[0]) {
			e.To = []string{string(side)}
		}
	}
	return []view.Event{e}
}

// hexes are those that a pontoon touches.
func (p Pontoon) hexes() []hex.Hex {
	if p.Hex != hex.None {
		return []hex.Hex{p.Hex}
	}
	return []hex.Hex{p.Edge.A, p.Edge.B}
}
