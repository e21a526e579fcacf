package judge

import (
	"fmt"
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

// In the midst of a phase orders are judged by where the units stood when it began, as the umpire
// does, and answers by what is asked.
func TestOrdersInTheMidstOfAPhaseAreJudgedByItsBeginning(t *testing.T) {
	library, err := match.NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	read := func() *view.View {
		v, err := library.OpeningView("kharkov-1942", "SOVIET")
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	const move = "SERIAL: 2\n\nMOVE\n81 INF TO 2306\n"
	check := func(v *view.View) string {
		bench, err := For(library, v)
		if err != nil {
			t.Fatal(err)
		}
		ack, _ := bench.Check(Given{Text: move})
		return ack.Text()
	}
	begun := read()
	want := check(begun)
	now := read()
	now.Due, now.Asked = nil, []view.Question{{Label: "RETREAT 2306", Options: []view.Option{{Answer: "STAY"}}}}
	now.Units = slices.DeleteFunc(now.Units, func(u view.Unit) bool { return u.ID == "81 INF" || u.Name == "81 INF" }) // lost meanwhile
	if check(now) == want {
		t.Fatal("the unit of the order is there still")
	}
	now.Begun = begun
	now.Begun.Board = nil
	if got := check(now); got != want {
		t.Errorf("the answer is\n%s\nand not\n%s", got, want)
	}
}

// Orders for a turn that is being played would not be filed, and the answer to a question would.
func TestOrdersOfATurnInPlayWouldNotBeFiled(t *testing.T) {
	library, err := match.NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	v, err := library.OpeningView("kharkov-1942", "SOVIET")
	if err != nil {
		t.Fatal(err)
	}
	v.Due, v.Asked = nil, []view.Question{{Label: "RETREAT 2306", Options: []view.Option{{Answer: "STAY"}}}}
	v.Reply = &view.Reply{Turn: v.Turn, Serial: 2, InPlay: true}
	bench, err := For(library, v)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		sheet string
		filed bool
	}{
		{"MOVE\n81 INF TO 2306\n", false},
		{"WITHDRAW\n", false},
		{"ANSWER\nRETREAT 2306: STAY\n", true},
		{"MODE: ASK\n", true},
	} {
		ack, _ := bench.Check(Given{Text: fmt.Sprintf("GAME: %s\nSIDE: SOVIET\nTURN: %d\nSERIAL: 2\n%s", v.Game, v.Turn, c.sheet)})
		refused := slices.ContainsFunc(ack.Next, func(said string) bool {
			return strings.HasPrefix(said, fmt.Sprintf("It would not be filed: your orders for turn %d are being played", v.Turn))
		})
		if refused == c.filed {
			t.Errorf("%q: %q", c.sheet, ack.Next)
		}
	}
}
