package board

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/table"
)

// The uses of a line of a terrain table that a map may name.
const (
	UseBase    = "base"    // price of a hex
	UseWater   = "water"   // price of a hex of water, whose sides may be bridged
	UseAdded   = "added"   // on top of it
	UseRoad    = "road"    // price of a step along it
	UseHexside = "hexside" // on top of a step across it
)

// Read reads the files of a map: map.toml, legend.tsv, map.txt, hexsides.tsv,
// roads.tsv, bridges.tsv, places.tsv and zones.tsv. Uses holds the use of each
// line of the system's terrain table; sizes names the sizes of places and
// the kinds of terrain that map.txt may show on them. False if the rest of a scenario cannot be
// judged without the map; the loader has the faults.
func Read(l *table.Loader, uses map[string]string, sizes map[string][]string) (*Board, bool) {
	rd := &reader{Loader: l, b: &Board{}, uses: uses, sizes: sizes, codes: map[byte][]string{}}
	return rd.b, rd.read()
}

type reader struct {
	*table.Loader
	b     *Board
	uses  map[string]string
	sizes map[string][]string
	codes map[byte][]string // kinds of terrain by code of map.txt
}

func (l *reader) read() bool {
	b := l.b
	var f struct {
		ID, Title string
		Grid      struct {
			ColMin int  `toml:"col_min"`
			ColMax int  `toml:"col_max"`
			RowMin int  `toml:"row_min"`
			RowMax int  `toml:"row_max"`
			OddLow bool `toml:"odd_low"`
			// Two maps on one grid: see hex.Grid.
			FoldCol int `toml:"fold_col"`
			FoldRow int `toml:"fold_row"`
		}
		Compass Compass
	}
	l.Decode("map.toml", &f)
	b.ID, b.Title, b.Grid, b.Compass = f.ID, f.Title, hex.Grid(f.Grid), f.Compass
	for _, r := range l.Rows("legend.tsv", "code", "kinds") {
		t := Terrain{Code: r.Text("code"), Kinds: strings.Fields(r.Text("kinds"))}
		if kind := r.Text("kinds"); l.uses[kind] != "" { // of two words, perhaps
			t.Kinds = []string{kind}
		}
		for _, k := range t.Kinds {
			if !slices.Contains([]string{UseBase, UseAdded, UseWater}, l.uses[k]) {
				r.Fault("kinds", "%q is not a kind of hex in the terrain table", k)
			}
		}
		switch {
		case len(t.Code) != 1, l.codes[t.Code[0]] != nil, len(t.Kinds) == 0:
			r.Fault("code", "%q: a code is one character, used once, with kinds", t.Code)
			continue
		}
		l.codes[t.Code[0]] = t.Kinds
		b.Legend = append(b.Legend, t)
	}
	if !l.mapText(b) {
		return false
	}
	l.lines(b)
	l.places(b)
	if err := b.Prepare(); err != nil {
		if l.Err() == nil { // else the faults are told with their places
			l.Errs = append(l.Errs, err)
		}
		return false
	}
	return true
}

// mapText reads map.txt: the number of a row, then one character a column.
func (l *reader) mapText(b *Board) bool {
	path, text, err := l.Src.Read("map.txt")
	if err != nil {
		l.Errs = append(l.Errs, err)
		return false
	}
	known := len(l.Errs)
	fault := func(line, col int, f string, a ...any) {
		l.Errs = append(l.Errs, &table.Error{File: path, Line: line, Col: col, Why: fmt.Sprintf(f, a...)})
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
			if hexes[j] != '_' && l.codes[hexes[j]] == nil {
				fault(i+1, j+5, "%q is not in legend.tsv", hexes[j:j+1])
			}
		}
		b.Rows = append(b.Rows, strings.ReplaceAll(hexes, "_", " "))
		row++
	}
	if row <= b.Grid.RowMax {
		fault(len(lines), 1, "the map ends before row %02d", b.Grid.RowMax)
	}
	return len(l.Errs) == known
}

// lines reads what runs along hexsides and through hexes.
func (l *reader) lines(b *Board) {
	byName := map[string]int{}
	wet := map[hex.Edge]bool{}
	for _, r := range l.Rows("hexsides.tsv", "kind", "name", "hexsides") {
		kind, name := r.Text("kind"), r.Text("name")
		if l.uses[kind] != UseHexside {
			r.Fault("kind", "%q is not a kind of hexside in the terrain table", kind)
		}
		i, more := byName[name]
		if !more {
			i = len(b.Rivers)
			byName[name] = i
			b.Rivers = append(b.Rivers, River{Kind: kind, Name: name})
		} else if b.Rivers[i].Kind != kind {
			r.Fault("kind", "%s was a %q before", name, b.Rivers[i].Kind)
		}
		for _, e := range Edges(r, "hexsides", b) {
			b.Rivers[i].Edges = append(b.Rivers[i].Edges, e)
			wet[e] = true
		}
	}
	for _, r := range l.Optional("roads.tsv", "kind", "name", "path") {
		road := Road{Kind: r.Text("kind"), Name: r.Text("name"), Path: table.Hexes(r, "path", b.On)}
		if l.uses[road.Kind] != UseRoad {
			r.Fault("kind", "%q is not a kind of road in the terrain table", road.Kind)
		}
		for i := 1; i < len(road.Path); i++ {
			if !b.Grid.Adjacent(road.Path[i-1], road.Path[i]) {
				r.Fault("path", "%v and %v are not adjacent", road.Path[i-1], road.Path[i])
			}
		}
		b.Roads = append(b.Roads, road)
	}
	bridged := map[hex.Edge]bool{}
	for _, r := range l.Rows("bridges.tsv", "hexside") {
		for _, e := range Edges(r, "hexside", b) {
			if overWater := wet[e] || l.water(e.A) || l.water(e.B); !overWater {
				r.Fault("hexside", "there is no water on %v", e)
			}
			if bridged[e] {
				r.Fault("hexside", "%v has a bridge already", e)
			}
			bridged[e] = true
			b.Bridges = append(b.Bridges, Bridge{Edge: e})
		}
	}
}

