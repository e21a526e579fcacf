package phrase

import (
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/orders"
)

// A hex is read as reports print it, and by its name in any spelling of that.
func TestHexesAreReadAsTheyArePrinted(t *testing.T) {
	for _, c := range []struct {
		text, rest   string
		want         hex.Hex
		why, instead string
	}{
		{text: "0304 VIA", rest: "VIA", want: 304},
		{text: "0304 (OLD MILL) VIA", rest: "VIA", want: 304},
		{text: "OLD MILL (0304) VIA", rest: "VIA", want: 304},
		{text: "RIDGE (0406) VIA", rest: "VIA", want: 406},
		{text: "THE-RIDGE VIA", why: `"THE-RIDGE" is neither a hex nor a place of this map`},
		{text: "OLD-MILL", want: 304},
		{text: "ÖLD MILL.", want: 304},
		{text: "OLDMILL (0304)", want: 304},
		{text: "0304 (RIDGE)", why: "Ridge is not on 0304", instead: "It is on 0405 or 0406."},
		{text: "RIDGE (0304)", why: "Ridge is not on 0304", instead: "It is on 0405 or 0406."},
		{text: "0304 (RIGDE)", why: `"RIGDE" is not a place of this map`, instead: "Did you mean Ridge?"},
		{text: "OLD MIL VIA 0305", why: `"OLD" is neither a hex nor a place of this map`, instead: "Did you mean Old Mill?"},
		{text: "0304 (1)WSP", rest: "(1)WSP", want: 304},
	} {
		r := New(text(c.text))
		h, v := Place(field(), &r)
		switch {
		case v != nil && (v.Why != c.why || v.Instead != c.instead):
			t.Errorf("%q: %+v", c.text, v)
		case v == nil && (h != c.want || Join(r.Words) != c.rest || c.why != ""):
			t.Errorf("%q: %v, %q is left", c.text, h, Join(r.Words))
		}
	}
}

// Spellings of a name fold to one, and different names do not.
func TestNamesAreFolded(t *testing.T) {
	for _, same := range [][]string{
		{"2 Art./38A", "2 ART/38A", "2Art. / 38 A"}, {"Mühle", "Muehle", "MUHLE"}, {"Łódź", "LODZ"}, {"Mischurin-Rog", "mischurin – rog", "MISCHURIN ROG"}, {"(1)WSP", "1 wsp"},
	} {
		for _, name := range same {
			if Fold(name) != Fold(same[0]) {
				t.Errorf("%q folds to %q, %q to %q", name, Fold(name), same[0], Fold(same[0]))
			}
		}
	}
	for a, b := range map[string]string{"DR-": "DR", "9 11": "911", "9-11": "911", "11/9": "119"} {
		if Fold(a) == Fold(b) {
			t.Errorf("%q and %q fold to %q", a, b, Fold(a))
		}
	}
	for name, want := range map[string]string{"the No. 5 GUARDS": "5 GUARDS", "No.5": "5", "113th RD": "113 RD", "THEODOR": "THEODOR", "9TH ARMY": "9 ARMY", "NORD": "NORD"} {
		if got := plain(name); got != want {
			t.Errorf("%q is plainly %q", name, got)
		}
	}
}

// A part of the map is a hex, or all hexes of a place.
func TestAreaIsAHexOrAPlace(t *testing.T) {
	b := &board.Board{Grid: hex.Grid{ColMin: 1, ColMax: 5, RowMin: 1, RowMax: 3}, Rows: []string{".....", ".....", "....."},
		Legend: []board.Terrain{{Code: ".", Kinds: []string{"clear"}}}, Compass: board.Compass{North: "top", East: "right", South: "bottom", West: "left"},
		Places: []board.Place{{Name: "Kharków", Hexes: []hex.Hex{201, 202}, Size: "city"}, {Name: "Stara Wieś", Hexes: []hex.Hex{303}, Size: "village"}}}
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]hex.Hex{"KHARKOW": {201, 202}, "stara wies": {303}, "0503": {503}, "Kharków (0202)": {202}} {
		var list []orders.Word
		for _, w := range strings.Fields(text) {
			list = append(list, orders.Word{Text: w})
		}
		r := New(list)
		if got, v := Area(b, &r); v != nil || !slices.Equal(got, want) || !r.End() {
			t.Errorf("%s: %v, %v", text, got, v)
		}
	}
	for _, text := range []string{"0901", "Moscow"} {
		r := New([]orders.Word{{Text: text}})
		if got, v := Area(b, &r); v == nil {
			t.Errorf("%s: %v", text, got)
		}
	}
}
