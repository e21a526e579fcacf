package wb95

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
)

// aid is what joins a combat besides the units in contact and what always counts.
type aid struct {
	gunsA, gunsD   []*Unit // guns in support (6.3); for D those on hexes that are not attacked
	starsA, starsD []Star  // colours of stars that are used (15.1.6)
	fu             bool    // fortification units use their ability (15.4.2)
	hqA, hqD       int     // modifiers for eliminated headquarters (9.1.6)
}

// mayFire says why a gun cannot fire at all in this phase, nil if it can.
//
// reading WB-95 6.3.1: self-propelled guns have no set-up and may always fire.
// reading WB-95 6.1.4: a gun fires once in a Combat Phase, whether in support or at range.
func (u *Unit) mayFire() *rule.Violation {
	switch {
	case u.Where != OnMap:
		return &rule.Violation{Clause: "WB-95 6.3.1", Why: u.c.Name + " is not on the map"}
	// WB-95 6.1.3: towed guns fire in combat set-up only
	// WB-95 6.6.5: self-propelled ones always
	case u.c.hasSetup() && !u.Firing:
		return &rule.Violation{Clause: "WB-95 6.3.1", Why: u.c.Name + " is in transport set-up and cannot fire", Instead: "UNLIMBER it in the movement section."}
	// WB-95 6.1.4: each once in a Combat Phase
	case u.Fired || u.Fought:
		return &rule.Violation{Clause: "WB-95 6.1.4", Why: u.c.Name + " has fired or fought already in this phase"}
	// WB-95 6.5.6
	case u.Barraged > 0:
		return &rule.Violation{Clause: "WB-95 6.5.6", Why: u.c.Name + " fired in the barrage and is silent now"}
	// WB-95 12.1.2
	case u.Strategic:
		return &rule.Violation{Clause: "WB-95 12.1.2", Why: u.c.Name + " is kept for strategic movement and may not fire"}
	}
	return nil
}

// maySupport says why a gun cannot support a combat of its side on these hexes:
// those that attack, or those that are attacked.
//
// reading WB-95 6.3.2: the distance to the nearest hex of the own side counts, not
// that to the enemy.
func (s *State) maySupport(u *Unit, hexes []hex.Hex) *rule.Violation {
	// WB-95 6.3.1: as far as it may fire at all
	if v := u.mayFire(); v != nil {
		return v
	}
	// WB-95 6.3.2: in range of a hex that attacks
	// WB-95 6.3.3: or is attacked
	if d := s.distanceTo(u.Hex, hexes); d > gunRange {
		return &rule.Violation{Clause: "WB-95 6.3.2", Why: fmt.Sprintf("%s on %v is %d hexes away, guns support over %d", u.c.Name, u.Hex, d, gunRange)}
	}
	return nil
}

// canSupport tells whether it can. Most units cannot for reasons that are soon seen.
func (s *State) canSupport(u *Unit, hexes []hex.Hex) bool {
	switch {
	case !u.artillery(), u.Where != OnMap, s.distanceTo(u.Hex, hexes) > gunRange:
		return false
	}
	return u.mayFire() == nil
}

// distanceTo is the distance from a hex to the nearest of several.
func (s *State) distanceTo(from hex.Hex, hexes []hex.Hex) int {
	best := 1000
	for _, h := range hexes {
		best = min(best, s.sc.Board.Grid.Distance(from, h))
	}
	return best
}

// deservesSupport tells whether guns and aircraft may support an attack of these units: a
// regular one must attack with them. Games begun under versions 1 and 2 of the rules let
// them support self-propelled guns alone.
//
// WB-95 6.3.1/2
// WB-95 8.2.2
func (s *State) deservesSupport(units []*Unit) bool {
	return s.sc.before(3) || slices.ContainsFunc(units, (*Unit).regular)
}

// badSupport says why a gun cannot support an attack of the plan.
//
// WB-95 6.3.1
// reading WB-95 6.3.1: a gun supports one combat in a phase, any number one combat.
// reading WB-95 5.1.3: self-propelled guns that must attack do so in contact.
func (p *plan) badSupport(u *Unit, o attackOrder) *rule.Violation {
	switch {
	case slices.Contains(o.units, u):
		return &rule.Violation{Clause: "WB-95 6.3.1", Why: u.c.Name + " attacks itself in this combat"}
	case !p.s.deservesSupport(o.units):
		return &rule.Violation{Clause: "WB-95 6.3.1", Why: "no regular unit attacks there, and guns support regular units only", Instead: "Have a regular unit attack with them."}
	case p.fires(u) || p.with(u) != nil:
		return &rule.Violation{Clause: "WB-95 6.1.4", Why: u.c.Name + " fires or attacks elsewhere already"}
	case p.s.bindable(u):
		return &rule.Violation{Clause: "WB-95 5.1.3", Why: u.c.Name + " is in an enemy zone of control and must attack itself"}
	}
	return p.s.maySupport(u, hexesUnder(o.units))
}

