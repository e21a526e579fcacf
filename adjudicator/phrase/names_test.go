package phrase

import (
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
)

// garrison is an army of strings. A name may be a formation's, KG; 9 ID is under another
// commander; 1 ID, 9 ID and 1 BN stand on 0304.
type garrison []string

func (g garrison) Whole(name string) (string, bool) { return name, slices.Contains(g, name) }

func (g garrison) Meant(name string) []Reading[string] {
	var group, prefix []string
	for _, u := range g {
		if name == "KG" && strings.HasSuffix(u, "BN") {
			group = append(group, u)
		}
		if strings.HasPrefix(u, name) {
			prefix = append(prefix, u)
		}
	}
	return []Reading[string]{{Units: group, Group: true}, {Units: prefix}}
}

func (g garrison) At(h hex.Hex) []string {
	if h != 304 {
		return nil
	}
	return []string{"1 ID", "1 BN"}
}

func (g garrison) Near(name string) (string, bool) {
	return Nearest(name, func(yield func(string, string) bool) {
		for _, u := range g {
			if !yield(u, u) {
				return
			}
		}
	})
}

func (g garrison) Name(u string) string  { return u }
func (g garrison) Shown(u string) string { return u + " somewhere" }

func (g garrison) Barred(u string) *rule.Violation {
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
	army := garrison{"1 ID", "9 ID", "1 BN", "2 BN", "21 ART", "22 ART", "23 ART", "24 ART", "25 ART", "26 ART", "27 ART"}
	for _, c := range []struct {
		list, want, why, instead string
		col                      int
	}{
		{list: "1 ID ,21", want: "1 ID|21 ART"},
		{list: "KG ,1 ID", want: "1 BN|2 BN|1 ID"},
		{list: "ALL AT 0304", want: "1 ID|1 BN"},
		{list: "ALL AT OLD MILL ,2 BN", want: "1 ID|1 BN|2 BN"},
		{list: "ALL AT OLD_MILL", want: "1 ID|1 BN"},
		{list: "ALL AT OLD MILL GATE", why: `"GATE" is not understood here`, col: 5},
		{list: "2 BN ,ALL AT 0305", why: "no unit of yours that could act stands on 0305", col: 3},
		{list: "ALL AT RIDGE", why: "Ridge has 2 hexes: [0405 0406]", instead: "Name one of them.", col: 1},
		{list: "ALL AT 0304 ,1 BN", why: "1 BN is named twice", col: 4},
		{list: "1 ID ,1", why: "1 may be 1 ID somewhere, 1 BN somewhere", instead: "Write the whole name.", col: 3},
		{list: "2", why: "2 may be 2 BN somewhere, 21 ART somewhere, 22 ART somewhere, 23 ART somewhere, 24 ART somewhere, 25 ART somewhere, 2 more", instead: "Write the whole name.", col: 1},
		{list: "1 DI", why: "you have no unit 1 DI", instead: "Did you mean 1 ID somewhere?", col: 1},
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
