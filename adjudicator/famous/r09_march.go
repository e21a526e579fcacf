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

// march is the movement of one stack.
//
// GD 9.3/1
type march struct {
	s     *State
	r     *adjudicator.Run // nil while orders are only tried
	units []*Unit          // who is still moving, riders not among them
	path  []hex.Hex        // entered so far, the first hex included
	end   hex.Hex          // where it is to end
	stop  string           // why it ended before its goal, "" if it did not
	short string           // why its way does not lead to its goal, "" if it does
	order moveOrder
	byway bool            // every step so far went by road
	due   []toll          // of the step that it takes
	fault *rule.Violation // what a rehearsal could not do on the way
	wary  bool            // it has stopped for an enemy in sight, as its order wants
}

// mayMove tells why a unit may not move.
func (s *State) mayMove(u *Unit) *rule.Violation {
	no := func(clause rule.Clause, why string) *rule.Violation {
		return &rule.Violation{Clause: clause, Why: u.c.Name + " " + why}
	}
	switch {
	case u.Where == Beside:
		return no("GD 18.4", "stands beside the map and never enters it")
	case u.outOfPlay():
		return no("GD 9.0", "is not in play any more")
	case u.Where == Later:
		return no("GD 4.0", "is not on the map yet")
	case !u.did.active: // GD 9.0/2: only activated units move
		return no("GD 6.0", "is out of its headquarters' activation range")
	case u.did.stopped:
		return no("GD 9.3", "has ended its movement")
	case u.Pinned:
		return no("GD 11.3", "is pinned")
	case u.rides():
		return no("GD 9.5", "rides on a tank and moves with it")
	}
	return nil
}

// slowest is the unit of a stack that limits it.
//
// GD 9.3/2
func (m *march) slowest() *Unit {
	return slices.MinFunc(m.units, func(a, b *Unit) int {
		return cmp.Or(cmp.Compare(m.s.left(a), m.s.left(b)), cmp.Compare(b.class(), a.class()))
	})
}

// toll is what a unit has spent when it has taken a step, and whether it went by road.
type toll struct {
	spent Cost
	road  bool
}

// step takes one step. It reports whether the march goes on; if not, stop says why.
func (m *march) step(to hex.Hex) bool {
	s, lead := m.s, m.units[0]
	from := lead.idx
	d, ok := s.sc.Board.Grid.Direction(lead.Hex, to)
	if !ok {
		m.stop = fmt.Sprintf("%v is not beside %v", to, lead.Hex)
		return false
	}
	// GD 7.0/1: enemies never share a hex
	if s.holder(to) == s.sc.Other(lead.c.Side) {
		m.stop = fmt.Sprintf("%v holds the enemy", to)
		return false
	}
	tolls := m.tolls(from, d, to)
	if tolls == nil {
		return false
	}
	for i, u := range m.units {
		m.take(u, to, tolls[i])
	}
	m.path = append(m.path, to)
	s.spoilPontoons(m.r, lead)
	if m.played() && !s.fireUpon(m.r, m, to) {
		return false
	}
	// GD 8.0/8: who enters an enemy zone of control stops
	// GD 9.4/9: after an overrun too
	if s.threatened(m.units[0].idx, lead.c.side) {
		m.stop = inEnemyZone
		return false
	}
	return true
}

const inEnemyZone = "in an enemy zone of control"

// played: the march is carried out, and not only tried.
func (m *march) played() bool { return m.r != nil }

// tolls are what a step costs each unit; nil, and stop says why, if one cannot take it.
func (m *march) tolls(from int, d hex.Dir, to hex.Hex) []toll {
	m.due = m.due[:0]
	offRoad := m.offRoad(to)
	for _, u := range m.units {
		g := m.s.gaitOf(u)
		g.offRoad = offRoad
		spent, road, ok := m.s.tryAs(g, u, from, d)
		if !ok {
			m.stop = fmt.Sprintf("%s cannot pay for %v", u.c.Name, to)
			return nil
		}
		m.due = append(m.due, toll{spent, road})
	}
	return m.due
}

