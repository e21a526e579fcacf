package steppe

import (
	"slices"
	"strings"

	"fieldpost/adjudicator/cup"
	"fieldpost/adjudicator/view"
)

// chitAsked is the headquarters whose orders a View asks for, or the individual hex.
func chitAsked(v *view.View) (name string, asked bool) {
	for _, q := range v.Asked {
		name, is := strings.CutPrefix(q.Label, "orders ")
		if is && q.Kind == KindActivation && !strings.HasPrefix(name, "for the rest ") {
			return name, true
		}
	}
	return "", false
}

// standAtChit puts a position that was made from a View before the drawing of the chit that its side is
// asked about, or before its individual hex.
func (s *State) standAtChit(v *view.View, name string) {
	side := Side(v.Side)
	draws, left, own := map[string]int{}, map[string]int{}, map[string][]string{}
	for _, g := range v.Chits.Groups {
		draws[g.Name], left[g.Name], own[g.Name] = g.Draws, g.Left, slices.Clone(g.Own)
	}
	if hq := s.byName(side, name); hq != nil {
		s.Step = StepChit
		if isOut(v, name) { // the View is of the moment after it
			s.Played = s.Played[:len(s.Played)-1]
			pool := hq.c.Command.pool()
			left[pool]++
			own[pool] = append(own[pool], name)
			slices.Sort(own[pool])
			hq.Activated = slices.Contains(s.Played, Chit{name, side})
		}
	} else {
		s.Step = StepSolo
		s.Solo = [2]bool{}
		if first := s.soloSide(); first != side {
			s.Solo[sideIndex(first)] = true
		}
	}
	s.Phase = 3 + len(s.Played) + sideIndex(side)*b2i(s.Step == StepSolo)
	s.Cup = nil
	for _, pool := range pools {
		g := s.groupOf(pool, draws[pool], left[pool])
		if poolSide(pool) == side {
			g.In = own[pool]
		}
		s.Cup = append(s.Cup, g)
	}
	s.believeActed(other(side))
}

// isOut tells whether a chit of the side's has been taken out of the cup of a View: it was played last,
// and is not among those that are left.
func isOut(v *view.View, name string) bool {
	n := len(v.Chits.Played)
	if n == 0 || v.Chits.Played[n-1] != (view.Chit{Name: name, Side: v.Side}) {
		return false
	}
	return !slices.ContainsFunc(v.Chits.Groups, func(g view.ChitGroup) bool { return g.Side == v.Side && slices.Contains(g.Own, name) })
}

// groupOf is the group of a pool of which so many draws are left: those that were played were in it,
// and the others that its owner would choose first.
func (s *State) groupOf(pool string, draws, left int) cup.Group {
	var played []string // in their order
	var put []*Unit
	for _, c := range s.Played {
		u := s.byName(c.Side, c.HQ)
		if u == nil || u.c.Command.pool() != pool {
			continue
		}
		if played = append(played, c.HQ); !slices.Contains(put, u) {
			put = append(put, u)
		}
	}
	rest := slices.DeleteFunc(s.chitsOf(pool), func(u *Unit) bool { return slices.Contains(put, u) })
	slices.SortStableFunc(rest, s.byUse)
	put = append(put, rest...)
	put = put[:min(max(draws, 1), len(put))]
	slices.SortFunc(put, byName)
	g := cup.New(pool, namesOf(put), left)
	if len(put) == 0 {
		return g
	}
	// All go back when the last is out: those of the present round are out of the cup.
	for _, name := range played[len(played)-len(played)%len(put):] {
		g.In = slices.DeleteFunc(g.In, func(in string) bool { return in == name })
	}
	return g
}

// believeActed takes those units of a side to have acted in this turn that are near a headquarters
// whose chit was played, and nearer to none whose chit was not.
func (s *State) believeActed(side Side) {
	was := func(hq *Unit) bool { return slices.Contains(s.Played, Chit{hq.c.Name, side}) }
	for u := range s.onMap() {
		if u.c.Side != side || !u.combat() {
			continue
		}
		near, acted := 1<<20, false
		for hq := range s.onMap() {
			if hq.combat() || hq.c.Side != side || !s.mayActivate(hq, u) || !s.inRange(hq, u.Hex) {
				continue
			}
			if n := s.sc.Board.Grid.Distance(hq.Hex, u.Hex); n < near {
				near, acted = n, was(hq)
			}
		}
		u.Activated = acted
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
