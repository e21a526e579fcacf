package steppe

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// combatMode fights the attacks of the activation, one by one, in the order that is
// written; each sees what the ones before it did.
//
// Steppe 10.0/1
// Steppe 10.0/2
// Steppe 10.0/3
// Steppe 10.0/5
//
// reading Steppe 10.0: a unit must be beside its target when the Combat mode begins; an
// advance earns no other attack. A hex may be attacked several times, by other units.
func (a *activation) combatMode() {
	if !slices.ContainsFunc(a.prog.steps, func(in instruction) bool { return in.verb == "ATTACK" }) {
		return
	}
	for i := range a.s.Units {
		if u := &a.s.Units[i]; u.Where == OnMap && u.c.Side == a.side {
			did := a.did(u)
			did.stood = u.Hex
			for d, j := range a.s.sc.land.near[a.s.ix(u.Hex)] {
				if j >= 0 && a.s.holderIx(int(j)) == other(a.side) {
					did.foes |= 1 << d
				}
			}
		}
	}
	for _, in := range a.prog.steps {
		if in.verb == "ATTACK" {
			a.attack(in)
		}
	}
}

// attack is one ATTACK order.
//
// deviation Steppe 10.0: attacks are written in advance. One whose hex is empty turns to
// its ELSE hex; one that names no units, or says AT-WILL, takes all that may fight; one
// whose odds are below its MIN (3:2 if it names none), after shifts and before aircraft,
// lapses.
func (a *activation) attack(in instruction) {
	s := a.s
	target := hex.None
	for _, h := range []hex.Hex{in.target, in.elseHex} {
		if h != hex.None && s.holder(h) == other(a.side) && target == hex.None {
			target = h
		}
	}
	if target == hex.None && in.atWill && len(in.units) > 0 {
		target = a.anyTarget(in.units)
	}
	if target == hex.None {
		a.dropped(in.text, fmt.Sprintf("no enemy stands on %s", s.spot(in.target)))
		return
	}
	wanted := in.units
	if in.atWill && len(wanted) == 0 {
		wanted = a.around(target)
	}
	var us []*Unit
	for _, u := range wanted {
		if why := a.mayAttack(u, target); why != "" {
			if len(in.units) > 0 {
				a.dropped(in.text, u.c.Name+" "+why)
			}
			continue
		}
		us = append(us, u)
	}
	us = oneColour(us)
	if len(us) == 0 {
		a.dropped(in.text, "no unit may attack "+s.spot(target))
		return
	}
	c := newCombat(a, in, target, us)
	floor := in.min
	if floor == "" {
		floor = "3:2"
	}
	if o := c.odds(); o.level < slices.Index(s.sc.Columns, floor) {
		a.dropped(in.text, fmt.Sprintf("the odds at %s are %s, below %s", s.spot(target), o.name, floor))
		return
	}
	for _, u := range us {
		a.activate(u)
		a.did(u).fought = true
	}
	c.fight()
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
		stack := a.s.stack(i)
		if len(stack) == 0 || stack[0].c.Side == a.side {
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
// Steppe 10.0/4
// Steppe 10.0/6
// Steppe 10.0/7
// Steppe 10.1/1
//
// reading Steppe 10.0: range is measured again at the moment of the attack, from where
// the headquarters is then; individual hexes and units that have just entered are free
// of it.
func (a *activation) mayAttack(u *Unit, h hex.Hex) string {
	s := a.s
	switch {
	case u.Where != OnMap:
		return "is not on the map"
	case !u.combat():
		return "is a headquarters"
	case a.did(u).fought:
		return "has attacked"
	case !a.touched(u, h) || !s.sc.land.grid.Adjacent(u.Hex, h):
		return "is not beside " + s.spot(h)
	case a.hq != nil && !u.Entered && !s.inRange(a.hq, u.Hex):
		return "is out of range of " + a.name
	case !a.did(u).active && !u.Entered:
		if u.Activated {
			return "has been activated in this turn"
		}
		if !slices.Contains(a.range_, u) && a.hq != nil && !s.mayActivate(a.hq, u) {
			return "does not obey " + a.name
		}
		if !slices.Contains(a.range_, u) {
			return "cannot be activated"
		}
	}
	return ""
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
	units   []*Unit // attackers, the living
	overrun []*Unit
	enemy   Side
	def     *doctrine
	drm     int
	sashed  []*Unit   // defenders with a red sash when the dice fell
	steady  []*Unit   // those that stand in stalwart defence
	flown   [2]sortie // attacker, defender
}

// sortie is the air units of one side in a combat.
type sortie struct{ f, c int }

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

// mayOverrun says why a unit may not overrun.
//
// Steppe 9.3/1
// Steppe 9.3/2
// Steppe 9.3/4
// Steppe 9.3/5
// Steppe 3.1/8
//
// reading Steppe 9.3: declared with the attack for named units; a frozen river is a
// river still.
func (c *combat) mayOverrun(u *Unit) string {
	s, l := c.s, c.s.sc.land
	i := s.ix(u.Hex)
	d, _ := l.grid.Direction(u.Hex, c.target)
	switch {
	case !u.c.Mech:
		return "is not of a mechanized type"
	case s.Ground == mud:
		return "cannot overrun in mud"
	case !l.ground[s.ix(c.target)].Overrun:
		return "cannot overrun into " + l.ground[s.ix(c.target)].Name
	case l.water[i][d] != dry && !s.intact(i, d):
		return "cannot overrun across a river"
	}
	return ""
}

// defenders are the units in the target hex.
func (c *combat) defenders() []*Unit { return slices.Clone(c.s.unitsAt(c.target)) }

// fight resolves the attack: anti-tank guns, strengths and shifts, aircraft, dogfight,
// artillery, dice, result.
//
// Steppe 10.1/12
// Steppe 10.1/13
// Steppe 10.1/20
//
// reading Steppe 10.1: artillery is settled before the dice are thrown, after the
// aircraft, as 11.0 says; net dice below 2 or above 12 are read as 2 or 12.
func (c *combat) fight() {
	c.label = c.s.label("combat " + c.target.String())
	if !c.antiTank() {
		return
	}
	o := c.odds()
	c.airAndGuns(o)
	dice := c.r.Roll("Steppe 10.1", c.label, 2, 6)
	net := dice[0] + dice[1] + o.drm + c.drm
	res := c.s.sc.Combat[min(max(net, 2), 12)][o.column]
	facts := map[string]string{"hex": c.s.spot(c.target), "attackers": names(c.units), "defenders": names(c.defenders()), "attack": fmt.Sprint(o.attack),
		"defence": fmt.Sprint(o.defence), "odds": o.name, "dice": fmt.Sprintf("%d %d", dice[0], dice[1]), "label": c.label, "result": res.Text, "side": sideTitle(c.side),
		"gross": c.s.sc.ratioName(o.gross), "shift": fmt.Sprintf("%+d", o.shift), "drm": fmt.Sprintf("%+d", o.drm+c.drm), "net": fmt.Sprint(net)}
	if o.shift == 0 {
		delete(facts, "shift")
	}
	if o.drm+c.drm == 0 {
		delete(facts, "drm")
	}
	if len(c.overrun) > 0 {
		facts["overrun"] = names(c.overrun)
	}
	c.r.Tell(view.Event{Kind: "combat", Clause: "Steppe 10.1", Side: string(c.side), Mark: "combat", Hexes: []hex.Hex{c.target}, Rolls: []string{c.label}, Facts: facts})
	c.implement(res)
}
