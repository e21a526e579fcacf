// Package board is the printed map of a game: terrain, hexsides, roads, bridges,
// places and entry zones. It is public knowledge: the engine plays on it, every
// View carries it, and the chart draws it. It knows no game; the names of
// terrains, rivers and roads are keys of the system's terrain table.
package board

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
)

// Board is a map. It is filled by a loader (or from JSON) and then made ready
// with Prepare; after that it is read-only and may be shared.
type Board struct {
	ID    string   `json:"id"`
	Title string   `json:"title"`
	Grid  hex.Grid `json:"grid"`
	// North, East, South and West name the direction on the grid ("left", "up" ...).
	Compass Compass `json:"compass"`
	// Rows holds one string a row of hexes, the lowest row first, one byte a
	// column, lowest column first. A blank is off the map.
	Rows    []string  `json:"rows"`
	Legend  []Terrain `json:"legend"`
	Rivers  []River   `json:"rivers"`
	Roads   []Road    `json:"roads"`
	Bridges []Bridge  `json:"bridges"`
	Places  []Place   `json:"places"`
	Zones   []Zone    `json:"zones"`
	Works   []Works   `json:"works,omitempty"`

	kinds   [256][]string
	river   map[hex.Edge]string
	road    map[hex.Edge]string
	bridge  map[hex.Edge]bool
	place   map[hex.Hex]int
	compass map[string][]hex.Hex
}

// Compass says which way the map is turned: the edge of the grid ("top",
// "bottom", "left", "right") that is the north, east, south and west edge.
type Compass struct {
	North string `json:"north"`
	East  string `json:"east"`
	South string `json:"south"`
	West  string `json:"west"`
}

// Terrain is one code of the map text and the kinds of terrain it stands for,
// for instance hills and forest at once.
type Terrain struct {
	Code  string   `json:"code"`
	Kinds []string `json:"kinds"`
}

// River is a water course along hexsides. Kind is its line in the terrain table.
type River struct {
	Kind  string     `json:"kind"`
	Name  string     `json:"name"`
	Edges []hex.Edge `json:"edges"`
}

// Road is a road through hexes. Kind is its line in the terrain table; where
// roads share a step the one listed first wins.
type Road struct {
	Kind string    `json:"kind"`
	Name string    `json:"name,omitempty"`
	Path []hex.Hex `json:"path"`
}

// Bridge is a bridge that the map prints, on a hexside with water.
type Bridge struct {
	Edge hex.Edge `json:"edge"`
}

// Place is a named place of one or more hexes. Size is "city", "town" ...
type Place struct {
	Name  string    `json:"name"`
	Alt   []string  `json:"alt,omitempty"`
	Hexes []hex.Hex `json:"hexes"`
	Size  string    `json:"size"`
}

// Zone is an entry zone at the edge of the map. Zones are listed in their order
// around the map, so that the neighbours in the list are the neighbouring zones.
type Zone struct {
	ID    string    `json:"id"`
	Hexes []hex.Hex `json:"hexes"`
}

// Works is a line of works that the map prints along hexsides: a fortified line of
// one side, or fixed positions that serve who holds them (Side "").
type Works struct {
	Kind   string   `json:"kind"` // "fortified line", "fixed positions"
	Name   string   `json:"name"`
	Side   string   `json:"side,omitempty"`
	Facing []Facing `json:"facing"`
}

// Facing is a hexside of works: Hex lies behind it, an attack comes from From.
type Facing struct{ Hex, From hex.Hex }

// MarshalText writes 0102>0101, the hex behind the works first.
func (f Facing) MarshalText() ([]byte, error) {
	return []byte(f.Hex.String() + ">" + f.From.String()), nil
}

// UnmarshalText reads what MarshalText writes.
func (f *Facing) UnmarshalText(b []byte) error {
	behind, from, ok := strings.Cut(string(b), ">")
	h, err := hex.Parse(behind)
	n, err2 := hex.Parse(from)
	if !ok || err != nil || err2 != nil {
		return fmt.Errorf("%q is not a hexside of works: two hex numbers such as 0102>0101 are, the one behind first", b)
	}
	*f = Facing{h, n}
	return nil
}

// Print adds a hexside to the works of a name.
func (b *Board) Print(kind, name, side string, f Facing) {
	for i := range b.Works {
		w := &b.Works[i]
		if [3]string{w.Kind, w.Name, w.Side} == [3]string{kind, name, side} {
			w.Facing = append(w.Facing, f)
			return
		}
	}
	b.Works = append(b.Works, Works{kind, name, side, []Facing{f}})
}

