package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// everyAck has acknowledgements with every kind of line and of fate.
func everyAck() map[string]*Ack {
	return map[string]*Ack{
		"filed": ackOf(
			Line{Number: 4, Order: "513/294 TO 0301", Understood: "3 hexes"},
			Line{Number: 5, Order: "514/294 TO 9999", Refused: true, At: "9999", Clause: "WB-95 3.1.8", Reason: "no such hex", Instead: "Name one of the map."},
			Line{Number: 6, Order: "515/294 TO 0302", Understood: "2 hexes", Warning: "It leaves Lipcy empty."},
			Line{Warning: "HQ XVII has no order."}),
		"checked": {Game: "K7QX2MPA", Title: "Kharkov 1942", Turn: 3, Serial: 2, Checked: true, Lines: []Line{{Number: 1, Order: "X", Understood: "y"}}},
		"refused": {Game: "K7QX2MPA", Title: "Kharkov 1942", Turn: 3, Serial: 2, Date: "14 May", Refused: "it is for turn 2", Instead: "Write TURN: 3.",
			Next: []string{"What was filed before stands."}},
		"bare":     {Game: "K7QX2MPA", Turn: 3, Serial: 1},
		"held":     fated(Held),
		"thinking": fated(Thinking),
		"part":     fated(PartDone),
		"played":   fated(Played),
		"playing":  fated(Playing),
		"head":     fated(HeadOnly),
		"empty":    {Game: "K7QX2MPA", Turn: 3, Serial: 2, Fate: HeadOnly},
		"finished": func() *Ack { a := fated(Finished); a.Serial, a.Finishes = 2, 1; return a }(),
		"answer":   func() *Ack { a := fated(Played); a.Answer = true; return a }(),
	}
}

// fated is an acknowledgement of a sheet with one good order.
func fated(f Fate) *Ack {
	a := ackOf(Line{Number: 4, Order: "513/294 TO 0301", Understood: "3 hexes"})
	a.Fate, a.At, a.In, a.Doubts = f, "14:32", "15 minutes", []string{"Line 14: 124 INF is not adjacent.", "1705 must be attacked."}
	if f != Held {
		a.Doubts = nil
	}
	return a
}

// What is to be done comes before the table of orders.
func TestAHeldSheetSaysWhatToDoFirst(t *testing.T) {
	text := fated(Held).Text()
	for _, part := range []string{"  1. Line 14", "  2. 1705 must", "If you want it as it is, sign and send these lines; it is played at once.", "      DONE\n", "513/294 TO 0301"} {
		at := strings.Index(text, part)
		if at < 0 {
			t.Fatalf("%q is missing or comes too early:\n%s", part, text)
		}
		text = text[at:]
	}
}

func TestVerdictsOfLines(t *testing.T) {
	for _, c := range []struct {
		line              Line
		place, mark, says string
	}{
		{Line{Number: 3, Understood: "3 of 6 SP"}, "3", "OK", "3 of 6 SP"},
		{Line{Number: 3}, "3", "OK", ""},
		{Line{Warning: "Look."}, "", "!!", "Look."},
		{Line{Number: 12, Understood: "u", Warning: "w"}, "12", "!!", "u|w"},
		{Line{Number: 12, Refused: true, Reason: "r"}, "12", "XX", "r"},
		{Line{Number: 12, Refused: true, Reason: "r", Clause: "GD 9.1"}, "12", "XX", "GD 9.1: r"},
		{Line{Number: 12, Refused: true, Reason: "r", At: "0301"}, "12", "XX", "0301: r"},
		{Line{Number: 12, Refused: true, Understood: "u", Reason: "r", Clause: "c", At: "a", Instead: "i", Warning: "w"}, "12", "XX", "u|a: c: r|i|w"},
		{Line{Number: 12, Reason: "r", Instead: "i", Clause: "c"}, "12", "OK", ""},
	} {
		if got := c.line.place() + " " + c.line.mark() + " " + strings.Join(c.line.verdict(), "|"); got != c.place+" "+c.mark+" "+c.says {
			t.Errorf("%+v: %q", c.line, got)
		}
	}
}

func TestTallyOfLines(t *testing.T) {
	a := ackOf(Line{Number: 1}, Line{Number: 2, Warning: "w"}, Line{Number: 3, Refused: true, Warning: "w"}, Line{Warning: "w"}, Line{Number: 4})
	if stand, refused, look := a.tally(); stand != 3 || refused != 1 || look != 2 {
		t.Errorf("%d stand, %d are refused, %d need a look", stand, refused, look)
	}
}

func TestSubjectsOfAcknowledgements(t *testing.T) {
	want := map[string]string{
		"bare":     "[K7QX2MPA] NOT YET PLAYED: sheet 1 filed, send DONE",
		"checked":  "[K7QX2MPA] CHECKED, nothing filed: 1 order would be accepted",
		"filed":    "[K7QX2MPA] NOT YET PLAYED: sheet 2 filed, send DONE",
		"refused":  "[K7QX2MPA] sheet 2: NOT FILED",
		"held":     "[K7QX2MPA] NOT YET PLAYED: sheet 2, 2 things to look at",
		"thinking": "[K7QX2MPA] NOT YET PLAYED: sheet 2 will be played at 14:32",
		"finished": "[K7QX2MPA] NOT YET PLAYED: your side is finished",
		"part":     "[K7QX2MPA] NOT YET PLAYED: your part is finished, sheet 2",
		"played":   "[K7QX2MPA] PLAYED: sheet 2, turn 3",
		"playing":  "[K7QX2MPA] PLAYED: sheet 2, turn 3",
		"answer":   "[K7QX2MPA] PLAYED: your answer, sheet 2",
		"head":     "[K7QX2MPA] sheet 2: done, no orders changed",
		"empty":    "[K7QX2MPA] sheet 2: it holds no orders, nothing changed",
	}
	all := everyAck()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if got := all[name].Subject(); got != want[name] {
			t.Errorf("%s: %q", name, got)
		}
	}
	checked := ackOf(Line{Number: 1, Refused: true}, Line{Number: 2}, Line{Number: 3}, Line{Warning: "w"})
	checked.Checked = true
	if got := checked.Subject(); got != "[K7QX2MPA] CHECKED, nothing filed: 2 orders would be accepted, 2 to look at" {
		t.Error(got)
	}
}

