package steppe

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
)

// Usual implements adjudicator.Guide.
func (a *guide) Usual() (out []adjudicator.Offer) {
	out = a.usualChits()
	for i := range a.s.Units {
		hq := &a.s.Units[i]
		if hq.c.Side == a.side && !hq.combat() && a.comes(hq) && a.s.foreign(hq) == nil {
			out = append(out, a.programme(hq)...)
		}
	}
	out = append(out, a.alone()...)
	return append(out, adjudicator.Offer{Section: "STANDING"})
}

// usualChits is the line that chooses the chits of the cup, where there is a choice.
func (a *guide) usualChits() (out []adjudicator.Offer) {
	if a.v.Chits == nil {
		return nil
	}
	for _, group := range a.v.Chits.Groups {
		if len(group.Own) <= group.Draws || group.Draws == 0 {
			continue
		}
		o := a.try(adjudicator.Offer{Section: "CHITS " + strings.Join(group.Own[:group.Draws], ", "), Verb: "CHITS"})
		o.Understood = fmt.Sprintf("%d of %s", group.Draws, strings.Join(group.Own, ", "))
		out = append(out, o)
	}
	return out
}

// programme is the section of a chit: a line for its headquarters, for each unit that it
// leads and none nearer to it does, and for the enemies beside them.
func (a *guide) programme(hq *Unit) (out []adjudicator.Offer) {
	section := a.head(hq)
	if section == chitVerb+hq.c.Name {
		section += " MOVE THEN ATTACK"
	}
	say := func(format string, args ...any) {
		out = append(out, a.try(adjudicator.Offer{Section: section, Order: fmt.Sprintf(format, args...)}))
	}
	switch {
	case hq.Where == OnMap:
		say("HQ TO %v", hq.Hex)
	case a.s.due(hq):
		say("ENTER %s %v", hq.c.Name, a.s.zoneOf(hq).Hexes[0])
	default:
		return nil
	}
	beside := map[hex.Hex][]string{}
	for i := range a.s.Units {
		u := &a.s.Units[i]
		if a.ledBy(u) != hq {
			continue
		}
		if u.Where != OnMap {
			say("ENTER %s %v", u.c.Name, a.s.zoneOf(u).Hexes[0])
			continue
		}
		say("MOVE %s TO %v", u.c.Name, u.Hex)
		for _, h := range a.s.sc.land.grid.Neighbours(u.Hex) {
			if a.s.sc.land.grid.Contains(h) && a.s.holder(h) == other(a.side) {
				beside[h] = append(beside[h], u.c.Name)
			}
		}
	}
	var targets []hex.Hex
	for h := range beside {
		targets = append(targets, h)
	}
	slices.Sort(targets)
	for _, h := range targets {
		say("ATTACK %v WITH %s; MIN 1:1", h, strings.Join(beside[h], ", "))
	}
	return out
}

// ledBy is the nearest headquarters that can activate a unit, the first of those that may for
// one that comes on to the map; nil if there is none.
func (a *guide) ledBy(u *Unit) (best *Unit) {
	if u.c.Side != a.side || !u.combat() || !a.comes(u) || a.s.foreign(u) != nil {
		return nil
	}
	for i := range a.s.Units {
		hq := &a.s.Units[i]
		usable := hq.c.Side == a.side && !hq.combat() && a.comes(hq) && a.s.mayActivate(hq, u)
		switch {
		case !usable:
		case u.Where != OnMap:
			return hq
		case !a.s.inRange(hq, u.Hex):
		case best == nil, a.s.sc.land.grid.Distance(hq.Hex, u.Hex) < a.s.sc.land.grid.Distance(best.Hex, u.Hex):
			best = hq
		}
	}
	return best
}

// alone are the hexes of the units that no headquarters leads: they act by the individual hex.
func (a *guide) alone() (out []adjudicator.Offer) {
	on := map[hex.Hex][]string{}
	for u := range a.s.fielded(a.side) {
		if u.combat() && a.ledBy(u) == nil && a.s.foreign(u) == nil {
			on[u.Hex] = append(on[u.Hex], u.c.Name)
		}
	}
	for h, who := range on {
		o := a.try(adjudicator.Offer{Section: soloVerb + h.String(), Verb: "SOLO"})
		o.Understood = "below it orders for " + strings.Join(who, ", ")
		out = append(out, o)
	}
	slices.SortFunc(out, func(x, y adjudicator.Offer) int { return strings.Compare(x.Section, y.Section) })
	return out
}
