package famous

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// recorded is a phase as it was played.
type recorded struct {
	before []byte
	out    adjudicator.Outcome
}

// rollicking plays phases of a scenario with orders that are random, legal and not.
func rollicking(t *testing.T, g adjudicator.Game, position []byte, phases int, r *rand.Rand) (all []recorded) {
	t.Helper()
	for range phases {
		at, err := g.At(position)
		if err != nil {
			t.Fatal(err)
		}
		if at.Over {
			return all
		}
		answers := plotted{}
		for _, side := range g.Sides() {
			for name, text := range randomOrders(seatAt(t, g, position, string(side)).view, r) {
				answers[string(side)+" "+name] = text
			}
		}
		out, err := g.Play(position, nil, plain{r}, answers)
		if err != nil || len(out.Pending) > 0 {
			t.Fatalf("%s: %v %v", at.Label, err, out.Pending)
		}
		all = append(all, recorded{position, out})
		position = out.Position
	}
	return all
}

// randomOrders are programmes for the chits that a side has in the cup.
func randomOrders(v *view.View, r *rand.Rand) map[string]string {
	out := map[string]string{"standing": "OPPORTUNITY ALL EVERY SHOT\nDEFENSIVE ARTILLERY ANY\n" +
		"BLACK CHIT ALL ALWAYS\nADVANCE ALWAYS"}
	for _, u := range v.Units {
		if u.Hex == hex.None {
			continue // guns beside the map
		}
		// Towards the nearest enemy as often as anywhere.
		name, near := strings.ToUpper(u.Name), u.Hex
		for _, e := range v.Enemy {
			if near == u.Hex || v.Board.Grid.Distance(u.Hex, e.Hex) < v.Board.Grid.Distance(u.Hex, near) {
				near = e.Hex
			}
		}
		round := v.Board.Grid.Neighbours([]hex.Hex{near, u.Hex}[r.IntN(2)])
		text := fmt.Sprintf("MOVE %s TO %v", name, round[r.IntN(len(round))])
		switch r.IntN(8) {
		case 0:
			text += fmt.Sprintf("\nFIRE %s AT %v", name, near)
		case 1:
			text += fmt.Sprintf("\nBARRAGE %v WITH %s", near, name)
		case 2:
			text = fmt.Sprintf("OVERRUN %v WITH %s", near, name)
		case 3:
			text = "DEBARK " + name
		}
		if u.Type == "ART" && r.IntN(2) == 0 {
			text = fmt.Sprintf("BARRAGE %v WITH %s", near, name)
		}
		chit := "chit " + u.Formation
		out[chit] = strings.TrimPrefix(out[chit]+"\n"+text, "\n")
	}
	for _, u := range v.Arrivals {
		if u.Ready {
			name := "chit " + u.Formation
			out[name] = strings.TrimPrefix(out[name]+"\nENTER "+strings.ToUpper(u.Name)+" AT "+u.Entry[0], "\n")
		}
	}
	for name := range out {
		if strings.HasPrefix(name, "chit ") {
			out[name] += "\nATTACK AT-WILL MIN 1-2; ARTILLERY ANY MAX 1"
		}
	}
	return out
}

// The audit finds nothing in games of random orders, in no scenario and under no fog, and
// something did happen in them.
func TestRandomGamesKeepTheRules(t *testing.T) {
	kinds := map[string]int{}
	for k, id := range ids {
		g, position := startGame(t, id, map[string]string{"fog": []string{"rulebook", "blind", "open",
			"rulebook"}[k]})
		audit, err := Tried{g.(*Game)}.Auditor(position)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range rollicking(t, g, position, 80, testRand(uint64(k))) {
			at, _ := g.At(p.before)
			if faults := audit(p.out.Position, p.out.Events); len(faults) > 0 {
				t.Fatalf("%s, %s: %s", id, at.Label, strings.Join(faults, "; "))
			}
			for _, e := range p.out.Events {
				kinds[e.Kind]++
				if _, ok := g.Wording()[e.Kind]; !ok {
					t.Errorf("%s: nobody can say an event of kind %q", id, e.Kind)
				}
			}
		}
	}
	for _, kind := range []string{"weather", "chit", "move", "combat", "event", "loss",
		"retreat", "shot", "barrage", "debark", "advance", "skipped"} {
		if kinds[kind] < 2 {
			t.Errorf("in all these games there is hardly a %s: %v", kind, kinds)
		}
	}
}

