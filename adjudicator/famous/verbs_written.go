package famous

import (
	"slices"
	"strings"
	"unicode/utf8"

	"fieldpost/orders"
)

// written is an order as its writer gave it: read once, wherever it came from, and
// printed once.
type written struct {
	order orders.Order // its words, by their columns in text
	text  string       // canonical on a sheet, as it stands in a journal
	fault error        // why a line of a journal is no order at all
	at    orders.Pos   // where it stands on the sheet
}

// onSheet takes an order off a sheet. On the sheet it may go over several lines; the
// rules know its words by their columns in the line that it makes.
func onSheet(o orders.Order) written {
	return written{order: laidOut(o), text: o.String(), at: o.Pos}
}

func allOnSheet(list []orders.Order) []written {
	out := make([]written, len(list))
	for i, o := range list {
		out[i] = onSheet(o)
	}
	return out
}

// headed makes an order of words that stand behind a word of their section's: PLACE in
// front of a placement, FIRST in front of the chits.
func headed(word string, at orders.Pos, rest []orders.Word) written {
	words := append([]orders.Word{{Text: word}}, rest...)
	if len(rest) > 0 {
		words[1].Comma = false
	}
	o := orders.Order{Pos: at, Clauses: []orders.Clause{words}}
	return written{order: laidOut(o), text: word + " " + orders.Clause(rest).String(), at: at}
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

// read reads an order that stands on a line of its own.
func read(text string) written {
	o, err := orders.ParseOrder(text)
	return written{order: o, text: text, fault: err}
}

// readAll reads the orders of an answer, one a line.
func readAll(answer string) []written { return readLines(lines(answer)) }

func readLines(list []string) []written {
	out := make([]written, len(list))
	for i, l := range list {
		out[i] = read(l)
	}
	return out
}

// lines are the lines of an answer.
func lines(answer string) []string {
	if strings.TrimSpace(answer) == "" {
		return nil
	}
	return strings.Split(answer, "\n")
}

// verb is the word that the order begins with.
func (w written) verb() verb {
	if w.fault != nil {
		return ""
	}
	return verb(w.order.Clauses[0][0].Text)
}

// flat is the words of the order, whatever clauses they stand in.
func (w written) flat() []orders.Word {
	if len(w.order.Clauses) == 1 {
		return w.order.Clauses[0]
	}
	return slices.Concat(w.order.Clauses...)
}

// activates tells whether the order is the line of a division's programme that says which
// battalion its chit activates.
func (w written) activates() bool {
	word, _, _ := strings.Cut(w.text, " ")
	return verb(word) == verbActivate
}

// battalions are the names on such a line: ACTIVATE 1FUS ELSE 2FUS UNLESS DONE.
func (w written) battalions() (names []string) {
	list := strings.TrimPrefix(w.text, string(verbActivate))
	list = strings.ReplaceAll(strings.ReplaceAll(list, "UNLESS DONE", ""), "ELSE", ",")
	for _, name := range strings.Split(list, ",") {
		if name = strings.Join(strings.Fields(name), " "); name != "" {
			names = append(names, name)
		}
	}
	return names
}
