package wb95

import (
	"slices"
	"testing"

	"fieldpost/adjudicator/hex"
)

// adviser is an adviser of a side at the opening of Kharkov.
func adviser(t testing.TB, side Side) *Adviser {
	t.Helper()
	g := newGame(kharkov(t))
	s := g.sc.opening()
	s.noteContacts()
	a, err := g.Advise(s.view(side))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func (a *Adviser) named(t testing.TB, name string) Piece {
	t.Helper()
	ps := a.Pieces()
	i := slices.IndexFunc(ps, func(p Piece) bool { return p.Name == name })
	if i < 0 {
		t.Fatalf("no piece %s", name)
	}
	return ps[i]
}

func TestAdviserKeepsOrders(t *testing.T) {
	a := adviser(t, "SOVIET")
	u := a.named(t, "277 INF")
	if u.Hex != 3401 || !u.Movable || !u.Fights || !u.Supplied {
		t.Errorf("277 INF: %+v", u)
	}
	reach := a.Reach(u.ID)
	if !slices.ContainsFunc(reach, func(p Place) bool { return p.Hex == 3401 && p.Cost == 0 }) || len(reach) < 10 {
		t.Errorf("277 INF reaches %v", reach)
	}
	before := a.s.encode()
	if _, err := a.Order("277 INF TO 0101"); err == nil {
		t.Error("a march of fifty hexes is accepted")
	}
	if !slices.Equal(before, a.s.encode()) {
		t.Error("a refused order changes the position")
	}
	if _, err := a.Order("277 INF TO 3402"); err != nil {
		t.Error(err)
	}
	if h := a.Where(u.ID); h != 3402 {
		t.Errorf("277 INF is in %v", h)
	}
	if _, err := a.Order("277 INF TO 3403"); err == nil {
		t.Error("a unit moves twice")
	}
}

func TestSuppositionsAreTakenBack(t *testing.T) {
	a := adviser(t, "SOVIET")
	before := a.s.encode()
	first := a.named(t, "277 INF").ID
	one := a.Suppose(first, 2206)
	two := a.Suppose(a.named(t, "300 INF").ID, 2206)
	if bound, _ := a.Bound(); !slices.Contains(bound, first) {
		t.Error("beside the enemy it need not attack")
	}
	o := a.Odds([]string{first}, []hex.Hex{2307})
	if o.Attack == 0 || o.Defence == 0 || o.Retreats < 0 || o.Retreats > 36 || o.Level >= 0 {
		t.Errorf("odds of one division against improved fortifications: %+v", o)
	}
	two()
	one()
	if !slices.Equal(before, a.s.encode()) || len(a.s.unitsAt(3401)) != 1 {
		t.Error("a supposition is left over")
	}
}

func TestCompleteCoversTheDuties(t *testing.T) {
	for _, side := range []Side{"SOVIET", "GERMAN"} {
		a := adviser(t, side)
		bound, due := a.Bound()
		all := a.Complete(nil)
		for _, id := range bound {
			if !slices.ContainsFunc(all, func(at Attack) bool { return slices.Contains(at.Units, id) }) {
				t.Errorf("%s does not attack", id)
			}
		}
		for _, h := range due {
			if !slices.ContainsFunc(all, func(at Attack) bool { return slices.Contains(at.Targets, h) }) {
				t.Errorf("%v is not attacked", h)
			}
		}
	}
}

func TestAdviserSeesTheViewOnly(t *testing.T) {
	a := adviser(t, "SOVIET")
	for _, f := range a.Foes() {
		if a.Holder(f.Hex) != -1 || f.Steps == 0 {
			t.Errorf("%+v", f)
		}
	}
	// Nobody has been near Kharkov: its guns look like infantry.
	i := slices.IndexFunc(a.Foes(), func(f Foe) bool { return f.Hex == 1813 })
	if i < 0 || a.Foes()[i].Lone || a.Foes()[i].Defence == 0 {
		t.Error("the guns in Kharkov are known")
	}
	ours := 0
	for _, g := range a.Goals() {
		if g.Ours {
			ours++
		}
	}
	if n := len(a.Goals()); n != 20 || ours != 3 {
		t.Errorf("%d goals, %d ours", n, ours)
	}
}

func TestReinforcementsReach(t *testing.T) {
	g := newGame(kharkov(t))
	s := g.sc.opening()
	s.Turn, s.Phase = 2, 3
	a, err := g.Advise(s.view("SOVIET"))
	if err != nil {
		t.Fatal(err)
	}
	u := a.named(t, "III CAV")
	if len(a.EntryReach(u.ID, "R")) == 0 || len(a.EntryReach(u.ID, "A")) > 0 || len(a.Reach(u.ID)) > 0 {
		t.Errorf("III CAV enters by %v: R %v", u.Entry, a.EntryReach(u.ID, "R"))
	}
}
