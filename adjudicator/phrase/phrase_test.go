package phrase

import (
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// text makes the words of a phrase; a comma before a word stands in front of it.
func text(s string) (out []orders.Word) {
	for i, f := range strings.Fields(s) {
		w, comma := strings.CutPrefix(f, ",")
		out = append(out, orders.Word{Text: w, Comma: comma, Pos: orders.Pos{Line: 1, Col: i + 1}})
	}
	return out
}

func TestAReaderTakesWordsOffTheFront(t *testing.T) {
	r := New(text("57 ARM TO 2106 VIA"))
	if got := Join(r.Take("TO", "VIA")); got != "57 ARM" {
		t.Errorf("up to TO: %q", got)
	}
	if r.Skip("VIA") || !r.Skip("AT", "TO") || r.Next() != "2106" {
		t.Errorf("then %q", r.Peek())
	}
	r.Back()
	if r.Peek() != "2106" {
		t.Errorf("taken back: %q", r.Peek())
	}
	r.Next()
	if v := r.Blame(&rule.Violation{}); v.Col != 4 {
		t.Errorf("the word to blame is at column %d, want 4", v.Col)
	}
	if r.Take(); !r.End() || r.Peek() != "" || r.Next() != "" {
		t.Error("nothing should be left")
	}
}

func TestAListNamesEachThingOnce(t *testing.T) {
	known := func(spec []orders.Word) ([]string, *rule.Violation) {
		if Join(spec) == "9 ID" {
			return nil, &rule.Violation{Why: "you have no unit 9 ID"}
		}
		return []string{Join(spec)}, nil
	}
	self := func(s string) string { return s }
	for _, c := range []struct {
		list, want, why string
		col             int
	}{
		{list: "1 ID ,2 ID ,3 ID", want: "1 ID|2 ID|3 ID"},
		{list: "", why: "no unit is named"},
		{list: "1 ID ,2 ID ,1 ID", why: "1 ID is named twice", col: 5},
		{list: "1 ID ,9 ID", why: "you have no unit 9 ID", col: 3},
	} {
		got, v := Each(text(c.list), known, self)
		if v == nil && c.why != "" || v != nil && (v.Why != c.why || v.Col != c.col) || strings.Join(got, "|") != c.want {
			t.Errorf("%q: %q, %+v; want %q, %q at %d", c.list, got, v, c.want, c.why, c.col)
		}
	}
}

func TestTheNearestNameIsOffered(t *testing.T) {
	r := NewRoll([]Called{{ID: "a", Name: "57 ARM-BR"}, {ID: "b", Name: "38 ARM-BR"}, {ID: "c", Name: "KG X"}})
	for want, nearest := range map[string][]int{"58 ARM-BR": {0, 1}, "57 ARM BRR": {0}, "38 ARNBR": {1}, "XXI": nil, "KG": {2}} {
		if got := r.near(want, []int{0, 1, 2}); !slices.Equal(got, nearest) {
			t.Errorf("%s: %d, want %d", want, got, nearest)
		}
	}
}
