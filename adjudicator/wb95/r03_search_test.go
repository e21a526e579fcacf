package wb95

import (
	"math/rand/v2"
	"slices"
	"testing"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
)

// wilderness is a random position on a small map: the same for the same seed.
func wilderness(t testing.TB, seed uint64, size int) *State {
	rnd := rand.New(rand.NewPCG(seed, 95))
	g := clearGround(size, size)
	for i := range g.rows {
		row := []byte(g.rows[i])
		for j := range row {
			row[j] = "......hfwst"[rnd.IntN(11)]
		}
		g.rows[i] = string(row)
	}
	sc := g.scenario(t)
	b := sc.Board
	any := func() hex.Hex { return hex.New(1+rnd.IntN(size), 1+rnd.IntN(size)) }
	for range size * 2 {
		h := any()
		n := b.Grid.Neighbours(h)
		e := hex.Between(h, n[rnd.IntN(len(n))])
		b.Rivers = append(b.Rivers, board.River{Kind: []string{"river", "Doniec", "big river"}[rnd.IntN(3)], Edges: []hex.Edge{e}})
		if rnd.IntN(3) == 0 {
			b.Bridges = append(b.Bridges, board.Bridge{Edge: e})
		}
	}
	for range size {
		path := []hex.Hex{any()}
		for range size {
			n := b.Grid.Neighbours(path[len(path)-1])
			path = append(path, n[rnd.IntN(len(n))])
		}
		b.Roads = append(b.Roads, board.Road{Kind: []string{"side road", "side road", "main road"}[rnd.IntN(3)], Path: path})
	}
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	kinds := []func(string, Side, hex.Hex) piece{infAt, infAt, tankAt, truckAt, gunAt, staffAt}
	var ps []piece
	for i := range size {
		ps = append(ps, kinds[rnd.IntN(len(kinds))]("A"+string(rune('A'+i)), red, hex.New(1+i, 1+rnd.IntN(size/2))))
		ps = append(ps, kinds[rnd.IntN(len(kinds))]("B"+string(rune('A'+i)), blue, hex.New(1+i, size/2+1+rnd.IntN(size/2))))
	}
	s := putOn(t, sc, ps...)
	if rnd.IntN(2) == 0 {
		s.setFort(s.unit("BA").Hex, FF, blue)
	}
	return s
}

// The search finds what trying every walk finds, at the same prices.
func TestSearchAgainstBruteForce(t *testing.T) {
	for seed := range uint64(12) {
		s := wilderness(t, seed, 6)
		for _, u := range s.onMap(red) {
			if u.towedGun() || u.c.Type == HQ {
				continue // too many points to try every walk
			}
			u.c.Moves = 2 * One
			if u.c.Class == Foot {
				u.c.Moves = 3 * One
			}
			f := s.reach(u, false)
			best := map[hex.Hex]Cost{u.Hex: 0}
			s.tryAll(u.ID, []hex.Hex{u.Hex}, best, 6)
			for _, h := range f.hexes() {
				c, _ := f.to(h)
				if b, ok := best[h]; !ok || b != c {
					t.Errorf("seed %d: %s (%s) from %v to %v: search %v, walks %v (%v)", seed, u.ID, u.c.Class, u.Hex, h, c, b, ok)
				}
				delete(best, h)
				w := s.clone()
				if m, _, v := w.walkOrder(w.unit(u.ID), moveOrder{path: f.path(h)}, nil); v != nil || m.spent != c {
					t.Errorf("seed %d: %s by %v: walked for %v, %v; want %v", seed, u.ID, f.path(h), m.spent, v, c)
				}
			}
			for h := range best {
				t.Errorf("seed %d: %s from %v: the search misses %v at %v", seed, u.ID, u.Hex, h, best[h])
			}
		}
	}
}

