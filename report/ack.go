package report

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Ack acknowledges an order sheet: what stands, what does not and why.
type Ack struct {
	Game, Title, Side string
	Turn              int
	Date              string
	Serial            int
	// Replaces is the serial of the sheet that this one replaces, 0 for none.
	Replaces int
	// Checked tells that the sheet was only judged, and nothing filed.
	Checked bool
	// Map is the Content-ID of a preview in the HTML part; empty for none.
	Map string
	// Refused says in a sentence why the whole sheet counts for nothing; it is
	// empty for a filed one. Instead says what to do.
	Refused, Instead string
	// Fate is what became of a sheet that is filed, Doubts what a held one is held for.
	Fate   Fate
	Doubts []string
	// Finishes is the sheet with orders that a bare DONE finishes, 0 for none.
	Finishes int
	// Part tells that the writer is one of several commanders, whose DONE does not end the
	// side's turn by itself.
	Part bool
	// Answer tells that the sheet answers a question, and holds no orders.
	Answer bool
	// Later tells that the answer may be read long after the sheet was filed.
	Later bool `json:",omitempty"`
	// Mail is the mail in the outbox that is this answer, if none tells it before; "" for none.
	Mail string `json:",omitempty"`
	// At is when a second thought is over, In how long that is, By the deadline: in words.
	At, In, By string
	// Reply says how to finish what is filed, Done the lines to send for it.
	Reply string
	Done  []string
	Lines []Line
	// Digest is the sheet's SHA-256, Key the fingerprint of the key that signed it.
	Digest, Key string
	// Next says what happens next, a sentence each.
	Next []string
}

// Line is an order of the sheet and the verdict on it. A line without a number is
// a remark on the sheet as a whole, in its Warning, or in Understood if nobody need look.
type Line struct {
	Number, Column int
	// Part is, from 1, the number of an order that the line of the sheet stands for, 0 for the
	// line itself.
	Part       int
	Order      string // as the player wrote it
	Understood string
	Warning    string // it stands, but the player should look
	Refused    bool
	// At is where the fault is, in words, if it is not the order as a whole.
	At      string
	Clause  string
	Reason  string
	Instead string
}

// place is the line's number on the sheet, nothing for a remark.
func (l *Line) place() string {
	if l.Number == 0 {
		return ""
	}
	if l.Part > 0 {
		return fmt.Sprintf("%d.%d", l.Number, l.Part)
	}
	return fmt.Sprint(l.Number)
}

// mark is the sign before a line's verdict.
func (l *Line) mark() string {
	switch {
	case l.Refused:
		return "XX"
	case l.Warning != "":
		return "!!"
	}
	return "OK"
}

// verdict is what stands beside the order, a paragraph each.
func (l *Line) verdict() []string {
	var out []string
	add := func(s string) {
		if s != "" {
			out = append(out, s)
		}
	}
	add(l.Understood)
	if l.Refused {
		reason := l.Reason
		if l.Clause != "" {
			reason = l.Clause + ": " + reason
		}
		if l.At != "" {
			reason = l.At + ": " + reason
		}
		add(reason)
		add(l.Instead)
	}
	add(l.Warning)
	return out
}

// tally counts the lines that stand, are refused, and need a look.
func (a *Ack) tally() (stand, refused, look int) {
	for i := range a.Lines {
		mark := a.Lines[i].mark()
		if a.Lines[i].Part > 0 {
			continue // it is counted with the line that stands for it
		}
		if a.Lines[i].Number == 0 { // a remark on the whole sheet
			if mark != "OK" {
				look++
			}
			continue
		}
		switch mark {
		case "XX":
			refused++
		case "!!":
			look++
			stand++
		default:
			stand++
		}
	}
	return stand, refused, look
}

// Subject is the mail's subject: filed or refused, and what needs the player.
func (a *Ack) Subject() string {
	s := fmt.Sprintf("[%s] sheet %d: ", a.Game, a.Serial)
	if a.Checked {
		stand, refused, look := a.tally()
		s = fmt.Sprintf("[%s] CHECKED, nothing filed: %s", a.Game, count(stand, "order")+" would be accepted")
		if refused+look > 0 {
			s += fmt.Sprintf(", %d to look at", refused+look)
		}
		return s
	}
	if a.Refused != "" {
		return s + "NOT FILED"
	}
	return fmt.Sprintf("[%s] %s", a.Game, a.subject())
}

// opening says in a sentence or two what became of the sheet.
func (a *Ack) opening() []string {
	name := fmt.Sprintf("Your sheet %d for turn %d", a.Serial, a.Turn)
	if a.Date != "" {
		name += " (" + a.Date + ")"
	}
	if a.Refused != "" {
		out := []string{name + " is refused: " + a.Refused + "."}
		if a.Instead != "" {
			out = append(out, a.Instead)
		}
		return out
	}
	if a.Checked {
		return []string{fmt.Sprintf("Your sheet for turn %d was checked. Nothing is filed.", a.Turn)}
	}
	return a.fate()
}

