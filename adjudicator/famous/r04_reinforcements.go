package famous

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// due tells whether a reinforcement may enter this turn.
func (s *State) due(u *Unit) bool {
	if u.Where != Later {
		return false
	}
	n, ok := s.sc.arrival[u.ID]
	if !ok {
		return false
	}
	a := s.sc.Arrivals[n]
	// GD 4.0/1: they come from their turn on
	// GD 4.0/9: or later, if their owner likes
	if s.Turn < a.Turn {
		return false
	}
	return a.Condition == "" || s.Opened // GD 21.4/4
}

// enter brings reinforcements to the hex beside which they come on.
//
// reading GD 4.0: who enters by the same hex as others before pays no more than they.
func (s *State) enter(r *adjudicator.Run, o *moveOrder) *rule.Violation {
	for _, u := range o.units {
		if u.Where != Later {
			return &rule.Violation{Clause: "GD 4.0", Why: u.c.Name + " is not off the map"}
		}
		if !s.due(u) {
			return &rule.Violation{Clause: "GD 4.0", Why: u.c.Name + " is not due yet"}
		}
		if !u.did.active {
			return &rule.Violation{Clause: "GD 6.0", Why: u.c.Name + " is not activated"}
		}
	}
	at, v := s.entryHex(o.units, o.enter)
	if v != nil {
		return v
	}
	i := s.sc.Board.Grid.Index(at)
	if v := s.entersWhole(o, at); v != nil {
		return v
	}
	if !o.goesOn() && !s.fits(i, o.units...) {
		return &rule.Violation{Clause: "GD 7.1", Why: fmt.Sprintf("%v is full", at), Instead: "Let them go on: TO and a hex."}
	}
	for _, u := range o.units {
		u.did.spent = s.entryCost(u, i)
		s.put(u, at)
		s.choosesEntry(u, o.enter)
		u.did.started, u.did.entered = true, true
	}
	return nil
}

// entersWhole tells why units cannot come on as a stack: no hex like their first holds them.
//
// GD 4.0/4
func (s *State) entersWhole(o *moveOrder, at hex.Hex) *rule.Violation {
	all := 0
	for _, u := range o.units {
		all += s.size(u)
	}
	if all <= s.sc.stackLimit(s.sc.Board.Grid.Index(at)) || s.sc.before(3) {
		return nil
	}
	return &rule.Violation{Clause: "GD 7.1", Why: fmt.Sprintf("%v does not hold so many units as a stack", at), Instead: "Let them come on in several lines."}
}

// choosesEntry: where a battalion comes on as a whole, its first unit chooses for all.
//
// GD 18.4/9
func (s *State) choosesEntry(u *Unit, zone string) {
	for v := range s.battalion(u.c.Side, u.c.Battalion) {
		if n, ok := s.sc.arrival[v.ID]; ok && s.sc.Arrivals[n].Together {
			v.Via = strings.ToUpper(zone)
		}
	}
}

// entryCost is what a reinforcement has spent when it comes on: what the other terrain
// of the hex asks.
//
// GD 9.0/11
func (s *State) entryCost(u *Unit, i int) Cost {
	p := s.sc.ground[i].price[u.class()]
	if p.Closed {
		p = Price{Points: One} // it comes by the road
	}
	spent, _ := purse{printed: u.printed(), allowance: s.allowance(u)}.pay(p)
	return spent
}

// arrived tells of an entry and lets the enemy fire at it. It reports whether
// anybody goes on.
//
// GD 4.0/6: from now on all rules of movement hold for them
func (s *State) arrived(r *adjudicator.Run, m *march) bool {
	if r == nil {
		return true
	}
	lead, whole := m.units[0], slices.Clone(m.units)
	s.spoilPontoons(r, lead)
	// GD 4.0/7: they may be fired at as they come
	if !s.fireUpon(r, m, lead.Hex) {
		m.units = slices.DeleteFunc(m.units, func(u *Unit) bool { return !u.onMap() })
		m.finish(whole)
		return false
	}
	if s.threatened(lead.idx, lead.c.side) {
		m.stop = inEnemyZone
		m.finish(m.units)
		return false
	}
	return true
}

