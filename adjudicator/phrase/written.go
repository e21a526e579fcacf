package phrase

import (
	"slices"
	"strings"
	"unicode/utf8"

	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// Written is an order as its owner wrote it. It is read once, off a sheet or out of a
// journal, and printed once: this is what travels from there on.
type Written struct {
	Order orders.Order    // its words, by their columns in Text
	Text  string          // canonical on a sheet, as it stands in a journal
	Fault *rule.Violation // why a line of a journal is no order at all
	// Sheet is the order at its place on the sheet, for refusals to point at; empty
	// for a line of a journal.
	Sheet orders.Order
}

// OnSheet takes an order off a sheet. On the sheet it may go over several lines; the
// rules know its words by their columns in the line that it makes.
func OnSheet(o orders.Order) Written { return Written{Order: laidOut(o), Text: o.String(), Sheet: o} }

// AllOnSheet takes orders off a sheet.
func AllOnSheet(list []orders.Order) []Written {
	out := make([]Written, len(list))
	for i, o := range list {
		out[i] = OnSheet(o)
	}
	return out
}

// Headed makes an order of words that stand behind a word of their section's, on the
// line of the sheet that begins at a place.
func Headed(word string, at orders.Pos, rest []orders.Word) Written {
	words := append([]orders.Word{{Text: word}}, rest...)
	if len(rest) > 0 {
		words[1].Comma = false
	}
	o := orders.Order{Pos: at, Clauses: []orders.Clause{words}}
	return Written{Order: laidOut(o), Text: word + " " + orders.Clause(rest).String(), Sheet: o}
}

// Uncoloned are the words of a line that opens a section without the colon that may end its head:
// CHIT 2PZ OTHERWISE: as well as CHIT 2PZ OTHERWISE.
func Uncoloned(words []orders.Word) []orders.Word {
	out := slices.Clone(words)
	for i := range out {
		if bare, ended := strings.CutSuffix(out[i].Text, ":"); ended && bare != "" {
			out[i].Text = bare
		}
	}
	return out
}

// Opening is the line of a sheet that opens a section, which is no order.
func Opening(sec orders.Section) Written {
	return Written{Text: sec.Name + " " + orders.Clause(sec.Args).String(), Sheet: orders.Order{Pos: sec.Pos}}
}

// laidOut gives the words of an order the columns that String writes them in.
func laidOut(o orders.Order) orders.Order {
	words := slices.Concat(o.Clauses...)
	clauses := make([]orders.Clause, len(o.Clauses))
	col := 1
	if o.Label != "" {
		col += utf8.RuneCountInString(o.Label) + len(": ")
	}
	for i, c := range o.Clauses {
		clauses[i], words = words[:len(c):len(c)], words[len(c):]
		for j := range clauses[i] {
			w := &clauses[i][j]
			switch {
			case j == 0:
				w.Comma = false // it parts nothing
			case w.Comma:
				col += len(", ")
			default:
				col += len(" ")
			}
			w.Pos = orders.Pos{Line: 1, Col: col}
			col += utf8.RuneCountInString(w.Text)
		}
		col += len("; ")
	}
	o.Clauses = clauses
	return o
}

// Read reads an order that stands on a line of its own.
func Read(text string) Written {
	o, err := orders.ParseOrder(text)
	return asRead(text, o, err)
}

// asRead is what came of reading an order.
func asRead(text string, o orders.Order, err error) Written {
	w := Written{Order: o, Text: text}
	if err != nil {
		w.Fault = &rule.Violation{Why: err.Error()}
	}
	return w
}

// ReadAll reads the orders of an answer, one a line.
func ReadAll(answer string) []Written { return ReadLines(Lines(answer)) }

// ReadLines reads orders that stand on lines of their own.
func ReadLines(list []string) []Written {
	out := make([]Written, len(list))
	orders.ParseOrders(list, func(i int, o orders.Order, err error) { out[i] = asRead(list[i], o, err) })
	return out
}

// Lines are the lines of an answer. Empty ones are none.
func Lines(answer string) (out []string) {
	if answer != "" {
		out = make([]string, 0, strings.Count(answer, "\n")+1)
	}
	for line := range strings.SplitSeq(answer, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// Flat is the words of the order, whatever clauses they stand in.
func (w Written) Flat() []orders.Word {
	if len(w.Order.Clauses) == 1 {
		return w.Order.Clauses[0]
	}
	return slices.Concat(w.Order.Clauses...)
}

// Verb is the first word of the order, "" if it is none.
func (w Written) Verb() string {
	if len(w.Order.Clauses) == 0 {
		return ""
	}
	return w.Order.Clauses[0][0].Text
}

// Pos is where on the sheet the order begins.
func (w Written) Pos() orders.Pos { return w.Sheet.Pos }

// At is where on the sheet the word stands that a violation is about; where the order
// begins if it is about no word.
func (w Written) At(v *rule.Violation) orders.Pos {
	at := w.Sheet.Place(v.Col)
	if at.Line == 0 {
		return w.Sheet.Pos
	}
	return at
}
