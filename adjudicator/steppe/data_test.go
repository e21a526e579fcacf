package steppe

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/table"
	"fieldpost/orders"
	"fieldpost/scenarios"
)

var scenarioIDs = []string{"star-and-gallop", "backhand-blow", "winter-campaign"}

// worth orders results from bad to good for the attacker.
func (r Result) rank() (ours, theirs, back int) { return -r.ALoss, r.DLoss, r.Retreat }

// No cell of the Combat Results Table is worse for the attacker than the one above it or
// to its left: neither in their own losses, nor in whether the defender retreats or loses.
func TestCombatTableIsMonotone(t *testing.T) {
	sc := load(t, scenarioIDs[0])
	bad := func(a, b Result) bool {
		ao, at, ab := a.rank()
		bo, bt, bb := b.rank()
		return bo < ao || bt < at && bb <= ab || ab > 0 && bb == 0
	}
	for roll := 2; roll <= 12; roll++ {
		for c := range sc.Columns {
			if roll > 2 && bad(sc.Combat[roll-1][c], sc.Combat[roll][c]) {
				t.Errorf("%s: %d is %s, %d is %s", sc.Columns[c], roll-1, sc.Combat[roll-1][c].Text, roll, sc.Combat[roll][c].Text)
			}
			if c > 0 && bad(sc.Combat[roll][c-1], sc.Combat[roll][c]) {
				t.Errorf("roll %d: %s is %s, %s is %s", roll, sc.Columns[c-1], sc.Combat[roll][c-1].Text, sc.Columns[c], sc.Combat[roll][c].Text)
			}
		}
	}
}

// The table gives every result that play reports quote: with their roll where they give
// it, else somewhere in their column.
func TestCombatTableFitsTheObservations(t *testing.T) {
	sc := load(t, scenarioIDs[0])
	p, err := scenarios.Open(scenarioIDs[0])
	if err != nil {
		t.Fatal(err)
	}
	s, err := table.ReadSheet(p, "observations.tsv", "column", "roll", "result")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range s.Rows {
		c := slices.Index(sc.Columns, r.Text("column"))
		found := false
		for roll := 2; roll <= 12; roll++ {
			if n := r.Int("roll"); n == 0 || n == roll {
				found = found || sc.Combat[roll][c].Text == r.Text("result")
			}
		}
		if !found {
			t.Errorf("line %d: %s with %s is not in the table", r.Line, r.Text("result"), r.Text("column"))
		}
	}
	if len(s.Rows) != 19 {
		t.Errorf("%d observations, 19 are known", len(s.Rows))
	}
}

// The chances of a retreat at no modifier, in the order of the columns, rise.
func TestRetreatChances(t *testing.T) {
	sc := load(t, scenarioIDs[0])
	var got []string
	for c := range sc.Columns {
		n := sc.retreatChance(odds{column: c}, 0)
		got = append(got, fmt.Sprint((n*100+18)/36))
	}
	if want := "8 28 42 58 72 83 97 100"; strings.Join(got, " ") != want {
		t.Errorf("retreats %v, the reconstruction says %s", got, want)
	}
}

// The eight turns of weather that play reports tell of are possible, and half of the
// winter's dice freeze the ground.
func TestWeatherFitsTheReports(t *testing.T) {
	sc := load(t, scenarioIDs[0])
	for turn, want := range []string{"rain/normal", "clear/normal", "snow/frozen", "clear/frozen", "clear/normal", "rain/mud", "clear/mud", "clear/normal"} {
		if !slices.Contains(sc.Weather[turn/4][1:], want) {
			t.Errorf("turn %d cannot have %s", turn+1, want)
		}
	}
	if sc.Weather[0][1] != "rain/normal" {
		t.Error("a 1 on turn 1 was rain on normal ground")
	}
	frozenDice := 0
	for die := 1; die <= 6; die++ {
		if strings.HasSuffix(sc.Weather[0][die], "/frozen") {
			frozenDice++
		}
	}
	if frozenDice != 3 {
		t.Errorf("%d of six winter dice freeze the ground", frozenDice)
	}
}

// The track: turn 1 as seen in a report; the Germans' chits never fall, and each turn has
// somebody to draw.
func TestChitsFitTheReports(t *testing.T) {
	sc := load(t, "winter-campaign")
	first := sc.Chits[0]
	if first["GERMAN"] != 4 || first["VORONEZH"] != 4 || first["SOUTHWEST"] != 6 {
		t.Errorf("turn 1 has %v", first)
	}
	for i := 1; i < len(sc.Chits); i++ {
		if sc.Chits[i]["GERMAN"] < sc.Chits[i-1]["GERMAN"] {
			t.Errorf("turn %d has fewer German chits", i+1)
		}
	}
}

