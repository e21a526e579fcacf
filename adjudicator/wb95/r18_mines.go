package wb95

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// noteStep writes down that a unit has made a step, from nowhere if it came from
// off the map: for the mines and for units with Panthers if it is on the move, and
// because it ends the rest of tanks under repair, its own and those it comes near.
//
// reading WB-95 18.1.3: every step in the own half turn counts, pursuit and falling
// back after an attack as well; who leaves a line over its edge moves through it.
func (s *State) noteStep(u *Unit, from, to hex.Hex) {
	if u.c.Side == s.mover() {
		u.Ran = true
		if s.enemyLine(to, u.c.Side) || s.outOfLine(from, to, u.c.Side) {
			u.Mined = true
		}
	}
	s.spoilRepair(u)
	s.spoilRepairsBy(u)
}

// enemyLine tells whether the hex lies directly behind a fortified line of the
// side's enemy.
func (s *State) enemyLine(h hex.Hex, side Side) bool {
	w := s.sc.network().works
	if w.owner != s.sc.Other(side) || !s.sc.Board.On(h) {
		return false
	}
	return w.line[s.sc.Board.Grid.Index(h)] != 0
}

// outOfLine tells whether a step leads from behind such a line over its edge.
func (s *State) outOfLine(from, to hex.Hex, side Side) bool {
	g := s.sc.Board.Grid
	if from == hex.None || !s.enemyLine(from, side) {
		return false
	}
	d, ok := g.Direction(from, to)
	return ok && s.sc.network().works.line[g.Index(from)]&(1<<d) != 0
}

// noteAttack writes the same down for units that attack.
//
// WB-95 18.1.3
// reading WB-95 18.1.3: an attack on units in a line counts from whatever side it comes.
func (s *State) noteAttack(units []*Unit, targets []hex.Hex) {
	for _, u := range units {
		u.Ran = true
		if slices.ContainsFunc(targets, func(h hex.Hex) bool { return s.enemyLine(h, u.c.Side) }) {
			u.Mined = true
		}
	}
}

// mines rolls for the losses on mines, front by front. Who has nothing in the lines
// does not roll.
//
// reading WB-95 18.1.3: the owner chooses each step, among the units that are in
// question on that front; they lose no more than they have.
func (s *State) mines(r *adjudicator.Run, side Side, wishes []standingOrder) {
	// WB-95 18.1.1: mines cost steps until their last day
	// WB-95 18.1.4: in the Supply Phase of the side that attacks the lines
	if side != s.sc.Scorer || s.Turn > s.sc.Special.MinesLast {
		return
	}
	for _, f := range s.sc.fronts() {
		pool := func() []*Unit {
			return slices.DeleteFunc(s.onMap(side), func(u *Unit) bool { return !u.Mined || !f.holds(u.Hex) })
		}
		if f.MineDice == 0 || len(pool()) == 0 {
			continue
		}
		label := f.label("mines")
		// WB-95 18.1.2: so many dice
		dice := r.Roll("WB-95 18.1.2", label, f.MineDice, 6)
		n := 0
		for _, d := range dice {
			// WB-95 18.1.3: each may cost a step of units that were in a line
			n += btoi(d <= 3)
		}
		r.Tell(view.Event{Kind: "mines", Clause: "WB-95 18.1.3", To: to(side), Rolls: []string{label},
			Facts: view.Pairs{"dice", spaced(dice), "label", label, "steps", counted(n, "step"), "front", f.Name}})
		for i := 1; i <= n; i++ {
			us := pool()
			if len(us) == 0 {
				break
			}
			d := adjudicator.Decision{Label: fmt.Sprintf("%s %d", label, i), Kind: kindLoss, Side: side, Clause: "WB-95 18.1.3"}
			s.loseTo(r, s.mineVictim(r, d, us, wishes), "mine-loss", "WB-95 18.1.3")
		}
	}
}

// mineVictim asks the owner who loses a step.
func (s *State) mineVictim(r *adjudicator.Run, d adjudicator.Decision, us []*Unit, wishes []standingOrder) *Unit {
	if len(us) == 1 {
		return us[0]
	}
	for _, u := range us {
		d.Options = append(d.Options, adjudicator.Option{Answer: u.c.Name, Means: u.c.Name + " " + afterLoss(u, u.Steps-1)})
	}
	u, source := wished(wishes, verbMines, us)
	if u == nil {
		u, source = defaultMineLoss(us), defaultSource
	}
	d.Proposal, d.Source = u.c.Name, source
	answer := r.Ask(d)[0]
	return us[slices.IndexFunc(us, func(u *Unit) bool { return u.c.Name == answer })]
}

// defaultMineLoss is the published default: most steps first, assault guns before
// others and tanks last, of equals the weakest; headquarters after all.
func defaultMineLoss(us []*Unit) *Unit {
	rank := func(u *Unit) int {
		switch u.c.Type {
		case AG:
			return 0
		case ARM:
			return 2
		}
		return 1
	}
	return slices.MinFunc(us, func(a, b *Unit) int {
		return cmp.Or(btoi(a.c.Type == HQ)-btoi(b.c.Type == HQ), b.Steps-a.Steps, rank(a)-rank(b), byStrength(a, b))
	})
}

// loseTo takes a step of a unit outside of combat and tells its owner; that a unit
// is gone the enemy sees.
func (s *State) loseTo(r *adjudicator.Run, u *Unit, kind string, clause rule.Clause) {
	side, h, left := u.c.Side, u.Hex, u.Steps-1
	text := afterLoss(u, left)
	s.loseStep(u)
	r.Tell(view.Event{Kind: kind, Clause: clause, To: to(side), Hexes: []hex.Hex{h},
		Facts: view.Pairs{"unit", u.c.Name, "hex", h.String(), "left", text, "steps", strconv.Itoa(left)}})
}

// Front is a part of the map with rules of its own in chapters 17 and 18.
type Front struct {
	Name     string
	From, To int // columns
	Repairs  int // Repair markers
	MineDice int // dice for losses on mines in each Supply Phase of the scorer
}

// fronts are the fronts of the scenario: one, if it names none.
func (sc *Scenario) fronts() []Front {
	if sp := sc.Special; sp.Fronts == nil {
		return []Front{{To: sc.Board.Grid.ColMax, Repairs: sp.Repairs, MineDice: sp.MineDice}}
	}
	return sc.Special.Fronts
}

func (f Front) holds(h hex.Hex) bool { return h.Col() >= f.From && h.Col() <= f.To }

// label is a name for something on the front.
func (f Front) label(what string) string { return strings.TrimSpace(what + " " + f.Name) }