// filed tells whether the sheet was taken.
func (a *Ack) filed() bool { return a.Refused == "" && !a.Checked }

// signs explains the signs before the verdicts.
const signs = "XX not accepted (the others are)     !! accepted, but worth a look"

// Columns of the table of orders in the text.
const (
	orderColumn   = 34
	verdictColumn = columns - 6 - orderColumn - 6
)

// Text is the acknowledgement as plain text.
func (a *Ack) Text() string {
	p := &page{}
	for _, s := range a.opening() {
		p.hang("", s)
	}
	if a.filed() {
		numbered(p, a.Doubts)
		for _, s := range a.confirm() {
			p.hang("", s)
		}
		indented(p, a.doneBlock())
	}
	p.line("")
	a.textLines(p)
	for _, n := range a.Next {
		p.hang("", n)
	}
	if len(a.Next) > 0 {
		p.line("")
	}
	if a.Digest != "" {
		p.hang("Sheet digest  ", spaced(a.Digest))
	}
	if a.Key != "" {
		p.line("Signed with   " + a.Key)
	}
	return p.String()
}

// textLines writes the table of the sheet's lines.
func (a *Ack) textLines(p *page) {
	if len(a.Lines) == 0 {
		return
	}
	p.line(" line  " + pad("order", orderColumn+4) + "what will happen")
	for i := range a.Lines {
		a.Lines[i].text(p)
	}
	if _, refused, look := a.tally(); refused+look > 0 {
		p.line("")
		p.line(signs)
	}
	p.line("")
}

// text writes a line with its verdict beside it.
func (l *Line) text(p *page) {
	left := wrap(l.Order, orderColumn)
	var right []string
	for _, s := range l.verdict() {
		right = append(right, wrap(s, verdictColumn)...)
	}
	for i := range max(len(left), len(right)) {
		no, mark, a, b := "", "", "", ""
		if i == 0 {
			no, mark = l.place(), l.mark()
		}
		if i < len(left) {
			a = left[i]
			if i > 0 && utf8.RuneCountInString(a)+2 <= orderColumn {
				a = "  " + a
			}
		}
		if i < len(right) {
			b = right[i]
		}
		p.line(fmt.Sprintf("%5s  %s %-2s %s", no, pad(a, orderColumn), mark, b))
	}
}

// HTML is the acknowledgement for a mail client that shows HTML.
func (a *Ack) HTML() string {
	m := &markup{}
	m.open(a.Subject())
	m.tag("h1", titleStyle, strings.TrimSpace(a.Title+" "+a.Game))
	style := dueStyle
	if good := a.Refused == "" && a.Fate != Held; good {
		style = strings.Replace(dueStyle, "#c8372d", "#3c8a4a", 1)
	}
	m.tag("div", style, strings.Join(a.opening(), " "))
	if a.filed() {
		list, rest := listed(a.Doubts)
		for i, d := range list {
			m.tag("p", "margin:4px 0 4px 1.5em;", fmt.Sprintf("%d. %s", i+1, d))
		}
		if rest != "" {
			m.tag("p", "margin:4px 0 4px 1.5em;", rest)
		}
		for _, s := range a.confirm() {
			m.tag("p", "margin:4px 0;", s)
		}
		if lines := a.doneBlock(); len(lines) > 0 {
			m.tag("pre", monoStyle, strings.Join(lines, "\n"))
		}
	}
	a.htmlLines(m)
	if a.Map != "" {
		m.picture(a.Map, "Where these moves would lead")
	}
	for _, n := range a.Next {
		m.tag("p", "margin:4px 0;", n)
	}
	if a.Digest != "" {
		m.tag("p", monoStyle+quietStyle, "Sheet digest "+spaced(a.Digest))
	}
	if a.Key != "" {
		m.tag("p", monoStyle+quietStyle, "Signed with "+a.Key)
	}
	m.close()
	return m.String()
}

// htmlLines writes the table of the sheet's lines.
func (a *Ack) htmlLines(m *markup) {
	if len(a.Lines) == 0 {
		return
	}
	var rows [][]cell
	for i := range a.Lines {
		l := &a.Lines[i]
		colour := map[string]string{"XX": badStyle, "!!": lookStyle, "OK": goodStyle}[l.mark()]
		says := cell{strings.Join(l.verdict(), " "), ""}
		rows = append(rows, []cell{{l.place(), quietStyle}, {l.Order, monoStyle}, {l.mark(), colour}, says})
	}
	m.table([]string{"line", "order", "", "what will happen"}, rows)
	if _, refused, look := a.tally(); refused+look > 0 {
		m.tag("p", quietStyle, signs)
	}
}
