package steppe

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
)

// Draw makes a position that agrees with a View of the moment in which turn orders are due, or orders
// for a chit that was drawn, or for the individual hex. All units are public; those of the enemy that
// are not on the map are due as printed, or lost. Blind games are not drawn.
func (g *Game) Draw(v *view.View, _ func(k int) int) ([]byte, error) {
	sc := g.sc
	name, atChit := chitAsked(v)
	switch {
	case sc.Fog == adjudicator.FogBlind:
		return nil, fmt.Errorf("%s: a blind game is not drawn", v.Scenario)
	case !atChit && !slices.Contains(v.Due, "turn orders"):
		return nil, fmt.Errorf("the view is of no moment in which turn orders are due: %q", v.Phase)
	}
	s, err := sc.believe(v)
	if err != nil {
		return nil, err
	}
	s.leads = nil
	here := map[string]bool{}
	for _, u := range s.Units {
		here[u.ID] = true
	}
	for _, u := range sc.openingUnits() {
		if !here[u.ID] {
			s.Units = append(s.Units, s.unseen(u))
		}
	}
	slices.SortFunc(s.Units, func(a, b Unit) int { return strings.Compare(a.ID, b.ID) })
	s.believeOwnNotes(v)
	if err := s.attach(sc); err != nil {
		return nil, err
	}
	if atChit {
		s.standAtChit(v, name)
	}
	for _, x := range v.Score {
		sd := Side(x.Side)
		s.Points[sideIndex(sd)] = x.Points - s.held(sd)
	}
	return s.encode(), nil
}

// unseen is an enemy unit of the opening that is not on the map: due, in the pool, or lost.
func (s *State) unseen(u Unit) Unit {
	switch {
	case u.Where == InPool:
		return u
	case u.Where == Later && u.Due >= s.Turn:
		return u
	case u.c.Type == HQ: // an eliminated headquarters comes back
		return Unit{ID: u.ID, Where: Later, Due: s.Turn, Back: true, Steps: u.c.Steps(), c: u.c}
	}
	return Unit{ID: u.ID, Where: Gone, c: u.c}
}

// believeOwnNotes gives lost units of the side what a View tells of them.
func (s *State) believeOwnNotes(v *view.View) {
	for _, l := range v.Lost {
		if u := s.unit(l.ID); u != nil {
			u.Where, u.Steps = Gone, 0
		}
	}
}
