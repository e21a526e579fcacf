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
	for _, p := range append(append([]*programme{}, t.programmes...), t.solo...) {
		if p.head != "" {
			say(p.head, s.whoActs(p), "")
		}
		for _, in := range p.steps {
			understood, warning := s.outlook(side, p, in)
			say(in.text, understood, warning)
		}
	}
}

// whoActs tells how many units a programme activates of those in range now.
func (s *State) whoActs(p *programme) string {
	if p.hq == nil || p.hq.Where != OnMap || p.hold {
		return ""
	}
	all, named := 0, 0
	for i := range s.Units {
		u := &s.Units[i]
		if u.Where != OnMap || !s.mayActivate(p.hq, u) || !s.inRange(p.hq, u.Hex) {
			continue
		}
		all++
		if slices.ContainsFunc(p.steps, func(in instruction) bool {
			return slices.Contains(in.units, u) || in.verb == "UNITS" && in.units == nil
		}) {
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
func (s *State) outlook(side Side, p *programme, in instruction) (understood, warning string) {
	switch in.verb {
	case "MOVE", "HQ":
		var parts, warn []string
		for _, u := range in.units {
			if u.Where != OnMap {
				warn = append(warn, u.c.Name+" is not on the map")
				continue
			}
			if p.hq != nil && u != p.hq && !s.mayActivate(p.hq, u) {
				warn = append(warn, fmt.Sprintf("%s does not obey %s", u.c.Name, p.hq.c.Name))
			}
			if in.goal() == u.Hex {
				parts = append(parts, fmt.Sprintf("%s is on %s already", u.c.Name, s.spot(u.Hex)))
				continue
			}
			way, short := s.follow(u, s.newWalk(u), in.course)
			switch {
			case way == nil:
				warn = append(warn, u.c.Name+" could not move now")
			case short:
				warn = append(warn, fmt.Sprintf("%s would come to %s now", u.c.Name, s.spot(way[len(way)-1])))
			default:
				parts = append(parts, u.c.Name+" "+trail(way))
			}
		}
		return strings.Join(parts, "; "), strings.Join(warn, "; ")
	case "ATTACK":
		if s.holder(in.target) != other(side) {
			return "", s.spot(in.target) + " holds no enemy now"
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
		if len(in.units) == 0 {
			return "with all that are beside it then", ""
		}
		return fmt.Sprintf("%d against %d as they stand: %s before aircraft and artillery", o.attack, o.defence, o.name), ""
	case "ENTER":
		understood = names(in.units) + " by the edge of the map"
		if in.at != hex.None {
			understood = names(in.units) + " by " + s.spot(in.at)
		}
		if h := in.goal(); h != hex.None {
			understood += ", then to " + s.spot(h)
		}
		return understood, ""
	case "RAIL":
		var towns []string
		for _, h := range in.places {
			towns = append(towns, s.spot(h))
		}
		return fmt.Sprintf("%s into the first that is open: %s", names(in.units), strings.Join(towns, ", ")), ""
	case "UNITS":
		return "activated: " + names(in.units), ""
	case "OVERRUN-MOVE":
		return fmt.Sprintf("%s to %s, once it has overrun", names(in.units), s.spot(in.goal())), ""
	case "BLOW":
		return fmt.Sprintf("the bridge %v, on 2 to 6", in.edge), ""
	}
	return "", ""
}

// trail is a way as orders write it.
func trail(way []hex.Hex) string {
	var out []string
	for _, h := range way {
		out = append(out, h.String())
	}
	return strings.Join(out, "-")
}
