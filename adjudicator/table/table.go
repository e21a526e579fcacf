// Package table reads the text tables that games are made of: tab-separated
// files whose first line after the comments names the columns. Errors name file,
// line and column. It knows no game.
package table

import (
	"fmt"
	"strconv"
	"strings"

	"fieldpost/adjudicator/hex"
)

// Source hands out the files of a scenario. A name is looked for in the
// scenario's own folder, then in its map's, then in its system's.
type Source interface {
	// Read returns a file's text and the path to quote in errors.
	Read(name string) (path string, text []byte, err error)
	// Decode reads a TOML file into v.
	Decode(name string, v any) error
}

// Error is a fault in a data file.
type Error struct {
	File      string
	Line, Col int // from 1; Col counts fields, 0 if the whole line is meant
	Why       string
}

func (e *Error) Error() string {
	if e.Col == 0 {
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Why)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Why)
}

// Sheet is a table with named columns. Reading a field that will not parse
// records an error and yields a zero, so that all faults are listed at once.
type Sheet struct {
	File    string
	Columns []string
	Rows    []Row
	errs    []error
}

// Row is one line of a Sheet.
type Row struct {
	sheet *Sheet
	Line  int
	cells []string
}

// ReadSheet reads a file from src. Every wanted column must be there.
func ReadSheet(src Source, name string, want ...string) (*Sheet, error) {
	path, text, err := src.Read(name)
	if err != nil {
		return nil, err
	}
	return ParseSheet(path, text, want...)
}

// ParseSheet reads a table. Empty lines and lines that begin with # are skipped.
func ParseSheet(path string, text []byte, want ...string) (*Sheet, error) {
	s := &Sheet{File: path}
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.TrimRight(line, "\r")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "\t")
		if s.Columns == nil {
			s.Columns = cells
			continue
		}
		if len(cells) != len(s.Columns) {
			s.errs = append(s.errs, &Error{path, i + 1, 0, fmt.Sprintf("%d fields, the heading has %d", len(cells), len(s.Columns))})
			continue
		}
		s.Rows = append(s.Rows, Row{s, i + 1, cells})
	}
	for _, w := range want {
		if s.column(w) < 0 {
			s.errs = append(s.errs, &Error{path, 1, 0, fmt.Sprintf("no column %q", w)})
		}
	}
	for i := range s.Rows {
		s.Rows[i].sheet = s
	}
	return s, nil
}

func (s *Sheet) column(name string) int {
	for i, c := range s.Columns {
		if c == name {
			return i
		}
	}
	return -1
}

// Errors lists every fault found so far: of layout, and of the fields read.
func (s *Sheet) Errors() []error { return s.errs }

// Fault records a fault of the row's named column.
func (r Row) Fault(column, format string, a ...any) {
	r.sheet.errs = append(r.sheet.errs, &Error{r.sheet.File, r.Line, r.sheet.column(column) + 1, fmt.Sprintf(format, a...)})
}

// Text is the field of a column, trimmed; "" if there is no such column.
func (r Row) Text(column string) string {
	i := r.sheet.column(column)
	if i < 0 {
		return ""
	}
	return strings.TrimSpace(r.cells[i])
}

// isEmpty tells whether a field says nothing: empty, or "-".
func isEmpty(field string) bool { return field == "" || field == "-" }

// Int is a whole number; an empty field or "-" is 0.
func (r Row) Int(column string) int {
	t := r.Text(column)
	if isEmpty(t) {
		return 0
	}
	n, err := strconv.Atoi(t)
	if err != nil {
		r.Fault(column, "%q is not a whole number", t)
	}
	return n
}

// Hex is a hex number; an empty field or "-" is hex.None.
func (r Row) Hex(column string) hex.Hex {
	t := r.Text(column)
	if isEmpty(t) {
		return hex.None
	}
	h, err := hex.Parse(t)
	if err != nil {
		r.Fault(column, "%v", err)
	}
	return h
}

// List is a field split at semicolons, each item trimmed; empty for "" and "-".
func (r Row) List(column string) []string {
	t := r.Text(column)
	if isEmpty(t) {
		return nil
	}
	var out []string
	for _, p := range strings.Split(t, ";") {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}

// Fields is a field split at blanks.
func (r Row) Fields(column string) []string { return strings.Fields(r.Text(column)) }

// OneOf is a field that must be one of the given words.
func (r Row) OneOf(column string, words ...string) string {
	t := r.Text(column)
	for _, w := range words {
		if t == w {
			return t
		}
	}
	r.Fault(column, "%q is none of %s", t, strings.Join(words, ", "))
	return ""
}