// fires tells whether a combat or a fire order of the plan has the gun.
func (p *plan) fires(u *Unit) bool {
	return p.find(func(c *planned) bool { return slices.Contains(c.order.art, u) }) != nil ||
		slices.ContainsFunc(p.fireOrders, func(f *fireOrder) bool { return slices.Contains(f.guns, u) })
}

// fireInAttack and fireInDefence are the strength points that guns add.
//
// WB-95 6.3.1
func fireInAttack(guns []*Unit, full bool) int {
	n := 0
	for _, u := range guns {
		n += u.attackSP(full)
	}
	return n
}

func fireInDefence(guns []*Unit) int {
	n := 0
	for _, u := range guns {
		n += u.defenceSP()
	}
	return n
}

// gunsOn are the towed guns of an attacked hex that fire for it.
//
// WB-95 6.6.1
// reading WB-95 6.6.1: beside a regular unit they fire of themselves, unless they
// have supported another combat in this phase; without one they add nothing but
// the single point of 6.6.3.
func (s *State) gunsOn(h hex.Hex) []*Unit {
	if !slices.ContainsFunc(s.unitsAt(h), (*Unit).regular) {
		return nil
	}
	var out []*Unit
	for _, u := range s.unitsAt(h) {
		if !rooted(u) || u.Fired {
			continue
		}
		if u.Barraged == 0 {
			out = append(out, u)
		}
	}
	return out
}

// exposed are those guns in support that stand beside the enemy of the combat:
// they suffer with those they support; guns farther away suffer nothing.
//
// WB-95 6.3.4: from afar guns suffer nothing
// reading WB-95 6.3.5: losses, tests and disorganization; only self-propelled guns
// on a hex of the combat must retreat with the others.
func (s *State) exposed(guns []*Unit, enemy []hex.Hex) []*Unit {
	var out []*Unit
	for _, u := range guns {
		// WB-95 6.3.5: from beside the enemy all that the others do
		// WB-95 6.6.2: also when they are alone on their hex
		if s.distanceTo(u.Hex, enemy) <= 1 {
			out = append(out, u)
		}
	}
	return out
}

// callGuns lets the defender choose their guns for the combat.
//
// WB-95 6.3.3
func (c *combat) callGuns() {
	if !c.mayBeSupported() {
		return
	}
	can := c.supporters()
	if len(can) == 0 {
		return
	}
	chosen, source := c.proposeGuns(can)
	d := adjudicator.Decision{Label: "support " + c.at.String(), Kind: kindSupport, Side: c.s.chief(c.other, can), Clause: "WB-95 6.3.3",
		Options: gunOptions(can), Proposal: gunAnswer(chosen), Source: source}
	if !slices.ContainsFunc(d.Options, func(o adjudicator.Option) bool { return o.Answer == d.Proposal }) {
		d.Options = append(d.Options, adjudicator.Option{Answer: d.Proposal, Means: "support of the defence by " + d.Proposal})
	}
	answer := c.r.Ask(d)[0]
	if answer != answerNone || source != defaultSource {
		c.tellChoice(d, answer)
	}
	named := strings.Split(answer, ", ")
	for _, u := range can {
		if slices.Contains(named, u.c.Name) {
			c.aid.gunsD = append(c.aid.gunsD, u)
		}
	}
}

// mayBeSupported tells whether guns may fire for the attacked hexes from elsewhere: a
// regular unit must fight there.
//
// WB-95 6.3.1/2
// WB-95 6.6.3/1: guns alone have their one point always
// reading WB-95 6.3.1/2: of several hexes under one attack it need be on one only; aircraft
// support the defence of guns alone as well, for 8.2.4 speaks of ground units.
func (c *combat) mayBeSupported() bool {
	if c.s.sc.before(2) {
		return !c.s.allLone(c.order.targets)
	}
	return slices.ContainsFunc(c.order.targets, func(h hex.Hex) bool { return slices.ContainsFunc(c.s.fresh(h), (*Unit).regular) })
}

// supporters are the guns that could support the defence: the nearest first, of
// equal ones the strongest.
func (c *combat) supporters() []*Unit {
	out := slices.DeleteFunc(c.gunsFor(c.order.targets), func(u *Unit) bool { return slices.Contains(c.order.targets, u.Hex) })
	slices.SortStableFunc(out, func(a, b *Unit) int {
		return cmp.Or(c.s.distanceTo(a.Hex, c.order.targets)-c.s.distanceTo(b.Hex, c.order.targets), b.defenceSP()-a.defenceSP())
	})
	return out
}

