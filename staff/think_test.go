package staff

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/staff/sandtable"
)

// Who rehearses writes sheets that the rules take whole, within their bound of work, and the
// same one for a View that has gone through a mail.
func TestRehearsedSheets(t *testing.T) {
	for _, id := range []string{"winter-campaign", "gd-akhtyrka", "prokhorovka"} {
		s := sittings(t, id, "", 2)[0]
		o := Officer{Game: s.game, Strength: Chief, Units: 2500}
		th, err := o.Think(s.view, 7)
		if err != nil || th.Unrehearsed != "" {
			t.Fatalf("%s: %v %s", s.label, err, th.Unrehearsed)
		}
		if th.Units < 1000 || th.Units > 2*2500 {
			t.Errorf("%s: %d units of work", s.label, th.Units)
		}
		takenWhole(t, o, s, th.Sheet)
	}
}

// takenWhole tells if the rules refuse an order of a sheet, or if the officer writes another one for the same View
// that has gone through a mail.
func takenWhole(t testing.TB, o Officer, s *sitting, sheet string) {
	t.Helper()
	f, err := sandtable.Judge(s.game, offices[s.view.System].words, s.view, sheet)
	if err != nil {
		t.Fatal(err)
	}
	if _, refused := f.Accepted(); refused > 0 {
		t.Errorf("%s: %d orders refused", s.label, refused)
	}
	text, err := json.Marshal(s.view)
	if err != nil {
		t.Fatal(err)
	}
	mailed := &view.View{}
	if err := json.Unmarshal(text, mailed); err != nil {
		t.Fatal(err)
	}
	if again, err := o.Sheet(mailed, 7); err != nil || again != sheet {
		t.Errorf("%s: another sheet for the mailed view (%v)", s.label, err)
	}
}

