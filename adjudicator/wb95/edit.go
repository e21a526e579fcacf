package wb95

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/orders"
)

// ErrEdit says that an edit cannot be made, or would leave a board that the rules
// do not know.
var ErrEdit = errors.New("the edit cannot be made")

// edits are what a moderator may write to mend a position.
const edits = "PUT unit hex, STEPS unit number, REMOVE unit, or CONTROL hex side (NOBODY for none); units as SIDE unit where both sides have one of the name"

// Edit carries out one edit of a moderator and says what it did: see edits. It is
// nobody's move: no rule of movement or of losses counts, but the board must be one
// that the rules know. No stack of both sides and none over the limit, nothing on
// ground that is closed to it, no steps that a counter does not have, nothing back
// from the dead but by PUT. Marks of the half turn (moved, fought, disorganized)
// stay with a unit that is put elsewhere.
func (g *Game) Edit(position []byte, edit string) (after []byte, says string, err error) {
	s, err := g.position(position)
	if err != nil {
		return nil, "", err
	}
	if s.Verdict != "" {
		return nil, "", adjudicator.ErrOver
	}
	s = s.clone()
	s.index()
	o, err := orders.ParseOrder(strings.TrimSpace(orders.Canonical(edit)))
	if err != nil || len(o.Clauses) != 1 || len(o.Clauses[0]) < 2 {
		return nil, "", fmt.Errorf("%w: %q; write %s", ErrEdit, edit, edits)
	}
	words := o.Clauses[0]
	verb, rest := words[0].Text, words[1:]
	last := rest[len(rest)-1].Text
	switch verb {
	case "PUT":
		says, err = s.editPut(rest[:len(rest)-1], last)
	case "STEPS":
		says, err = s.editSteps(rest[:len(rest)-1], last)
	case "REMOVE":
		says, err = s.editRemove(rest)
	case "CONTROL":
		if len(rest) != 2 {
			return nil, "", fmt.Errorf("%w: %q; write %s", ErrEdit, edit, edits)
		}
		says, err = s.editControl(rest[0].Text, last)
	default:
		err = fmt.Errorf("%w: %q; write %s", ErrEdit, edit, edits)
	}
	if err != nil {
		return nil, "", err
	}
	s.noteContacts()
	return s.encode(), says, nil
}

