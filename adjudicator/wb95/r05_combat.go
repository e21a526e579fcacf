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

// combat is one direct combat while it is fought.
type combat struct {
	*battle
	at        hex.Hex // the lowest target; labels name the combat by it
	order     attackOrder
	made      bool        // by the rules
	units     []*Unit     // the attackers
	defenders []*Unit     // who holds the targets and had not fought
	late      []*Unit     // who holds them and had (5.1.1)
	staff     []*Unit     // headquarters on the attackers' hexes
	firing    []*Unit     // guns on the targets that fire for their hex (6.6.1)
	cornered  []hex.Hex   // targets held by headquarters and limbered guns only
	from      []*position // where everybody stood
	aid       aid
	exposed   map[Side][]*Unit // guns in support that suffer with those in contact (6.3.5)
	owed      []*debt          // steps owed for abilities (15.1.7)
	sum       summary
	result    CombatResult
	fallen    []*fallback // who retreated where
	short     []*shortfall
	struck    []hex.Hex    // hexes of which a unit was eliminated
	firm      []hex.Hex    // targets whose fixed positions hold (7.3.4)
	told      bool         // the headline is out
	held      []view.Event // what is told below it
}

// position is where a unit stood when the combat began.
type position struct {
	unit *Unit
	hex  hex.Hex
}

// fight is the Combat Procedure.
//
// WB-95 5.2.1
// reading WB-95 5.2.1: once declared an attack is fought; it cannot be taken back
// after the stacks have been shown.
func (b *battle) fight(o attackOrder, made bool) {
	c := b.open(o, made)
	// WB-95 16.1.3
	c.reveal()
	// WB-95 10.2.3
	c.payForStrength()
	c.gatherAid()
	// WB-95 5.2.1/b: strengths and modifiers
	// WB-95 5.2.1/c: the ratio
	// WB-95 5.2.1/d: and the final column
	c.sum = b.s.weighWith(b.side, c.units, c.order.targets, o.full, c.aid)
	b.s.spend(c.order.targets)
	c.pledgeStars()
	for _, h := range c.order.targets {
		if b.s.positionHolds(c.units, h, o.full) {
			c.firm = append(c.firm, h)
		}
	}
	c.engage()
	// WB-95 5.2.1/e
	c.roll()
	// WB-95 5.2.1/f
	c.losses()
	c.retreat()
	c.pursue()
	// WB-95 5.2.1/g
	c.organization()
	c.supplyLevels()
	if o.label != "" && (c.result.DRetreat > 0 || len(c.s.alive(c.defenders)) == 0) {
		b.won[o.label] = true
	}
}

// open gathers who is in contact.
//
// WB-95 5.2.1/a
// reading WB-95 5.1.1: all units of an attacked hex defend together.
func (b *battle) open(o attackOrder, made bool) *combat {
	c := &combat{battle: b, at: slices.Min(o.targets), order: o, made: made, units: b.s.all(o.units)}
	c.order.targets = sorted(o.targets)
	slices.SortFunc(c.units, func(a, b *Unit) int { return strings.Compare(a.ID, b.ID) })
	for _, h := range c.order.targets {
		c.defenders = slices.Grow(c.defenders, len(b.s.unitsAt(h)))
		for _, u := range b.s.unitsAt(h) {
			if u.Fought {
				c.late = append(c.late, u)
			} else {
				c.defenders = append(c.defenders, u)
			}
		}
		c.firing = append(c.firing, b.s.gunsOn(h)...)
		if b.s.loneHex(h) {
			c.cornered = append(c.cornered, h)
		}
	}
	for _, h := range hexesUnder(c.units) {
		for _, u := range b.s.unitsAt(h) {
			if u.c.Type == HQ {
				c.staff = append(c.staff, u)
			}
		}
	}
	present := b.s.all(c.units, c.staff, c.defenders, c.late)
	c.from = make([]*position, 0, len(present))
	for _, u := range present {
		p := b.s.room.stood.One()
		*p = position{u, u.Hex}
		c.from = append(c.from, p)
	}
	return c
}

// stood is the hex on which the unit stood when the combat began.
func (c *combat) stood(u *Unit) hex.Hex {
	for _, p := range c.from {
		if p.unit == u {
			return p.hex
		}
	}
	return u.Hex
}

func (c *combat) tookPart(u *Unit) bool {
	return slices.Contains(c.units, u) || slices.Contains(c.defenders, u)
}

// reveal shows each side the other's stacks in contact until the phase ends.
//
// WB-95 16.1.3
func (c *combat) reveal() {
	for _, h := range c.order.targets {
		c.s.noteCombatContact(c.side, h)
	}
	for _, h := range hexesUnder(c.units) {
		c.s.noteCombatContact(c.other, h)
	}
}

// payForStrength raises the level of unsupplied attackers who are to attack with
// full strength.
//
// WB-95 10.2.3
// WB-95 10.2.5
func (c *combat) payForStrength() {
	for _, u := range c.s.all(c.units, c.order.art) {
		if c.order.full && u.OoS > 0 {
			c.raise(u, "attacks with full strength")
		}
	}
}

// engage marks who fights: they cannot fight again in this phase, and disorganized
// units among them begin their rest anew.
//
// WB-95 5.1.1
// WB-95 5.6.5
func (c *combat) engage() {
	c.s.noteAttack(c.units, c.order.targets)
	for _, u := range c.s.all(c.units, c.defenders, c.late) {
		u.Fought = true
		c.s.disturb(u)
		if c.isActivated(u) {
			u.Active, u.Strategic = true, false
		}
	}
	c.s.discharge(c.s.all(c.aid.gunsA, c.aid.gunsD))
}

