package wb95

import (
	"fmt"
	"slices"
	"sync"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
)

// march is the movement of one unit in one phase: what it may spend, what it has
// spent, and what of the enemy's stands in its way.
type march struct {
	s     *State
	u     *Unit
	net   *network
	row   int
	start Cost // movement points at the beginning of the phase
	noted bool // a note of the scenario may bar its way
	least bool // it has lost all its points, and may go a hex without any (3.1.13)
	calm  bool // strategic movement: no enemy zones (12.2)

	enemy *zones
	held  []int16 // by grid index: heldNot, heldFast, or heldSoft and the price of riding down what is there
	span  []uint8 // standing bridges, a bit for each direction
	air   []uint8 // by grid index: missions against its movement (8.2.11)
	// seeking: a search is on, which knows no missions.
	seeking bool
	blind   bool // the search looks at the ground only: where would the unit go if there were no enemy?
	// sought, if set, are the hexes that the order names: only there may the way
	// found for it ride enemies down.
	sought []hex.Hex
	// target, if set, is the only hex that a search is for.
	target hex.Hex

	from   [1]seed // what seeds returns
	at     hex.Hex // None: still off the map
	path   []hex.Hex
	spent  Cost
	walked bool // has made a step, or come on to the map through a zone
	pure   bool // so far along side roads only, from a hex of the map (footnote 2)
	bound  bool // some hexsides are closed to the formation
	free   bool // the free step of the side road is used
	// limbered and unlimbered: the gun has changed its set-up, at 1 point each (6.2.4).
	limbered, unlimbered bool
}

// spentMarches are marches that have come to their end: their memory is used again.
var spentMarches = sync.Pool{New: func() any { return new(march) }}

// What of the enemy's is in a hex.
const (
	heldFast = -1 // units that nobody may walk into
	heldNot  = 0
	heldSoft = 1 // headquarters and guns alone; their price in twelfths comes on top
)

// newMarch prepares a unit's movement from where it is: with its own points only.
//
// WB-95 3.1.7
func (s *State) newMarch(u *Unit, full bool) *march {
	m := spentMarches.Get().(*march)
	*m = march{s: s, u: u, net: s.sc.network(), row: rowOf(u.c), start: s.allowance(u, full), calm: s.strategicNow()}
	m.enemy, m.held, m.span = s.sighted(u.c.Side)
	for _, b := range s.sc.Bans {
		m.bound = m.bound || b.Formation == u.c.Formation
	}
	m.air = s.harassed(u.c)
	m.noted = s.noted(u.c)
	if u.Where == OnMap {
		m.least = m.start > 0 && !m.calm && !s.sc.before(2)
		m.start = max(0, m.start-m.harm(s.sc.Board.Grid.Index(u.Hex)))
		// WB-95 3.1.13/2: whatever it loses to aircraft, one hex is left
		m.least = m.least && m.start == 0
		m.at, m.path = u.Hex, append(s.room.hexes.Take(1), u.Hex)
		m.pure = m.start > 0 && s.hasSideRoadBonus(u.c)
	}
	return m
}

// rideable tells what walking into a hex with enemies means: heldFast, or for
// guns and headquarters that are alone heldSoft plus the price in twelfths.
//
// WB-95 6.1.7
// WB-95 9.1.5
// reading WB-95 6.1.7: the price comes on top of that of the step, a headquarters costs nothing.
func (s *State) rideable(h hex.Hex) int16 {
	price := int16(0)
	for _, e := range s.unitsAt(h) {
		switch {
		case !e.soft():
			return heldFast
		case e.c.Type != HQ:
			price += int16(One)
		}
	}
	if price > 0 && s.fortified(h, s.holder(h)) {
		price += int16(One)
	}
	return heldSoft + price
}

// toll is the price of riding down what is in the hex.
func (m *march) toll(i int) Cost {
	return Cost(max(0, m.held[i]-heldSoft))
}

// hasSideRoadBonus: the class may go one more hex of side road when its whole move
// in this phase is on side roads. The classes differ between the books.
//
// reading WB-95 3.1.11: the extra step of a side road is free but for leaving an enemy zone, ends the
// move, and is not for a move that began off the map.
func (s *State) hasSideRoadBonus(c *Counter) bool {
	for _, k := range s.sc.Profile.SideRoadFor {
		if k == c.Class {
			return true
		}
	}
	return false
}

// stepCost is the price of the step from i in direction d for this unit, by
// terrain, road, river and bridge.
func (m *march) stepCost(i int, d hex.Dir) Cost {
	if bit := uint8(1) << d; m.net.water[i]&bit != 0 && m.span[i]&bit == 0 {
		return Cost(m.net.dry[m.row][i][d])
	}
	return Cost(m.net.over[m.row][i][d])
}

