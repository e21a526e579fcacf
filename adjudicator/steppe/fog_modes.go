package steppe

import (
	"cmp"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// sightRange is how far, in hexes, a unit sees in a blind game. What it sees it sees
// in full, like everything in this game.
const sightRange = 2

// Note is what a side has seen of the enemy on a hex, and in which turn.
type Note struct {
	Side  Side    `json:"side"`
	Hex   hex.Hex `json:"hex"`
	Turn  int     `json:"turn"`
	Units []Seen  `json:"units"`
}

// Seen is an enemy unit as it was seen.
type Seen struct {
	ID    string `json:"id"`
	Steps int    `json:"steps"`
	Cut   int    `json:"cut,omitempty"`
}

func sightsOf(us []*Unit) []Seen {
	var out []Seen
	for _, u := range us {
		out = append(out, Seen{u.ID, u.Steps, u.Cut})
	}
	return out
}

// overlooks tells whether a side sees what stands on a hex: always, but in a blind game.
func (s *State) overlooks(side Side, h hex.Hex) bool {
	if s.sc.Fog != adjudicator.FogBlind {
		return true
	}
	for u := range s.fielded(side) {
		if s.sc.land.grid.Distance(u.Hex, h) <= sightRange {
			return true
		}
	}
	return false
}

// noteOf is what a side has noted of a hex, nil for nothing.
func (s *State) noteOf(side Side, h hex.Hex) *Note {
	for i := range s.Notes {
		if n := &s.Notes[i]; n.Side == side && n.Hex == h {
			return n
		}
	}
	return nil
}

// look writes down, in a blind game, what each side sees: the enemy's stacks, and
// who controls the ground. A note lasts until somebody looks at its hex, or its
// units are seen elsewhere.
func (s *State) look() {
	if s.sc.Fog != adjudicator.FogBlind {
		return
	}
	s.Notes = slices.DeleteFunc(s.Notes, func(n Note) bool { return s.overlooks(n.Side, n.Hex) })
	for k, side := range s.sc.sides() {
		s.noteStacks(side)
		s.Known[k] = s.noteControl(side, s.Known[k])
	}
	s.Notes = slices.DeleteFunc(s.Notes, func(n Note) bool { return len(n.Units) == 0 })
	slices.SortFunc(s.Notes, func(a, b Note) int {
		return cmp.Or(strings.Compare(string(a.Side), string(b.Side)), int(a.Hex)-int(b.Hex))
	})
}

// noteStacks notes the enemy stacks that a side sees, and strikes their units out of its
// older notes.
func (s *State) noteStacks(side Side) {
	seen := map[string]bool{}
	var fresh []Note
	for i := range s.at.slot {
		us, h := s.stack(i), s.hexAt(i)
		if s.holderIx(i) != other(side) || !s.overlooks(side, h) {
			continue
		}
		fresh = append(fresh, Note{side, h, s.Turn, sightsOf(us)})
		for _, u := range us {
			seen[u.ID] = true
		}
	}
	for i := range s.Notes {
		if n := &s.Notes[i]; n.Side == side {
			n.Units = slices.DeleteFunc(slices.Clone(n.Units), func(x Seen) bool { return seen[x.ID] })
		}
	}
	s.Notes = append(s.Notes, fresh...)
}

// noteControl brings up to date who controls the hexes as a side knows it.
func (s *State) noteControl(side Side, known letters) letters {
	if len(known) == 0 {
		known = slices.Clone(s.Control) // the set-up, which both have read
	}
	for i := range known {
		if known[i] != s.Control[i] && s.learns(side, i) {
			known[i] = s.Control[i]
		}
	}
	return known
}

// learns tells whether a side hears who has taken a hex: one that it has taken itself, a
// place of points, or one that it sees.
func (s *State) learns(side Side, i int) bool {
	h := s.hexAt(i)
	return s.Control[i] == side[0] || s.isObjective(h) || s.overlooks(side, h)
}

// knownControl is who controls the hexes as a side knows it.
func (s *State) knownControl(side Side) letters {
	if s.sc.Fog != adjudicator.FogBlind || side == "" {
		return s.Control
	}
	if known := s.Known[sideIndex(side)]; len(known) > 0 {
		return known
	}
	return s.Control
}

// believed is the position as a side knows it: by it its marches are planned and its
// conditions judged, so that a blind side learns nothing by asking.
func (s *State) believed(side Side) *State {
	if s.sc.Fog != adjudicator.FogBlind {
		return s
	}
	b := s.clone()
	b.Control = slices.Clone(s.knownControl(side))
	b.Units = slices.DeleteFunc(b.Units, func(u Unit) bool {
		hidden := u.Where == OnMap && u.c.Side != side
		return hidden && !s.overlooks(side, u.Hex)
	})
	for _, n := range s.Notes {
		switch {
		case n.Side != side, s.overlooks(side, n.Hex), s.holder(n.Hex) == side:
			continue
		}
		for _, x := range n.Units {
			b.Units = slices.DeleteFunc(b.Units, func(u Unit) bool { return u.ID == x.ID })
			seen := Unit{ID: x.ID, Where: OnMap, Hex: n.Hex, Steps: x.Steps, Cut: x.Cut, c: s.sc.byID[x.ID]}
			b.Units = append(b.Units, seen)
		}
	}
	slices.SortFunc(b.Units, func(a, b Unit) int { return strings.Compare(a.ID, b.ID) })
	b.index()
	return b
}

// grope is follow in a blind game: the way is planned by what the side knows, and
// ends where the truth is otherwise: before a hex that holds the enemy, and in the
// enemy's zones of control.
func (s *State) grope(u *Unit, w *walk, c course) (way []hex.Hex, short bool) {
	b := s.believed(u.c.Side)
	if b == s {
		return s.follow(u, w, c)
	}
	plan := *w
	plan.s = b
	way, short = b.follow(b.unit(u.ID), plan.ready(), c)
	if n := w.legal(way); n < len(way) {
		way, short = way[:n], true
	}
	for len(way) > 1 && !w.mayEnd(s.ix(last(way)), u) {
		way, short = way[:len(way)-1], true
	}
	if len(way) < 2 {
		return nil, true
	}
	return way, short
}

// legal is how many hexes of a way a walk can go, the first included.
func (w *walk) legal(way []hex.Hex) int {
	left, i := w.mp, w.start
	for k := 1; k < len(way); k++ {
		d, _ := w.s.sc.land.grid.Direction(w.s.hexAt(i), way[k])
		rest, ends, ok := w.leave(i, d, left)
		switch {
		case !ok:
			return k
		case ends:
			return k + 1
		}
		left, i = rest, w.s.ix(way[k])
	}
	return len(way)
}

// public are the kinds of events that both sides are told of in a blind game, as
// they concern both: the fights, the cup, the sky, the score.
var public = []string{"combat", "overrun", "stalwart", "trapped", "cancelled", "anti-tank",
	"air", "air-lost", "artillery", "dogfight",
	"chit-wasted", "hq-gone", "cup", "weather", "backhand", "verdict"}

// details are those that follow from the event before them and name no place.
var details = []string{"destroyed", "depleted", "replaced"}

// listener decides in a blind game who hears of an event.
type listener struct {
	s    *State
	last []string // who heard of the last one that has a place: what follows from it is theirs too
}

// hear makes of an event what the sides may know of it: its owner all, the enemy
// what happens where they look, of a march the end that they see.
func (l *listener) hear(e view.Event) []view.Event {
	side := Side(e.Side)
	switch {
	case len(e.To) > 0:
		return []view.Event{e}
	case slices.Contains(public, e.Kind):
		l.last = nil
		return []view.Event{e}
	case side != "" && e.Kind == "chit":
		return hearChit(e)
	case side != "" && len(e.Hexes) > 0:
		return l.hearAt(e)
	case side != "" && !slices.Contains(details, e.Kind):
		e.To = []string{string(side)}
		return []view.Event{e}
	}
	e.To = l.last
	return []view.Event{e}
}

// hearChit: that a chit was drawn is public, where its headquarters stands is not.
func hearChit(e view.Event) []view.Event {
	own, theirs := e, withFacts(e, "hex", "", "units", "")
	own.To, theirs.To, theirs.Hexes = []string{e.Side}, []string{string(other(Side(e.Side)))}, nil
	return []view.Event{own, theirs}
}

// hearAt tells of what a side does on hexes: the enemy of the last of them, as far back
// as they look on.
func (l *listener) hearAt(e view.Event) []view.Event {
	foe := other(Side(e.Side))
	k := len(e.Hexes)
	for k > 0 && l.s.overlooks(foe, e.Hexes[k-1]) {
		k--
	}
	l.last = nil
	if k == 0 {
		return []view.Event{e}
	}
	own, theirs := e, e
	own.To = []string{e.Side}
	if k == len(e.Hexes) {
		l.last = own.To
		return []view.Event{own}
	}
	theirs.To, theirs.Hexes = []string{string(foe)}, e.Hexes[k:]
	if _, ok := e.Facts.Find("from"); ok {
		from := l.s.spot(theirs.Hexes[0])
		if len(theirs.Hexes) == 1 {
			from, theirs.Mark = "out of sight", ""
		}
		theirs = withFacts(theirs, "from", from)
	}
	return []view.Event{own, theirs}
}

// withFacts is an event with other facts, given as names and texts.
func withFacts(e view.Event, pairs ...string) view.Event {
	e.Facts = slices.Clone(e.Facts)
	for i := 0; i < len(pairs); i += 2 {
		e.Facts = e.Facts.With(pairs[i], pairs[i+1])
	}
	return e
}
