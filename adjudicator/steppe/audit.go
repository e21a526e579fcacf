package steppe

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/view"
)

// Auditor looks over what must hold after every phase.
func (g *Game) Auditor(opening []byte) (func(position []byte, events []view.Event) []string, error) {
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
		u := &s.Units[i]
		switch {
		case u.Where == OnMap && (!a.sc.Board.On(u.Hex) || u.Steps < 1 || u.Steps > u.c.Steps()):
			a.fault("%s stands on %v with %d steps", u.c.Name, u.Hex, u.Steps)
		case u.Where != OnMap && u.Hex != 0:
			a.fault("%s is %s and on %v", u.c.Name, u.Where, u.Hex)
		case u.Where == InPool && !u.c.KG:
			a.fault("%s is in the pool", u.c.Name)
		case u.Where == OnMap && s.controller(u.Hex) != u.c.Side:
			a.fault("%s stands on %v, which %s controls", u.c.Name, u.Hex, s.controller(u.Hex))
		}
	}
	for i := range s.at.slot {
		us := s.stack(i)
		if len(us) == 0 {
			continue
		}
		if s.load(i) > stackLimit {
			a.fault("%v holds %d steps: %s", s.hexAt(i), s.load(i), names(us))
		}
		if slices.ContainsFunc(us, func(u *Unit) bool { return u.c.Side != us[0].c.Side }) {
			a.fault("%v holds both sides: %s", s.hexAt(i), names(us))
		}
	}
	for i, p := range s.Air {
		if p.FreeF < 0 || p.FreeC < 0 || p.FreeF > p.Fighters || p.FreeC > p.CAS {
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

// steps counts the steps of both sides that are on the map or to come.
func (s *State) steps() int {
	n := 0
	for i := range s.Units {
		if u := &s.Units[i]; u.Where == OnMap || u.Where == Later && !u.Back {
			n += u.Steps
		}
	}
	return n
}

// change checks that steps, points, aircraft and activations are accounted for by what
// was told.
func (a *auditor) change(s *State, events []view.Event) {
	steps, points := a.last.steps(), a.last.Points
	if s.Turn != a.last.Turn {
		a.acted = map[string]int{}
	}
	lost := [3]int{}
	for _, e := range events {
		var u *Unit
		if name := e.Facts["unit"]; name != "" {
			u = s.byName(Side(e.Side), name)
		}
		switch e.Kind {
		case "depleted":
			steps--
		case "replaced":
			steps--
			points[sideIndex(other(Side(e.Side)))] += 2
		case "destroyed":
			steps--
			points[sideIndex(other(Side(e.Side)))] += s.value(u, false)
		case "hq-back":
			steps++
		case "kg":
			if e.Facts["points"] != "" {
				points[sideIndex(Soviet)] += 2
			}
		case "air-lost":
			lost[0]++
		case "move", "enter", "railed", "overrun-move":
			if u != nil && u.combat() {
				if was, ok := a.acted[u.ID]; ok && was != a.last.Phase {
					a.fault("%s acts in phase %d and again in phase %d", u.c.Name, was, a.last.Phase)
				}
				a.acted[u.ID] = a.last.Phase
			}
		}
	}
	if n := s.steps(); n != steps {
		a.fault("%d steps are left, %d are accounted for", n, steps)
	}
	if s.Points != points {
		a.fault("points for losses are %v, %v are accounted for", s.Points, points)
	}
	for i := range s.Air {
		was, is := a.last.Air[i], s.Air[i]
		lost[1] += was.Fighters + was.CAS
		lost[2] += is.Fighters + is.CAS
		if a.last.Step != StepWeather && a.last.Step != StepOrders && (is.FreeF > was.FreeF || is.FreeC > was.FreeC) {
			a.fault("aircraft of %s came back in the middle of a turn", pools[i])
		}
	}
	if a.last.Step != StepWeather && lost[1]-lost[2] != lost[0] {
		a.fault("%d air units are gone, %d losses were told", lost[1]-lost[2], lost[0])
	}
	if a.last.Backhand != 0 && s.Backhand != a.last.Backhand {
		a.fault("the Backhand Blow was turn %d and is turn %d", a.last.Backhand, s.Backhand)
	}
}
