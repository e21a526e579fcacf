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

// march is the movement of one stack.
//
// GD 9.3/1
type march struct {
	s     *State
	r     *adjudicator.Run // nil while orders are only tried
	units []*Unit          // who is still moving, riders not among them
	path  []hex.Hex        // entered so far, the first hex included
	stop  string           // why it ended before its goal, "" if it did not
	order moveOrder
	byway bool // every step so far went by road
	calm  bool // overrun movement: the units have fought already
}

// mayMove tells why a unit may not move.
//
// GD 9.0/2
// GD 3.4/5
func (s *State) mayMove(u *Unit) *rule.Violation {
	no := func(clause rule.Clause, why string) *rule.Violation {
		return &rule.Violation{Clause: clause, Why: u.c.Name + " " + why}
	}
	switch {
	case u.Where == Beside:
		return no("GD 18.4", "stands beside the map and never enters it")
	case u.Where == Gone, u.Where == Exited:
		return no("GD 9.0", "is not in play any more")
	case u.Where == Later:
		return no("GD 4.0", "is not on the map yet")
	case !u.active:
		return no("GD 6.0", "is out of its headquarters' activation range")
	case u.fought, u.shot, u.barraged:
		return no("GD 3.4", "has fought, and nobody fights and then moves")
	case u.stopped:
		return no("GD 9.3", "has ended its movement")
	case u.Pinned:
		return no("GD 11.3", "is pinned")
	case u.Aboard != "":
		return no("GD 9.5", "rides on a tank and moves with it")
	}
	return nil
}

// slowest is the unit of a stack that limits it.
//
// GD 9.3/2
func (m *march) slowest() *Unit {
	return slices.MinFunc(m.units, func(a, b *Unit) int {
		if d := int(m.s.allowance(a)-a.spent) - int(m.s.allowance(b)-b.spent); d != 0 {
			return d
		}
		return int(b.class()) - int(a.class())
	})
}

// step takes one step. It reports whether the march goes on; if not, stop says why.
//
// GD 7.0/1
// GD 8.0/8
// GD 9.0/11
func (m *march) step(to hex.Hex) bool {
	s, lead := m.s, m.units[0]
	from := lead.idx
	d, ok := s.sc.Board.Grid.Direction(lead.Hex, to)
	if !ok {
		m.stop = fmt.Sprintf("%v is not beside %v", to, lead.Hex)
		return false
	}
	if s.holder(to) == s.sc.Other(lead.c.Side) {
		m.stop = fmt.Sprintf("%v holds the enemy", to)
		return false
	}
	type cost struct {
		spent Cost
		road  bool
	}
	costs := make([]cost, len(m.units))
	for i, u := range m.units {
		spent, road, ok := s.try(u, from, d)
		if !ok {
			m.stop = fmt.Sprintf("%s cannot pay for %v", u.c.Name, to)
			return false
		}
		if m.calm && s.threatened(from, u.c.side) && len(m.path) > 1 {
			m.stop = "in an enemy zone of control"
			return false
		}
		costs[i] = cost{spent, road}
	}
	for i, u := range m.units {
		u.spent, u.started = costs[i].spent, true
		m.byway = m.byway && costs[i].road
		rider := s.rider(u)
		u.Road = false
		s.put(u, to)
		if rider != nil {
			rider.started = true
			s.put(rider, to)
		}
	}
	m.path = append(m.path, to)
	s.spoilPontoons(m.r, lead)
	if m.r != nil && !s.fireUpon(m.r, m, to) {
		return false
	}
	if s.threatened(m.units[0].idx, lead.c.side) {
		for _, u := range m.units {
			u.stopped = true
		}
		m.stop = "in an enemy zone of control"
		return false
	}
	return true
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
	slow := m.slowest()
	at := slow.idx
	probe, known := *slow, m.s
	if m.r != nil {
		known = m.s.believed(slow.c.Side)
	}
	var out []hex.Hex
	for _, g := range goals {
		f := known.search(&probe, []int{at}, o.road)
		to := m.s.sc.Board.Grid.Index(g)
		if f.spent[to] < 0 {
			if m.r == nil {
				return nil, m.outOfReach(slow, g, o)
			}
			// On the way as it was thought: as near as it gets.
			if n := m.nearest(f, g); n >= 0 {
				return append(out, f.way(m.s.sc.Board.Grid, n)...), nil
			}
			return out, nil
		}
		out = append(out, f.way(m.s.sc.Board.Grid, to)...)
		probe.spent, probe.started, at = f.spent[to], true, to
	}
	return out, nil
}

// nearest is the reached hex with room that is closest to a goal, -1 for none
// closer than the start.
func (m *march) nearest(f *field, goal hex.Hex) int {
	g := m.s.sc.Board.Grid
	best, dist := -1, g.Distance(m.units[0].Hex, goal)
	for _, i := range f.order {
		if d := g.Distance(g.At(i), goal); d < dist && m.s.fits(i, m.units...) {
			best, dist = i, d
		}
	}
	return best
}

func (m *march) outOfReach(u *Unit, goal hex.Hex, o moveOrder) *rule.Violation {
	v := &rule.Violation{Clause: "GD 9.0", Why: fmt.Sprintf("%s cannot get to %v with %s", u.c.Name, goal, points(m.s.allowance(u)-u.spent))}
	if m.s.holder(goal) == m.s.sc.Other(u.c.Side) {
		v.Clause, v.Why = "GD 7.0", fmt.Sprintf("%v holds the enemy, and enemies never share a hex", goal)
		v.Instead = "Stop beside it and ATTACK it."
		return v
	}
	f := m.s.search(u, []int{u.idx}, o.road)
	if n := m.nearest(f, goal); n >= 0 {
		v.Instead = fmt.Sprintf("It gets to %v.", m.s.sc.Board.Grid.At(n))
	}
	return v
}

