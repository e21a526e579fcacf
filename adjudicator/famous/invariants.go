package famous

import (
	"cmp"
	"fmt"
	"slices"

	"fieldpost/adjudicator/view"
)

// Tried is a game as trials look into it. What plays games needs none of this, so it
// hangs on a type of its own.
type Tried struct{ *Game }

// Auditor looks over what must hold of every position, and of
// a game from one to the next.
func (g Tried) Auditor(opening []byte) (func(position []byte, events []view.Event) []string, error) {
	before, err := decodeState(g.sc, opening)
	if err != nil {
		return nil, err
	}
	return func(position []byte, _ []view.Event) []string {
		s, err := decodeState(g.sc, position)
		if err != nil {
			return []string{err.Error()}
		}
		faults := append(s.invariants(), s.since(before)...)
		before = s
		return faults
	}, nil
}

// invariants lists what is wrong with a position.
func (s *State) invariants() (out []string) {
	fault := func(f string, a ...any) { out = append(out, fmt.Sprintf(f, a...)) }
	for i := range s.at {
		h := s.sc.Board.Grid.At(i)
		us := s.unitsAt(i)
		if len(us) == 0 {
			continue
		}
		if all, _ := s.stacked(i); all > s.sc.stackLimit(i) {
			fault("%v holds %d halves", h, all)
		}
		for _, u := range us {
			if u.c.side != us[0].c.side {
				fault("%v holds both sides", h)
			}
			if !s.sc.ground[i].on || !s.dryFeet(i) {
				fault("%s stands on %v", u.c.Name, h)
			}
			s.checkUnit(u, fault)
		}
		if s.lastOn(h) != us[0].c.Side {
			fault("%v is held by %s and counts as the last of %q", h, us[0].c.Side, s.lastOn(h))
		}
	}
	s.checkEvents(fault)
	return out
}

// dryFeet: a bridge or pontoon carries who stands in a major river hex. A blown
// one leaves them stranded on what is left of it.
func (s *State) dryFeet(i int) bool {
	if !s.sc.ground[i].major || s.deck[i] {
		return true
	}
	return slices.ContainsFunc(s.sc.edges[i*6:i*6+6], func(e side) bool { return e.bridge })
}

func (s *State) checkUnit(u *Unit, fault func(string, ...any)) {
	switch {
	case u.Steps < 1 || u.Steps > u.c.Steps():
		fault("%s has %d steps", u.c.Name, u.Steps)
	case u.Debarked && u.c.Class != Wheeled:
		fault("%s is on foot", u.c.Name)
	case u.Fired && u.c.Artillery == 0:
		fault("%s has fired like a gun", u.c.Name)
	}
	if u.rides() && !s.carriedBy(u, s.unit(u.Aboard)) {
		fault("%s rides on %s", u.c.Name, u.Aboard)
	}
}

// carriedBy tells whether the unit can ride on a tank.
func (s *State) carriedBy(u, tank *Unit) bool {
	switch {
	case tank == nil, !tank.onMap(), tank.Hex != u.Hex:
		return false
	}
	return tank.c.Class == Tracked && tank.c.side == u.c.side
}

// checkEvents counts the event chits: none is lost but black ones that were played.
func (s *State) checkEvents(fault func(string, ...any)) {
	for i, e := range s.sc.Events {
		if s.Pool[i] < 0 {
			fault("%d chits %s in the pool", s.Pool[i], e.Name)
		}
		n := s.Pool[i]
		for _, c := range s.Events {
			for _, name := range slices.Concat(c.Known, c.Discard, c.Hand, c.Drawn) {
				n += b2i(name == e.Name)
			}
		}
		lost := n < e.Copies && e.Colour != black
		if lost || n > e.Copies {
			fault("there are %d chits %s, not %d", n, e.Name, e.Copies)
		}
	}
	for k, c := range s.Events {
		if have := c.Blue + c.Red + len(c.Known) + len(c.Discard); have != s.sc.Cup[k].Blue+s.sc.Cup[k].Red {
			fault("the %s have %d blue and red chits", s.sc.Sides[k], have)
		}
	}
}

// since lists what cannot have happened since an earlier position.
func (s *State) since(before *State) (out []string) {
	fault := func(f string, a ...any) { out = append(out, fmt.Sprintf(f, a...)) }
	for i := range s.Units {
		u, was := &s.Units[i], &before.Units[i]
		if was.outOfPlay() && u.Where != was.Where {
			fault("%s has come back", u.c.Name)
		}
		if u.Where == Later && was.Where != Later {
			fault("%s has left the map for later", u.c.Name)
		}
		if rebuilt := u.onMap() && u.Steps > was.Steps; rebuilt && !before.night() {
			fault("%s was rebuilt by day", u.c.Name)
		}
		if was.Where == Beside && u.Where != Beside {
			fault("%s has left its place beside the map", u.c.Name)
		}
	}
	if cmp.Or(cmp.Compare(s.Turn, before.Turn), cmp.Compare(s.Phase, before.Phase)) < 0 {
		fault("the clock ran back")
	}
	return out
}
