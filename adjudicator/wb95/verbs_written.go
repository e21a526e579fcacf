package wb95

import (
	"slices"
	"unicode/utf8"

	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// written is an order as its owner wrote it. It is read once, off a sheet or out of a
// journal, and printed once: this is what travels from there on.
type written struct {
	order orders.Order // its words, by their columns in text
	text  string       // canonical on a sheet, as it stands in a journal
	fault error        // why a line of a journal is no order at all
	// sheet is the order at its place on the sheet, for refusals to point at; empty
	// for a line of a journal.
	sheet orders.Order
}

// onSheet takes an order off a sheet. On the sheet it may go over several lines; the
// rules know its words by their columns in the line that it makes.
func onSheet(o orders.Order) written {
	w := written{order: o, text: o.String(), sheet: o}
	w.order.Clauses = make([]orders.Clause, len(o.Clauses))
	words := slices.Concat(o.Clauses...)
	col := 1
	if o.Label != "" {
		col += utf8.RuneCountInString(o.Label) + len(": ")
	}
	for i, c := range o.Clauses {
		clause := words[:len(c):len(c)]
		words = words[len(c):]
		for j := range clause {
			word := &clause[j]
			switch {
			case j == 0:
				word.Comma = false // it parts nothing
			case word.Comma:
				col += len(", ")
			default:
				col += len(" ")
			}
			word.Pos = orders.Pos{Line: 1, Col: col}
			col += utf8.RuneCountInString(word.Text)
		}
		w.order.Clauses[i] = clause
		col += len("; ")
	}
	return w
}

// read reads an order that stands on a line of its own.
func read(text string) written {
	o, err := orders.ParseOrder(text)
	return written{order: o, text: text, fault: err}
}

// readAll reads the orders of an answer, one a line. Empty lines are none.
func readAll(answer string) []written { return readLines(orderLines(answer)) }

func readLines(lines []string) []written {
	out := make([]written, len(lines))
	for i, line := range lines {
		out[i] = read(line)
	}
	return out
}

// flat is the words of the order, whatever clauses they stand in.
func (w written) flat() []orders.Word {
	if len(w.order.Clauses) == 1 {
		return w.order.Clauses[0]
	}
	return slices.Concat(w.order.Clauses...)
}

// verb is the first word of the order.
func (w written) verb() string {
	if len(w.order.Clauses) == 0 {
		return ""
	}
	return w.order.Clauses[0][0].Text
}

func unreadable(err error) *rule.Violation { return &rule.Violation{Why: err.Error()} }
