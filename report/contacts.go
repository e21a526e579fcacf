package report

import (
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// contacts are the hexes of own units beside an enemy stack.
func contacts(v *view.View) map[hex.Hex]bool {
	out := map[hex.Hex]bool{}
	if v.Board == nil {
		return out
	}
	enemy := map[hex.Hex]bool{}
	for i := range v.Enemy {
		enemy[v.Enemy[i].Hex] = true
	}
	for i := range v.Units {
		for _, n := range v.Board.Grid.Neighbours(v.Units[i].Hex) {
			if enemy[n] {
				out[v.Units[i].Hex] = true
			}
		}
	}
	return out
}

// besideUs are the hexes beside own units.
func besideUs(v *view.View) map[hex.Hex]bool {
	out := map[hex.Hex]bool{}
	if v.Board == nil {
		return out
	}
	for i := range v.Units {
		for _, n := range v.Board.Grid.Neighbours(v.Units[i].Hex) {
			out[n] = true
		}
	}
	return out
}

// seen says how old a contact report is.
func seen(s *view.Stack, beside map[hex.Hex]bool) string {
	switch {
	case s.Closer && beside[s.Hex]:
		return "in contact now"
	case s.Closer:
		return "in sight now"
	case s.Seen == "":
		return "seen earlier"
	}
	return "seen " + s.Seen
}

// reported parts the enemy stacks into those with a report, the present ones
// first, and the hexes of the others.
func reported(v *view.View) (known []*view.Stack, blank []hex.Hex) {
	for _, now := range []bool{true, false} {
		for i := range v.Enemy {
			if s := &v.Enemy[i]; len(s.Units) > 0 && s.Closer == now {
				known = append(known, s)
			}
		}
	}
	for i := range v.Enemy {
		if len(v.Enemy[i].Units) == 0 {
			blank = append(blank, v.Enemy[i].Hex)
		}
	}
	slices.Sort(blank)
	return known, blank
}
