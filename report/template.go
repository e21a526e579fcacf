package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// Filled is an order sheet for the player to fill in, with a line for each of the
// side's units: take the # away from those that shall act. As it is it orders nothing.
func Filled(v *view.View, turn, serial int, sections []string) string {
	if len(v.Choices) > 0 {
		return setUpSheet(v, turn, serial)
	}
	plain := Template(v.Game, v.Side, turn, serial, sections)
	if body := programmes(v); body != "" {
		return strings.Replace(plain, "\nSTANDING\n", body+"\nSTANDING\n", 1)
	}
	head, tail, ok := strings.Cut(plain, "\nMOVE\n")
	if !ok {
		return plain
	}
	var b strings.Builder
	b.WriteString(head + "\nMOVE\n")
	units := slices.Clone(v.Units)
	slices.SortStableFunc(units, func(x, y view.Unit) int { return strings.Compare(x.Formation, y.Formation) })
	formation := ""
	for _, u := range units {
		if u.Formation != formation {
			formation = u.Formation
			fmt.Fprintf(&b, "  # %s\n", formation)
		}
		fmt.Fprintf(&b, "  # %-20s TO ....    at %v, %s\n", u.Name, u.Hex, values(u))
	}
	for _, u := range v.Arrivals {
		if u.Ready {
			fmt.Fprintf(&b, "  # %-20s ENTER %s TO ....    %s\n", u.Name, strings.Join(u.Entry, " (or) "), values(u))
		}
	}
	b.WriteString(tail)
	return b.String()
}

// mostHexes is how many of a unit's hexes the sheet of the set-up names.
const mostHexes = 12

// setUpSheet is a sheet for the choices before the first turn.
func setUpSheet(v *view.View, turn, serial int) string {
	head, tail, _ := strings.Cut(Template(v.Game, v.Side, turn, serial, []string{"SETUP"}), "\nSETUP\n")
	var b strings.Builder
	b.WriteString(head + "\nSETUP\n")
	for _, c := range v.Choices {
		var hexes []string
		for _, h := range c.Hexes {
			hexes = append(hexes, h.String())
		}
		line := fmt.Sprintf("  # %-20s AT %s", c.Unit, hexes[0])
		if len(hexes) > 1 {
			line += "    or " + strings.Join(hexes[1:min(len(hexes), mostHexes)], ", ")
		}
		if n := len(hexes) - mostHexes; n > 0 {
			line += fmt.Sprintf(" or %d more (choices in view.json)", n)
		}
		fmt.Fprintf(&b, "%s    STEPS %d of %d\n", line, c.Steps, c.Most)
	}
	b.WriteString(tail)
	return b.String()
}

// programmes are the sections of a sheet for a side whose chits are those of its
// headquarters: under each the units that it leads and none nearer to them does. It is
// empty in other games.
func programmes(v *view.View) string {
	if v.Chits == nil {
		return ""
	}
	arriving := slices.DeleteFunc(slices.Clone(v.Arrivals), func(u view.Unit) bool { return !u.Ready })
	all := slices.Concat(v.Units, arriving)
	var heads []view.Unit
	var b strings.Builder
	for _, g := range v.Chits.Groups {
		n := len(heads)
		for _, u := range all {
			if u.Range > 0 && slices.Contains(g.Own, u.Name) {
				heads = append(heads, u)
			}
		}
		if put := names(heads[n:]); len(put) > g.Draws {
			fmt.Fprintf(&b, "# CHITS %s    %d of them\n", strings.Join(put, ", "), g.Draws)
		}
	}
	led := map[string][]view.Unit{} // by headquarters
	for _, u := range all {
		if h := leader(v, heads, u); u.Range == 0 && h != "" {
			led[h] = append(led[h], u)
		}
	}
	for _, hq := range heads {
		fmt.Fprintf(&b, "\nCHIT %s MOVE THEN ATTACK\n", hq.Name)
		b.WriteString(programmeLine(hq))
		for _, u := range led[hq.Name] {
			b.WriteString(programmeLine(u))
		}
		b.WriteString("  # ATTACK .... WITH ....; MIN 1:1\n")
	}
	return b.String()
}

// programmeLine is the line of a unit in the programme of its headquarters.
func programmeLine(u view.Unit) string {
	order, at := "MOVE "+u.Name, "at "+u.Hex.String()
	switch {
	case u.Hex == hex.None:
		order, at = "ENTER "+u.Name, "by "+anyOf(u.Entry)
	case u.Range > 0:
		order = "HQ"
	}
	return fmt.Sprintf("  # %-18s TO ....    %s, %s\n", order, at, values(u))
}

// leader is the nearest of the headquarters that can activate a unit, the first one of
// its command for a unit that comes on to the map; "" if none can.
func leader(v *view.View, heads []view.Unit, u view.Unit) string {
	if u.Hex == hex.None {
		for _, hq := range heads {
			if hq.Formation == u.Formation {
				return hq.Name
			}
		}
		return ""
	}
	name, near := "", 1<<20
	for _, hq := range heads {
		if hq.Formation != u.Formation || hq.Hex == hex.None {
			continue
		}
		if n := v.Board.Grid.Distance(u.Hex, hq.Hex); n < near && n <= hq.Range {
			name, near = hq.Name, n
		}
	}
	return name
}

func names(us []view.Unit) (out []string) {
	for _, u := range us {
		out = append(out, u.Name)
	}
	return out
}

// values are what a unit's counter says, and what ails it.
func values(u view.Unit) string {
	s := fmt.Sprintf("%d-%d, %d of %d steps", u.Attack, u.Moves, u.Steps, u.MaxSteps)
	if u.Range > 0 {
		s = fmt.Sprintf("%d guns, range %d, moves %d", u.Support, u.Range, u.Moves)
	}
	if u.OutOfSupply > 0 {
		s += ", " + cmp.Or(strings.ToLower(u.Supply), fmt.Sprintf("out of supply %d", u.OutOfSupply))
	}
	if u.Disorganized {
		s += ", disorganized"
	}
	return s
}
