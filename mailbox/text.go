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

// htmlText is the text of an HTML part as a reader would copy it: a line for
// each paragraph and break, nothing of scripts and styles. It is good enough
// to find a signed block in; it is not a renderer.
func htmlText(source string) string {
	var out strings.Builder
	var hidden, pre int
	z := html.NewTokenizer(strings.NewReader(source))
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return out.String()
		case html.TextToken:
			if hidden == 0 {
				writeText(&out, string(z.Text()), pre > 0)
			}
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			tag := atom.Lookup(name)
			step := 1
			if kind == html.EndTagToken {
				step = -1
			}
			switch {
			case tag == atom.Br, breaks[tag]:
				out.WriteByte('\n')
			case tag == atom.Td, tag == atom.Th:
				out.WriteByte(' ')
			}
			if kind == html.SelfClosingTagToken {
				continue
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

// writeText writes a run of text. Outside pre, line ends in the source are blanks.
func writeText(out *strings.Builder, text string, pre bool) {
	if !pre {
		text = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ").Replace(text)
	}
	out.WriteString(text)
}
