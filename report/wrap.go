package report

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// columns is the width of the text part.
const columns = 80

// wrap breaks a text at blanks into lines of at most width characters. Only a
// word that is longer than a line is broken, behind a hyphen: a path.
func wrap(s string, width int) []string {
	var out []string
	var line []byte
	n := 0
	for _, w := range breakable(strings.Fields(s), width) {
		k := utf8.RuneCountInString(w)
		if n > 0 && n+1+k > width {
			out = append(out, string(line))
			line, n = line[:0], 0
		}
		if n > 0 {
			line = append(line, ' ')
			n++
		}
		line = append(line, w...)
		n += k
	}
	if n > 0 || len(out) == 0 {
		out = append(out, string(line))
	}
	return out
}

// breakable breaks what is longer than a line behind hyphens.
func breakable(words []string, width int) []string {
	if !slices.ContainsFunc(words, func(w string) bool { return len(w) > width }) {
		return words
	}
	var out []string
	for _, w := range words {
		for len(w) > width {
			cut := strings.LastIndexByte(w[:width], '-') + 1
			if cut == 0 {
				break
			}
			out, w = append(out, w[:cut]), w[cut:]
		}
		out = append(out, w)
	}
	return out
}

// pad fills a text with blanks up to a width.
func pad(s string, width int) string {
	if n := utf8.RuneCountInString(s); n < width {
		return s + strings.Repeat(" ", width-n)
	}
	return s
}

// page is a text being written.
type page struct{ strings.Builder }

func (p *page) line(s string) {
	p.WriteString(strings.TrimRight(s, " "))
	p.WriteByte('\n')
}

// narrowest is the least room that a text has behind its lead.
const narrowest = 24

// hang writes a text behind a lead; further lines are indented to match. Below a lead that
// leaves no room it begins on a line of its own.
func (p *page) hang(lead, s string) {
	indent := utf8.RuneCountInString(lead)
	if indent > columns-narrowest && s != "" {
		for _, l := range wrap(lead, columns) {
			p.line(l)
		}
		lead, indent = "      ", 6
	}
	for i, l := range wrap(s, columns-indent) {
		if i > 0 {
			lead = strings.Repeat(" ", indent)
		}
		p.line(lead + l)
	}
}

// kept is like hang but leaves the text's own blanks alone while it fits: tables
// of a wording keep their columns.
func (p *page) kept(indent, s string) {
	if utf8.RuneCountInString(indent)+utf8.RuneCountInString(s) <= columns {
		p.line(indent + s)
		return
	}
	p.hang(indent, s)
}

// table writes rows as columns two blanks apart; the last column wraps.
func (p *page) table(indent string, head []string, rows [][]string) {
	width := make([]int, len(head))
	for _, r := range append([][]string{head}, rows...) {
		for i, c := range r {
			if k := utf8.RuneCountInString(c); k <= columns-2*narrowest {
				width[i] = max(width[i], k)
			}
		}
	}
	for i, r := range append([][]string{head}, rows...) {
		if i == 0 && strings.Join(head, "") == "" {
			continue
		}
		lead := indent
		for k := range len(r) - 1 {
			lead += pad(r[k], width[k]) + "  "
		}
		p.hang(lead, r[len(r)-1])
	}
}

// spaced breaks a long hexadecimal number into groups of four digits.
func spaced(hex string) string {
	var out []string
	for len(hex) > 4 {
		out = append(out, hex[:4])
		hex = hex[4:]
	}
	return strings.Join(append(out, hex), " ")
}

// Sentence begins with a capital and ends with a full stop.
func Sentence(s string) string {
	if s = strings.TrimSpace(s); s == "" {
		return s
	}
	s = strings.ToUpper(s[:1]) + s[1:]
	if !strings.ContainsAny(s[len(s)-1:], ".!?:") {
		s += "."
	}
	return s
}
