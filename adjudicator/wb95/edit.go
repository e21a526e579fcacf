package wb95

import (
	"fmt"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
)

// Edit carries out one edit of a moderator and says what it did: see
// phrase.Mends, and CONTROL hex NOBODY. It is
// nobody's move: no rule of movement or of losses counts, but the board must be one
// that the rules know. No stack of both sides and none over the limit, nothing on
// ground that is closed to it, no steps that a counter does not have, nothing back
// from the dead but by PUT. Marks of the half turn (moved, fought, disorganized)
// stay with a unit that is put elsewhere.
func (g *Game) Edit(position []byte, edit string) (after []byte, says string, err error) {
	s, err := g.Read(position)
	if err != nil {
		return nil, "", err
	}
	if s.Verdict != "" {
		return nil, "", adjudicator.ErrOver
	}
	s = s.clone()
	s.index()
	ground := phrase.Ground{Board: s.sc.Board, Sides: [2]string{string(s.sc.Sides[0]), string(s.sc.Sides[1])}, Nobody: true}
	done, err := ground.Edit(mending{s}, edit)
	if err != nil {
		return nil, "", err
	}
	if says, err = done.Allowed(); err != nil {
		return nil, "", err
	}
	s.noteContacts()
	return s.encode(), says, nil
}

// mending is a position under a moderator's hands.
type mending struct{ s *State }

func (m mending) Named(name string) (out []phrase.Piece) {
	for i := range m.s.Units {
		u := &m.s.Units[i]
		if !strings.EqualFold(u.c.Name, name) && !strings.EqualFold(u.ID, name) {
			continue
		}
		p := phrase.Piece{ID: u.ID, Name: u.c.Name, Side: string(u.c.Side), Steps: u.Steps, Most: u.c.Steps(), Lost: u.Where == Gone}
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

// Put keeps to the stacking limit of 3.2.1.
func (m mending) Put(id string, h hex.Hex) (more phrase.Outcome, err error) {
	s, u := m.s, m.s.unit(id)
	if !s.standable(u.c, h) {
		more.Breaks = append(more.Breaks, fmt.Sprintf("%s (%s) cannot stand on %v: its ground is closed to it and no way leads there", u.c.Name, u.c.Class, h))
	}
	if u.Where == Gone {
		u.Steps, u.Away = max(1, u.c.Steps()), false
	}
	if !s.roomFor(h, u) {
		more.Breaks = append(more.Breaks, fmt.Sprintf("no room for %s (%d steps) on %v, where %s stand; the limit is %d steps of one side", u.c.Name, u.Steps, h, names(s.unitsAt(h)), stackLimit))
	}
	u.Due, u.Left, u.Through, u.Batch = 0, "", hex.None, 0
	s.put(u, h)
	s.setController(map[hex.Hex]Side{h: u.c.Side})
	if f := s.fort(h); f != nil && f.Side != u.c.Side {
		s.setFort(h, "", "")
		more.Says = "; the enemy's works there are gone"
	}
	return more, nil
}

func (m mending) SetSteps(id string, n int) (more phrase.Outcome, err error) {
	u := m.s.unit(id)
	was := u.Steps
	u.Steps = n
	if u.Where == OnMap && n > was && m.s.stackSteps(u.Hex) > stackLimit {
		more.Breaks = []string{fmt.Sprintf("with %d steps of %s there would be %d on %v; the limit is %d", n, u.c.Name, m.s.stackSteps(u.Hex), u.Hex, stackLimit)}
	}
	return more, nil
}

func (m mending) TakeOff(id string) (string, error) {
	u := m.s.unit(id)
	m.s.lift(u)
	// Taken off by hand, not eliminated: nobody wins by it (9.1.6).
	*u = Unit{ID: u.ID, Where: Gone, Turned: u.Turned, c: u.c, place: u.place}
	return "taken off the game", nil
}

func (m mending) Holder(h hex.Hex) string     { return string(m.s.holder(h)) }
func (m mending) Controller(h hex.Hex) string { return string(m.s.controller(h)) }
func (m mending) Give(h hex.Hex, side string) {
	m.s.setController(map[hex.Hex]Side{h: Side(side)})
}
