package famous

import (
	"math/rand/v2"
	"slices"
	"testing"

	"fieldpost/adjudicator/hex"
)

// A way that is led by a hex is one march: it comes through if and only if the same hexes,
// written one by one, do, to the same position.
func TestAWayThroughAHexIsOneMarch(t *testing.T) {
	went, refused := 0, 0
	for _, id := range ids {
		s := load(t, id).opening()
		g := s.sc.Board.Grid
		r := rand.New(rand.NewPCG(5, 1))
		for i := range s.Units {
			if s.Units[i].Where != OnMap {
				continue
			}
			near := g.Within(s.Units[i].Hex, 5)
			for range 6 {
				o := moveOrder{to: near[r.IntN(len(near))], via: []hex.Hex{near[r.IntN(len(near))]}}
				march := func(o moveOrder) (way []hex.Hex, position string) {
					c := s.clone()
					u := &c.Units[i]
					u.did.active, o.units = true, []*Unit{u}
					m, v := c.carryOut(nil, o)
					if v != nil {
						return nil, ""
					}
					return m.path, string(c.encode())
				}
				way, position := march(o)
				if way == nil {
					refused++
					continue
				}
				went++
				if !slices.Contains(way, o.via[0]) || lastOf(way) != o.to {
					t.Errorf("%s: %s to %v by %v went %v", id, s.Units[i].ID, o.to, o.via, way)
				}
				if again, same := march(moveOrder{path: way}); len(way) > 1 && (!slices.Equal(again, way) || same != position) {
					t.Errorf("%s: %s to %v by %v went %v, hex by hex %v", id, s.Units[i].ID, o.to, o.via, way, again)
				}
			}
		}
	}
	if went < 200 || refused < 200 {
		t.Errorf("%d ways went, %d were refused: this proves little", went, refused)
	}
}
