package wb95

import (
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// claim gives the side on move the hexes it has won, at the end of its Supply
// Phase. The other side wins nothing in it.
//
// WB-95 4.1.6: zones of control win ground
// reading WB-95 4.3.2: any ground unit on a hex holds it, supplied or not.
// reading WB-95 4.3.5: a unit with a line of supply that still works off its level counts as supplied.
func (s *State) claim(side Side, tell teller) {
	g := s.sc.Board.Grid
	enemy := s.zonesOf(s.sc.Other(side))
	// WB-95 4.3.5: only those of units in supply
	own := s.zonesIf(side, func(u *Unit) bool { return u.regular() && u.Supplied && s.onMove(u) })
	change := map[hex.Hex]Side{}
	for i := range g.Len() {
		h := g.At(i)
		if !s.sc.Board.On(h) || s.controller(h) == side {
			continue
		}
		won := false
		switch s.holder(h) {
		case side:
			// WB-95 4.3.2: the ground under a unit
			won = s.onMove(s.unitsAt(h)[0])
		case "":
			// WB-95 4.3.3: empty ground under zones of supplied units, if the enemy has none there
			won = own.on[i] && !enemy.on[i]
		}
		if won {
			change[h] = side
			s.tellControl(h, side, tell)
		}
	}
	s.setController(change)
	s.noteTakers(side, change)
}

// tellControl tells everybody of places and objectives that change hands.
func (s *State) tellControl(h hex.Hex, side Side, tell teller) {
	name := ""
	if p := s.sc.Board.Place(h); p != nil {
		name = p.Name
	}
	points := ""
	for _, o := range s.sc.Objectives {
		if o.Hex == h {
			name, points = o.Name, counted(o.Points, "point")
		}
	}
	if name == "" && points == "" {
		return
	}
	tell.tell(view.Event{Kind: "control", Clause: "WB-95 4.3.2", Hexes: []hex.Hex{h},
		Facts: view.Pairs{"hex", h.String(), "name", name, "side", s.sc.nameOf(side), "points", points}})
}

// held is the side that a hex counts for: its controller, but nobody while it
// is empty and under zones of both sides. The old owner revives when the contest
// ends without a claim.
//
// WB-95 4.3.6
// reading WB-95 4.3.6: such a hex counts for nobody in points, as a supply town and for entry
// either.
func (s *State) held(h hex.Hex) Side {
	if s.holder(h) == "" && s.underBoth(h) {
		return ""
	}
	return s.controller(h)
}

// underBoth tells whether zones of both sides lie on the hex.
func (s *State) underBoth(h hex.Hex) bool {
	return s.inEnemyZone(h, s.sc.Sides[0]) && s.inEnemyZone(h, s.sc.Sides[1])
}

// openArrivals notes the conditions for reinforcements that have come true.
//
// reading WB-95 11.1.1: units that wait for a condition come from the turn after it came true.
func (s *State) openArrivals(tell teller) {
	s.noteCrossings()
	for _, c := range s.sc.Conditions {
		_, known := s.Opened[c.Key]
		switch {
		case c.Formation != "":
			s.countCrossed(c)
		case known:
		case c.Lost != "":
			if s.countLost(c) {
				s.open(c.Key)
				tell.tell(view.Event{Kind: "hq-spare", Clause: "WB-95 11.1.1", To: to(c.Side)})
			}
		case s.holdCount(c.Side, c.Hexes) == len(c.Hexes):
			s.open(c.Key)
			tell.tell(view.Event{Kind: "reserve", Clause: "WB-95 11.1.1", To: to(s.sc.Other(c.Side)), Hexes: c.Hexes[:1],
				Facts: view.Pairs{"key", c.Key}})
		}
	}
}

// holdCount is how many of the hexes count for the side.
func (s *State) holdCount(side Side, hexes []hex.Hex) int {
	n := 0
	for _, h := range hexes {
		if s.held(h) == side {
			n++
		}
	}
	return n
}
