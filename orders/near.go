package orders

import (
	"slices"
	"strings"
)

// MostNear is how many names are offered at the most for one that nobody has.
const MostNear = 3

// Near are the names, at most three, that a text may have been meant for that is none
// of them: those that differ least from the whole text, or from its beginning if more
// words follow and the whole is near to none. It is empty if none is near. Names and text are compared as they are
// written, and nothing is ever carried out by such a guess.
func Near(text string, names []string) (out []string) {
	for _, i := range Nearest(beginnings(text), names) {
		if len(out) < MostNear && !slices.Contains(out, names[i]) {
			out = append(out, names[i])
		}
	}
	return out
}

// beginnings are a text, and what is left of it as words are taken off its end.
func beginnings(text string) []string {
	out := []string{text}
	for i := len(text) - 1; i > 0; i-- {
		if text[i] == ' ' {
			out = append(out, text[:i])
		}
	}
	return out
}

// Nearest are the places of the names that differ least from the first of the texts that
// any is near to.
func Nearest(texts, names []string) (out []int) {
	for _, text := range texts {
		least := mostEdits(text)
		for i, name := range names {
			most := min(least, mostEdits(name))
			if max(len(text)-len(name), len(name)-len(text)) > most {
				continue
			}
			n := distance(text, name)
			switch {
			case n > most:
				continue
			case n < least:
				least, out = n, out[:0]
			}
			out = append(out, i)
		}
		if len(out) > 0 {
			break
		}
	}
	return out
}

// mostEdits is how many letters of a name may be wrong: none of one letter, one of up to
// five, two of up to eight, three of more.
func mostEdits(name string) int {
	switch n := len(name); {
	case n <= 1:
		return 0
	case n <= 5:
		return 1
	case n <= 8:
		return 2
	}
	return 3
}

// distance is the number of letters to change, insert or drop, or of neighbours to
// exchange, between two texts.
func distance(a, b string) int {
	var room [3 * (shortText + 1)]int // three rows of texts as short as most are
	n := len(b) + 1
	rows := room[:]
	if n > shortText+1 {
		rows = make([]int, 3*n)
	}
	older, last, row := rows[:n], rows[n:2*n], rows[2*n:3*n]
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			row[j+1] = min(last[j+1], row[j]) + 1
			if a[i] == b[j] {
				row[j+1] = min(row[j+1], last[j])
			} else {
				row[j+1] = min(row[j+1], last[j]+1)
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], older[j-1]+1)
			}
		}
		older, last, row = last, row, older
	}
	return last[len(b)]
}

// shortText is how long a text is whose distance is found without room of its own.
const shortText = 20

// oneOff tells whether a single letter is wrong in a text that was meant for another one.
func oneOff(a, b string) bool {
	if apart := len(a) - len(b); apart < -1 || apart > 1 {
		return false
	}
	return distance(a, b) == 1
}

// DidYouMean asks for the names that were near: "Did you mean A, B or C?"; "" for none.
func DidYouMean(names []string) string {
	switch n := len(names); n {
	case 0:
		return ""
	case 1:
		return "Did you mean " + names[0] + "?"
	default:
		return "Did you mean " + strings.Join(names[:n-1], ", ") + " or " + names[n-1] + "?"
	}
}

// DidYouMeanOf asks for the texts that one is near to, "" for none.
func DidYouMeanOf(text string, among []string) string {
	upper := make([]string, len(among))
	for i, one := range among {
		upper[i] = strings.ToUpper(one)
	}
	return DidYouMean(Near(strings.ToUpper(text), upper))
}
