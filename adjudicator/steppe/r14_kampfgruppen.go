package steppe

import (
	"cmp"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// likeKG tells whether a division and a Kampfgruppe are of one type. Two divisions, or
// two Kampfgruppen, never are.
//
// Steppe 14.0/3
// Steppe 14.0/10
//
// reading Steppe 14.0: only divisions of the German Army; armor and mechanized ones
// take armor; the pool is finite, and only one that was combined goes back to it.
func likeKG(kg, div *Counter) *rule.Violation {
	kind := div.Type
	if kind == MECH {
		kind = ARM
	}
	switch {
	case div.KG, div.Size != "D", div.Command != Army:
		return &rule.Violation{Clause: "Steppe 14.0", Why: div.Name + " is not a division of the German Army",
			Instead: "Kampfgruppen come from divisions alone, and go back to them."}
	case kind != kg.Type:
		return &rule.Violation{Clause: "Steppe 14.0", Why: kg.Name + " is not of the type of " + div.Name}
	}
	return nil
}

// mayBreakDown says why a division may not form a Kampfgruppe.
func (a *activation) mayBreakDown(kg, div *Unit) string {
	if why := a.activate(div); why != "" {
		return why
	}
	switch {
	case kg.Where == Gone:
		return "cannot form " + kg.c.Name + ": it is out of play"
	case kg.Where != InPool:
		return "cannot form " + kg.c.Name + ": it is not in the pool"
	case div.Regrouped: // Steppe 14.0/9
		return "has broken down or merged in this turn"
	case div.Steps < 2:
		return "has no step to give"
	}
	return ""
}

// breakDown takes a Kampfgruppe off a division, at no price in movement.
//
// Steppe 14.0/1
// Steppe 14.0/4
//
// reading Steppe 14.0: "break down and/or combine once" is one of the two for a division in a turn:
// what it gave off is not taken in again, nor the other way round.
// reading Steppe 14.0: to raise a Kampfgruppe costs the division a step and makes a one-step
// Kampfgruppe; the division must have two steps or more, a white-sash one too.
func (a *activation) breakDown(in instruction) {
	kg, div := in.units[0], in.units[1]
	if why := a.mayBreakDown(kg, div); why != "" {
		a.dropped(in.text, div.c.Name+" "+why)
		return
	}
	facts := view.Pairs{"kg", kg.c.Name, "unit", div.c.Name, "hex", a.s.spot(div.Hex)}
	// The division pays a step for it, and one that was its last red step points.
	//
	// Steppe 14.0/2
	was := div.red()
	div.Steps--
	if was && !div.red() {
		a.s.score(div, true)
		facts = facts.With("points", "2")
	}
	facts = facts.With("figures", div.figures())
	div.Regrouped = true
	kg.Steps, kg.Activated, kg.Parent, kg.Cut = 1, true, div.ID, div.Cut
	a.did(kg).active = true
	a.s.put(kg, div.Hex) // Steppe 14.0/5
	a.did(kg).begun = div.Hex
	a.r.Tell(view.Event{Kind: "kg", Clause: "Steppe 14.0", Side: string(a.side), Hexes: []hex.Hex{div.Hex},
		Facts: facts})
}

// merge joins a Kampfgruppe and a division that end the Move mode in one hex.
//
// Steppe 14.0/6
// Steppe 14.0/12
//
// reading Steppe 14.0: the step of a Kampfgruppe that was combined comes back as the next turn
// opens, on the division's own counter and never from white to red. Kampfgruppen A, B and F of the
// set-up have no recorded parent and may join any like division.
func (a *activation) merge(in instruction) {
	kg, div := in.units[0], in.units[1]
	if why := a.mayMerge(in.units, kg, div); why != "" {
		a.dropped(in.text, why)
		return
	}
	div.Regrouped = true
	a.s.Merging = append(a.s.Merging, Merger{div.ID, kg.ID})
	a.r.Tell(view.Event{Kind: "merging", Clause: "Steppe 14.0", Side: string(a.side), Hexes: []hex.Hex{div.Hex},
		Facts: view.Pairs{"kg", kg.c.Name, "unit", div.c.Name, "hex", a.s.spot(div.Hex)}})
}

// mayMerge says why a Kampfgruppe and a division may not be joined, and activates both.
func (a *activation) mayMerge(both []*Unit, kg, div *Unit) string {
	why := ""
	for _, u := range both {
		if w := a.activate(u); w != "" && !u.Entered {
			why = cmp.Or(why, u.c.Name+" "+w)
		}
	}
	switch {
	case why != "":
		return why
	case !together(kg, div):
		return "they are not in one hex"
	case div.Regrouped:
		return div.c.Name + " has broken down or merged in this turn"
	case !div.depleted():
		return div.c.Name + " is at full strength"
	}
	return ""
}

// together tells whether two units stand in one hex of the map.
func together(a, b *Unit) bool {
	return a.Where == OnMap && b.Where == OnMap && a.Hex == b.Hex
}

// depleted: the counter that it shows has a fuller side.
func (u *Unit) depleted() bool {
	full := u.c.Steps()
	if !u.red() {
		full -= u.c.Red // of the white-sash successor
	}
	return u.Steps < full
}

// mergeAll completes the mergers of the turn before.
//
// Steppe 14.0/7
func (s *State) mergeAll(r *adjudicator.Run) {
	for _, m := range s.Merging {
		div, kg := s.unit(m.Division), s.unit(m.KG)
		// Who is lost meanwhile is not restored.
		//
		// Steppe 14.0/8
		if !together(div, kg) || !div.depleted() {
			continue
		}
		s.lift(kg)
		*kg = Unit{ID: kg.ID, Where: InPool, Steps: kg.c.Steps(), c: kg.c, n: kg.n}
		div.Steps++
		r.Tell(view.Event{Kind: "merged", Clause: "Steppe 14.0", Side: string(German), Hexes: []hex.Hex{div.Hex},
			Facts: view.Pairs{"kg", kg.c.Name, "unit", div.c.Name, "figures", div.figures()}})
	}
	s.Merging = nil
}
