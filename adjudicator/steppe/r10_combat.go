package steppe

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// combatMode fights the attacks of the activation, one by one, in the order that is
// written; each sees what the ones before it did.
//
// Steppe 10.0/1
// Steppe 10.0/3
//
// reading Steppe 10.0: a unit must be beside its target when the Combat mode begins; an
// advance earns no other attack. A hex may be attacked several times, by other units.
func (a *activation) combatMode() {
	a.now = fighting
	if !slices.ContainsFunc(a.prog.steps, func(in instruction) bool { return in.verb == verbAttack }) {
		return // Steppe 10.0/5
	}
	foe := other(a.side)
	for u := range a.s.fielded(a.side) {
		a.noteFoes(u, foe)
	}
	a.each(func(i int) bool { return a.prog.half(i) == fighting && a.turnOf(i) }, func(i int) {
		in := a.prog.steps[i]
		if in.verb == verbAsk {
			a.askHere(i)
			return
		}
		if in.anywhere {
			a.attackAny(i)
			return
		}
		target := a.attack(in)
		a.came(i, target != hex.None)
		if target != hex.None {
			a.askAfter(target)
		}
	})
}

// noteFoes notes where a unit stands as the Combat mode begins, and where enemies are
// beside it.
//
// Steppe 10.0/2
func (a *activation) noteFoes(u *Unit, foe Side) {
	did := a.did(u)
	did.stood = u.Hex
	for d, j := range a.s.sc.land.near[a.s.ix(u.Hex)] {
		if j >= 0 && a.s.holderIx(int(j)) == foe {
			did.foes |= 1 << d
		}
	}
}

// attack is one ATTACK order.
//
// deviation Steppe 10.0: attacks are written in advance. One whose hex is empty turns to
// its ELSE hex; one that names no units, or says AT-WILL, takes all that may fight; one
// whose odds are below its MIN (3:2 if it names none), after shifts and before aircraft,
// lapses.
//
// It is the hex that was attacked, None if nothing was fought.
func (a *activation) attack(in instruction) (target hex.Hex) {
	c, _, why := a.declare(in)
	if why != "" {
		a.dropped(in.text, why)
		return hex.None
	}
	c.strike()
	return c.target
}

// strike fights an attack that was declared.
func (c *combat) strike() {
	c.enlist()
	c.fight()
	if c.s.holder(c.target) != other(c.side) {
		c.took = append(c.took, c.target)
	}
}

// attackAny attacks wherever the odds that an order asks for are met: the best ones first, then
// places of points, then the lower hex. Units that an order below names are left to it.
func (a *activation) attackAny(i int) {
	order, fought := a.prog.steps[i], false
	for {
		c := a.bestAttack(order, i)
		if c == nil {
			break
		}
		c.strike()
		fought = true
		a.came(i, true)
		if a.askAfter(c.target) {
			return
		}
	}
	if a.came(i, fought); !fought {
		a.dropped(order.text, "nowhere are the odds "+order.floor())
	}
}

// bestAttack is the best attack that units could make whom no order below one names; nil if none has
// the odds that it asks for.
func (a *activation) bestAttack(order instruction, i int) (best *combat) {
	var rank []int
	for n := range a.s.at.slot {
		h := a.s.hexAt(n)
		if a.s.holderIx(n) != other(a.side) {
			continue
		}
		free := slices.DeleteFunc(a.around(h), func(u *Unit) bool { return a.mayAttack(u, h) != "" || a.prog.namesBelow(u, i) })
		us := oneColour(free)
		if len(us) == 0 {
			continue
		}
		in := order
		in.target = h
		c := newCombat(a, in, h, us)
		o, counts := c.odds(), 0
		if a.s.sc.isObjective(h) {
			counts = 1
		}
		now := []int{o.level, counts, -int(h)}
		if o.level >= a.s.sc.levelOf(in.floor()) && slices.Compare(now, rank) > 0 {
			best, rank = c, now
		}
	}
	return best
}