// gunsFor lists the defender's guns that could support the hexes and are under the player
// who decides for them.
func (c *combat) gunsFor(hexes []hex.Hex) []*Unit {
	var out []*Unit
	chief := c.s.chiefAt(c.other, hexes)
	for _, i := range c.s.firers {
		u := &c.s.Units[i]
		if u.c.Side == c.other && c.s.canSupport(u, hexes) && c.s.sc.owner(u.c) == chief {
			out = append(out, u)
		}
	}
	return out
}

// answerNone declines support.
const answerNone = "NONE"

func gunAnswer(guns []*Unit) string {
	if len(guns) == 0 {
		return answerNone
	}
	return names(guns)
}

// gunOptions are the choices of guns: every one where they are few, else single
// guns and the nearest ones.
func gunOptions(can []*Unit) []adjudicator.Option {
	out := []adjudicator.Option{{Answer: answerNone, Means: "no support of the defence"}}
	add := func(guns []*Unit) {
		out = append(out, adjudicator.Option{Answer: names(guns), Means: fmt.Sprintf("support of the defence by %s with %d", names(guns), fireInDefence(guns))})
	}
	if len(can) <= 4 {
		for set := 1; set < 1<<len(can); set++ {
			var guns []*Unit
			for i, u := range can {
				if set&(1<<i) != 0 {
					guns = append(guns, u)
				}
			}
			add(guns)
		}
		return out
	}
	for i := range can {
		add(can[i : i+1])
	}
	for n := 2; n <= len(can); n++ {
		add(can[:n])
	}
	return out
}

// proposeGuns finds whom the defender's standing order, or the default, has fire.
//
// reading WB-95 6.3.3: by default as few of the nearest guns as bring the column
// as low as all of them would. For a vital hex all may fire; for another one two
// guns are kept for each vital hex in contact that has not been attacked yet.
func (c *combat) proposeGuns(can []*Unit) ([]*Unit, string) {
	o, source := gunOrder{within: -1}, defaultSource
	for _, st := range c.inForce(c.other) {
		if st.guns != nil && st.speaksFor(c.s, can) {
			o, source = *st.guns, st.how.source
		}
	}
	vital := slices.ContainsFunc(c.order.targets, func(h hex.Hex) bool { return c.vital(c.other, h) })
	switch {
	case o.support == gunsSilent, c.farFrom(o):
		return nil, source
	case !vital:
		can = slices.DeleteFunc(slices.Clone(can), c.reservedGuns())
		can = can[:max(0, len(can)-o.keep)]
	}
	if o.support == gunsAll {
		return can, source
	}
	column := func(n int) int {
		a := c.aid
		a.gunsD = can[:n]
		return c.s.weighWith(c.side, c.units, c.order.targets, c.order.full, a).column
	}
	lowest := column(len(can))
	for n := range can {
		if column(n) == lowest {
			return can[:n], source
		}
	}
	return can, source
}

// farFrom tells whether no attacked hex is as near to what matters as the
// standing order for guns wants.
func (c *combat) farFrom(o gunOrder) bool {
	if o.within < 0 {
		return false
	}
	matters := func(k hex.Hex) bool {
		if o.of != hex.None {
			return k == o.of
		}
		return c.s.sc.Board.On(k) && c.vital(c.other, k)
	}
	return !slices.ContainsFunc(c.order.targets, func(h hex.Hex) bool {
		return slices.ContainsFunc(c.s.sc.Board.Grid.Within(h, o.within), matters)
	})
}

// reservedGuns tells which guns are kept for vital hexes that may still be attacked.
func (c *combat) reservedGuns() func(*Unit) bool {
	var kept []*Unit
	for _, h := range c.s.hexesOf(c.other) {
		if slices.Contains(c.order.targets, h) || !c.threatened(h) {
			continue
		}
		near := c.gunsFor([]hex.Hex{h})
		slices.SortStableFunc(near, func(a, b *Unit) int {
			return c.s.sc.Board.Grid.Distance(a.Hex, h) - c.s.sc.Board.Grid.Distance(b.Hex, h)
		})
		kept = append(kept, near[:min(2, len(near))]...)
	}
	return func(u *Unit) bool { return slices.Contains(kept, u) }
}

// threatened tells whether the hex is a vital one that may still be attacked.
func (c *combat) threatened(h hex.Hex) bool {
	if !c.s.inContact(h, c.side) || !c.s.attackable(h, c.side) {
		return false
	}
	return c.vital(c.other, h)
}

// allLone tells whether headquarters and limbered guns alone hold the hexes.
func (s *State) allLone(hexes []hex.Hex) bool {
	return !slices.ContainsFunc(hexes, func(h hex.Hex) bool { return !s.loneHex(h) })
}

// discharge marks guns that have fired. Firing disturbs a disorganized gun (5.6.5).
//
// WB-95 6.1.4
// WB-95 5.6.5
func (s *State) discharge(guns []*Unit) {
	for _, u := range guns {
		u.Fired = true
		s.disturb(u)
		if u.c.Side == s.mover() {
			u.Active = true
		}
	}
}
