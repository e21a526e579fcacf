package steppe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/orders"
)

// advise adds to the lines of a sheet what the orders come to as things stand. What
// happens before a chit comes may change it all, so these are remarks, not refusals.
func (s *State) advise(side Side, t *turnOrders, f *adjudicator.Filing) {
	say := func(at orders.Pos, understood, warning string) {
		for i := range f.Lines {
			if l := &f.Lines[i]; l.Pos == at && l.Refused == nil && l.Understood == "" {
				l.Understood, l.Warning = understood, warning
				return
			}
		}
	}
	if i := slices.IndexFunc(f.Lines, isBlow); i >= 0 && f.Lines[i].Refused == nil {
		f.Lines[i].Understood = s.blowOutlook(t.blow)
	}
	for _, p := range slices.Concat(t.programmes, t.solo) {
		if p.head != "" {
			say(p.at, s.whoActs(p), "")
		}
		x := s.prospect(side, t, p)
		for _, in := range p.steps {
			understood, warning := x.outlook(in)
			say(in.pos, understood, warning)
		}
	}
}

// isBlow tells whether a line is about the Backhand Blow.
func isBlow(l adjudicator.Line) bool { return strings.HasPrefix(l.Text, "BACKHAND") }

// blowOutlook is what the line of the Backhand Blow comes to in the weather that is known.
func (s *State) blowOutlook(b blow) string {
	switch {
	case s.sc.before(2):
		return ""
	case b.strikes(s):
		return "this turn is the Backhand Blow, announced as the sheets are opened"
	case b.named:
		return fmt.Sprintf("not in this weather: %s, %s ground", s.Weather, s.Ground)
	}
	return "not in this turn"
}

// whoActs tells how many units a programme activates of those in range now.
func (s *State) whoActs(p *programme) string {
	if p.hold || p.hq == nil || p.hq.Where != OnMap {
		return ""
	}
	all, named := 0, 0
	for u := range s.onMap() {
		if !s.mayActivate(p.hq, u) || !s.inRange(p.hq, u.Hex) {
			continue
		}
		all++
		if slices.ContainsFunc(p.steps, func(in instruction) bool { return in.isFor(u) }) {
			named++
		}
	}
	atWill := ""
	if slices.ContainsFunc(p.steps, func(in instruction) bool { return in.atWill }) {
		atWill = ", and whoever attacks at will"
	}
	return fmt.Sprintf("activates %d of the %d units in range now%s", named, all, atWill)
}

// outlook is how an order is read, and what should be looked at.
func (x *prospect) outlook(in instruction) (understood, warning string) {
	s := x.s
	switch in.verb {
	case verbMove, verbHQ:
		return x.moveOutlook(in)
	case verbAttack:
		return x.attackOutlook(in)
	case verbEnter:
		return s.entryOutlook(in), ""
	case verbRail:
		var towns []string
		for _, h := range in.places {
			towns = append(towns, s.spot(h))
		}
		return fmt.Sprintf("%s into the first that is open: %s", names(in.units), strings.Join(towns, ", ")), ""
	case verbUnits:
		return "activated: " + names(in.units), ""
	case verbOverrunMove:
		return fmt.Sprintf("%s to %s, once it has overrun", names(in.units), s.spot(in.goal())), ""
	case verbBlow:
		return fmt.Sprintf("the bridge %v, on 2 to 6", in.edge), ""
	}
	return "", ""
}

// moveOutlook is the ways of a MOVE order as the map is now.
func (x *prospect) moveOutlook(in instruction) (understood, warning string) {
	s := x.s
	var parts, warn []string
	for _, u := range in.units {
		if u.Where != OnMap {
			warn = append(warn, u.c.Name+" is not on the map")
			continue
		}
		if s.disobeys(u, x.p.hq) {
			warn = append(warn, fmt.Sprintf("%s does not obey %s", u.c.Name, x.p.hq.c.Name))
		}
		if why := x.tooFar(u); why != "" {
			warn = append(warn, why)
		}
		if in.goal() == u.Hex {
			parts = append(parts, fmt.Sprintf("%s is on %s already", u.c.Name, s.spot(u.Hex)))
			continue
		}
		way, short := s.follow(u, s.newWalk(u), in.course)
		if way != nil && x.full[last(way)] > stackLimit {
			warn = append(warn, fmt.Sprintf("%s would hold %d steps now, and the last to arrive stops short",
				s.spot(last(way)), x.full[last(way)]))
		}
		switch {
		case way == nil:
			warn = append(warn, u.c.Name+" could not move now")
		case short:
			warn = append(warn, fmt.Sprintf("%s would come to %s now", u.c.Name, s.spot(last(way))))
		default:
			parts = append(parts, u.c.Name+" "+trail(way))
		}
	}
	return strings.Join(parts, "; "), strings.Join(warn, "; ")
}

// prospect is what a programme comes to as the map is now.
type prospect struct {
	s    *State
	side Side
	p    *programme
	ends map[*Unit]hex.Hex // of the units that it moves or brings on the map
	full map[hex.Hex]int   // the steps that these hexes would hold
	blow bool              // the attacks of this turn are the Backhand Blow
}

// prospect looks ahead at a programme of a sheet.
func (s *State) prospect(side Side, t *turnOrders, p *programme) *prospect {
	x := &prospect{s: s, side: side, p: p, ends: map[*Unit]hex.Hex{}, full: map[hex.Hex]int{}}
	x.blow = s.strikesBack(side) || !s.sc.before(2) && t.blow.strikes(s)
	for _, in := range p.steps {
		for _, u := range in.units {
			switch in.verb {
			case verbMove, verbHQ:
				if u.Where == OnMap && in.goal() != u.Hex {
					if way, _ := s.follow(u, s.newWalk(u), in.course); way != nil {
						x.ends[u] = last(way)
					}
				}
			case verbEnter:
				x.ends[u] = in.inward().goal()
			}
		}
	}
	x.fill()
	return x
}

