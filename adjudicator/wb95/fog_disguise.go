package wb95

import (
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
)

// Disguise makes, of a position, another one that the side must not be able to
// tell from it: enemy units that nobody touches change places with one another
// and their state, and what is filed, flown, built and expected by the enemy is
// another. What all may know stays: which hexes are held and fortified, whose
// zones of control lie where, control, bridges, points (reading WB-95 16.1.1).
// n(k) is a number from 0 to k-1. Tests of the fog live on it.
//
// In a blind game the enemy's stacks that are out of sight stand on other hexes, and
// the works that nobody knows of are gone.
//
// Points are public and can hang on what is hidden: who stands nearest to a place,
// who has lost steps. So is to the side what supply it has, which can hang on guns
// that are ready to fire (10.1.11), and where the enemy repairs tanks: the markers lie
// open (17.1.2). Where these would change, less is disguised.
func (g Tried) Disguise(position []byte, side adjudicator.Side, n func(k int) int) ([]byte, error) {
	was, err := g.decode(position)
	if err != nil {
		return nil, err
	}
	side = was.sc.camp(side)
	for _, how := range []mask{{swap: true, wear: true}, {swap: true, wear: true, rooted: true},
		{swap: true, wear: true, rooted: true, tanks: true}, {swap: true, wear: true, rooted: true, tanks: true, plans: true},
		{swap: true, rooted: true, tanks: true, plans: true}, {wear: true, tanks: true, plans: true}} {
		s := was.clone()
		if err := s.attach(was.sc); err != nil {
			return nil, err
		}
		s.disguise(side, n, how)
		s.index()
		if s.looksLikeBefore(was, side) {
			return s.encode(), nil
		}
	}
	s := was.clone()
	s.disguise(side, n, mask{plans: true})
	return s.encode(), nil
}

// looksLikeBefore tells whether what the side may know that hangs on hidden things is as
// it was: points, its own supply, and the tanks that the enemy may repair.
func (s *State) looksLikeBefore(was *State, side Side) bool {
	if !slices.Equal(s.score(), was.score()) || !slices.Equal(s.reached(side), was.reached(side)) {
		return false
	}
	return slices.Equal(s.workshops(side), was.workshops(side))
}

// mask says what is disguised of hidden units.
type mask struct {
	swap   bool // they change places
	wear   bool // their state is another
	rooted bool // guns ready to fire change places among themselves only
	tanks  bool // stay as they are
	plans  bool // missions and works do: a bridge that is built can bring supply
}

// reached tells of the side's units which a line of supply reaches.
func (s *State) reached(side Side) (out []bool) {
	l := s.linesOfSupply(side)
	for _, u := range s.onMap(side) {
		out = append(out, l.reaches(u))
	}
	return out
}

// supplyNext: the phase that comes is a Supply Phase.
func (s *State) supplyNext() bool { return stageOf(s.Phase) == stageSupply }

// workshops are the enemy's tanks in supply of which some may be repaired in the Supply
// Phase that comes, where any are repaired at all, and where they stand.
func (s *State) workshops(side Side) (out []string) {
	if !s.supplyNext() || !slices.ContainsFunc(s.sc.fronts(), func(f Front) bool { return f.Repairs > 0 }) {
		return nil
	}
	if s.sc.Scorer != s.sc.Other(side) {
		return nil
	}
	l := s.linesOfSupply(s.sc.Scorer)
	for _, u := range s.onMap(s.sc.Scorer) {
		if u.Steps < u.c.Steps() && u.c.Type == ARM && l.reaches(u) {
			out = append(out, u.ID+u.Hex.String())
		}
	}
	return out
}

