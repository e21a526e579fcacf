package famous

import (
	"sync"
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
// GD 9.0/6
// reading GD 9.0: where a hex holds several kinds of terrain the dearest price counts.
func (sc *Scenario) compile() {
	g := sc.Board.Grid
	sc.ground, sc.edges, sc.sight = make([]ground, g.Len()), make([]side, g.Len()*6), make([]atomic.Pointer[hexes], g.Len())
	sc.clear = sc.Terrain["clear"]
	sc.cubes = make([]cube, g.Len())
	sc.fields = &sync.Pool{New: func() any { return newField(g.Len()) }}
	for i := range g.Len() {
		h := g.At(i)
		sc.cubes[i] = cubeOf(&g, h)
		at := ground{on: sc.Board.On(h)}
		for _, k := range sc.Board.Kinds(h) {
			t := sc.Terrain[k]
			for c := range 3 {
				if t.Price[c].dearer(at.price[c]) {
					at.price[c] = t.Price[c]
				}
			}
			switch k {
			case "major river":
				at.major = true
			case "peak":
				at.peak = true
			case "city", "downtown":
				at.city = true
			}
			if t.Blocks {
				at.blocks = true
			}
			if t.DRM != 0 {
				at.drms = append(at.drms, t.DRM)
			}
		}
		sc.ground[i] = at
	}
	for i := range g.Len() {
		for d := hex.N; d <= hex.NW; d++ {
			sc.edges[i*6+int(d)] = sc.hexside(g.At(i), d)
		}
	}
}

// hexside is what the chart says of a hexside of a hex.
func (sc *Scenario) hexside(h hex.Hex, d hex.Dir) side {
	b := sc.Board
	n := b.Grid.Step(h, d)
	if !b.On(h) || !b.Grid.Contains(n) || !b.On(n) {
		return side{to: -1}
	}
	e := hex.Between(h, n)
	from, to := b.Grid.Index(h), b.Grid.Index(n)
	s := side{to: to, water: sc.Terrain[b.River(e)], road: sc.Terrain[b.Road(e)], bridge: b.Bridge(e)}
	s.barrier = barrierOf(s.water)
	s.major = sc.ground[from].major || sc.ground[to].major
	return s
}