// alongSideRoad tells whether the step from i in direction d is along a side road. Over
// water the road goes on only where a bridge stands.
func (m *march) alongSideRoad(i int, d hex.Dir) bool {
	bit := uint8(1) << d
	broken := m.net.water[i]&bit != 0 && m.span[i]&bit == 0 && !m.s.sc.before(2)
	return m.net.side[i]&bit != 0 && !broken
}

// leaving is what it costs to leave the hex.
//
// WB-95 4.2.6
func (m *march) leaving(i int) Cost {
	if m.enemy.on[i] {
		return One
	}
	return 0
}

// extra is what even the free step of the side road costs.
func (m *march) extra(i int, d hex.Dir) Cost {
	j := int(m.net.next[i][d])
	return m.leaving(i) + m.toll(j) + m.harm(j)
}

// total is the whole price of the step for a unit that has spent so much, Closed
// on closed ground. Neither an enemy zone nor fortifications nor friends on the
// hex add to it.
//
// WB-95 3.1.9: any number of units may go through a hex
// WB-95 3.1.10: through friends too, whatever the stack
// WB-95 4.2.2: an enemy zone adds nothing to the price of entering
// WB-95 7.1.12: nor do fortifications
func (m *march) total(i int, d hex.Dir, spent Cost) Cost {
	c := plus(m.stepCost(i, d), m.leaving(i)+m.harm(int(m.net.next[i][d])))
	// WB-95 3.1.13/1
	// WB-95 3.1.13/3: an unsupplied unit too, and it pays no level for it
	// reading WB-95 3.1.13/1: the cap counts every surcharge but riding down guns; a
	// unit that has spent nothing can so always make one legal step.
	if c > m.start && spent == 0 {
		c = m.start
	}
	return plus(c, m.toll(int(m.net.next[i][d])))
}

// bar is the reason why the step from i in direction d is forbidden whatever
// the points, or "".
func (m *march) bar(i int, d hex.Dir) rule.Clause {
	j := int(m.net.next[i][d])
	switch {
	case j < 0:
		return "WB-95 3.1.4"
	case m.stepCost(i, d) == Closed:
		return "WB-95 3.1.11"
	case m.bound && m.forbidden(i, j) != nil:
		return formationBan
	case m.blind:
		return ""
	case m.noted && m.s.noteBars(m.u.c, i, j) != "":
		return "WB-95 2.1.1"
	case !m.mayRideInto(j):
		return "WB-95 3.1.8"
	case m.shutByZone(i):
		return "WB-95 12.2.1"
	case m.shutByZone(j):
		return "WB-95 12.2.2"
	case m.enemy.on[i] && m.enemy.on[j]:
		if m.enemy.barred(i, d) {
			return "WB-95 4.2.3"
		}
	}
	return ""
}

// mayRideInto tells whether nothing of the enemy's in the hex keeps the unit out: nobody
// walks into combat units, and only regular units into headquarters and guns alone.
func (m *march) mayRideInto(i int) bool {
	switch m.held[i] {
	case heldNot:
		return true
	case heldFast:
		return false
	}
	return m.u.regular()
}

// toward is the step to a hex, as index and direction; ok is false if that is no
// neighbour on the map.
func (m *march) toward(to hex.Hex) (i int, d hex.Dir, ok bool) {
	g := &m.s.sc.Board.Grid
	i, here := g.Find(m.at)
	j, there := g.Find(to)
	if !here || !there {
		return 0, hex.N, false
	}
	d, ok = m.net.direction(i, j)
	return i, d, ok
}

// step makes the unit go one hex, or says why it may not.
//
// WB-95 3.1.4
func (m *march) step(to hex.Hex, tell teller) *rule.Violation {
	i, d, ok := m.toward(to)
	if !ok {
		return &rule.Violation{Clause: "WB-95 3.1.4", Why: fmt.Sprintf("%v and %v are not neighbours on the map", m.at, to),
			Instead: fmt.Sprintf("Write TO %v to let the staff find the way.", to)}
	}
	why := m.bar(i, d)
	if m.shuns(int(m.net.next[i][d])) {
		why = "WB-95 3.1.8"
	}
	// WB-95 4.2.1: entering an enemy zone ends the move; who would walk into the enemy is told that first
	if why != "WB-95 3.1.8" && m.walked && m.enemy.on[i] {
		return &rule.Violation{Clause: "WB-95 4.2.1", Why: fmt.Sprintf("it enters an enemy zone of control in %v and must stop", m.at), Instead: m.stopHere()}
	}
	if why != "" {
		return m.barred(why, to)
	}
	cost := m.total(i, d, m.spent)
	m.pure = m.pure && m.alongSideRoad(i, d)
	switch bonus := m.extra(i, d); {
	case m.affords(cost):
		m.spent += cost
	case m.pure && m.spent+bonus <= m.start && !m.free:
		m.free, m.spent = true, m.spent+bonus
	default:
		return m.exhausted(cost, to)
	}
	m.advance(to, tell)
	return nil
}

