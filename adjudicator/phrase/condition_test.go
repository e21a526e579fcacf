package phrase

import (
	"fmt"
	"testing"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
)

// asked reads a condition as every system reads those that it shares with others.
func asked(s string) string {
	r := New(text(s))
	var what string
	var v *rule.Violation
	switch {
	case SaysHolds(&r, "RED", "BLUE"):
		var who string
		var h hex.Hex
		who, h, v = Holds(field(), &r)
		what = fmt.Sprintf("%s on %v", who, h)
	case SaysChits(&r):
		var c Chits
		c, v = ReadChits(&r, false, "PLAYED", "LEFT")
		what = fmt.Sprint(c)
	default:
		var h hex.Hex
		var is string
		h, is, v = HexIs(field(), &r, "EMPTY", "HELD")
		what = fmt.Sprintf("%v %s", h, is)
	}
	if v != nil {
		return v.Why
	}
	return what
}

func TestConditionsAreRead(t *testing.T) {
	for condition, want := range map[string]string{
		"RED HOLDS 0304":      "RED on 0304",
		"BLUE HOLD OLD MILL":  "BLUE on 0304",
		"RED HOLDS":           "a hex is missing at the end of the order",
		"GREEN HOLDS 0304":    `"GREEN" is neither a hex nor a place of this map`,
		"0304 EMPTY":          "0304 EMPTY",
		"OLD MILL HELD":       "0304 HELD",
		"0304 FULL":           `"FULL" stands where EMPTY or HELD was expected`,
		"0304":                "EMPTY or HELD is missing at the end",
		"2 OWN CHITS PLAYED":  "{2 false PLAYED}",
		"1 ENEMY CHIT LEFT":   "{1 true LEFT}",
		"1 CHIT LEFT":         `"CHIT" stands where OWN or ENEMY was expected`,
		"1 OWN UNIT LEFT":     `"UNIT" stands where CHITS or CHIT was expected`,
		"12 ENEMY CHITS GONE": `"GONE" stands where PLAYED or LEFT was expected`,
	} {
		if got := asked(condition); got != want {
			t.Errorf("%s: %s, want %s", condition, got, want)
		}
	}
	r := New(text("2 CHITS PLAYED"))
	if c, v := ReadChits(&r, true, "PLAYED"); v != nil || c.N != 2 || c.Enemy {
		t.Errorf("without OWN: %+v, %v", c, v)
	}
	for word, why := range map[string]string{"": "a number is missing at the end", "X": `"X" stands where a number was expected`,
		"100": `"100" stands where a number was expected`, "-1": `"-1" stands where a number was expected`} {
		r := New(text(word))
		if _, v := Number(&r, 99); v == nil || v.Why != why {
			t.Errorf("%q is a number: %v", word, v)
		}
	}
}

func TestTriggersArePartedByCommas(t *testing.T) {
	fixed := map[string]string{"TANKS": "tanks", "HQ LOST": "hq"}
	falls := func(r *Reader) (string, *rule.Violation) {
		h, v := Falls(field(), r)
		return h.String(), v
	}
	for _, c := range []struct{ mode, want, why string }{
		{"PLOT", "[]", ""}, {"", "[]", ""}, {"PAUSE-IF", "[]", ""}, {"ASK LOSS, RETREAT", "[]", ""},
		{"PAUSE-IF 0304 FALLS, TANKS, HQ LOST", "[0304 tanks hq]", ""},
		{"PAUSE-IF OLD MILL FALLS", "[0304]", ""},
		{"PAUSE-IF TANKS, RAIN, HQ LOST", "[tanks]", `"RAIN" is neither a hex nor a place of this map`},
		{"PAUSE-IF 0304 STANDS", "[]", `the trigger "0304 STANDS" is not understood`},
		{"PAUSE-IF 0304 FALLS, TANKS WITHIN 6h", "[0304 tanks]", ""},
		{"ASK 2PZ WITHIN 6H WHEN TANKS", "[tanks]", ""},
		// What was filed with words too many is kept as it was read then.
		{"PAUSE-IF 0304 FALLS TANKS", "[0304]", `the trigger "0304 FALLS TANKS" is not understood`},
	} {
		got, v := Triggers(c.mode, fixed, falls, "Write better.")
		if v == nil {
			v = &rule.Violation{Instead: "Write better."}
		}
		if fmt.Sprint(got) != c.want || v.Why != c.why || v.Instead != "Write better." {
			t.Errorf("%s: %v, %+v; want %s, %q", c.mode, got, v, c.want, c.why)
		}
	}
}
