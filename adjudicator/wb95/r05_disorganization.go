package wb95

import (
	"fmt"
	"strconv"

	"fieldpost/adjudicator/view"
)

// organization is the last step of a combat: tests after retreats, the
// attackers' test, printed disorganization.
//
// WB-95 5.2.1/g
// WB-95 5.6.1
// reading WB-95 5.6.1: a printed D strikes all units of that side in contact.
func (c *combat) organization() {
	for _, f := range c.fallen {
		c.retreatTests(f)
	}
	if c.result.ATest {
		c.attackTest()
	}
	if c.result.ADisorg {
		c.mark(c.s.all(c.units, c.exposed[c.side]))
	}
	if c.result.DDisorg {
		c.mark(c.s.all(c.defenders, c.exposed[c.other]))
	}
}

// retreatTests rolls for each hex of a path but the first.
//
// WB-95 5.3.9
// WB-95 5.6.1
// reading WB-95 5.6.2: units that went one way together share the roll, and each
// compares it with its own limit.
func (c *combat) retreatTests(f *fallback) {
	for n := 2; n <= len(f.walked); n++ {
		us := c.s.alive(f.units)
		if len(us) == 0 {
			return
		}
		c.test(fmt.Sprintf("retreat-test %s %d", c.testName(f), n), us)
	}
}

// testName names the tests of a path by the first unit on it that took part in
// the combat; the path of others only also by the combat.
func (c *combat) testName(f *fallback) string {
	for _, u := range f.units {
		if c.tookPart(u) {
			return c.s.labelName(u)
		}
	}
	return c.s.labelName(f.units[0]) + " " + c.at.String()
}

// labelName is the unit's name, with its side where both sides have one of that name.
func (s *State) labelName(u *Unit) string {
	if s.sc.register().shared[u.c.Name] {
		return u.c.Name + " " + string(u.c.Side)
	}
	return u.c.Name
}

// attackTest is the dot of the table.
//
// WB-95 5.6.1
// WB-95 5.6.3
// reading WB-95 5.6.1: the test is for the attackers in contact, whether they fall back or not, and
// the guns that support from beside the enemy.
// reading WB-95 5.6.3: the clause is about guns that support; fire and aircraft disorganize
// guns wherever they stand, as in the book's example of 6.4.6.
func (c *combat) attackTest() {
	if us := c.s.alive(c.s.all(c.units, c.exposed[c.side])); len(us) > 0 {
		c.test("attack-test "+c.at.String(), us)
	}
}

// test rolls once for the units; those that fail are disorganized.
//
// WB-95 5.6.2
func (c *combat) test(label string, us []*Unit) {
	dice := c.r.Roll("WB-95 5.6.2", label, 2, 6)
	roll := dice[0] + dice[1]
	var failed []*Unit
	for _, u := range us {
		if u.c.Type != HQ && failsMorale(u, roll) {
			failed = append(failed, u)
			c.s.disorganize(u)
		}
	}
	verdict := "in order"
	if len(failed) > 0 {
		verdict = names(failed) + " disorganized"
	}
	c.tell(view.Event{Kind: "combat-test", Clause: "WB-95 5.6.2", Hexes: hexesUnder(us), Rolls: []string{label}, Facts: view.Pairs{
		"units", names(us), "dice", spaced(dice), "label", label, "roll", strconv.Itoa(roll), "verdict", verdict,
		"side", c.s.sc.nameOf(us[0].c.Side)}})
}

// failsMorale compares a roll with the unit's limit.
//
// WB-95 5.6.2
func failsMorale(u *Unit, roll int) bool { return roll >= u.c.Morale }

// mark disorganizes by the table.
//
// WB-95 5.6.1
func (c *combat) mark(us []*Unit) {
	var hit []*Unit
	for _, u := range c.s.alive(us) {
		if u.c.Type != HQ {
			c.s.disorganize(u)
			hit = append(hit, u)
		}
	}
	if len(hit) > 0 {
		c.toBoth("combat-disorganized", "WB-95 5.6.1", hexesUnder(hit), "units", names(hit), "side", c.s.sc.nameOf(hit[0].c.Side))
	}
}

// disorganized: at a disadvantage until it has rested (5.6).
func (u *Unit) disorganized() bool { return u.Disorganized != Clock{} }

// disturb starts a disorganized unit's full turn of rest anew: it moved, attacked
// or was attacked. A unit in order is not concerned, but for one under repair.
//
// WB-95 5.6.5
func (s *State) disturb(u *Unit) {
	s.spoilRepair(u)
	if u.disorganized() {
		u.Disorganized = s.now()
	}
}

// reorganize puts those units in order that have rested for a full turn. It is
// called at the end of every phase, while the position still names that phase.
//
// WB-95 5.6.5
// reading WB-95 5.6.5: marked or disturbed in a phase, in order again at the end
// of the same phase of the next turn.
func (s *State) reorganize() {
	for i := range s.Units {
		u := &s.Units[i]
		if d, now := u.Disorganized, s.now(); u.disorganized() && now.Turn > d.Turn && now.Phase >= d.Phase {
			u.Disorganized = Clock{}
		}
	}
}

// disorganize marks a unit. One that is marked already begins its rest anew.
//
// WB-95 5.6.6
// reading WB-95 5.6.1: a headquarters has no strength to halve and is never marked.
func (s *State) disorganize(u *Unit) {
	if u.c.Type != HQ {
		u.Disorganized = s.now()
	}
}

// alive are those of the units that are still on the map.
func (s *State) alive(us []*Unit) []*Unit {
	out := s.room.units.Take(len(us))
	for _, u := range us {
		if u.Where == OnMap {
			out = append(out, u)
		}
	}
	return out
}
