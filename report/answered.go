package report

import (
	"fmt"
	"slices"
	"strings"
)

// textAnswered writes what became of the sheets that have no answer of their own, and what was
// understood of their lines. A report that is told short has only the lines to look at here, and all
// of them below, with the rest that is told in full.
func (r *Report) textAnswered(p *page) {
	for _, a := range r.Answered {
		says := strings.Join(a.fate(), " ")
		if !r.tellsInShort(a) {
			p.hang(a.ofSheet(), says)
			a.textLines(p)
			continue
		}
		if a.Fate == Played { // what came of its lines is told
			p.hang(a.ofSheet(), a.playedInShort())
			continue
		}
		looks := a.toLookAt()
		short := min(looksInShort, len(looks))
		p.hang(a.ofSheet(), says+a.whereAllStand(len(looks)-short))
		for _, l := range looks[:short] {
			p.hang(fmt.Sprintf("%5s  %s ", l.place(), l.mark()), l.inShort())
		}
		p.line("")
	}
}

// playedInShort says of a sheet whose turn has been played how its lines were judged.
func (a *Ack) playedInShort() string {
	stand, refused, look := a.tally()
	says := fmt.Sprintf("played; %d accepted", stand)
	if refused > 0 {
		says += fmt.Sprintf(", %d refused", refused)
	}
	if look > 0 {
		says += fmt.Sprintf(", %d worth a look", look)
	}
	return says + ": line by line below"
}

// ofSheet is the heading of what is told of a sheet.
func (a *Ack) ofSheet() string { return fmt.Sprintf("YOUR SHEET %-4d", a.Serial) }

// looksInShort is how many lines of a sheet a report that is told short has above its fold.
const looksInShort = 8

// tellsInShort tells whether the report has the lines of a sheet below its fold, and above it only
// some that are to be looked at.
func (r *Report) tellsInShort(a *Ack) bool { return r.Brief != nil && len(a.Lines) > looksInShort }

// whereAllStand leads to the lines of a sheet; more is how many to look at stand nowhere else.
func (a *Ack) whereAllStand(more int) string {
	if more > 0 {
		return fmt.Sprintf(" All of its lines are below, in full; %d more are worth a look.", more)
	}
	return " All of its lines are below, in full."
}

// textAnsweredInFull writes what was understood of all lines of these sheets.
func (r *Report) textAnsweredInFull(p *page) {
	for _, a := range r.Answered {
		if r.tellsInShort(a) {
			p.line(fmt.Sprintf("YOUR SHEET %d, LINE BY LINE", a.Serial))
			a.textLines(p)
		}
	}
}

func (r *Report) htmlAnswered(m *markup) {
	for _, a := range r.Answered {
		m.section(fmt.Sprintf("Your sheet %d", a.Serial))
		m.tag("p", "margin:2px 0;", strings.Join(a.fate(), " "))
		if r.tellsInShort(a) {
			looks := *a
			looks.Lines = a.toLookAt()
			a = &looks
		}
		a.htmlLines(m)
	}
}

func (r *Report) htmlAnsweredInFull(m *markup) {
	for _, a := range r.Answered {
		if !r.tellsInShort(a) {
			continue
		}
		m.section(fmt.Sprintf("Your sheet %d, line by line", a.Serial))
		a.htmlLines(m)
	}
}

// toLookAt are the lines that are not as their writer will have wanted them.
func (a *Ack) toLookAt() []Line {
	return slices.DeleteFunc(slices.Clone(a.Lines), func(l Line) bool { return l.mark() == "OK" })
}

// inShort is an order, and what there is to look at.
func (l *Line) inShort() string {
	says := l.Warning
	if l.Refused {
		says = strings.Join(l.verdict(), " ")
	}
	if l.Order == "" {
		return says
	}
	return l.Order + ": " + says
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
