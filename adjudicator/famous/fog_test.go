package famous

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/orders"
)

// wander plays a phase with random moves and attacks wherever the odds are even,
// and returns the position after it.
func wander(t testing.TB, s *State, r *rand.Rand) *State {
	t.Helper()
	answers := plotted{}
	for _, key := range slices.Concat(s.First, s.Cup) {
		side, bn := cutKey(key)
		answers[string(side)+" chit "+bn] = randomProgramme(s, side, bn, r)
	}
	p, err := adjudicator.Play(s.clone(), phase, nil, plain{r}, answers)
	if err != nil {
		t.Fatal(err)
	}
	return p.State
}

func randomProgramme(s *State, side Side, bn string, r *rand.Rand) string {
	text := ""
	for i := range s.Units {
		u := &s.Units[i]
		if u.c.Side != side || u.c.Battalion != bn {
			continue
		}
		switch {
		case s.due(u):
			text += fmt.Sprintf("ENTER %s AT %s\n", u.c.Name, s.sc.Arrivals[s.sc.arrival[u.ID]].Entry[0])
		case u.Where == OnMap:
			probe := *u
			f := s.search(&probe, u.idx, false)
			text += fmt.Sprintf("MOVE %s TO %v\n", u.c.Name, s.sc.Board.Grid.At(f.order[r.IntN(len(f.order))]))
		}
	}
	return text + "ATTACK AT-WILL MIN 1-1"
}

// What a side cannot see changes nothing in its View, nor in the answer to any sheet:
// stacks out of sight or in fortifications, cups, hands and reinforcements.
func TestNonInterference(t *testing.T) {
	games := 1
	if soak() {
		games = 20
	}
	for k, id := range append(slices.Clone(ids), ids...) {
		sc := load(t, id)
		if k >= len(ids) {
			blind := *sc
			blind.Fog = adjudicator.FogBlind
			sc = &blind
		}
		game := newGame(sc)
		changes := 0
		for n := range games {
			r := rand.New(rand.NewPCG(uint64(n), 7))
			s := sc.opening()
			s.noteContacts()
			for range 20 {
				s = wander(t, s, r)
				for _, side := range sc.Sides {
					other := s.clone()
					changes += other.disguise(side, r.IntN)
					a, b := s.view(side), other.view(side)
					ja, jb := must(t, a), must(t, b)
					if ja != jb {
						t.Fatalf("%s, %s: the view of the %s changed with what it cannot see", id, s.phaseInfo().Label, side)
					}
					sheet := randomSheet(s, side, r)
					fa, fb := game.Check(a, sheet), game.Check(b, sheet)
					if must(t, fa) != must(t, fb) || must(t, fa.Preview()) != must(t, fb.Preview()) {
						t.Fatalf("%s, %s: the answer to a sheet of the %s changed", id, s.phaseInfo().Label, side)
					}
				}
			}
		}
		if changes < 100 {
			t.Errorf("%s: only %d hidden things were changed: the test compares nothing", id, changes)
		}
	}
}

func must(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// randomSheet speaks of everything that could give something away: moves, fire,
// barrages and attacks at every enemy hex in reach, legal or not.
func randomSheet(s *State, side Side, r *rand.Rand) *orders.Sheet {
	text := fmt.Sprintf("GAME: X\nSIDE: %s\nTURN: %d\nSERIAL: 1\n", side, s.Turn)
	lines := 5
	for _, key := range s.Cup {
		sd, bn := cutKey(key)
		if sd != side || lines > 250 {
			continue
		}
		text += "CHIT " + bn + "\n"
		for i := range s.Units {
			u := &s.Units[i]
			if u.c.Side != side || u.c.Battalion != bn || u.Where != OnMap || lines > 280 {
				continue
			}
			for j := range s.at {
				if d := s.sc.Board.Grid.Distance(u.Hex, s.sc.Board.Grid.At(j)); s.holds(j) == 1-s.sc.number(side) && d < 12 && r.IntN(4) == 0 {
					h := s.sc.Board.Grid.At(j)
					text += []string{fmt.Sprintf("FIRE %s AT %v\n", u.c.Name, h), fmt.Sprintf("BARRAGE %v WITH %s\n", h, u.c.Name),
						fmt.Sprintf("ATTACK %v WITH %s; MIN 1-1\n", h, u.c.Name), fmt.Sprintf("MOVE %s TO %v\n", u.c.Name, h)}[r.IntN(4)]
					lines++
				}
			}
		}
		lines++
	}
	sheet, _ := orders.Parse(orders.Canonical(text+"DONE\n"), Vocabulary)
	return sheet
}
