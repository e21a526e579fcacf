package table

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
)

// Loader reads the files of a scenario and collects the faults of all of them.
type Loader struct {
	Src    Source
	Errs   []error // faults outside of tables
	sheets []*Sheet
}

// Err joins all faults, those of the tables that were read included.
func (l *Loader) Err() error {
	errs := slices.Clone(l.Errs)
	for _, s := range l.sheets {
		errs = append(errs, s.Errors()...)
	}
	return errors.Join(errs...)
}

// Decode reads a TOML file.
func (l *Loader) Decode(name string, v any) {
	if err := l.Src.Decode(name, v); err != nil {
		l.Errs = append(l.Errs, err)
	}
}

// Rows reads a table; none if the file or one of its columns is missing.
func (l *Loader) Rows(name string, want ...string) []Row {
	s, err := ReadSheet(l.Src, name, want...)
	if err != nil {
		l.Errs = append(l.Errs, err)
		return nil
	}
	l.sheets = append(l.sheets, s)
	for _, w := range want {
		if !slices.Contains(s.Columns, w) {
			return nil
		}
	}
	return s.Rows
}

// Optional reads a table that need not be there.
func (l *Loader) Optional(name string, want ...string) []Row {
	if _, _, err := l.Src.Read(name); err != nil {
		return nil
	}
	return l.Rows(name, want...)
}

// FaultAt records a fault of a file that is no table, at the place where a value is
// written; at its first line if no single line is to blame, with value "".
func (l *Loader) FaultAt(name, value, format string, a ...any) {
	path, text, err := l.Src.Read(name)
	if err != nil {
		l.Errs = append(l.Errs, err)
		return
	}
	e := &Error{File: path, Line: 1, Why: fmt.Sprintf(format, a...)}
	for i, line := range strings.Split(string(text), "\n") {
		if at := strings.Index(line, value); at >= 0 && value != "" && !strings.HasPrefix(line, "#") {
			e.Line, e.Col = i+1, at+1
			break
		}
	}
	l.Errs = append(l.Errs, e)
}

// Hexes reads a field of hex numbers parted by blanks; on tells which are on the map.
func Hexes(r Row, column string, on func(hex.Hex) bool) []hex.Hex {
	var out []hex.Hex
	for _, t := range r.Fields(column) {
		h, err := hex.Parse(t)
		switch {
		case err != nil:
			r.Fault(column, "%v", err)
		case !on(h):
			r.Fault(column, "hex %v is not on the map", h)
		default:
			out = append(out, h)
		}
	}
	if out == nil {
		r.Fault(column, "no hexes")
	}
	return out
}
