package phrase

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"fieldpost/orders"
)

// ErrMend says that an edit of a position cannot be made, or would leave a board
// that the rules do not know.
var ErrMend = errors.New("the edit cannot be made")

// Mends are what a moderator may write to mend a position, in every system.
const Mends = "PUT unit hex, STEPS unit number, REMOVE unit, or CONTROL hex side; units as SIDE unit where both sides have one of the name"

// Mend is a moderator's edit as it was read.
type Mend struct {
	Verb string
	Side string // before the unit's name, or of CONTROL; "" if none is named
	Unit string // the unit's name in capitals; of CONTROL the hex
	Last string // the hex of PUT, the number of STEPS
}

// ReadMend reads an edit of a position of these sides.
func ReadMend(text string, sides []string) (m Mend, err error) {
	bad := fmt.Errorf("%w: %q; write %s", ErrMend, text, Mends)
	o, err := orders.ParseOrder(strings.TrimSpace(orders.Canonical(text)))
	if err != nil || len(o.Clauses) != 1 || len(o.Clauses[0]) < 2 {
		return m, bad
	}
	words := o.Clauses[0]
	m.Verb = words[0].Text
	rest := words[1:]
	switch m.Verb {
	case "PUT", "STEPS":
		if len(rest) < 2 {
			return m, bad
		}
		m.Last, rest = rest[len(rest)-1].Text, rest[:len(rest)-1]
	case "REMOVE":
	case "CONTROL":
		if len(rest) != 2 {
			return m, bad
		}
		m.Unit, m.Side = rest[0].Text, rest[1].Text
		return m, nil
	default:
		return m, bad
	}
	for _, side := range sides {
		if len(rest) > 1 && strings.EqualFold(rest[0].Text, side) {
			m.Side, rest = side, rest[1:]
			break
		}
	}
	m.Unit = Join(rest)
	return m, nil
}

// Steps is the number of STEPS, from 1 to most.
func (m Mend) Steps(unit string, most int) (int, error) {
	n, err := strconv.Atoi(m.Last)
	if err != nil || n < 1 || n > most {
		return 0, fmt.Errorf("%w: %s has from 1 to %d steps, not %s; REMOVE takes it off", ErrMend, unit, most, m.Last)
	}
	return n, nil
}

// Found is the one unit that an edit names among those that fit; names are what
// tells them apart.
func Found[T any](m Mend, fit []T, name func(T) string) (one T, err error) {
	switch len(fit) {
	case 1:
		return fit[0], nil
	case 0:
		return one, fmt.Errorf("%w: no unit is called %q; write its whole name", ErrMend, m.Unit)
	}
	var names []string
	for _, u := range fit {
		names = append(names, name(u))
	}
	return one, fmt.Errorf("%w: %q may be %s; write the id", ErrMend, m.Unit, strings.Join(names, " or "))
}
