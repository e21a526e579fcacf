package desk

import (
	"slices"
	"strings"
	"testing"
)

// What may be added to an order stands, wherever it is offered: conditions, limits and strengths
// of all three systems, and the sheet with it is filed without a refusal.
func TestAdditionsStand(t *testing.T) {
	for _, c := range []struct{ scenario, side, sheet, line, want string }{
		{"kharkov-1942", "SOVIET", "AIR 1\n  SUPPORT 2505 1\n", "SUPPORT", "4"},
		{"kharkov-1942", "SOVIET", "MOVE\n  13/XXII TO 2305\n", "13/XXII", "; UNLESS 2305 ENEMY"},
		{"kharkov-1942", "SOVIET", "ATTACK\n  2505 WITH 300 INF\n", "2505", "; MIN 2:1"},
		{"kharkov-1942", "SOVIET", "STANDING\n  300 INF HOLD\n", "300", " UNTIL TURN 2"},
		{"backhand-blow", "SOVIET", "CHIT 1GA\n  MOVE 195 RD TO 3628\n", "CHIT", " UNLESS 2 OWN CHITS PLAYED"},
		{"backhand-blow", "SOVIET", "CHIT 1GA\n  MOVE 195 RD TO 3628\n", "MOVE", "; IF 3628 EMPTY"},
		{"backhand-blow", "SOVIET", "CHIT 1GA\n  ATTACK 3627 WITH 195 RD\n", "ATTACK", "; MIN 2:1"},
		{"gd-kursk", "GERMAN", "CHIT 2Pz\n  MOVE HQ TO 3528\n", "MOVE", "; IF-FIRED STOP"},
	} {
		d, o := open(t, opening(t, c.scenario, c.side))
		sheet := o.Blank + c.sheet
		line := 1 + slices.IndexFunc(strings.Split(sheet, "\n"), func(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), c.line) })
		can, err := d.Additions(sheet, line)
		if err != nil {
			t.Fatal(err)
		}
		named := false
		for _, a := range can {
			named = named || a.More == c.want
			after, err := d.Edit(sheet, Change{Take: line, Order: a.Order, Below: a.Below})
			if err != nil {
				t.Fatal(err)
			}
			checked, err := d.Check(after)
			if err != nil || checked.Refused > 0 {
				t.Errorf("%s: %q is offered and refused: %+v %v", c.scenario, a.Order, checked.Lines, err)
			}
		}
		if !named {
			t.Errorf("%s: %q is not offered: %+v", c.scenario, c.want, can)
		}
		t.Logf("%s %s: %d", c.scenario, c.line, len(can))
	}
	d, o := open(t, opening(t, "kharkov-1942", "SOVIET"))
	if _, err := d.Additions(o.Blank, 99); err == nil {
		t.Error("a line that is not there has additions")
	}
}

// A line of the head is written, written anew and taken away.
func TestALineOfTheHead(t *testing.T) {
	d, o := open(t, opening(t, "backhand-blow", "SOVIET"))
	sheet := o.Blank
	for _, mode := range []string{"ASK", "PLOT"} {
		var err error
		if sheet, err = d.Edit(sheet, Change{Head: "MODE", Order: mode}); err != nil || sheet != strings.TrimSuffix(o.Blank, "\n")+"\nMODE: "+mode+"\n" {
			t.Errorf("%q, %v", sheet, err)
		}
	}
	if sheet, _ = d.Edit(sheet, Change{Head: "MODE"}); sheet != o.Blank {
		t.Errorf("%q", sheet)
	}
}
