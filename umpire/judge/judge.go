// Package judge says of a sheet what its acknowledgement will say: what each line was
// understood as, or what forbids it and what would be legal. It needs a game's rules and a
// view, and neither a database nor mail nor an operating system.
package judge

import (
	"fmt"
	"slices"
	"strings"

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
	out := report.Line{Number: l.Pos.Line, Part: l.Part, Column: l.Pos.Col, Order: l.Text, Understood: l.Understood, Warning: l.Warning}
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

// Lines are those of the acknowledgement.
func Lines(f *adjudicator.Filing) (out []report.Line) {
	for _, l := range f.Lines {
		out = append(out, Line(l))
	}
	return out
}

// Shown are the lines of an acknowledgement's table: a sheet without orders has no remarks
// on orders, and what a sheet is held for is said above the table.
func Shown(lines []adjudicator.Line, bare, held bool) []adjudicator.Line {
	return slices.DeleteFunc(lines, func(line adjudicator.Line) bool {
		remark := line.Pos.Line == 0
		return remark && (bare || line.Doubt && held)
	})
}

// Doubts are what a finished sheet is held for, a sentence each: lines that are refused,
// duties that are left open, units that will be lost.
func Doubts(lines []adjudicator.Line) []string {
	return append(refusedLines(lines), remarks(lines)...)
}

// DoubtsAgain are those on a sheet that was filed before: its lines have no numbers in the
// mail at hand.
func DoubtsAgain(lines []adjudicator.Line) (doubts []string) {
	for _, said := range refusedLines(lines) {
		_, said, _ = strings.Cut(said, ": ")
		doubts = append(doubts, said)
	}
	return append(doubts, remarks(lines)...)
}

// remarks are the doubts that no refused line is the reason of.
func remarks(lines []adjudicator.Line) (doubts []string) {
	for _, line := range lines {
		switch {
		case line.Refused != nil && line.Pos.Line > 0: // told already
		case line.Refused != nil:
			doubts = append(doubts, report.Sentence(line.Refused.Why))
		case line.Doubt:
			doubts = append(doubts, report.Sentence(line.Warning))
		}
	}
	return doubts
}

// refusedLines are the lines of a sheet that were refused, in their order: what is amiss in
// one may be why others make no sense. A guess at what was meant stands with it.
func refusedLines(lines []adjudicator.Line) (doubts []string) {
	refused := slices.DeleteFunc(slices.Clone(lines), func(line adjudicator.Line) bool { return line.Refused == nil || line.Pos.Line == 0 })
	slices.SortStableFunc(refused, func(a, b adjudicator.Line) int { return a.Pos.Line - b.Pos.Line })
	for _, line := range refused {
		said := fmt.Sprintf("Line %d: %s: %s", line.Pos.Line, line.Text, report.Sentence(line.Refused.Why))
		if guess, _, is := strings.Cut(line.Refused.Instead, "?"); is && strings.HasPrefix(guess, "Did you mean") {
			said += " " + guess + "?"
		}
		doubts = append(doubts, said)
	}
	return doubts
}