// entryHex is where units come on by an entry: its hex, or the closest that can
// be entered on the same edge if the enemy or a pinned stack stands there.
func (s *State) entryHex(units []*Unit, zone string) (hex.Hex, *rule.Violation) {
	// GD 4.0/5: through the entry hex of their letter
	for _, u := range units {
		a := s.sc.Arrivals[s.sc.arrival[u.ID]]
		if !slices.ContainsFunc(a.Entry, func(z string) bool { return strings.EqualFold(z, zone) }) {
			return hex.None, &rule.Violation{Clause: "GD 4.0", Why: fmt.Sprintf("%s enters by %s, not by %s", u.c.Name, strings.Join(a.Entry, " or "), zone)}
		}
		if u.Via != "" && !strings.EqualFold(u.Via, zone) {
			return hex.None, &rule.Violation{Clause: "GD 18.4", Why: fmt.Sprintf("%s enters by %s as a whole", u.c.Battalion, u.Via)}
		}
	}
	z := s.sc.Board.Zone(zone)
	for _, h := range z.Hexes {
		if s.enterable(h, units) {
			return h, nil
		}
	}
	best := s.nearOnEdge(z.Hexes[0], units)
	if best == hex.None { // GD 4.0/11
		return best, &rule.Violation{Clause: "GD 4.0", Why: "no hex of that edge of the map can be entered", Instead: "They wait; their chit stays in the cup."}
	}
	return best, nil
}

// nearOnEdge is the closest hex on the same edge that can be entered, None if there is none.
//
// GD 4.0/8
func (s *State) nearOnEdge(entry hex.Hex, units []*Unit) hex.Hex {
	g := s.sc.Board.Grid
	best := hex.None
	for i := range g.Len() {
		h := g.At(i)
		if best != hex.None && g.Distance(h, entry) >= g.Distance(best, entry) {
			continue
		}
		if s.sc.ground[i].on && sameEdge(g, h, entry) && s.enterable(h, units) {
			best = h
		}
	}
	return best
}

// enterable: no enemy, no pinned friends, and open to all of them.
func (s *State) enterable(h hex.Hex, units []*Unit) bool {
	i := s.sc.Board.Grid.Index(h)
	if s.enemyOn(i, units[0].c.side) {
		return false
	}
	if slices.ContainsFunc(s.unitsAt(i), func(u *Unit) bool { return u.Pinned }) {
		return false
	}
	if s.sc.onRoad(i) {
		return true
	}
	return !slices.ContainsFunc(units, func(u *Unit) bool { return s.sc.ground[i].price[u.class()].Closed })
}

// onRoad tells whether a road leads into a hex.
func (sc *Scenario) onRoad(i int) bool {
	return slices.ContainsFunc(sc.edges[i*6:i*6+6], func(e side) bool { return e.road != nil })
}

// edgesOfMap are the edges as Grid.Border calls them.
var edgesOfMap = []string{"top", "bottom", "left", "right"}

// sameEdge: both hexes lie on one edge of the grid.
func sameEdge(g hex.Grid, a, b hex.Hex) bool {
	return slices.ContainsFunc(edgesOfMap, func(e string) bool { return g.Border(a, e) && g.Border(b, e) })
}

// onEdge: the hex lies on an edge of the grid.
func onEdge(g hex.Grid, h hex.Hex) bool {
	return slices.ContainsFunc(edgesOfMap, func(e string) bool { return g.Border(h, e) })
}

// replacements ends a calendar day: each side may rebuild a depleted leg unit.
//
// GD 3.5/7
func (s *State) replacements(r *adjudicator.Run) {
	for _, side := range s.sc.Sides {
		s.replacement(r, side)
	}
}