// offRoad tells whether the march enters a hex at the price of the ground, whatever road
// leads there: too many for a road, or two in road movement where it is to end. An order
// BY ROAD stops before those.
//
// reading GD 7.1: whoever is to end where two units are in road movement comes off the road with the last step and pays what the ground asks.
func (m *march) offRoad(to hex.Hex) bool {
	s := m.s
	if s.tooManyForRoad(m.units) {
		return true
	}
	ends := to == m.end && !m.order.road
	return ends && s.roadFull(s.sc.Board.Grid.Index(to), m.units...)
}

// take moves a unit one step, with its rider.
func (m *march) take(u *Unit, to hex.Hex, cost toll) {
	u.did.spent, u.did.started = cost.spent, true
	if !cost.road {
		m.byway = false
	}
	if rider := m.s.rider(u); rider != nil {
		rider.did.started = true
	}
	u.Road = cost.road // GD 2.6/3: the Road Move marker, however the order was written
	m.s.carry(u, to)
}

// route is the way that an order asks for, from where the march stands.
func (m *march) route() ([]hex.Hex, *rule.Violation) {
	o := m.order
	if len(o.path) > 0 {
		p := o.path
		if p[0] == m.units[0].Hex {
			p = p[1:]
		}
		return p, nil
	}
	goals := append(slices.Clone(o.via), o.to)
	if o.to == hex.None {
		return nil, nil
	}
	slow, grid := m.slowest(), &m.s.sc.Board.Grid
	at := slow.idx
	probe, known := *slow, m.s
	if m.played() {
		known = m.s.believed(slow.c.Side)
	}
	crowd := m.s.tooManyForRoad(m.units)
	m.end = o.to
	var out []hex.Hex
	for _, g := range goals {
		on := terms{roadOnly: o.road, offRoad: crowd, goal: g}
		if g == o.to && m.offRoad(g) {
			on.crowded = g
		}
		f := known.searchOn(&probe, at, on)
		defer m.s.sc.done(f)
		to := grid.Index(g)
		if !f.reached(to) {
			v, n := m.outOfReach(known, slow, g), m.nearest(f, g)
			nothing := n < 0 && len(out) == 0 && !o.enters()
			if nothing || !m.played() {
				return nil, v
			}
			// On the way as it was thought: as near as it gets.
			m.short = v.Why
			if n >= 0 {
				out = append(out, f.way(grid, n)...)
			}
			return out, nil
		}
		out = append(out, f.way(grid, to)...)
		probe.did.spent, probe.did.started, at = f.spent[to], true, to
	}
	return out, nil
}

// nearest is the reached hex with room that is closest to a goal, -1 for none
// closer than the start.
func (m *march) nearest(f *field, goal hex.Hex) int {
	g := m.s.sc.Board.Grid
	best, dist := -1, g.Distance(m.units[0].Hex, goal)
	for _, i := range f.order {
		d := g.Distance(g.At(i), goal)
		if d < dist && m.mayStop(i) {
			best, dist = i, d
		}
	}
	return best
}

// mayStop tells whether the march could end on a hex that it comes to by road.
func (m *march) mayStop(i int) bool {
	if !m.s.fits(i, m.units...) {
		return false
	}
	return m.s.tooManyForRoad(m.units) || !m.s.roadFull(i, m.units...)
}

// outOfReach refuses a goal on the map as its side knows it, and says how near the unit gets.
//
// GD 9.0/4
func (m *march) outOfReach(known *State, u *Unit, goal hex.Hex) *rule.Violation {
	v := &rule.Violation{Clause: "GD 9.0", Why: fmt.Sprintf("%s cannot get to %v with %s", u.c.Name, goal, points(m.s.left(u)))}
	if known.holder(goal) == m.s.sc.Other(u.c.Side) {
		v.Clause, v.Why = "GD 7.0", fmt.Sprintf("%v holds the enemy, and enemies never share a hex", goal)
		v.Instead = "Stop beside it and ATTACK it."
		return v
	}
	f := known.searchOn(u, u.idx, terms{roadOnly: m.order.road, offRoad: m.s.tooManyForRoad(m.units)})
	defer m.s.sc.done(f)
	if n := m.nearest(f, goal); n >= 0 {
		v.Instead = fmt.Sprintf("It gets to %v.", m.s.sc.Board.Grid.At(n))
	}
	if m.s.tooManyForRoad(m.units) {
		v.Instead = strings.TrimSpace(v.Instead + " More than two units together do not march at the rate of a road.")
	}
	return v
}

