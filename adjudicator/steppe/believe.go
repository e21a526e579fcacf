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
	s := &State{Format: stateFormat, Turn: v.Turn, Phase: 2, Step: StepOrders, Weather: v.Fact("weather"), Ground: v.Fact("ground"), Verdict: v.Verdict, Winner: Side(v.Winner)}
	for _, list := range [][]view.Unit{v.Units, v.Arrivals, v.Lost} {
		for _, u := range list {
			s.Units = append(s.Units, ownBelief(u))
		}
	}
	for _, st := range v.Enemy {
		for _, g := range st.Units {
			i := slices.IndexFunc(sc.Counters, func(c Counter) bool { return string(c.Side) == st.Side && c.Name == g.Name })
			if i < 0 {
				return nil, fmt.Errorf("the view has an enemy unit %q that the scenario has not", g.Name)
			}
			s.Units = append(s.Units, Unit{ID: sc.Counters[i].ID, Where: OnMap, Hex: st.Hex, Steps: g.Steps, Cut: g.OutOfSupply})
		}
	}
	slices.SortFunc(s.Units, func(a, b Unit) int { return strings.Compare(a.ID, b.ID) })
	for _, b := range v.Bridges {
		if !b.Stands {
			s.Blown = append(s.Blown, b.Edge)
		}
	}
	fmt.Sscanf(v.Fact("backhand blow"), "turn %d", &s.Backhand)
	for i, p := range pools {
		fmt.Sscanf(v.Fact("air "+strings.ToLower(p)), "%d fighters, %d close air support; %d and %d", &s.Air[i].Fighters, &s.Air[i].CAS, &s.Air[i].FreeF, &s.Air[i].FreeC)
	}
	if v.Chits != nil {
		for _, c := range v.Chits.Played {
			s.Played = append(s.Played, Chit{c.Name, Side(c.Side)})
		}
		if len(s.Played) > 0 {
			for _, g := range v.Chits.Groups {
				s.Cup = append(s.Cup, cup.Group{Name: g.Name, All: g.Own, In: g.Own, Left: g.Left})
			}
		}
	}
	g := sc.Board.Grid
	control := make([]byte, g.Len())
	for i := range control {
		control[i] = '.'
		h := g.At(i)
		if r, c := h.Row()-g.RowMin, h.Col()-g.ColMin; r < len(v.Control) && c < len(v.Control[r]) && v.Control[r][c] != ' ' {
			control[i] = v.Control[r][c]
		}
	}
	s.Control = control
	for i := range s.Units {
		if u := &s.Units[i]; u.Where == OnMap && !sc.Board.On(u.Hex) {
			return nil, fmt.Errorf("the view has a unit on %v, which is not on the map", u.Hex)
		}
	}
	s.leads = v.Leads
	return s, s.attach(sc)
}

func ownBelief(u view.Unit) Unit {
	b := Unit{ID: u.ID, Steps: u.Steps, Cut: u.OutOfSupply, Activated: u.Activated}
	switch {
	case u.Hex != hex.None:
		b.Where, b.Hex = OnMap, u.Hex
	case u.Note == noteInPool:
		b.Where = InPool
	case u.Steps == 0:
		b.Where = Gone
	default:
		b.Where, b.Due, b.Back = Later, u.Turn, u.Note == noteComesBack
	}
	return b
}
