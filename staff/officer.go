// Package staff holds staff officers: automatic players. A staff officer sees his
// side's View, exactly what a person gets with the report, and writes an order
// sheet, nothing else. He is deterministic: an equal View gives an equal sheet.
package staff

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/famous"
	"fieldpost/adjudicator/steppe"
	"fieldpost/adjudicator/view"
	"fieldpost/adjudicator/wb95"
	"fieldpost/orders"
)

// Officer plays one side of a game.
type Officer struct {
	Game adjudicator.Game // the scenario, for the rules that the officer reads up
	// Mode is the MODE line of his sheets, empty for none. In a mode that asks he
	// answers questions on the View that comes with them.
	Mode string
}

// Sheet writes the orders of a turn for the side whose View it is.
func (o Officer) Sheet(v *view.View, serial int) (string, error) {
	b := &sheet{}
	b.line("GAME: %s", v.Game)
	b.line("SIDE: %s", v.Side)
	b.line("TURN: %d", v.Turn)
	b.line("SERIAL: %d", serial)
	if o.Mode != "" {
		b.line("MODE: %s", o.Mode)
	}
	switch g := o.Game.(type) {
	case *wb95.Game:
		if v.Turn == 0 {
			break // he sets up as the book prints it
		}
		a, err := g.Advise(v)
		if err != nil {
			return "", fmt.Errorf("staff officer of %s: %w", v.Side, err)
		}
		p := newPlan(v, a)
		p.think()
		p.airSections(b)
		b.section("BARRAGE", p.barrages)
		b.section("MOVE", p.moves)
		b.section("ATTACK", p.attacks)
		b.section("STANDING", p.standing)
	case *steppe.Game:
		a, err := g.Advise(v)
		if err != nil {
			return "", fmt.Errorf("staff officer of %s: %w", v.Side, err)
		}
		d := newDuel(v, a)
		d.think()
		if len(v.Asked) > 0 {
			d.answer(b)
		} else {
			d.sheet(b)
		}
	case *famous.Game:
		a, err := g.Advise(v)
		if err != nil {
			return "", fmt.Errorf("staff officer of %s: %w", v.Side, err)
		}
		newTactics(v, a).write(b)
	default:
		return "", fmt.Errorf("no staff officer plays %s", v.System)
	}
	b.line("DONE")
	return b.String(), nil
}

// sheet collects lines and keeps the limits of a sheet.
type sheet struct {
	strings.Builder
	lines int
}

func (b *sheet) line(format string, a ...any) {
	fmt.Fprintf(b, format+"\n", a...)
	b.lines++
}

// section writes a section; what no longer fits on the sheet is left out, as is an
// order with a line that is too long; three lines are kept for what follows.
func (b *sheet) section(name string, list []string) {
	if len(list) == 0 {
		return
	}
	b.line("%s", name)
	for _, l := range list {
		rows := strings.Split(l, "\n")
		long := slices.ContainsFunc(rows, func(r string) bool { return len(r) > lineRoom })
		if !long && b.lines+len(rows) <= orders.MaxLines-4 {
			for _, r := range rows {
				b.line("  %s", r)
			}
		}
	}
}
