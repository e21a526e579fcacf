package steppe

import (
	"strings"
	"testing"

	"fieldpost/adjudicator/view"
)

// below is an event of an item, with facts in pairs.
func below(kind string, facts ...string) view.Said {
	e := view.Said{Event: view.Event{Kind: kind, Facts: facts}, Text: kind + " in full"}
	return e
}

// toldOf is an item told short, in one line.
func toldOf(told ...view.Said) string {
	b := (&Game{}).Brief(&view.View{}, told)
	return strings.TrimSpace(strings.Join(append([]string{b.List, b.Head}, b.Detail...), " "))
}

func TestAnActivationInAParagraph(t *testing.T) {
	chit := below("chit", "hq", "69A", "command", "Voronezh Front")
	for _, c := range []struct {
		name string
		told []view.Said
		want string
	}{
		{"nothing done", []view.Said{chit}, "Drawn, and nothing done: 69A (Voronezh Front)"},
		{"marches that came short", []view.Said{chit, below("move", "unit", "12 TC", "to", "3604"), below("move", "unit", "15 TC", "to", "3604"),
			below("dropped", "order", "MOVE 12 TC TO 3901 PUSH", "why", "12 TC stops at 3604, short of 3901"),
			below("dropped", "order", "MOVE 15 TC TO 3901 PUSH", "why", "15 TC stops at 3604, short of 3901")},
			"69A (Voronezh Front): 12 TC, 15 TC to 3604. Stopped short: 12 TC, 15 TC of 3901."},
		{"an advance as far as each can", []view.Said{chit, below("move", "unit", "12 TC", "to", "3604"),
			below("dropped", "order", "ADVANCE TO 3901", "why", "12 TC stops at 3604, short of 3901"),
			below("dropped", "order", "ADVANCE TO 3901", "why", "15 TC cannot get nearer to 3901"),
			below("dropped", "order", "ADVANCE TO 3901", "why", "37 RB cannot get nearer to 3901.")},
			"69A (Voronezh Front): 12 TC to 3604. 15 TC, 37 RB cannot get nearer to 3901."},
		{"no occasion for an attack", []view.Said{chit, below("move", "unit", "12 TC", "to", "3604"),
			below("dropped", "order", "ATTACK ANY MIN 2:1", "why", "nowhere are the odds 2:1"),
			below("dropped", "order", "WITHDRAW TO 3901", "why", "12 TC stops at 3604, short of 3901")},
			"69A (Voronezh Front): 12 TC to 3604."},
		{"an attack that was called off", []view.Said{chit, below("dropped", "order", "ATTACK 3802 WITH 12 TC; MIN 1:1", "why", "no enemy stands on 3802")},
			"69A (Voronezh Front): Not carried out: ATTACK 3802: no enemy stands on 3802."},
		{"why a result is what it is", []view.Said{below("combat", "hex", "4125 (Lisichansk)", "force", "19 PD 5, 320 ID 3", "guard", "52 RD 5", "attack", "8", "defence", "5",
			"gross", "3:2", "shifts", "town -1", "ratio", "1:1", "odds", "1:1", "dice", "4 4", "mods", "enemy close air support -2, artillery +2", "net", "8", "result", "-/1R3"),
			below("depleted", "unit", "52 RD", "figures", "2-3-5"), below("destroyed", "unit", "52 RD"), below("advance", "unit", "19 PD", "to", "4125")},
			"4125 (Lisichansk): -/1R3. Depleted 52 RD to 2-3-5; destroyed 52 RD. 19 PD 5, 320 ID 3 against 52 RD 5. 8:5 = 3:2; town -1: 1:1; dice 4 4, enemy close air support -2, artillery +2 = 8. Advance: 19 PD to 4125."},
	} {
		if got := toldOf(c.told...); got != c.want {
			t.Errorf("%s:\n%s\nnot\n%s", c.name, got, c.want)
		}
	}
}

// Whatever happens to a unit in an activation is told short with its name, or in the words
// of the long form.
// While its player is asked what it is to do, nothing can have been done yet.
func TestADrawnChitWaitsForOrders(t *testing.T) {
	asked := &view.View{Asked: []view.Question{{Label: "ORDERS SS PZ", Kind: KindActivation}}}
	for hq, want := range map[string]string{
		"SS Pz": "SS Pz (SS) is drawn, and waits for your orders.",
		"OKH":   "OKH (SS)", // another chit, drawn before
	} {
		if got := (&Game{}).Brief(asked, []view.Said{below("chit", "hq", hq, "command", "SS")}); got.Head != want {
			t.Errorf("%s: %+v, want %q", hq, got, want)
		}
	}
}

func TestNothingIsLeftOutOfTheShortForm(t *testing.T) {
	chit := below("chit", "hq", "69A", "command", "Voronezh Front")
	for kind, words := range wording {
		if !strings.HasPrefix(words, "  ") {
			continue
		}
		e := below(kind, "unit", "Zug", "side", "Zug", "hex", "2222", "to", "2222", "figures", "1-1-1", "order", "MOVE ZUG TO 1", "why", "Zug sleeps")
		if got := toldOf(chit, e); !strings.Contains(strings.ToUpper(got), "ZUG") && !strings.Contains(got, e.Text) {
			t.Errorf("%s: %q", kind, got)
		}
	}
}