// A journal played again, without dice and answers of one's own, makes the same position,
// events and journal, byte by byte.
func TestAJournalPlaysAlike(t *testing.T) {
	for k, id := range ids {
		g, position := startGame(t, id, nil)
		for _, p := range rollicking(t, g, position, 16, testRand(uint64(10+k))) {
			again, err := g.Play(p.before, p.out.Journal, nobodys{}, nobodys{})
			if err != nil {
				t.Fatalf("%s: %v", id, err)
			}
			told := must(t, again.Events) == must(t, p.out.Events) && must(t, again.Journal) == must(t, p.out.Journal)
			if !told || !bytes.Equal(again.Position, p.out.Position) {
				at, _ := g.At(p.before)
				t.Fatalf("%s, %s comes out otherwise from its journal", id, at.Label)
			}
		}
	}
}

// nobodys dice and answers must never be asked for.
type nobodys struct{}

func (nobodys) Throw(label string, _, _ int) ([]int, []byte, error) {
	return nil, nil, fmt.Errorf("%q is thrown again", label)
}

func (nobodys) Answer(d adjudicator.Decision) (string, string, bool) { return "", "", false }

// A journal that does not fit the phase is refused, not played.
func TestAForeignJournalIsRefused(t *testing.T) {
	g, position := startGame(t, "gd-kursk", nil)
	all := rollicking(t, g, position, 4, testRand(3))
	for _, p := range all {
		for i := range p.out.Journal {
			journal := slices.Clone(p.out.Journal)
			journal[i].Label += " of another game"
			if _, err := g.Play(p.before, journal, plain{testRand(1)}, plotted{}); err == nil {
				t.Errorf("entry %d of a journal is of another phase, and is played", i)
			}
			if i > 3 {
				break
			}
		}
	}
}

// Positions are the same text whichever way they were made, and what is no position is
// refused.
func TestPositionsAsText(t *testing.T) {
	for k, id := range ids {
		g, position := startGame(t, id, nil)
		again, _ := startGame(t, id, nil)
		if other, err := again.Opening(); err != nil || !bytes.Equal(other, position) {
			t.Errorf("%s opens otherwise the second time: %v", id, err)
		}
		for _, p := range rollicking(t, g, position, 12, testRand(uint64(20+k))) {
			s, err := decodeState(g.(*Game).sc, p.out.Position)
			if err != nil {
				t.Fatal(err)
			}
			for _, side := range g.Sides() { // what is kept of a phase shows what its bytes show
				kept, err := g.View(p.out.Position, side)
				if err != nil || !bytes.Equal(adjudicator.Encode(kept), adjudicator.Encode(s.clone().view(side))) {
					t.Fatalf("%s: the View of a position that was just played is not that of its bytes (%v)", id, err)
				}
			}
			if !bytes.Equal(s.encode(), p.out.Position) {
				t.Fatalf("%s: a position read and written again is another", id)
			}
		}
		var fields map[string]any
		if err := json.Unmarshal(position, &fields); err != nil {
			t.Fatal(err)
		}
		for what, change := range map[string]func(map[string]any){
			"another format": func(m map[string]any) { m["v"] = 99 },
			"no format":      func(m map[string]any) { delete(m, "v") },
			"a unit of another game": func(m map[string]any) {
				m["units"] = append([]any{map[string]any{"id": "fin-1jr-1k", "where": "map"}},
					m["units"].([]any)...)
			},
		} {
			m := maps.Clone(fields)
			change(m)
			b, err := json.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := g.At(b); err == nil {
				t.Errorf("%s: a position with %s is read", id, what)
			}
		}
		for _, text := range []string{"", "{", "[]", "null", `"position"`} {
			if _, err := g.At([]byte(text)); err == nil {
				t.Errorf("%s: %q is read as a position", id, text)
			}
			if _, err := g.View([]byte(text), "GERMAN"); err == nil {
				t.Errorf("%s: %q is looked at as a position", id, text)
			}
			if _, err := g.Play([]byte(text), nil, plain{testRand(1)}, plotted{}); err == nil {
				t.Errorf("%s: %q is played as a position", id, text)
			}
		}
	}
}

