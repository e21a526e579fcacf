package staff

import "testing"

// What was chosen is tried on fresh positions only if that is asked for, and it changes nothing of what is written.
func TestLeadOnFreshPositions(t *testing.T) {
	others := 0
	for k, s := range asked(t, "winter-campaign", 1) {
		if k%3 != 0 {
			continue
		}
		o := Officer{Game: s.game, Strength: Chief, Holds: true, Units: 12000}
		without, err := o.Think(s.view, 7)
		if err != nil {
			t.Fatal(err)
		}
		o.Fresh = 2
		with, err := o.Think(s.view, 7)
		if err != nil {
			t.Fatal(err)
		}
		if with.Sheet != without.Sheet || with.Units != without.Units || without.Lead != (Lead{}) {
			t.Errorf("%s: with fresh positions %d units\n%s\nwithout %d units, %v\n%s", s.label, with.Units, with.Sheet, without.Units, without.Lead, without.Sheet)
		}
		usual, err := o.draft(s.view, 7, o.planned(s.view))
		if err != nil {
			t.Fatal(err)
		}
		switch other := with.Sheet != usual; {
		case other != (with.Lead.Positions == 2):
			t.Errorf("%s: another plan than the usual one: %v, tried on %d positions", s.label, other, with.Lead.Positions)
		case other && with.Lead.Chosen <= 0:
			t.Errorf("%s: chosen with a lead of %d", s.label, with.Lead.Chosen)
		case other:
			others++
		}
	}
	if others == 0 {
		t.Error("the usual plan was kept everywhere")
	}
}
