package wb95

import "slices"

// halved and quartered divide strength points.
//
// WB-95 1.7/1
// reading WB-95 1.7/1: each unit is rounded by itself for supply and
// disorganization, the whole sum once for what halves a sum.
// reading WB-95 1.7/1: points of movement are not rounded, for the book's own example
// of a changed zone has 3 1/2 of 7 left (11.2.1).
func halved(sp int) int { return (sp + 1) / 2 }

func quartered(sp int) int { return (sp + 3) / 4 }

// printed are the strength points on the side of the counter that lies up.
func printed(by []int, steps int) int {
	if steps < 1 || len(by) == 0 {
		return 0
	}
	return by[min(steps, len(by))-1]
}

// attackSP is a unit's strength in attack. With full it has paid an
// out-of-supply level for it (10.2.3).
//
// WB-95 5.6.4
// WB-95 10.2.2
func (u *Unit) attackSP(full bool) int {
	return weakened(printed(u.c.Strength, u.Steps), u.disorganized(), u.OoS > 0 && !full)
}

// defenceSP is a unit's strength in defence, which lack of supply leaves alone.
//
// WB-95 5.6.4
// WB-95 6.6.5
func (u *Unit) defenceSP() int {
	by := u.c.Strength
	if u.c.Defence != nil {
		by = u.c.Defence
	}
	return weakened(printed(by, u.Steps), u.disorganized(), false)
}

func weakened(sp int, disorganized, oos bool) int {
	switch {
	case disorganized && oos:
		return quartered(sp)
	case disorganized || oos:
		return halved(sp)
	}
	return sp
}

// ratio is the column of the initial combat ratio.
//
// WB-95 1.5/1
// WB-95 1.7/2
// reading WB-95 1.5/1: with the weaker side attacking, the quotient of the larger by the smaller is
// rounded and written 1:n; the half favours the stronger side (option weak-odds).
// reading WB-95 1.5/1: a defender without any strength is met in the last column.
func (t *CombatTable) ratio(attack, defence int) int {
	even, last := slices.Index(t.Columns, "1:1"), len(t.Columns)-1
	switch {
	case defence == 0:
		return last
	case attack == 0:
		return 0
	case attack >= defence:
		return min(last, even+(2*attack+defence)/(2*defence)-1)
	case t.Decimal && 2*attack >= defence:
		return even
	}
	return max(0, even+1-(2*defence+attack)/(2*attack))
}

// shift applies the modifiers of the attacker, then those of the defender; after
// each the column is kept inside the table.
//
// WB-95 1.5/2: what comes out is the final column
// reading WB-95 1.6/2: the table's edge counts between the two sides' modifiers,
// as in the book's second example.
func (t *CombatTable) shift(col, attacker, defender int) int {
	last := len(t.Columns) - 1
	// WB-95 1.6/1: the attacker's modifiers shift it to the right
	col = min(last, max(0, col+attacker))
	// WB-95 1.6/2: the defender's to the left; each stops at the edge of the table
	return min(last, max(0, col-defender))
}
