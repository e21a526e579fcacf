package table

import (
	"strings"
	"testing"
)

const sheet = `# columns: unit, hexes
unit	hex	hexes	n	kind
81 INF	2306	2306;304	4	FF

133/XXII	-	-	-	none
bad	23x6		four	FX
short	1
`

func TestASheetReadsFieldsAndListsEveryFault(t *testing.T) {
	s, err := ParseSheet("setup.tsv", []byte(sheet), "unit", "hex", "missing")
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Rows) != 3 {
		t.Fatalf("%d rows, want 3", len(s.Rows))
	}
	r := s.Rows[0]
	if r.Text("unit") != "81 INF" || r.Hex("hex") != 2306 || r.Int("n") != 4 || strings.Join(r.List("hexes"), " ") != "2306 304" || r.OneOf("kind", "FF", "none") != "FF" {
		t.Errorf("first row reads wrongly: %v", r)
	}
	if r = s.Rows[1]; r.Hex("hex") != 0 || r.Int("n") != 0 || r.List("hexes") != nil {
		t.Errorf("a dash should be empty: %v", r)
	}
	r = s.Rows[2]
	r.Hex("hex")
	r.Int("n")
	r.OneOf("kind", "FF", "none")
	var all []string
	for _, e := range s.Errors() {
		all = append(all, e.Error())
	}
	text := strings.Join(all, "\n")
	for _, want := range []string{"setup.tsv:1: no column \"missing\"", "setup.tsv:7: 2 fields", "setup.tsv:6:2: \"23x6\"", "setup.tsv:6:4: \"four\"", "setup.tsv:6:5: \"FX\""} {
		if !strings.Contains(text, want) {
			t.Errorf("no fault %q in\n%s", want, text)
		}
	}
}