// namesBelow tells whether an attack below an order names a unit.
func (p *programme) namesBelow(u *Unit, i int) bool {
	return slices.ContainsFunc(p.steps[i+1:], func(in instruction) bool { return in.verb == verbAttack && slices.Contains(in.units, u) })
}

// isObjective tells whether a hex makes points.
func (sc *Scenario) isObjective(h hex.Hex) bool {
	return slices.ContainsFunc(sc.Objectives, func(o Objective) bool { return o.Hex == h })
}

// declare is an attack up to its odds; why it is not made, if it is not. Nil: nobody makes it.
func (a *activation) declare(in instruction) (c *combat, o odds, why string) {
	s := a.s
	target := a.targetOf(in)
	if target == hex.None {
		return nil, o, fmt.Sprintf("no enemy stands on %s", s.spot(in.target))
	}
	us := oneColour(a.attackers(in, target))
	if len(us) == 0 {
		return nil, o, "no unit may attack " + s.spot(target)
	}
	c = newCombat(a, in, target, us)
	if o = c.odds(); o.level < s.sc.levelOf(in.floor()) {
		why = fmt.Sprintf("the odds at %s are %s, below %s", s.spot(target), o.name, in.floor())
	}
	return c, o, why
}

// enlist has the attackers attack, and nobody else with them in this activation.
func (c *combat) enlist() {
	for _, u := range c.units {
		c.activate(u)
		c.did(u).fought = true
	}
}

// floor is the lowest column at which an attack is made.
func (in instruction) floor() string { return cmp.Or(in.min, "3:2") }

// levelOf is the level of a column.
func (sc *Scenario) levelOf(column string) int { return slices.Index(sc.Columns, column) }

// nameOf is the column of a level.
func (sc *Scenario) nameOf(level int) string {
	return sc.Columns[min(max(level, 0), len(sc.Columns)-1)]
}

// targetOf is the hex that an ATTACK order turns to: the first of those that it names in
// which an enemy stands, or at will one beside all its units. None: there is no enemy.
func (a *activation) targetOf(in instruction) hex.Hex {
	for _, h := range []hex.Hex{in.target, in.elseHex} {
		if h != hex.None && a.s.holder(h) == other(a.side) {
			return h
		}
	}
	if in.atWill && len(in.units) > 0 {
		return a.anyTarget(in.units)
	}
	return hex.None
}

// attackers are the units of an ATTACK order that may attack; of those that it does not
// name it is not told why others may not.
func (a *activation) attackers(in instruction, target hex.Hex) []*Unit {
	wanted, named := in.units, len(in.units) > 0
	if in.atWill && !named {
		wanted = a.around(target)
	}
	var us []*Unit
	for _, u := range wanted {
		why := a.mayAttack(u, target)
		switch {
		case why == "":
			us = append(us, u)
		case named:
			a.dropped(in.text, u.c.Name+" "+why)
		}
	}
	return us
}

// around lists the units of the activation beside a hex.
func (a *activation) around(h hex.Hex) []*Unit {
	var out []*Unit
	for _, n := range a.s.sc.land.grid.Neighbours(h) {
		for _, u := range a.s.unitsAt(n) {
			if u.c.Side == a.side && u.combat() {
				out = append(out, u)
			}
		}
	}
	slices.SortFunc(out, func(x, y *Unit) int { return strings.Compare(x.ID, y.ID) })
	return out
}

// anyTarget is an enemy hex beside all of the units, the weakest one.
func (a *activation) anyTarget(us []*Unit) hex.Hex {
	best, score := hex.None, 1<<20
	for i := range a.s.at.slot {
		if a.s.holderIx(i) != other(a.side) {
			continue
		}
		h := a.s.hexAt(i)
		if slices.ContainsFunc(us, func(u *Unit) bool { return a.mayAttack(u, h) != "" }) {
			continue
		}
		if n := a.s.defenceAt(h); n < score {
			best, score = h, n
		}
	}
	return best
}