// points writes movement points: "3", "2 1/2".
func points(c Cost) string {
	switch {
	case c == One/2:
		return "1/2 MP"
	case c%One == 0:
		return fmt.Sprintf("%d MP", c/One)
	case c%One == One/2:
		return fmt.Sprintf("%d 1/2 MP", c/One)
	}
	return fmt.Sprintf("%d/12 MP", c)
}

// carryOut marches a stack. The Violation says why nothing could be done at all.
func (s *State) carryOut(r *adjudicator.Run, o moveOrder) (*march, *rule.Violation) {
	m := &march{s: s, r: r, order: o, byway: true}
	if o.enters() {
		if v := s.enter(r, &o); v != nil {
			return nil, v
		}
		m.order = o
	}
	if v := m.gather(); v != nil {
		return nil, v
	}
	if o.road && s.tooManyForRoad(m.units) {
		return nil, &rule.Violation{Clause: "GD 7.1", Why: "no more than two units march by road together", Instead: "Give them orders in twos; a depleted unit counts half."}
	}
	m.path = []hex.Hex{m.units[0].Hex}
	if o.enters() && !s.arrived(r, m) {
		return m, nil
	}
	route, v := m.route()
	if v != nil {
		return nil, v
	}
	whole := slices.Clone(m.units)
	m.end = lastOf(route)
	m.follow(route)
	switch {
	case m.played():
	case m.fault != nil:
		return nil, m.fault
	case m.wary: // who stands where is public
	case m.cutShort(route):
		return nil, &rule.Violation{Clause: "GD 9.0", Why: m.stop}
	}
	if m.stop == "" {
		m.stop = m.short
	}
	m.units = slices.DeleteFunc(m.units, func(u *Unit) bool { return !u.onMap() })
	if v := m.settle(); v != nil && !m.played() {
		return nil, v
	}
	m.finish(whole)
	return m, nil
}

// gather takes the units of the order that may march. They begin in one hex.
//
// GD 9.3/1
func (m *march) gather() *rule.Violation {
	s, o := m.s, m.order
	for _, u := range o.units {
		v := s.mayMove(u)
		switch {
		case v == nil:
			m.units = append(m.units, u)
		case len(o.units) > 1 && m.played():
			s.skip(m.r, o.text, v) // the others go without it
		default:
			return v
		}
	}
	if len(m.units) == 0 {
		return &rule.Violation{Clause: "GD 9.0", Why: "nobody is left to move"}
	}
	for _, u := range m.units[1:] {
		if u.Hex != m.units[0].Hex {
			return &rule.Violation{Clause: "GD 9.3", Why: fmt.Sprintf("%s and %s do not begin in one hex", m.units[0].c.Name, u.c.Name),
				Instead: "Give each stack a line of its own."}
		}
	}
	return nil
}

// follow goes along a way as far as it can.
//
// GD 9.1/7: the stack moves together
// GD 9.1/8: to its end, before anybody else does
func (m *march) follow(route []hex.Hex) {
	for _, h := range route {
		if m.spotted() || !m.step(h) {
			return
		}
		m.drop()
		if len(m.units) == 0 {
			return
		}
	}
}

// cutShort: something has stopped the march before the end of its way.
func (m *march) cutShort(route []hex.Hex) bool {
	return m.stop != "" && lastOf(m.path) != lastOf(route)
}

func lastOf(path []hex.Hex) hex.Hex {
	if len(path) == 0 {
		return hex.None
	}
	return path[len(path)-1]
}

// drop leaves units behind in the hex where the order wants them.
//
// GD 9.3/3
func (m *march) drop() {
	for _, d := range m.order.drops {
		if d.at != lastOf(m.path) {
			continue
		}
		for _, u := range d.units {
			if slices.Contains(m.units, m.s.unit(u.Aboard)) {
				m.letOff(u)
			} else if slices.Contains(m.units, u) {
				u.did.stopped = true // GD 9.1/9: they move no more
				m.units = slices.DeleteFunc(m.units, func(v *Unit) bool { return v == u })
			}
		}
	}
}

// letOff has a rider of the march dismount on its way.
//
// GD 9.5/13
func (m *march) letOff(rider *Unit) {
	v := m.s.dismount(rider)
	switch {
	case v == nil:
		rider.did.stopped = true
		m.s.tellDone(m.r, verbDismount, rider)
	case m.played():
		m.s.skip(m.r, m.order.text, v)
	case m.fault == nil:
		m.fault = v
	}
}

