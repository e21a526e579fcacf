package wb95

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
)

// colours are all stars, in the order of the book's table.
var colours = []Star{Black, White, Yellow, Blue}

// starred are units in contact whose stars of one colour count.
type starred struct {
	colour Star
	n      int // stars
	users  []*Unit
}

// starsIn works out which of the stars that both sides use have an effect.
//
// WB-95 15.1.1: units with stars have abilities
// reading WB-95 15.1.2: a side uses all its stars of a colour or none. White needs an
// enemy to act on, then it puts out the enemy's black and yellow; black puts out yellow;
// white stars do not put out each other. A black star of the attacker counts if
// the hex that decides (5.5.3) is not fortified, one of the defender always.
func (s *State) starsIn(attackers, defenders []*Unit, decisive hex.Hex, useA, useD []Star) (a, d []starred) {
	targets, side := hexesUnder(defenders), s.holder(decisive)
	// WB-95 15.1.6: and their player decides whether to use them
	att := starSide{attack: true, use: useA, air: s.airStars(s.sc.Other(side), airSupport, targets),
		us: slices.DeleteFunc(s.all(attackers), func(u *Unit) bool { return s.overBigRiver(u, decisive) })}
	def := starSide{use: useD, air: s.airStars(side, airDefend, targets), us: defenders}
	// WB-95 8.2.2
	if !s.deservesSupport(attackers) {
		att.air = 0
	}
	whiteA := att.has(White) && slices.ContainsFunc(defenders, mechanized)
	whiteD := def.has(White) && slices.ContainsFunc(attackers, mechanized)
	for _, colour := range colours {
		worksA, worksD := true, true
		// WB-95 15.1.2: what each colour acts on, and what puts it out
		switch colour {
		case Black:
			worksA, worksD = !whiteD && !s.fortified(decisive, side), !whiteA
		case White:
			worksA, worksD = whiteA, whiteD
		case Yellow:
			blackD := def.has(Black) && !whiteA
			worksA, worksD = !whiteD && !blackD, false
		}
		if worksA {
			a = att.appendTo(a, colour)
		}
		if worksD {
			d = def.appendTo(d, colour)
		}
	}
	return a, d
}

// starSide is a side of a combat with its stars.
type starSide struct {
	attack bool
	use    []Star  // colours that it uses
	us     []*Unit // in contact, that can use stars here
	air    int     // white stars of its aircraft (21.1.1)
}

// has tells whether the side uses stars of the colour and has some.
func (x starSide) has(colour Star) bool { return len(x.appendTo(nil, colour)) > 0 }

// appendTo adds the side's stars of a colour, if it uses them; white ones fly as well.
func (x starSide) appendTo(list []starred, colour Star) []starred {
	if !slices.Contains(x.use, colour) {
		return list
	}
	g := starred{colour: colour, users: starUsers(x.us, colour, x.attack)}
	if colour == White {
		g.n = x.air
	}
	for _, u := range g.users {
		for _, c := range u.c.Stars {
			g.n += btoi(c == colour)
		}
	}
	if g.n == 0 {
		return list
	}
	return append(list, g)
}

// mechanized: what a white star acts on.
//
// reading WB-95 15.1.2: mechanized are tracked units and those of armoured and
// mechanized types, and motorized reconnaissance, which rides in armoured cars.
func mechanized(u *Unit) bool {
	switch u.c.Type {
	case ARM, MECH, AG:
		return true
	case REC:
		return u.c.Class != Foot
	}
	return u.c.Class == Tracked
}

// overBigRiver tells whether the unit assaults through a big river.
//
// WB-95 15.1.8
// reading WB-95 15.1.8: only units with a big river before them lose their stars,
// and a bridge does not help.
func (s *State) overBigRiver(u *Unit, target hex.Hex) bool {
	return s.bigRiver(u.Hex, target)
}

// starUsers are the units that can use a star of the colour.
//
// WB-95 15.1.5
// reading WB-95 15.1.5: guns and units that support from elsewhere use no stars.
func starUsers(us []*Unit, colour Star, attack bool) []*Unit {
	var out []*Unit
	for _, u := range us {
		if attack && u.towedGun() {
			continue
		}
		if slices.Contains(u.c.Stars, colour) {
			out = append(out, u)
		}
	}
	return out
}

// starCMs are the modifiers of stars.
//
// WB-95 15.1.3
// WB-95 15.1.4
func starCMs(list []starred) []modifier {
	var out []modifier
	for _, g := range list {
		name := string(g.colour) + " star"
		if g.n > 1 {
			name += "s"
		}
		out = append(out, modifier{g.n, name, "WB-95 15.1.3"})
	}
	return out
}

