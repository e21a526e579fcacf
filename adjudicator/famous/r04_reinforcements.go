package famous

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// due tells whether a reinforcement may enter this turn.
//
// GD 4.0/1
// GD 4.0/9
// GD 21.4/4
func (s *State) due(u *Unit) bool {
	if u.Where != Later {
		return false
	}
	n, ok := s.sc.arrival[u.ID]
	if !ok {
		return false
	}
	a := s.sc.Arrivals[n]
	return s.Turn >= a.Turn && (a.Condition == "" || s.Opened)
}

// enter brings reinforcements to the hex beside which they come on. They pay for
// it as other terrain in the hex.
//
// GD 4.0/4
// GD 4.0/5
// GD 9.0/11
// reading GD 4.0: who follows through the same hex pays no more.
func (s *State) enter(r *adjudicator.Run, o *moveOrder) *rule.Violation {
	for _, u := range o.units {
		if u.Where != Later {
			return &rule.Violation{Clause: "GD 4.0", Why: u.c.Name + " is not off the map"}
		}
		if !s.due(u) {
			return &rule.Violation{Clause: "GD 4.0", Why: u.c.Name + " is not due yet"}
		}
		if !u.active {
			return &rule.Violation{Clause: "GD 6.0", Why: u.c.Name + " is not activated"}
		}
	}
	at, v := s.entryHex(o.units, o.enter)
	if v != nil {
		return v
	}
	if !s.fits(s.sc.Board.Grid.Index(at), o.units...) && o.to == hex.None && len(o.path) == 0 {
		return &rule.Violation{Clause: "GD 7.1", Why: fmt.Sprintf("%v is full", at), Instead: "Let them go on: TO and a hex."}
	}
	for _, u := range o.units {
		g := &s.sc.ground[s.sc.Board.Grid.Index(at)]
		p := g.price[u.class()]
		if g.price[u.class()].Closed {
			p = Price{Points: One}
		}
		u.spent, _ = pay(p, u.printed(), s.allowance(u), 0, false)
		s.put(u, at)
		u.started, u.entered = true, true
	}
	return nil
}

// arrived tells of an entry and lets the enemy fire at it. It reports whether
// anybody goes on.
//
// GD 4.0/6
// GD 4.0/7
func (s *State) arrived(r *adjudicator.Run, m *march) bool {
	if r == nil {
		return true
	}
	lead := m.units[0]
	s.spoilPontoons(r, lead)
	if !s.fireUpon(r, m, lead.Hex) {
		return false
	}
	if s.threatened(lead.idx, lead.c.side) {
		m.stop = "in an enemy zone of control"
		m.finish(m.units)
		return false
	}
	return true
}

// entryHex is where units come on by an entry: its hex, or the closest that can
// be entered on the same edge if the enemy or a pinned stack stands there.
//
// GD 4.0/8
func (s *State) entryHex(units []*Unit, zone string) (hex.Hex, *rule.Violation) {
	for _, u := range units {
		a := s.sc.Arrivals[s.sc.arrival[u.ID]]
		if !slices.ContainsFunc(a.Entry, func(z string) bool { return strings.EqualFold(z, zone) }) {
			return hex.None, &rule.Violation{Clause: "GD 4.0", Why: fmt.Sprintf("%s enters by %s, not by %s", u.c.Name, strings.Join(a.Entry, " or "), zone)}
		}
	}
	z := s.sc.Board.Zone(zone)
	for _, h := range z.Hexes {
		if s.enterable(h, units) {
			return h, nil
		}
	}
	g := s.sc.Board.Grid
	best := hex.None
	for i := range g.Len() {
		h := g.At(i)
		if s.sc.ground[i].on && sameEdge(g, h, z.Hexes[0]) && s.enterable(h, units) && (best == hex.None || g.Distance(h, z.Hexes[0]) < g.Distance(best, z.Hexes[0])) {
			best = h
		}
	}
	if best == hex.None {
		return best, &rule.Violation{Clause: "GD 4.0", Why: "no hex of that edge of the map can be entered", Instead: "They wait; their chit stays in the cup."}
	}
	return best, nil
}

// enterable: no enemy, no pinned friends, and open to all of them.
func (s *State) enterable(h hex.Hex, units []*Unit) bool {
	i := s.sc.Board.Grid.Index(h)
	if s.holds(i) == int(1-units[0].c.side) {
		return false
	}
	for _, u := range s.unitsAt(i) {
		if u.Pinned {
			return false
		}
	}
	road := false
	for d := hex.N; d <= hex.NW; d++ {
		road = road || s.sc.edges[i*6+int(d)].road != nil
	}
	for _, u := range units {
		if s.sc.ground[i].price[u.class()].Closed && !road {
			return false
		}
	}
	return true
}

// sameEdge: both hexes lie on one edge of the grid.
func sameEdge(g hex.Grid, a, b hex.Hex) bool {
	for _, e := range []string{"top", "bottom", "left", "right"} {
		if g.Border(a, e) && g.Border(b, e) {
			return true
		}
	}
	return false
}

