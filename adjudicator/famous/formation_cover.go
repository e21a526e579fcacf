package famous

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

// Orders to a formation that came with the eighth version of the rules: to lie in wait for whoever
// comes to a place, and to keep guns for others.
const (
	verbCover   verb = "COVER"
	verbSupport verb = "SUPPORT"
)

// overlooked is, by hex, how many enemies whom the side sees could fire at it directly.
func (p *parser) overlooked() []int8 {
	s := p.s
	seen := make([]int8, len(s.at))
	for e := range s.onMap(s.sc.Other(p.side)) {
		isKnown := e.Hex != hex.None && s.watches(p.side, e.Hex)
		if e.c.Direct == 0 || !isKnown {
			continue
		}
		for i := range seen {
			if s.commands(e, i) {
				seen[i]++
			}
		}
	}
	return seen
}

// coverWays are the orders that bring a unit to where it can fire at the goal of COVER and the fewest
// known enemies could fire at it, the best first; none for one that has no better place.
func (p *parser) coverWays(f formation, u *Unit) (out []string) {
	s := p.s
	goal, seen := s.sc.Board.Grid.Index(f.goals[0]), p.overlooked()
	covers := func(i int) bool { return s.sc.distance(i, goal) <= u.c.Direct && s.sc.sees(i, goal) }
	reach := s.search(u, u.idx, false)
	defer s.sc.done(reach)
	var places []int
	for _, i := range reach.order {
		if covers(i) && s.fits(i, u) && !s.threatened(i, u.c.side) && !reach.starts(i) {
			places = append(places, i)
		}
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(seen[a], seen[b]) })
	for _, i := range places[:min(mostTries, len(places))] {
		if covers(u.idx) && seen[u.idx] <= seen[i] {
			break // it stands as well there
		}
		out = append(out, fmt.Sprintf("MOVE %s TO %v", u.c.upper, s.sc.Board.Grid.At(i)))
	}
	return out
}

// coveredWays are the orders that bring a unit towards the goal of its formation by hexes that as few
// known enemies as can be overlook, the farthest first.
func (p *parser) coveredWays(f formation, u *Unit, who string, reach *field) (out []string) {
	s, grid := p.s, &p.s.sc.Board.Grid
	way := s.wayTo(u, u.idx, f.goals[0], !f.contact, p.overlooked())
	for k := len(way); k > 0; k-- {
		i := way[k-1]
		free := reach.reached(i) && s.fits(i, u) && (f.contact || !s.threatened(i, u.c.side))
		if !free {
			continue
		}
		path := u.Hex.String()
		for _, j := range way[:k] {
			path += "-" + grid.At(j).String()
		}
		if out = append(out, fmt.Sprintf("MOVE %s %s", who, path)); len(out) == mostTries {
			break
		}
	}
	return out
}

// supported are the orders to guns that SUPPORT becomes: they are kept for a battalion whose chit is
// still to come; else they shell the best target beside it, or the hex that is named.
func (p *parser) supported(f formation, at orders.Pos) (out []phrase.Written) {
	order := func(text string) {
		if f.guard != "" {
			text += "; " + f.guard
		}
		o := phrase.Read(text)
		o.Sheet = orders.Order{Pos: at}
		out = append(out, o)
	}
	var guns []*Unit
	for u := range p.s.battalion(p.side, p.bn) {
		if u.isGun() && u.stands() && u.did.active && !u.Fired && !f.keeps(u) {
			guns = append(guns, u)
		}
	}
	if f.of != "" && p.s.isToCome(p.side, f.of) {
		if len(guns) > 0 {
			order(fmt.Sprintf("SUPPORT %s WITH %s", strings.ToUpper(f.of), upperNames(guns)))
		}
		return out
	}
	targets := f.goals
	if f.of != "" {
		targets = p.foesBeside(f.of)
	}
	var best []*Unit
	target := hex.None
	for _, h := range targets {
		able := slices.DeleteFunc(slices.Clone(guns), func(u *Unit) bool { return p.s.mayBarrage(u, h) != nil })
		if len(able) > len(best) {
			best, target = able, h
		}
	}
	if len(best) > 0 {
		order(fmt.Sprintf("BARRAGE %v WITH %s", target, upperNames(best)))
	}
	return out
}

