package wb95

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// The notes of Nysa 1945, each switched on by the data of a scenario (load_notes.go).

// forbidden says why a note keeps the counter from stepping between two hexes,
// "" if none does.
//
// reading WB-95 3.1.4: a limit holds for every movement: strategic movement,
// retreat and pursuit too. Units may attack over it.
// reading WB-95 2.1.1: units that a note forbids to leave a town may go about in it.
func (sc *Scenario) forbidden(c *Counter, from, to hex.Hex) string {
	for i := range sc.Notes.Limits {
		m := &sc.Notes.Limits[i]
		if !m.of(c) {
			continue
		}
		if m.forbids(from, to) {
			return m.Text
		}
	}
	return ""
}

// forbids tells whether the step goes too far east, over a closed river, or out of the
// place that its units never leave.
func (m *Limit) forbids(from, to hex.Hex) bool {
	switch {
	case m.Column > 0 && to.Col() > m.Column:
		return true
	case m.banks[hex.Between(from, to)]:
		return true
	}
	return slices.Contains(m.hexes, from) && !slices.Contains(m.hexes, to)
}

// still tells whether a note keeps the counter from being activated in this turn.
//
// reading WB-95 2.1.1: Germans who are not activated do not move, entrench or fire at range, and
// attack only where bound to; guns may support.
func (s *State) still(c *Counter) *Limit {
	for i := range s.sc.Notes.Limits {
		if m := &s.sc.Notes.Limits[i]; m.of(c) && s.Turn <= m.Still {
			return m
		}
	}
	return nil
}

// rationed says which unit has used up the day's entries of those that come so
// many a day.
//
// reading WB-95 11.1.1: the Soviet player chooses the American regiment of the day among all that
// are not in play, for the book names none; a day on which none came is not made up for.
func (s *State) rationed(u *Unit) *rule.Violation {
	for i := range s.sc.Notes.Limits {
		m := &s.sc.Notes.Limits[i]
		if m.ADay == 0 || !m.of(u.c) {
			continue
		}
		came := slices.DeleteFunc(s.cameToday(u), func(v *Unit) bool { return !m.of(v.c) })
		if len(came) >= m.ADay {
			return &rule.Violation{Clause: "WB-95 11.1.1", Why: fmt.Sprintf("%s, and today it was %s", m.Text, names(came)), Instead: "Enter it on a later turn."}
		}
	}
	return nil
}

// arrival is how a unit that is off the map comes on: as its line of the
// reinforcements says, or, if it left the map, by the zone it left through.
//
// WB-95 11.2.3
func (s *State) arrival(u *Unit) Arrival {
	if u.Left == "" {
		return s.sc.arrival(u.ID)
	}
	a := Arrival{Counter: u.ID}
	if s.sc.exitCondition(u.Left) == nil {
		a.Entry = []string{u.Left}
	}
	return a
}

// exitCondition is the strategic victory for which units leave through the zone,
// nil if there is none.
func (sc *Scenario) exitCondition(zone string) *Strategic {
	for i := range sc.Strategic {
		if c := &sc.Strategic[i]; c.Kind == winExit && c.leavesBy(zone) {
			return c
		}
	}
	return nil
}

// leavesBy tells whether the zone is the one that the condition names.
func (c *Strategic) leavesBy(zone string) bool {
	return c.Zone != "" && strings.EqualFold(c.Zone, zone)
}

// exitZone is the name and the hexes of a zone by which the side may leave the map.
//
// WB-95 11.2.3
// reading WB-95 11.2.3: a zone that a victory condition names is for the side
// that it is about; every other zone is open to both.
func (s *State) exitZone(name string, side Side) (string, []hex.Hex, *rule.Violation) {
	if c := s.sc.exitCondition(name); c != nil {
		if c.Side != side {
			return "", nil, &rule.Violation{Clause: "WB-95 11.2.3", Why: fmt.Sprintf("zone %s is not ours to leave by", c.Zone)}
		}
		return c.Zone, c.Hexes, nil
	}
	for _, z := range s.sc.entryZones() {
		if strings.EqualFold(z.ID, name) {
			return z.ID, z.Hexes, nil
		}
	}
	return "", nil, &rule.Violation{Clause: "WB-95 11.2.3", Why: fmt.Sprintf("%q is not a zone of this map", name), Instead: "Write EXIT and the letter of a zone."}
}

// exitGoal is the hex of the zone from which the unit leaves: the one it gets to
// with the most points left.
func (m *march) exitGoal(zone string, seeds []seed, standing bool) (hex.Hex, *rule.Violation) {
	_, hexes, v := m.s.exitZone(zone, m.u.c.Side)
	if v != nil {
		return hex.None, v
	}
	for _, limit := range []Cost{m.start, far} {
		f, best, least := m.search(seeds, limit, standing), hex.None, Cost(0)
		for _, h := range hexes {
			c, ok := f.to(h)
			switch {
			case !ok:
			case best == hex.None, c < least:
				best, least = h, c
			}
		}
		if best != hex.None {
			return best, nil
		}
	}
	return hex.None, &rule.Violation{Clause: "WB-95 3.1.4", Why: fmt.Sprintf("no way leads to zone %s", strings.ToUpper(zone))}
}

