// Package judge says of a sheet what its acknowledgement will say: what each line was
// understood as, or what forbids it and what would be legal.
package judge

import (
	"fmt"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/report"
)

// Judged is the verdict on a sheet: on its orders, and on lines that could not be read.
func Judged(game adjudicator.Game, v *view.View, sheet *orders.Sheet, faults []*orders.Error) *adjudicator.Filing {
	checked := game.Check(v, sheet)
	for _, f := range faults {
		checked.Lines = append(checked.Lines, adjudicator.Line{Pos: orders.Pos{Line: f.Line, Col: 1}, At: f.Pos, Text: f.Got,
			Refused: &rule.Violation{Why: f.Why(), Instead: f.Instead()}})
	}
	return checked
}

// Line turns a checked order into a line of the acknowledgement.
func Line(l adjudicator.Line) report.Line {
	out := report.Line{Number: l.Pos.Line, Column: l.Pos.Col, Order: l.Text, Understood: l.Understood, Warning: l.Warning}
	if v := l.Refused; v != nil {
		out.Refused, out.Clause, out.Reason, out.Instead = true, string(v.Clause), v.Why, v.Instead
		if l.At != l.Pos && l.At.Line > 0 {
			out.At = fmt.Sprintf("column %d", l.At.Col)
			if l.At.Line != l.Pos.Line {
				out.At = l.At.String()
			}
		}
	}
	return out
}
