package steppe

import (
	"fmt"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/phrase"
)

// Edit carries out one edit of a moderator and says what it did: see phrase.Mends. It
// is nobody's move and no points are scored by it, but the position must be one that
// the audit of positions passes.
func (g *Game) Edit(position []byte, edit string) (after []byte, says string, err error) {
	s, err := decodeState(g.sc, position)
	if err != nil {
		return nil, "", err
	}
	if s.Verdict != "" {
		return nil, "", adjudicator.ErrOver
	}
	sides := g.sc.sides()
	m, err := phrase.ReadMend(edit, []string{string(sides[0]), string(sides[1])})
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
	a := &auditor{sc: g.sc}
	a.position(s)
	if len(a.faults) > 0 {
		return nil, "", fmt.Errorf("%w: %s", phrase.ErrMend, strings.Join(a.faults, "; "))
	}
	return s.encode(), says, nil
}

// editUnit puts a unit somewhere, gives it steps or takes it off.
func (s *State) editUnit(m phrase.Mend) (string, error) {
	var fit []*Unit
	for i := range s.Units {
		u := &s.Units[i]
		if (m.Side == "" || string(u.c.Side) == m.Side) && (u.c.key == squeeze(m.Unit) || strings.EqualFold(u.ID, m.Unit)) {
			fit = append(fit, u)
		}
	}
	u, err := phrase.Found(m, fit, func(u *Unit) string { return u.ID })
	if err != nil {
		return "", err
	}
	switch m.Verb {
	case "STEPS":
		if u.Where != OnMap && u.Where != Later {
			return "", fmt.Errorf("%w: %s has been lost; PUT brings it back", phrase.ErrMend, u.c.Name)
		}
		n, err := m.Steps(u.c.Name, u.c.Steps())
		if err != nil {
			return "", err
		}
		was := u.Steps
		u.Steps = n
		return fmt.Sprintf("%s of %s has %d steps, until now %d", u.c.Name, u.c.Side, n, was), nil
	case "REMOVE":
		if u.Where != OnMap {
			return "", fmt.Errorf("%w: %s is not on the map", phrase.ErrMend, u.c.Name)
		}
		s.remove(u)
		if u.Where == Later {
			return fmt.Sprintf("%s of %s is taken off the map and comes back from turn %d on", u.c.Name, u.c.Side, u.Due), nil
		}
		return fmt.Sprintf("%s of %s is taken off the map", u.c.Name, u.c.Side), nil
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
	u.Steps, u.Due, u.Back = max(1, u.Steps), 0, false
	s.put(u, h)
	return fmt.Sprintf("%s of %s, until now %s, stands on %v with %d steps", u.c.Name, u.c.Side, from, h, u.Steps), nil
}

// editControl gives a hex without units to a side.
func (s *State) editControl(m phrase.Mend) (string, error) {
	h, v := phrase.Hex(s.sc.Board, m.Unit)
	if v != nil {
		return "", fmt.Errorf("%w: %s. %s", phrase.ErrMend, v.Why, v.Instead)
	}
	side := Side("")
	for _, x := range s.sc.sides() {
		if strings.EqualFold(m.Side, string(x)) {
			side = x
		}
	}
	switch {
	case side == "":
		return "", fmt.Errorf("%w: %q is no side of this game", phrase.ErrMend, m.Side)
	case s.holder(h) != "" && s.holder(h) != side:
		return "", fmt.Errorf("%w: %v is held by units of %s, and with them it is theirs", phrase.ErrMend, h, s.holder(h))
	case s.controller(h) == side:
		return "", fmt.Errorf("%w: control of %v is so already", phrase.ErrMend, h)
	}
	s.take(h, side)
	return fmt.Sprintf("%v is controlled by %s", h, side), nil
}
