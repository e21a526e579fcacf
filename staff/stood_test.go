package staff

import (
	"regexp"
	"strings"
	"testing"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// An errand knows what a march takes back of the last one, where it leads, and who has turned back.
func TestErrands(t *testing.T) {
	g := &opening(t, "kharkov-1942", "GERMAN").Board.Grid
	at := func(col, row int) hex.Hex { return hex.Hex(100*col + row) }
	e := errand{g, Stood{"a": at(10, 10), "b": at(20, 10)}}
	now := at(10, 14)
	for _, c := range []struct {
		unit string
		to   hex.Hex
		want int
	}{{"a", at(10, 10), 4}, {"a", at(10, 12), 2}, {"a", now, 0}, {"a", at(10, 18), 0}, {"new", at(10, 10), 0}} {
		if n := e.undone(c.unit, now, c.to); n != c.want {
			t.Errorf("%s to %v takes %d hexes back, not %d", c.unit, c.to, n, c.want)
		}
	}
	if n := e.undone("b", at(20, 10), at(20, 12)); n != 0 {
		t.Errorf("who has not marched takes %d hexes back", n)
	}
	if ahead, behind := e.towards("a", now, at(10, 20)), e.towards("a", now, at(10, 8)); ahead != farthest || behind != -farthest {
		t.Errorf("the march has led %d hexes to the goal before it and %d to the one behind", ahead, behind)
	}
	before := Stood{"a": now, "b": at(20, 10)}
	units := []view.Unit{{ID: "a", Hex: at(10, 12)}, {ID: "b", Hex: at(20, 16)}, {ID: "new", Hex: at(1, 1)}}
	if n := e.turnedBack(before, units); n != 1 {
		t.Errorf("%d have turned back", n)
	}
	units[0].Hex = at(10, 13)
	if n := e.turnedBack(before, units); n != 0 {
		t.Errorf("%d have turned back after one hex of four", n)
	}
}

var marchOrder = regexp.MustCompile(`^  (?:MOVE )?(.+?) (?:TO (\d{4})(?: PUSH)?|(?:\d{4}-)+(\d{4}))$`)

// marches are where a sheet sends units, by id.
func marches(v *view.View, sheet string) map[string]hex.Hex {
	byName := map[string]string{}
	for _, u := range v.Units {
		byName[u.Name] = u.ID
	}
	out := map[string]hex.Hex{}
	for l := range strings.Lines(sheet) {
		if m := marchOrder.FindStringSubmatch(strings.TrimRight(l, "\n")); m != nil && byName[m[1]] != "" {
			h, err := hex.Parse(m[2] + m[3])
			if err == nil {
				out[byName[m[1]]] = h
			}
		}
	}
	return out
}

// An officer who knows where the units came from sends far fewer of them back there than one who
// looks at the map alone: for each march that the latter would order, the unit came from there.
// Neither attacks, for an attack is made whatever came before.
func TestWhoKeepsAPlanDoesNotTurnBack(t *testing.T) {
	quiet := temper{gain: 100000, few: true}
	for _, id := range []string{"kharkov-1942", "star-and-gallop", "gd-akhtyrka"} {
		s := sittings(t, id, "", 2)[0]
		o := Officer{Game: s.game}
		plain, err := o.draft(s.view, 1, quiet)
		if err != nil {
			t.Fatal(err)
		}
		from := marches(s.view, plain)
		mindful := quiet
		mindful.errand = errand{&s.view.Board.Grid, from}
		kept, err := o.draft(s.view, 1, mindful)
		if err != nil {
			t.Fatal(err)
		}
		back := 0
		for unit, h := range marches(s.view, kept) {
			if from[unit] == h {
				back++
			}
		}
		t.Logf("%s: %d of %d", id, back, len(from))
		if len(from) < 5 || 2*back > len(from) {
			t.Errorf("%s: %d of %d marches lead back all the way", id, back, len(from))
		}
	}
}

var entering = regexp.MustCompile(`ENTER .+? (\d{4}) TO`)

// Reinforcements of Duel on the Steppe queue up behind one another at the entry that is nearest to
// a goal when a cadet brings them on; an officer who looks ahead spreads them.
func TestReinforcementsAreSpreadOverTheEntries(t *testing.T) {
	longest := func(sheet string) (most int) {
		for _, programme := range strings.Split(sheet, "\nCHIT ") {
			at := map[string]int{}
			for _, m := range entering.FindAllStringSubmatch(programme, -1) {
				at[m[1]]++
				most = max(most, at[m[1]])
			}
		}
		return most
	}
	cadets, officers := 0, 0
	for _, s := range sittings(t, "winter-campaign", "", 3) {
		crafty, err := Officer{Game: s.game}.draft(s.view, 1, temper{craft: true})
		if err != nil {
			t.Fatal(err)
		}
		cadets, officers = max(cadets, longest(s.text)), max(officers, longest(crafty))
	}
	if t.Logf("queues of %d and of %d", cadets, officers); cadets < 4 || officers > (cadets+1)/2 {
		t.Errorf("%d units are sent to one entry by an officer, %d by a cadet", officers, cadets)
	}
}
