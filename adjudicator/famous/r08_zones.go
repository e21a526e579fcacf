package famous

import "fieldpost/adjudicator/hex"

// bridged tells whether an intact bridge or a completed pontoon leads across a
// hexside, or from or to a major river hex.
func (s *State) bridged(i int, d hex.Dir) bool { return s.spanned[i*6+int(d)] }

// controls tells whether a zone of control extends from a hex in a direction:
// not into hexes nor across hexsides that are closed to wheels, except by bridge
// or, over printed works, by road.
//
// GD 8.0/1
// reading GD 8.0: fortification chits change nothing for zones of control, and ground marked H or
// ALL is open to them.
// reading GD 8.0: what a bridge crosses is water, in the hex or along its side, and that alone it takes
// away (9.1): a zone reaches over it into the hex behind, but not if that hex is a forest, which the
// text has as its example.
// reading GD 8.0: a road through printed dragon's teeth lets the zone through like the wheels (9.2);
// one through a forest opens that to movement along it and to nothing else.
func (s *State) controls(i int, d hex.Dir) bool {
	e := &s.sc.edges[i*6+int(d)]
	if e.to < 0 {
		return false
	}
	to := &s.sc.ground[e.to]
	closedHex := to.price[Wheeled].Closed
	switch {
	case closedHex && !to.major:
		return false // GD 8.0/3: forest; no bridge leads into it
	case closedHex:
		return s.bridged(i, d)
	case !e.closedToWheels():
		return true
	case e.barrier == dragonsTeeth && e.road != nil:
		return true // GD 9.2/3
	}
	return s.bridged(i, d) // GD 8.0/4
}

// threatened tells whether the hex is in an enemy zone of control.
func (s *State) threatened(i int, side int8) bool { return s.zone[1-side][i] > 0 }
