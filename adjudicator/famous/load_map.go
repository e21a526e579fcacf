package famous

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/table"
)

// board reads the map; false if the rest of the files cannot be judged without it.
func (l *loader) board() bool {
	b := &board.Board{}
	l.sc.Board = b
	var f struct {
		ID, Title string
		Grid      struct {
			ColMin int  `toml:"col_min"`
			ColMax int  `toml:"col_max"`
			RowMin int  `toml:"row_min"`
			RowMax int  `toml:"row_max"`
			OddLow bool `toml:"odd_low"`
		}
		Compass board.Compass
	}
	l.decode("map.toml", &f)
	b.ID, b.Title, b.Compass = f.ID, f.Title, f.Compass
	b.Grid = hex.Grid{ColMin: f.Grid.ColMin, ColMax: f.Grid.ColMax, RowMin: f.Grid.RowMin, RowMax: f.Grid.RowMax, OddLow: f.Grid.OddLow}
	codes := map[byte]bool{}
	for _, r := range l.rows("legend.tsv", "code", "kinds") {
		t := board.Terrain{Code: r.Text("code"), Kinds: kindsOf(r.Text("kinds"))}
		for _, k := range t.Kinds {
			if u := l.sc.Terrain[k]; u == nil || u.Use != "hex" {
				r.Fault("kinds", "%q is no kind of hex in the terrain chart", k)
			}
		}
		if len(t.Code) != 1 || codes[t.Code[0]] || len(t.Kinds) == 0 {
			r.Fault("code", "%q: a code is one character, used once, with kinds", t.Code)
			continue
		}
		codes[t.Code[0]] = true
		b.Legend = append(b.Legend, t)
	}
	if !l.mapText(b, codes) {
		return false
	}
	l.lines(b)
	l.places(b)
	if err := b.Prepare(); err != nil {
		if l.err() == nil {
			l.errs = append(l.errs, err)
		}
		return false
	}
	l.flood(b)
	return l.err() == nil
}

// kindsOf splits the kinds of a legend line; "major river" is one of two words.
func kindsOf(text string) []string {
	if text == "major river" {
		return []string{text}
	}
	return strings.Fields(text)
}

// mapText reads map.txt: the number of a row, then one character a column.
func (l *loader) mapText(b *board.Board, codes map[byte]bool) bool {
	path, text, err := l.src.Read("map.txt")
	if err != nil {
		l.errs = append(l.errs, err)
		return false
	}
	known := len(l.errs)
	fault := func(line, col int, f string, a ...any) {
		l.errs = append(l.errs, &table.Error{File: path, Line: line, Col: col, Why: fmt.Sprintf(f, a...)})
	}
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	row, width := b.Grid.RowMin, b.Grid.ColMax-b.Grid.ColMin+1
	for i, line := range lines {
		if line == "" || line[0] == '#' {
			continue
		}
		num, hexes, _ := strings.Cut(line, "  ")
		if num != fmt.Sprintf("%02d", row) || row > b.Grid.RowMax {
			fault(i+1, 1, "row %q where row %02d of %02d to %02d was expected", num, row, b.Grid.RowMin, b.Grid.RowMax)
			return false
		}
		if len(hexes) != width {
			fault(i+1, len(line), "row %s has %d hexes, not %d", num, len(hexes), width)
		}
		for j := range len(hexes) {
			if hexes[j] != '_' && !codes[hexes[j]] {
				fault(i+1, j+5, "%q is not in legend.tsv", hexes[j:j+1])
			}
		}
		b.Rows = append(b.Rows, strings.ReplaceAll(hexes, "_", " "))
		row++
	}
	if row <= b.Grid.RowMax {
		fault(len(lines), 1, "the map ends before row %02d", b.Grid.RowMax)
	}
	return len(l.errs) == known
}