// disguise lets hidden enemy units of a sort change places, and wears them down
// or restores them.
func (s *State) disguise(side Side, n func(k int) int, how mask) {
	other := s.sc.Other(side)
	type sort struct {
		regular bool
		row     int
		nation  string // whose troops took a place can be what its points hang on
		rooted  bool
	}
	var lines *supplied // of the enemy's supply, if it is looked at next
	if s.supplyNext() {
		lines = s.linesOfSupply(other)
	}
	hidden := map[sort][]*Unit{}
	var sorts []sort
	for i := range s.Units {
		u := &s.Units[i]
		if u.c.Side != other {
			continue
		}
		if u.Where == Later && u.Due > 0 {
			u.Due += n(5)
		}
		if !s.isHidden(u, side, how) || starves(u, lines) {
			continue
		}
		if how.wear {
			u.wear(s, n)
		}
		k := sort{u.regular(), zoneRow(u.c), u.c.Nation, how.rooted && rooted(u)}
		if hidden[k] == nil {
			sorts = append(sorts, k)
		}
		hidden[k] = append(hidden[k], u)
	}
	if how.swap {
		for _, k := range sorts {
			shuffle(hidden[k], n)
		}
		if s.sc.Readings.Fog == adjudicator.FogBlind {
			s.scatter(side, n)
		}
	}
	if !how.plans {
		s.Missions = slices.DeleteFunc(s.Missions, func(m Mission) bool { return m.Side == other && n(2) == 0 })
		s.Works = slices.DeleteFunc(s.Works, func(w Work) bool {
			i := slices.IndexFunc(s.Units, func(u Unit) bool { return u.ID == w.HQ })
			return i >= 0 && s.Units[i].c.Side == other && n(2) == 0
		})
	}
	s.Contact = slices.DeleteFunc(s.Contact, func(c Contact) bool { return c.Side == other && n(2) == 0 })
}

// isHidden tells whether nobody of the side touches the unit and it may be disguised.
func (s *State) isHidden(u *Unit, side Side, how mask) bool {
	switch {
	case u.Where != OnMap, s.inContact(u.Hex, side):
		return false
	case u.Mined: // what mines do to whom decides which tanks are repaired
		return false
	case u.c.Type == ARM:
		return !how.tanks
	}
	return true
}

// starves tells whether the unit is out of supply, or will be when that is looked at
// next: whom hunger takes is seen, because their works fall.
func starves(u *Unit, lines *supplied) bool {
	if lines == nil {
		return false
	}
	return u.OoS > 0 || !lines.reaches(u)
}

// shuffle lets units change places.
func shuffle(us []*Unit, n func(k int) int) {
	for i := len(us) - 1; i > 0; i-- {
		j := n(i + 1)
		us[i].Hex, us[j].Hex = us[j].Hex, us[i].Hex
	}
}

// scatter puts enemy units that nobody sees on other hexes that nobody sees: where
// the enemy is in control before and after, so that the map of control is the same.
func (s *State) scatter(side Side, n func(k int) int) {
	other, g := s.sc.Other(side), s.sc.Board.Grid
	seen := make([]bool, g.Len())
	for i := range seen {
		seen[i] = s.sees(side, g.At(i))
	}
	free := func(h hex.Hex) bool {
		if !s.sc.Board.On(h) || seen[g.Index(h)] {
			return false
		}
		return s.controller(h) == other && s.fort(h) == nil
	}
	for _, u := range s.onMap(other) {
		if !free(u.Hex) {
			continue
		}
		for range 8 {
			if h := g.At(n(g.Len())); free(h) {
				u.Hex = h
				break
			}
		}
	}
	s.Forts = slices.DeleteFunc(s.Forts, func(f Fort) bool { return !s.knowsFort(side, f) && n(2) == 0 })
}

// wear gives a unit another state.
func (u *Unit) wear(s *State, n func(k int) int) {
	u.Steps = 1 + n(u.c.Steps())
	if !s.supplyNext() {
		u.OoS, u.Supplied = n(3), n(2) == 0
	}
	u.Retreated, u.Active, u.Fought, u.Fired = n(2) == 0, n(2) == 0, n(2) == 0, n(2) == 0
	u.Disorganized = Clock{}
	if n(3) == 0 {
		u.Disorganized = clock(max(1, s.Turn-n(2)), 1+n(s.Phase))
	}
}
