package phrase

import "fieldpost/orders"

// asLastTurn ends the line of a section that files again what its chits had for the last turn.
const asLastTurn = "AS LAST TURN"

// AsLastTurn tells whether the line of a section ends so, and what stands before it.
func AsLastTurn(line []orders.Word) (names []orders.Word, is bool) {
	n := len(line) - 3
	if n < 1 || Join(line[n:]) != asLastTurn {
		return line, false
	}
	return line[:n], true
}

// Sections reads the sections of texts that stood when they were filed.
func Sections(texts []string, v orders.Vocabulary) (out []orders.Section) {
	for _, text := range texts {
		sheet, _ := orders.Parse(text, v)
		out = append(out, sheet.Sections...)
	}
	return out
}
