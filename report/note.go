package report

import "strings"

// Note is a short answer to a command: a few sentences, and a block of text as it
// stands (a sheet, a list).
type Note struct {
	Game, Title string
	// About is what the answer is about, for the subject.
	About string
	// Says are the paragraphs.
	Says []string
	// Block is shown as it is, in letters of one width.
	Block string
	// Then are paragraphs below the block.
	Then []string
	// Maps are the pictures in the HTML part.
	Maps []Picture
}

// Subject is the mail's subject.
func (n *Note) Subject() string {
	if n.Game == "" {
		return n.About
	}
	return "[" + n.Game + "] " + n.About
}

// Text is the answer as plain text.
func (n *Note) Text() string {
	p := &page{}
	for _, s := range n.Says {
		p.hang("", s)
		p.line("")
	}
	if n.Block != "" {
		p.WriteString(strings.TrimRight(n.Block, "\n") + "\n")
	}
	for i, s := range n.Then {
		if i > 0 || n.Block != "" {
			p.line("")
		}
		p.hang("", s)
	}
	return p.String()
}

// HTML is the answer for a mail client that shows HTML.
func (n *Note) HTML() string {
	m := &markup{}
	m.open(n.Subject())
	m.tag("h1", titleStyle, strings.TrimSpace(n.Title+" "+n.Game))
	for _, s := range n.Says {
		m.tag("p", "margin:6px 0;", s)
	}
	for _, p := range n.Maps {
		m.picture(p.CID, p.Title)
	}
	if n.Block != "" {
		m.pre(strings.TrimRight(n.Block, "\n"))
	}
	for _, s := range n.Then {
		m.tag("p", "margin:6px 0;", s)
	}
	m.close()
	return m.String()
}
