package report

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/view"
)

// Filled is an order sheet for the player to fill in, with a line for each of his
// units: take the # away from those that shall act. As it is it orders nothing.
func Filled(v *view.View, turn, serial int, sections []string) string {
	if len(v.Choices) > 0 {
		return setUpSheet(v, turn, serial)
	}
	plain := Template(v.Game, v.Side, turn, serial, sections)
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

// values are what a unit's counter says, and what ails it.
func values(u view.Unit) string {
	s := fmt.Sprintf("%d-%d, %d of %d steps", u.Attack, u.Moves, u.Steps, u.MaxSteps)
	if u.OutOfSupply > 0 {
		s += fmt.Sprintf(", out of supply %d", u.OutOfSupply)
	}
	if u.Disorganized {
		s += ", disorganized"
	}
	return s
}
