package rulebook

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/casebook"
	"fieldpost/adjudicator/systems"
	"fieldpost/adjudicator/wb95"
)

func book(t *testing.T) (*Book, Sources) { return bookOf(t, "wb95") }

func bookOf(t *testing.T, system string) (*Book, Sources) {
	t.Helper()
	b, err := Load(system)
	if err != nil {
		t.Fatal(err)
	}
	s, err := ReadSources(os.DirFS(filepath.Join("..", "adjudicator", system)), b.Name)
	if err != nil {
		t.Fatal(err)
	}
	return b, s
}

// The indices that the command prints from are those that the code gives.
func TestCitationsAreUpToDate(t *testing.T) {
	for _, sys := range systems.All {
		_, s := bookOf(t, sys.ID())
		if WriteCitations(s.Citations) != sys.(adjudicator.Rulebook).Book().Citations {
			t.Errorf("adjudicator/%s/citations.tsv is not up to date: run go generate ./rulebook", sys.ID())
		}
	}
}

// Nothing cites or asserts a clause that no book has, and what is said to be
// played is cited.
func TestClausesAndCode(t *testing.T) {
	for _, sys := range systems.All {
		b, s := bookOf(t, sys.ID())
		for _, f := range b.Faults(s) {
			t.Errorf("%s: %s", sys.ID(), f)
		}
	}
}

// No clause of the three books is left out.
func TestEveryClauseIsPlayed(t *testing.T) {
	b, _ := book(t)
	for _, c := range b.Clauses {
		if c.Status == NotYet {
			t.Errorf("clauses.txt:%d: %s is not played: %s", c.Line, c.Number, c.Words)
		}
	}
}

// Every clause that is played has a numbered case, in a book that has it so.
func TestPlayedClausesHaveCases(t *testing.T) {
	b, _ := book(t)
	for _, l := range b.Unasserted() {
		t.Errorf("clauses.txt:%d: %s%s is played, and no case asserts it: %s", l.Line, l.Number, l.inBooks(), l.Words)
	}
}

// The cases come through the code that plays the clauses: measured, not mentioned.
func TestPlayedClausesAreExercised(t *testing.T) {
	b, s := book(t)
	exercised, err := Exercise(filepath.Join("..", "adjudicator", "wb95"), s)
	if err != nil {
		t.Fatal(err)
	}
	idle := WriteIdle(s.Citations, exercised)
	if idle != (wb95.System{}).Book().Idle {
		t.Error("adjudicator/wb95/idle.tsv is not up to date: run go generate ./rulebook")
	}
	b.idle = readIdle(idle)
	for _, l := range b.Links() {
		if l.Status == Yes && !l.Exercised {
			t.Errorf("clauses.txt:%d: %s%s is played, and no case comes through the code that cites it: %s", l.Line, l.Number, l.inBooks(), strings.Join(l.CitedBy, ", "))
		}
	}
}

// Duel on the Steppe: at least 200 duties, all of them played, asserted by a case, and
// come through by one.
func TestSteppeIsPlayedAndAsserted(t *testing.T) {
	b, s := bookOf(t, "steppe")
	exercised, err := Exercise(filepath.Join("..", "adjudicator", "steppe"), s)
	if err != nil {
		t.Fatal(err)
	}
	b.idle = readIdle(WriteIdle(s.Citations, exercised))
	played := 0
	for _, l := range b.Links() {
		if l.Status == Cardboard {
			continue
		}
		played++
		if l.Status == NotYet || len(l.AssertedBy) == 0 || !l.Exercised {
			t.Errorf("clauses.txt:%d: %s: %s, asserted by %v, exercised %v: %s", l.Line, l.Number, l.Status, l.AssertedBy, l.Exercised, l.Words)
		}
	}
	if played < 200 || len(b.Cases) < 150 {
		t.Errorf("%d duties, %d cases", played, len(b.Cases))
	}
}

// The three books have so many numbered clauses.
func TestEveryClauseIsThere(t *testing.T) {
	b, _ := book(t)
	for _, x := range []struct {
		book  string
		count int
	}{{"KH", 256}, {"NY", 253}, {"KU", 269}} {
		seen := map[string]bool{}
		for _, c := range b.Clauses {
			number, _, _ := strings.Cut(c.Number, "/")
			if strings.Count(number, ".") == 2 && (c.Books == "all" || strings.Contains(c.Books, x.book)) {
				seen[number] = true
			}
		}
		if len(seen) != x.count {
			t.Errorf("%s: %d numbered clauses, the book has %d", x.book, len(seen), x.count)
		}
	}
}

