package store

import (
	"errors"
	"fmt"
	"strings"
)

// Damage is one record that cannot be read.
type Damage struct {
	What string // "game", "mail", "queue", "note"
	ID   string
	Err  error
}

func (d Damage) String() string { return fmt.Sprintf("%s %s: %v", d.What, d.ID, d.Err) }

// DamagedRecords is the error of a list some of whose records are damaged. The list is
// returned beside it without them, so that one flipped bit costs one record and not
// all. It is ErrDamaged.
type DamagedRecords []Damage

func (d DamagedRecords) Error() string {
	var lines []string
	for _, one := range d {
		lines = append(lines, one.String())
	}
	return strings.Join(lines, "; ")
}

// Is tells errors.Is that it is ErrDamaged.
func (d DamagedRecords) Is(target error) bool { return target == ErrDamaged }

// Skip notes a record that is damaged or lost, so that the list goes on with the next
// one. Any other error it hands back. A bit in the byte of the encoding can make a value
// look newer; of a store that really is, Open does not get this far.
func (d *DamagedRecords) Skip(what, id string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrDamaged), errors.Is(err, ErrNewer), errors.Is(err, ErrNotFound):
		*d = append(*d, Damage{what, id, err})
		return nil
	}
	return err
}

// Err is the error of the list, nil if all could be read.
func (d DamagedRecords) Err() error {
	if len(d) == 0 {
		return nil
	}
	return d
}
