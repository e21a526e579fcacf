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
// GD 5.3/6
// GD 9.1/6
// GD 13.0/1
// GD 13.1/1
// GD 13.2/1
// GD 14.1/6
// GD 14.1/9
// GD 14.1/13
// reading GD 5.3: out of supply rounds down (9.1 says up, and is older text), and one hex stays possible.
func (s *State) allowance(u *Unit) Cost {
	n := int(u.printed() / One)
	if s.part().Half {
		n = (n + 1) / 2
	}
	if s.weather().Half {
		n = (n + 1) / 2
	}
	if u.Unsupplied >= 2 && (u.class() != Leg || u.c.HQ) {
		if s.sc.Switches.OutRoundUp {
			n++
		}
		n /= 2
	}
	return Cost(n) * One
}

// part is the part of the day, weather the weather of the turn.
func (s *State) part() *DayPart    { return &s.box().Part }
func (s *State) weather() *Weather { return &s.sc.WeatherBy[max(1, s.Weather)] }
func (s *State) box() *TurnBox     { return &s.sc.Track[min(s.Turn, len(s.sc.Track))-1] }

// step is the price of a step for a class, and whether it goes by road.
//
// GD 8.0/10
// GD 8.0/11
// GD 9.0/7
// GD 9.0/9
// GD 9.0/10
// GD 9.1/1
// GD 9.1/2
// GD 9.1/3
// GD 9.1/4
// GD 9.2/1
// GD 9.2/2
// GD 9.2/3
// GD 15.2/1
// GD 15.2/2
func (s *State) step(class Class, side int8, i int, d hex.Dir, leaving, raft bool) (p Price, road bool) {
	e := &s.sc.edges[i*6+int(d)]
	if e.to < 0 {
		return Price{Closed: true}, false
	}
	to := &s.sc.ground[e.to]
	bridged := (e.bridge || len(s.pass) > 0 || len(s.deck) > 0) && s.bridged(i, d)
	dry := e.water == nil || bridged || e.water.Name == "dragon's teeth"
	onto := (!to.major && !s.sc.ground[i].major) || bridged
	road = e.road != nil && dry && onto && !leaving
	switch {
	case road:
		p = e.road.Price[class]
	case to.major && bridged, e.road != nil && dry && onto && to.price[class].Closed:
		// Leaving a zone of control: not at the rate of the road, but along it.
		p = s.sc.Terrain["clear"].Price[class]
	case !onto:
		return Price{Closed: true}, false
	default:
		p = to.price[class]
	}
	if !road && e.water != nil && !bridged && !(e.road != nil && dry) && !(raft && e.water.Name != "dragon's teeth") {
		p = p.plus(e.water.Price[class])
	}
	if side >= 0 && len(s.fort[e.to]) > 0 {
		p = p.plus(s.fortPrice(e.to, d.Opposite(), class))
	}
	if side >= 0 && e.water != nil && s.threatened(e.to, side) && !bridged && e.water.Price[Wheeled].Closed && e.water.Name != "dragon's teeth" {
		p.Closed = true // no crossing of a river or canal into a zone of control
	}
	if leaving {
		p.Points += One
	}
	return p, road
}

// fortPrice is what fortifications ask of those who enter across a hexside.
func (s *State) fortPrice(i int, from hex.Dir, class Class) (p Price) {
	for _, n := range s.fort[i] {
		f := s.Forts[n]
		if s.sc.faces(f, from) {
			p = p.plus(s.sc.Forts[f.Kind].Extra[class])
		}
	}
	return p
}

// pay tells whether a unit that has spent so much can pay a price, and what it
// then has spent.
//
// GD 9.0/3
// GD 9.0/4
// GD 9.0/8
// GD 9.0/12
// GD 9.0/13
// GD 9.0/14
// GD 9.1/5
// reading GD 9.0: where night, weather or supply have cut the allowance, H and ALL are all that is left of it.
func pay(p Price, printed, allowance, spent Cost, started bool) (Cost, bool) {
	if p.Closed {
		return 0, false
	}
	cut := allowance < printed
	total := spent + p.Points + Cost(p.Halves)*printed/2
	if p.Halves > 0 && cut {
		total = max(allowance, spent+p.Points)
	}
	ok := total <= allowance
	switch {
	case p.All:
		total, ok = allowance, spent == 0
	case p.Halves > 0:
		ok = ok && spent <= allowance/2/One*One
	}
	if !ok && !started && spent == 0 {
		return allowance, true // an unmoved unit may always move one hex
	}
	return total, ok
}

// rafted tells whether one of the side's Raft units stands at the crossing.
//
// GD 9.7/1
func (s *State) rafted(side int8, i int, d hex.Dir) bool {
	to := s.sc.edges[i*6+int(d)].to
	if to < 0 || s.sc.edges[i*6+int(d)].water == nil {
		return false
	}
	for _, k := range [2]int{i, to} {
		for _, n := range s.at[k] {
			if u := &s.Units[n]; u.c.Raft && u.c.side == side {
				return true
			}
		}
	}
	return false
}

// try is what a unit has spent after a step, or why it may not make it.
func (s *State) try(u *Unit, i int, d hex.Dir) (spent Cost, road, ok bool) {
	leaving := s.threatened(i, u.c.side)
	raft := u.class() == Leg && s.rafted(u.c.side, i, d)
	p, road := s.step(u.class(), u.c.side, i, d, leaving, raft)
	spent, ok = pay(p, u.printed(), s.allowance(u), u.spent, u.started)
	return spent, road, ok
}
