// Package referee judges recorded movement a second time: slowly, hex by hex, with prices
// written down from the books' terrain tables. It shares no rule with the engine: of a game
// it knows the scenario's map and counters, the positions as they are stored, and what the
// reports say of each way that was gone. Where engine and referee disagree one of them is
// wrong, or the book can be read in two ways.
package referee

import (
	"fmt"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
)

// Fault is a move on which the engine and the referee disagree.
type Fault struct {
	Phase, Unit, Route string
	Engine, Referee    string // what each says
	Clause             string
}

// String is the fault in a line.
func (f Fault) String() string {
	return fmt.Sprintf("%s: %s %s: the engine says %s, the referee %s (%s)", f.Phase, f.Unit, f.Route, f.Engine, f.Referee, f.Clause)
}

// Judge is a referee of one game. It is shown every phase in turn.
type Judge interface {
	// Phase judges what was moved in a phase. It counts the moves.
	Phase(at adjudicator.Phase, before []byte, out adjudicator.Outcome) (moves int, faults []Fault, err error)
}

// Trail is a way as reports write it: 0101-0102-0203.
func Trail(path []hex.Hex) string {
	words := make([]string, len(path))
	for i, h := range path {
		words[i] = h.String()
	}
	return strings.Join(words, "-")
}

// readTrail is the inverse of Trail; nil if a word is no hex.
func readTrail(text string) []hex.Hex {
	var path []hex.Hex
	for word := range strings.SplitSeq(text, "-") {
		h, err := hex.Parse(word)
		if err != nil {
			return nil
		}
		path = append(path, h)
	}
	return path
}

// points are movement points, in twelfths: the books have halves, thirds and quarters.
type points int

const (
	onePoint points = 12
	shut     points = 1 << 20 // ground that is closed
)

// readPoints reads "2 1/2"; ok is false for anything else.
func readPoints(text string) (p points, ok bool) {
	for word := range strings.FieldsSeq(text) {
		var whole, above, below int
		switch {
		case scan(word, "%d/%d", &above, &below) && below > 0 && 12%below == 0:
			p += points(above * 12 / below)
		case !strings.Contains(word, "/") && scan(word, "%d", &whole):
			p += points(whole) * onePoint
		default:
			return 0, false
		}
		ok = true
	}
	return p, ok
}

func scan(word, format string, into ...any) bool {
	n, err := fmt.Sscanf(word, format, into...)
	return err == nil && n == len(into)
}

// String is the points as a decimal number.
func (p points) String() string {
	if p >= shut {
		return "closed"
	}
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", float64(p)/12), "0"), ".")
}
