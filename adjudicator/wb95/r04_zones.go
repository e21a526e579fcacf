package wb95

import (
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
)

// zoneOf tells whether the unit's zone of control covers the hex.
func (s *State) zoneOf(u *Unit, h hex.Hex) bool {
	// WB-95 4.1.2: all regular units have a zone
	// WB-95 6.1.5: artillery has none
	// WB-95 9.1.1: nor headquarters
	// WB-95 15.2.2: nor resilience groups
	// WB-95 4.1.1: it is on all hexes beside them
	return u.regular() && s.reaches(u, h)
}

// reaches tells whether the hex is adjacent to the unit with nothing between
// that stops a zone (4.1.3, 4.1.4).
func (s *State) reaches(u *Unit, h hex.Hex) bool {
	g, net := &s.sc.Board.Grid, s.sc.network()
	i, from := g.Find(u.Hex)
	j, to := g.Find(h)
	if !from || !to {
		return false
	}
	d, ok := net.direction(i, j)
	return ok && net.zone[zoneRow(u.c)][i]&(1<<d) != 0
}

// zoneRow is the row of the zone lists for a counter.
func zoneRow(c *Counter) int {
	if row := rowOf(c); row != rowHQ {
		return row
	}
	return rowTrucked
}

// zonesOn lists the units of a side whose zone covers the hex, in order of id.
//
// WB-95 4.1.5
func (s *State) zonesOn(h hex.Hex, of Side) []*Unit {
	out := s.room.units.Take(stackLimit)
	for _, n := range s.beside(h) {
		for _, u := range s.unitsAt(n) {
			if u.c.Side == of && s.zoneOf(u, h) {
				out = append(out, u)
			}
		}
	}
	slices.SortFunc(out, func(a, b *Unit) int { return strings.Compare(a.ID, b.ID) })
	return out
}

// inEnemyZone tells whether an enemy of the side has a zone on the hex.
func (s *State) inEnemyZone(h hex.Hex, side Side) bool {
	for _, us := range s.stacksBeside(h) {
		for _, u := range us {
			if u.c.Side != side && s.zoneOf(u, h) && s.foe(u.c, side) {
				return true
			}
		}
	}
	return false
}

// zones holds all zones of control of a side, by grid index.
type zones struct {
	net  *network
	mask [3][]uint8 // bit d, by class: a unit here has its zone in that direction
	on   []bool     // some zone covers the hex
}

// zonesOf works out all zones of a side at once.
func (s *State) zonesOf(side Side) *zones { return s.zonesIf(side, (*Unit).regular) }

// zonesIf works out the zones of those units of a side that count.
func (s *State) zonesIf(side Side, counts func(*Unit) bool) *zones {
	g := &s.sc.Board.Grid
	z := &zones{net: s.sc.network(), on: make([]bool, g.Len())}
	n := g.Len()
	masks := make([]uint8, len(z.mask)*n)
	for row := range z.mask {
		z.mask[row] = masks[row*n : (row+1)*n]
	}
	for i := range s.Units {
		if u := &s.Units[i]; u.Where == OnMap && u.c.Side == side && counts(u) {
			z.spread(zoneRow(u.c), g.Index(u.Hex))
		}
	}
	return z
}

// spread lets a unit of the class at index i have its zone.
func (z *zones) spread(row, i int) {
	z.mask[row][i] = z.net.zone[row][i]
	for d, n := range z.net.next[i] {
		if n >= 0 && z.mask[row][i]&(1<<d) != 0 {
			z.on[n] = true
		}
	}
}

// barred tells whether one and the same unit has its zone on both ends of the
// step from i in direction d. Only the two hexes beside both ends can hold it.
//
// WB-95 4.2.3
// WB-95 4.2.5
// reading WB-95 4.2.3: a step between zones of different units only is legal.
func (z *zones) barred(i int, d hex.Dir) bool {
	left, right := (d+5)%6, (d+1)%6
	return z.both(i, left, right) || z.both(i, right, left)
}

// both: the neighbour of i in direction beside looks on i backwards, and on the
// end of the step in direction ahead.
func (z *zones) both(i int, beside, ahead hex.Dir) bool {
	k := z.net.next[i][beside]
	if k < 0 {
		return false
	}
	need := uint8(1)<<beside.Opposite() | uint8(1)<<ahead
	for row := range z.mask {
		if z.mask[row][k]&need == need {
			return true
		}
	}
	return false
}
