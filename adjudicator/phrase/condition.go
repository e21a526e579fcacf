package phrase

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// HexIs reads a condition on a hex, such as 2306 EMPTY, whose states are these.
func HexIs(b *board.Board, r *Reader, states ...string) (h hex.Hex, state string, v *rule.Violation) {
	if h, v = Place(b, r); v == nil {
		state, v = OneOf(r, states...)
	}
	return h, state, v
}

// SaysHolds tells whether a condition begins with one of these and HOLDS, such as SOVIET
// HOLDS 2512.
func SaysHolds(r *Reader, whose ...string) bool {
	if len(r.Words) < 2 || !slices.Contains(whose, r.Peek()) {
		return false
	}
	return r.Words[1].Text == "HOLDS" || r.Words[1].Text == "HOLD"
}

// Holds reads such a condition: who holds which hex.
func Holds(b *board.Board, r *Reader) (who string, h hex.Hex, v *rule.Violation) {
	who = r.Next()
	r.Next()
	h, v = Place(b, r)
	return who, h, v
}

// Chits are what a condition counts: at least so many, of one's own or the ENEMY's, that
// are PLAYED or LEFT.
type Chits struct {
	N     int
	Enemy bool
	State string
}

// SaysChits tells whether a condition begins with a number of chits: with one or two
// digits, where a hex has more.
func SaysChits(r *Reader) bool {
	w := r.Peek()
	return w != "" && len(w) <= 2 && hex.AllDigits(w)
}

// ReadChits reads 2 OWN CHITS PLAYED, where chits may be in one of these states. Where
// only one's own are known, OWN may be left out.
func ReadChits(r *Reader, ownOnly bool, states ...string) (c Chits, v *rule.Violation) {
	if c.N, v = Number(r, 99); v != nil {
		return c, v
	}
	if ownOnly {
		r.Skip("OWN")
	} else {
		var whose string
		if whose, v = OneOf(r, "OWN", "ENEMY"); v != nil {
			return c, v
		}
		c.Enemy = whose == "ENEMY"
	}
	if _, v = OneOf(r, "CHITS", "CHIT"); v != nil {
		return c, v
	}
	c.State, v = OneOf(r, states...)
	return c, v
}

// OneOf takes the next word, which must be one of these.
func OneOf(r *Reader, words ...string) (string, *rule.Violation) {
	w := r.Next()
	switch {
	case slices.Contains(words, w):
		return w, nil
	case w == "":
		return "", &rule.Violation{Why: either(words) + " is missing at the end"}
	}
	return "", &rule.Violation{Why: fmt.Sprintf("%q stands where %s was expected", w, either(words))}
}

// either lists what is possible: "A, B or C".
func either(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// Number takes the next word, which must be a whole number from 0 to most.
func Number(r *Reader, most int) (int, *rule.Violation) {
	w := r.Next()
	if w == "" {
		return 0, &rule.Violation{Why: "a number is missing at the end"}
	}
	n, err := strconv.Atoi(w)
	if err != nil || n < 0 || n > most {
		return 0, &rule.Violation{Why: fmt.Sprintf("%q stands where a number was expected", w)}
	}
	return n, nil
}

// pauseIf begins the value of a MODE line that names triggers.
const pauseIf = "PAUSE-IF"

// The words of a MODE line that names chits, and what else is to be asked for.
const (
	ask  = "ASK"
	when = "WHEN"
)

// within is how long a side wants to be waited for, at the end of what a MODE line asks for.
var within = regexp.MustCompile(`(?i)[\s,]+WITHIN\s+([1-9][0-9]{0,2}[hd])\b`)

// CutWithin parts the value of a MODE line from how long the side wants to be waited for when it
// is asked, as MODE: ASK 2PZ WITHIN 6H has it: "6h", "" for what the game has agreed.
func CutWithin(mode string) (rest, term string) {
	at := within.FindStringSubmatchIndex(mode)
	if at == nil {
		return mode, ""
	}
	return mode[:at[0]] + mode[at[1]:], strings.ToLower(mode[at[2]:at[3]])
}

// asksOf parts what stands behind ASK: the chits that are named, and the triggers behind WHEN.
func asksOf(mode string) (chits, triggers []orders.Word, asks bool) {
	mode, _ = CutWithin(mode)
	written := Read(mode)
	if written.Verb() != ask {
		return nil, nil, false
	}
	words := written.Flat()[1:]
	if k := slices.IndexFunc(words, func(w orders.Word) bool { return w.Text == when }); k >= 0 {
		return words[:k], words[k+1:], true
	}
	return words, nil, true
}

// AskedChits are the chits that a side wants to be asked about, as MODE: ASK 2PZ, DIV has them
// in its value; kinds are the questions that a mode may name in their place. Asks tells that
// the mode begins with ASK.
func AskedChits(mode string, kinds []string, named func(name string) (string, *rule.Violation)) (chits []string, asks bool, v *rule.Violation) {
	words, _, asks := asksOf(mode)
	if len(words) == 0 || slices.Contains(kinds, strings.ToLower(words[0].Text)) {
		return nil, asks, nil
	}
	for _, part := range Parts(words) {
		chit, v := named(Join(part))
		if v != nil {
			return chits, asks, v
		}
		chits = append(chits, chit)
	}
	return chits, asks, nil
}

// Triggers reads what a side wants to be asked for, as MODE: PAUSE-IF 2135 FALLS, TANKS
// or MODE: ASK 2PZ WHEN 2135 FALLS have it in their value; nothing for another mode. fixed are the triggers that are written
// in one way alone, other reads the rest, and help tells them all. What was read before
// a fault is returned beside it.
func Triggers[T any](mode string, fixed map[string]T, other func(*Reader) (T, *rule.Violation), help string) (out []T, v *rule.Violation) {
	mode, _ = CutWithin(mode)
	_, words, asks := asksOf(mode)
	if written := Read(mode); written.Verb() == pauseIf {
		words = written.Flat()[1:]
	} else if !asks {
		return nil, nil
	}
	for _, part := range Parts(words) {
		text := Join(part)
		if t, known := fixed[text]; known {
			out = append(out, t)
			continue
		}
		r := New(part)
		t, v := other(&r)
		if v != nil {
			v.Instead = help
			return out, v
		}
		out = append(out, t)
		if !r.End() {
			return out, &rule.Violation{Why: fmt.Sprintf("the trigger %q is not understood", text), Instead: help}
		}
	}
	return out, nil
}

// Falls reads the trigger 2135 FALLS.
func Falls(b *board.Board, r *Reader) (h hex.Hex, v *rule.Violation) {
	text := Join(r.Words)
	if h, v = Place(b, r); v == nil && !r.Skip("FALLS") {
		v = &rule.Violation{Why: fmt.Sprintf("the trigger %q is not understood", text)}
	}
	return h, v
}