// mayAttack says why a unit may not attack a hex.
//
// Steppe 10.1/1
//
// reading Steppe 10.0: range is measured again at the moment of the attack, from where
// the headquarters is then; individual hexes and units that have just entered are free
// of it.
func (a *activation) mayAttack(u *Unit, h hex.Hex) string {
	s := a.s
	switch {
	case u.Where != OnMap:
		return offMap
	case !u.combat():
		return "is a headquarters"
	case a.did(u).fought: // Steppe 10.0/4
		return "has attacked"
	case !a.touched(u, h):
		return "is not beside " + s.spot(h)
	case u.Entered: // Steppe 10.0/7
		return ""
	case a.hq != nil && !s.inRange(a.hq, u.Hex): // Steppe 10.0/6
		return "is out of range of " + a.name
	case a.did(u).active:
		return ""
	}
	return a.mayJoin(u)
}

// mayJoin says why a unit that is not yet active cannot be activated by an attack.
func (a *activation) mayJoin(u *Unit) string {
	switch {
	case u.Activated:
		return actedOnce
	case slices.Contains(a.eligible, u):
		return ""
	case a.hq != nil && !a.s.mayActivate(a.hq, u):
		return "does not obey " + a.name
	}
	return "cannot be activated"
}

// touched tells whether an enemy on the hex was beside the unit when the Combat mode began.
func (a *activation) touched(u *Unit, h hex.Hex) bool {
	did := a.did(u)
	if did.foes == 0 {
		return false
	}
	d, beside := a.s.sc.land.grid.Direction(did.stood, h)
	return beside && did.foes&(1<<d) != 0
}

// oneColour keeps the units of one command: colours never attack together.
//
// Steppe 10.1/2
// Steppe 6.2/3
func oneColour(us []*Unit) []*Unit {
	if len(us) == 0 {
		return nil
	}
	return slices.DeleteFunc(us, func(u *Unit) bool { return u.c.Command != us[0].c.Command })
}

// combat is an attack while it is fought.
type combat struct {
	*activation
	in      instruction
	target  hex.Hex
	label   string
	base    string  // the label without its first word
	units   []*Unit // attackers, the living
	overrun []*Unit
	enemy   Side
	def     *doctrine
	drm     int
	mods    []string  // what drm is made of, by name
	sashed  []*Unit   // defenders with a red sash when the dice fell
	steady  []*Unit   // those that stand in stalwart defence
	flown   [2]sortie // by role
}

func newCombat(a *activation, in instruction, target hex.Hex, us []*Unit) *combat {
	c := &combat{activation: a, in: in, target: target, units: us, enemy: other(a.side)}
	if a.foeDoc == nil { // it does not change in an activation
		a.foeDoc = a.s.doctrineOf(c.enemy)
	}
	c.def = a.foeDoc
	for _, u := range in.overrun {
		if slices.Contains(us, u) && c.mayOverrun(u) == "" {
			c.overrun = append(c.overrun, u)
		}
	}
	return c
}

// eventHere is an event in the hex that is attacked.
func (c *combat) eventHere(kind string, clause rule.Clause, side Side, facts view.Pairs) view.Event {
	return view.Event{Kind: kind, Clause: clause, Side: string(side), Hexes: []hex.Hex{c.target}, Facts: facts}
}

func (c *combat) tellHere(kind string, clause rule.Clause, side Side, facts view.Pairs) {
	c.r.Tell(c.eventHere(kind, clause, side, facts))
}

