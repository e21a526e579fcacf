package mailbox

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// unflow undoes the soft line breaks and the stuffing of format=flowed (RFC
// 3676 section 4). A line that ends in a blank goes on in the next one of the
// same quote depth; delSp says that this blank is not part of the text. Quote
// marks are kept, one ">" a level and a blank behind them.
func unflow(text string, delSp bool) string {
	var out strings.Builder
	open, openDepth := false, 0 // a line that may go on
	for i, line := range strings.Split(text, "\n") {
		depth := len(line) - len(strings.TrimLeft(line, ">"))
		content := strings.TrimPrefix(line[depth:], " ")
		if !open || depth != openDepth {
			if i > 0 {
				out.WriteByte('\n')
			}
			if depth > 0 {
				out.WriteString(strings.Repeat(">", depth) + " ")
			}
		}
		// The signature separator is never soft, though it ends in a blank.
		open, openDepth = strings.HasSuffix(content, " ") && content != "-- ", depth
		if open && delSp {
			content = strings.TrimSuffix(content, " ")
		}
		out.WriteString(content)
	}
	return out.String()
}

// breaks are the elements that start and end a line when HTML is shown.
var breaks = map[atom.Atom]bool{
	atom.P: true, atom.Div: true, atom.Tr: true, atom.Li: true, atom.Ul: true, atom.Ol: true, atom.Pre: true,
	atom.Table: true, atom.Blockquote: true, atom.H1: true, atom.H2: true, atom.H3: true, atom.H4: true,
	atom.H5: true, atom.H6: true, atom.Hr: true, atom.Section: true, atom.Article: true, atom.Dd: true, atom.Dt: true,
}

// mayHide are the elements whose style is looked at: their ends are always written.
var mayHide = map[atom.Atom]bool{atom.Div: true, atom.Span: true, atom.Pre: true, atom.Blockquote: true, atom.Section: true, atom.Table: true}

// hides tells whether the style of an element keeps it from being shown.
func hides(z *html.Tokenizer) bool {
	for {
		name, value, more := z.TagAttr()
		if string(name) == "style" {
			style := strings.ToLower(strings.Join(strings.Fields(string(value)), ""))
			return strings.Contains(style, "display:none")
		}
		if !more {
			return false
		}
	}
}

// htmlText is the text of an HTML part as a reader would copy it: a line for
// each paragraph and break, nothing of scripts and styles. It is good enough
// to find a signed block in; it is not a renderer. Unseen is what a style hides.
func htmlText(source string) (shown, unseen string) {
	var out, under strings.Builder
	var hidden, pre int
	var hider atom.Atom // the element that hides what is in it, and how many of its kind are open
	open := 0
	z := html.NewTokenizer(strings.NewReader(source))
	for {
		to := &out
		if open > 0 {
			to = &under
		}
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return out.String(), under.String()
		case html.TextToken:
			if hidden == 0 {
				writeText(to, string(z.Text()), pre > 0)
			}
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			name, attributes := z.TagName()
			tag := atom.Lookup(name)
			step := 1
			if kind == html.EndTagToken {
				step = -1
			}
			switch {
			case tag == atom.Br, breaks[tag]:
				to.WriteByte('\n')
			case tag == atom.Td, tag == atom.Th:
				to.WriteByte(' ')
			}
			if kind == html.SelfClosingTagToken {
				continue
			}
			switch {
			case open > 0 && tag == hider:
				open += step
			case open == 0 && step > 0 && mayHide[tag] && attributes && hides(z):
				hider, open = tag, 1
			}
			switch tag {
			case atom.Script, atom.Style, atom.Title, atom.Template:
				hidden = max(0, hidden+step)
			case atom.Pre:
				pre = max(0, pre+step)
			}
		}
	}
}

var lineEnds = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ")

// writeText writes a run of text. Outside pre, line ends in the source are blanks.
func writeText(out *strings.Builder, text string, pre bool) {
	if !pre {
		text = lineEnds.Replace(text)
	}
	out.WriteString(text)
}