// pinned says that the unit has entered an enemy zone and uses no more points.
//
// WB-95 4.2.1/2
func (m *march) pinned() *rule.Violation {
	switch {
	case m.s.sc.before(2), !m.walked, !m.enemy.on[m.s.sc.Board.Grid.Index(m.at)]:
		return nil
	}
	return &rule.Violation{Clause: "WB-95 4.2.1", Why: fmt.Sprintf("it has entered an enemy zone of control in %v and uses no more points in this phase", m.at)}
}

// affords tells whether the unit has the points for a step; after the free step of the
// side road it makes no other.
func (m *march) affords(cost Cost) bool {
	switch {
	case m.free:
		return false
	case m.start == 0 && !(m.least && !m.walked):
		return false
	}
	return m.spent+cost <= m.start
}

// advance moves the unit and notes what movement does to it.
func (m *march) advance(to hex.Hex, tell teller) {
	from := m.at
	if len(m.path) == 1 && m.u.Through == hex.None && !m.beset(from, hex.None, tell) {
		return
	}
	m.s.enter(m.u, to, tell)
	m.s.disturb(m.u)
	m.s.meet(m.u)
	m.u.Active = true
	m.clears(to)
	m.at, m.path, m.walked = to, append(m.path, to), true
	m.beset(to, from, tell)
}

// clears notes that no enemies are left on a hex that the unit has come to.
func (m *march) clears(h hex.Hex) {
	i := m.s.sc.Board.Grid.Index(h)
	if m.held[i] == heldNot {
		return
	}
	m.held = slices.Clone(m.held) // others march by the same list
	m.held[i] = heldNot
}

// barred says in words why a step is forbidden.
func (m *march) barred(c rule.Clause, to hex.Hex) *rule.Violation {
	v := &rule.Violation{Clause: c, Instead: m.stopHere()}
	switch c {
	case formationBan: // also of what a scenario's notes forbid
		g := m.s.sc.Board.Grid
		if b := m.forbidden(g.Index(m.at), g.Index(to)); b != nil {
			v.Why = fmt.Sprintf("%s may not cross the %s between %v and %v", b.Formation, b.River, m.at, to)
		} else {
			v.Why = m.s.noteBars(m.u.c, g.Index(m.at), g.Index(to))
		}
	case "WB-95 3.1.11":
		v.Why = fmt.Sprintf("the ground of %v is closed to %s units", to, m.u.c.Class)
	case "WB-95 3.1.8":
		// WB-95 3.1.8
		v.Why = fmt.Sprintf("%v holds enemy units, and no unit may enter an enemy hex", to)
		v.Instead = fmt.Sprintf("To fight it, stop in %v and ATTACK %v.", m.at, to)
		if !m.s.sc.Board.Grid.Adjacent(m.at, to) {
			v.Instead = fmt.Sprintf("To fight it, stop in a hex beside it and ATTACK %v.", to)
		}
	case "WB-95 12.2.1":
		// WB-95 12.2.1
		v.Why, v.Instead = fmt.Sprintf("%v is in an enemy zone of control: no strategic movement from there", m.at), ""
	case "WB-95 12.2.2":
		// WB-95 12.2.2
		v.Why = fmt.Sprintf("%v is in an enemy zone of control, which strategic movement never enters", to)
	case "WB-95 4.2.3":
		v.Why = fmt.Sprintf("one enemy unit has its zone of control on both %v and %v", m.at, to)
	}
	return v
}

// exhausted says that the points do not suffice.
func (m *march) exhausted(cost Cost, to hex.Hex) *rule.Violation {
	v := &rule.Violation{Clause: "WB-95 3.1.5", Why: fmt.Sprintf("the step to %v costs %v MP, %v of %v are left", to, cost, m.start-m.spent, m.start),
		Instead: m.stopHere()}
	harmed := func(h hex.Hex) bool { return m.harm(m.s.sc.Board.Grid.Index(h)) > 0 }
	if harmed(to) || len(m.path) > 0 && harmed(m.path[0]) {
		v.Why += ", enemy aircraft counted"
	}
	return v
}

func (m *march) stopHere() string {
	if !m.walked {
		return ""
	}
	return fmt.Sprintf("Stop in %v.", m.at)
}