// Prepare builds the look-up tables and reports everything that is wrong with
// the map in one error.
func (b *Board) Prepare() error {
	var bad []string
	fault := func(f string, a ...any) { bad = append(bad, fmt.Sprintf(f, a...)) }
	if got, want := len(b.Rows), b.Grid.RowMax-b.Grid.RowMin+1; got != want {
		fault("the map has %d rows, the grid %d", got, want)
	}
	b.kinds = [256][]string{}
	for _, t := range b.Legend {
		if len(t.Code) != 1 {
			fault("terrain code %q is not one character", t.Code)
			continue
		}
		b.kinds[t.Code[0]] = t.Kinds
	}
	for i, row := range b.Rows {
		if len(row) != b.Grid.ColMax-b.Grid.ColMin+1 {
			fault("row %d has %d hexes, the grid %d", i+b.Grid.RowMin, len(row), b.Grid.ColMax-b.Grid.ColMin+1)
			continue
		}
		for j := range len(row) {
			if row[j] != ' ' && b.kinds[row[j]] == nil {
				fault("hex %v: terrain code %q is not in the legend", hex.New(j+b.Grid.ColMin, i+b.Grid.RowMin), row[j])
			}
		}
	}
	if len(bad) > 0 {
		return fmt.Errorf("map %s: %s", b.ID, strings.Join(bad, "; "))
	}
	b.prepareEdges(fault)
	b.place = map[hex.Hex]int{}
	for i, p := range b.Places {
		for _, h := range p.Hexes {
			if !b.On(h) {
				fault("%s: hex %v is not on the map", p.Name, h)
			}
			if _, twice := b.place[h]; !twice {
				b.place[h] = i
			}
		}
	}
	for _, z := range b.Zones {
		for _, h := range z.Hexes {
			if !b.On(h) {
				fault("zone %s: hex %v is not on the map", z.ID, h)
			}
		}
	}
	b.prepareCompass(fault)
	if len(bad) > 0 {
		return fmt.Errorf("map %s: %s", b.ID, strings.Join(bad, "; "))
	}
	return nil
}

func (b *Board) prepareEdges(fault func(string, ...any)) {
	edge := func(what string, e hex.Edge) bool {
		ok := b.hexside(e)
		if !ok {
			fault("%s: %v is not a hexside of the map", what, e)
		}
		return ok
	}
	// What runs along a hexside first stays.
	run := func(of map[hex.Edge]string, what string, e hex.Edge, kind string) {
		if _, twice := of[e]; edge(what, e) && !twice {
			of[e] = kind
		}
	}
	b.river, b.road, b.bridge = map[hex.Edge]string{}, map[hex.Edge]string{}, map[hex.Edge]bool{}
	for _, r := range b.Rivers {
		for _, e := range r.Edges {
			run(b.river, r.Name, e, r.Kind)
		}
	}
	for _, r := range b.Roads {
		for i := 1; i < len(r.Path); i++ {
			run(b.road, "road "+r.Name, hex.Between(r.Path[i-1], r.Path[i]), r.Kind)
		}
	}
	for _, br := range b.Bridges {
		if edge("bridge", br.Edge) {
			b.bridge[br.Edge] = true
		}
	}
}

func (b *Board) prepareCompass(fault func(string, ...any)) {
	b.compass = map[string][]hex.Hex{}
	on := func(name, side string) {
		var out []hex.Hex
		for i := range b.Grid.Len() {
			h := b.Grid.At(i)
			if b.Grid.Border(h, side) && b.On(h) {
				out = append(out, h)
			}
		}
		if len(out) == 0 {
			fault("the %s edge %q is none of top, bottom, left, right", name, side)
		}
		b.compass[name] = out
	}
	on("north", b.Compass.North)
	on("east", b.Compass.East)
	on("south", b.Compass.South)
	on("west", b.Compass.West)
}

// code is the map text's character for the hex, a blank off the map.
func (b *Board) code(h hex.Hex) byte {
	if !b.Grid.Contains(h) {
		return ' '
	}
	return b.Rows[h.Row()-b.Grid.RowMin][h.Col()-b.Grid.ColMin]
}

// On tells whether the hex is a hex of the map.
func (b *Board) On(h hex.Hex) bool { return b.code(h) != ' ' }

// hexside tells whether an edge lies between two neighbours on the map.
func (b *Board) hexside(e hex.Edge) bool { return b.Grid.Adjacent(e.A, e.B) && b.On(e.A) && b.On(e.B) }

// Kinds are the kinds of terrain in a hex, in the legend's order; nil off the map.
func (b *Board) Kinds(h hex.Hex) []string { return b.kinds[b.code(h)] }

// Is tells whether the hex holds the kind of terrain.
func (b *Board) Is(h hex.Hex, kind string) bool {
	return slices.Contains(b.Kinds(h), kind)
}

// River is the kind of water on a hexside, "" for none.
func (b *Board) River(e hex.Edge) string { return b.river[e] }

// Road is the kind of road that crosses a hexside, "" for none.
func (b *Board) Road(e hex.Edge) string { return b.road[e] }

// Bridge tells whether the map prints a bridge on the hexside; whether it
// still stands is a matter of the position.
func (b *Board) Bridge(e hex.Edge) bool { return b.bridge[e] }

// Place is the named place of a hex, or nil.
func (b *Board) Place(h hex.Hex) *Place {
	if i, ok := b.place[h]; ok {
		return &b.Places[i]
	}
	return nil
}

// Named is the place of that name or alternative name, upper and lower case
// alike, or nil.
func (b *Board) Named(name string) *Place {
	for i := range b.Places {
		p := &b.Places[i]
		if strings.EqualFold(p.Name, name) {
			return p
		}
		for _, a := range p.Alt {
			if strings.EqualFold(a, name) {
				return p
			}
		}
	}
	return nil
}

// Zone is the entry zone with that letter, or nil.
func (b *Board) Zone(id string) *Zone {
	for i := range b.Zones {
		if strings.EqualFold(b.Zones[i].ID, id) {
			return &b.Zones[i]
		}
	}
	return nil
}

// MapEdge lists the hexes of the "north", "east", "south" or "west" edge.
func (b *Board) MapEdge(name string) []hex.Hex { return b.compass[name] }
