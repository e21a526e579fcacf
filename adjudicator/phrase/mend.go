package phrase

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/orders"
)

// ErrMend says that an edit of a position cannot be made, or would leave a board
// that the rules do not know.
var ErrMend = errors.New("the edit cannot be made")

// Mends are what a moderator may write to mend a position, in every system.
const Mends = "PUT unit hex, STEPS unit number, REMOVE unit, or CONTROL hex side; units as SIDE unit where both sides have one of the name"

// Insists stands behind an edit that is to be made although the rules know no such board.
const Insists = "!"

// Mended is an edit that was made: what it did, whether the moderator insists on it, and what the
// rules have against the position after it.
type Mended struct {
	Says    string
	Insists bool
	Breaks  []string
}

// Allowed is what the edit did if it may stand, with what else the rules have against the position.
func (m Mended) Allowed(more ...string) (says string, err error) {
	breaks := append(m.Breaks, more...)
	switch {
	case len(breaks) == 0:
		return m.Says, nil
	case m.Insists:
		return m.Says + "; against the rules: " + strings.Join(breaks, "; "), nil
	}
	return "", fmt.Errorf("%w: %s. Put %s behind it to have it so all the same", ErrMend, strings.Join(breaks, "; "), Insists)
}

// nobody may be written for the side of CONTROL where the ground can be nobody's.
const nobody = "NOBODY"

// Mendable is a position under a moderator's hands: what the rules of its system know
// of it, and what they say to a change. Units go by their ids. A change that is refused
// may leave the position half changed: it is thrown away.
type Mendable interface {
	Named(name string) []Piece // the units, of both sides, whose name or id it is, in capitals
	// Sought are the units of a side that orders would mean by a name, and where there are
	// none the forms that it may have been meant for.
	Sought(side, name string) (ids, near []string)
	SetSteps(id string, n int) (Outcome, error)
	TakeOff(id string) (says string, err error)         // says what becomes of it: "taken off the game"
	Put(id string, h hex.Hex) (more Outcome, err error) // says what else came of it, mostly nothing
	Holder(h hex.Hex) string                            // the side whose units stand there, or ""
	Controller(h hex.Hex) string                        // the side whose ground it is, or ""
	Give(h hex.Hex, side string)
}

// Outcome is what else came of a change, and what the rules have against it.
type Outcome struct {
	Says   string
	Breaks []string
}

// Piece is a unit as an edit sees it.
type Piece struct {
	ID, Name, Side string
	Steps, Most    int
	Hex            hex.Hex // None off the map
	Lost           bool
}

// Ground is what edits of a position speak of: its map and its sides.
type Ground struct {
	Board  *board.Board
	Sides  [2]string
	Nobody bool // CONTROL may give a hex to nobody
}

// Edit carries out one edit and says what it did.
func (g Ground) Edit(p Mendable, text string) (done Mended, err error) {
	text, insists := strings.CutSuffix(strings.TrimSpace(text), Insists)
	m, err := readMend(text, g.Sides)
	if err != nil {
		return done, err
	}
	if m.verb == "CONTROL" {
		done, err = g.control(p, m)
	} else {
		done, err = g.unit(p, m)
	}
	if err != nil {
		return Mended{}, fmt.Errorf("%w: %w", ErrMend, err)
	}
	done.Insists = insists
	return done, nil
}

// unit puts a unit somewhere, gives it steps or takes it off.
func (g Ground) unit(p Mendable, m mend) (done Mended, err error) {
	u, err := m.found(p, g.Sides)
	if err != nil {
		return done, err
	}
	switch m.verb {
	case "STEPS":
		n, err := strconv.Atoi(m.last)
		switch {
		case u.Lost:
			return done, fmt.Errorf("%s has been lost; PUT brings it back", u.Name)
		case err != nil, n < 1, n > u.Most:
			return done, fmt.Errorf("%s has from 1 to %d steps, not %s; REMOVE takes it off", u.Name, u.Most, m.last)
		case n == u.Steps:
			return done, fmt.Errorf("%s has %d steps already", u.Name, n)
		}
		more, err := p.SetSteps(u.ID, n)
		return Mended{Says: fmt.Sprintf("%s of %s has %d steps, until now %d", u.Name, u.Side, n, u.Steps), Breaks: more.Breaks}, err
	case "REMOVE":
		if u.Lost {
			return done, fmt.Errorf("%s has been lost already", u.Name)
		}
		says, err := p.TakeOff(u.ID)
		return Mended{Says: fmt.Sprintf("%s of %s is %s", u.Name, u.Side, says)}, err
	}
	h, v := Hex(g.Board, m.last)
	if v != nil {
		return done, fmt.Errorf("%s. %s", v.Why, v.Instead)
	}
	from := "off the map"
	switch {
	case u.Hex == h:
		return done, fmt.Errorf("%s stands on %v already", u.Name, h)
	case u.Lost:
		from = "among the lost"
	case u.Hex != hex.None:
		from = u.Hex.String()
	}
	more, err := p.Put(u.ID, h)
	if err != nil {
		return done, err
	}
	done.Says = fmt.Sprintf("%s of %s, until now %s, stands on %v with %d steps", u.Name, u.Side, from, h, p.Named(u.ID)[0].Steps) + more.Says
	done.Breaks = more.Breaks
	return done, nil
}

