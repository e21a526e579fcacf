package wb95

import "fieldpost/adjudicator/hex"

// sightings is what units of each side meet when they march: it is the same for
// all of them, and for each phase's many moves it is worked out once. Nobody
// writes to what is in it.
type sightings struct {
	zones [2]*zones  // of the enemy, by the number of the side that marches
	held  [2][]int16 // what of the enemy's is in a hex, as in march.held
	span  []uint8    // standing bridges
}

// forget drops what a unit of the side changes by coming, going or dying.
func (k *sightings) forget(s *State, side Side) {
	n := s.sc.number(s.sc.Other(side))
	k.zones[n], k.held[n] = nil, nil
}

// dig drops what the price of riding down guns depends on when works on their hex
// come or go.
func (k *sightings) dig(s *State, h hex.Hex) {
	i := s.sc.Board.Grid.Index(h)
	for n, held := range k.held {
		if held != nil && held[i] > heldNot {
			k.held[n] = nil
		}
	}
}

// sighted is what a unit of the side meets on its march.
func (s *State) sighted(side Side) (*zones, []int16, []uint8) {
	n, g := s.sc.number(side), &s.sc.Board.Grid
	if s.seen.span == nil {
		s.seen.span = s.bridges()
	}
	if s.seen.zones[n] == nil {
		s.seen.zones[n] = s.zonesOf(s.sc.Other(side))
	}
	if s.seen.held[n] == nil {
		s.seen.held[n] = make([]int16, g.Len())
		for i, us := range s.stacksByIndex() {
			if us[0].c.Side != side {
				s.seen.held[n][i] = s.rideable(us[0].Hex)
			}
		}
	}
	return s.seen.zones[n], s.seen.held[n], s.seen.span
}