// leaveMap takes the unit off the map through a zone, from the hex it has come to.
//
// WB-95 11.2.3
// reading WB-95 11.2.3: leaving costs the price of a clear hex, and one point more
// out of an enemy zone of control; the cap of 3.1.13 does not help; a unit that had
// to stop in an enemy zone cannot leave.
// reading WB-95 11.2.3: off the map it is in supply and works off four levels; it
// may come back by the same zone from the next turn on. What leaves through the
// zone of a victory condition stays away.
func (m *march) leaveMap(name string, tell teller) (note string, v *rule.Violation) {
	s, u := m.s, m.u
	zone, hexes, v := s.exitZone(name, u.c.Side)
	if v != nil {
		return "", v
	}
	i := s.sc.Board.Grid.Index(m.at)
	price := s.sc.terrainOf("clear").price(m.row) + m.leaving(i)
	switch {
	case !slices.Contains(hexes, m.at):
		return "", &rule.Violation{Clause: "WB-95 11.2.3", Why: fmt.Sprintf("%v is not a hex of zone %s", m.at, zone)}
	case m.enemy.on[i] && m.walked:
		return "", &rule.Violation{Clause: "WB-95 4.2.1", Why: fmt.Sprintf("%v is in an enemy zone of control: it must stop there", m.at), Instead: m.stopHere()}
	case m.spent+price > m.start:
		return "", &rule.Violation{Clause: "WB-95 3.1.5", Why: fmt.Sprintf("leaving the map costs %v MP, %v of %v are left", price, m.start-m.spent, m.start), Instead: m.stopHere()}
	}
	m.spent += price
	at := m.at
	s.lift(u)
	u.Where, u.Hex, u.Left, u.Due, u.Through = Later, hex.None, zone, s.Turn+1, hex.None
	u.OoS, u.Supplied, u.Retreated, u.Active = max(0, u.OoS-4), true, false, true
	facts := view.Pairs{"unit", u.c.Name, "hex", at.String(), "zone", zone, "side", s.sc.nameOf(u.c.Side), "count", "", "of", ""}
	if c := s.sc.exitCondition(zone); c != nil {
		u.Due = 0
		s.tellLedOff(facts, c)
	}
	tell.tell(view.Event{Kind: "left-map", Clause: "WB-95 11.2.3", To: to(u.c.Side), Hexes: []hex.Hex{at}, Facts: facts})
	return "leaves the map through zone " + zone, nil
}

// showLeavers tells the enemy of the stacks that have left the map in this phase.
//
// reading WB-95 16.1.1: of who left the map the enemy is told where they stood and by which zone
// they went, not what was in the stack.
func (s *State) showLeavers(side Side, before []hex.Hex, tell teller) {
	seen := map[string]bool{}
	for i := range s.Units {
		u := &s.Units[i]
		if u.Where != Later || before[i] == hex.None {
			continue
		}
		if u.c.Side != side {
			continue
		}
		facts := view.Pairs{"hex", before[i].String(), "zone", u.Left, "count", "", "of", ""}
		if c := s.sc.exitCondition(u.Left); c != nil {
			s.tellLedOff(facts, c)
		}
		key := facts.Get("hex") + facts.Get("zone")
		if seen[key] {
			continue
		}
		seen[key] = true
		tell.tell(view.Event{Kind: "seen-leaving", Clause: "WB-95 11.2.3", To: to(s.sc.Other(side)), Hexes: []hex.Hex{before[i]}, Facts: facts})
	}
}

// ledOff counts the steps that have left the map for a victory condition.
//
// reading WB-95 11.2.3: of armoured and mechanized units count the counters of
// the types that the condition names, and the self-propelled guns of their corps.
func (s *State) ledOff(c *Strategic) int {
	n := 0
	for i := range s.Units {
		u := &s.Units[i]
		if u.Left == c.Zone && s.sc.countsOff(c, u.c) {
			n += u.Steps
		}
	}
	return n
}

// countsOff tells whether the counter is of a type that the condition names, or a
// self-propelled gun of a corps with such counters.
func (sc *Scenario) countsOff(c *Strategic, of *Counter) bool {
	if slices.Contains(c.Types, of.Type) {
		return true
	}
	if !of.SelfPro || of.Parent == "" {
		return false
	}
	return slices.ContainsFunc(sc.division(of.Side, of.Parent), func(k *Counter) bool { return slices.Contains(c.Types, k.Type) })
}

// division lists the counters of a division or corps of a side.
func (sc *Scenario) division(side Side, name string) []*Counter {
	var out []*Counter
	for i := range sc.Counters {
		if c := &sc.Counters[i]; c.Side == side && c.Parent == name {
			out = append(out, c)
		}
	}
	return out
}