// points writes movement points: "3", "2 1/2".
func points(c Cost) string {
	switch {
	case c%One == 0:
		return fmt.Sprintf("%d MP", c/One)
	case c%One == One/2 && c < One:
		return "1/2 MP"
	case c%One == One/2:
		return fmt.Sprintf("%d 1/2 MP", c/One)
	}
	return fmt.Sprintf("%d/12 MP", c)
}

// carryOut marches a stack. The Violation says why nothing could be done at all.
//
// GD 9.0/15
// GD 9.1/7
// GD 9.1/8
func (s *State) carryOut(r *adjudicator.Run, o moveOrder, calm bool) (*march, *rule.Violation) {
	m := &march{s: s, r: r, order: o, byway: true, calm: calm}
	if o.enter != "" {
		if v := s.enter(r, &o); v != nil {
			return nil, v
		}
		m.order = o
	}
	for _, u := range o.units {
		if v := s.mayMove(u); v != nil && !calm {
			if len(o.units) > 1 && r != nil {
				s.skip(r, o.text, v)
				continue // the others go without it
			}
			return nil, v
		}
		m.units = append(m.units, u)
	}
	if len(m.units) == 0 {
		return nil, &rule.Violation{Clause: "GD 9.0", Why: "nobody is left to move"}
	}
	for _, u := range m.units[1:] {
		if u.Hex != m.units[0].Hex {
			return nil, &rule.Violation{Clause: "GD 9.3", Why: fmt.Sprintf("%s and %s do not begin in one hex", m.units[0].c.Name, u.c.Name), Instead: "Give each stack a line of its own."}
		}
	}
	m.path = []hex.Hex{m.units[0].Hex}
	if o.enter != "" && !s.arrived(r, m) {
		return m, nil
	}
	route, v := m.route()
	if v != nil {
		return nil, v
	}
	whole := slices.Clone(m.units)
	for k, h := range route {
		if m.spotted() || !m.step(h) {
			break
		}
		m.drop()
		if len(m.units) == 0 || k == len(route)-1 {
			break
		}
	}
	if r == nil && m.stop != "" && m.path[len(m.path)-1] != lastOf(route) {
		return nil, &rule.Violation{Clause: "GD 9.0", Why: m.stop}
	}
	m.units = slices.DeleteFunc(m.units, func(u *Unit) bool { return u.Where != OnMap })
	if v := m.settle(); v != nil && r == nil {
		return nil, v
	}
	m.finish(whole)
	return m, nil
}

func lastOf(path []hex.Hex) hex.Hex {
	if len(path) == 0 {
		return hex.None
	}
	return path[len(path)-1]
}

// drop leaves units behind in the hex where the order wants them.
//
// GD 9.1/9
// GD 9.3/3
func (m *march) drop() {
	for _, d := range m.order.drops {
		if d.at != m.path[len(m.path)-1] {
			continue
		}
		for _, u := range d.units {
			if slices.Contains(m.units, u) {
				u.stopped = true
				m.units = slices.DeleteFunc(m.units, func(v *Unit) bool { return v == u })
			}
		}
	}
}

// spotted tells whether the order wants to stop for what is seen now.
func (m *march) spotted() bool {
	if m.order.stopIf == "" || m.r == nil {
		return false
	}
	side := m.units[0].c.side
	for i := range m.s.Units {
		e := &m.s.Units[i]
		if e.Where != OnMap || e.c.side == side || m.order.stopIf == "TANK" && e.c.Class != Tracked {
			continue
		}
		if m.s.inspects(m.units[0].idx, e.idx) {
			m.stop = "the enemy is in sight"
			return true
		}
	}
	return false
}

// settle makes sure that the stack may stand where it has come to; if not it goes
// back along its path as far as it must.
//
// reading GD 7.1: orders that would overstack a hex stop before it.
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
	v := &rule.Violation{Clause: "GD 7.1", Why: fmt.Sprintf("%v would hold more than its stacking limit", m.path[len(m.path)-1]), Instead: "Four units stand in a hex, six in a city; a depleted one counts half."}
	for _, u := range m.units {
		rider := m.s.rider(u)
		m.s.put(u, m.path[end])
		if rider != nil {
			m.s.put(rider, m.path[end])
		}
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
	if !m.order.road || !m.byway {
		return true
	}
	_, road := m.s.stacked(i)
	for _, u := range m.units {
		if !(u.Where == OnMap && u.idx == i && u.Road) {
			road += m.s.size(u)
		}
	}
	return road <= roadLimit
}

// finish marks who has moved and tells of it.
//
// GD 2.6/3
func (m *march) finish(whole []*Unit) {
	for _, u := range m.units {
		u.Road = m.order.road && m.byway && len(m.path) > 1
		if len(m.path) > 1 || m.order.enter != "" {
			u.stopped = true
		}
	}
	if m.r == nil || len(m.path) < 2 && m.stop == "" && m.order.enter == "" {
		return
	}
	side := whole[0].c.Side
	facts := map[string]string{"units": names(whole), "path": pathText(m.path), "stop": m.stop}
	m.r.Tell(view.Event{Kind: "move", Clause: "GD 9.0", To: []string{string(side)}, Hexes: slices.Clone(m.path), Facts: facts, Mark: "move", Side: string(side)})
	m.s.tellEnemy(m.r, "enemy-move", whole, m.path)
}

func pathText(path []hex.Hex) string {
	var out []string
	for _, h := range path {
		out = append(out, h.String())
	}
	return strings.Join(out, "-")
}

func names(us []*Unit) string {
	var out []string
	for _, u := range us {
		out = append(out, u.c.Name)
	}
	return strings.Join(out, ", ")
}
