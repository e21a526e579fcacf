package phrase

import (
	"iter"
	"slices"
	"strings"
)

// Groups collects entries below headings, both in the order in which they come. An entry
// stands once below a heading.
type Groups struct {
	heads   []string
	entries map[string][]string
}

// Add puts an entry below a heading.
func (g *Groups) Add(head, entry string) {
	if g.entries == nil {
		g.entries = map[string][]string{}
	}
	if _, ok := g.entries[head]; !ok {
		g.heads = append(g.heads, head)
	}
	if !slices.Contains(g.entries[head], entry) {
		g.entries[head] = append(g.entries[head], entry)
	}
}

// Of are the entries below a heading.
func (g *Groups) Of(head string) []string { return g.entries[head] }

// All are the headings with their entries.
func (g *Groups) All() iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		for _, h := range g.heads {
			if !yield(h, g.entries[h]) {
				return
			}
		}
	}
}

// Together lists units, those of one formation behind each other under its name once:
// "1+2/1Mot, HQ 2Pz".
func Together(names []string) string {
	var out []string
	last := ""
	for _, name := range names {
		tail := ""
		if i := strings.LastIndexByte(name, '/'); i >= 0 {
			tail = name[i:]
		}
		if n := len(out) - 1; tail != "" && tail == last {
			out[n] = strings.TrimSuffix(out[n], tail) + "+" + name
		} else {
			out = append(out, name)
		}
		last = tail
	}
	return strings.Join(out, ", ")
}
