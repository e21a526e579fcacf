package phrase

import (
	"fmt"
	"testing"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
)

// march is an order to go, read as every system reads it.
type march struct {
	to        hex.Hex
	via, path []hex.Hex
}

func (m *march) read(s string) (units string, v *rule.Violation) {
	y := Way{Board: field(), Stop: []string{"TO", "VIA", "FAST"}, To: &m.to, Via: &m.via, Path: &m.path}
	r := New(text(s))
	units = Join(r.Names(y.Stop...))
	for !r.End() {
		w := r.Next()
		own, v := y.Clause(w, &r)
		if !own && w != "FAST" {
			v = Astray(w, "FAST")
		}
		if v != nil {
			return units, r.Blame(v)
		}
	}
	return units, y.Fault(false)
}

func TestAWayIsReadIntoItsOrder(t *testing.T) {
	for _, c := range []struct {
		order, want, why, instead string
		col                       int
	}{
		{order: "1 ID 0304-0305", want: "1 ID to ---- via [] by [0304 0305]"},
		{order: "1 ID 0304-0305 0306-0307", want: "1 ID to ---- via [] by [0304 0305 0306 0307]"},
		{order: "1 ID ,2 ID VIA 0305 OLD MILL TO 0306 FAST", want: "1 ID 2 ID to 0306 via [0305 0304] by []"},
		{order: "1 ID FAST TO OLD_MILL", want: "1 ID to 0304 via [] by []"},
		{order: "1 ID TO", why: "a hex is missing at the end of the order", col: 3},
		{order: "1 ID 0304-9999", why: "hex 9999 is not on the map", instead: "Columns run from 01 to 09, rows from 01 to 09.", col: 3},
		{order: "1 ID VIA 0305 NOWHERE", why: `"NOWHERE" is neither a hex nor a place of this map`, col: 5},
		{order: "1 ID VIA 0305", why: "VIA needs a goal: TO and a hex"},
		{order: "1 ID TO 0305 0304-0305", why: "a path hex by hex and a goal with TO or VIA exclude each other"},
		{order: "1 ID TO 0305 SLOWLY", why: `"SLOWLY" is not understood here`, instead: "Expected TO and a hex, VIA, FAST or a path such as 2206-2306.", col: 5},
	} {
		var m march
		units, v := m.read(c.order)
		if v == nil {
			v = &rule.Violation{}
			if got := fmt.Sprintf("%s to %v via %v by %v", units, m.to, m.via, m.path); got != c.want {
				t.Errorf("%q reads %s, want %s", c.order, got, c.want)
			}
		}
		if v.Why != c.why || v.Instead != c.instead || v.Col != c.col {
			t.Errorf("%q: %+v, want %q at %d, %q", c.order, v, c.why, c.col, c.instead)
		}
	}
}

func TestHexsidesAreOfTheMap(t *testing.T) {
	for word, want := range map[string]string{
		"0304/0305": "0304", "0305-0304": "0305", "0304": `"0304" is not a hexside: two hex numbers such as 1602/1603 are`,
		"0304/9999": "hex 9999 is not on the map", "0304/0306": "0304 and 0306 are not neighbours",
	} {
		r := New(text(word))
		_, first, v := Hexside(field(), &r)
		got := first.String()
		if v != nil {
			got = v.Why
		}
		if got != want {
			t.Errorf("%s: %s, want %s", word, got, want)
		}
	}
	for _, w := range []string{"", "2206", "ZB-26", "2206-", "-", "22-23", "22060-2207"} {
		if IsPath(w) {
			t.Errorf("%q is taken for a path", w)
		}
	}
	if v := Unexpected("X", "in an attack", "WITH"); v.Instead != "Expected WITH." {
		t.Errorf("one word was expected: %q", v.Instead)
	}
}