// mayOverrun says why a unit may not overrun.
//
// Steppe 9.3/2
//
// reading Steppe 9.3: declared with the attack for named units; a frozen river is a
// river still, while frozen marsh is clear terrain.
func (c *combat) mayOverrun(u *Unit) string {
	s, l := c.s, c.s.sc.land
	i := s.ix(u.Hex)
	d, _ := l.grid.Direction(u.Hex, c.target)
	switch {
	case !u.c.Mech: // Steppe 9.3/1
		return "is not of a mechanized type"
	case s.Ground == mud: // Steppe 3.1/8
		return "cannot overrun in mud"
	case !s.groundOfOverrun(s.ix(c.target)).Overrun: // Steppe 9.3/5
		return "cannot overrun into " + s.groundOfOverrun(s.ix(c.target)).Name
	case l.water[i][d] != dry && !s.intact(i, d): // Steppe 9.3/4
		return "cannot overrun across a river"
	}
	return ""
}

// groundOfOverrun is the terrain that an overrun would go into: as it lies now.
//
// Steppe 3.1/16
func (s *State) groundOfOverrun(i int) Terrain {
	if s.sc.before(2) {
		return s.sc.land.ground[i]
	}
	return s.groundAt(i)
}

// defenders are the units in the target hex.
func (c *combat) defenders() []*Unit { return slices.Clone(c.s.unitsAt(c.target)) }

// fight resolves the attack: anti-tank guns, strengths and shifts, aircraft, dogfight,
// artillery, dice, result.
//
// reading Steppe 10.1: artillery is settled before the dice are thrown, after the
// aircraft, as 11.0 says; net dice below 2 or above 12 are read as 2 or 12.
func (c *combat) fight() {
	c.label = c.s.label("combat " + c.target.String())
	c.base = strings.TrimPrefix(c.label, "combat ")
	if !c.antiTank() {
		return
	}
	o := c.odds()
	c.airAndGuns(o)
	dice := c.r.Roll("Steppe 10.1", c.label, 2, 6) // Steppe 10.1/12
	thrown := dice[0] + dice[1] + c.drm            // Steppe 10.1/13
	res := c.s.sc.result(o, thrown)
	facts := view.Pairs{"hex", c.s.spot(c.target), "side", sideTitle(c.side), "label", c.label,
		"attackers", names(c.units), "defenders", names(c.defenders()), "force", forces(c.units, (*Unit).attack), "guard", guards(c.defenders()),
		"attack", strconv.Itoa(o.attack), "defence", strconv.Itoa(o.defence),
		"gross", c.s.sc.ratioName(o.gross), "odds", o.name,
		"dice", strconv.Itoa(dice[0]) + " " + strconv.Itoa(dice[1]), "net", strconv.Itoa(thrown + o.drm), "result", res.Text,
		"shifts", strings.Join(o.why, ", "), "ratio", c.s.sc.ratioName(o.level),
		"mods", strings.Join(withTerm(c.mods, "odds above 4:1", o.drm), ", ")}
	if o.shift != 0 {
		facts = facts.With("shift", fmt.Sprintf("%+d", o.shift))
	}
	if drm := o.drm + c.drm; drm != 0 {
		facts = facts.With("drm", fmt.Sprintf("%+d", drm))
	}
	if len(c.overrun) > 0 {
		facts = facts.With("overrun", names(c.overrun))
	}
	e := c.eventHere("combat", "Steppe 10.1", c.side, facts)
	e.Mark, e.Rolls = "combat", []string{c.label}
	c.r.Tell(e)
	c.implement(res) // Steppe 10.1/20
}

// forces are units with what each is worth in the attack or the defence: LAH 12, 11 SS 3.
func forces(us []*Unit, worth func(*Unit) int) string {
	out := make([]string, 0, len(us))
	for _, u := range us {
		out = append(out, u.c.Name+" "+strconv.Itoa(worth(u)))
	}
	return strings.Join(out, ", ")
}

// guards are the defenders with what each is worth: a headquarters its artillery, if it
// stands alone.
func guards(us []*Unit) string {
	if hasCombat(us) {
		return forces(us, func(u *Unit) int {
			if !u.combat() {
				return 0
			}
			return u.defence()
		})
	}
	return forces(us, func(u *Unit) int { return u.c.Artillery })
}
