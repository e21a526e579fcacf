package famous

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
)

// mayJoinAttack tells why a gun may not be added to an attack.
//
// GD 10.1/20: a pinned one takes no part in it, as no unit does
func (s *State) mayJoinAttack(u *Unit, target hex.Hex) *rule.Violation {
	if u.Pinned {
		return &rule.Violation{Clause: "GD 10.1", Why: u.c.Name + " is pinned and supports no attack"}
	}
	return s.maySupport(u, target)
}

// maySupport tells why a gun may not be added to a combat.
//
// GD 10.2/5: no activation is needed
// GD 11.1/2: it may have moved
// GD 11.1/3: terrain in between does not matter
// GD 18.4/6: artillery beside the map supports too
func (s *State) maySupport(u *Unit, target hex.Hex) *rule.Violation {
	no := func(clause rule.Clause, why string) *rule.Violation {
		return &rule.Violation{Clause: clause, Why: u.c.Name + " " + why}
	}
	switch {
	case !u.isGun():
		return no("GD 10.2", "is not artillery")
	case !u.stands(): // on the map or beside it
		return no("GD 10.2", "is not on the map")
	case u.Fired:
		// GD 2.3/6: its reverse shows that it has fired
		// GD 10.2/2: each gun does so once a turn
		// GD 10.2/6: support is fire
		return no("GD 10.2", "has fired")
	case u.outOfSupply():
		return no("GD 5.3", "is out of supply")
	case u.rides():
		return no("GD 9.5", "rides on a tank")
	case slices.Contains(s.Quiet, u.key()): // GD 20.4/2
		return no("GD 20.4", "is on the road until its battalion was activated")
	case s.inHex(u, target):
		// GD 10.2/7: no gun supports its own hex
		// GD 10.2/8: another may
		return no("GD 10.2", "does not support its own hex")
	case s.gunDistance(u, target) > s.gunRange(u): // GD 11.1/1
		return no("GD 11.1", fmt.Sprintf("has a range of %d, %v is %d away", s.gunRange(u), target, s.gunDistance(u, target)))
	}
	return nil
}

func (s *State) inHex(u *Unit, h hex.Hex) bool { return u.onMap() && u.Hex == h }

// gunHex is where a gun fires from, gunDistance its distance to a hex, gunRange how far it
// fires. Guns beside the map count from the hex that the scenario names, with less range.
//
// GD 18.4/5
func (s *State) gunHex(u *Unit) hex.Hex {
	if u.Where == Beside {
		return s.sc.Off.Hex
	}
	return u.Hex
}

// GD 10.2/9
func (s *State) gunDistance(u *Unit, target hex.Hex) int {
	return s.sc.Board.Grid.Distance(s.gunHex(u), target)
}

func (s *State) gunRange(u *Unit) int {
	if u.Where == Beside {
		return u.c.Artillery - s.sc.Off.Shorter
	}
	return u.c.Artillery
}

// available lists the guns of a side that may be added to a combat, the weakest first.
func (s *State) available(side Side, target hex.Hex, defends bool, not []*Unit) []*Unit {
	var out []*Unit
	for u := range s.army(side) {
		if !u.isGun() || slices.Contains(not, u) {
			continue
		}
		v := s.maySupport(u, target)
		if !defends {
			v = s.mayJoinAttack(u, target)
		}
		if v == nil {
			out = append(out, u)
		}
	}
	slices.SortStableFunc(out, func(a, b *Unit) int { return a.attack() - b.attack() })
	return out
}

// support is the artillery of the attacker: what the order names, or the fewest
// guns that raise the column.
//
// GD 10.1/5
// GD 10.2/10: any number of guns
func (b *battle) support() {
	if b.overrun {
		return // GD 9.4/3
	}
	b.guns = b.raise(b.order.auto)
	if !b.order.wantsGuns() {
		kept := b.kept()
		b.guns = b.raiseOf(kept, len(kept))
	}
	for _, g := range b.order.guns {
		v := b.s.mayJoinAttack(g, b.target)
		switch {
		case v != nil:
		case slices.Contains(b.units, g):
			v = &rule.Violation{Clause: "GD 10.2", Why: g.c.Name + " attacks itself"}
		default:
			b.guns = append(b.guns, g)
			continue
		}
		b.s.skip(b.r, b.order.text, v)
	}
	for _, g := range b.guns {
		g.Fired = true
	}
}

