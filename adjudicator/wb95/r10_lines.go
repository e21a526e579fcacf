package wb95

import (
	"slices"

	"fieldpost/adjudicator/hex"
)

// supplied holds what lines of supply cost: by grid index, the fewest movement
// points of a truck from the sources of a side to the hex. Lines do not hinder
// each other (10.1.3), so one search from all sources serves every unit.
//
// WB-95 10.1.1
// WB-95 10.1.3
type supplied struct {
	s     *State
	net   *network
	side  Side
	cost  []Cost
	block []bool  // no line leads through
	own   []bool  // a friendly unit is there
	span  []uint8 // standing bridges
	first []bool  // sources

	apart map[string]*supplied // lines of the nations with sources of their own
}

// linesOfSupply searches the lines of a side.
//
// reading WB-95 10.1.4: a nation that the scenario gives sources of its own has no others.
func (s *State) linesOfSupply(side Side) *supplied {
	l := s.linesFrom(side, s.sc.Supply[side], "")
	for _, u := range s.onMap(side) {
		nation := s.supplyNation(u)
		base, ok := s.sc.ByNation[nation]
		if !ok {
			base, ok = s.sc.Supply[side], slices.Contains(s.sc.Notes.ShunTowns, nation)
		}
		if !ok || l.apart[nation] != nil {
			continue
		}
		if l.apart == nil {
			l.apart = map[string]*supplied{}
		}
		l.apart[nation] = s.linesFrom(side, base, nation)
	}
	return l
}

// linesFrom searches the lines of a side from given sources.
func (s *State) linesFrom(side Side, base Supply, nation string) *supplied {
	g := s.sc.Board.Grid
	l := &supplied{s: s, net: s.sc.network(), side: side, cost: make([]Cost, g.Len()), block: s.supplyBlocks(side),
		own: make([]bool, g.Len()), span: s.bridges(), first: make([]bool, g.Len())}
	for i := range l.cost {
		l.cost[i] = Closed
	}
	for _, u := range s.onMap(side) {
		l.own[g.Index(u.Hex)] = true
	}
	for _, h := range s.supplySources(side, base) {
		l.first[g.Index(h)] = true
	}
	s.shunned(side, nation, l.block)
	l.search()
	return l
}

// supplySources are the hexes where the lines begin.
//
// WB-95 10.1.4
// reading WB-95 10.1.4: an edge is every hex of it, a town its hexes while controlled.
func (s *State) supplySources(side Side, base Supply) []hex.Hex {
	out := slices.Clone(base.Hexes)
	for _, edge := range base.Edges {
		out = append(out, s.sc.Board.MapEdge(edge)...)
	}
	for _, name := range base.Places {
		p := s.sc.Board.Named(name)
		if p == nil {
			continue
		}
		for _, h := range p.Hexes {
			if s.held(h) == side {
				out = append(out, h)
			}
		}
	}
	return out
}

// supplyBlocks marks the hexes that no line of the side may lead through.
//
// WB-95 10.1.10
// WB-95 10.1.11
// reading WB-95 10.1.11: all enemy units but headquarters and guns in transport
// spread a zone for this, resilience groups and guns ready to fire too, and so does
// every town hex that the enemy controls and we do not stand on.
func (s *State) supplyBlocks(side Side) []bool {
	g, enemy := s.sc.Board.Grid, s.sc.Other(side)
	z := s.zonesIf(enemy, (*Unit).cutsSupply)
	for i, town := range z.net.town {
		if !town {
			continue
		}
		if h := g.At(i); s.held(h) != enemy || s.holder(h) == side {
			continue
		}
		z.on[i] = true
		for d, n := range z.net.next[i] {
			if n >= 0 && z.net.big[i]&(1<<d) == 0 {
				z.on[n] = true
			}
		}
	}
	for i := range s.Units {
		switch u := &s.Units[i]; {
		case u.Where != OnMap:
		case u.c.Side == enemy:
			z.on[g.Index(u.Hex)] = true
		case u.regular():
			z.on[g.Index(u.Hex)] = false // our own regular units keep the way open
		}
	}
	return z.on
}

// cutsSupply tells whether the unit spreads a zone against lines of supply.
func (u *Unit) cutsSupply() bool {
	switch {
	case u.c.Type == HQ:
		return false
	case u.c.hasSetup():
		return u.Firing
	}
	return true
}

// search is Dijkstra's over whole costs, a bucket for each.
func (l *supplied) search() {
	var buckets [][]int32
	push := func(i int32, c Cost) {
		if l.cost[i] != Closed && l.cost[i] <= c {
			return
		}
		l.cost[i] = c
		for int(c) >= len(buckets) {
			buckets = append(buckets, nil)
		}
		buckets[c] = append(buckets[c], i)
	}
	for i := range l.first {
		if l.first[i] {
			push(int32(i), 0)
		}
	}
	for c := Cost(0); int(c) < len(buckets); c++ {
		for k := 0; k < len(buckets[c]); k++ {
			i := buckets[c][k]
			if l.cost[i] != c || l.block[i] {
				continue // a line may end in a blocked hex, but not lead through it
			}
			for d := range hex.Dir(6) {
				if p := l.step(int(i), d, rowTrucked); p != Closed {
					push(l.net.next[i][d], c+p)
				}
			}
		}
	}
}

// step is what a line pays for the step from i in direction d.
func (l *supplied) step(i int, d hex.Dir, row int) Cost {
	j, bit := l.net.next[i][d], uint8(1)<<d
	if j < 0 {
		return Closed
	}
	price, road := Cost(l.net.over[row][i][d]), l.net.road[i]&bit != 0
	if l.net.water[i]&bit != 0 && l.span[i]&bit == 0 {
		price, road = Cost(l.net.dry[row][i][d]), false // no bridge carries it over
	}
	switch {
	case price == Closed:
		return Closed
	// WB-95 10.1.5: along roads a line goes any distance
	case road:
		return 0
	// WB-95 10.1.9: so do friendly units side by side
	case l.own[i] && l.own[j]:
		return 0
	}
	// WB-95 10.1.6: off the road it spends supply points
	// WB-95 10.1.8: as a trucked unit spends its own
	return price
}

// reaches tells whether a line leads to the unit.
//
// WB-95 10.1.7
// reading WB-95 10.1.10: the unit's own hex is exempt from what blocks a line; on
// ground closed to trucks the last step costs what it costs the unit's own class.
func (l *supplied) reaches(u *Unit) bool {
	if own := l.apart[l.s.supplyNation(u)]; own != nil {
		l = own
	}
	i := l.s.sc.Board.Grid.Index(u.Hex)
	best := l.cost[i]
	for d := range hex.Dir(6) {
		n := int(l.net.next[i][d])
		if n < 0 || l.block[n] {
			continue
		}
		if l.step(n, d.Opposite(), rowTrucked) != Closed {
			continue // trucks come as far as the unit
		}
		last := l.step(n, d.Opposite(), rowOf(u.c))
		if l.own[n] && last != Closed {
			last = 0
		}
		best = cheaper(best, plus(l.cost[n], last))
	}
	return best.within(l.s.sc.Allowance[u.c.Nation])
}