func TestMalformedLines(t *testing.T) {
	for line, why := range map[string]string{
		"3.1.4 all yes":                      "a line has",
		"3 all yes A move.":                  "not a number",
		"3.1.4 XX yes A move.":               "no books",
		"3.1.4 all maybe A move.":            "no status",
		"3.1.4 all cardboard A move.":        "a reason",
		"3.1.4 all yes A move. -- why":       "a reason",
		"3.1.4 all yes A.\n3.1.4 KH yes B.":  "already",
		"3.1.10 all yes A.\n3.1.9 all yes B": "stands after",
	} {
		if _, err := ReadClauses(line); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v, want %q", line, err, why)
		}
	}
	if c, err := ReadClauses("1.5/2 KH,KU yes A.\n1.5/10 all yes B.\n2.1.1 KH yes C.\n2.1.1 NY,KU cardboard D. -- paper\n"); err != nil || len(c) != 4 || c[3].Reason != "paper" {
		t.Errorf("%v, %v", c, err)
	}
}

const sample = `// Package p is a sample.
package p

// f moves.
//
// WB-95 3.1.4
// reading WB-95 3.1.5: points are
// whole.
func f() {
	x := "WB-95 3.1.8" // deviation WB-95 3.1.6: by mail
	// WB-95 3.1.7: what this line does
	_ = x
}

// WB-95 9.9.9
type t struct{}

// WB-95 1.5
func (s *t) g() {}
`

func TestReadSources(t *testing.T) {
	s, err := ReadSources(fstest.MapFS{"a.go": {Data: []byte(sample)}, "a_test.go": {Data: []byte("package p // WB-95 nonsense")}}, "WB-95")
	if err != nil {
		t.Fatal(err)
	}
	want := []Citation{
		{"1.5", "clause", "a.go", "t.g", ""},
		{"3.1.4", "clause", "a.go", "f", ""},
		{"3.1.5", "reading", "a.go", "f", "points are whole."},
		{"3.1.6", "deviation", "a.go", "f", "by mail"},
		{"3.1.7", "clause", "a.go", "f", ""},
		{"9.9.9", "clause", "a.go", "t", ""},
	}
	if !slices.Equal(s.Citations, want) {
		t.Errorf("%q", s.Citations)
	}
	if back, err := ReadCitations(WriteCitations(want)); err != nil || !slices.Equal(back, want) {
		t.Errorf("%q, %v", back, err)
	}
	clauses, err := ReadClauses("1.5/1 all yes A.\n3.1.4 all yes B.\n3.1.5 all yes C.\n3.1.6 all yes D.\n3.1.7 all yes E.\n3.2.1 all yes F.\n")
	if err != nil {
		t.Fatal(err)
	}
	b := &Book{Name: "WB-95", Clauses: clauses, Cases: []casebook.Case{{Number: "8.8.8-1", Clauses: []string{"8.8.8"}}}}
	faults := strings.Join(b.Faults(s), "\n")
	for _, f := range []string{"cites WB-95 9.9.9", "names WB-95 3.1.8", "3.2.1 is said to be played", "case 8.8.8-1 asserts 8.8.8"} {
		if !strings.Contains(faults, f) {
			t.Errorf("not found: %q in\n%s", f, faults)
		}
	}
	if n := strings.Count(faults, "\n"); n != 3 {
		t.Errorf("more faults than there are:\n%s", faults)
	}
	for _, bad := range []string{"// WB-95 3.1.4, 3.1.5", "// WB-95 3.1.4 words", "// WB-95 3.1.4:", "// reading WB-95: words", "// reading WB-95 3.1.4 words", "//WB-95 3.1.4"} {
		if _, err := ReadSources(fstest.MapFS{"a.go": {Data: []byte("package p\n\n" + bad + "\nfunc f() {}\n")}}, "WB-95"); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestPrinting(t *testing.T) {
	b, _ := book(t)
	var out strings.Builder
	for _, err := range []error{b.Coverage(&out, "text", 0), b.Coverage(&out, "tsv", 5), b.Rulings(&out), b.PrintCases(&out, "5.3.7"),
		PrintOdds(&out, "wb95", Attack{Attack: 8, Defence: 5, CMAttack: 3, CMDefence: 1, DRM: -1})} {
		if err != nil {
			t.Error(err)
		}
	}
	for _, want := range []string{"asserted by", "5.3.8\tall\tyes\t", "By mail: ", "CASE 5.3.7-1", "8 against 5 is 2:1", "column 4:1"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("not printed: %q", want)
		}
	}
	if err := b.PrintCases(&out, "99.9"); err == nil {
		t.Error("a clause without cases is no error")
	}
	if err := PrintOdds(&out, "chess", Attack{Attack: 1}); err == nil {
		t.Error("a system that does not exist is no error")
	}
}

// What the table gives for one attack, reckoned by hand: 1:1, no modifiers.
func TestOddsByHand(t *testing.T) {
	var out strings.Builder
	if err := PrintOdds(&out, "wb95", Attack{Attack: 5, Defence: 5}); err != nil {
		t.Fatal(err)
	}
	// Retreats on 2 to 6: 15 of 36. Falls back on 10, 11, 12: 6 of 36.
	for _, want := range []string{"the defender must retreat 42 %", "the attacker falls back 17 %"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
}
