package steppe

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// Tried is a game as trials look into it. What plays games needs none of this, so it
// hangs on a type of its own.
type Tried struct{ *Game }

// Auditor looks over what must hold after every phase.
func (g Tried) Auditor(opening []byte) (func(position []byte, events []view.Event) []string, error) {
	last, err := decodeState(g.sc, opening)
	if err != nil {
		return nil, err
	}
	a := &auditor{sc: g.sc, last: last, acted: map[string]int{}}
	return func(position []byte, events []view.Event) []string {
		s, err := decodeState(g.sc, position)
		if err != nil {
			return []string{err.Error()}
		}
		a.faults = nil
		a.position(s)
		a.change(s, events)
		a.last = s
		return a.faults
	}, nil
}

// auditor looks over positions and what led from one to the next.
type auditor struct {
	sc     *Scenario
	last   *State
	acted  map[string]int // phase in which a combat unit acted in this turn
	faults []string
}

func (a *auditor) fault(format string, x ...any) {
	a.faults = append(a.faults, fmt.Sprintf(format, x...))
}

// position checks what holds in every position.
func (a *auditor) position(s *State) {
	for i := range s.Units {
		a.place(s, &s.Units[i])
	}
	for i := range s.at.slot {
		a.stack(s.hexAt(i), s.stack(i))
	}
	for i, p := range s.Air {
		if !p.sound() {
			a.fault("the aircraft of %s are %+v", pools[i], p)
		}
	}
	for _, g := range s.Cup {
		if g.Left < 0 || g.Inside() > len(g.All) {
			a.fault("the chits of %s: %+v", g.Name, g)
		}
	}
	if len(s.Control) != a.sc.Board.Grid.Len() || strings.Trim(string(s.Control), "SG.") != "" {
		a.fault("control is not a letter a hex")
	}
}

// place checks where a unit is.
func (a *auditor) place(s *State, u *Unit) {
	if u.Where != OnMap {
		switch {
		case u.Hex != hex.None:
			a.fault("%s is %s and on %v", u.c.Name, u.Where, u.Hex)
		case u.Where == InPool && !u.c.KG:
			a.fault("%s is in the pool", u.c.Name)
		}
		return
	}
	switch {
	case !a.sc.Board.On(u.Hex), u.Steps < 1, u.Steps > u.c.Steps():
		a.fault("%s stands on %v with %d steps", u.c.Name, u.Hex, u.Steps)
	case s.controller(u.Hex) != u.c.Side:
		a.fault("%s stands on %v, which %s controls", u.c.Name, u.Hex, s.controller(u.Hex))
	}
}

// stack checks the units on a hex.
func (a *auditor) stack(h hex.Hex, us []*Unit) {
	if n := stackSteps(us); n > stackLimit {
		a.fault("%v holds %d steps: %s", h, n, names(us))
	}
	if slices.ContainsFunc(us, func(u *Unit) bool { return u.c.Side != us[0].c.Side }) {
		a.fault("%v holds both sides: %s", h, names(us))
	}
}

// sound: no more may fly than there are.
func (p Pool) sound() bool {
	return min(p.FreeF, p.FreeC) >= 0 && p.FreeF <= p.Fighters && p.FreeC <= p.CAS
}

// steps counts the steps of both sides that are on the map or to come.
func (s *State) steps() int {
	n := 0
	for i := range s.Units {
		u := &s.Units[i]
		switch {
		case u.Where == OnMap, u.Where == Later && !u.Back:
			n += u.Steps
		}
	}
	return n
}

// told is what events say of steps, points and aircraft.
type told struct {
	steps   int // gained
	points  [2]int
	airLost int
}

// change checks that steps, points, aircraft and activations are accounted for by what
// was told.
func (a *auditor) change(s *State, events []view.Event) {
	if s.Turn != a.last.Turn {
		a.acted = map[string]int{}
	}
	var t told
	for _, e := range events {
		t.add(s, e)
		a.act(s, e)
	}
	if was, is := a.last.steps()+t.steps, s.steps(); is != was {
		a.fault("%d steps are left, %d are accounted for", is, was)
	}
	points := a.last.Points
	for k := range points {
		points[k] += t.points[k]
	}
	if s.Points != points {
		a.fault("points for losses are %v, %v are accounted for", s.Points, points)
	}
	a.air(s, t.airLost)
	if a.last.Backhand != 0 && s.Backhand != a.last.Backhand {
		a.fault("the Backhand Blow was turn %d and is turn %d", a.last.Backhand, s.Backhand)
	}
}

// add adds what an event says.
func (t *told) add(s *State, e view.Event) {
	side := Side(e.Side)
	switch e.Kind {
	case "depleted":
		t.steps--
	case "replaced":
		t.steps--
		t.points[sideIndex(other(side))] += 2
	case "destroyed":
		t.steps--
		t.points[sideIndex(other(side))] += s.value(s.byName(side, e.Facts.Get("unit")), false)
	case "hq-back":
		t.steps++
	case "kg":
		if e.Facts.Get("points") != "" {
			t.points[sideIndex(Soviet)] += 2
		}
	case "air-lost":
		t.airLost++
	}
}

// act checks that no combat unit acts in two phases of a turn.
func (a *auditor) act(s *State, e view.Event) {
	if !slices.Contains([]string{"move", "enter", "railed", "overrun-move"}, e.Kind) {
		return
	}
	u := s.byName(Side(e.Side), e.Facts.Get("unit"))
	if u == nil || !u.combat() {
		return
	}
	if was, ok := a.acted[u.ID]; ok && was != a.last.Phase {
		a.fault("%s acts in phase %d and again in phase %d", u.c.Name, was, a.last.Phase)
	}
	a.acted[u.ID] = a.last.Phase
}

// air checks that aircraft are gone only if that was told, and come back only as a turn
// opens.
func (a *auditor) air(s *State, lost int) {
	opens := a.last.Step == StepWeather
	gone := 0
	for i := range s.Air {
		was, is := a.last.Air[i], s.Air[i]
		gone += was.Fighters + was.CAS - is.Fighters - is.CAS
		back := is.FreeF > was.FreeF || is.FreeC > was.FreeC
		if back && !opens && a.last.Step != StepOrders {
			a.fault("aircraft of %s came back in the middle of a turn", pools[i])
		}
	}
	if !opens && gone != lost {
		a.fault("%d air units are gone, %d losses were told", gone, lost)
	}
}
