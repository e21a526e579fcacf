package steppe

import (
	"fmt"
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

// view builds, from nothing, what a side may know of the position.
//
// reading Steppe 2.6: the game has no fog; units, supply, aircraft and points are public unless the
// players agreed on a blind game (option fog). Sealed are the turn sheets alone: programmes,
// doctrine, the choice of chits and the naming of the Backhand Blow.
func (s *State) view(side Side) *view.View {
	sc := s.sc
	v := &view.View{
		Format: view.Format, System: "steppe", Scenario: sc.ID, Title: sc.Title, Side: string(side),
		Turn: s.Turn, Turns: sc.Last, Date: sc.date(s.Turn), Phase: s.phaseName(),
		Verdict: s.Verdict, Winner: string(s.Winner), Board: sc.Board, Control: s.controlRows(side), Options: sc.options(),
	}
	v.Programmes = orders.Cut(s.Sheets[sideIndex(side)].Last, Vocabulary)
	if s.Step == StepOrders {
		v.Due = []string{"turn orders"}
	}
	for _, sd := range sc.sides() {
		v.Score = append(v.Score, view.Score{Side: string(sd), Points: s.points(sd),
			Note: fmt.Sprintf("%s, %d for losses", places(s.held(sd)), s.Points[sideIndex(sd)])})
	}
	for _, o := range sc.Objectives {
		v.Objectives = append(v.Objectives,
			view.Objective{Hex: o.Hex, Name: o.Name, Points: 1, Owner: string(s.controller(o.Hex))})
	}
	v.Units = slices.Grow(v.Units, s.unitsIn(side, OnMap))
	v.Arrivals = slices.Grow(v.Arrivals, s.unitsIn(side, Later, InPool))
	v.Lost = slices.Grow(v.Lost, s.unitsIn(side, Gone))
	for i := range s.Units {
		u := &s.Units[i]
		if u.c.Side != side {
			continue
		}
		switch u.Where {
		case OnMap:
			v.Units = append(v.Units, s.ownUnit(u))
		case Later, InPool:
			v.Arrivals = append(v.Arrivals, s.ownUnit(u))
		case Gone:
			v.Lost = append(v.Lost, s.ownUnit(u))
		}
	}
	v.Enemy = s.enemyStacks(side)
	for _, b := range sc.Board.Bridges {
		v.Bridges = append(v.Bridges, view.Bridge{Edge: b.Edge, Stands: !slices.Contains(s.Blown, b.Edge)})
	}
	v.Facts, v.Chits = s.facts(), s.chits(side)
	if a := s.Acting; a != nil && a.Side == string(side) {
		v.Acting = a
	}
	return v
}

// unitsIn counts the units of a side that are at some places.
func (s *State) unitsIn(side Side, at ...Where) (n int) {
	for i := range s.Units {
		if u := &s.Units[i]; u.c.Side == side && slices.Contains(at, u.Where) {
			n++
		}
	}
	return n
}

func places(n int) string {
	if n == 1 {
		return "1 place"
	}
	return fmt.Sprintf("%d places", n)
}

// chits is the cup as a side knows it: the numbers of both, the names of its own.
func (s *State) chits(side Side) *view.Chits {
	out := &view.Chits{}
	for i, pool := range pools {
		g := view.ChitGroup{Name: pool, Side: string(poolSide(pool)), Draws: s.sc.Chits[s.Turn-1][pool]}
		g.Left = g.Draws
		switch {
		case i < len(s.Cup):
			g.Left = s.Cup[i].Left
			if poolSide(pool) == side {
				g.Own = slices.Clone(s.Cup[i].In)
			}
		case poolSide(pool) == side:
			for _, u := range s.chitsOf(pool) {
				g.Own = append(g.Own, u.c.Name)
			}
		}
		out.Groups = append(out.Groups, g)
	}
	for _, c := range s.Played {
		out.Played = append(out.Played, view.Chit{Name: c.HQ, Side: string(c.Side)})
	}
	return out
}

// ownUnit is a unit as its owner knows it.
func (s *State) ownUnit(u *Unit) view.Unit {
	c, f := u.c, u.face()
	out := view.Unit{ID: c.ID, Name: c.Name, Formation: c.Command.title(), Nation: nation(c),
		Type: string(c.Type), Size: c.Size, Class: "foot", Hex: u.Hex,
		Attack: u.attack(), Defence: u.defence(), Full: u.full(), Printed: c.Faces[len(c.Faces)-1].Attack,
		Moves: f.Moves, Steps: u.Steps, MaxSteps: c.Steps(),
		OutOfSupply: u.Cut, Range: c.Range, Support: c.Artillery, Activated: u.Activated, Card: c.shown}
	if c.Motorized {
		out.Class = "tracked"
	}
	if c.Type == HQ {
		out.Attack, out.Printed, out.Support = 0, 0, u.support()
	}
	if u.Cut > 0 {
		out.Supply = supplyWords(u.Cut)
	}
	switch {
	case u.Where == Gone:
		out.Steps = 0
	case u.red():
		out.Note = "red sash"
	case c.Red > 0:
		out.Note = "white sash"
	}
	switch u.Where {
	case InPool:
		out.Note = noteInPool
	case Later:
		out.Turn, out.Due, out.Ready = u.Due, s.sc.date(u.Due), u.Due <= s.Turn
		if u.Back {
			out.Note = noteComesBack
		} else if a, ok := s.sc.arrival(u.ID); ok {
			out.Entry = []string{a.Zone}
		}
	}
	return out
}

// Notes of units off the map.
const (
	noteInPool    = "in the pool"
	noteComesBack = "eliminated, comes back"
)

func nation(c *Counter) string {
	switch c.Command {
	case SS:
		return "German SS"
	case Hungarian:
		return "Hungarian"
	case Army:
		return "German"
	}
	return "Soviet"
}

// enemyStacks lists the hexes with enemy units in full; in a blind game those in
// sight, and those that were seen before as dated notes.
func (s *State) enemyStacks(side Side) []view.Stack {
	var out []view.Stack
	for i := range s.at.slot {
		h := s.hexAt(i)
		if s.holderIx(i) == other(side) && s.overlooks(side, h) {
			st := s.sighted(h, s.Turn, sightsOf(s.stack(i)))
			st.Side, st.Closer = string(other(side)), true // what is seen is of this moment
			out = append(out, st)
			continue
		}
		if note := s.noteOf(side, h); note != nil && s.holderIx(i) != side {
			st := s.sighted(h, note.Turn, note.Units)
			st.Side = string(other(side))
			out = append(out, st)
		}
	}
	return out
}

// sighted is a stack as it was seen in a turn.
func (s *State) sighted(h hex.Hex, turn int, seen []Seen) view.Stack {
	st := view.Stack{Hex: h, Seen: s.sc.date(turn), Units: make([]view.Sight, 0, len(seen))}
	for _, x := range seen {
		c := s.sc.byID[x.ID]
		u := &Unit{Steps: x.Steps, Cut: x.Cut, c: c}
		sight := view.Sight{Name: c.Name, Nation: nation(c), Type: string(c.Type), Steps: x.Steps,
			Values: u.told(), Full: u.full(), OutOfSupply: x.Cut, Card: c.shown}
		if x.Cut > 0 {
			sight.Supply = supplyWords(x.Cut)
		}
		st.Units = append(st.Units, sight)
	}
	return st
}

// told is the figures of a unit as reports write them: those that count as it is supplied.
//
// Steppe 5.2/4
// Steppe 5.2/6
// Steppe 5.2/9
func (u *Unit) told() string {
	moves := u.face().Moves
	if u.c.Type == HQ {
		return fmt.Sprintf("%d guns, range %d-%d", u.support(), u.c.Range, moves)
	}
	return fmt.Sprintf("%d/%d-%d", u.attack(), u.defence(), moves)
}

// full is the strengths of a unit in supply, "" if they count now.
func (u *Unit) full() string {
	f := u.face()
	switch {
	case u.c.Type == HQ && u.support() != u.c.Artillery:
		return fmt.Sprintf("%d guns", u.c.Artillery)
	case u.c.Type == HQ, u.attack() == f.Attack && u.defence() == f.Defence:
		return ""
	}
	return fmt.Sprintf("%d/%d", f.Attack, f.Defence)
}

// beside tells whether a unit of the side stands next to a hex.
func (s *State) beside(i int, side Side) bool {
	for _, j := range s.sc.land.near[i] {
		if j >= 0 && s.holderIx(int(j)) == side {
			return true
		}
	}
	return false
}

// controlRows writes control as rows of the map, the first letter of each side.
func (s *State) controlRows(side Side) []string {
	control := s.knownControl(side)
	return s.sc.Board.Paint(func(h hex.Hex) byte { return control[s.ix(h)] })
}
