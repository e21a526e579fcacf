package referee

// The three books of WB-95 as the referee has them: prices in points, on foot, trucked,
// tracked; -1 is closed.

// priceList is a line of a terrain table.
type priceList [3]float64

const (
	foot = iota
	trucked
	tracked
)

var gaits = map[string]int{"foot": foot, "trucked": trucked, "tracked": tracked}

// landBook is the terrain table of a book.
type landBook struct {
	ground, above, roads, water map[string]priceList
	big                         string // the big rivers
	sideRoad                    string // with one more hex for who stays on it
	sideFor                     [3]bool
	// Aircraft against movement: points of a mission, the ring around it, most on a hex.
	airPoints, airRing, airMost int
}

var wbSummer = landBook{
	ground:   map[string]priceList{"clear": {1, 2, 1}, "hills": {1, 2, 1.5}, "city": {1, 1, 1}, "town": {1, 1, 1}, "swamp": {2, -1, -1}},
	above:    map[string]priceList{"forest": {1, 2, 1}},
	roads:    map[string]priceList{"main road": {1. / 2, 1. / 3, 1. / 2}, "side road": {1, 1. / 2, 1}},
	water:    map[string]priceList{"river": {1, 1, 1}, "stream": {1, 1, 1}, "Doniec": {1, 2, 2}},
	sideRoad: "side road", sideFor: [3]bool{foot: true}, airPoints: 1, airMost: 2,
}

var wbWinter = landBook{
	ground:   map[string]priceList{"clear": {1.5, 3, 2}, "hills": {2, 3, 2.5}, "city": {1, 1, 1}, "town": {1, 1, 1}, "swamp": {3, 3, 2}},
	above:    map[string]priceList{"forest": {1, 2, 1}},
	roads:    map[string]priceList{"main road": {1. / 2, 1. / 3, 1. / 2}, "side road": {1, 1. / 2, 1}},
	water:    map[string]priceList{"river": {1.5, 2, 2}, "stream": {1.5, 2, 2}, "Doniec": {2, 3, 3}},
	sideRoad: "side road", sideFor: [3]bool{foot: true}, airPoints: 1, airMost: 2,
}

var wbNysa = landBook{
	ground: map[string]priceList{"clear": {1, 1, 1}, "city": {2, 2, 2}, "town": {1, 1, 1}, "lake": {-1, -1, -1}},
	above:  map[string]priceList{"forest": {1, 1, 1}, "hills": {0, 0, 0}, "swamp": {1, -1, -1}},
	roads:  map[string]priceList{"motorway": {1. / 2, 1. / 4, 1. / 3}, "main route": {1. / 2, 1. / 3, 1. / 2}, "secondary route": {1, 1. / 2, 1}},
	water:  map[string]priceList{"stream": {1, 1, 1}, "big river": {2, 3, 3}},
	big:    "big river", sideRoad: "secondary route", sideFor: [3]bool{foot: true, tracked: true}, airPoints: 7, airRing: 1,
}

var wbKursk = landBook{
	ground:   map[string]priceList{"clear": {1, 2, 1}, "hills": {1, 2, 1.5}, "city": {2, 2, 2}, "town": {1, 1, 1}},
	above:    map[string]priceList{"forest": {1, 2, 1}},
	roads:    map[string]priceList{"main route": {1. / 2, 1. / 3, 1. / 2}, "secondary route": {1, 1. / 2, 1}},
	water:    map[string]priceList{"river": {1, 1, 1}, "stream": {1, 1, 1}, "Siewiernyj Doniec": {1, 2, 2}},
	sideRoad: "secondary route", sideFor: [3]bool{foot: true, tracked: true}, airPoints: 7, airRing: 1,
}

// uses says what each line of the table is for, as the map's files are read by.
func (b *landBook) uses() map[string]string {
	out := map[string]string{}
	for use, list := range map[string]map[string]priceList{"base": b.ground, "added": b.above, "road": b.roads, "hexside": b.water} {
		for name := range list {
			out[name] = use
		}
	}
	return out
}

// price is a line for a gait.
func (l priceList) price(gait int) points {
	if l[gait] < 0 {
		return shut
	}
	return points(l[gait]*12 + 0.5)
}
