package famous

import (
	"sync/atomic"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
)

// board reads the map; false if the rest of the files cannot be judged without it.
//
// GD 19.4/2
func (l *loader) board() bool {
	uses := map[string]string{}
	for name, t := range l.sc.Terrain {
		uses[name] = t.Use
	}
	b, ok := board.Read(l.Loader, uses, map[string][]string{"village": {"village"}, "town": {"town"}, "city": {"city", "downtown"},
		"hill": {"hill", "peak"}, "bridge": {"major river"}})
	if l.sc.Board = b; !ok {
		return false
	}
	l.regions = board.Regions(l.Loader, b)
	return l.Err() == nil
}

// compile lays the terrain chart on the map: what every hex and hexside is.
//
// reading GD 9.0: where a hex holds several kinds of terrain the dearest price counts.
func (sc *Scenario) compile() {
	g := sc.Board.Grid
	sc.ground, sc.edges, sc.sight = make([]ground, g.Len()), make([]side, g.Len()*6), make([]atomic.Pointer[[]uint64], g.Len())
	for i := range g.Len() {
		h := g.At(i)
		at := ground{on: sc.Board.On(h)}
		for n, k := range sc.Board.Kinds(h) {
			t := sc.Terrain[k]
			for c := range 3 {
				if n == 0 || t.Price[c].dearer(at.price[c]) {
					at.price[c] = t.Price[c]
				}
			}
			at.major = at.major || k == "major river"
			at.peak = at.peak || k == "peak"
			at.city = at.city || k == "city" || k == "downtown"
			at.blocks = at.blocks || t.Blocks
			if t.DRM != 0 {
				at.drms = append(at.drms, t.DRM)
			}
		}
		sc.ground[i] = at
		for d := hex.N; d <= hex.NW; d++ {
			n := g.Step(h, d)
			s := side{to: -1}
			if g.Contains(n) && sc.Board.On(n) && at.on {
				e := hex.Between(h, n)
				s.to, s.water, s.road, s.bridge = g.Index(n), sc.Terrain[sc.Board.River(e)], sc.Terrain[sc.Board.Road(e)], sc.Board.Bridge(e)
			}
			sc.edges[i*6+int(d)] = s
		}
	}
}
