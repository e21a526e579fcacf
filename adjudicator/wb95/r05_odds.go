package wb95

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator/hex"
)

// summary is what a combat comes to before the dice: the same for the combat
// itself, for the check of a sheet and for an automatic player.
type summary struct {
	at       hex.Hex // the lowest target; it names the combat
	decisive hex.Hex
	lone     bool // nobody but headquarters and limbered guns defends (5.1.9)
	attack   int  // sums with all support, after every halving
	defence  int
	gunsA    int // what of them guns in support bring (6.3), the attacker's before a halving
	gunsD    int
	starsA   []starred // stars that count (15.1)
	starsD   []starred
	airA     int  // of them, support by aircraft as it was sent (8.2.2)
	airD     int  // and as it counts in defence (8.2.4)
	swamp    bool // the attack was halved by the ground
	works    bool // or what of it met fixed positions or fortified lines
	first    int  // column of the ratio
	forA     []modifier
	forD     []modifier
	column   int // final column
	ratio    string
	final    string
	ledA     bool
	ledD     bool
	dice     int // -1, 0 or +1 on the roll
	// Of the 36 ways two dice can fall, in how many ...
	retreats int // the defender must retreat
	hits     int // the defender loses a step by the table
	costs    int // an attacker loses a step by the table
	repulsed int // the attacker must retreat
}

// odds reckons an attack at the strengths it has without paying for supply.
func (s *State) odds(side Side, units []*Unit, targets []hex.Hex) summary {
	return s.weigh(side, units, targets, false)
}

// weigh reckons an attack of units in contact with what flies for both sides, but
// without other aid; with full its unsupplied units have paid for their full strength.
func (s *State) weigh(side Side, units []*Unit, targets []hex.Hex, full bool) summary {
	return s.weighWith(side, units, targets, full, aid{})
}

// weighOrder reckons an attack with what its order adds: guns, stars, modifiers.
func (s *State) weighOrder(side Side, o attackOrder, full bool) summary {
	return s.weighWith(side, o.units, o.targets, full, aid{gunsA: o.art, starsA: starChoice(o.stars), hqA: min(o.hqcm, s.poolFor(side, o.targets))})
}

// weighWith reckons an attack with all that joins it.
func (s *State) weighWith(side Side, units []*Unit, targets []hex.Hex, full bool, a aid) summary {
	if len(targets) == 0 {
		return summary{}
	}
	o := summary{at: slices.Min(targets), lone: true}
	var defenders, firing []*Unit
	for _, h := range targets {
		o.lone = o.lone && s.loneHex(h)
		// WB-95 5.2.1/b: the strength of both sides
		o.defence += s.hexSP(h)
		defenders = append(defenders, s.fresh(h)...)
		firing = append(firing, s.gunsOn(h)...)
	}
	for _, u := range units {
		o.attack += u.attackSP(full)
	}
	o.airA, o.airD = s.backing(side, targets)
	// WB-95 8.2.2: aircraft support the attack of regular units
	if !s.deservesSupport(units) {
		o.airA = 0
	}
	o.attack, o.defence = o.attack+o.airA, o.defence+o.airD
	table := &s.sc.Combat
	if o.lone {
		// WB-95 5.1.9
		// reading WB-95 5.1.9: nothing modifies the column or the dice.
		o.decisive, o.first, o.column = o.at, len(table.Columns)-1, len(table.Columns)-1
	} else {
		o.decisive = s.decisive(units, targets, full)
		// WB-95 6.3.1
		o.gunsA, o.gunsD = fireInAttack(a.gunsA, full), fireInDefence(a.gunsD)
		o.defence += o.gunsD
		// WB-95 7.3.2
		// WB-95 19.1.1
		nominal := o.attack + o.gunsA
		o.attack = s.throughWorks(units, o.decisive, o.gunsA+o.airA, full)
		o.works = o.attack < nominal
		// WB-95 13.1.5
		// WB-95 1.6/3: ground, works and concentration always count
		o.forD = append(s.hexCMs(units, o.decisive, full), s.concentration(s.all(s.contributing(defenders), firing, a.gunsD))...)
		o.forA = s.concentration(s.all(units, a.gunsA))
		o.forA = append(o.forA, s.jointPenalty(units)...)
		s.special(&o, units, defenders, a)
		// reading WB-95 5.5.1: a swamp halves the whole sum of the attack.
		if o.swamp = s.halvesAttack(o.decisive); o.swamp {
			o.attack = halved(o.attack)
		}
		// WB-95 5.2.1/c: the ratio
		o.first = table.ratio(o.attack, o.defence)
		// WB-95 5.2.1/d: and the final column
		o.column = table.shift(o.first, sum(o.forA), sum(o.forD))
		o.ledA, o.ledD = s.ledIn(units, false), s.ledIn(defenders, true)
		o.dice = leadDice(o.ledA, o.ledD)
	}
	o.ratio, o.final = table.Columns[o.first], table.Columns[o.column]
	o.chances(table)
	return o
}

// special adds the modifiers of stars, of special units and of lost headquarters.
func (s *State) special(o *summary, units, defenders []*Unit, a aid) {
	o.starsA, o.starsD = s.starsIn(units, defenders, o.decisive, a.starsA, a.starsD)
	// WB-95 15.1.3: each star gives a modifier
	o.forA = append(append(o.forA, starCMs(o.starsA)...), s.volkssturm(defenders)...)
	o.forD = append(append(o.forD, starCMs(o.starsD)...), s.volkssturm(units)...)
	// WB-95 15.4.1: fortification units give two
	if a.fu {
		o.forD = append(o.forD, modifier{2, "fortification units", "WB-95 15.4.1"})
	}
	// WB-95 9.1.6: and those that a lost headquarters brought are used
	if a.hqA > 0 {
		o.forA = append(o.forA, modifier{a.hqA, "for a lost headquarters", "WB-95 9.1.6"})
	}
	if a.hqD > 0 {
		o.forD = append(o.forD, modifier{a.hqD, "for a lost headquarters", "WB-95 9.1.6"})
	}
}

