package wb95

import (
	"fmt"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
)

// ErrEdit says that an edit cannot be made, or would leave a board that the rules
// do not know.
var ErrEdit = phrase.ErrMend

// Edit carries out one edit of a moderator and says what it did: see
// phrase.Mends, and CONTROL hex NOBODY. It is
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
	m, err := phrase.ReadMend(edit, []string{string(s.sc.Sides[0]), string(s.sc.Sides[1])})
	if err != nil {
		return nil, "", err
	}
	switch m.Verb {
	case "PUT":
		says, err = s.editPut(m)
	case "STEPS":
		says, err = s.editSteps(m)
	case "REMOVE":
		says, err = s.editRemove(m)
	case "CONTROL":
		says, err = s.editControl(m.Unit, m.Side)
	}
	if err != nil {
		return nil, "", err
	}
	s.noteContacts()
	return s.encode(), says, nil
}

// edited is the unit that an edit names, of either side, lost or not.
func (s *State) edited(m phrase.Mend) (*Unit, error) {
	var fit []*Unit
	for i := range s.Units {
		u := &s.Units[i]
		if (m.Side == "" || string(u.c.Side) == m.Side) && (strings.EqualFold(u.c.Name, m.Unit) || strings.EqualFold(u.ID, m.Unit)) {
			fit = append(fit, u)
		}
	}
	return phrase.Found(m, fit, func(u *Unit) string { return fmt.Sprintf("%s (%s)", u.ID, u.c.Side) })
}

// editPut keeps to the stacking limit of 3.2.1.
func (s *State) editPut(m phrase.Mend) (string, error) {
	u, err := s.edited(m)
	if err != nil {
		return "", err
	}
	h, bad := s.onBoard(m.Last)
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

func (s *State) editSteps(m phrase.Mend) (string, error) {
	u, err := s.edited(m)
	if err != nil {
		return "", err
	}
	if u.Where == Gone {
		return "", fmt.Errorf("%w: %s has been lost; PUT brings it back", ErrEdit, u.c.Name)
	}
	n, err := m.Steps(u.c.Name, u.c.Steps())
	if err != nil {
		return "", err
	}
	if n == u.Steps {
		return "", fmt.Errorf("%w: %s has %d steps already", ErrEdit, u.c.Name, n)
	}
	was := u.Steps
	u.Steps = n
	if u.Where == OnMap && n > was && s.stackSteps(u.Hex) > stackLimit {
		return "", fmt.Errorf("%w: with %d steps of %s there would be %d on %v; the limit is %d", ErrEdit, n, u.c.Name, s.stackSteps(u.Hex), u.Hex, stackLimit)
	}
	return fmt.Sprintf("%s of %s has %d steps, until now %d", u.c.Name, u.c.Side, n, was), nil
}

func (s *State) editRemove(m phrase.Mend) (string, error) {
	u, err := s.edited(m)
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
