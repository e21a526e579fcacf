package famous

import "fieldpost/adjudicator/hex"

// footMove is the allowance of a debarked unit.
//
// GD 9.6/6
const footMove = 4

// printed is the allowance that H and ALL refer to.
//
// GD 9.0/1
func (u *Unit) printed() Cost {
	if u.Debarked {
		return footMove * One
	}
	return Cost(u.values().Move) * One
}

// allowance is what a unit may spend now: night and bad weather halve one after
// the other and round up, being out of supply halves vehicles and headquarters.
//
// GD 5.3/6: out of supply halves vehicles and headquarters
// GD 9.1/6: in all that they do
// reading GD 5.3: movement out of supply rounds down, as here; 9.1 says up, and is older text
// (switch out_of_supply_round_up). One hex stays possible.
func (s *State) allowance(u *Unit) Cost {
	n := int(u.printed() / One)
	if s.part().Half {
		// GD 13.1/1: the evening does not
		// GD 13.2/1: night does, besides the weather
		n = (n + 1) / 2
	}
	if s.weather().Half {
		// GD 14.1/6: rain
		// GD 14.1/9: a storm
		// GD 14.1/13: snow
		n = (n + 1) / 2
	}
	if u.outOfSupply() && u.needsFuel() {
		if s.sc.Switches.OutRoundUp {
			n++
		}
		n /= 2
	}
	return Cost(n) * One
}

// needsFuel: vehicles and headquarters.
func (u *Unit) needsFuel() bool { return u.c.HQ || u.class() != Leg }

// part is the part of the day, weather the weather of the turn.
//
// GD 13.0/1: evening and night have rules of their own
func (s *State) part() *DayPart    { return &s.box().Part }
func (s *State) weather() *Weather { return &s.sc.WeatherBy[max(1, s.Weather)] }
func (s *State) box() *TurnBox     { return &s.sc.Track[min(s.Turn, len(s.sc.Track))-1] }

func (s *State) night() bool { return s.part().Name == "Night" }

// dark: in the evening and at night.
func (s *State) dark() bool {
	switch s.part().Name {
	case "Morning", "Day":
		return false
	}
	return true
}

// gait is how somebody takes a step.
type gait struct {
	class   Class
	side    int8 // against whom zones of control and fortifications work, or nobody
	leaving bool // out of an enemy zone of control
	offRoad bool // along a road too at the price of the ground
}

// nobody is no side: whoever asks what the map alone says of a step.
const nobody int8 = -1

// impassable is the price of what cannot be entered.
var impassable = Price{Closed: true}

// step is the price of a step, and whether it goes by road: what the ground of the
// next hex asks, its hexside and its fortifications.
//
// GD 9.0/3
func (s *State) step(g gait, i int, d hex.Dir) (p Price, road bool) {
	e := &s.sc.edges[i*6+int(d)]
	if e.to < 0 {
		return impassable, false
	}
	bridged := s.bridged(i, d)
	// GD 9.1/1: a major river is entered and left by bridge only
	if e.major && !bridged {
		return impassable, false
	}
	along := e.carriesRoad(bridged) && !g.offRoad
	// GD 8.0/10: nobody leaves a zone of control at the rate of the road
	road = along && !g.leaving
	if road {
		// GD 9.0/9: vehicles pay half a point along roads and highways
		// GD 9.0/10: whatever else is in the hex
		p = e.road.Price[g.class]
	} else {
		p = s.groundPrice(g.class, e.to, along)
		if crosses := e.barrier != noBarrier && !bridged; crosses { // GD 9.1/3: a bridge takes away what it crosses
			p = p.plus(s.waterPrice(g, i, d, along))
		}
	}
	if g.side != nobody {
		if s.fortified(e.to) {
			p = p.plus(s.fortPrice(e.to, d.Opposite(), g.class))
		}
		// GD 8.0/11: no crossing of a river or canal into a zone of control
		if e.barrier == river && !bridged {
			p.Closed = p.Closed || s.threatened(e.to, g.side)
		}
	}
	if g.leaving {
		// GD 8.0/9: leaving a zone of control costs a point more
		// reading GD 8.0: who goes from one hex of a zone to another leaves the first, and pays the point.
		// GD 9.4/10: after an overrun too
		p.Points += One
	}
	return p, road
}

// carriesRoad tells whether a road leads across the hexside.
//
// GD 9.2/1: from road hex to road hex along the road
// GD 9.2/2: be it a road, a highway, a minor road or a railway
func (e *side) carriesRoad(bridged bool) bool {
	switch {
	case e.road == nil:
		return false
	case e.barrier == dragonsTeeth:
		return true // GD 9.2/3: a road leads through, and where the ground is closed
	case e.barrier != noBarrier:
		return bridged
	}
	return true
}