// chances counts the throws of two dice by what they bring.
func (o *summary) chances(t *CombatTable) {
	for roll := 2; roll <= 12; roll++ {
		ways := 6 - abs(roll-7)
		c := t.cell(roll+o.dice, o.column)
		o.retreats += ways * btoi(c.DRetreat > 0)
		o.hits += ways * btoi(c.DLoss > 0)
		o.costs += ways * btoi(c.ALoss > 0)
		o.repulsed += ways * btoi(c.ARetreat > 0)
	}
}

// cell is the result for a roll with its modifier.
//
// reading WB-95 9.2.1: a modified roll stays between 2 and 12.
func (t *CombatTable) cell(roll, column int) CombatResult {
	return t.Cells[min(12, max(2, roll))][column]
}

// fresh are the units of a hex that have not fought in this phase.
//
// WB-95 5.1.1
// reading WB-95 5.1.1: who fought already and landed in a hex attacked later adds
// nothing to it and takes none of the table's losses, but must obey the retreat.
func (s *State) fresh(h hex.Hex) []*Unit {
	us := s.unitsAt(h)
	out := s.room.units.Take(len(us))
	for _, u := range us {
		if !u.Fought {
			out = append(out, u)
		}
	}
	return out
}

// anyFresh tells whether there are any.
func (s *State) anyFresh(h hex.Hex) bool {
	return slices.ContainsFunc(s.unitsAt(h), func(u *Unit) bool { return !u.Fought })
}

// contributing are the units whose own strength counts in contact.
func (s *State) contributing(units []*Unit) []*Unit {
	out := s.room.units.Take(len(units))
	for _, u := range units {
		if !u.soft() {
			out = append(out, u)
		}
	}
	return out
}

// hexSP is the strength with which a hex defends.
//
// WB-95 6.6.1
// WB-95 6.6.3
func (s *State) hexSP(h hex.Hex) int {
	sp, hard, guns := 0, false, false
	for _, u := range s.unitsAt(h) {
		switch {
		case u.Fought:
		case !u.soft():
			sp, hard = sp+u.defenceSP(), true
		case rooted(u):
			guns = true
		}
	}
	if !hard && guns {
		return 1
	}
	return sp + fireInDefence(s.gunsOn(h))
}

// loneHex tells whether only headquarters and guns in transport set-up hold the hex.
func (s *State) loneHex(h hex.Hex) bool {
	for _, u := range s.unitsAt(h) {
		// WB-95 5.1.9: headquarters alone
		// WB-95 9.1.8: said again in the chapter on headquarters
		// WB-95 6.6.4: and towed guns in transport set-up alone
		if !u.soft() || rooted(u) {
			return false
		}
	}
	return s.anyFresh(h)
}

// String is the line under an accepted attack: the sums, the shifts, the chances.
func (o summary) String() string {
	if o.final == "" {
		return ""
	}
	var b strings.Builder
	if o.lone {
		b.WriteString("against headquarters or limbered guns alone: " + o.final)
	} else {
		fmt.Fprintf(&b, "%s%s against about %d: %s", o.attackTold(), o.withAir(), o.defence, o.ratio)
	}
	if m := o.shifts(); m != "" {
		fmt.Fprintf(&b, "; %s: %s", m, o.final)
	}
	if o.dice != 0 {
		fmt.Fprintf(&b, "; dice %+d", o.dice)
	}
	fmt.Fprintf(&b, "; they retreat %d %%, lose a step %d %%, we lose a step %d %%, fall back %d %%",
		percent(o.retreats), percent(o.hits), percent(o.costs), percent(o.repulsed))
	return b.String()
}

// attackTold and defenceTold say the sums: "14 + 5 guns".
func (o summary) attackTold() string {
	switch {
	case o.gunsA == 0:
		return strconv.Itoa(o.attack)
	case o.swamp, o.works:
		return fmt.Sprintf("%d with %d guns", o.attack, o.gunsA)
	}
	return withGuns(o.attack, o.gunsA)
}

func (o summary) defenceTold() string { return withGuns(o.defence, o.gunsD) }

func withGuns(sum, guns int) string {
	if guns == 0 {
		return strconv.Itoa(sum)
	}
	return fmt.Sprintf("%d + %d guns", sum-guns, guns)
}

// withAir says how much of the attack flies, as long as nothing meets it.
func (o summary) withAir() string {
	if o.airA == 0 {
		return ""
	}
	return fmt.Sprintf(" with %d air", o.airA)
}

// shifts says the modifiers of both sides: "forest -1, concentration of 3 ARM +1".
func (o summary) shifts() string {
	var room [160]byte
	text := room[:0]
	say := func(m modifier, sign string) {
		if len(text) > 0 {
			text = append(text, ", "...)
		}
		text = append(append(append(text, m.why...), ' '), sign...)
		text = strconv.AppendInt(text, int64(m.cm), 10)
	}
	for _, m := range o.forA {
		if m.cm < 0 {
			say(m, "") // it has its own
		} else {
			say(m, "+")
		}
	}
	for _, m := range o.forD {
		say(m, "-")
	}
	return string(text)
}

func percent(of36 int) int { return (of36*100 + 18) / 36 }

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func abs(n int) int { return max(n, -n) }

// sorted are the hexes in order of their numbers, each once.
func sorted(hs []hex.Hex) []hex.Hex {
	out := slices.Clone(hs)
	slices.Sort(out)
	return slices.Compact(out)
}
