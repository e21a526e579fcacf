package steppe

import (
	"math"

	"fieldpost/adjudicator/hex"
)

// land is the map as arrays by grid index, for speed. It never changes.
type land struct {
	grid    hex.Grid
	hexes   []hex.Hex  // by grid index
	spots   []string   // the numbers with the names of places
	x, y    []int16    // cube coordinates, for distances
	ground  []Terrain  // by hex
	near    [][6]int16 // neighbours by direction, -1 off the map
	water   [][6]water // by direction
	bridge  [][6]bool  // a bridge is printed
	city    []bool
	place   []bool     // town or city
	entry   [2][]int16 // entry hexes, by side
	isEntry [2][]bool
	afar    [2][]int16 // how many hexes away, straight, the nearest of them is
	// step is the price of a step by ground (0, 1 frozen), class (0 other, 1
	// motorized), hex and direction, with all bridges standing; barred is a Major
	// River without one.
	step [2][2][][6]int8
}

// water is what lies on a hexside.
type water uint8

// The kinds.
const (
	dry water = iota
	minor
	major
)

func newLand(sc *Scenario) *land {
	g := sc.Board.Grid
	n := g.Len()
	l := &land{grid: g, hexes: make([]hex.Hex, n), spots: make([]string, n), x: make([]int16, n), y: make([]int16, n),
		ground: make([]Terrain, n), near: make([][6]int16, n), water: make([][6]water, n), bridge: make([][6]bool, n),
		city: make([]bool, n), place: make([]bool, n)}
	for i := range n {
		l.lay(sc, i)
	}
	for k, side := range sc.sides() {
		l.layEntries(sc, k, side)
	}
	return l
}

// lay fills in what there is to know of a hex.
func (l *land) lay(sc *Scenario, i int) {
	b := sc.Board
	h := l.grid.At(i)
	x, y := l.grid.Cube(h)
	l.hexes[i], l.spots[i], l.x[i], l.y[i] = h, h.String(), int16(x), int16(y)
	if p := b.Place(h); p != nil {
		l.spots[i] += " (" + p.Name + ")"
	}
	for d := hex.N; d <= hex.NW; d++ {
		l.near[i][d] = -1
		k := l.grid.Step(h, d)
		if !l.grid.Contains(k) || !b.On(k) {
			continue
		}
		l.near[i][d] = int16(l.grid.Index(k))
		e := hex.Between(h, k)
		switch b.River(e) {
		case minorRiver:
			l.water[i][d] = minor
		case majorRiver:
			l.water[i][d] = major
		}
		l.bridge[i][d] = b.Bridge(e)
	}
	if kinds := b.Kinds(h); len(kinds) > 0 {
		l.ground[i] = sc.Terrain[kinds[0]]
		l.city[i] = kinds[0] == city
		l.place[i] = l.city[i] || kinds[0] == town
	}
}

// layEntries fills in the entry hexes of a side, and how far they are.
func (l *land) layEntries(sc *Scenario, k int, side Side) {
	n := l.grid.Len()
	l.isEntry[k], l.afar[k] = make([]bool, n), make([]int16, n)
	for _, z := range sc.Zones {
		if z.Side != side {
			continue
		}
		for _, h := range z.Hexes {
			i := l.grid.Index(h)
			l.entry[k] = append(l.entry[k], int16(i))
			l.isEntry[k][i] = true
		}
	}
	for i := range n {
		l.afar[k][i] = math.MaxInt16
		for _, j := range l.entry[k] {
			l.afar[k][i] = min(l.afar[k][i], int16(l.distance(i, int(j))))
		}
	}
}

// barredStep is the price of a step across a Major River without a bridge.
const barredStep = -1

// prices fills the tables of steps.
func (sc *Scenario) prices() {
	l := sc.land
	for f, ground := range []string{normal, frozen} {
		s := &State{Ground: ground, sc: sc}
		for m := range 2 {
			l.step[f][m] = make([][6]int8, len(l.near))
			for i := range l.near {
				for d := range hex.NW + 1 {
					if l.near[i][d] < 0 {
						continue
					}
					cost, barred := s.price(i, d, m == 1)
					if barred {
						cost = barredStep
					}
					l.step[f][m][i][d] = int8(cost)
				}
			}
		}
	}
}

// distance is the number of hexes between two grid indexes.
func (l *land) distance(i, j int) int {
	x, y := int(l.x[i]-l.x[j]), int(l.y[i]-l.y[j])
	return max(abs(x), abs(y), abs(x+y))
}