// fill sums the steps of the hexes that units come to when all have moved.
func (x *prospect) fill() {
	if x.s.sc.before(2) {
		return
	}
	gone := map[hex.Hex]int{}
	for u, h := range x.ends {
		if u.combat() {
			x.full[h] += u.Steps
			if u.Where == OnMap {
				gone[u.Hex] += u.Steps
			}
		}
	}
	for h := range x.full {
		x.full[h] += x.s.load(x.s.ix(h)) - gone[h]
	}
}

// stands is where a unit stands when the attacks of the programme begin.
func (x *prospect) stands(u *Unit) hex.Hex {
	if h, ok := x.ends[u]; ok && !x.p.attack {
		return h
	}
	return u.Hex
}

// tooFar says why a unit would not be activated by the chit, as the map is now.
func (x *prospect) tooFar(u *Unit) string {
	hq := x.p.hq
	switch {
	case hq == nil, u == hq, u.Where != OnMap, x.s.disobeys(u, hq), x.s.inRange(hq, u.Hex):
		return ""
	}
	return fmt.Sprintf("%s is out of range of %s now: %d hexes, and it reaches %d (Steppe 6.0)", u.c.Name, hq.c.Name, x.s.sc.land.grid.Distance(hq.Hex, u.Hex), hq.c.Range)
}

// tooFarThen says why a unit would not attack a hex when the attacks begin.
func (x *prospect) tooFarThen(u *Unit, target hex.Hex) string {
	hq, l := x.p.hq, x.s.sc.land
	h := x.stands(u)
	switch {
	case h == hex.None:
		return u.c.Name + " is not on the map"
	case !l.grid.Adjacent(h, target):
		return fmt.Sprintf("%s would not stand beside %s: %d hexes away, on %v (Steppe 10.0)", u.c.Name, x.s.spot(target), l.grid.Distance(h, target), h)
	case hq == nil, u.Where != OnMap, x.stands(hq) == hex.None:
		return ""
	case l.grid.Distance(x.stands(hq), h) > hq.c.Range:
		return fmt.Sprintf("%s would be out of range of %s: %d hexes, and it reaches %d (Steppe 6.0)", u.c.Name, hq.c.Name, l.grid.Distance(x.stands(hq), h), hq.c.Range)
	}
	return ""
}

// disobeys tells whether a unit does not obey the headquarters of a chit.
func (s *State) disobeys(u, hq *Unit) bool {
	if hq == nil || u == hq {
		return false
	}
	return !s.mayActivate(hq, u)
}

// attackOutlook is the odds of an ATTACK order as the units stand, or would stand when they
// have moved, of those that could attack then if any can.
func (x *prospect) attackOutlook(in instruction) (understood, warning string) {
	s := x.s
	if s.holder(in.target) != other(x.side) {
		return "", s.spot(in.target) + " holds no enemy now"
	}
	if len(in.units) == 0 {
		return "with all that are beside it then", ""
	}
	var able []*Unit
	var warn []string
	for _, u := range in.units {
		if why := cmp.Or(x.tooFar(u), x.tooFarThen(u, in.target)); why != "" {
			warn = append(warn, why)
			continue
		}
		able = append(able, u)
	}
	if len(able) == 0 {
		able = in.units
	}
	o, _ := x.oddsOf(able, in.target)
	if o.level < s.sc.levelOf(in.floor()) {
		warn = append(warn, fmt.Sprintf("that is below its MIN of %s, and nothing is fought as things stand (Steppe 10.0); MIN %s would be met", in.floor(), o.name))
	}
	return fmt.Sprintf("%d against %d as they stand: %s before aircraft and artillery", o.attack, o.defence, s.sc.told(o)),
		strings.Join(warn, "; ")
}

// oddsOf weighs an attack of units from where they would stand, and what shelters its target.
func (x *prospect) oddsOf(able []*Unit, target hex.Hex) (odds, cover) {
	s, attack := x.s, 0
	var from []hex.Hex
	for _, u := range able {
		attack += u.attack()
		if h := x.stands(u); h != hex.None && s.sc.land.grid.Adjacent(h, target) {
			from = append(from, h)
		}
	}
	shelter := s.shelter(target, from)
	shift := -shelter.shift
	if x.blow {
		shift++
	}
	return s.sc.settle(attack, s.defenceAt(target), shift), shelter
}

// told is odds in words: the ratio, what shifts it, and what it is fought at.
func (sc *Scenario) told(o odds) string {
	text := sc.ratioName(o.gross)
	if o.shift != 0 {
		text += fmt.Sprintf(", shifted %+d", o.shift)
	}
	if o.shift != 0 || o.name != sc.ratioName(o.gross) {
		text += ": " + o.name
	}
	if o.drm != 0 {
		text += fmt.Sprintf(" and %+d", o.drm)
	}
	return text
}

// entryOutlook is where the units of an ENTER order come in and go to.
func (s *State) entryOutlook(in instruction) string {
	by := "the edge of the map"
	if in.at != hex.None {
		by = s.spot(in.at)
	}
	understood := names(in.units) + " by " + by
	if h := in.goal(); h != hex.None {
		understood += ", then to " + s.spot(h)
	}
	return understood
}

// trail is a way as orders write it.
func trail(way []hex.Hex) string {
	var out []string
	for _, h := range way {
		out = append(out, h.String())
	}
	return strings.Join(out, "-")
}
