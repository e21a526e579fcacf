package famous

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
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
	ground := phrase.Ground{Board: g.sc.Board, Sides: [2]string{string(g.sc.Sides[0]), string(g.sc.Sides[1])}}
	done, err := ground.Edit(mending{s}, edit)
	if err != nil {
		return nil, "", err
	}
	if says, err = done.Allowed(s.invariants()...); err != nil {
		return nil, "", err
	}
	return s.encode(), says, nil
}

// mending is a position under a moderator's hands.
type mending struct{ s *State }

func (m mending) Named(name string) (out []phrase.Piece) {
	for i := range m.s.Units {
		u := &m.s.Units[i]
		if u.c.upper != name && !strings.EqualFold(u.ID, name) {
			continue
		}
		p := phrase.Piece{ID: u.ID, Name: u.c.Name, Side: string(u.c.Side), Steps: u.Steps, Most: u.c.Steps(), Lost: u.Where == Gone}
		if u.onMap() {
			p.Hex = u.Hex
		}
		out = append(out, p)
	}
	return out
}

// Sought implements phrase.Mendable.
func (m mending) Sought(side, name string) (ids, near []string) {
	return phrase.Sought(&parser{s: m.s, side: Side(side)}, m.s.sc.Board, name)
}

func (m mending) SetSteps(id string, n int) (phrase.Outcome, error) {
	u := m.s.unit(id)
	if u.Where == Exited {
		return phrase.Outcome{}, fmt.Errorf("%s is not in play any more; PUT brings it back", u.c.Name)
	}
	u.Steps = n
	return phrase.Outcome{}, nil
}

func (m mending) TakeOff(id string) (string, error) {
	u := m.s.unit(id)
	m.s.getOff(u)
	m.s.remove(u)
	return "taken off the game", nil
}

func (m mending) Put(id string, h hex.Hex) (phrase.Outcome, error) {
	u := m.s.unit(id)
	m.s.getOff(u)
	u.Steps, u.Left = max(1, u.Steps), ""
	m.s.put(u, h)
	return phrase.Outcome{}, nil
}

// getOff parts a unit from the tank that it rides, and from its rider.
func (s *State) getOff(u *Unit) {
	if r := s.rider(u); r != nil {
		s.jumpOff(r)
	}
	if u.rides() && u.onMap() {
		s.jumpOff(u)
	}
}

func (m mending) Holder(h hex.Hex) string { return string(m.s.holder(h)) }

// Controller is the side that occupied the hex last.
func (m mending) Controller(h hex.Hex) string { return string(m.s.lastOn(h)) }

// Give makes a side the one that occupied the hex last.
func (m mending) Give(h hex.Hex, side string) {
	m.s.mark(m.s.sc.Board.Grid.Index(h), sideMarks[slices.Index(m.s.sc.Sides[:], Side(side))])
}
