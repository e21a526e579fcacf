package wb95

import (
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/orders"
	"fieldpost/scenarios"
)

// gameOf is a game of a scenario with options.
func gameOf(t *testing.T, id string, chosen map[string]string) *Game {
	t.Helper()
	pack, err := scenarios.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	g, err := System{}.Load(pack)
	if err != nil {
		t.Fatal(err)
	}
	with, err := g.(*Game).With(chosen)
	if err != nil {
		t.Fatal(err)
	}
	return with.(*Game)
}

// WB-95 11.1.1
func TestStandInsStayAway(t *testing.T) {
	for value, want := range map[string]int{"yes": 8, "no": 0} {
		g := gameOf(t, "kharkov-1943", map[string]string{"stand-ins": value})
		b, err := g.Opening()
		if err != nil {
			t.Fatal(err)
		}
		s, err := g.decode(b)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, id := range g.plain.StandIns {
			if u := s.unit(id); u != nil {
				n++
			}
		}
		if n != want {
			t.Errorf("stand-ins %s: %d of them wait, want %d", value, n, want)
		}
	}
}

// WB-95 5.1.7
func TestASheetWithOpenDutiesIsReturned(t *testing.T) {
	for value, done := range map[string]bool{"complete": true, "return": false} {
		g := gameOf(t, "kharkov-1942", map[string]string{"duties": value})
		b, err := g.Opening()
		if err != nil {
			t.Fatal(err)
		}
		v, err := g.View(b, "SOVIET")
		if err != nil {
			t.Fatal(err)
		}
		// The brigade steps beside an enemy and attacks nobody.
		sheet, faults := orders.Parse(orders.Canonical("GAME: X SIDE: SOVIET TURN: 1 SERIAL: 1\nMOVE\n133/XXII 2306-2406\nDONE\n"), Vocabulary)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		f := g.Check(v, sheet)
		said := false
		for _, l := range f.Lines {
			said = said || l.Refused != nil && strings.Contains(l.Refused.Why, "returns such a sheet")
		}
		if f.Done != done || said == done {
			t.Errorf("duties %s: done %v, said %v", value, f.Done, said)
		}
	}
}

// A position says its options: it plays under them whichever game it is given to,
// and so does a View.
func TestPositionsCarryTheirOptions(t *testing.T) {
	chosen := map[string]string{"supply-tick": "yes", "doniec": "river"}
	g := gameOf(t, "kharkov-1942", chosen)
	b, err := g.Opening()
	if err != nil {
		t.Fatal(err)
	}
	if text := string(b); !strings.Contains(text, `"options":{"supply-tick":"yes"}`) {
		t.Errorf("the position does not hold what differs from the default")
	}
	plain := gameOf(t, "kharkov-1942", nil)
	s, err := plain.decode(b)
	if err != nil || !s.sc.Readings.SupplyTick || plain.sc.Readings.SupplyTick {
		t.Errorf("played by another game it is %+v, %v", s.sc.Readings, err)
	}
	v, err := plain.View(b, "SOVIET")
	if err != nil {
		t.Fatal(err)
	}
	if s, err := plain.believe(v); err != nil || !s.sc.Readings.SupplyTick {
		t.Errorf("from a View: %v", err)
	}
	if _, err := plain.With(map[string]string{"supply-tick": "maybe"}); err == nil || !strings.Contains(err.Error(), "write one of no, yes") {
		t.Errorf("an unknown value: %v", err)
	}
	var _ adjudicator.Optional = plain
}

// Every value of every option has a numbered case, or a test above.
func TestEveryOptionHasCases(t *testing.T) {
	cases, err := Cases()
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]bool{"set-up printed": true, "set-up choose": true, "duties complete": true, "duties return": true, "stand-ins yes": true, "stand-ins no": true,
		"fog rulebook": true, "fog blind": true, "fog open": true} // fog_test.go
	for _, k := range cases {
		for _, l := range k.Body {
			if text, ok := strings.CutPrefix(l.Text, "OPTION "); ok && l.Head {
				said[text] = true
			}
		}
	}
	for _, o := range gameOptions() {
		for _, v := range o.values {
			if !said[o.name+" "+v] {
				t.Errorf("no case plays under %s %s", o.name, v)
			}
		}
	}
}