// spotted tells whether the order wants to stop for what is seen now.
func (m *march) spotted() bool {
	if m.order.stopIf == "" {
		return false
	}
	lead := m.units[0]
	for e := range m.s.onMap(m.s.sc.Other(lead.c.Side)) {
		if m.minds(e) && m.s.inspects(lead.idx, e.idx) {
			m.stop, m.wary = "the enemy is in sight", true
			return true
		}
	}
	return false
}

// minds: the enemy is of the kind that the order stops for.
func (m *march) minds(e *Unit) bool { return m.order.stopIf == spotAny || e.c.Class == Tracked }

// settle makes sure that the stack may stand where it has come to; if not it goes
// back along its path as far as it must.
//
// reading GD 7.1: orders that would overstack a hex stop before it; units that later orders of the same programme take away are not counted.
func (m *march) settle() *rule.Violation {
	if len(m.units) == 0 {
		return nil
	}
	end := len(m.path) - 1
	for end > 0 && !m.room(m.path[end]) {
		end--
	}
	if end == len(m.path)-1 {
		return nil
	}
	v := &rule.Violation{Clause: "GD 7.1", Why: fmt.Sprintf("%v would hold more than its stacking limit", lastOf(m.path)),
		Instead: "Four units stand in a hex, six in a city; a depleted one counts half."}
	for _, u := range m.units {
		m.s.carry(u, m.path[end])
	}
	m.path = m.path[:end+1]
	m.stop = v.Why
	return v
}

// room tells whether the stack fits on a hex, on its road too if it keeps to it.
func (m *march) room(h hex.Hex) bool {
	i := m.s.sc.Board.Grid.Index(h)
	if !m.s.fits(i, m.units...) {
		return false
	}
	if !m.onRoad() {
		return true
	}
	_, road := m.s.stacked(i)
	for _, u := range m.units {
		counted := u.Road && u.onMap() && u.idx == i
		if !counted {
			road += m.s.size(u)
		}
	}
	return road <= roadLimit
}

// onRoad: the order wants the road, and every step so far went by it.
func (m *march) onRoad() bool { return m.order.road && m.byway }

// finish marks who has moved and tells of it.
func (m *march) finish(whole []*Unit) {
	moved := len(m.path) > 1
	entered := m.order.enters()
	m.s.offTheRoad(whole)
	for _, u := range m.units {
		if moved || entered {
			u.did.stopped = true
		}
	}
	if moved || entered {
		m.s.endOthers(m.units)
	}
	nothing := !moved && !entered && m.stop == ""
	if nothing || !m.played() {
		return
	}
	side := whole[0].c.Side
	facts := view.Pairs{"units", names(whole), "path", pathText(m.path), "stop", m.stop}
	m.r.Tell(view.Event{Kind: "move", Clause: "GD 9.0", To: []string{string(side)}, Hexes: slices.Clone(m.path), Facts: facts,
		Mark: "move", Side: string(side)})
	m.s.tellEnemy(m.r, "enemy-move", whole, m.path)
}

// offTheRoad takes the Road Move markers of units that were stopped where two stand in
// road movement already.
//
// reading GD 7.1: whoever is stopped where two units are in road movement comes off the road; nobody is lost for it.
func (s *State) offTheRoad(us []*Unit) {
	for _, u := range us {
		if s.roadFull(u.idx) {
			u.Road = false
		}
	}
}

// endOthers notes whose movement was the last: a lone tank may take it up again when it
// has let its rider off. That of all others is over.
//
// GD 9.0/16
func (s *State) endOthers(last []*Unit) {
	for i := range s.Units {
		u := &s.Units[i]
		if u.did.last {
			u.did.last, u.did.stopped = false, true
		}
	}
	if len(last) == 1 {
		last[0].did.last = true
	}
}

func pathText(path []hex.Hex) string {
	var out strings.Builder
	out.Grow(5 * len(path))
	for i, h := range path {
		if i > 0 {
			out.WriteByte('-')
		}
		out.WriteString(h.String())
	}
	return out.String()
}

func names(us []*Unit) string {
	if len(us) == 1 {
		return us[0].c.Name
	}
	var out []string
	for _, u := range us {
		out = append(out, u.c.Name)
	}
	return strings.Join(out, ", ")
}
