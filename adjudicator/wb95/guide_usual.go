package wb95

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
)

// Usual implements adjudicator.Guide.
func (a *guide) Usual() (out []adjudicator.Offer) {
	if a.settingUp() {
		return append(a.choices(), a.everybody())
	}
	out = append(out, a.usualMissions()...)
	out = append(out, a.usualMoves()...)
	out = append(out, a.dutiesToAttack()...)
	return append(out, a.everybody())
}

// everybody is the usual standing order.
func (a *guide) everybody() adjudicator.Offer {
	return a.tryStanding(offered("STANDING", "ALL", "ALL RETREAT FULL, LOSSES WEAKEST FIRST"))
}

// choices are the units whose beginning is chosen, each on its first hex.
func (a *guide) choices() (out []adjudicator.Offer) {
	const most = 12
	for _, c := range a.v.Choices {
		o := offered("SETUP", "AT", "%s AT %v", c.Unit, c.Hexes[0])
		a.trial = a.now.s.copyTo(a.trial)
		if _, o.Refused = a.trial.setUp(a.now.by, written(o)); o.Refused == nil {
			o.Understood = fmt.Sprintf("STEPS %d of %d", c.Steps, c.Most)
		}
		if others := c.Hexes[1:min(len(c.Hexes), most)]; len(others) > 0 {
			o.Understood += ", or AT " + list(others)
		}
		out = append(out, o)
	}
	return out
}

// usualMissions are the first mission of each kind that can be flown in the next Air Phase.
func (a *guide) usualMissions() (out []adjudicator.Offer) {
	for phase, left := range a.airPhases() {
		for _, kind := range airVerb {
			for o := range a.missionsOf(kind, phase, left) {
				if o.Refused == nil {
					out = append(out, o)
					break
				}
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// usualMoves are an order to move for every unit, to where it stands, and one to enter for
// those that are due.
func (a *guide) usualMoves() (out []adjudicator.Offer) {
	var own []*Unit
	for i := range a.now.s.Units {
		if u := &a.now.s.Units[i]; a.now.s.mayOrder(a.now.by, u) && a.now.s.foreign(u) == nil {
			own = append(own, u)
		}
	}
	slices.SortStableFunc(own, func(x, y *Unit) int { return strings.Compare(x.c.Formation, y.c.Formation) })
	for _, u := range own {
		arrival := a.now.s.arrival(u)
		switch {
		case u.Where == OnMap:
			out = append(out, a.usualStay(u))
		case u.Where != Later, a.now.s.dueNow(u, arrival) != nil, len(arrival.Entry) == 0:
		default:
			out = append(out, a.usualEntry(u, arrival.Entry))
		}
	}
	return out
}

// usualStay is an order to move to where a unit stands, with what its counter says.
func (a *guide) usualStay(u *Unit) adjudicator.Offer {
	o := a.tryMove(a.moves(u), offered("MOVE", "TO", "%s TO %v", u.c.Name, u.Hex))
	i := slices.IndexFunc(a.v.Units, func(x view.Unit) bool { return x.ID == u.ID })
	if i < 0 || o.Refused != nil {
		return o
	}
	seen := a.v.Units[i]
	counter := fmt.Sprintf("%d-%d", seen.Attack, seen.Moves)
	if seen.Steps < seen.MaxSteps {
		counter += fmt.Sprintf(", %d of %d steps,", seen.Steps, seen.MaxSteps)
	}
	if stays, rest, found := strings.Cut(o.Understood, " MP"); found && strings.HasPrefix(stays, "stays in ") {
		o.Understood = counter + " stays" + rest
	}
	return o
}

// usualEntry is the first zone or place by which a reinforcement can come.
func (a *guide) usualEntry(u *Unit, zones []string) adjudicator.Offer {
	var first adjudicator.Offer
	for i, zone := range zones {
		o := a.tryMove(a.moves(u), offered("MOVE", "ENTER", "%s ENTER %s", u.c.Name, zone))
		if i == 0 {
			first = o
		}
		if o.Refused == nil {
			if len(zones) > 1 {
				o.Understood += "; it may ENTER " + strings.Join(zones, ", ")
			}
			return o
		}
	}
	return first
}

// dutiesToAttack are the attacks that the rules demand of the position as it is, made up as
// the game would make them.
func (a *guide) dutiesToAttack() (out []adjudicator.Offer) {
	s := a.now.s
	p := &plan{s: s, side: a.now.side}
	for _, given := range a.now.attacks {
		p.declare(given)
	}
	declared := len(p.combats)
	bound, due := s.duties(p.side)
	p.complete(bound, due)
	for _, c := range p.combats[declared:] {
		if slices.ContainsFunc(c.order.units, func(u *Unit) bool { return !s.mayOrder(a.now.by, u) || s.foreign(u) != nil }) {
			continue
		}
		o := a.tryAttack(offered("ATTACK", "ATTACK", "%s WITH %s", list(sorted(c.order.targets)), names(c.order.units)))
		if o.Refused == nil {
			o.Understood = "the rules demand it as things stand (WB-95 5.1.3): " + o.Understood
		}
		out = append(out, o)
	}
	return out
}
