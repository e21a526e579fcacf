package steppe

import (
	"fmt"

	"fieldpost/adjudicator/hex"
)

// defenceAt is the Defense Strength of a hex: all its combat units together, of both
// fronts too.
//
// Steppe 10.0/9
// Steppe 6.2/4
//
// reading Steppe 5.2: each unit is halved for itself, then they are added, and the sum
// is never below one. A lone headquarters Out of Supply keeps its numeral, and several without
// combat units add theirs, as the units of a hex are attacked as a sum.
func (s *State) defenceAt(h hex.Hex) int {
	n, hq := 0, 0
	for _, u := range s.unitsAt(h) {
		if u.combat() {
			n += u.defence()
		} else {
			hq = s.withHQ(hq, u.c.Artillery) // Steppe 2.4/5
		}
	}
	if !hasCombat(s.unitsAt(h)) {
		n = hq // Steppe 2.4/7
	}
	return max(n, 1)
}

// withHQ adds a headquarters to what those without combat units defend with. By earlier
// versions of the rules the best of them counted alone.
func (s *State) withHQ(sum, artillery int) int {
	if s.sc.before(3) {
		return max(sum, artillery)
	}
	return sum + artillery
}

// odds is what an attack comes to before aircraft and dice.
type odds struct {
	attack, defence int
	gross           int // level of the ratio, of 1:4 and less below 0
	shift           int // columns, left is negative
	level           int // after shifts, from 0
	column          int // of the table
	drm             int // for ratios above 4:1
	name            string
	why             []string // the shifts by name: town -1
}

// nothing is the level of an attack without any strength: no shift helps it.
const nothing = -100

// oddsLevel is the level of a ratio: 0 to 7 are the columns 1:3 to 4:1, 8 is 5:1 and so on,
// -1 is 1:4.
//
// Steppe 10.1/4
// Steppe 10.1/5
//
// reading Steppe 10.1: eight columns, 1:3 1:2 2:3 1:1 3:2 2:1 3:1 4:1, rounded down in
// the defender's favour.
func oddsLevel(attack, defence int) int {
	switch {
	case attack >= 2*defence:
		return 3 + attack/defence
	case 2*attack >= 3*defence:
		return 4
	case attack >= defence:
		return 3
	case 3*attack >= 2*defence:
		return 2
	case attack == 0:
		return nothing
	}
	return 3 - (defence+attack-1)/attack
}

// settle turns strengths and a shift into a column and the modifier for what is over.
//
// reading Steppe 10.1: ratios above 4:1 and below 1:3 are steps of the same ladder, which
// shifts move along; what is below 1:3 after all shifts is 1:3, so 1:6 moved one column to
// the right is 1:3 still.
func (sc *Scenario) settle(attack, defence, shift int) odds {
	o := odds{attack: attack, defence: defence, gross: oddsLevel(attack, defence), shift: shift}
	if sc.before(2) {
		o.gross = max(o.gross, 0) // 1:3 was the lowest step
	}
	o.level = max(o.gross+shift, 0)            // Steppe 10.1/8
	o.column = min(o.level, len(sc.Columns)-1) // Steppe 10.1/7
	o.drm = o.level - o.column                 // Steppe 10.1/6
	o.name = sc.Columns[o.column]
	return o
}

// odds weighs the attack as it stands.
//
// Steppe 10.1/3
func (c *combat) odds() odds {
	attack := 0
	var from []hex.Hex
	for _, u := range c.units {
		attack += u.attack() // Steppe 10.0/8
		from = append(from, u.Hex)
	}
	cover := c.s.shelter(c.target, from)
	why := withTerm(nil, cover.name, -cover.shift)
	shift := -cover.shift
	if c.s.strikesBack(c.side) {
		why = withTerm(why, "Manstein's Backhand Blow", 1)
		shift++
	}
	o := c.s.sc.settle(attack, c.s.defenceAt(c.target), shift)
	o.why = why
	return o
}

// withTerm adds what a thing is worth to a list, by its name: town -1. What is worth nothing is
// left out.
func withTerm(list []string, name string, worth int) []string {
	if worth == 0 {
		return list
	}
	return append(list, fmt.Sprintf("%s %+d", name, worth))
}

// strikesBack tells whether the attacks of a side are shifted by Manstein's Backhand
// Blow: those of the Germans, in its turn alone.
//
// Steppe 15.0/2
// Steppe 15.0/4
func (s *State) strikesBack(side Side) bool {
	return side == German && s.Backhand == s.Turn // Steppe 15.0/3
}

// cover is what takes columns off an attack, and how many.
type cover struct {
	name  string
	shift int
}

// shelter is what ground and hexsides take off an attack. A hexside counts if every
// attacker crosses one.
//
// Steppe 10.1/9
// Steppe 10.1/11
func (s *State) shelter(target hex.Hex, from []hex.Hex) cover {
	l := s.sc.land
	i := s.ix(target)
	var side *cover
	for _, h := range from {
		if d, beside := l.grid.Direction(target, h); beside {
			if c := s.hexsideCover(i, d); side == nil || c.shift < side.shift {
				side = &c
			}
		}
	}
	ground := s.groundAt(i)
	if side != nil && side.shift > ground.Shift {
		return *side // Steppe 10.1/10
	}
	return cover{ground.words(), ground.Shift}
}

// hexsideCover is what one hexside takes off; on frozen ground a major river is a minor
// one.
//
// Steppe 3.1/14
func (s *State) hexsideCover(i int, d hex.Dir) cover {
	line := s.hexside(i, d)
	switch w := s.sc.land.water[i][d]; {
	case w == dry:
		return cover{}
	case w == major && s.Ground == frozen:
		line = minorRiver
	}
	t := s.sc.Terrain[line]
	return cover{t.words(), t.Shift}
}

// ratioName is a level in words: 5:1 for 8, 1:4 for -1.
func (sc *Scenario) ratioName(level int) string {
	switch {
	case level == nothing:
		return "0:1"
	case level < 0:
		return fmt.Sprintf("1:%d", 3-level)
	case level < len(sc.Columns):
		return sc.Columns[level]
	}
	return fmt.Sprintf("%d:1", level-3)
}

// result is the cell of the table for a throw with its modifiers, those of the odds not
// yet added.
func (sc *Scenario) result(o odds, thrown int) Result {
	return sc.Combat[min(max(thrown+o.drm, 2), 12)][o.column]
}

// ways counts, of the 36 throws of two dice, those whose result is of a kind, with so
// much added to the dice.
func (sc *Scenario) ways(o odds, drm int, kind func(Result) bool) int {
	n := 0
	for roll := 2; roll <= 12; roll++ {
		if kind(sc.result(o, roll+drm)) {
			n += waysOf(roll)
		}
	}
	return n
}

// waysOf is in how many ways two dice throw a sum.
func waysOf(roll int) int { return 6 - abs(roll-7) }

// effectChance is the ways of 36 in which the defender retreats or loses a step.
func (sc *Scenario) effectChance(o odds, drm int) int {
	return sc.ways(o, drm, func(r Result) bool { return r.Retreat+r.DLoss > 0 })
}

// retreatChance is the ways of 36 in which the defender must retreat.
func (sc *Scenario) retreatChance(o odds, drm int) int {
	return sc.ways(o, drm, func(r Result) bool { return r.Retreat > 0 })
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