// replacements ends a calendar day: each side may rebuild a depleted leg unit.
//
// GD 3.5/7
// GD 4.1/1
// GD 4.1/2
// GD 4.1/3
// GD 4.1/4
// GD 4.1/8
func (s *State) replacements(r *adjudicator.Run) {
	for _, side := range s.sc.Sides {
		able := s.rebuildable(side)
		label := "replacement " + string(side)
		die := r.Roll("GD 4.1", label, 1, 6)[0]
		net := die + s.weather().Replacement
		free := len(able) > 0 && net <= 3
		ersatz := slices.DeleteFunc(slices.Clone(able), func(u *Unit) bool { return !s.besideErsatz(u) })
		e := view.Event{Kind: "replacement", Clause: "GD 4.1", Rolls: []string{label}, To: []string{string(side)},
			Facts: map[string]string{"side": string(side), "dice": fmt.Sprint(die), "label": label, "roll": fmt.Sprint(net)}}
		var rebuilt []*Unit
		if free {
			rebuilt = append(rebuilt, s.chooseReplacement(r, side, able))
		}
		if len(ersatz) > 0 && (!free || s.sc.Switches.ErsatzExtra) {
			ersatz = slices.DeleteFunc(ersatz, func(u *Unit) bool { return slices.Contains(rebuilt, u) })
			if len(ersatz) > 0 {
				e.Facts["ersatz"] = "yes"
				rebuilt = append(rebuilt, s.chooseReplacement(r, side, ersatz))
			}
		}
		for _, u := range rebuilt {
			u.Steps = 2
		}
		e.Facts["units"] = names(rebuilt)
		r.Tell(e)
	}
}

// rebuildable are the units that may be rebuilt: depleted ones on foot with a
// path to their headquarters, away from enemy zones and direct fire.
//
// GD 4.1/5
// GD 4.1/6
// GD 4.1/7
// GD 4.1/10
// reading GD 4.1: in range means range and sight; that it is night then, without direct fire, does not matter, or the duty would be void.
// reading GD 4.1: debarked units are leg units.
// reading GD 7.1: nobody is rebuilt where the hex would then hold too much.
func (s *State) rebuildable(side Side) []*Unit {
	n := int8(s.sc.number(side))
	p := s.supplyPaths(n)
	var out []*Unit
	for i := range s.Units {
		u := &s.Units[i]
		if u.c.side != n || u.Where != OnMap || u.Steps != 1 || !u.c.TwoSteps || u.class() != Leg || s.threatened(u.idx, n) || s.inFire(u.idx, n) {
			continue
		}
		if all, _ := s.stacked(u.idx); all >= s.sc.stackLimit(u.Hex) {
			continue // he would count for another half
		}
		own, div := s.hq(side, u.c.Battalion), s.div(side)
		if own != nil && s.joined(p, u.idx, own.idx, n) || div != nil && s.joined(p, u.idx, div.idx, n) {
			out = append(out, u)
		}
	}
	return out
}

// besideErsatz: stacked with a supplied Field Ersatz.
//
// GD 4.1/9
func (s *State) besideErsatz(u *Unit) bool {
	for _, v := range s.unitsAt(u.idx) {
		if v.c.Ersatz && v != u && v.Unsupplied == 0 {
			return true
		}
	}
	return false
}

// chooseReplacement asks whom to rebuild. The default is the best defence, then
// the best attack.
func (s *State) chooseReplacement(r *adjudicator.Run, side Side, able []*Unit) *Unit {
	st := s.plan(r, side)
	best := slices.MaxFunc(able, func(a, b *Unit) int {
		ra, rb := rank(st.replace, a), rank(st.replace, b)
		if ra != rb {
			return rb - ra
		}
		va, vb := a.c.Full, b.c.Full
		if va.Defence != vb.Defence {
			return va.Defence - vb.Defence
		}
		if va.Attack != vb.Attack {
			return va.Attack - vb.Attack
		}
		return strings.Compare(b.ID, a.ID)
	})
	d := adjudicator.Decision{Label: s.label("rebuild %s", side), Kind: kindReplacement, Side: side, Clause: "GD 4.1", Proposal: best.c.Name, Source: st.source(len(st.replace) > 0)}
	for _, u := range able {
		d.Options = append(d.Options, adjudicator.Option{Answer: u.c.Name, Means: fmt.Sprintf("rebuild %s on %v", u.c.Name, u.Hex)})
	}
	return s.called(able, r.Ask(d)[0])
}

// called is the unit of a list with that name.
func (s *State) called(us []*Unit, name string) *Unit {
	for _, u := range us {
		if u.c.Name == name {
			return u
		}
	}
	return nil
}

// rank is the place of a unit in a list of names, one beyond its end if it is not there.
func rank(list []string, u *Unit) int {
	for i, n := range list {
		if strings.EqualFold(n, u.c.Name) {
			return i
		}
	}
	return len(list)
}