// control gives a hex that no enemy of it stands on to a side.
func (g Ground) control(p Mendable, m mend) (done Mended, err error) {
	h, v := Hex(g.Board, m.unit)
	if v != nil {
		return done, fmt.Errorf("%s. %s", v.Why, v.Instead)
	}
	side, err := g.side(m.side)
	if err != nil {
		return done, err
	}
	if holder := p.Holder(h); holder != "" && holder != side {
		done.Breaks = append(done.Breaks, fmt.Sprintf("%v is held by units of %s, and with them it is theirs", h, holder))
	}
	if p.Controller(h) == side {
		return done, fmt.Errorf("control of %v is so already", h)
	}
	p.Give(h, side)
	done.Says = fmt.Sprintf("%v is controlled by %s", h, cmp.Or(side, strings.ToLower(nobody)))
	return done, nil
}

// side is the side that CONTROL names, "" for nobody where that may be.
func (g Ground) side(name string) (string, error) {
	for _, side := range g.Sides {
		if strings.EqualFold(name, side) {
			return side, nil
		}
	}
	switch {
	case !g.Nobody:
		return "", fmt.Errorf("%q is not a side of this game; write %s or %s", name, g.Sides[0], g.Sides[1])
	case name != nobody:
		return "", fmt.Errorf("%q is not a side; write %s, %s or %s", name, g.Sides[0], g.Sides[1], nobody)
	}
	return "", nil
}

// mend is a moderator's edit as it was read.
type mend struct {
	verb string
	side string // before the unit's name, or of CONTROL; "" if none is named
	unit string // the unit's name in capitals; of CONTROL the hex
	last string // the hex of PUT, the number of STEPS
}

// readMend reads an edit of a position of these sides.
func readMend(text string, sides [2]string) (m mend, err error) {
	bad := fmt.Errorf("%w: %q; write %s", ErrMend, text, Mends)
	o, err := orders.ParseOrder(strings.TrimSpace(orders.Canonical(text)))
	switch {
	case err != nil, len(o.Clauses) != 1, len(o.Clauses[0]) < 2:
		return m, bad
	}
	words := o.Clauses[0]
	m.verb = words[0].Text
	rest := words[1:]
	switch m.verb {
	case "PUT", "STEPS":
		if len(rest) < 2 {
			return m, bad
		}
		m.last, rest = rest[len(rest)-1].Text, rest[:len(rest)-1]
	case "REMOVE":
	case "CONTROL":
		if len(rest) != 2 {
			return m, bad
		}
		m.unit, m.side = rest[0].Text, rest[1].Text
		return m, nil
	default:
		return m, bad
	}
	for _, side := range sides {
		if len(rest) > 1 && strings.EqualFold(rest[0].Text, side) {
			m.side, rest = side, rest[1:]
			break
		}
	}
	m.unit = Join(rest)
	return m, nil
}

// found is the one unit that an edit names: by its whole name or id, or else in a form that
// orders take.
func (m mend) found(p Mendable, sides [2]string) (one Piece, err error) {
	fit := slices.DeleteFunc(p.Named(m.unit), func(u Piece) bool { return m.side != "" && u.Side != m.side })
	var near []string
	if len(fit) == 0 {
		fit, near = m.sought(p, sides)
	}
	switch len(fit) {
	case 1:
		return fit[0], nil
	case 0:
		return one, fmt.Errorf("no unit is called %q; %s", m.unit, cmp.Or(lowered(orders.DidYouMean(near)), "write its whole name"))
	}
	var names []string
	for _, u := range fit[:min(len(fit), mostShown)] {
		names = append(names, fmt.Sprintf("%s (%s)", u.ID, u.Side))
	}
	if left := len(fit) - mostShown; left > 0 {
		names = append(names, fmt.Sprintf("%d more", left))
	}
	return one, fmt.Errorf("%q may be %s; write the id", m.unit, strings.Join(names, " or "))
}

// sought are the units of the sides that orders would mean by the name.
func (m mend) sought(p Mendable, sides [2]string) (fit []Piece, near []string) {
	for _, side := range sides {
		if m.side != "" && m.side != side {
			continue
		}
		ids, like := p.Sought(side, m.unit)
		for _, id := range ids {
			fit = append(fit, p.Named(id)...)
		}
		for _, form := range like {
			near = append(near, side+" "+form)
		}
	}
	return fit, near[:min(len(near), orders.MostNear)]
}

// lowered is a sentence that goes on behind a semicolon.
func lowered(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToLower(s[:1]) + s[1:]
}
