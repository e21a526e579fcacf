package staff

import (
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/steppe"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/staff/sandtable"
)

// asked are occasions on which the orders of a chit were asked for.
func asked(t testing.TB, id string, turns int) (out []*sitting) {
	t.Helper()
	for _, s := range sittings(t, id, "ASK", turns) {
		if len(s.view.Asked) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// A chief rehearses what they answer at a chit, within a bound for it. The rules take it whole, and it is
// the same for a View that has gone through a mail.
func TestRehearsedAnswers(t *testing.T) {
	rehearsed, other := 0, 0
	for _, id := range []string{"winter-campaign", "gd-akhtyrka"} {
		for k, s := range asked(t, id, 2) {
			if k%4 != 0 {
				continue
			}
			o := Officer{Game: s.game, Strength: Chief, Holds: true, Units: 8000}
			th, err := o.Think(s.view, 7)
			if err != nil || th.Failed > 0 {
				t.Fatalf("%s: %v, %d failed", s.label, err, th.Failed)
			}
			if bound := o.unitsForChit(s.view); th.Units > 2*bound+100 {
				t.Errorf("%s: %d units of work for %d", s.label, th.Units, bound)
			}
			takenWhole(t, o, s, th.Sheet)
			if len(th.Others) > 0 {
				rehearsed++
			}
			if usual, err := o.draft(s.view, 7, o.planned(s.view)); err == nil && usual != th.Sheet {
				other++
			}
		}
	}
	if rehearsed < 5 || other == 0 {
		t.Errorf("%d answers were rehearsed, %d come out otherwise", rehearsed, other)
	}
}

// A rehearsal begins with the very chit that orders are asked for.
func TestTheChitComes(t *testing.T) {
	n := 0
	for _, id := range []string{"star-and-gallop", "gd-mischurin-rog"} {
		for _, s := range asked(t, id, 2) {
			work, err := Officer{Game: s.game, Strength: Chief, Holds: true}.thinking(s.view, 7, 1000)
			if err != nil {
				t.Fatal(err)
			}
			work.chit = s.view.Asked[0].Label
			if _, err := work.sketchOf(n); err != nil {
				t.Errorf("%s: %v", s.label, err)
			}
			n++
		}
	}
	if n < 40 {
		t.Errorf("only %d chits", n)
	}
}

// unanswered answers no question about a chit.
type unanswered struct{}

func (unanswered) Answer(d adjudicator.Decision) (string, string, bool) {
	switch {
	case d.Turn:
		return "", "sheet", true
	case d.Kind == adjudicator.KindActivation:
		return "", "", false
	}
	return adjudicator.Standing{}.Answer(d)
}

// The answer is the same on a View of the moment before the chit is drawn, which players at a table have,
// and of the one after it, which is mailed. It may be another one where all chits of a group go back into
// the cup: a View does not tell on which side of that it stands.
func TestAnswersByMailAndAtTheTable(t *testing.T) {
	n := 0
	for _, id := range []string{"star-and-gallop", "gd-akhtyrka"} {
		for k, s := range asked(t, id, 2) {
			if k%4 != 1 {
				continue
			}
			o := Officer{Game: s.game, Strength: Chief, Holds: true, Units: 3000}
			work, err := o.thinking(s.view, 7, 1000)
			if err != nil {
				t.Fatal(err)
			}
			work.chit = s.view.Asked[0].Label
			sk, err := work.sketchOf(0)
			if err != nil {
				t.Fatal(err)
			}
			before, err := s.game.View(sk.position, adjudicator.Side(s.view.Side))
			if err != nil {
				t.Fatal(err)
			}
			out, err := s.game.Play(sk.position, nil, sk.dice(sk.opens), unanswered{})
			if err != nil || len(out.Pending) != 1 || out.Pending[0].Label != work.chit {
				t.Fatalf("%s: %v, pending %v", s.label, err, out.Pending)
			}
			after, err := s.game.View(out.Position, adjudicator.Side(s.view.Side))
			if err != nil {
				t.Fatal(err)
			}
			if goneBack(before, after) {
				continue
			}
			before.Asked, after.Asked, after.Due = s.view.Asked, s.view.Asked, nil
			first, err := o.Think(before, 7)
			if err != nil {
				t.Fatal(err)
			}
			second, err := o.Think(after, 7)
			if err != nil {
				t.Fatal(err)
			}
			if n++; first.Sheet != second.Sheet || first.Units != second.Units {
				t.Errorf("%s: before the chit is drawn\n%s\nafter it\n%s", s.label, first.Sheet, second.Sheet)
			}
		}
	}
	if n < 8 {
		t.Errorf("only %d answers", n)
	}
}

// goneBack tells whether a group has more chits in the cup after a chit was drawn.
func goneBack(before, after *view.View) bool {
	for k, g := range before.Chits.Groups {
		if len(after.Chits.Groups[k].Own) > len(g.Own) {
			return true
		}
	}
	return false
}

// What is taken at the sand table as it is written is what the check makes of it.
func TestAnswersAsTheyAreWritten(t *testing.T) {
	n := 0
	for _, id := range []string{"winter-campaign", "gd-akhtyrka"} {
		for _, s := range asked(t, id, 2) {
			office := offices[s.view.System]
			for _, as := range tempers(s.view.System, nil)[:4] {
				as.craft = true
				text, err := Officer{Game: s.game, Strength: Chief, Holds: true}.draft(s.view, 7, as)
				if err != nil {
					t.Fatal(err)
				}
				f, err := sandtable.Judge(s.game, office.words, s.view, text)
				if err != nil {
					t.Fatal(err)
				}
				text, _, _ = strings.Cut(orders.Canonical(text), "\nDONE")
				for _, section := range orders.Cut(text, office.words) {
					answer := office.plain(section)
					if answer == "" {
						continue
					}
					n++
					taken := false
					for _, a := range f.Answers {
						taken = taken || a == answer
					}
					if !taken {
						t.Errorf("%s: %q is not what the check makes of it: %q", s.label, answer, f.Answers)
					}
				}
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d answers", n)
	}
}

// steppeAsked is the plan of an officer who looks ahead for a question on a View of Duel on the Steppe.
func steppeAsked(t testing.TB, v *view.View, label string) *steppePlan {
	t.Helper()
	v.Asked = []view.Question{{Label: label, Kind: adjudicator.KindActivation}}
	a, err := load(t, v.Scenario).(*steppe.Game).Advise(v)
	if err != nil {
		t.Fatal(err)
	}
	d := newSteppePlan(v, a, temper{craft: true})
	d.think()
	return d
}

// Nobody plans with units that have acted in the turn, nor for those whom another headquarters will lead.
func TestWhoHasActedStays(t *testing.T) {
	units := map[string]hex.Hex{"3TA": 3014, "12 TC": 3013, "15 TC": 3013, "69A": 2912, "62G RD": 2912}
	v := lone(t, "star-and-gallop", "SOVIET", units, germans(2812, 1, "FB"))
	v.Chits = &view.Chits{Groups: []view.ChitGroup{{Name: "VORONEZH", Side: "SOVIET", Own: []string{"3TA", "69A"}}}}
	fresh := steppeAsked(t, v, "orders 3TA")
	if text := strings.Join(fresh.unit(t, "3TA").programme(), "\n"); !strings.Contains(text, "ATTACK 2812 WITH 12 TC") || strings.Contains(text, "62G RD") {
		t.Errorf("the orders\n%s", text)
	}
	for i := range v.Units {
		v.Units[i].Activated = v.Units[i].Name == "12 TC"
	}
	tired := steppeAsked(t, v, "orders 3TA")
	if text := strings.Join(tired.unit(t, "3TA").programme(), "\n"); strings.Contains(text, "12 TC") || !strings.Contains(text, "15 TC") {
		t.Errorf("the orders with a unit that has acted\n%s", text)
	}
	v.Chits.Groups[0].Own = []string{"3TA"}
	if last := steppeAsked(t, v, "orders 3TA"); last.unit(t, "62G RD").hq != last.unit(t, "3TA") {
		t.Error("nobody leads a unit whose headquarters has no chit left")
	}
}

// After the last chit one stack acts that nobody has led: the one that can attack before one that marches.
func TestOneStackActsAlone(t *testing.T) {
	units := map[string]hex.Hex{"12 TC": 2813, "15 TC": 2813, "62G RD": 3519}
	v := lone(t, "star-and-gallop", "SOVIET", units, germans(2812, 1, "FB"))
	section := func() string {
		b := &sheet{}
		steppeAsked(t, v, ofLoneHex).answer(b)
		return b.String()
	}
	if text := section(); !strings.HasPrefix(text, "SOLO HEX 2813 MOVE THEN ATTACK\n") || !strings.Contains(text, "ATTACK 2812 WITH 12 TC") {
		t.Errorf("the answer\n%s", text)
	}
	for i := range v.Units {
		v.Units[i].Activated = v.Units[i].Hex == 2813
	}
	if text := section(); !strings.HasPrefix(text, "SOLO HEX 3519 MOVE THEN ATTACK\n  MOVE 62G RD TO ") {
		t.Errorf("the answer when the others have acted\n%s", text)
	}
	v.Units = slices.DeleteFunc(v.Units, func(u view.Unit) bool { return !u.Activated })
	if text := section(); strings.Contains(text, "SOLO") {
		t.Errorf("the answer when all have acted\n%s", text)
	}
}

// In a rehearsal of orders for a chit nobody writes programmes, which would be replaced when their chits come:
// it comes to the same without them, for less, but where one would hold because nothing is ordered in its place.
func TestProgrammesAreWrittenWhenTheirChitsCome(t *testing.T) {
	same, other := 0, 0
	for _, id := range []string{"star-and-gallop", "backhand-blow", "gd-akhtyrka", "gd-mischurin-rog"} {
		for k, s := range asked(t, id, 3) {
			if k%6 != 0 {
				continue
			}
			worth, units := rehearsed(t, s, true)
			before, more := rehearsed(t, s, false)
			if units >= more {
				t.Errorf("%s: %d units, with programmes that are written before %d", s.label, units, more)
			}
			if worth == before {
				same++
			} else {
				other++
			}
		}
	}
	if same < 20 || other > 2 {
		t.Errorf("%d rehearsals come to the same, %d do not", same, other)
	}
}

// rehearsed is what the usual orders for a chit come to on one position, and the units that it took.
func rehearsed(t *testing.T, s *sitting, later bool) (worth, units int) {
	t.Helper()
	o := Officer{Game: s.game, Strength: Chief, Holds: true}
	work, err := o.thinking(s.view, 7, 8000)
	if err != nil {
		t.Fatal(err)
	}
	work.chit, work.beyond = s.view.Asked[0].Label, 1
	work.office.later = later
	usual, err := o.draft(s.view, 7, o.planned(s.view))
	if err != nil {
		t.Fatal(err)
	}
	p := work.add(o.planned(s.view), parted(usual))
	if !work.draw() {
		t.Fatalf("%s: no position", s.label)
	}
	if work.try(p, 1); work.failed > 0 {
		t.Errorf("%s: it could not be rehearsed", s.label)
	}
	units = work.spent
	again := p.untried()
	if work.try(again, 1); again.worth[0] != p.worth[0] {
		t.Errorf("%s: with the sheets of the first rehearsal kept another one comes to %d, not %d", s.label, again.worth[0], p.worth[0])
	}
	return p.worth[0], units
}