// raise chooses the fewest guns, at most so many, that raise the column, up to
// two columns.
func (b *battle) raise(most int) []*Unit {
	return b.raiseOf(b.free(b.s.available(b.side, b.target, false, b.units)), most)
}

// raiseOf chooses them among some, the weakest of which stand first.
func (b *battle) raiseOf(guns []*Unit, most int) []*Unit {
	a, d := b.strengths()
	if !b.s.watches(b.side, b.target) {
		d = assumedDefence
	}
	slices.Reverse(guns)
	var out []*Unit
	best, base := []*Unit(nil), ratio(a, d)
	for _, g := range guns {
		if len(out) == most {
			break
		}
		out = append(out, g)
		a += g.attack()
		c := ratio(a, d)
		if c <= base || c > base+2 {
			continue
		}
		if best == nil || c > ratio(sumAttack(b.units)+sumAttack(best), d) {
			best = slices.Clone(out)
		}
	}
	return best
}

func sumAttack(us []*Unit) (n int) {
	for _, u := range us {
		n += u.attack()
	}
	return n
}

// defend is the artillery of the defender, declared after the attacker's.
//
// GD 10.1/6
// GD 10.2/4
func (b *battle) defend() {
	if b.overrun {
		return // GD 9.4/3
	}
	s, side := b.s, b.s.sc.Other(b.side)
	able := s.available(side, b.target, true, nil)
	if len(able) == 0 {
		return
	}
	st := s.plan(b.r, side)
	chosen := b.lower(able, st)
	d := adjudicator.Decision{Label: strings.Replace(s.label("guns %v", b.target), "guns", "artillery of the defence", 1), Kind: kindArtillery, Side: side, Clause: "GD 10.2",
		Proposal: nameList(chosen), Source: st.source(st.artillery.set)}
	for _, name := range split(b.r.Ask(d)[0]) { // GD 10.2/11: all guns of a side together
		g := s.called(able, name)
		if g != nil && !slices.Contains(b.shells, g) {
			b.shells = append(b.shells, g)
			g.Fired = true
		}
	}
}

// lower is what the doctrine adds to a defence: the fewest guns that lower the
// column by one, by two at a key hex; some guns are kept.
func (b *battle) lower(able []*Unit, st *standing) []*Unit {
	a, d := b.strengths()
	base := ratio(a, d)
	if st.artillery.never || base < st.artillery.from {
		return nil
	}
	want, most := b.defensiveGuns(len(able), st)
	var out, best []*Unit
	for _, g := range slices.Backward(able) {
		if len(out) >= most {
			break
		}
		out = append(out, g)
		d += g.attack()
		c := ratio(a, d)
		if c < b.lowest(best, base) {
			best = slices.Clone(out)
		}
		if base-c >= want {
			break
		}
	}
	return best
}

// defensiveGuns is by how many columns the doctrine wants to lower the odds, and with how
// many guns at most.
func (b *battle) defensiveGuns(able int, st *standing) (want, most int) {
	keep := min(2, b.s.enemyChits(b.s.sc.Other(b.side)))
	if st.artillery.set {
		keep = st.artillery.keep
	}
	want, most = 1, able-keep
	if b.s.key(b.target, st) {
		want, most = 2, able
	}
	if st.artillery.most > 0 {
		most = min(most, st.artillery.most)
	}
	if st.artillery.any {
		want = 7
	}
	return want, most
}

// lowest is the column with some guns in the defence, or the one without any.
func (b *battle) lowest(guns []*Unit, base int) int {
	if guns == nil {
		return base
	}
	return b.columnWith(guns)
}

func (b *battle) columnWith(guns []*Unit) int {
	a, d := b.strengths()
	return ratio(a, d+sumAttack(guns))
}

// enemyChits counts the chits of the other side that are still in the cup.
func (s *State) enemyChits(side Side) (n int) {
	for _, k := range s.Cup {
		if sd, _ := cutKey(k); sd != side {
			n++
		}
	}
	return n
}

func nameList(us []*Unit) string {
	if len(us) == 0 {
		return "NONE"
	}
	return names(us)
}

// split reads an answer that lists names.
func split(answer string) []string {
	if answer == "" || answer == "NONE" {
		return nil
	}
	return strings.Split(answer, ", ")
}
