package orders

import (
	"slices"
	"testing"
)

func TestOrdersThatANewSheetDrops(t *testing.T) {
	voc := Vocabulary{Sections: []string{"MOVE", "ATTACK", "STANDING", "CHIT"}}
	for _, c := range []struct {
		what, was, now string
		dropped        []string
	}{
		{"nothing", "MOVE\n169 INF TO 1704", "MOVE\n169 INF TO 1704", nil},
		{"an order that goes elsewhere is changed, not dropped", "MOVE\n169 INF TO 1704", "MOVE\n169 INF 1803-1804", nil},
		{"an order that is missing", "MOVE\n169 INF TO 1704\nHQ 38 TO 2202", "MOVE\nHQ 38 TO 2203", []string{"169 INF TO 1704"}},
		{"one of several units", "MOVE\n169 INF, 81 INF TO 1704", "MOVE\n81 INF TO 1704", []string{"169 INF, 81 INF TO 1704"}},
		{"units that now go apart", "MOVE\n169 INF, 81 INF TO 1704", "MOVE\n81 INF TO 1704\n169 INF TO 1705", nil},
		{"an attack with others", "ATTACK\n1: 2505 WITH 81 INF", "ATTACK\n2: 2505 WITH 300 INF; MIN 2:1", nil},
		{"an attack that is missing", "ATTACK\n1: 2505 WITH 81 INF\n2: 2106 WITH 124 INF", "ATTACK\n1: 2106 WITH 124 INF", []string{"1: 2505 WITH 81 INF"}},
		{"a unit that moves where it attacked", "ATTACK\n2505 WITH 81 INF", "MOVE\n81 INF TO 2505", []string{"2505 WITH 81 INF"}},
		{"standing orders stay in force", "STANDING\nALL RETREAT FULL", "MOVE\n81 INF TO 2505", nil},
		{"another chit's programme", "CHIT OKH\n81 INF TO 2505", "CHIT SS\n81 INF TO 2505", []string{"81 INF TO 2505"}},
	} {
		was, _ := Parse(c.was, voc)
		now, _ := Parse(c.now, voc)
		if got := Dropped(was, now); !slices.Equal(got, c.dropped) {
			t.Errorf("%s: %q dropped, want %q", c.what, got, c.dropped)
		}
	}
}
