package wb95

import "testing"

// WB-95 1.5
// WB-95 1.7
func TestRatio(t *testing.T) {
	table := kharkov(t).Combat
	for _, c := range []struct {
		attack, defence int
		want            string
	}{
		{8, 5, "2:1"},                 // 1.5: 1.6 to 1
		{8, 3, "3:1"}, {18, 4, "5:1"}, // 1.6 a, b
		{3, 2, "2:1"}, {649, 100, "6:1"}, {650, 100, "7:1"}, // 1.7
		{17, 8, "2:1"}, // 5.2.1
		{5, 5, "1:1"}, {1, 1, "1:1"},
		{5, 12, "1:2"}, {2, 3, "1:2"}, {5, 7, "1:1"}, {2, 5, "1:3"}, {1, 9, "1:4"}, {0, 3, "1:4"},
		{40, 1, "10:1"}, {3, 0, "10:1"},
	} {
		want(t, "ratio", table.Columns[table.ratio(c.attack, c.defence)], c.want)
	}
}

// WB-95 1.6
func TestModifiersAreClampedBetweenTheSides(t *testing.T) {
	table := kharkov(t).Combat
	column := func(attack, defence, forA, forD int) string {
		return table.Columns[table.shift(table.ratio(attack, defence), forA, forD)]
	}
	want(t, "1.6 a", column(8, 3, 3, 1), "5:1")
	want(t, "1.6 b", column(18, 4, 7, 2), "8:1")
	want(t, "5.2.1", column(17, 8, 2, 1), "3:1")
	want(t, "the left edge", column(1, 4, 0, 3), "1:4")
}

// WB-95 1.7
// WB-95 5.6.4
// WB-95 10.2.2
func TestStrengthsRoundUp(t *testing.T) {
	want(t, "half of 1", halved(1), 1)
	want(t, "half of 5", halved(5), 3)
	s := arena(t, clearGround(6, 6),
		infAt("fit", red, 202).sp(2, 5), infAt("oos", red, 302).sp(2, 5).oos(2),
		infAt("shaken", red, 402).sp(2, 5).shaken(), infAt("both", red, 502).sp(2, 5).oos(1).shaken())
	for _, c := range []struct {
		unit          string
		attack, full  int
		defence, half int
	}{{"fit", 5, 5, 5, 0}, {"oos", 3, 5, 5, 0}, {"shaken", 3, 3, 3, 0}, {"both", 2, 3, 3, 0}} {
		u := s.unit(c.unit)
		want(t, c.unit+" in attack", u.attackSP(false), c.attack)
		want(t, c.unit+" with full strength", u.attackSP(true), c.full)
		want(t, c.unit+" in defence", u.defenceSP(), c.defence)
	}
}