func TestOpeningsOfAcknowledgements(t *testing.T) {
	for name, want := range map[string]string{
		"bare":     "Your sheet 1 for turn 3 is filed: 0 orders accepted. Your turn is not finished.",
		"checked":  "Your sheet for turn 3 was checked. Nothing is filed.",
		"filed":    "Your sheet 2 for turn 3 is filed in place of sheet 1: 2 orders accepted, 1 refused, 2 worth a look. Your turn is not finished.",
		"refused":  "Your sheet 2 for turn 3 (14 May) is refused: it is for turn 2. Write TURN: 3.",
		"held":     "Your sheet 2 for turn 3 is filed but held, because two things need a second look:",
		"thinking": "Your turn is finished: 1 order accepted. It will be played at 14:32, in 15 minutes. Noticed something? A new sheet or the word WITHDRAW that reaches us before 14:32 counts. No die is thrown before that, and your opponent does not know that you are finished.",
		"finished": "Your orders for turn 3 are finished, as sheet 1 has it.",
		"part":     "Your part of the orders for turn 3 is finished: 1 order accepted.",
		"played":   "Your orders for turn 3 have been played: 1 order accepted.",
		"playing":  "Your orders for turn 3 are being played: 1 order accepted.",
		"answer":   "Your answer counts, and play goes on with it.",
		"empty":    "Your mail held no orders. What you filed before stays as it is.",
		"head":     "Your mail held no orders. What you filed before stays as it is.",
	} {
		if got := strings.Join(everyAck()[name].opening(), " "); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// The table of orders is three columns: the line on the sheet, the order, the verdict.
func TestTableOfOrders(t *testing.T) {
	a := ackOf(
		Line{Number: 13, Order: "133/XXII 2206-2207-2208 THEN ATTACK 2306", Refused: true, Reason: strings.Repeat("because ", 8), Instead: "Stop."},
		Line{Warning: "One remark."})
	_, rows, _ := strings.Cut(a.Text(), "what will happen\n")
	rows, _, _ = strings.Cut(rows, "\n\n")
	want := "" +
		"   13  133/XXII 2206-2207-2208 THEN       XX because because because because\n" +
		"         ATTACK 2306                         because because because because\n" +
		"                                             Stop.\n" +
		"                                          !! One remark."
	if rows != want {
		t.Errorf("%s", rows)
	}
}

func TestLegendOfAnAcknowledgementOnlyWhereItIsNeeded(t *testing.T) {
	const legend = "XX not accepted"
	good := ackOf(Line{Number: 1, Order: "X"})
	if strings.Contains(good.Text(), legend) || strings.Contains(good.HTML(), legend) {
		t.Error("signs are explained that do not occur")
	}
	bad := ackOf(Line{Number: 1, Order: "X", Refused: true})
	if !strings.Contains(bad.Text(), legend) || !strings.Contains(bad.HTML(), legend) {
		t.Error("signs are not explained")
	}
}

func TestColoursOfVerdicts(t *testing.T) {
	page := ackOf(Line{Number: 1}, Line{Number: 2, Refused: true}, Line{Number: 3, Warning: "w"}).HTML()
	for mark, style := range map[string]string{"OK": goodStyle, "XX": badStyle, "!!": lookStyle} {
		if !strings.Contains(page, `<td style="`+style+`">`+mark+"</td>") {
			t.Errorf("%s is not drawn as %s", mark, style)
		}
	}
	if !strings.Contains(page, "5px solid #3c8a4a") {
		t.Error("a filed sheet has no green bar")
	}
	if refused := (&Ack{Refused: "no"}).HTML(); !strings.Contains(refused, "5px solid #c8372d") {
		t.Error("a refused sheet has no red bar")
	}
}

// A list of doubts that nobody reads to the end is cut, and says how many there are more.
func TestManyDoubtsAreCounted(t *testing.T) {
	a := Ack{Game: "G", Side: "RED", Turn: 1, Serial: 1, Fate: Held}
	for i := range 20 {
		a.Doubts = append(a.Doubts, fmt.Sprintf("Doubt %d.", i+1))
	}
	text, page := a.Text(), a.HTML()
	for _, s := range []string{text, page} {
		if !strings.Contains(s, "Doubt 8.") || strings.Contains(s, "Doubt 9.") || !strings.Contains(s, "And 12 more: see the lines marked XX and !! below.") {
			t.Errorf("20 doubts:\n%s", s)
		}
	}
	a.Doubts = a.Doubts[:9]
	if text := a.Text(); !strings.Contains(text, "Doubt 9.") || strings.Contains(text, "more:") {
		t.Errorf("nine doubts:\n%s", text)
	}
}
