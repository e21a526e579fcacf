package judge

import (
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/view"
	"fieldpost/umpire/match"
)

// A check offline answers a misspelt section once, a name in any form by its unit, and a
// misspelt one by the nearest.
func TestMisspeltWordsAreAnsweredWithTheNearest(t *testing.T) {
	library, err := match.NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	v, err := library.OpeningView("kharkov-1942", "SOVIET")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		orders  string
		refused int
		says    []string
	}{
		{"ATACK\n2306 WITH 81 INF\n2307 WITH 13 INF", 1, []string{"Did you mean ATTACK?", "The 2 lines below it were not read"}},
		{"MOVE\nARM 133/XXII, 2 Art./38A ART TO 9999", 1, []string{"hex 9999 is not on the"}},
		{"MOVE\n38A 2 Art, Soviet 133/XXII, 133 of XXII TO 2105", 1, []string{"133/XXII is named twice"}},
		{"MOVE\n38 TO 2105", 1, []string{"38 could be 38 ARM on 4019, 38 INF on 1801 or HQ 38 on 2302 Please write one of these."}},
		{"MOVE\n133/XXXII the brave TO 2105", 1, []string{"Did you mean 133/XXII?"}},
		{"MOVE\n133/XXII TO Ternowaia", 1, []string{"Did you mean Ternowaja?"}},
		{"MOVE\n133/XXII ENTRNCH", 1, []string{"Did you mean ENTRENCH?"}},
	} {
		bench, err := For(library, v)
		if err != nil {
			t.Fatal(err)
		}
		ack, refused := bench.Check(Given{Text: c.orders + "\n", Typed: true})
		answer := ack.Text()
		flat := strings.Join(strings.Fields(answer), " ")
		if refused != c.refused {
			t.Errorf("%q: %d lines are refused\n%s", c.orders, refused, answer)
		}
		for _, words := range c.says {
			if !strings.Contains(flat, words) {
				t.Errorf("%q is not answered with %q:\n%s", c.orders, words, answer)
			}
		}
	}
}

// Missions for the enemy's half of the turn fly although a later sheet says nothing of them,
// so they are not called dropped; the others are.
func TestWhatHoldsOnIsNotCalledDropped(t *testing.T) {
	library, err := match.NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	v, err := library.OpeningView("kharkov-1942", "SOVIET")
	if err != nil {
		t.Fatal(err)
	}
	bench, err := For(library, v)
	if err != nil {
		t.Fatal(err)
	}
	const before = "SERIAL: 1\n\nAIR 1\nATTACK 2106 3\n\nAIR 7\nBRIDGE 2104/2204 4\n"
	ack, _ := bench.Check(Given{Text: "SERIAL: 2\n\nMOVE\n81 INF TO 2306\n", Filed: before})
	answer := strings.Join(strings.Fields(ack.Text()), " ")
	if !strings.Contains(answer, "Sheet 1 had an order that this one has not: ATTACK 2106 3.") {
		t.Errorf("the answer is\n%s", answer)
	}
}

// On the view of a question the units stand where they are in the midst of a phase: of
// orders it is said that the umpire judges them by another position, of answers alone not.
func TestOrdersInTheMidstOfAPhaseAreDoubted(t *testing.T) {
	library, err := match.NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	v, err := library.OpeningView("kharkov-1942", "SOVIET")
	if err != nil {
		t.Fatal(err)
	}
	said := func(text string) bool {
		bench, err := For(library, v)
		if err != nil {
			t.Fatal(err)
		}
		ack, _ := bench.Check(Given{Text: text})
		return slices.Contains(ack.Next, InTheMidst)
	}
	const move, answer = "SERIAL: 2\n\nMOVE\n81 INF TO 2306\n", "SERIAL: 2\n\nANSWER\nRETREAT 2306: STAY\nDONE\n"
	if said(move) {
		t.Error("a sheet on the view of a report is doubted")
	}
	v.Due, v.Asked = nil, []view.Question{{Label: "RETREAT 2306", Options: []view.Option{{Answer: "STAY"}}}}
	if !said(move) || said(answer) {
		t.Errorf("of orders it is said: %v; of an answer: %v", said(move), said(answer))
	}
}