// tellLedOff puts into the facts how far the condition has come.
//
// reading WB-95 16.1.1: how many steps have left by the zone of a victory condition is public, as
// points are.
func (s *State) tellLedOff(facts view.Pairs, c *Strategic) {
	facts.With("count", strconv.Itoa(s.ledOff(c))).With("of", strconv.Itoa(c.Count))
}

// shunned marks, for a nation whose supply goes round them, what no line leads
// through: enemy towns without friends in them and the hexes around.
//
// WB-95 10.1.11
// reading WB-95 10.1.11: a German town is one that the Germans, or their allies,
// control; a friendly unit in it opens it and the hexes around, one beside it opens
// nothing. Other nations of the side go by 10.1.10: their units keep a hex open.
func (s *State) shunned(side Side, nation string, block []bool) {
	if !slices.Contains(s.sc.Notes.ShunTowns, nation) {
		return
	}
	net, g, enemy := s.sc.network(), s.sc.Board.Grid, s.sc.Other(side)
	for i, town := range net.town {
		if !town {
			continue
		}
		if h := g.At(i); s.held(h) != enemy || s.holder(h) == side {
			continue
		}
		block[i] = true
		for d, n := range net.next[i] {
			if n >= 0 && net.big[i]&(1<<d) == 0 {
				block[n] = true
			}
		}
	}
}

// ledIn tells whether every one of the units is in range of a headquarters that
// may lead it, in defence or in attack.
//
// WB-95 9.2.1
// reading WB-95 9.2.1: a headquarters bound to its nation leads anybody of its side
// in defence on its own hex, as the notes say; one that leads only at home leads
// nobody in attack.
func (s *State) ledIn(units []*Unit, defence bool) bool {
	n := &s.sc.Notes
	if len(n.HQNations) == 0 {
		return s.led(units)
	}
	leads := func(hq, u *Unit) bool {
		switch apart := s.sc.Board.Grid.Distance(u.Hex, hq.Hex); {
		case defence && apart == 0:
			return true
		case slices.Contains(n.HQAtHome, hq.c.Nation):
			return false
		case slices.Contains(n.HQNations, hq.c.Nation) && hq.c.Nation != u.c.Nation:
			return false
		default:
			return apart <= s.hqRange(hq)
		}
	}
	var hqs []*Unit
	for i := range s.Units {
		if u := &s.Units[i]; u.Where == OnMap && u.c.Type == HQ {
			hqs = append(hqs, u)
		}
	}
	for _, u := range units {
		if !slices.ContainsFunc(hqs, func(hq *Unit) bool { return hq.c.Side == u.c.Side && leads(hq, u) }) {
			return false
		}
	}
	return len(units) > 0
}

// anyTown as the entry of a reinforcement is every town that its side holds.
const anyTown = "TOWN"

// townFor is the town that an order names as the entry of such a reinforcement.
//
// reading WB-95 11.1.2: a headquarters that replaces a lost one comes in a friendly town with no
// enemy beside it.
func (s *State) townFor(name string, side Side) []hex.Hex {
	b := s.sc.Board
	p := b.Named(name)
	h, err := hex.Parse(name)
	byNumber := err == nil
	if byNumber {
		p = b.Place(h)
	}
	if p == nil {
		return nil
	}
	hexes := slices.Clone(p.Hexes)
	if byNumber {
		hexes = slices.DeleteFunc(hexes, func(k hex.Hex) bool { return k != h })
	}
	hexes = slices.DeleteFunc(hexes, func(k hex.Hex) bool { return s.inContact(k, s.sc.Other(side)) })
	if len(hexes) == 0 {
		return nil
	}
	return hexes
}

// countLost tells whether a unit is lost that opens the condition.
//
// reading WB-95 11.1.1: the headquarters that replaces a lost one and its guns come once, from the
// owner's next Movement Phase after the first loss on, and both may come at once.
func (s *State) countLost(c Condition) bool {
	return slices.ContainsFunc(s.Units, func(u Unit) bool { return u.lost() && u.c.Side == c.Side && u.c.Type == c.Lost })
}

// noted tells whether some note may bar the counter's way.
func (s *State) noted(c *Counter) bool {
	return s.sc.group(c) == secondGroup || slices.ContainsFunc(s.sc.Notes.Limits, func(m Limit) bool { return m.of(c) })
}

// noteBars says why a note of the scenario keeps the counter from the step between
// two hexes, by grid index.
func (s *State) noteBars(c *Counter, i, j int) string {
	g := s.sc.Board.Grid
	if why := s.sc.forbidden(c, g.At(i), g.At(j)); why != "" {
		return why
	}
	if s.blockedBy(c, g.At(j)) {
		return fmt.Sprintf("%v holds allies it may not pass", g.At(j))
	}
	return ""
}
