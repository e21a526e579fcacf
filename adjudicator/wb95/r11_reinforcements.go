package wb95

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
)

// entry is how a reinforcement may come on to the map by an order.
type entry struct {
	seeds  []seed // the hexes it may begin in, with what that costs
	start  Cost   // its points for this phase
	placed bool   // it is put into the hex before it moves (reading 11.1.2)
	note   string
}

// entryFor works out the entry that an order asks for.
//
// WB-95 11.1.3: they may come in both phases of movement
func (s *State) entryFor(m *march, o *moveOrder) (entry, *rule.Violation) {
	u, a := m.u, s.arrival(m.u)
	// WB-95 11.1.1: units come when the scenario says
	if v := s.dueNow(u, a); v != nil {
		return entry{}, v
	}
	// WB-95 11.1.2: and where it says
	if o.enter == "" {
		return entry{}, &rule.Violation{Clause: "WB-95 11.1.2", Why: "it is not on the map yet", Instead: "Write ENTER " + strings.Join(a.Entry, " or ENTER ") + "."}
	}
	e := entry{start: m.start}
	hexes, placed, v := s.entryHexes(m, a, &e, o.enter)
	if v != nil {
		return e, v
	}
	e.placed = placed
	e.seeds = s.room.seeds.Take(len(hexes))
	for _, h := range hexes {
		var k seed
		var open bool
		if placed {
			k, open = s.placeSeed(m, h)
		} else {
			k, open = s.edgeSeed(m, h, e.start)
		}
		if open {
			e.seeds = append(e.seeds, k)
		}
	}
	if len(e.seeds) == 0 {
		return e, s.shut(m, o.enter, hexes, placed)
	}
	return e, nil
}

// dueNow checks the date, or the condition, of a reinforcement.
//
// reading WB-95 11.1.1: from its date on a unit may enter in any later phase of movement.
func (s *State) dueNow(u *Unit, a Arrival) *rule.Violation {
	if !s.mayArrive(u) {
		why := "it comes on " + s.sc.date(max(1, u.Due))
		switch {
		case u.Due > 0:
		case u.Left != "":
			why = "it has left the map for good"
		default:
			why = "it comes only " + s.sc.condition(a.When).words()
		}
		return &rule.Violation{Clause: "WB-95 11.1.1", Why: why}
	}
	if v := s.rationed(u); v != nil {
		return v
	}
	switch c := s.sc.condition(a.When); {
	case a.When == "", c.Formation != "", c.Lost != "":
		return nil
	}
	// reading WB-95 11.1.1: of the units that wait for one condition, one comes a turn.
	for _, v := range s.cameToday(u) {
		if s.sc.arrival(v.ID).When == a.When {
			return &rule.Violation{Clause: "WB-95 11.1.1", Why: fmt.Sprintf("one of these units comes a turn, and today it was %s", v.c.Name), Instead: "Enter it on a later turn."}
		}
	}
	return nil
}

// cameToday lists the units but one that have come on to the map in this turn.
func (s *State) cameToday(but *Unit) []*Unit {
	var out []*Unit
	for i := range s.Units {
		u := &s.Units[i]
		if u == but || u.Where == Later {
			continue
		}
		if u.Due == s.Turn {
			out = append(out, u)
		}
	}
	return out
}

