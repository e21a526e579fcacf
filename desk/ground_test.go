package desk

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/desk/practice"
	"fieldpost/report/chart"
	"fieldpost/scenarios"
)

// Every scenario tells its zones of control and where supply comes to, as either side knows it: to
// most of its own units, and to no hex in which it knows an enemy.
func TestZonesAndSupplyOfEveryScenario(t *testing.T) {
	all, err := (&scenarios.Library{}).List()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		game, _, err := builtin.Load(s.ID)
		if err != nil {
			t.Fatal(err)
		}
		opening, err := game.Opening()
		if err != nil {
			t.Fatal(err)
		}
		for _, side := range game.Sides() {
			v, err := game.View(opening, side)
			if err != nil {
				t.Fatal(err)
			}
			known, err := adjudicator.Reckon(game, v, side)
			if err != nil || len(known.Zones) != 2 || len(known.Zones[0].Hexes) == 0 || known.Supply == nil {
				t.Errorf("%s, %s: %d zones, supply to %d hexes, %v", s.ID, side, len(known.Zones), len(known.Supply), err)
				continue
			}
			reached, own := 0, 0
			for _, u := range v.Units {
				own++
				if slices.Contains(known.Supply, u.Hex) {
					reached++
				}
			}
			if reached*10 < own*7 {
				t.Errorf("%s, %s: supply comes to %d of %d units", s.ID, side, reached, own)
			}
			for _, e := range v.Enemy {
				if slices.Contains(known.Supply, e.Hex) {
					t.Errorf("%s: supply of %s comes to the enemy's hex %v", s.ID, side, e.Hex)
				}
			}
		}
	}
}

// What is offered as a layer shows something, and is missed where it is left out; what stands in words
// of a hex is what the layers show there.
func TestLayersShowWhatTheyPromise(t *testing.T) {
	for scenario, side := range map[string]string{"kharkov-1942": "SOVIET", "star-and-gallop": "SOVIET", "gd-kursk": "GERMAN"} {
		d, o := open(t, opening(t, scenario, side))
		var usual []chart.Layer
		for _, l := range o.Map.Layers {
			if l.Shown {
				usual = append(usual, l.Name)
			}
		}
		plain, err := d.Position(o.Blank, usual)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range o.Map.Layers {
			if l.Name == chart.LayerArrows {
				continue // the sheet is empty
			}
			layers := append(slices.Clone(usual), l.Name)
			if l.Shown {
				layers = slices.DeleteFunc(slices.Clone(usual), func(n chart.Layer) bool { return n == l.Name })
			}
			if changed, err := d.Position(o.Blank, layers); err != nil || changed == plain {
				t.Errorf("%s: %s changes nothing, %v", scenario, l.Says, err)
			}
		}
	}
	d, o := open(t, opening(t, "kharkov-1942", "SOVIET"))
	for h, want := range map[hex.Hex]string{hex.New(24, 6): "zone of control of SOVIET and GERMAN", hex.New(18, 13): "no supply of ours comes here", d.view.Objectives[0].Hex: "a victory hex"} {
		said, err := d.Ground(o.Blank, h)
		if err != nil || !strings.Contains(strings.Join(said, "; "), want) {
			t.Errorf("of %v it says %q, %v", h, said, err)
		}
	}
	// A unit that the sheet moves takes its zone along.
	before, _ := d.Ground(o.Blank, hex.New(18, 1))
	after, err := d.Ground(o.Blank+"MOVE\n  13/XXII TO 1802\n", hex.New(18, 1))
	if err != nil || len(before) > len(after) {
		t.Errorf("before the move %q, after it %q, %v", before, after, err)
	}
}

// On the small map every hex lies where it is reckoned to.
func TestTheSmallMap(t *testing.T) {
	for _, scenario := range []string{"kharkov-1942", "star-and-gallop", "gd-kursk"} {
		side := map[string]string{"gd-kursk": "GERMAN"}[scenario]
		d, o := open(t, opening(t, scenario, cmp.Or(side, "SOVIET")))
		small, err := d.Overview()
		if err != nil || !strings.Contains(small.SVG, "<svg") || len(small.SVG) > 200<<10 {
			t.Fatalf("%s: %d bytes, %v", scenario, len(small.SVG), err)
		}
		lattice := chart.Overview(d.view, nil, nil, nil).Lattice()
		for h, at := range o.Map.At {
			x, y := small.X+small.Across*at[0]-lattice.At[h][0], small.Y+small.Down*at[1]-lattice.At[h][1]
			if math.Hypot(x, y) > 1.5 {
				t.Fatalf("%s: %v lies (%.1f, %.1f) beside its place", scenario, h, x, y)
			}
		}
	}
}

