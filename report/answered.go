package report

import (
	"fmt"
	"strings"
)

// textAnswered writes what was understood of the sheets that have no answer of their own.
func (r *Report) textAnswered(p *page) {
	for _, a := range r.Answered {
		p.hang("YOUR SHEET "+fmt.Sprintf("%-4d", a.Serial), strings.Join(a.fate(), " "))
		a.textLines(p)
	}
}

func (r *Report) htmlAnswered(m *markup) {
	for _, a := range r.Answered {
		m.section(fmt.Sprintf("Your sheet %d", a.Serial))
		m.tag("p", "margin:2px 0;", strings.Join(a.fate(), " "))
		a.htmlLines(m)
	}
}

// textAnsweredSeals are the digests of these sheets, and the keys that signed them.
func (r *Report) textAnsweredSeals(p *page) {
	for _, a := range r.Answered {
		p.hang("  "+pad(fmt.Sprintf("your sheet %d", a.Serial), 18), spaced(a.Digest))
		if a.Key != "" {
			p.line("  " + pad("", 18) + "signed with " + a.Key)
		}
	}
}
