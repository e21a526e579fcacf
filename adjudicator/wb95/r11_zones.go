package wb95

import (
	"slices"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
)

// entryZones lists the entry zones in their order around the map.
//
// WB-95 11.2.4
// reading WB-95 11.2.4: where the map has no zones, every hex from which a road
// leaves it is one, under its number.
func (sc *Scenario) entryZones() []board.Zone {
	if len(sc.Board.Zones) > 0 {
		return sc.Board.Zones
	}
	var out []board.Zone
	for _, h := range sc.rim() {
		if slices.ContainsFunc(sc.Board.Roads, func(r board.Road) bool { return endsOn(r, h) }) {
			out = append(out, board.Zone{ID: h.String(), Hexes: []hex.Hex{h}})
		}
	}
	return out
}

// endsOn tells whether the road begins or ends on the hex.
func endsOn(r board.Road, h hex.Hex) bool {
	if len(r.Path) == 0 {
		return false
	}
	return r.Path[0] == h || r.Path[len(r.Path)-1] == h
}

// rim lists the hexes of the map's edge once around: top, right, bottom, left.
func (sc *Scenario) rim() []hex.Hex {
	g := sc.Board.Grid
	var out []hex.Hex
	add := func(col, row int) {
		if h := hex.New(col, row); sc.Board.On(h) && !slices.Contains(out, h) {
			out = append(out, h)
		}
	}
	for c := g.ColMin; c <= g.ColMax; c++ {
		add(c, g.RowMin)
	}
	for r := g.RowMin; r <= g.RowMax; r++ {
		add(g.ColMax, r)
	}
	for c := g.ColMax; c >= g.ColMin; c-- {
		add(c, g.RowMax)
	}
	for r := g.RowMax; r >= g.RowMin; r-- {
		add(g.ColMin, r)
	}
	return out
}

// atEdge tells whether the hex lies on an edge of the map. Games begun under version 1 of
// the rules know none: what a list names by its number was put there for nothing.
func (sc *Scenario) atEdge(h hex.Hex) bool {
	return !sc.before(2) && slices.ContainsFunc([]string{"top", "bottom", "left", "right"}, func(side string) bool { return sc.Board.Grid.Border(h, side) })
}

// zoneNamed is the entry zone that an order names, by its letter or by a hex of it.
func (sc *Scenario) zoneNamed(name string, one hex.Hex) *board.Zone {
	zones := sc.entryZones()
	for i := range zones {
		if one != hex.None && slices.Contains(zones[i].Hexes, one) {
			return &zones[i]
		}
	}
	if z := sc.Board.Zone(name); z != nil {
		return z
	}
	return nil
}

// shiftFrom is how many zones a zone is away from a listed entry, -1 if that is none.
//
// WB-95 11.2.1
// reading WB-95 11.2.1: a single hex of the map's edge that a list names is a zone
// of its own; the nearest zones on both sides of it are its neighbours.
func (sc *Scenario) shiftFrom(listed string, asked *board.Zone) int {
	zones := sc.entryZones()
	at := func(z *board.Zone) int {
		return slices.IndexFunc(zones, func(y board.Zone) bool { return y.ID == z.ID })
	}
	if i := slices.IndexFunc(zones, func(z board.Zone) bool { return z.ID == listed }); i >= 0 {
		return abs(i - at(asked))
	}
	rim := sc.rim()
	start := slices.IndexFunc(rim, func(h hex.Hex) bool { return isHex(listed, h) })
	if start < 0 {
		return -1
	}
	best := -1
	for _, way := range []int{1, len(rim) - 1} {
		for k, i := 0, start; k < len(rim); k++ {
			z := slices.IndexFunc(zones, func(z board.Zone) bool { return slices.Contains(z.Hexes, rim[i]) })
			if z >= 0 {
				if n := 1 + abs(z-at(asked)); best < 0 || n < best {
					best = n
				}
				break
			}
			i = (i + way) % len(rim)
		}
	}
	return best
}