// entryHexes finds the hexes that ENTER names, and for a change of zone halves
// the unit's points or uses up the turns it waited.
func (s *State) entryHexes(m *march, a Arrival, e *entry, name string) (hexes []hex.Hex, placed bool, v *rule.Violation) {
	one := hex.None
	if phrase.IsNumber(name) {
		one, _ = hex.Parse(name) // None for one such as 0000
	}
	for _, listed := range a.Entry {
		if inland := s.inland(listed, name, one, m.u.c.Side); inland != nil {
			return inland, true, nil
		}
	}
	asked := s.sc.zoneNamed(name, one)
	shift := s.shiftTo(asked, a)
	if slices.ContainsFunc(a.Entry, func(listed string) bool { return isHex(listed, one) }) {
		asked, shift = &board.Zone{ID: one.String(), Hexes: []hex.Hex{one}}, 0
	}
	if shift < 0 {
		return nil, false, &rule.Violation{Clause: "WB-95 11.1.2", Why: fmt.Sprintf("%s is not where it may enter", name), Instead: "Write ENTER " + strings.Join(a.Entry, " or ENTER ") + "."}
	}
	// WB-95 11.2.2
	// reading WB-95 11.2.2: every turn that the unit has waited since it was due lets it shift by three zones.
	waited := 0
	if m.u.Due > 0 {
		waited = s.Turn - m.u.Due
	}
	switch {
	case shift <= 3*waited:
	case shift == 3*waited+1:
		// WB-95 11.2.1
		e.start /= 2
		e.note = "half the points for another zone"
	default:
		return nil, false, &rule.Violation{Clause: "WB-95 11.2.2", Why: fmt.Sprintf("zone %s is %d zones away", asked.ID, shift),
			Instead: fmt.Sprintf("It can enter there after waiting %s more.", counted((shift+2)/3-waited, "turn"))}
	}
	// WB-95 11.1.4
	if s.zoneClosed(asked, m.u.c.Side) {
		return nil, false, &rule.Violation{Clause: "WB-95 11.1.4", Why: fmt.Sprintf("zone %s is controlled by the enemy", asked.ID),
			Instead: "Enter through a neighbouring zone with half the movement points, or wait."}
	}
	return pick(asked.Hexes, one), false, nil
}

// inland is the hexes that ENTER names, by a name or a number, if they belong to an entry
// away from the edge: a town, a place, or a hex by its number.
//
// reading WB-95 11.1.5: a hex of the edge that a list names is entered from off the map, at
// its price and stack after stack, like one of a zone.
func (s *State) inland(listed, name string, one hex.Hex, side Side) []hex.Hex {
	if listed == anyTown {
		if town := s.townFor(name, side); town != nil {
			return town
		}
	}
	if p := s.sc.Board.Named(listed); p != nil {
		if p == s.sc.Board.Named(name) || slices.Contains(p.Hexes, one) {
			return pick(p.Hexes, one)
		}
	}
	if isHex(listed, one) && !s.sc.atEdge(one) {
		return []hex.Hex{one}
	}
	return nil
}

// isHex tells whether the text is the number of the hex.
func isHex(text string, h hex.Hex) bool {
	if h == hex.None || !phrase.IsNumber(text) {
		return false
	}
	n, err := hex.Parse(text)
	return err == nil && n == h
}

// pick is the one hex asked for, or all.
func pick(hexes []hex.Hex, one hex.Hex) []hex.Hex {
	if one != hex.None {
		return []hex.Hex{one}
	}
	return hexes
}

// shiftTo is how many zones the asked one is away from the nearest that the
// arrival lists, -1 if it lists none or there is no such zone.
func (s *State) shiftTo(asked *board.Zone, a Arrival) int {
	if asked == nil {
		return -1
	}
	best := -1
	for _, listed := range a.Entry {
		n := s.sc.shiftFrom(listed, asked)
		switch {
		case n < 0:
		case best < 0, n < best:
			best = n
		}
	}
	return best
}

// zoneClosed tells whether the enemy keeps reinforcements out of a zone.
//
// reading WB-95 11.1.4: a zone is closed if each of its hexes is enemy-occupied, enemy-controlled or
// under an enemy zone of control that no own zone contests.
func (s *State) zoneClosed(z *board.Zone, side Side) bool {
	enemy := s.sc.Other(side)
	return !slices.ContainsFunc(z.Hexes, func(h hex.Hex) bool {
		switch {
		case s.holder(h) == side:
			return true
		case s.holder(h) == enemy, s.held(h) == enemy:
			return false
		}
		return !s.inEnemyZone(h, side) || s.inEnemyZone(h, enemy)
	})
}

