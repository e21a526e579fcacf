package wb95

import (
	"slices"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/table"
)

// board reads the map; false if the rest of the files cannot be judged without it.
func (l *loader) board() bool {
	b, ok := board.Read(l.Loader, l.kinds)
	l.sc.Board = b
	if !ok {
		return false
	}
	l.extraBridges(b)
	l.flood(b)
	return true
}

// extraBridges checks the bridges that only the scenario places.
func (l *loader) extraBridges(b *board.Board) {
	bridged := map[hex.Edge]bool{}
	for _, e := range l.file.Bridges {
		switch {
		case b.River(e) == "":
			l.fault(e.String(), "bridge %v: there is no water", e)
		case b.Bridge(e) || bridged[e]:
			l.fault(e.String(), "bridge %v: the map has it already", e)
		}
		bridged[e] = true
	}
	l.sc.Bridges = l.file.Bridges
}

// flood reads regions.tsv, if there is one, and fills each region up to its river.
func (l *loader) flood(b *board.Board) {
	l.regions = map[string][]hex.Hex{}
	for _, r := range l.Optional("regions.tsv", "region", "river", "from", "in", "out") {
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
	return table.Hexes(r, column, l.sc.Board.On)
}

// edges reads a field of hexsides parted by blanks; all must be on the map.
func (l *loader) edges(r table.Row, column string) []hex.Edge {
	return board.Edges(r, column, l.sc.Board)
}
