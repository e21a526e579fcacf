package scenarios

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"fieldpost/adjudicator/table"
)

// Provenance lists a scenario's files and where their values are from: the book,
// or our reconstruction.
func (p *Pack) Provenance() ([]File, error) {
	files, err := p.Sources()
	if err != nil {
		return nil, err
	}
	var out []File
	for _, f := range files {
		if path.Ext(f.Name) == ".md" {
			continue
		}
		_, text, err := p.Read(f.Name)
		if err != nil {
			return nil, err
		}
		f.From = from(f.Name, text)
		out = append(out, f)
	}
	return out, nil
}

// from says where the values of a file are from: by the marks of its rows, or by
// the word in its comments for all of them.
func from(name string, text []byte) string {
	if path.Ext(name) == ".tsv" {
		s, err := table.ParseSheet(name, text)
		if err != nil {
			return "cannot be read"
		}
		var parts []string
		for _, column := range []string{"source", "named", "figures"} {
			if !slices.Contains(s.Columns, column) {
				continue
			}
			t := tally(s.Rows, column)
			if column != "source" {
				t = column + ": " + t
			}
			parts = append(parts, t)
		}
		if parts != nil {
			return strings.Join(parts, "; ")
		}
	}
	var head strings.Builder
	for _, line := range strings.Split(string(text), "\n") {
		if c, ok := strings.CutPrefix(line, "#"); ok {
			head.WriteString(strings.ToLower(c))
		}
	}
	words := head.String()
	for _, w := range []struct{ in, says string }{
		{"all cells: book", "book"}, {"all cells: reconstruction", "reconstruction"}, {"all values: book", "book"}, {"all values: reconstruction", "reconstruction"},
		{"source: book", "book"}, {"source: reconstruction", "reconstruction"},
		{"values are the book's unless", "book, but where a comment says otherwise"},
	} {
		if strings.Contains(words, w.in) {
			return w.says
		}
	}
	return "not said"
}

// tally counts the marks of a column: "book 14, reconstruction 3", or one word
// where all rows agree.
func tally(rows []table.Row, column string) string {
	count := map[string]int{}
	var marks []string
	for _, r := range rows {
		m := r.Text(column)
		if m == "" || m == "-" {
			m = "not said"
		}
		if count[m]++; count[m] == 1 {
			marks = append(marks, m)
		}
	}
	slices.Sort(marks)
	for i, m := range marks {
		if len(marks) > 1 {
			marks[i] = fmt.Sprintf("%s %d", m, count[m])
		}
	}
	return strings.Join(marks, ", ")
}
