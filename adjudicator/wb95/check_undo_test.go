package wb95

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"fieldpost/adjudicator/hex"
	"fieldpost/orders"
)

// A refused move leaves no trace: every order is answered as it is on a sheet that
// holds only those before it that stand.
func TestRefusedMovesLeaveNoTrace(t *testing.T) {
	g := kharkovGame(t)
	refused, halfway := 0, 0
	for seed := range uint64(4) {
		pos := playRandomly(t, g, seed, int(seed)*5, nil)
		s, err := decodeState(g.sc, pos)
		if err != nil {
			t.Fatal(err)
		}
		side := g.sc.Sides[seed%2]
		lines := wildMoves(s, side, rand.New(rand.NewPCG(seed, 5)))
		check := func(lines []string) (said []string, stands []bool) {
			sheet, _ := orders.Parse("GAME: X\nSIDE: "+string(side)+"\nMOVE\n"+strings.Join(lines, "\n")+"\nDONE\n", Vocabulary)
			for _, l := range g.Check(s.view(side), sheet).Lines {
				if l.Pos.Line > 3 && len(said) < len(lines) {
					said, stands = append(said, fmt.Sprintf("%s: %q %q %v", l.Text, l.Understood, l.Warning, l.Refused)), append(stands, l.Refused == nil)
				}
			}
			return said, stands
		}
		said, stands := check(lines)
		var before []string
		for i, line := range lines {
			if alone, _ := check(append(before[:len(before):len(before)], line)); alone[len(alone)-1] != said[i] {
				t.Fatalf("seed %d, line %d:\n%s\nwithout the refused ones before it:\n%s", seed, i+1, said[i], alone[len(alone)-1])
			}
			if stands[i] {
				before = append(before, line)
				continue
			}
			refused++
			if strings.Contains(line, ", ") {
				halfway++
			}
		}
	}
	if refused < 50 || halfway < 20 {
		t.Errorf("only %d moves were refused, %d of them to several units: the test shows nothing", refused, halfway)
	}
}

// wildMoves are moves of some units of a side, again and again, and of pairs to a hex
// beside the first: there it gets, and the second may not.
func wildMoves(s *State, side Side, r *rand.Rand) (lines []string) {
	var own []*Unit
	for i := range s.Units {
		if u := &s.Units[i]; u.Where == OnMap && u.c.Side == side {
			own = append(own, u)
		}
	}
	r.Shuffle(len(own), func(i, k int) { own[i], own[k] = own[k], own[i] })
	own = own[:min(12, len(own))]
	for len(lines) < 60 {
		u, w := own[r.IntN(len(own))], own[r.IntN(len(own))]
		to := s.sc.Board.Grid.Step(u.Hex, hex.Dir(r.IntN(6)))
		switch {
		case !s.sc.Board.Grid.Contains(to):
		case r.IntN(2) == 0:
			lines = append(lines, fmt.Sprintf("%s TO %v", u.c.Name, to))
		default:
			lines = append(lines, fmt.Sprintf("%s, %s TO %v", u.c.Name, w.c.Name, to))
		}
	}
	return lines
}
