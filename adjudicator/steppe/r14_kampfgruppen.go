package steppe

import (
	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// likeKG tells whether a division and a Kampfgruppe are of one type.
//
// Steppe 14.0/3
// Steppe 14.0/10
//
// reading Steppe 14.0: only divisions of the German Army; armor and mechanized ones
// take armor, the pool is finite.
func likeKG(kg, div *Counter) *rule.Violation {
	kind := div.Type
	if kind == MECH {
		kind = ARM
	}
	switch {
	case div.KG || div.Size != "D" || div.Command != Army:
		return &rule.Violation{Clause: "Steppe 14.0", Why: div.Name + " is no division of the German Army", Instead: "Kampfgruppen come from divisions alone, and go back to them."}
	case kind != kg.Type:
		return &rule.Violation{Clause: "Steppe 14.0", Why: kg.Name + " is not of the type of " + div.Name}
	}
	return nil
}

// breakDown takes a Kampfgruppe off a division.
//
// Steppe 14.0/1
// Steppe 14.0/2
// Steppe 14.0/4
// Steppe 14.0/5
// Steppe 14.0/9
// Steppe 7.2/5
//
// reading Steppe 14.0: it costs the division a step and makes a one-step Kampfgruppe;
// the division must have two steps or more, a white-sash one too.
func (a *activation) breakDown(in instruction) {
	kg, div := in.units[0], in.units[1]
	why := a.activate(div)
	switch {
	case why != "":
	case kg.Where != InPool:
		why = "cannot form " + kg.c.Name + ": it is not in the pool"
	case div.Regrouped:
		why = "has broken down or merged in this turn"
	case div.Steps < 2:
		why = "has no step to give"
	}
	if why != "" {
		a.dropped(in.text, div.c.Name+" "+why)
		return
	}
	facts := map[string]string{"kg": kg.c.Name, "unit": div.c.Name, "hex": a.s.spot(div.Hex)}
	was := div.red()
	div.Steps--
	if was && !div.red() {
		a.s.score(div, true)
		facts["points"] = "2"
	}
	facts["figures"] = div.figures()
	div.Regrouped = true
	kg.Steps, kg.Activated, kg.Parent, kg.Cut = 1, true, div.ID, div.Cut
	a.did(kg).active = true
	a.s.put(kg, div.Hex)
	a.did(kg).begun = div.Hex
	a.r.Tell(view.Event{Kind: "kg", Clause: "Steppe 14.0", Side: string(a.side), Hexes: []hex.Hex{div.Hex}, Facts: facts})
}

// merge joins a Kampfgruppe and a division that end the Move mode in one hex.
//
// Steppe 14.0/6
// Steppe 14.0/8
//
// reading Steppe 14.0: the step comes back as the next turn opens, on the division's own
// counter and never from white to red. Kampfgruppen A, B and F of the set-up have no
// recorded parent and may join any like division.
func (a *activation) merge(in instruction) {
	kg, div := in.units[0], in.units[1]
	why := ""
	for _, u := range in.units {
		if w := a.activate(u); w != "" && why == "" && !u.Entered {
			why = u.c.Name + " " + w
		}
	}
	switch {
	case why != "":
	case kg.Where != OnMap || div.Where != OnMap || kg.Hex != div.Hex:
		why = "they are not in one hex"
	case div.Regrouped:
		why = div.c.Name + " has broken down or merged in this turn"
	case !div.depleted():
		why = div.c.Name + " is at full strength"
	}
	if why != "" {
		a.dropped(in.text, why)
		return
	}
	div.Regrouped = true
	a.s.Merging = append(a.s.Merging, Merger{div.ID, kg.ID})
	a.r.Tell(view.Event{Kind: "merging", Clause: "Steppe 14.0", Side: string(a.side), Hexes: []hex.Hex{div.Hex},
		Facts: map[string]string{"kg": kg.c.Name, "unit": div.c.Name, "hex": a.s.spot(div.Hex)}})
}

// depleted: the counter that it shows has a fuller side.
func (u *Unit) depleted() bool {
	if u.c.Red > 0 && !u.red() {
		return u.Steps < u.c.Steps()-u.c.Red
	}
	return u.Steps < u.c.Steps()
}

// mergeAll completes the mergers of the turn before.
//
// Steppe 14.0/7
func (s *State) mergeAll(r *adjudicator.Run) {
	for _, m := range s.Merging {
		div, kg := s.unit(m.Division), s.unit(m.KG)
		if div.Where != OnMap || kg.Where != OnMap || div.Hex != kg.Hex || !div.depleted() {
			continue
		}
		s.lift(kg)
		*kg = Unit{ID: kg.ID, Where: InPool, Steps: kg.c.Steps(), c: kg.c, n: kg.n}
		div.Steps++
		r.Tell(view.Event{Kind: "merged", Clause: "Steppe 14.0", Side: string(German), Hexes: []hex.Hex{div.Hex}, Facts: map[string]string{"kg": kg.c.Name, "unit": div.c.Name, "figures": div.figures()}})
	}
	s.Merging = nil
}