// placeSeed is a hex of the town, or the inner hex, that the unit appears in.
//
// reading WB-95 11.1.2: a reinforcement is put on a controlled hex of the place without enemies and
// with room, and then moves with all its points.
func (s *State) placeSeed(m *march, h hex.Hex) (k seed, open bool) {
	i := s.sc.Board.Grid.Index(h)
	switch {
	case s.held(h) != m.u.c.Side, !s.roomFor(h, m.u), m.shutByZone(i):
		return k, false
	}
	return seed{int32(i*layers + mixed), 0}, true
}

// shutByZone tells whether an enemy zone closes the hex to strategic movement.
func (m *march) shutByZone(i int) bool { return m.calm && m.enemy.on[i] }

// edgeSeed is a hex of a zone with the price of entering it.
//
// WB-95 11.1.5
// reading WB-95 11.1.5: the cap of 3.1.13 does not help here.
func (s *State) edgeSeed(m *march, h hex.Hex, start Cost) (k seed, open bool) {
	i := s.sc.Board.Grid.Index(h)
	price := Cost(m.net.entry[m.row][i])
	switch {
	case price == Closed, !m.mayRideInto(i), m.shutByZone(i):
		return k, false
	}
	price = price*Cost(s.batch(h, m.u)) + m.toll(i) + m.harm(i)
	if price > start {
		return k, false
	}
	return seed{int32(i*layers + mixed), price}, true
}

// batch is the number of the stack in which the unit would come through the hex:
// the first one with room for it.
//
// reading WB-95 11.1.5: what enters through a hex in a phase fills up stacks of
// eight steps in the order written.
func (s *State) batch(h hex.Hex, u *Unit) int16 {
	for k := int16(1); ; k++ {
		steps := u.Steps
		for i := range s.Units {
			v := &s.Units[i]
			if v.Through != h {
				continue
			}
			if v.Batch == k {
				steps += v.Steps
			}
		}
		if steps <= stackLimit {
			return k
		}
	}
}

// shut says why none of the hexes can be entered.
func (s *State) shut(m *march, name string, hexes []hex.Hex, placed bool) *rule.Violation {
	v := &rule.Violation{Clause: "WB-95 11.1.5", Why: fmt.Sprintf("it cannot enter at %s", name), Instead: "It waits; another zone or the next phase may do."}
	switch {
	case placed:
		v.Clause, v.Why = "WB-95 11.1.2", fmt.Sprintf("no hex of %s is controlled, free of enemies and has room", name)
	case len(hexes) == 1:
		h := hexes[0]
		i := s.sc.Board.Grid.Index(h)
		switch {
		case m.net.entry[m.row][i] == closed:
			v.Clause, v.Why = "WB-95 3.1.11", fmt.Sprintf("the ground of %v is closed to %s units", h, m.u.c.Class)
		case m.held[i] != heldNot:
			v.Clause, v.Why = "WB-95 3.1.8", fmt.Sprintf("%v holds enemy units", h)
		case m.shutByZone(i):
			v.Clause, v.Why = "WB-95 12.2.2", fmt.Sprintf("%v is in an enemy zone of control", h)
		default:
			k := s.batch(h, m.u)
			v.Why = fmt.Sprintf("entering %v as stack %d costs %v MP, it has %v", h, k, Cost(m.net.entry[m.row][i])*Cost(k), m.start)
		}
	}
	return v
}

// comeOn puts the unit on the map in its first hex.
func (m *march) comeOn(h hex.Hex, begin outset, tell teller) {
	s, g, placed := m.s, m.s.sc.Board.Grid, begin.standing
	for _, k := range begin.seeds {
		if g.At(int(k.node/layers)) == h {
			m.spent = k.cost
		}
	}
	if !placed {
		m.u.Batch = s.batch(h, m.u)
	}
	m.u.Through = h
	m.walked = !placed
	m.u.Due, m.u.Active, m.u.Supplied = s.Turn, true, true
	s.enter(m.u, h, tell)
	m.clears(h)
	m.at, m.path = h, []hex.Hex{h}
	if !placed {
		m.beset(h, hex.None, tell)
	}
}