// What the audit of positions calls wrong.
func TestWhatTheAuditFinds(t *testing.T) {
	g, position := startGame(t, "gd-kursk", nil)
	type object = map[string]any
	unit := func(m object, id string) object {
		for _, u := range m["units"].([]any) {
			if u.(object)["id"] == id {
				return u.(object)
			}
		}
		t.Fatalf("no unit %s", id)
		return nil
	}
	for _, x := range []struct {
		what, says string
		change     func(object)
	}{
		{"nothing", "", func(object) {}},
		{"both sides in a hex", "holds both sides", func(m object) {
			unit(m, "ger-2pz-5k")["hex"] = unit(m,
				"sov-1rif-hq")["hex"]
		}},
		{"too many in a hex", "halves", func(m object) {
			for id := range strings.FieldsSeq("2pz-5k 2pz-6k 2pz-7k 1pz-1k 1pz-2k 1pz-3k") {
				unit(m, "ger-"+id)["hex"] = unit(m, "ger-2pz-hq")["hex"]
			}
		}},
		{"three steps", "5K/2Pz has 3 steps", func(m object) { unit(m, "ger-2pz-5k")["steps"] = 3 }},
		{"tanks on foot", "5K/2Pz is on foot", func(m object) { unit(m, "ger-2pz-5k")["debarked"] = true }},
		{"tanks that have fired like guns", "5K/2Pz has fired like a gun",
			func(m object) { unit(m, "ger-2pz-5k")["fired"] = true }},
		{"a rider without a tank", "5K/2Gr rides on",
			func(m object) { unit(m, "ger-2gr-5k")["aboard"] = "ger-2pz-5k" }},
		{"the clock", "the clock ran back", func(m object) { m["phase"] = 0 }},
		{"a hex that nobody was in", "counts as the last of", func(m object) {
			m["last"] = strings.Repeat(".",
				len(m["last"].(string)))
		}},
	} {
		var m object
		if err := json.Unmarshal(position, &m); err != nil {
			t.Fatal(err)
		}
		x.change(m)
		b, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		audit, err := Tried{g.(*Game)}.Auditor(position)
		if err != nil {
			t.Fatal(err)
		}
		faults := strings.Join(audit(b, nil), "; ")
		if !strings.Contains(faults, x.says) || x.says == "" && faults != "" {
			t.Errorf("%s: the audit says %q, not %q", x.what, faults, x.says)
		}
	}
}

// Games go on under the versions of the rules since the second; no others are played.
func TestVersionsOfTheRules(t *testing.T) {
	g := newGame(load(t, "gd-kursk"))
	for version, want := range map[string]bool{"1": false, "2": true, "3": true, "4": true, "5": true, "6": true, "7": true, "8": false, "second": false} {
		old, ok := g.AsOf(version)
		if ok != want {
			t.Errorf("version %s is played: %v", version, ok)
		}
		if ok && !old.(*Game).sc.before(8) {
			t.Errorf("version %s is played like the present one", version)
		}
	}
	if g.sc.before(8) {
		t.Error("the present version is played like an earlier one")
	}
}

// Words that came with the seventh version of the rules are refused in games that were begun before it:
// those are decided as they were.
func TestWordsOfTheSeventhVersion(t *testing.T) {
	g, position := startGame(t, "gd-kursk", nil)
	old, ok := g.(*Game).AsOf("6")
	if !ok {
		t.Fatal("version 6 is not played")
	}
	now, then := seatAt(t, g, position, "GERMAN"), seatAt(t, old, position, "GERMAN")
	for _, sheet := range []string{
		"CHIT 2Pz\n  ASK HERE", "CHIT 2Pz\n  FIRE ANY", "CHIT 2Pz\n  HQ TO 3428", "CHIT 2Pz\n  ADVANCE TO 3332 VIA 3330",
		"CHIT 2Pz\n  MOVE 5K TO 3428; IF LOSSES 2", "CHIT 2Pz\n  ATTACK 3332 WITH 5K\n  STOP HERE IF TOOK 3332",
		"CHIT 2Pz, 1Fus\n  PASS", "CHIT 2Pz OTHERWISE\n  PASS", "CHIT 2Pz\n  MOVE 5K TO 3428; MOVE 6K TO 3428",
	} {
		refused := func(p testSeat) (why []string) {
			for _, l := range p.files(t, sheet).Lines {
				if l.Refused != nil {
					why = append(why, l.Refused.Why)
				}
			}
			return why
		}
		if was, is := refused(then), refused(now); len(was) == 0 || slices.Equal(was, is) {
			t.Errorf("%s: under version 6 it is refused by %q, now by %q", sheet, was, is)
		}
	}
}
