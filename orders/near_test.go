package orders

import (
	"strings"
	"testing"
)

// What a word may have been meant for is found in the whole text and in its beginning,
// and what is far from all names is meant for none.
func TestNearNamesAreFound(t *testing.T) {
	names := []string{"MOVE", "ATTACK", "STANDING", "524/297", "525/297", "534/297", "523/297", "38", "8"}
	for text, want := range map[string]string{
		"ATACK": "ATTACK", "ATTAKC": "ATTACK", "MVOE": "MOVE", "MOVES": "MOVE", "STANING ORDERS": "STANDING",
		"5224/297": "524/297", "524/279": "524/297", "514/297": "524/297|534/297", "522/297": "524/297|525/297|523/297",
		"524/297X INFANTRY": "524/297", "39": "38", "9": "", "X": "", "PANZERS": "", "": "",
	} {
		if got := strings.Join(Near(text, names), "|"); got != want {
			t.Errorf("%q is near %q, want %q", text, got, want)
		}
	}
	for want, names := range map[string][]string{"": nil, "Did you mean A?": {"A"}, "Did you mean A, B or C?": {"A", "B", "C"}} {
		if got := DidYouMean(names); got != want {
			t.Errorf("%v: %q", names, got)
		}
	}
}

// A section whose word is misspelt is one fault, which says how many lines it cost.
func TestAMisspeltSectionIsOneFault(t *testing.T) {
	const head = "GAME: X SIDE: Y\nMOVE\n133 TO 2206\n"
	for _, c := range []struct {
		text, instead string
		sections      int
		done          bool
	}{
		{head + "ATACK\n2306 WITH 133\n2307 WITH 134\n\n# none\n2308 WITH 135\nSTANDING\nALL RETREAT\nDONE",
			"Did you mean ATTACK? The 3 lines below it were not read because of this.", 2, true},
		{head + "ATACK\n2306 WITH 133\nDONE", "Did you mean ATTACK? The line below it was not read because of this.", 1, true},
		{head + "STANDNG orders\nALL RETREAT", "Did you mean STANDING? The line below it was not read because of this.", 1, false},
		{head + "ATACK\nDONE", "Did you mean ATTACK?", 1, true},
		{"GAME: X\nMOEV\n133 TO 2206\n134 TO 2206\nATTACK\n2306 WITH 133", "Did you mean MOVE? The 2 lines below it were not read because of this.", 1, false},
		{"GAEM: X\nMOVE\n133 TO 2206", "Did you mean GAME?", 1, false},
		{"GAME: X\nCHEK\nMOVE", "Did you mean CHECK?", 1, false},
		{"Dear Anna,\nhere is my sheet\nfor today\nGAME: X\nMOVE", "The 2 lines below it were not read because of this.", 1, false},
	} {
		s, errs := Parse(c.text, words)
		if len(errs) != 1 || errs[0].Instead() != c.instead {
			t.Errorf("%q: %v, want one: %s", c.text, errs, c.instead)
			continue
		}
		if len(s.Sections) != c.sections || s.Done != c.done {
			t.Errorf("%q: %d sections, done %v", c.text, len(s.Sections), s.Done)
		}
	}
	for _, text := range []string{head + "ATT 12 TO 2207", head + "MOV TO 2207", head + "STAND 1 TO 2207", head + "ANSWER\n1: NO\nMOVEE"} {
		if _, errs := Parse(text, words); len(errs) > 0 {
			t.Errorf("%q: %v", text, errs)
		}
	}
}

// A misspelt DONE is taken for what it is, and never for an order; other short words are not.
func TestAMisspeltDoneIsNoOrder(t *testing.T) {
	v := Vocabulary{Sections: []string{"MOVE"}}
	for _, word := range []string{"DNE", "DONE.", "Done!!", "DOEN", "dome", "ODNE", "DONNE", "Done?"} {
		sheet, faults := Parse("TURN: 1\nMOVE\n 81 INF TO 2306\n"+word+"\nAnna\nand Ben\n", v)
		d := sheet.DoneMeant
		if !sheet.Done || sheet.AsIs || d == nil || len(faults) > 0 || len(sheet.Sections[0].Orders) != 1 {
			t.Errorf("%s: %+v, %v", word, sheet, faults)
			continue
		}
		if want := "Did you mean DONE? The 2 lines below it were not read because of this."; d.Instead() != want || d.Line != 4 {
			t.Errorf("%s: line %d, %q", word, d.Line, d.Instead())
		}
	}
	for _, word := range []string{"NONE", "ONE", "GONE", "DIG", "DONE", "DONE!", "DONETZ"} {
		if sheet, _ := Parse("MOVE\n"+word+"\n", v); sheet.DoneMeant != nil {
			t.Errorf("%s is taken for DONE", word)
		}
	}
}
