package famous

import "fieldpost/adjudicator/hex"

// bridged tells whether an intact bridge or a completed pontoon leads across a
// hexside, or from or to a major river hex.
//
// GD 12.1/3
func (s *State) bridged(i int, d hex.Dir) bool {
	e := &s.sc.edges[i*6+int(d)]
	if e.to < 0 {
		return false
	}
	if len(s.deck) > 0 && (s.deck[i] || s.deck[e.to]) {
		return true
	}
	if !e.bridge && len(s.pass) == 0 {
		return false
	}
	g := s.sc.Board.Grid
	edge := hex.Between(g.At(i), g.At(e.to))
	return e.bridge && !s.blown[edge] || s.pass[edge]
}

// controls tells whether a zone of control extends from a hex in a direction:
// not into hexes nor across hexsides that are closed to wheels, except by bridge
// or, over printed works, by road.
//
// GD 8.0/1
// GD 8.0/2
// GD 8.0/3
// GD 8.0/4
// reading GD 8.0: fortification chits change nothing; H and ALL ground is open.
func (s *State) controls(i int, d hex.Dir) bool {
	e := &s.sc.edges[i*6+int(d)]
	if e.to < 0 {
		return false
	}
	closedSide := e.water != nil && e.water.Price[Wheeled].Closed
	closedHex := s.sc.ground[e.to].price[Wheeled].Closed
	if !closedSide && !closedHex {
		return true
	}
	if closedHex && !s.sc.ground[e.to].major {
		return false // forest: no bridge leads into it
	}
	if closedSide && e.road != nil && e.water.Name == "dragon's teeth" {
		return !closedHex
	}
	return s.bridged(i, d)
}

// threatened tells whether the hex is in an enemy zone of control.
func (s *State) threatened(i int, side int8) bool { return s.zone[1-side][i] > 0 }