// replacement rolls for the replacement of a side, and rebuilds.
//
// GD 4.1/1
func (s *State) replacement(r *adjudicator.Run, side Side) {
	able := s.rebuildable(side)
	label := "replacement " + string(side)
	die := r.Roll("GD 4.1", label, 1, 6)[0]
	net := die + s.weather().Replacement // GD 4.1/4
	e := view.Event{Kind: "replacement", Clause: "GD 4.1", Rolls: []string{label}, To: []string{string(side)},
		Facts: view.Pairs{"side", string(side), "dice", fmt.Sprint(die), "label", label, "roll", fmt.Sprint(net)}}
	ersatz := slices.DeleteFunc(slices.Clone(able), func(u *Unit) bool { return !s.besideErsatz(u) })
	var rebuilt []*Unit
	// GD 4.1/2: a roll of 3 or less rebuilds one
	// GD 4.1/3: a roll of 4 or more rebuilds none
	// reading GD 4.1: a modified roll below 1 rebuilds as well, one above 6 as little as a 6.
	free := len(able) > 0 && net <= 3
	if free {
		rebuilt = append(rebuilt, s.chooseReplacement(r, side, able))
		ersatz = slices.DeleteFunc(ersatz, func(u *Unit) bool { return slices.Contains(rebuilt, u) })
		// reading GD 4.1: a Field Ersatz helps where the die fails, and rebuilds nobody besides (switch ersatz_extra).
		if !s.sc.Switches.ErsatzExtra {
			ersatz = nil
		}
	}
	// GD 4.1/8: with a Field Ersatz whatever the die says
	// GD 4.1/12: if the unit could be rebuilt at all
	if len(ersatz) > 0 {
		e.Facts = e.Facts.With("ersatz", "yes")
		rebuilt = append(rebuilt, s.chooseReplacement(r, side, ersatz))
	}
	for _, u := range rebuilt {
		u.Steps = 2
	}
	e.Facts = e.Facts.With("units", names(rebuilt))
	r.Tell(e)
}

// rebuildable are the units that may be rebuilt: depleted ones on foot with a
// path to their headquarters, away from enemy zones and direct fire.
//
// GD 4.1/10: eliminated units never come back
// reading GD 4.1: who is rebuilt stands out of range and sight of direct fire as by day, although
// it is night then and there is none: or the duty would be void.
// reading GD 4.1: replacements for leg units are for debarked ones too.
// reading GD 7.1: nobody is rebuilt where the hex would then hold too much.
func (s *State) rebuildable(side Side) []*Unit {
	p := s.supplyPaths(int8(s.sc.number(side)))
	var out []*Unit
	for u := range s.onMap(side) {
		onFoot := u.class() == Leg
		if onFoot && u.depleted() && s.quietPlace(u) && s.fed(p, u) {
			out = append(out, u)
		}
	}
	return out
}

// quietPlace: out of the enemy's zones and fire, with room for another half unit.
func (s *State) quietPlace(u *Unit) bool {
	switch {
	case s.threatened(u.idx, u.c.side): // GD 4.1/5
		return false
	case s.inFire(u.idx, u.c.side): // GD 4.1/6
		return false
	}
	all, _ := s.stacked(u.idx)
	return all < s.sc.stackLimit(u.idx)
}

// fed: a path joins the unit with its battalion's or its division's headquarters.
//
// GD 4.1/7
func (s *State) fed(p paths, u *Unit) bool {
	for _, hq := range []*Unit{s.hq(u.c.Side, u.c.Battalion), s.div(u.c.Side)} {
		if hq != nil && s.joined(p, u.idx, hq.idx) {
			return true
		}
	}
	return false
}

// besideErsatz: stacked with a supplied Field Ersatz.
//
// GD 4.1/9
func (s *State) besideErsatz(u *Unit) bool {
	return slices.ContainsFunc(s.unitsAt(u.idx), func(v *Unit) bool {
		supplied := v.Unsupplied == 0
		return v.c.Ersatz && supplied && v != u
	})
}

// chooseReplacement asks whom to rebuild. The default is the best defence, then
// the best attack.
//
// GD 4.1/11
func (s *State) chooseReplacement(r *adjudicator.Run, side Side, able []*Unit) *Unit {
	st := s.plan(r, side)
	best := slices.MaxFunc(able, func(a, b *Unit) int {
		va, vb := a.c.Full, b.c.Full
		return cmp.Or(cmp.Compare(rank(st.replace, b), rank(st.replace, a)),
			cmp.Compare(va.Defence, vb.Defence), cmp.Compare(va.Attack, vb.Attack), cmp.Compare(b.ID, a.ID))
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
	k := slices.IndexFunc(list, func(n string) bool { return strings.EqualFold(n, u.c.Name) })
	if k < 0 {
		return len(list)
	}
	return k
}
