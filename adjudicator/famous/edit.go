package famous

import (
	"fmt"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/phrase"
)

// Edit carries out one edit of a moderator and says what it did: see phrase.Mends. It
// is nobody's move, but the position must be one that the audit of positions passes.
// Riders get off a tank that is put elsewhere, and stay.
func (g *Game) Edit(position []byte, edit string) (after []byte, says string, err error) {
	s, err := decodeState(g.sc, position)
	if err != nil {
		return nil, "", err
	}
	if s.Verdict != "" {
		return nil, "", adjudicator.ErrOver
	}
	m, err := phrase.ReadMend(edit, []string{string(g.sc.Sides[0]), string(g.sc.Sides[1])})
	if err != nil {
		return nil, "", err
	}
	if m.Verb == "CONTROL" {
		says, err = s.editControl(m)
	} else {
		says, err = s.editUnit(m)
	}
	if err != nil {
		return nil, "", err
	}
	if faults := s.invariants(); len(faults) > 0 {
		return nil, "", fmt.Errorf("%w: %s", phrase.ErrMend, strings.Join(faults, "; "))
	}
	return s.encode(), says, nil
}

// editUnit puts a unit somewhere, gives it steps or takes it off.
func (s *State) editUnit(m phrase.Mend) (string, error) {
	var fit []*Unit
	for i := range s.Units {
		u := &s.Units[i]
		if (m.Side == "" || string(u.c.Side) == m.Side) && (u.c.upper == m.Unit || strings.EqualFold(u.ID, m.Unit)) {
			fit = append(fit, u)
		}
	}
	u, err := phrase.Found(m, fit, func(u *Unit) string { return u.ID })
	if err != nil {
		return "", err
	}
	switch m.Verb {
	case "STEPS":
		if u.Where == Gone || u.Where == Exited {
			return "", fmt.Errorf("%w: %s is not in play any more; PUT brings it back", phrase.ErrMend, u.c.Name)
		}
		n, err := m.Steps(u.c.Name, u.c.Steps())
		if err != nil {
			return "", err
		}
		was := u.Steps
		u.Steps = n
		return fmt.Sprintf("%s of %s has %d steps, until now %d", u.c.Name, u.c.Side, n, was), nil
	case "REMOVE":
		if u.Where == Gone {
			return "", fmt.Errorf("%w: %s has been lost already", phrase.ErrMend, u.c.Name)
		}
		s.getOff(u)
		s.remove(u)
		return fmt.Sprintf("%s of %s is taken off the game", u.c.Name, u.c.Side), nil
	}
	h, v := phrase.Hex(s.sc.Board, m.Last)
	if v != nil {
		return "", fmt.Errorf("%w: %s. %s", phrase.ErrMend, v.Why, v.Instead)
	}
	from := "off the map"
	if u.Where == OnMap {
		from = u.Hex.String()
	}
	if u.Where == OnMap && u.Hex == h {
		return "", fmt.Errorf("%w: %s stands on %v already", phrase.ErrMend, u.c.Name, h)
	}
	s.getOff(u)
	u.Steps, u.Left = max(1, u.Steps), ""
	s.put(u, h)
	return fmt.Sprintf("%s of %s, until now %s, stands on %v with %d steps", u.c.Name, u.c.Side, from, h, u.Steps), nil
}

// getOff parts a unit from the tank that it rides, and from its rider.
func (s *State) getOff(u *Unit) {
	if r := s.rider(u); r != nil {
		s.jumpOff(r)
	}
	if u.Aboard != "" && u.Where == OnMap {
		s.jumpOff(u)
	}
}

// editControl makes a side the last that occupied a hex without units.
func (s *State) editControl(m phrase.Mend) (string, error) {
	h, v := phrase.Hex(s.sc.Board, m.Unit)
	if v != nil {
		return "", fmt.Errorf("%w: %s. %s", phrase.ErrMend, v.Why, v.Instead)
	}
	for k, side := range s.sc.Sides {
		if !strings.EqualFold(m.Side, string(side)) {
			continue
		}
		switch holder := s.holder(h); {
		case holder != "" && holder != side:
			return "", fmt.Errorf("%w: %v is held by units of %s, and with them it is theirs", phrase.ErrMend, h, holder)
		case s.lastOn(h) == side:
			return "", fmt.Errorf("%w: control of %v is so already", phrase.ErrMend, h)
		}
		b := []byte(s.Last)
		b[s.sc.Board.Grid.Index(h)] = byte('A' + k)
		s.Last = string(b)
		return fmt.Sprintf("%v counts as occupied by %s", h, side), nil
	}
	return "", fmt.Errorf("%w: %q is no side of this game", phrase.ErrMend, m.Side)
}
