package orders

import (
	"fmt"
	"strings"
	"testing"
)

var words = Vocabulary{Sections: []string{"MOVE", "ATTACK", "STANDING"}, Clauses: []string{"LOSSES", "PURSUE"}}

const sheet = `GAME: K7QX2MPA   SIDE: soviet
TURN: 3                       # 14 May
SERIAL: 2

MOVE                          # in this order
  133/xxii  2206-2306
  all at 3815 TO 3713

ATTACK
  1: 2306 WITH 133/XXII, 13/XXII,81 INF; MIN 2:1
     LOSSES 81 INF first; PURSUE 2
  2105 WITH 226 INF
STANDING
DONE
`

// The value of a line of the head that is a list keeps the commas of the list.
func TestAListInTheHeadKeepsItsCommas(t *testing.T) {
	s, errs := Parse("MODE: Pause-if 2135 falls , tanks,SERIAL: 5\nMODE: , PLOT\nAWAY: 1, 2", words)
	if len(errs) > 0 || len(s.Headers) != 4 {
		t.Fatal(errs, s.Headers)
	}
	for i, want := range []string{"PAUSE-IF 2135 FALLS, TANKS", "5", "PLOT", "1 2"} {
		if got := s.Headers[i].Value; got != want {
			t.Errorf("%s has %q, want %q", s.Headers[i].Name, got, want)
		}
	}
	if typed := s.Headers[0].Typed; typed != "Pause-if 2135 falls, tanks" {
		t.Errorf("typed %q", typed)
	}
}

func TestASheetIsReadWithPositions(t *testing.T) {
	s, errs := Parse(sheet, words)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	if s.Header("GAME") != "K7QX2MPA" || s.Header("SIDE") != "SOVIET" || !s.Done {
		t.Errorf("head reads %v, done %v", s.Headers, s.Done)
	}
	if n, err := s.Number("TURN"); err != nil || n != 3 {
		t.Errorf("turn %d, %v", n, err)
	}
	if len(s.Sections) != 3 || len(s.Sections[0].Orders) != 2 || len(s.Sections[1].Orders) != 2 {
		t.Fatalf("sections %+v", s.Sections)
	}
	o := s.Sections[1].Orders[0]
	if want := "1: 2306 WITH 133/XXII, 13/XXII, 81 INF; MIN 2:1; LOSSES 81 INF FIRST; PURSUE 2"; o.String() != want {
		t.Errorf("the attack reads %q, want %q", o, want)
	}
	if o.Pos != (Pos{10, 3}) || o.Clauses[2][0].Pos != (Pos{11, 6}) {
		t.Errorf("positions %v and %v", o.Pos, o.Clauses[2][0].Pos)
	}
	again, err := ParseOrder(o.String())
	if err != nil || again.String() != o.String() {
		t.Errorf("an order does not survive its own text: %q, %v", again, err)
	}
}

func TestFaultsNameLineColumnAndWhatWasExpected(t *testing.T) {
	for in, want := range map[string]string{
		"133/XXII 2206-2306":                   `line 1, column 1: "133/XXII" stands where a header`,
		"GAME: X\nMOVE; 81 INF TO 2306":        `line 2, column 7: "81" stands where a new line`,
		"GAME: X\nMOVE\n 1:\nDONE":             `line 3, column 2: "1:" stands where a number, one colon and an order`,
		"GAME: X\nDONE\nMOVE":                  `line 3, column 1: "MOVE" stands where nothing more`,
		"GAME: X\n" + strings.Repeat("a", 300): "line 2, column 201",
		strings.Repeat("GAME: X\n", 400):       "line 301",
	} {
		_, errs := Parse(in, words)
		if len(errs) != 1 || !strings.Contains(errs[0].Error(), want) {
			t.Errorf("%.40q gives %v, want %q", in, errs, want)
		}
	}
	s, _ := Parse("TURN: three", words)
	if _, err := s.Number("TURN"); err == nil || !strings.Contains(err.Error(), "line 1, column 1") {
		t.Errorf("TURN: three gives %v", err)
	}
	if _, err := s.Number("SERIAL"); err == nil {
		t.Error("a missing SERIAL was read")
	}
}

func TestAnOpenSectionBeginsWithOrders(t *testing.T) {
	v := Vocabulary{Sections: []string{"CHIT", "STANDING"}, Open: []string{"CHIT"}}
	s, errs := Parse("CHIT OKH MERGE A INTO 168; RAIL 332 TO 2512\n  HQ TO 1334\nSTANDING; KEY 2512", v)
	if len(errs) != 1 || errs[0].Got != "KEY" {
		t.Errorf("faults %v", errs)
	}
	if len(s.Sections[0].Args) != 5 || len(s.Sections[0].Orders) != 2 || s.Sections[0].Orders[0].String() != "RAIL 332 TO 2512" {
		t.Errorf("%+v", s.Sections[0])
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sheet)
	f.Add("GAME:\nMOVE\n;;;,,,\n1: 1:\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, _ := Parse(text, words)
		for _, sec := range s.Sections {
			for _, o := range sec.Orders {
				if o.String() == "" {
					t.Fatalf("an empty order at %v", o.Pos)
				}
				again, err := ParseOrder(o.String())
				if err == nil && again.String() != o.String() {
					t.Fatalf("%q reads again as %q", o, again)
				}
			}
		}
	})
}

// A SERIAL has a bound, and the lines that say what a sheet is for stand once each.
func TestHeadsAreBounded(t *testing.T) {
	for _, c := range []struct{ serial, says string }{
		{"1000000000", ""},
		{"1000000001", "a whole number up to 1000000000"},
		{"9223372036854775807", "a whole number up to 1000000000"},
		{"99999999999999999999", "a whole number up to 1000000000"},
		{"-1", "a whole number"},
	} {
		sheet, _ := Parse("SERIAL: "+c.serial+"\n", Vocabulary{})
		_, err := sheet.Number("SERIAL")
		if got := fmt.Sprint(err); c.says == "" && err != nil || !strings.Contains(got, c.says) {
			t.Errorf("SERIAL: %s is answered with %v", c.serial, err)
		}
	}
	for head, twice := range map[string]bool{
		"GAME: A SIDE: B\nTURN: 1 SERIAL: 2\n":                   false,
		"GAME: A SIDE: B\nTURN: 1 SERIAL: 2\nSERIAL: 3\n":        true,
		"GAME: A GAME: A\nSIDE: B TURN: 1 SERIAL: 2\n":           true,
		"GAME: A SIDE: B SIDE: C\nTURN: 1 SERIAL: 2\n":           true,
		"GAME: A SIDE: B\nTURN: 1 TURN: 2 SERIAL: 2\n":           true,
		"GAME: A SIDE: B\nAWAY: NO\nAWAY: NO\nTURN: 1 SERIAL: 2": false,
	} {
		if sheet, _ := Parse(head, Vocabulary{}); (sheet.Doubled() != nil) != twice {
			t.Errorf("%q: %v", head, sheet.Doubled())
		}
	}
}
