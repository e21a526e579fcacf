// Package charts prints what lies beside the map at the table: as text for mails and
// terminals, and as a page to print.
package charts

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"fieldpost/adjudicator/view"
)

// Text prints charts in columns.
func Text(w io.Writer, title string, all []view.Chart) error {
	var out strings.Builder
	out.WriteString(title + "\n")
	for _, c := range all {
		writeChart(&out, c)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func writeChart(out *strings.Builder, c view.Chart) {
	out.WriteString("\n" + strings.ToUpper(c.Title))
	if c.Clause != "" {
		fmt.Fprintf(out, " (%s)", c.Clause)
	}
	out.WriteString("\n")
	rows := append([][]string{c.Head}, c.Rows...)
	widths := make([]int, len(c.Head))
	for _, r := range rows {
		for i, cell := range r {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, r := range rows {
		var line strings.Builder
		for i, cell := range r {
			gap := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if figures(c, i) {
				line.WriteString(gap + cell + "  ")
			} else {
				line.WriteString(cell + gap + "  ")
			}
		}
		out.WriteString("  " + strings.TrimRight(line.String(), " ") + "\n")
	}
	for _, n := range c.Notes {
		out.WriteString("  " + n + "\n")
	}
}

// figures tells whether a column has figures only, which stand to the right.
func figures(c view.Chart, column int) bool {
	return !slices.ContainsFunc(c.Rows, func(r []string) bool { return strings.Trim(r[column], "0123456789+-/< ") != "" })
}

//go:embed page.html
var pageHTML string

var page = template.Must(template.New("page").Funcs(template.FuncMap{"figures": figures}).Parse(pageHTML))

// HTML prints charts as a page that needs nothing else and fits on A4.
func HTML(w io.Writer, title string, all []view.Chart) error {
	return page.Execute(w, struct {
		Title  string
		Charts []view.Chart
	}{title, all})
}
