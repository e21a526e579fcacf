package steppe

import "fieldpost/adjudicator"

// Disguise makes, of a position, another one that the side must not be able to tell
// from it: what the enemy has sealed, which of their chits are left, when their
// reinforcements are due; in a blind game also where those of their units are that
// nobody sees. What all may know stays. n(k) is a number from 0 to k-1. It serves tests
// of the fog.
func (g Tried) Disguise(position []byte, side adjudicator.Side, n func(k int) int) ([]byte, error) {
	s, err := decodeState(g.sc, position)
	if err != nil {
		return nil, err
	}
	foe := other(side)
	sealed := &s.Sheets[sideIndex(foe)]
	sealed.Orders, sealed.Doctrine, sealed.Mode = "", []string{"", "RETREAT NEVER\n"}[n(2)], ""
	sealed.Last = []string{"", "CHIT OKH\nHQ TO 1334"}[n(2)]
	for i := range s.Cup {
		if in := s.Cup[i].In; poolSide(s.Cup[i].Name) == foe && len(in) > 1 {
			k := n(len(in))
			s.Cup[i].In = append(append([]string{}, in[k:]...), in[:k]...)
		}
	}
	for i := range s.Units {
		u := &s.Units[i]
		switch {
		case u.c.Side != foe:
		case u.Where == Later:
			u.Due += n(3)
		case u.Where == OnMap && !s.overlooks(side, u.Hex):
			s.elsewhere(u, side, n)
			u.Steps, u.Cut, u.Activated = 1+n(u.c.Steps()), n(3), n(2) == 0
		}
	}
	return s.encode(), nil
}

// elsewhere puts a unit that nobody sees on another hex that nobody sees. Who
// controls what stays as it was.
func (s *State) elsewhere(u *Unit, side Side, n func(k int) int) {
	control := s.Control
	s.Control = append(letters{}, control...)
	for range 8 {
		i := n(len(s.at.slot))
		if h := s.hexAt(i); s.sc.Board.On(h) && len(s.stack(i)) == 0 && !s.isObjective(h) && !s.overlooks(side, h) {
			s.put(u, h)
			break
		}
	}
	s.Control = control
}