// What the rules refuse of a sheet is left out, with what hangs on it, and nothing else.
func TestRefusedOrdersAreLeftOut(t *testing.T) {
	s := sittings(t, "kharkov-1942", "", 1)[0]
	o := Officer{Game: s.game}
	sheet, err := o.Sheet(s.view, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := o.allowed(s.view, sheet); got != sheet {
		t.Errorf("of a sheet without a fault is left:\n%s", got)
	}
	wrong := strings.Replace(sheet, "MOVE\n", "MOVE\n  NOBODY TO 0101\n", 1)
	wrong = strings.Replace(wrong, "DONE!\n", "CONSTRUCTION\n  NOBODY ENTRENCH\n    AT ALL\nDONE!\n", 1)
	if got := o.allowed(s.view, wrong); got != sheet {
		t.Errorf("of\n%s\nis left\n%s", wrong, got)
	}
}

// Nothing but the view decides: in a blind game, which is not drawn, the cadet's sheet is
// written, and why is told.
func TestUndrawnGames(t *testing.T) {
	g, err := adjudicator.Under(load(t, "prokhorovka"), map[string]string{adjudicator.FogOption: string(adjudicator.FogBlind)})
	if err != nil {
		t.Fatal(err)
	}
	pos, err := g.Opening()
	if err != nil {
		t.Fatal(err)
	}
	v, err := g.View(pos, g.Sides()[0])
	if err != nil {
		t.Fatal(err)
	}
	th, err := Officer{Game: g, Strength: Chief, Units: 2000}.Think(v, 1)
	plain, err2 := Officer{Game: g}.Sheet(v, 1)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	if th.Sheet != plain || th.Unrehearsed == "" {
		t.Errorf("a blind game was rehearsed: %+v", th.Plan)
	}
}

// broken is a game in which no rehearsal gets under way.
type broken struct {
	adjudicator.Game
	panics bool
}

func (b broken) Walk([]byte) (adjudicator.Walk, error) {
	if b.panics {
		panic("no such phase")
	}
	return nil, errors.New("no such position")
}

// A rehearsal that cannot be played counts less than the most that can be lost.
func TestFailedRehearsals(t *testing.T) {
	s := sittings(t, "winter-campaign", "", 2)[0]
	work, err := Officer{Game: s.game, Strength: Chief}.thinking(s.view, 1, 2500)
	if err != nil {
		t.Fatal(err)
	}
	p := work.add(temper{name: "as written"}, parted(s.text))
	if p == nil || !work.draw() || !work.draw() {
		t.Fatal("nothing to rehearse")
	}
	for _, panics := range []bool{false, true} {
		work.game = broken{s.game, panics}
		work.try(p, len(p.worth)+1)
	}
	lost := bounded(-wonGame - 200*aPoint)
	if !slices.Equal(p.worth, []int{worst, worst}) || work.failed != 2 {
		t.Errorf("worth %d, %d failed", p.worth, work.failed)
	}
	bad := &plan{name: "lost on all", worth: []int{lost, lost}}
	if work.plans = append(work.plans, bad); work.best(work.plans) != bad {
		t.Error("what could not be rehearsed was preferred to what was lost")
	}
}

// A plan that was lucky once does not take the place of the first one; one that leads on all positions does, and
// on a single one only by much.
func TestLeadsByLuck(t *testing.T) {
	for _, tc := range []struct {
		name  string
		worth []int
		leads bool
	}{
		{"lucky", []int{150_000, -60_000, -20_000, -10_000}, false},
		{"steady", []int{12_000, 9_000, 14_000, 11_000}, true},
		{"hardly better", []int{1_000, 1_000, 1_000, 1_000}, false},
		{"tried once", []int{onOne}, false},
		{"well ahead at once", []int{2 * onOne}, true},
	} {
		first, other := &plan{worth: make([]int, len(tc.worth))}, &plan{worth: tc.worth}
		work := &thinking{plans: []*plan{first, other}, office: offices["wb95"]}
		if got := work.best(work.plans) == other; got != tc.leads {
			t.Errorf("%s: the other plan is chosen: %v", tc.name, got)
		}
	}
}

// Where rehearsals are cheap a lucky plan leads, but not one that does well to the end of a game.
func TestWhatIsLearntOutlastsLuck(t *testing.T) {
	for _, learnt := range []bool{false, true} {
		first, lucky := &plan{worth: make([]int, 4)}, &plan{worth: []int{150_000, -60_000, -20_000, -10_000}}
		work := &thinking{plans: []*plan{first, lucky}, office: offices["famous"], usual: temper{learnt: learnt}}
		if got := work.best(work.plans) == lucky; got == learnt {
			t.Errorf("learnt %v: the lucky plan is chosen: %v", learnt, got)
		}
	}
}

func TestDraftsComeBackWhole(t *testing.T) {
	n := 0
	for _, s := range everySitting(t) {
		if got := parted(s.text).text(); got != s.text {
			t.Errorf("%s: the sheet is another one after it was parted:\n%s\n---\n%s", s.label, s.text, got)
		}
		n++
	}
	if n < 40 {
		t.Errorf("only %d sheets", n)
	}
}

func TestStrengths(t *testing.T) {
	for _, s := range Strengths {
		if got, err := ParseStrength(string(s)); err != nil || got != s {
			t.Errorf("%s: %v %v", s, got, err)
		}
	}
	if s, err := ParseStrength("general"); err == nil {
		t.Errorf("there is no %s", s)
	}
	if Cadet.Units() >= Captain.Units() || Captain.Units() >= Chief.Units() {
		t.Error("who is stronger may not work more")
	}
}

// What an officer answers at the chits of a turn follows the plan that its sheet was written by. One that
// nobody knows is as if there were none, and a cadet has none.
func TestAnswersFollowThePlanOfTheTurn(t *testing.T) {
	differ, asked := 0, 0
	for _, s := range sittings(t, "star-and-gallop", "ASK", 2) {
		if len(s.view.Asked) == 0 {
			continue
		}
		asked++
		answer := func(strength Strength, plan string) string {
			text, err := Officer{Game: s.game, Strength: strength, Holds: true, Mode: "ASK", Plan: plan}.Sheet(s.view, 7)
			if err != nil {
				t.Fatal(err)
			}
			return text
		}
		if answer(Cadet, "hold") != answer(Cadet, "") {
			t.Errorf("%s: a cadet has a plan", s.label)
		}
		usual := answer(Captain, "")
		for _, plan := range []string{cadets, "no such plan"} {
			if answer(Captain, plan) != usual {
				t.Errorf("%s: by the plan %q an officer answers otherwise than without one", s.label, plan)
			}
		}
		if answer(Captain, "hold") != usual {
			differ++
		}
	}
	if asked == 0 || differ == 0 {
		t.Errorf("of %d answers %d are by the plan", asked, differ)
	}
}
