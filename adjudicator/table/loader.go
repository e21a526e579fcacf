package table

import (
	"errors"
	"fmt"
	"slices"

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

// Fault records a fault of a file that is no table.
func (l *Loader) Fault(path string, line, col int, format string, a ...any) {
	l.Errs = append(l.Errs, &Error{File: path, Line: line, Col: col, Why: fmt.Sprintf(format, a...)})
}

// Whole is a fault of a file that no single line is to blame for.
func (l *Loader) Whole(name, why string) error {
	path, _, err := l.Src.Read(name)
	if err != nil {
		return err
	}
	return &Error{File: path, Line: 1, Why: why}
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