// kinds are the kinds of terrain that map.txt shows in a hex of the map.
func (l *reader) kinds(h hex.Hex) []string {
	return l.codes[l.b.Rows[h.Row()-l.b.Grid.RowMin][h.Col()-l.b.Grid.ColMin]]
}

// any tells whether map.txt shows one of these kinds of terrain in a hex.
func (l *reader) any(h hex.Hex, kinds []string) bool {
	return slices.ContainsFunc(l.kinds(h), func(k string) bool { return slices.Contains(kinds, k) })
}

func (l *reader) water(h hex.Hex) bool {
	return slices.ContainsFunc(l.kinds(h), func(k string) bool { return l.uses[k] == UseWater })
}

// places reads places and zones.
func (l *reader) places(b *Board) {
	names := map[string]bool{}
	for _, r := range l.Rows("places.tsv", "name", "alt", "hexes", "size") {
		p := Place{Name: r.Text("name"), Alt: r.List("alt"), Hexes: table.Hexes(r, "hexes", b.On), Size: r.OneOf("size", slices.Sorted(maps.Keys(l.sizes))...)}
		for i, n := range append([]string{p.Name}, p.Alt...) {
			if names[strings.ToUpper(n)] || n == "" {
				r.Fault([]string{"name", "alt"}[min(i, 1)], "the name %q is taken", n)
			}
			names[strings.ToUpper(n)] = true
		}
		for _, h := range p.Hexes {
			if p.Size != "" && !l.any(h, l.sizes[p.Size]) {
				r.Fault("hexes", "%v is not a %s in map.txt", h, p.Size)
			}
		}
		b.Places = append(b.Places, p)
	}
	zones := map[string]bool{}
	for _, r := range l.Rows("zones.tsv", "zone", "hexes") {
		z := Zone{ID: r.Text("zone"), Hexes: table.Hexes(r, "hexes", b.On)}
		if zones[z.ID] || z.ID == "" {
			r.Fault("zone", "the zone %q is taken", z.ID)
		}
		zones[z.ID] = true
		b.Zones = append(b.Zones, z)
	}
}

// Edges reads a field of hexsides parted by blanks; all must be on the map.
func Edges(r table.Row, column string, b *Board) []hex.Edge {
	var out []hex.Edge
	for _, t := range r.Fields(column) {
		e, err := hex.ParseEdge(t)
		switch {
		case err != nil:
			r.Fault(column, "%v", err)
		case !b.hexside(e):
			r.Fault(column, "%v is not a hexside of the map", e)
		default:
			out = append(out, e)
		}
	}
	return out
}

// Regions reads regions.tsv, if there is one. A region is the hexes on one bank of a
// river, or of several: all that can be reached from some of them without crossing it.
func Regions(l *table.Loader, b *Board) map[string][]hex.Hex {
	regions := map[string][]hex.Hex{}
	for _, r := range l.Optional("regions.tsv", "region", "river", "from", "in", "out") {
		bank := map[hex.Edge]bool{}
		for _, name := range r.List("river") {
			found := false
			for _, v := range b.Rivers {
				if v.Name == name {
					found = true
					for _, e := range v.Edges {
						bank[e] = true
					}
				}
			}
			if !found {
				r.Fault("river", "no river %q in hexsides.tsv", name)
			}
		}
		queue := table.Hexes(r, "from", b.On)
		in := map[hex.Hex]bool{}
		for _, h := range queue {
			in[h] = true
		}
		for i := 0; i < len(queue); i++ {
			for _, n := range b.Grid.Neighbours(queue[i]) {
				crossing := bank[hex.Between(queue[i], n)]
				if crossing || in[n] || !b.On(n) {
					continue
				}
				in[n] = true
				queue = append(queue, n)
			}
		}
		for _, h := range table.Hexes(r, "in", b.On) {
			if !in[h] {
				r.Fault("in", "%v is not in the region: the river cuts it off", h)
			}
		}
		for _, h := range table.Hexes(r, "out", b.On) {
			if in[h] {
				r.Fault("out", "%v is in the region: the river has a gap", h)
			}
		}
		slices.Sort(queue)
		regions[r.Text("region")] = queue
	}
	return regions
}

// Paint writes a map as rows of hexes like a board's Rows, the lowest row first: a
// letter for every hex of it, a blank off the map.
func (b *Board) Paint(letter func(hex.Hex) byte) []string {
	rows := make([]string, 0, b.Grid.RowMax-b.Grid.RowMin+1)
	row := make([]byte, 0, b.Grid.ColMax-b.Grid.ColMin+1)
	for r := b.Grid.RowMin; r <= b.Grid.RowMax; r++ {
		row = row[:0]
		for c := b.Grid.ColMin; c <= b.Grid.ColMax; c++ {
			if h := hex.New(c, r); b.On(h) {
				row = append(row, letter(h))
			} else {
				row = append(row, ' ')
			}
		}
		rows = append(rows, string(row))
	}
	return rows
}
