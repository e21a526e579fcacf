package wb95

import (
	"testing"

	"fieldpost/adjudicator/hex"
)

// lined is a plain with a line of BLUE's before 0303, which faces 0302 and 0202.
func lined(t testing.TB, ps ...piece) *State {
	t.Helper()
	s := arena(t, clearGround(6, 6), ps...)
	s.sc.Fortified = []FortifiedSide{{303, 302, blue}, {303, 203, blue}}
	return s
}

// The book's example: 20 points with 5 of artillery and 4 of aircraft against 7.
func TestExampleOfFortifiedLines(t *testing.T) {
	s := lined(t, tankAt("a", red, 302).sp(5, 10), tankAt("b", red, 302).sp(5, 10), infAt("d", blue, 303).sp(4, 7))
	us := []*Unit{s.unit("a"), s.unit("b")}
	attack := s.throughWorks(us, 303, 5+4, false)
	want(t, "attack", attack, 15)
	table := &s.sc.Combat
	first := table.ratio(attack, 7)
	want(t, "column", table.Columns[first], "2:1")
	want(t, "after the line", table.Columns[table.shift(first, 0, sum(s.lineCMs(us, 303, false)))], "1:2")
}

func TestFortifiedLinesByFacing(t *testing.T) {
	for _, tc := range []struct {
		name      string
		at        []hex.Hex // attackers of 10 points each
		defence   int
		sum, cm   int
		exemption bool
	}{
		{"over the line", []hex.Hex{302}, 7, 5, 2, true},
		{"over two sides of it", []hex.Hex{302, 203}, 7, 10, 2, true},
		{"19.1.3: four points and less", []hex.Hex{302}, 4, 5, 1, true},
		{"half from the rear: no modifiers, still halved", []hex.Hex{302, 304}, 7, 15, 0, true},
		{"more than half over it", []hex.Hex{302, 203, 304}, 7, 20, 2, true},
		{"from the rear only", []hex.Hex{304}, 7, 10, 0, true},
	} {
		ps := []piece{infAt("d", blue, 303).sp(1, tc.defence)}
		for i, h := range tc.at {
			ps = append(ps, infAt(string(rune('m'+i)), red, h).sp(5, 10))
		}
		s := lined(t, ps...)
		var us []*Unit
		for i := range tc.at {
			us = append(us, s.unit(string(rune('m'+i))))
		}
		o := s.odds(red, us, []hex.Hex{303})
		want(t, tc.name+": attack", o.attack, tc.sum)
		want(t, tc.name+": modifiers", sum(o.forD), tc.cm)
		want(t, tc.name+": fortified", s.fortified(303, blue), tc.exemption)
	}
}

// 19.1.4: whoever has taken the line has one modifier and halves nobody.
func TestCapturedFortifiedLine(t *testing.T) {
	s := lined(t, infAt("d", red, 303).sp(3, 6), infAt("a", blue, 302).sp(5, 10), infAt("b", blue, 304).sp(5, 10))
	o := s.odds(blue, []*Unit{s.unit("a"), s.unit("b")}, []hex.Hex{303})
	want(t, "attack", o.attack, 20)
	want(t, "modifiers", sum(o.forD), 1)
	want(t, "fortified", s.fortified(303, red), false)
}

// It adds to field fortifications.
func TestLineWithFieldFortifications(t *testing.T) {
	s := lined(t, infAt("d", blue, 303).sp(3, 6), infAt("a", red, 302).sp(5, 10))
	s.setFort(303, FF, blue)
	want(t, "modifiers", sum(s.odds(red, []*Unit{s.unit("a")}, []hex.Hex{303}).forD), 3)
}

// 5.1.3: units in the line need not attack; 16.1.4: of them a neighbour learns the types.
func TestUnitsInTheLine(t *testing.T) {
	s := lined(t, infAt("d", blue, 303), infAt("a", red, 302))
	s.Phase = 10
	bound, due := s.duties(blue)
	want(t, "bound", len(bound)+len(due), 0)
	s.noteContacts()
	want(t, "steps told of the line", s.contact(red, 303).Units[0].Steps, 0)
	want(t, "steps told of the open", s.contact(blue, 302).Units[0].Steps, 2)
	s.Phase = 4
	bound, due = s.duties(red)
	want(t, "the attacker in the open is bound", len(bound)+len(due), 2)
}