// edited is the unit that an edit names, of either side, lost or not.
func (s *State) edited(spec []orders.Word) (*Unit, error) {
	side, name := Side(""), phrase.Join(spec)
	if len(spec) > 1 {
		for _, x := range s.sc.Sides {
			if strings.EqualFold(spec[0].Text, string(x)) {
				side, name = x, phrase.Join(spec[1:])
			}
		}
	}
	var found []*Unit
	for i := range s.Units {
		u := &s.Units[i]
		if (side == "" || u.c.Side == side) && (strings.EqualFold(u.c.Name, name) || strings.EqualFold(u.ID, name)) {
			found = append(found, u)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return nil, fmt.Errorf("%w: no unit is called %q; write its whole name", ErrEdit, name)
	}
	var ids []string
	for _, u := range found {
		ids = append(ids, fmt.Sprintf("%s (%s)", u.ID, u.c.Side))
	}
	return nil, fmt.Errorf("%w: %q may be %s; write the id", ErrEdit, name, strings.Join(ids, " or "))
}

// editPut keeps to the stacking limit of 3.2.1.
func (s *State) editPut(spec []orders.Word, at string) (string, error) {
	u, err := s.edited(spec)
	if err != nil {
		return "", err
	}
	h, bad := s.onBoard(at)
	if bad != nil {
		return "", fmt.Errorf("%w: %s. %s", ErrEdit, bad.Why, bad.Instead)
	}
	if !s.standable(u.c, h) {
		return "", fmt.Errorf("%w: %s (%s) cannot stand on %v: its ground is closed to it and no way leads there", ErrEdit, u.c.Name, u.c.Class, h)
	}
	from := "off the map"
	if u.Where == OnMap {
		from = u.Hex.String()
	}
	if u.Where == Gone {
		from, u.Steps, u.Away = "among the lost", max(1, u.c.Steps()), false
	}
	if u.Where == OnMap && u.Hex == h {
		return "", fmt.Errorf("%w: %s stands on %v already", ErrEdit, u.c.Name, h)
	}
	if !s.roomFor(h, u) {
		return "", fmt.Errorf("%w: no room for %s (%d steps) on %v, where %s stand; the limit is %d steps of one side", ErrEdit, u.c.Name, u.Steps, h, s.nameList(s.unitsAt(h)), stackLimit)
	}
	u.Due, u.Left, u.Through, u.Batch = 0, "", hex.None, 0
	s.put(u, h)
	s.setController(map[hex.Hex]Side{h: u.c.Side})
	says := fmt.Sprintf("%s of %s, until now %s, stands on %v with %d steps", u.c.Name, u.c.Side, from, h, u.Steps)
	if f := s.fort(h); f != nil && f.Side != u.c.Side {
		s.setFort(h, "", "")
		says += "; the enemy's works there are gone"
	}
	return says, nil
}

func (s *State) editSteps(spec []orders.Word, number string) (string, error) {
	u, err := s.edited(spec)
	if err != nil {
		return "", err
	}
	n, bad := strconv.Atoi(number)
	switch {
	case u.Where == Gone:
		return "", fmt.Errorf("%w: %s has been lost; PUT brings it back", ErrEdit, u.c.Name)
	case bad != nil || n < 1 || n > u.c.Steps():
		return "", fmt.Errorf("%w: %s has from 1 to %d steps, not %s; REMOVE takes it off", ErrEdit, u.c.Name, u.c.Steps(), number)
	case n == u.Steps:
		return "", fmt.Errorf("%w: %s has %d steps already", ErrEdit, u.c.Name, n)
	}
	was := u.Steps
	u.Steps = n
	if u.Where == OnMap && n > was && s.stackSteps(u.Hex) > stackLimit {
		return "", fmt.Errorf("%w: with %d steps of %s there would be %d on %v; the limit is %d", ErrEdit, n, u.c.Name, s.stackSteps(u.Hex), u.Hex, stackLimit)
	}
	return fmt.Sprintf("%s of %s has %d steps, until now %d", u.c.Name, u.c.Side, n, was), nil
}

func (s *State) editRemove(spec []orders.Word) (string, error) {
	u, err := s.edited(spec)
	if err != nil {
		return "", err
	}
	if u.Where == Gone {
		return "", fmt.Errorf("%w: %s has been lost already", ErrEdit, u.c.Name)
	}
	says := fmt.Sprintf("%s of %s is taken off the game", u.c.Name, u.c.Side)
	s.lift(u)
	// Taken off by hand, not eliminated: nobody wins by it (9.1.6).
	*u = Unit{ID: u.ID, Where: Gone, Turned: u.Turned, c: u.c}
	return says, nil
}

func (s *State) editControl(at, to string) (string, error) {
	h, bad := s.onBoard(at)
	if bad != nil {
		return "", fmt.Errorf("%w: %s. %s", ErrEdit, bad.Why, bad.Instead)
	}
	side := Side("")
	for _, x := range s.sc.Sides {
		if strings.EqualFold(to, string(x)) {
			side = x
		}
	}
	switch holder := s.holder(h); {
	case side == "" && to != "NOBODY":
		return "", fmt.Errorf("%w: %q is no side; write %s, %s or NOBODY", ErrEdit, to, s.sc.Sides[0], s.sc.Sides[1])
	case holder != "" && holder != side:
		return "", fmt.Errorf("%w: %v is held by units of %s, and with them it is theirs", ErrEdit, h, holder)
	case s.controller(h) == side:
		return "", fmt.Errorf("%w: control of %v is so already", ErrEdit, h)
	}
	s.setController(map[hex.Hex]Side{h: side})
	return fmt.Sprintf("%v is controlled by %s", h, strings.ToLower(to)), nil
}
