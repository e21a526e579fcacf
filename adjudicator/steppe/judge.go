package steppe

import (
	"fmt"
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
)

// judge says what no turn of events before the chit can make legal in an order of a
// programme: it is refused on receipt. What may yet become legal is carried out as far
// as it can be when the chit comes.
func (s *State) judge(side Side, p *programme, in instruction) *rule.Violation {
	for _, u := range in.units {
		if v := s.judgeUnit(p, in, u); v != nil {
			return v
		}
	}
	for i := 1; i < len(in.path); i++ {
		if !s.sc.land.grid.Adjacent(in.path[i-1], in.path[i]) {
			return &rule.Violation{Clause: "Steppe 9.0", Why: fmt.Sprintf("%v and %v are not adjacent", in.path[i-1], in.path[i]), Instead: "Write TO and the hex, and the way is found for you."}
		}
	}
	switch in.verb {
	case "ATTACK":
		return s.judgeAttack(side, p, in)
	case "ENTER":
		return s.judgeEntry(p, in)
	case "RAIL":
		if p.hq == nil {
			return &rule.Violation{Clause: "Steppe 6.1", Why: "reinforcements do not come with an individual hex"}
		}
		for _, u := range in.units {
			if !s.due(u) {
				return &rule.Violation{Clause: "Steppe 4.2", Why: u.c.Name + " is no reinforcement that is due"}
			}
		}
	case "OVERRUN-MOVE":
		for _, u := range in.units {
			if !u.c.Mech {
				return &rule.Violation{Clause: "Steppe 9.3", Why: u.c.Name + " is not of a mechanized type and cannot overrun"}
			}
		}
	case "BLOW":
		if slices.Contains(s.Blown, in.edge) {
			return &rule.Violation{Clause: "Steppe 12.0", Why: fmt.Sprintf("the bridge %v is down already", in.edge)}
		}
		for _, u := range in.units {
			if !u.combat() {
				return &rule.Violation{Clause: "Steppe 12.0", Why: "combat units blow bridges, and " + u.c.Name + " is a headquarters"}
			}
		}
	}
	return nil
}

// judgeUnit judges that the programme gives orders to a unit.
func (s *State) judgeUnit(p *programme, in instruction, u *Unit) *rule.Violation {
	switch {
	case u.Where == Gone:
		return &rule.Violation{Clause: "Steppe 2.3", Why: u.c.Name + " has been lost"}
	case in.verb == "KG" && u.c.KG && u.Where == OnMap:
		return &rule.Violation{Clause: "Steppe 14.0", Why: u.c.Name + " is on the map already", Instead: "Choose one that is in the pool."}
	case in.verb == "MERGE" && u.c.KG && u.Where != OnMap:
		return &rule.Violation{Clause: "Steppe 14.0", Why: u.c.Name + " is not on the map"}
	case p.hq == nil: // whoever stands in the hex when its time comes
		return nil
	case u == p.hq:
		return nil
	case !u.combat():
		return &rule.Violation{Clause: "Steppe 6.0", Why: fmt.Sprintf("%s is a headquarters with a chit of its own; %s cannot move it", u.c.Name, p.hq.c.Name)}
	case u.c.Command == Hungarian:
		return &rule.Violation{Clause: "Steppe 6.3", Why: u.c.Name + " is Hungarian and obeys no headquarters", Instead: "Give it the individual hex: SOLO HEX and where it stands."}
	case !s.mayActivate(p.hq, u):
		clause := rule.Clause("Steppe 6.0")
		if u.c.Side == Soviet {
			clause = "Steppe 6.2"
		}
		return &rule.Violation{Clause: clause, Why: fmt.Sprintf("%s is of the %s and does not obey %s of the %s", u.c.Name, u.c.Command.title(), p.hq.c.Name, p.hq.c.Command.title())}
	}
	return nil
}

// judgeAttack judges an ATTACK order.
func (s *State) judgeAttack(side Side, p *programme, in instruction) *rule.Violation {
	for _, u := range in.units {
		if !u.combat() {
			return &rule.Violation{Clause: "Steppe 2.4", Why: u.c.Name + " is a headquarters and does not attack"}
		}
		if u.c.Command != in.units[0].c.Command {
			return &rule.Violation{Clause: "Steppe 10.1", Why: fmt.Sprintf("%s and %s are of different colours and cannot attack together", in.units[0].c.Name, u.c.Name)}
		}
	}
	for _, u := range in.overrun {
		t := s.sc.land.ground[s.ix(in.target)]
		switch {
		case !slices.Contains(in.units, u):
			return &rule.Violation{Clause: "Steppe 9.3", Why: u.c.Name + " overruns and does not attack"}
		case !u.c.Mech:
			return &rule.Violation{Clause: "Steppe 9.3", Why: u.c.Name + " is not of a mechanized type and cannot overrun"}
		case !t.Overrun:
			return &rule.Violation{Clause: "Steppe 9.3", Why: fmt.Sprintf("there is no overrun into %s", t.Name)}
		case s.Ground == mud:
			return &rule.Violation{Clause: "Steppe 3.1", Why: "there is no overrun in mud"}
		}
	}
	if len(in.units) > 0 {
		for _, u := range in.advance {
			if !slices.Contains(in.units, u) {
				return &rule.Violation{Clause: "Steppe 10.4", Why: u.c.Name + " does not attack and cannot advance"}
			}
		}
	}
	switch {
	case in.arty > 0 && p.hq == nil:
		return &rule.Violation{Clause: "Steppe 2.4", Why: "an individual hex has no artillery"}
	case in.arty > 0 && in.arty != 99 && in.arty > p.hq.c.Artillery:
		return &rule.Violation{Clause: "Steppe 2.4", Why: fmt.Sprintf("%s has %d artillery markers, not %d", p.hq.c.Name, p.hq.c.Artillery, in.arty)}
	case in.second != hex.None && !s.sc.land.grid.Adjacent(in.target, in.second):
		return &rule.Violation{Clause: "Steppe 10.4", Why: fmt.Sprintf("the second hex of an advance lies beside %v, and %v does not", in.target, in.second)}
	}
	return nil
}

// judgeEntry judges an ENTER order.
func (s *State) judgeEntry(p *programme, in instruction) *rule.Violation {
	for _, u := range in.units {
		z := s.zoneOf(u)
		switch {
		case p.hq == nil:
			return &rule.Violation{Clause: "Steppe 6.1", Why: "reinforcements do not enter with an individual hex"}
		case u.Where == OnMap:
			return &rule.Violation{Clause: "Steppe 4.0", Why: u.c.Name + " is on the map already"}
		case !s.due(u):
			return &rule.Violation{Clause: "Steppe 3.2", Why: u.c.Name + " is not due in this turn"}
		case in.at != hex.None && !slices.Contains(z.Hexes, in.at):
			return &rule.Violation{Clause: "Steppe 4.0", Why: fmt.Sprintf("%s enters by %s, and %v is none of those hexes", u.c.Name, z.ID, in.at)}
		}
	}
	return nil
}