// Every line of a set-up shows the figures of the side of the counter that it begins on,
// struck lines too; nothing is set up twice, no hex is over the limit or held by both.
func TestSetUpsShowTheCountersSides(t *testing.T) {
	for id, want := range map[string]int{"star-and-gallop": 68, "backhand-blow": 88, "winter-campaign": 68} {
		p, err := scenarios.Open(id)
		if err != nil {
			t.Fatal(err)
		}
		sc := load(t, id)
		for _, file := range []string{"setup.tsv", "arrivals.tsv"} {
			s, err := table.ReadSheet(p, file, "counter", "printed", "state")
			if err != nil {
				t.Fatal(err)
			}
			l := &loader{Loader: &table.Loader{Src: p}, sc: sc}
			for _, r := range s.Rows {
				c := sc.byID[r.Text("counter")]
				if c == nil {
					t.Errorf("%s %s:%d: no counter %q", id, file, r.Line, r.Text("counter"))
					continue
				}
				u := Unit{Steps: l.state(r, c), c: c}
				printed, rest, _ := strings.Cut(r.Text("printed"), " (")
				if u.figures() != printed {
					t.Errorf("%s %s:%d: %s begins as %s, the book prints %s", id, file, r.Line, c.Name, u.figures(), printed)
				}
				name, _, _ := strings.Cut(rest, ")")
				if !strings.HasPrefix(strings.ReplaceAll(name, " ", ""), strings.ReplaceAll(c.Printed, " ", "")[:1]) && c.Name != "SS Pz" {
					t.Errorf("%s %s:%d: the line of %s is %s's", id, file, r.Line, name, c.Printed)
				}
			}
		}
		if len(sc.Setup) != want {
			t.Errorf("%s: %d units are set up, want %d", id, len(sc.Setup), want)
		}
		s := sc.opening()
		for i := range s.at.slot {
			us := s.stack(i)
			if s.load(i) > stackLimit {
				t.Errorf("%s: %v holds %d steps: %s", id, s.hexAt(i), s.load(i), names(us))
			}
			for _, u := range us {
				if u.c.Side != us[0].c.Side {
					t.Errorf("%s: %v is held by both", id, s.hexAt(i))
				}
			}
		}
	}
}

// The units that the torn section 17.5 must have brought: those of 17.10 that 17.3 has not.
func TestLostReinforcements(t *testing.T) {
	one, two := load(t, "star-and-gallop"), load(t, "backhand-blow")
	for _, p := range two.Setup {
		c := two.byID[p.Counter]
		if c.Side != Soviet {
			continue
		}
		setUp := slices.ContainsFunc(one.Setup, func(q Placement) bool { return q.Counter == p.Counter })
		i := slices.IndexFunc(one.Arrivals, func(a Arrival) bool { return a.Counter == p.Counter })
		if !setUp && (i < 0 || one.Arrivals[i].Turn > 3) {
			t.Errorf("%s stands on the map on turn 4 and does not come before", c.Name)
		}
	}
}

// Supply reaches every unit of the set-ups but the few that the book cut off.
func TestSetUpsAreSupplied(t *testing.T) {
	for _, id := range scenarioIDs {
		s := load(t, id).opening()
		var cut []string
		for _, side := range s.sc.sides() {
			reach := s.supplied(side)
			for _, u := range s.sideUnits(side) {
				if !reach[s.ix(u.Hex)] {
					cut = append(cut, u.c.Name)
				}
			}
		}
		if len(cut) > 3 {
			t.Errorf("%s: without a supply path: %s", id, strings.Join(cut, ", "))
		}
	}
}

// Rivers part the map as in the book's set-ups: no hexside of a bridge without its river.
func TestBridgesAreOverRivers(t *testing.T) {
	sc := load(t, scenarioIDs[0])
	for _, b := range sc.Board.Bridges {
		if sc.Board.River(b.Edge) != majorRiver {
			t.Errorf("the bridge %v is over %q", b.Edge, sc.Board.River(b.Edge))
		}
	}
	if !sc.Board.Grid.Adjacent(hex.New(25, 12), hex.New(26, 13)) {
		t.Error("the two hexes of Kharkov do not touch")
	}
}

func FuzzSheet(f *testing.F) {
	f.Add("CHITS 3TA\nCHIT 3TA MOVE THEN ATTACK\n MOVE 15 TC TO 3611\n ATTACK 3512 WITH 15 TC; MIN 2:1\n IF GERMAN HOLDS 2512 THEN\n MOVE 12 TC TO 2512\nSTANDING\n AIR ATTACK WANT 70%\n")
	f.Add("SOLO HEX 3503; MOVE 4 Hung TO 3504\nBACKHAND THIS TURN IF CLEAR OR FROZEN\nHQBACK 3TA 3911\nCHIT OKH MERGE KG A INTO 168; RAIL 332 TO 2512 IF OURS")
	sc := load(f, "star-and-gallop")
	s := sc.opening()
	s.Step = StepOrders
	f.Fuzz(func(t *testing.T, text string) {
		for _, side := range sc.sides() {
			sheet, _ := orders.Parse(text, Vocabulary)
			s.readTurn(side, sheet.Sections)
		}
	})
}