// tryAll walks every path of at most n steps, on copies of the position.
func (s *State) tryAll(id string, path []hex.Hex, best map[hex.Hex]Cost, n int) {
	if n == 0 {
		return
	}
	for _, h := range s.sc.Board.Grid.Neighbours(path[len(path)-1]) {
		c := s.clone()
		next := append(slices.Clone(path), h)
		m, _, v := c.walkOrder(c.unit(id), moveOrder{path: next}, nil)
		if v != nil {
			continue
		}
		if b, ok := best[h]; !ok || m.spent < b {
			best[h] = m.spent
		}
		s.tryAll(id, next, best, n-1)
	}
}

// Any order leaves a legal position: no two sides on a hex, no negative cost,
// and the walk that the search proposes can be walked at its price.
func TestMovesStayLegal(t *testing.T) {
	for seed := range uint64(30) {
		s := wilderness(t, seed, 8)
		rnd := rand.New(rand.NewPCG(seed, 1942))
		for range 20 {
			us := s.onMap(red)
			u := us[rnd.IntN(len(us))]
			to := hex.New(1+rnd.IntN(8), 1+rnd.IntN(8))
			before, u0 := s.encode(), u.Hex
			f := s.reach(u, false)
			cost, ok := f.to(to)
			again := s.clone()
			text, v := s.carryOut(moveOrder{units: []*Unit{u}, to: to}, nil)
			text2, _ := again.carryOut(moveOrder{units: []*Unit{again.unit(u.ID)}, to: to}, nil)
			if text != text2 || string(again.encode()) != string(s.encode()) {
				t.Fatalf("seed %d: one order, two outcomes: %q and %q", seed, text, text2)
			}
			if v == nil && u0 != to && (!ok || cost <= 0 || u.Hex != to) {
				t.Errorf("seed %d: %s to %v went for %v, but the search says %v", seed, u.ID, to, text, ok)
			}
			if v != nil && u.Hex == u0 && string(before) != string(s.encode()) {
				t.Errorf("seed %d: an order without a legal step changed the position", seed)
			}
			for h, on := range s.stacks() {
				for _, w := range on {
					if w.c.Side != on[0].c.Side || w.Hex != h {
						t.Fatalf("seed %d: WB-95 3.1.8: two sides in %v", seed, h)
					}
				}
			}
			u.Active = false
		}
	}
}

// A way through several goals is one that can be walked at the price found.
func TestWaysThroughSeveralHexes(t *testing.T) {
	found := 0
	for seed := range uint64(200) {
		s := wilderness(t, seed, 7)
		rnd := rand.New(rand.NewPCG(seed, 43))
		for _, u := range s.onMap(red) {
			if u.towedGun() {
				continue
			}
			o := moveOrder{units: []*Unit{u}, to: hex.New(1+rnd.IntN(7), 1+rnd.IntN(7)), via: []hex.Hex{hex.New(1+rnd.IntN(7), 1+rnd.IntN(7))}}
			m := s.newMarch(u, false)
			m.sought = []hex.Hex{o.via[0], o.to}
			path, ok := m.legs(m.sought, m.seeds(), m.start, true)
			c := s.clone()
			o.units[0] = c.unit(u.ID)
			text, v := c.carryOut(o, nil)
			if ok != (v == nil) || ok && !slices.Contains(path, o.via[0]) {
				t.Errorf("seed %d: %s by %v to %v: way %v (%v), walked %q, %v", seed, u.ID, o.via[0], o.to, path, ok, text, v)
			}
			if ok {
				found++
			}
		}
	}
	if found < 50 {
		t.Errorf("only %d ways found", found)
	}
}

func BenchmarkReach(b *testing.B) {
	s := kharkov(b).opening()
	us := s.onMap(s.mover())
	for i := 0; b.Loop(); i++ {
		s.reach(us[i%len(us)], false)
	}
}

func BenchmarkSupply(b *testing.B) {
	s := kharkov(b).opening()
	for b.Loop() {
		s.linesOfSupply(s.sc.Sides[0])
	}
}

// path is the way to the hex, first and last hex included.
func (f *field) path(h hex.Hex) []hex.Hex {
	out, _ := f.trace(f.node(h))
	return out
}
