package steppe

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
)

// advise adds to the lines of a sheet what the orders come to as things stand. What
// happens before a chit comes may change it all, so these are remarks, not refusals.
func (s *State) advise(side Side, t *turnOrders, f *adjudicator.Filing) {
	say := func(order, understood, warning string) {
		for i := range f.Lines {
			if l := &f.Lines[i]; l.Text == order && l.Refused == nil && l.Understood == "" {
				l.Understood, l.Warning = understood, warning
				return
			}
		}
	}
	for _, p := range slices.Concat(t.programmes, t.solo) {
		if p.head != "" {
			say(p.head, s.whoActs(p), "")
		}
		full := s.overfull(p)
		for _, in := range p.steps {
			understood, warning := s.outlook(side, p, in, full)
			say(in.text, understood, warning)
		}
	}
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
func (s *State) outlook(side Side, p *programme, in instruction, full map[hex.Hex]int) (understood, warning string) {
	switch in.verb {
	case verbMove, verbHQ:
		return s.moveOutlook(p, in, full)
	case verbAttack:
		return s.attackOutlook(side, in)
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
func (s *State) moveOutlook(p *programme, in instruction, full map[hex.Hex]int) (understood, warning string) {
	var parts, warn []string
	for _, u := range in.units {
		if u.Where != OnMap {
			warn = append(warn, u.c.Name+" is not on the map")
			continue
		}
		if s.disobeys(u, p.hq) {
			warn = append(warn, fmt.Sprintf("%s does not obey %s", u.c.Name, p.hq.c.Name))
		}
		if in.goal() == u.Hex {
			parts = append(parts, fmt.Sprintf("%s is on %s already", u.c.Name, s.spot(u.Hex)))
			continue
		}
		way, short := s.follow(u, s.newWalk(u), in.course)
		if way != nil && full[last(way)] > stackLimit {
			warn = append(warn, fmt.Sprintf("%s would hold %d steps now, and who comes last stops short",
				s.spot(last(way)), full[last(way)]))
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

// overfull is the steps that the hexes to which a programme moves units would hold as the
// map is now, when all of them have moved.
func (s *State) overfull(p *programme) map[hex.Hex]int {
	if s.sc.before(2) {
		return nil
	}
	steps := map[hex.Hex]int{}
	from := map[hex.Hex]int{}
	for _, in := range p.steps {
		if in.verb != verbMove {
			continue
		}
		for _, u := range in.units {
			if u.Where != OnMap || !u.combat() || in.goal() == u.Hex {
				continue
			}
			if way, _ := s.follow(u, s.newWalk(u), in.course); way != nil {
				from[u.Hex] += u.Steps
				steps[last(way)] += u.Steps
			}
		}
	}
	for h := range steps {
		steps[h] += s.load(s.ix(h)) - from[h]
	}
	return steps
}

// disobeys tells whether a unit does not obey the headquarters of a chit.
func (s *State) disobeys(u, hq *Unit) bool {
	if hq == nil || u == hq {
		return false
	}
	return !s.mayActivate(hq, u)
}

// attackOutlook is the odds of an ATTACK order as the units stand.
func (s *State) attackOutlook(side Side, in instruction) (understood, warning string) {
	if s.holder(in.target) != other(side) {
		return "", s.spot(in.target) + " holds no enemy now"
	}
	if len(in.units) == 0 {
		return "with all that are beside it then", ""
	}
	attack := 0
	var from []hex.Hex
	for _, u := range in.units {
		attack += u.attack()
		if u.Where == OnMap && s.sc.land.grid.Adjacent(u.Hex, in.target) {
			from = append(from, u.Hex)
		}
	}
	o := s.sc.settle(attack, s.defenceAt(in.target), -s.shelter(in.target, from))
	return fmt.Sprintf("%d against %d as they stand: %s before aircraft and artillery", o.attack, o.defence, o.name), ""
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
