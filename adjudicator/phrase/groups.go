package phrase

import (
	"iter"
	"slices"
	"strings"

	"fieldpost/orders"
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

// apart is a list of names with those apart that Together put together: "1+2/1Mot" names
// 1/1Mot and 2/1Mot.
func apart(list []orders.Word) []orders.Word {
	joined := func(w orders.Word) bool { return strings.Contains(w.Text, "+") }
	if !slices.ContainsFunc(list, joined) {
		return list
	}
	var out []orders.Word
	for _, part := range Parts(list) {
		if !slices.ContainsFunc(part, joined) {
			out = append(out, part...)
			continue
		}
		text, tail := Join(part), ""
		if i := strings.LastIndexByte(text, '/'); i >= 0 {
			tail = text[i:]
		}
		for i, name := range strings.Split(text, "+") {
			if !strings.Contains(name, "/") {
				name += tail
			}
			for j, w := range asWords(name) {
				w.Pos, w.Comma = part[0].Pos, j == 0 && (i > 0 || part[0].Comma)
				out = append(out, w)
			}
		}
	}
	return out
}