// keeps tells whether a formation leaves a unit out.
func (f formation) keeps(u *Unit) bool {
	return slices.ContainsFunc(f.keep, func(k keeping) bool { return slices.Contains(k.units, u) })
}

// foesBeside are the hexes of enemies that stand beside units of a battalion, the strongest first.
func (p *parser) foesBeside(bn string) (out []hex.Hex) {
	s := p.s
	for i := range s.at {
		h := s.sc.Board.Grid.At(i)
		beside := func(n hex.Hex) bool {
			return slices.ContainsFunc(s.on(n), func(u *Unit) bool { return u.c.Side == p.side && u.c.Battalion == bn })
		}
		if s.holder(h) == s.sc.Other(p.side) && slices.ContainsFunc(s.sc.Board.Grid.Neighbours(h), beside) {
			out = append(out, h)
		}
	}
	slices.SortStableFunc(out, func(a, b hex.Hex) int {
		return cmp.Compare(s.knownDefence(p.side, b), s.knownDefence(p.side, a))
	})
	return out
}

func upperNames(us []*Unit) string {
	var out []string
	for _, u := range us {
		out = append(out, u.c.upper)
	}
	return strings.Join(out, ", ")
}

// support reads SUPPORT 2PZ WITH HUMMEL, WESPE: guns that are kept for the attacks of a battalion.
func (p *parser) support(in *instruction, r *phrase.Reader) (v *rule.Violation) {
	if v = p.s.sc.tooNew(8, "SUPPORT"); v != nil {
		return v
	}
	if in.keptFor, v = p.battalion(phrase.Join(r.Take("WITH"))); v != nil {
		return v
	}
	if !r.Skip("WITH") {
		return &rule.Violation{Clause: "GD 10.2", Why: "SUPPORT of a battalion by units needs WITH and the guns"}
	}
	in.units, v = p.units(r.Words)
	return v
}

// keepGuns keeps guns for the attacks of a battalion in this turn: no attack of others takes them of
// its own accord, and theirs do.
//
// deviation GD 10.2: guns that need no activation to support may be kept for one battalion by an
// order, as their owner at a table would keep them.
func (s *State) keepGuns(r *adjudicator.Run, in *instruction) *rule.Violation {
	if !s.isToCome(in.units[0].c.Side, in.keptFor) {
		return &rule.Violation{Clause: "GD 10.2", Why: "no chit of " + in.keptFor + " is to come in this turn, so no guns are kept for it"}
	}
	for _, u := range in.units {
		if v := s.mayBeKept(u); v != nil {
			return v
		}
	}
	for _, u := range in.units {
		u.KeptFor = in.keptFor
	}
	s.tellOwn(r, in.units[0].c.Side, view.Event{Kind: "kept", Clause: "GD 10.2", Facts: view.Pairs{"units", names(in.units), "for", in.keptFor}})
	return nil
}

// isToCome tells whether a chit of a battalion is still to be drawn in this turn.
func (s *State) isToCome(side Side, battalion string) bool {
	return slices.Contains(slices.Concat(s.First, s.Cup), chitKey(side, battalion))
}

// mayBeKept tells why a unit is no gun that could be kept for others.
func (s *State) mayBeKept(u *Unit) *rule.Violation {
	switch {
	case !u.isGun():
		return &rule.Violation{Clause: "GD 10.2", Why: u.c.Name + " is not artillery"}
	case !u.stands():
		return &rule.Violation{Clause: "GD 10.2", Why: u.c.Name + " is not on the map"}
	case u.Fired:
		return &rule.Violation{Clause: "GD 10.2", Why: u.c.Name + " has fired"}
	}
	return nil
}

// free are guns without those that are kept for another battalion than the one that attacks.
func (b *battle) free(guns []*Unit) []*Unit {
	return slices.DeleteFunc(guns, func(g *Unit) bool { return g.KeptFor != "" && g.KeptFor != b.battalion() })
}

// kept are the guns that are kept for the battalion that attacks and can join.
func (b *battle) kept() []*Unit {
	return slices.DeleteFunc(b.s.available(b.side, b.target, false, b.units), func(g *Unit) bool { return g.KeptFor == "" || g.KeptFor != b.battalion() })
}

// battalion is that of the first attacker.
func (b *battle) battalion() string {
	if len(b.units) == 0 {
		return ""
	}
	return b.units[0].c.Battalion
}