// groundPrice is what a hex asks of who enters it, but not at the rate of a road.
//
// GD 9.0/7: the price of its class
// GD 9.1/4: a bridge counts as the other terrain in the hex
func (s *State) groundPrice(c Class, i int, alongRoad bool) Price {
	to := &s.sc.ground[i]
	switch {
	case to.major:
		return s.sc.clear.Price[c]
	case alongRoad && to.price[c].Closed:
		return s.sc.clear.Price[c] // a road leads even here
	}
	return to.price[c]
}

// waterPrice is what a hexside asks of who crosses it without a bridge.
func (s *State) waterPrice(g gait, i int, d hex.Dir, alongRoad bool) Price {
	e := &s.sc.edges[i*6+int(d)]
	switch {
	case e.barrier == dragonsTeeth:
		if alongRoad {
			return Price{} // the road leads through
		}
	case s.ferried(g, i, e.to):
		return Price{} // GD 9.7/1
	}
	return e.water.Price[g.class] // GD 9.1/2: closed to vehicles at rivers and canals
}

// fortPrice is what fortifications ask of those who enter across a hexside.
//
// GD 15.2/1
func (s *State) fortPrice(i int, from hex.Dir, class Class) (p Price) {
	for f := range s.eachFort(i) {
		if s.sc.faces(*f, from) {
			p = p.plus(s.sc.Forts[f.Kind].Extra[class]) // GD 15.2/2
		}
	}
	return p
}

// purse is what a unit has to pay with.
type purse struct {
	printed, allowance, spent Cost
	started                   bool
}

func (s *State) purse(u *Unit) purse {
	return purse{printed: u.printed(), allowance: s.allowance(u), spent: u.did.spent, started: u.did.started}
}

// pay tells whether a price can be paid, and what then has been spent.
//
// GD 9.0/4
func (w purse) pay(p Price) (Cost, bool) {
	if p.Closed {
		return 0, false // GD 9.0/15: closed terrain is not even entered by one hex
	}
	total, ok := w.charge(p)
	if !ok && w.unmoved() {
		return w.allowance, true // GD 9.0/14: one hex is always possible
	}
	return total, ok
}

// unmoved: nothing was done and nothing spent.
//
// GD 9.1/5
func (w purse) unmoved() bool { return !w.started && w.spent == 0 }

// charge is what will have been spent after paying a price, and whether there is so much.
//
// GD 9.0/13
func (w purse) charge(p Price) (total Cost, ok bool) {
	switch {
	case p.All: // GD 9.0/8: the whole allowance, by who begins beside the hex
		return w.allowance, w.spent == 0
	case p.Halves > 0:
		return w.chargeHalves(p)
	}
	total = w.spent + p.Points
	return total, total <= w.allowance
}

// chargeHalves takes half the allowance, if no more than half was spent before.
//
// GD 9.0/12
// reading GD 9.0: where night, weather or supply have cut the allowance, H and ALL are all that is left of it.
func (w purse) chargeHalves(p Price) (total Cost, ok bool) {
	total = w.spent + p.Points + Cost(p.Halves)*w.printed/2
	if w.allowance < w.printed {
		total = max(w.allowance, w.spent+p.Points)
	}
	early := w.spent <= w.allowance/2/One*One
	return total, early && total <= w.allowance
}

// ferried tells whether one of the side's Raft units stands at the crossing of two hexes, for
// whoever goes on foot.
//
// GD 9.7/1
func (s *State) ferried(g gait, from, to int) bool {
	if g.class != Leg {
		return false
	}
	return s.raftOn(from, g.side) || s.raftOn(to, g.side)
}

// raftOn tells whether a Raft unit of the side stands on a hex.
func (s *State) raftOn(i int, side int8) bool {
	if s.holds(i) != int(side) {
		return false
	}
	return anyOf(s.each(i), func(u *Unit) bool { return u.c.Raft })
}

// try is what a unit has spent after a step, and whether it goes by road; not ok if the
// unit may not take it.
func (s *State) try(u *Unit, i int, d hex.Dir) (spent Cost, road, ok bool) {
	return s.tryAs(s.gaitOf(u), u, i, d)
}

// tryAs is try for a unit that walks in a certain way.
func (s *State) tryAs(g gait, u *Unit, i int, d hex.Dir) (spent Cost, road, ok bool) {
	g.leaving = s.threatened(i, u.c.side)
	p, road := s.step(g, i, d)
	spent, ok = s.purse(u).pay(p)
	return spent, road, ok
}

// gaitOf is how a unit walks.
func (s *State) gaitOf(u *Unit) gait { return gait{class: u.class(), side: u.c.side} }
