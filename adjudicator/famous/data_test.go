package famous

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"fieldpost/scenarios"
)

// soak tells whether the full figures of bars are wanted.
func soak() bool { return os.Getenv("FIELDPOST_SOAK") != "" }

// What the reconstruction of the event chits says of itself holds.
func TestEventChits(t *testing.T) {
	sc := load(t, "gd-kursk")
	sum, copies := 0, map[Colour]int{}
	for _, e := range sc.Events {
		sum += e.DRM * e.Copies
		copies[e.Colour] += e.Copies
		if e.Colour == "blue" && e.DRM >= 0 || e.Colour == "red" && e.DRM <= 0 {
			t.Errorf("%s is %s and modifies by %+d", e.Name, e.Colour, e.DRM)
		}
	}
	if sum != 0 {
		t.Errorf("the modifiers of all chits sum to %d, not zero", sum)
	}
	if copies["blue"] != 60 || copies["red"] != 60 || copies["black"] != 24 {
		t.Errorf("the pool holds %v", copies)
	}
	// A chit that scenarios give the attacker cancels red ones, one of the defender blue
	// ones: the scorer attacks.
	for _, id := range ids {
		sc := load(t, id)
		for k, side := range sc.Sides {
			blue, red := 0, 0
			for _, name := range sc.Hand[k] {
				if e := sc.event(sc.event(name).Cancels); e != nil {
					blue += b2i(e.Colour == "blue")
					red += b2i(e.Colour == "red")
				}
			}
			if blue+red < 3 {
				t.Errorf("%s: the black chits of the %s cancel %d events only", id, side, blue+red)
			}
		}
	}
}

// The printed table: a pip is a column. Each cell is that of the row above one
// column to the left, and a better column is never worse.
func TestCombatTable(t *testing.T) {
	sc := load(t, "gd-kursk")
	order := []result{"AE", "AP", "AD", "AC", "AR", "-", "DR", "DC", "DD", "DE"}
	for roll := 2; roll <= 12; roll++ {
		for c := 1; c < 8; c++ {
			if slices.Index(order, sc.Combat[roll][c]) < slices.Index(order, sc.Combat[roll][c-1]) {
				t.Errorf("roll %d: %s at %s is worse than %s at %s", roll, sc.Combat[roll][c], columns[c], sc.Combat[roll][c-1], columns[c-1])
			}
		}
	}
}

// Everybody begins where a vehicle or a leg can stand, with a headquarters in range,
// and no side has a unit without a battalion that can be activated.
func TestSetups(t *testing.T) {
	for _, id := range ids {
		sc := load(t, id)
		s := sc.opening()
		for i := range s.Units {
			u := &s.Units[i]
			if u.Where != OnMap {
				continue
			}
			at := sc.ground[u.idx]
			if at.price[u.class()].Closed && !at.major {
				t.Errorf("%s: %s begins on %v, closed to it", id, u.c.Name, u.Hex)
			}
			if hq := s.hq(u.c.Side, u.c.Battalion); hq != nil && !s.inRange(hq, u) {
				t.Errorf("%s: %s on %v is out of the range of its headquarters on %v", id, u.c.Name, u.Hex, hq.Hex)
			}
		}
		for _, c := range sc.Counters {
			if !c.HQ && !slices.ContainsFunc(sc.Counters, func(h Counter) bool { return h.HQ && h.Side == c.Side && h.Battalion == c.Battalion }) {
				t.Errorf("%s: %s has no headquarters", id, c.Name)
			}
		}
	}
}

// Faults of the data name file, line and column, and are all listed.
func TestLoadFaults(t *testing.T) {
	for _, x := range []struct{ file, from, to, want string }{
		{"famous/combat.tsv", "12\tAE\tAE", "12\tAE\tXX", "famous/combat.tsv:14:3: \"XX\" is none of"},
		{"famous/kursk/counters.tsv", "\tSOVIET\t1Rif\trifle", "\tSOVIET\t1Rif\tknight", "counters.tsv:"},
		{"famous/kursk/gd-kursk/setup.tsv", "within 5 of entry C", "within 5 of entry Q", "no entry hex \"Q\""},
		{"famous/kursk/gd-kursk/arrivals.tsv", "10 Morning", "31 Morning", "is not on the turn track"},
		{"famous/kursk/hexsides.tsv", "1353/1453", "1353/1555", "is not a hexside of the map"},
		{"famous/kursk/map.txt", "27  .", "27  ?", "map.txt:8:5: \"?\" is not in legend.tsv"},
		{"famous/events.tsv", "Bogged\tblack\t0\tAggressive Assault", "Bogged\tblack\t0\tNonsense", "neither an event nor a fortification"},
		{"famous/kursk/gd-kursk/scenario.toml", "points = 9\nwinner = \"GERMAN\"", "points = 9\nwinner = \"NOBODY\"", "scenario.toml:"},
	} {
		pack, err := scenarios.Open("gd-kursk")
		if err != nil {
			t.Fatal(err)
		}
		all, err := pack.Files()
		if err != nil {
			t.Fatal(err)
		}
		text := string(all[x.file])
		if !strings.Contains(text, x.from) {
			t.Errorf("%s does not hold %q", x.file, x.from)
			continue
		}
		over := fstest.MapFS{x.file: {Data: []byte(strings.Replace(text, x.from, x.to, 1))}}
		broken, err := scenarios.OpenDir(over, "gd-kursk")
		if err == nil {
			_, err = Load(broken)
		}
		if err == nil || !strings.Contains(fmt.Sprint(err), x.want) {
			t.Errorf("%s with %q: %v, wanted %q", x.file, x.to, err, x.want)
		}
	}
}

// GX45, GX49 and GX52: a cell of the table, the neighbours of the main bridge, and
// the chances of direct fire at one hex against a defence of 7.
func TestWorkedExamples(t *testing.T) {
	sc := load(t, "gd-mischurin-rog")
	if got := sc.Combat[12][ratio(5, 1)]; got != "AR" {
		t.Errorf("5-1 and 12 is %s", got)
	}
	if got := fmt.Sprint(sc.Board.Grid.Neighbours(4147)); got != "[4146 4247 4248 4148 4048 4047]" {
		t.Errorf("beside 4147 lie %s", got)
	}
	if hit, harm := (shot{mod: 0, distance: 1, shield: 7}).chances(); hit != 25 || harm != 15 {
		t.Errorf("%d and %d of 36 hit and harm, not 25 and 15", hit, harm)
	}
}