// isActivated tells whether the combat is all that the unit does in its half turn: that of
// who attacks, and of who is attacked by units that changed sides. Games begun under
// versions 1 and 2 of the rules let the latter move strategically after it.
//
// WB-95 12.1.2
func (c *combat) isActivated(u *Unit) bool {
	if slices.Contains(c.units, u) {
		return true
	}
	return !c.s.sc.before(3) && c.s.onMove(u)
}

// roll throws the dice and reads the table.
//
// WB-95 1.8/1
// WB-95 5.2.1/e
func (c *combat) roll() {
	label := "combat " + c.at.String()
	dice := c.r.Roll("WB-95 5.2.1", label, 2, 6)
	thrown := dice[0] + dice[1]
	c.result = c.s.sc.Combat.cell(thrown+c.sum.dice, c.sum.column)
	facts := c.facts()
	facts = append(facts, "dice", spaced(dice), "label", label,
		"roll", strconv.Itoa(min(12, max(2, thrown+c.sum.dice))), "result", c.result.Text)
	c.tell(view.Event{Kind: "combat", Clause: "WB-95 5.2.1", Hexes: slices.Concat(c.order.targets, hexesUnder(c.units)),
		Mark: "combat", Side: string(c.side), Facts: facts, Rolls: []string{label}})
	c.told = true
	for _, e := range c.held {
		c.r.Tell(e)
	}
}

// toOwner tells one side something about the combat, below its headline.
func (c *combat) toOwner(side Side, kind string, cl rule.Clause, hexes []hex.Hex, facts ...string) {
	e := view.Event{Kind: kind, Clause: cl, To: append(c.s.room.names.Take(1), string(side)), Hexes: hexes, Facts: facts}
	if !c.told {
		c.held = append(c.held, e)
		return
	}
	c.r.Tell(e)
}

// facts are the sums and modifiers as both sides read them.
func (c *combat) facts() view.Pairs {
	o := c.sum
	attack := func(u *Unit) int { return u.attackSP(c.order.full) }
	defence := (*Unit).defenceSP
	f := make(view.Pairs, 0, 2*mostFacts)
	f = append(f, "hex", list(c.order.targets), "attacker", c.s.sc.nameOf(c.side), "defender", c.s.sc.nameOf(c.other),
		"units", c.withStrength(c.units, attack)+withAir(o.airA), "enemy", c.withStrength(c.defenders, defence)+withAir(o.airD),
		"attack", o.attackTold(), "defence", o.defenceTold(), "ratio", o.ratio,
		"gunsA", gunsTold(c.aid.gunsA, attack), "gunsD", gunsTold(c.aid.gunsD, defence),
		"shifts", o.shifts(), "column", o.final, "hq", o.led())
	if o.lone {
		f = append(f, "lone", "yes")
	}
	if o.swamp {
		f = append(f, "swamp", "yes")
	}
	if o.works {
		f = append(f, "works", "yes", "through", c.s.whoMeets(c.units, o.decisive))
	}
	if len(c.order.targets) > 1 {
		f = append(f, "decisive", o.decisive.String())
	}
	if c.made {
		f = append(f, "made", "yes")
	}
	return f
}

// mostFacts is how many facts of a combat are told.
const mostFacts = 24

// withAir tells of the strength from the air, if there is any.
func withAir(sp int) string {
	if sp == 0 {
		return ""
	}
	return fmt.Sprintf(" + %d air", sp)
}

// led tells what the headquarters add to the dice; with a lone unit they have no part.
func (o *summary) led() string {
	switch {
	case o.lone:
		return ""
	case o.ledA && o.ledD:
		return "headquarters of both sides cancel"
	case o.ledA:
		return "headquarters of the attacker -1"
	case o.ledD:
		return "headquarters of the defender +1"
	}
	return ""
}

// withStrength lists units with what each brings: "13/XXII 4, 81 INF 3, HQ 40 0". Each has
// its number, as names end in numbers too.
func (c *combat) withStrength(us []*Unit, sp func(*Unit) int) string {
	var room [120]byte
	text := room[:0]
	for i, u := range us {
		brings := 0
		if !u.soft() || slices.Contains(c.firing, u) {
			brings = sp(u)
		}
		if i > 0 {
			text = append(text, ", "...)
		}
		text = append(append(text, u.c.Name...), ' ')
		text = strconv.AppendInt(text, int64(brings), 10)
	}
	return c.s.room.texts.Keep(text)
}

// supplyLevels raises the levels of unsupplied units after a lost combat.
//
// WB-95 10.2.4
// WB-95 10.2.5
// reading WB-95 10.2.4: a retreat number for the defender is what counts, whether
// they obeyed it or paid.
func (c *combat) supplyLevels() {
	hit := c.result.DRetreat > 0
	us, why := c.units, "the attack failed"
	if hit {
		us, why = c.defenders, "was attacked with success"
	}
	for _, u := range c.s.alive(us) {
		if u.OoS > 0 {
			c.raise(u, why)
		}
	}
}

// raise adds a level and tells the owner alone.
func (c *combat) raise(u *Unit, why string) {
	u.OoS++
	c.toOwner(u.c.Side, "combat-oos", "WB-95 10.2.4", []hex.Hex{u.Hex}, "unit", u.c.Name, "why", why, "level", strconv.Itoa(u.OoS))
}

// spaced writes dice as a report does: "4 1".
func spaced(dice []int) string {
	words := make([]string, len(dice))
	for i, d := range dice {
		words[i] = strconv.Itoa(d)
	}
	return strings.Join(words, " ")
}