// usersOf are all units whose stars count.
func usersOf(list []starred) []*Unit {
	var out []*Unit
	for _, g := range list {
		for _, u := range g.users {
			if !slices.Contains(out, u) {
				out = append(out, u)
			}
		}
	}
	return out
}

// starChoice reads YES, NO and lists of colours.
//
// reading WB-95 15.1.6: an attack order that does not speak of stars uses all.
func starChoice(text string) []Star {
	switch text {
	case "", answerYes:
		return colours
	case answerNo:
		return nil
	}
	var out []Star
	for w := range strings.SplitSeq(text, ", ") {
		out = append(out, Star(strings.ToLower(w)))
	}
	return out
}

// callStars lets the defender choose their stars, knowing the attacker's. They are
// asked only where they would count.
//
// WB-95 1.6/4
// WB-95 15.1.6
// reading WB-95 15.1.6: the attacker says first. By default the defender uses all
// that count, unless the only unit that could pay for them (15.1.7) has one step
// and is the last regular unit of its hex.
func (c *combat) callStars() {
	if c.s.allLone(c.order.targets) {
		return
	}
	decisive := c.s.decisive(c.units, c.order.targets, c.order.full)
	_, can := c.s.starsIn(c.units, c.defenders, decisive, c.aid.starsA, colours)
	if len(can) == 0 {
		return
	}
	d := adjudicator.Decision{Label: "stars " + c.at.String(), Kind: kindStars, Side: c.s.chiefAt(c.other, c.order.targets), Clause: "WB-95 15.1.6",
		Options: starOptions(can)}
	proposal, source := c.proposeStars(can, d.Options)
	if answer := c.decide(d, proposal, source); answer != answerNo {
		c.aid.starsD = starChoice(answer)
	}
}

// starOptions are the choices of colours: none first, all last.
func starOptions(can []starred) []adjudicator.Option {
	out := []adjudicator.Option{{Answer: answerNo, Means: "no stars are used"}}
	for set := 1; set < 1<<len(can); set++ {
		var words []string
		n := 0
		for i, g := range can {
			if set&(1<<i) != 0 {
				words, n = append(words, strings.ToUpper(string(g.colour))), n+g.n
			}
		}
		out = append(out, adjudicator.Option{Answer: strings.Join(words, ", "), Means: fmt.Sprintf("%s used: %d in our favour", starWords(words), n)})
	}
	return out
}

// proposeStars finds the defender's answer: by a standing order, or the default.
func (c *combat) proposeStars(can []starred, options []adjudicator.Option) (proposal, source string) {
	all, users := options[len(options)-1].Answer, usersOf(can)
	for _, o := range c.sources(c.other, users) {
		switch {
		case o.stars == "":
			continue
		case o.stars == answerYes:
			return all, o.source
		case slices.ContainsFunc(options, func(opt adjudicator.Option) bool { return opt.Answer == o.stars }):
			return o.stars, o.source
		}
		return answerNo, o.source
	}
	if len(users) == 1 && c.lastOfHex(users[0]) {
		return answerNo, defaultSource
	}
	return all, defaultSource
}

func starWords(words []string) string {
	s := strings.ToLower(strings.Join(words, " and ")) + " star"
	if len(words) > 1 {
		s += "s"
	}
	return s
}

// lastOfHex: one step is left of the unit, and no other regular unit is with it.
func (c *combat) lastOfHex(u *Unit) bool {
	return u.Steps == 1 && !slices.ContainsFunc(c.s.unitsAt(u.Hex), func(v *Unit) bool { return v != u && v.regular() })
}

// pledge notes that a side owes a step of one of these units if it loses any.
//
// WB-95 15.1.7
// WB-95 15.4.3
// reading WB-95 15.1.7: it is the first step that the side loses, by the table or
// for not retreating; a star that was put out costs nothing.
func (c *combat) pledge(side Side, users []*Unit) {
	if len(users) > 0 {
		c.owed = append(c.owed, &debt{side, users})
	}
}

// debt is a step owed for an ability that was used.
type debt struct {
	side  Side
	users []*Unit
}

// owing narrows those who may lose a step to those who owe one.
func (c *combat) owing(side Side, us []*Unit) []*Unit {
	for _, d := range c.owed {
		if d.side != side {
			continue
		}
		if due := slices.DeleteFunc(slices.Clone(us), func(u *Unit) bool { return !slices.Contains(d.users, u) }); len(due) > 0 {
			return due
		}
	}
	return us
}

// settle strikes out the debts that the loss of a unit pays.
func (c *combat) settle(u *Unit) {
	c.owed = slices.DeleteFunc(c.owed, func(d *debt) bool { return slices.Contains(d.users, u) })
}
