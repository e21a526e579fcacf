package famous

import (
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// overlooks tells whether a side sees that counters stand on a hex. By the rulebook
// it always does; in a blind game a unit must look there, fortified or not.
func (s *State) overlooks(side Side, h hex.Hex) bool {
	if !s.sc.blind() {
		return true
	}
	n, t := int8(s.sc.number(side)), s.sc.Board.Grid.Index(h)
	for i := range s.Units {
		if u := &s.Units[i]; u.Where == OnMap && u.c.side == n && s.sc.sees(u.idx, t) {
			return true
		}
	}
	return false
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
			known = []byte(s.Last) // the set-up, which both have read
		}
		for i := range known {
			h := s.sc.Board.Grid.At(i)
			if known[i] != s.Last[i] && (s.Last[i] == byte('A'+k) || s.key(h, &standing{}) || s.overlooks(side, h)) {
				known[i] = s.Last[i]
			}
		}
		s.Known[k] = string(known)
	}
}

// knownLast is who held each hex last, as a side knows it.
func (s *State) knownLast(side Side) string {
	if side != "" && s.sc.blind() {
		if known := s.Known[s.sc.number(side)]; known != "" {
			return known
		}
	}
	return s.Last
}

// sideOf is the side of a hex in such a list.
func (s *State) sideOf(list string, h hex.Hex) Side {
	switch list[s.sc.Board.Grid.Index(h)] {
	case 'A':
		return s.sc.Sides[0]
	case 'B':
		return s.sc.Sides[1]
	}
	return ""
}

// believed is the position as a side knows it in a blind game: its orders take their
// ways by it, and where the truth is otherwise the march ends.
func (s *State) believed(side Side) *State {
	if !s.sc.blind() {
		return s
	}
	b := s.clone()
	b.Units = slices.DeleteFunc(b.Units, func(u Unit) bool {
		return u.Where == OnMap && u.c.Side != side && !s.overlooks(side, u.Hex)
	})
	for _, c := range s.Contacts {
		if c.Side != side || s.overlooks(side, c.Hex) || s.holder(c.Hex) == side {
			continue
		}
		for _, x := range c.Units {
			if u := *s.unit(x.ID); !slices.ContainsFunc(b.Units, func(o Unit) bool { return o.ID == x.ID }) {
				u.Where, u.Hex, u.Steps, u.Aboard = OnMap, c.Hex, x.Steps, ""
				b.Units = append(b.Units, u)
			}
		}
	}
	slices.SortFunc(b.Units, func(a, b Unit) int { return strings.Compare(a.ID, b.ID) })
	b.index()
	return b
}

// works are the kinds of events that tell of a unit at work or in trouble: that it
// happened is seen like counters are, who it was only by inspection.
var works = map[string]string{"demolition": "an engineer", "pontoon": "an engineer", "cleared": "an engineer", "overstacked": "a unit", "exit": "a unit"}

// audience makes of an event that speaks to everybody what each side may know of it.
//
// reading GD 1.1: what is done on a hex is seen as the counters there are, by whom only where they can be inspected.
func (s *State) audience(e view.Event) []view.Event {
	somebody, ok := works[e.Kind]
	if !ok || len(e.To) > 0 || len(e.Hexes) == 0 {
		return s.pontoonNews(e)
	}
	h := e.Hexes[0]
	side := s.holder(h)
	if side == "" {
		side = Side(e.Facts["side"])
	}
	foe := s.sc.Other(side)
	if side == "" || s.sc.Fog == adjudicator.FogOpen || s.watches(foe, h) {
		return []view.Event{e}
	}
	own := e
	own.To = []string{string(side)}
	if !s.overlooks(foe, h) {
		return []view.Event{own}
	}
	other := e
	other.To, other.Facts = []string{string(foe)}, map[string]string{}
	for k, v := range e.Facts {
		other.Facts[k] = v
	}
	other.Facts["unit"] = somebody
	return []view.Event{own, other}
}

// pontoonNews: in a blind game a bridge that is laid or given up out of sight is
// its owner's business.
func (s *State) pontoonNews(e view.Event) []view.Event {
	if side := Side(e.Facts["side"]); s.sc.blind() && side != "" && len(e.To) == 0 && (e.Kind == "pontoon-built" || e.Kind == "pontoon-spoilt") {
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
