package wb95

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
)

// summary is what a combat comes to before the dice: the same for the combat
// itself, for the check of a sheet and for an automatic player.
type summary struct {
	at       hex.Hex // the lowest target; it names the combat
	decisive hex.Hex
	lone     bool // nobody but headquarters and limbered guns defends (5.1.9)
	attack   int  // sums, after every halving
	defence  int
	airA     int  // of them, support by aircraft as it was sent (8.2.2)
	airD     int  // and as it counts in defence (8.2.4)
	swamp    bool // the attack was halved by the ground
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

// weigh reckons an attack; with full its unsupplied units have paid for their
// full strength. Guns in support (6.3), stars and special
// units (15) and eliminated headquarters (9.1.6) join the sums here.
//
// WB-95 1.6/3
// WB-95 5.2.1/b
// WB-95 5.2.1/c
// WB-95 5.2.1/d
func (s *State) weigh(side Side, units []*Unit, targets []hex.Hex, full bool) summary {
	if len(targets) == 0 {
		return summary{}
	}
	o := summary{at: slices.Min(targets), lone: true}
	var defenders []*Unit
	for _, h := range targets {
		o.lone = o.lone && s.loneHex(h)
		o.defence += s.hexSP(h)
		defenders = append(defenders, s.fresh(h)...)
	}
	for _, u := range units {
		o.attack += u.attackSP(full)
	}
	o.airA, o.airD = s.backing(side, targets)
	o.attack, o.defence = o.attack+o.airA, o.defence+o.airD
	table := &s.sc.Combat
	if o.lone {
		// WB-95 5.1.9
		// reading WB-95 5.1.9: nothing modifies the column or the dice.
		o.decisive, o.first, o.column = o.at, len(table.Columns)-1, len(table.Columns)-1
	} else {
		o.decisive = s.decisive(units, targets, full)
		o.forD = append(s.hexCMs(units, o.decisive, full), s.concentration(contributing(defenders))...)
		o.forA = append(s.concentration(units), s.jointPenalty(units)...)
		// reading WB-95 5.5.1: a swamp halves the whole sum of the attack.
		if o.swamp = s.halvesAttack(o.decisive); o.swamp {
			o.attack = halved(o.attack)
		}
		o.first = table.ratio(o.attack, o.defence)
		o.column = table.shift(o.first, sum(o.forA), sum(o.forD))
		o.ledA, o.ledD = s.ledIn(units, false), s.ledIn(defenders, true)
		o.dice = leadDice(o.ledA, o.ledD)
	}
	o.ratio, o.final = table.Columns[o.first], table.Columns[o.column]
	o.chances(table)
	return o
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
	row := t.Cells[min(12, max(2, roll))]
	if column >= len(row) {
		return CombatResult{}
	}
	return row[column]
}

// fresh are the units of a hex that have not fought in this phase.
//
// WB-95 5.1.1
// reading WB-95 5.1.1: who fought already and landed in a hex attacked later adds
// nothing to it and takes none of the table's losses, but must obey the retreat.
func (s *State) fresh(h hex.Hex) []*Unit {
	var out []*Unit
	for _, u := range s.unitsAt(h) {
		if !u.Fought {
			out = append(out, u)
		}
	}
	return out
}

// contributing are the units whose own strength counts in contact.
func contributing(units []*Unit) []*Unit {
	var out []*Unit
	for _, u := range units {
		if !u.soft() {
			out = append(out, u)
		}
	}
	return out
}

// hexSP is the strength with which a hex defends. Beside a regular unit the
// towed guns join with chapter 6 (6.6.1).
//
// WB-95 6.6.3
func (s *State) hexSP(h hex.Hex) int {
	units := s.fresh(h)
	sp := 0
	for _, u := range contributing(units) {
		sp += u.defenceSP()
	}
	if len(contributing(units)) == 0 && slices.ContainsFunc(units, rooted) {
		return 1
	}
	return sp
}

// loneHex tells whether only headquarters and guns in transport set-up hold the hex.
//
// WB-95 5.1.9
// WB-95 6.6.4
func (s *State) loneHex(h hex.Hex) bool {
	for _, u := range s.unitsAt(h) {
		if !u.soft() || rooted(u) {
			return false
		}
	}
	return len(s.fresh(h)) > 0
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
		fmt.Fprintf(&b, "%d%s against about %d: %s", o.attack, o.withAir(), o.defence, o.ratio)
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

// withAir says how much of the attack flies, as long as nothing meets it.
func (o summary) withAir() string {
	if o.airA == 0 {
		return ""
	}
	return fmt.Sprintf(" with %d air", o.airA)
}

// shifts says the modifiers of both sides: "forest -1, concentration of 3 ARM +1".
func (o summary) shifts() string {
	var parts []string
	for _, m := range o.forA {
		parts = append(parts, fmt.Sprintf("%s %+d", m.why, m.cm))
	}
	for _, m := range o.forD {
		parts = append(parts, fmt.Sprintf("%s -%d", m.why, m.cm))
	}
	return strings.Join(parts, ", ")
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
