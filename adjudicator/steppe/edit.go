package steppe

import (
	"fmt"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
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
	ground := phrase.Ground{Board: g.sc.Board, Sides: [2]string{string(sides[0]), string(sides[1])}}
	done, err := ground.Edit(mending{s}, edit)
	if err != nil {
		return nil, "", err
	}
	a := &auditor{sc: g.sc}
	a.position(s)
	if says, err = done.Allowed(a.faults...); err != nil {
		return nil, "", err
	}
	return s.encode(), says, nil
}

// mending is a position under a moderator's hands.
type mending struct{ s *State }

// Named implements phrase.Mendable.
func (m mending) Named(name string) (out []phrase.Piece) {
	for i := range m.s.Units {
		u := &m.s.Units[i]
		if u.c.key != squeeze(name) && !strings.EqualFold(u.ID, name) {
			continue
		}
		p := phrase.Piece{ID: u.ID, Name: u.c.Name, Side: string(u.c.Side), Steps: u.Steps, Most: u.c.Steps(),
			Lost: u.Where == Gone || u.Where == InPool}
		if u.Where == OnMap {
			p.Hex = u.Hex
		}
		out = append(out, p)
	}
	return out
}

// Sought implements phrase.Mendable.
func (m mending) Sought(side, name string) (ids, near []string) {
	return phrase.Sought(muster{m.s, Side(side)}, m.s.sc.Board, name)
}

// SetSteps implements phrase.Mendable.
func (m mending) SetSteps(id string, n int) (phrase.Outcome, error) {
	m.s.unit(id).Steps = n
	return phrase.Outcome{}, nil
}

// TakeOff implements phrase.Mendable.
func (m mending) TakeOff(id string) (string, error) {
	u := m.s.unit(id)
	if u.Where != OnMap {
		return "", fmt.Errorf("%s is not on the map", u.c.Name)
	}
	m.s.remove(u)
	if u.Where == Later {
		return fmt.Sprintf("taken off the map and comes back from turn %d on", u.Due), nil
	}
	return "taken off the map", nil
}

// Put implements phrase.Mendable.
func (m mending) Put(id string, h hex.Hex) (phrase.Outcome, error) {
	u := m.s.unit(id)
	u.Steps, u.Due, u.Back = max(1, u.Steps), 0, false
	m.s.put(u, h)
	return phrase.Outcome{}, nil
}

// Holder implements phrase.Mendable.
func (m mending) Holder(h hex.Hex) string { return string(m.s.holder(h)) }

// Controller implements phrase.Mendable.
func (m mending) Controller(h hex.Hex) string { return string(m.s.controller(h)) }

// Give implements phrase.Mendable.
func (m mending) Give(h hex.Hex, side string) { m.s.take(h, Side(side)) }