// The odds on the map are those that the answer of the umpire tells, and those of an attack that a
// unit may join are as they would be with it.
func TestOddsOnTheMap(t *testing.T) {
	d, o := open(t, opening(t, "kharkov-1942", "SOVIET"))
	sheet := o.Blank + "MOVE\n  124 INF TO 2406\nATTACK\n  2505 WITH 300 INF\n"
	can, err := d.Choices(sheet, "124 INF")
	if err != nil {
		t.Fatal(err)
	}
	var offers []Change
	for _, v := range can.Verbs {
		if v.Verb == "ATTACK" && v.Refused == nil && v.Section == "ATTACK" {
			offers = append(offers, Change{Section: v.Section, Order: v.Order})
		}
	}
	at := hex.New(25, 5)
	odds := func(sheet string, offers []Change) (found Odds) {
		t.Helper()
		all, err := d.Odds(sheet, offers)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range all {
			if x.Hex == at {
				found = x
			}
		}
		return found
	}
	alone, joined := odds(sheet, nil), odds(sheet, offers)
	both := odds(strings.Replace(sheet, "300 INF", "300 INF, 124 INF", 1), nil)
	if alone.Column == "" || alone.Offered || !joined.Offered || joined.Column != both.Column || joined.Chance <= alone.Chance {
		t.Errorf("alone %+v, offered %+v, both %+v", alone, joined, both)
	}
	checked, err := d.Check(sheet)
	if err != nil {
		t.Fatal(err)
	}
	said := slices.ContainsFunc(checked.Lines, func(l Line) bool { return strings.Contains(l.Understood, alone.Column) })
	if !said {
		t.Errorf("no line of %+v says %s", checked.Lines, alone.Column)
	}
}

// Attacks of programmes have the same odds offered and on the sheet, in both games of chits.
func TestOddsOfProgrammes(t *testing.T) {
	for _, c := range []practice.Choice{{Scenario: "star-and-gallop", Side: "SOVIET", Seed: 3}, {Scenario: "gd-kursk", Side: "GERMAN", Seed: 3}} {
		var d Desk
		called[any](t, &d, "practice/begin", map[string]any{"practice": c}, nil)
		weighed := 0
		for turn := 1; turn <= 3 && weighed == 0; turn++ {
			weighed = oddsOfAll(t, &d, stop(t, &d).Blank)
			sheet, err := d.Proposal()
			if err != nil {
				t.Fatal(err)
			}
			if err := d.File(sheet); err != nil {
				t.Fatal(err)
			}
		}
		if weighed == 0 {
			t.Errorf("%s: no attack was weighed", c.Scenario)
		}
	}
}

// oddsOfAll compares the odds of the first attack of each unit, offered and on the sheet.
func oddsOfAll(t *testing.T, d *Desk, blank string) (weighed int) {
	t.Helper()
	checked, err := d.Check(blank)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range checked.Actors {
		can, err := d.Choices(blank, a.Name)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(can.Verbs, func(v adjudicator.Offer) bool {
			return v.Verb == "ATTACK" && v.Refused == nil && v.Section != "STANDING"
		})
		if i < 0 {
			continue
		}
		attack := Change{Section: can.Verbs[i].Section, Order: can.Verbs[i].Order}
		offered, err := d.Odds(blank, []Change{attack})
		if err != nil {
			t.Fatal(err)
		}
		sheet, err := d.Edit(blank, attack)
		if err != nil {
			t.Fatal(err)
		}
		filed, err := d.Odds(sheet, nil)
		if err != nil || len(offered) != 1 || len(filed) != 1 || offered[0].Column != filed[0].Column {
			t.Errorf("%s has odds %+v offered, %+v on the sheet, %v", attack.Order, offered, filed, err)
		}
		weighed++
	}
	return weighed
}
