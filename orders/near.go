package orders

import (
	"iter"
	"slices"
	"strings"
)

// MostNear is how many names are offered at the most for one that nobody has.
const MostNear = 3

// Near are the names, at most three, that a text may have been meant for that is none
// of them: those that differ least from the whole text, or from its beginning if more
// words follow. It is empty if none is near. Names and text are compared as they are
// written, and nothing is ever carried out by such a guess.
func Near(text string, names []string) (out []string) {
	texts := []string{text}
	for i := range len(text) {
		if text[i] == ' ' {
			texts = append(texts, text[:i])
		}
	}
	for _, i := range Nearest(texts, slices.Values(names)) {
		if len(out) < MostNear && !slices.Contains(out, names[i]) {
			out = append(out, names[i])
		}
	}
	return out
}

// Nearest are the places of the names that differ least from any of the texts, if they
// are near at all, in their order.
func Nearest(texts []string, names iter.Seq[string]) (out []int) {
	least := len(texts[0])
	i := 0
	for name := range names {
		for _, text := range texts {
			if most := min(least, mostEdits(text), mostEdits(name)); max(len(text)-len(name), len(name)-len(text)) > most {
				continue
			} else if n := distance(text, name); n < least && n <= most {
				least, out = n, append(out[:0], i)
			} else if n == least && n <= most && (len(out) == 0 || out[len(out)-1] != i) {
				out = append(out, i)
			}
		}
		i++
	}
	return out
}

// mostEdits is how many letters of a name may be wrong: none of one letter, one of up to
// four, two of up to eight, three of more.
func mostEdits(name string) int {
	switch n := len(name); {
	case n <= 1:
		return 0
	case n <= 4:
		return 1
	case n <= 8:
		return 2
	}
	return 3
}

// distance is the number of letters to change, insert or drop, or of neighbours to
// exchange, between two texts.
func distance(a, b string) int {
	older, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
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
		older, last = last, row
	}
	return last[len(b)]
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
