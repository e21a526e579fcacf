package wb95

import (
	"fmt"
	"slices"
	"strings"

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
			// Two maps on one grid: see hex.Grid.
			FoldCol int `toml:"fold_col"`
			FoldRow int `toml:"fold_row"`
		}
		Compass board.Compass
	}
	l.decode("map.toml", &f)
	b.ID, b.Title, b.Grid, b.Compass = f.ID, f.Title, hex.Grid(f.Grid), f.Compass
	for _, r := range l.rows("legend.tsv", "code", "kinds") {
		t := board.Terrain{Code: r.Text("code"), Kinds: strings.Fields(r.Text("kinds"))}
		for _, k := range t.Kinds {
			if u := l.kinds[k]; u != "base" && u != "added" {
				r.Fault("kinds", "%q is no kind of hex in the terrain table", k)
			}
		}
		if len(t.Code) != 1 || l.codes[t.Code[0]] != nil || len(t.Kinds) == 0 {
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
		if l.err() == nil { // else the faults are told with their places
			l.errs = append(l.errs, err)
		}
		return false
	}
	l.flood(b)
	return true
}

// mapText reads map.txt: the number of a row, then one character a column.
func (l *loader) mapText(b *board.Board) bool {
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
	return len(l.errs) == known
}

// lines reads what runs along hexsides and through hexes.
func (l *loader) lines(b *board.Board) {
	byName := map[string]int{}
	wet := map[hex.Edge]bool{}
	for _, r := range l.rows("hexsides.tsv", "kind", "name", "hexsides") {
		kind, name := r.Text("kind"), r.Text("name")
		if l.kinds[kind] != "hexside" {
			r.Fault("kind", "%q is no kind of hexside in the terrain table", kind)
		}
		i, more := byName[name]
		if !more {
			i = len(b.Rivers)
			byName[name] = i
			b.Rivers = append(b.Rivers, board.River{Kind: kind, Name: name})
		} else if b.Rivers[i].Kind != kind {
			r.Fault("kind", "%s was a %q before", name, b.Rivers[i].Kind)
		}
		for _, e := range l.edges(r, "hexsides") {
			b.Rivers[i].Edges = append(b.Rivers[i].Edges, e)
			wet[e] = true
		}
	}
	for _, r := range l.rows("roads.tsv", "kind", "name", "path") {
		road := board.Road{Kind: r.Text("kind"), Name: r.Text("name"), Path: l.hexes(r, "path")}
		if l.kinds[road.Kind] != "road" {
			r.Fault("kind", "%q is no kind of road in the terrain table", road.Kind)
		}
		for i := 1; i < len(road.Path); i++ {
			if !b.Grid.Adjacent(road.Path[i-1], road.Path[i]) {
				r.Fault("path", "%v and %v are not adjacent", road.Path[i-1], road.Path[i])
			}
		}
		b.Roads = append(b.Roads, road)
	}
	bridged := map[hex.Edge]bool{}
	for _, r := range l.rows("bridges.tsv", "hexside") {
		for _, e := range l.edges(r, "hexside") {
			if !wet[e] {
				r.Fault("hexside", "there is no water on %v", e)
			}
			if bridged[e] {
				r.Fault("hexside", "%v has a bridge already", e)
			}
			bridged[e] = true
			b.Bridges = append(b.Bridges, board.Bridge{Edge: e})
		}
	}
	for _, e := range l.file.Bridges {
		switch {
		case !wet[e]:
			l.fault(e.String(), "bridge %v: there is no water", e)
		case bridged[e]:
			l.fault(e.String(), "bridge %v: the map has it already", e)
		}
		bridged[e] = true
	}
	l.sc.Bridges = l.file.Bridges
}

// places reads places and zones.
func (l *loader) places(b *board.Board) {
	names := map[string]bool{}
	for _, r := range l.rows("places.tsv", "name", "alt", "hexes", "size") {
		p := board.Place{Name: r.Text("name"), Alt: r.List("alt"), Hexes: l.hexes(r, "hexes"), Size: r.OneOf("size", "town", "city")}
		for i, n := range append([]string{p.Name}, p.Alt...) {
			if names[strings.ToUpper(n)] || n == "" {
				r.Fault([]string{"name", "alt"}[min(i, 1)], "the name %q is taken", n)
			}
			names[strings.ToUpper(n)] = true
		}
		for _, h := range p.Hexes {
			if kinds := l.codes[b.Rows[h.Row()-b.Grid.RowMin][h.Col()-b.Grid.ColMin]]; !slices.Contains(kinds, p.Size) {
				r.Fault("hexes", "%v is no %s in map.txt", h, p.Size)
			}
		}
		b.Places = append(b.Places, p)
	}
	zones := map[string]bool{}
	for _, r := range l.rows("zones.tsv", "zone", "hexes") {
		z := board.Zone{ID: r.Text("zone"), Hexes: l.hexes(r, "hexes")}
		if zones[z.ID] || z.ID == "" {
			r.Fault("zone", "the zone %q is taken", z.ID)
		}
		zones[z.ID] = true
		b.Zones = append(b.Zones, z)
	}
}

// flood reads regions.tsv, if there is one, and fills each region up to its river.
func (l *loader) flood(b *board.Board) {
	l.regions = map[string][]hex.Hex{}
	for _, r := range l.optional("regions.tsv", "region", "river", "from", "in", "out") {
		bank := map[hex.Edge]bool{}
		for _, v := range b.Rivers {
			for _, e := range v.Edges {
				if v.Name == r.Text("river") {
					bank[e] = true
				}
			}
		}
		if len(bank) == 0 {
			r.Fault("river", "no river %q in hexsides.tsv", r.Text("river"))
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
