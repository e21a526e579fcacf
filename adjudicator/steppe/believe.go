package steppe

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/cup"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// believe builds the position that a View describes. Everything but the enemy's sealed
// sheet is public, so orders are judged on it as on the true position.
func (sc *Scenario) believe(v *view.View) (*State, error) {
	if v.Scenario != sc.ID {
		return nil, fmt.Errorf("the view is of scenario %s, not %s", v.Scenario, sc.ID)
	}
	if v.Turn < 1 || v.Turn > len(sc.Chits) {
		return nil, fmt.Errorf("the view is of turn %d, the scenario has no such turn", v.Turn)
	}
	s := &State{Format: stateFormat, Turn: v.Turn, Phase: 2, Step: StepOrders,
		Weather: v.Fact("weather"), Ground: v.Fact("ground"), Verdict: v.Verdict, Winner: Side(v.Winner),
		sc: sc, leads: v.Leads, Acting: v.Acting}
	s.Units = make([]Unit, 0, len(sc.Counters))
	for _, list := range [][]view.Unit{v.Units, v.Arrivals, v.Lost} {
		for i := range list {
			s.Units = append(s.Units, sc.ownBelief(&list[i]))
		}
	}
	if err := s.believeEnemy(v.Enemy); err != nil {
		return nil, err
	}
	slices.SortFunc(s.Units, func(a, b Unit) int { return strings.Compare(a.ID, b.ID) })
	for _, b := range v.Bridges {
		if !b.Stands {
			s.Blown = append(s.Blown, b.Edge)
		}
	}
	if err := s.readFacts(v); err != nil {
		return nil, err
	}
	s.believeChits(v.Chits)
	s.Sheets[sideIndex(Side(v.Side))].Last = strings.Join(v.Programmes, "\n")
	s.believeControl(v.Control)
	for i := range s.Units {
		if u := &s.Units[i]; u.Where == OnMap && !sc.Board.On(u.Hex) {
			return nil, fmt.Errorf("the view has a unit on %v, which is not on the map", u.Hex)
		}
	}
	return s, s.attach(sc)
}

// ownBelief is an own unit. Off the map a Kampfgruppe is in the pool, and a headquarters
// that has no zone to enter by comes back.
func (sc *Scenario) ownBelief(u *view.Unit) Unit {
	b := Unit{ID: u.ID, Steps: u.Steps, Cut: u.OutOfSupply, Activated: u.Activated}
	c := sc.byID[u.ID]
	switch {
	case u.Hex != hex.None:
		b.Where, b.Hex = OnMap, u.Hex
	case u.Steps == 0:
		b.Where = Gone
	case c != nil && c.KG:
		b.Where = InPool
	default:
		b.Where, b.Due = Later, u.Turn
		b.Back = u.Type == string(HQ) && len(u.Entry) == 0
	}
	return b
}

// believeEnemy adds the enemy units that the view shows.
func (s *State) believeEnemy(stacks []view.Stack) error {
	for _, st := range stacks {
		for _, g := range st.Units {
			id, ok := s.sc.byName[Side(st.Side)][g.Name]
			if !ok {
				return fmt.Errorf("the view has an enemy unit %q that the scenario has not", g.Name)
			}
			s.Units = append(s.Units, Unit{ID: id, Where: OnMap, Hex: st.Hex, Steps: g.Steps, Cut: g.OutOfSupply})
		}
	}
	return nil
}

// believeChits fills the cup as the side knows it.
func (s *State) believeChits(chits *view.Chits) {
	if chits == nil {
		return
	}
	for _, c := range chits.Played {
		s.Played = append(s.Played, Chit{c.Name, Side(c.Side)})
	}
	if len(s.Played) == 0 {
		return
	}
	for _, g := range chits.Groups {
		s.Cup = append(s.Cup, cup.Group{Name: g.Name, All: g.Own, In: g.Own, Left: g.Left})
	}
}

// believeControl reads the rows of the map.
func (s *State) believeControl(rows []string) {
	g := s.sc.Board.Grid
	s.Control = make(letters, g.Len())
	for i := range s.Control {
		s.Control[i] = '.'
		h := g.At(i)
		r, c := h.Row()-g.RowMin, h.Col()-g.ColMin
		if r >= len(rows) || c >= len(rows[r]) {
			continue
		}
		if letter := rows[r][c]; letter != ' ' {
			s.Control[i] = letter
		}
	}
}
