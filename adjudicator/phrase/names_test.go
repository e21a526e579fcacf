package phrase

import (
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
)

// garrison is an army of strings, each of a name and a type, with the formation behind a
// slash. 9 ID is under another commander; 8 ID is lost; 2 BN is yet to come; all others
// stand on 0304 or, the guns, on 0305.
type garrison []string

func (g garrison) Roll() *Roll {
	var list []Called
	for _, u := range g {
		c := Called{ID: "our-" + u, Name: u, Type: strings.Fields(u)[1], Side: "GERMAN", Nation: "German"}
		if c.Type == "BN" {
			c.Of = []string{"KG"}
		}
		list = append(list, c)
	}
	return NewRoll(list)
}

func (g garrison) Unit(id string) (string, bool) {
	u := strings.TrimPrefix(id, "our-")
	return u, slices.Contains(g, u)
}

func (g garrison) ID(u string) string { return "our-" + u }

func (g garrison) Hex(u string) hex.Hex {
	switch {
	case u == "2 BN", u == "8 ID":
		return hex.None
	case strings.HasSuffix(u, "ART"):
		return 305
	}
	return 304
}

func (g garrison) Lost(u string) bool { return u == "8 ID" }

func (g garrison) Whole(name string) []string {
	if name == "8 ID" || !slices.Contains(g, name) {
		return nil
	}
	return []string{name}
}

func (g garrison) Meant(name string) []Reading[string] { return nil }

func (g garrison) At(h hex.Hex) []string {
	if h != 304 {
		return nil
	}
	return []string{"1 ID", "1 BN"}
}

func (g garrison) Barred(u string) *rule.Violation {
	if u == "8 ID" {
		return &rule.Violation{Why: "8 ID has been lost"}
	}
	leads := func(id string) string {
		if id == "9 ID" {
			return "Anna"
		}
		return ""
	}
	return Foreign(leads, u, u)
}

// field is a map with the place Old Mill on 0304 and the Ridge on two hexes.
func field() *board.Board {
	return &board.Board{Grid: hex.Grid{ColMin: 1, ColMax: 9, RowMin: 1, RowMax: 9}, Rows: slices.Repeat([]string{"........."}, 9),
		Places: []board.Place{{Name: "Old Mill", Hexes: []hex.Hex{304}}, {Name: "Ridge", Hexes: []hex.Hex{405, 406}}}}
}

func TestUnitsAreFoundByTheirNames(t *testing.T) {
	army := garrison{"1 ID", "8 ID", "9 ID", "1 BN", "2 BN", "21 ART", "22 ART", "23 ART", "24 ART", "25 ART", "26 ART", "27 ART"}
	for _, c := range []struct {
		list, want, why, instead string
		col                      int
	}{
		{list: "1 ID ,21", want: "1 ID|21 ART"},
		{list: "21+22 ART", want: "21 ART|22 ART"},
		{list: "KG ,1 ID", want: "1 BN|2 BN|1 ID"},
		{list: "ALL AT 0304", want: "1 ID|1 BN"},
		{list: "ALL AT OLD MILL ,2 BN", want: "1 ID|1 BN|2 BN"},
		{list: "ALL AT OLD_MILL", want: "1 ID|1 BN"},
		{list: "ALL AT OLD MILL GATE", why: `"GATE" is not understood here`, col: 5},
		{list: "2 BN ,ALL AT 0305", why: "no unit of yours that could act stands on 0305", col: 3},
		{list: "ALL AT RIDGE", why: "Ridge has 2 hexes", instead: "Name one of them: 0405 or 0406.", col: 1},
		{list: "ALL AT 0304 ,1 BN", why: "1 BN is named twice", col: 4},
		{list: "ID 1 ,1 BN (KG) ,THE 2ND BN", want: "1 ID|1 BN|2 BN"},
		{list: "GERMAN 1 ID ,OUR-1-BN", want: "1 ID|1 BN"},
		{list: "1 ID ,1", why: "1 could be 1 ID on 0304 or 1 BN on 0304", instead: "Please write one of these.", col: 3},
		{list: "1 ID ON 0304 ,1 BN (0304)", want: "1 ID|1 BN"},
		{list: "21 (0304)", why: "21 does not stand on 0304", col: 1},
		{list: "21 ON 9999", why: "hex 9999 is not on the map", instead: "Columns run from 01 to 09, rows from 01 to 09.", col: 1},
		{list: "2", want: "2 BN"},
		{list: "2 ,A", why: "you have no unit A", col: 2},
		{list: "8 ID", why: "8 ID has been lost", col: 1},
		{list: "ART", why: "you have no unit ART", col: 1},
		{list: "1 DI", why: "you have no unit 1 DI", instead: "Did you mean 1 ID?", col: 1},
		{list: "28 ART", why: "you have no unit 28 ART", instead: "Did you mean 21 ART, 22 ART or 23 ART?", col: 1},
		{list: "1 IDX THE BRAVE", why: "you have no unit 1 IDX THE BRAVE", instead: "Did you mean 1 ID?", col: 1},
		{list: "PANZER", why: "you have no unit PANZER", col: 1},
		{list: "2 BN ,9 ID", why: "9 ID is under Anna", instead: rule.NotYours("", "").Instead, col: 3},
	} {
		got, v := Units(army, field(), text(c.list))
		if v == nil {
			v = &rule.Violation{}
		}
		if v.Why != c.why || v.Instead != c.instead || v.Col != c.col || strings.Join(got, "|") != c.want {
			t.Errorf("%q: %q, %+v; want %q, %q at %d", c.list, got, v, c.want, c.why, c.col)
		}
	}
	if _, v := One(army, field(), text("KG")); v == nil || v.Why != "KG names 2 units" {
		t.Errorf("two for one: %v", v)
	}
	if u, v := One(army, field(), text("22")); v != nil || u != "22 ART" {
		t.Errorf("one: %q, %v", u, v)
	}
	for list, whole := range map[string]bool{"ALL AT 0304": true, "ALL AT OLD MILL": true, "ALL AT 0304 ,1 ID": false, "ALL AT": false, "1 ID": false} {
		if IsAllAt(text(list)) != whole {
			t.Errorf("%q is taken for all on a hex: %v", list, !whole)
		}
	}
}