// lines reads what runs along hexsides and through hexes.
//
// GD 19.4/2
func (l *loader) lines(b *board.Board) {
	of := func(r table.Row, use string) string {
		k := r.Text("kind")
		if t := l.sc.Terrain[k]; t == nil || t.Use != use {
			r.Fault("kind", "%q is no kind of %s in the terrain chart", k, use)
		}
		return k
	}
	for _, r := range l.rows("hexsides.tsv", "kind", "name", "hexsides") {
		b.Rivers = append(b.Rivers, board.River{Kind: of(r, "hexside"), Name: r.Text("name"), Edges: l.edges(r, "hexsides")})
	}
	for _, r := range l.rows("roads.tsv", "kind", "name", "path") {
		road := board.Road{Kind: of(r, "road"), Name: r.Text("name"), Path: l.hexes(r, "path")}
		for i := 1; i < len(road.Path); i++ {
			if !b.Grid.Adjacent(road.Path[i-1], road.Path[i]) {
				r.Fault("path", "%v and %v are not neighbours", road.Path[i-1], road.Path[i])
			}
		}
		b.Roads = append(b.Roads, road)
	}
	for _, r := range l.rows("bridges.tsv", "hexside", "river") {
		for _, e := range l.edges(r, "hexside") {
			b.Bridges = append(b.Bridges, board.Bridge{Edge: e})
		}
	}
}

// places reads named places and entry hexes.
func (l *loader) places(b *board.Board) {
	names := map[string]bool{}
	for _, r := range l.rows("places.tsv", "name", "alt", "hexes", "size") {
		p := board.Place{Name: r.Text("name"), Alt: r.List("alt"), Hexes: l.hexes(r, "hexes"), Size: r.OneOf("size", "village", "town", "city", "hill", "bridge")}
		for _, n := range append([]string{p.Name}, p.Alt...) {
			if names[strings.ToUpper(n)] {
				r.Fault("name", "%q names two places", n)
			}
			names[strings.ToUpper(n)] = true
		}
		b.Places = append(b.Places, p)
	}
	for _, r := range l.rows("zones.tsv", "zone", "hexes") {
		b.Zones = append(b.Zones, board.Zone{ID: r.Text("zone"), Hexes: l.hexes(r, "hexes")})
	}
}

// flood reads the regions of set-up lists: all hexes that can be reached without
// crossing a river. The file is optional.
func (l *loader) flood(b *board.Board) {
	l.regions = map[string][]hex.Hex{}
	if _, _, err := l.src.Read("regions.tsv"); err != nil {
		return
	}
	for _, r := range l.rows("regions.tsv", "region", "river", "from", "in", "out") {
		bank := map[hex.Edge]bool{}
		for _, v := range b.Rivers {
			for _, e := range v.Edges {
				bank[e] = bank[e] || v.Name == r.Text("river")
			}
		}
		queue := l.hexes(r, "from")
		in := map[hex.Hex]bool{}
		for _, h := range queue {
			in[h] = true
		}
		for i := 0; i < len(queue); i++ {
			for _, n := range b.Grid.Neighbours(queue[i]) {
				if b.On(n) && !in[n] && !bank[hex.Between(queue[i], n)] {
					in[n] = true
					queue = append(queue, n)
				}
			}
		}
		for _, h := range l.hexes(r, "in") {
			if !in[h] {
				r.Fault("in", "%v is not in the region: the river cuts it off", h)
			}
		}
		for _, h := range l.hexes(r, "out") {
			if in[h] {
				r.Fault("out", "%v is in the region: the river has a gap", h)
			}
		}
		slices.Sort(queue)
		l.regions[r.Text("region")] = queue
	}
}

// hexes reads a field of hex numbers parted by blanks; all must be on the map.
func (l *loader) hexes(r table.Row, column string) []hex.Hex {
	var out []hex.Hex
	for _, t := range strings.Fields(r.Text(column)) {
		h, err := hex.Parse(t)
		switch {
		case err != nil:
			r.Fault(column, "%v", err)
		case !l.sc.Board.On(h):
			r.Fault(column, "hex %v is not on the map", h)
		default:
			out = append(out, h)
		}
	}
	if out == nil {
		r.Fault(column, "no hexes")
	}
	return out
}

// edges reads a field of hexsides parted by blanks; all must be on the map.
func (l *loader) edges(r table.Row, column string) []hex.Edge {
	var out []hex.Edge
	b := l.sc.Board
	for _, t := range strings.Fields(r.Text(column)) {
		e, err := hex.ParseEdge(t)
		switch {
		case err != nil:
			r.Fault(column, "%v", err)
		case !b.On(e.A) || !b.On(e.B) || !b.Grid.Adjacent(e.A, e.B):
			r.Fault(column, "%v is not a hexside of the map", e)
		default:
			out = append(out, e)
		}
	}
	return out
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
