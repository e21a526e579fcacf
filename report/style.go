package report

import (
	"fmt"
	"html"
	"strings"
)

// The styles of the HTML parts. Mail clients keep only what stands inline, and
// in dark mode they turn colours about: so text and background keep the client's
// own colours, and only accents are ours, in tones that show on both.
const (
	bodyStyle  = "margin:0;padding:12px;font-family:Verdana,'DejaVu Sans',Arial,sans-serif;font-size:14px;line-height:1.45;"
	titleStyle = "margin:0 0 2px 0;font-family:Georgia,'Times New Roman',serif;font-size:24px;line-height:1.2;"
	headStyle  = "margin:22px 0 6px 0;padding:0 0 3px 0;border-bottom:2px solid #a8894a;font-size:13px;letter-spacing:1px;"
	phaseStyle = "margin:12px 0 2px 0;font-weight:bold;color:#a07a2c;"
	quietStyle = "color:#8a8373;"
	cellStyle  = "border-bottom:1px solid #cfc6ad;"
	monoStyle  = "font-family:'DejaVu Sans Mono',Consolas,Menlo,monospace;font-size:12px;"
	dueStyle   = "margin:12px 0;padding:8px 12px;border-left:5px solid #c8372d;border-top:1px solid #cfc6ad;border-bottom:1px solid #cfc6ad;"
	badStyle   = "color:#d0301a;font-weight:bold;"
	goodStyle  = "color:#3c8a4a;font-weight:bold;"
	lookStyle  = "color:#c08a10;font-weight:bold;"
)

// markup is an HTML page being written.
type markup struct{ strings.Builder }

func esc(s string) string { return html.EscapeString(s) }

// open begins the page.
func (m *markup) open(title string) {
	m.Grow(16 << 10) // most mails are about that long
	fmt.Fprintf(m, `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>%s</title></head>
<body style="%s">
`, esc(title), bodyStyle)
}

func (m *markup) close() { m.WriteString("</body></html>\n") }

// tag writes an element with a style around a text.
func (m *markup) tag(name, style, text string) {
	m.WriteString("<" + name + " style=\"" + style + "\">" + esc(text) + "</" + name + ">\n")
}

// section writes a section's title.
func (m *markup) section(title string) { m.tag("h2", headStyle, strings.ToUpper(title)) }

// cell is a cell of a table with a style of its own.
type cell struct{ text, style string }

// table writes a table with a head (which may be nil).
func (m *markup) table(head []string, rows [][]cell) {
	m.WriteString("<table role=\"presentation\" cellpadding=\"3\" cellspacing=\"0\" style=\"border-collapse:collapse;font-size:13px;\">\n")
	if head != nil {
		m.WriteString("<tr style=\"" + cellStyle + quietStyle + "\">")
		for _, h := range head {
			fmt.Fprintf(m, `<th align="left">%s</th>`, esc(h))
		}
		m.WriteString("</tr>\n")
	}
	for _, r := range rows {
		m.WriteString("<tr valign=\"top\" style=\"" + cellStyle + "\">")
		for _, c := range r {
			if c.style == "" {
				m.WriteString("<td>" + esc(c.text) + "</td>")
				continue
			}
			m.WriteString(`<td style="` + c.style + `">` + esc(c.text) + "</td>")
		}
		m.WriteString("</tr>\n")
	}
	m.WriteString("</table>\n")
}

func (m *markup) pictures(all []Picture) {
	for _, p := range all {
		m.picture(p.CID, p.Title)
	}
}

// picture shows a picture of the mail under its title.
func (m *markup) picture(cid, title string) {
	fmt.Fprintf(m, "<p style=\"margin:14px 0 2px 0;%s\">%s</p>\n<img src=\"cid:%s\" alt=\"%s\" style=\"display:block;max-width:100%%;height:auto;border:0;\">\n",
		quietStyle, esc(title), esc(cid), esc(title))
}

// pre writes a text that keeps its lines.
func (m *markup) pre(text string) {
	fmt.Fprintf(m, "<pre style=\"%smargin:6px 0;padding:8px 10px;border:1px solid #cfc6ad;white-space:pre-wrap;\">%s</pre>\n", monoStyle, esc(text))
}

// cells are plain cells.
func cells(texts ...string) []cell {
	var out []cell
	for _, t := range texts {
		out = append(out, cell{text: t})
	}
	return out
}
