package wb95

import (
	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
)

// board reads the map; false if the rest of the files cannot be judged without it.
func (l *loader) board() bool {
	b, ok := board.Read(l.Loader, l.kinds, map[string][]string{"town": {"town"}, "city": {"city"}})
	l.sc.Board = b
	if !ok {
		return false
	}
	l.extraBridges(b)
	l.regions = board.Regions(l.Loader, b)
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
