package steppe

import (
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
)

// judge says what no turn of events before the chit can make legal in an order of a
// programme: it is refused on receipt. What may yet become legal is carried out as far
// as it can be when the chit comes.
func (s *State) judge(p *programme, in instruction) *rule.Violation {
	for _, u := range in.units {
		if v := s.judgeUnit(p, in, u); v != nil {
			return v
		}
	}
	if v := s.judgePath(in.path); v != nil {
		return v
	}
	switch in.verb {
	case verbAttack:
		return s.judgeAttack(p, in)
	case verbEnter:
		return s.judgeEntry(p, in)
	case verbRail:
		return s.judgeRail(p, in)
	case verbOverrunMove:
		return judgeOverrunMove(in)
	case verbBlow:
		return s.judgeBlow(in)
	}
	return nil
}

// judgePath judges that a way goes hex by hex.
func (s *State) judgePath(path []hex.Hex) *rule.Violation {
	for i := 1; i < len(path); i++ {
		if !s.sc.land.grid.Adjacent(path[i-1], path[i]) {
			v := refuse("Steppe 9.0", "%v and %v are not adjacent", path[i-1], path[i])
			v.Instead = "Write TO and the hex, and the way is found for you."
			return v
		}
	}
	return nil
}

// judgeRail judges a RAIL order.
func (s *State) judgeRail(p *programme, in instruction) *rule.Violation {
	if p.hq == nil {
		return refuse("Steppe 6.1", "reinforcements do not come with an individual hex")
	}
	for _, u := range in.units {
		if !s.due(u) {
			return refuse("Steppe 4.2", "%s is not a reinforcement that is due", u.c.Name)
		}
	}
	return nil
}

// judgeOverrunMove judges an OVERRUN-MOVE order.
func judgeOverrunMove(in instruction) *rule.Violation {
	for _, u := range in.units {
		if !u.c.Mech {
			return refuse("Steppe 9.3", "%s is not of a mechanized type and cannot overrun", u.c.Name)
		}
	}
	return nil
}

// judgeBlow judges a BLOW order.
func (s *State) judgeBlow(in instruction) *rule.Violation {
	if slices.Contains(s.Blown, in.edge) {
		return refuse("Steppe 12.0", "the bridge %v is down already", in.edge)
	}
	for _, u := range in.units {
		if !u.combat() {
			return refuse("Steppe 12.0", "combat units blow bridges, and %s is a headquarters", u.c.Name)
		}
	}
	return nil
}

// judgeUnit judges that the programme gives orders to a unit.
func (s *State) judgeUnit(p *programme, in instruction, u *Unit) *rule.Violation {
	if u.Where == Gone {
		return refuse("Steppe 2.3", "%s has been lost", u.c.Name)
	}
	if u.c.KG {
		if v := judgeKG(in.verb, u); v != nil {
			return v
		}
	}
	switch {
	case p.hq == nil: // whoever stands in the hex when its time comes
		return nil
	case u == p.hq:
		return nil
	case !u.combat():
		return refuse("Steppe 6.0", "%s is a headquarters with a chit of its own; %s cannot move it", u.c.Name, p.hq.c.Name)
	case u.c.Command == Hungarian:
		v := refuse("Steppe 6.3", "%s is Hungarian and obeys no headquarters", u.c.Name)
		v.Instead = "Give it the individual hex: SOLO HEX and where it stands."
		return v
	case !s.mayActivate(p.hq, u):
		clause := rule.Clause("Steppe 6.0")
		if u.c.Side == Soviet {
			clause = "Steppe 6.2"
		}
		return refuse(clause, "%s is of the %s and does not obey %s of the %s",
			u.c.Name, u.c.Command.title(), p.hq.c.Name, p.hq.c.Command.title())
	}
	return nil
}

// judgeKG judges that a Kampfgruppe to be formed is off the map, and one to be merged on
// it.
func judgeKG(verb verb, kg *Unit) *rule.Violation {
	switch onMap := kg.Where == OnMap; {
	case verb == verbKG && onMap:
		v := refuse("Steppe 14.0", "%s is on the map already", kg.c.Name)
		v.Instead = "Choose one that is in the pool."
		return v
	case verb == verbMerge && !onMap:
		return refuse("Steppe 14.0", "%s is not on the map", kg.c.Name)
	}
	return nil
}

// judgeAttack judges an ATTACK order.
func (s *State) judgeAttack(p *programme, in instruction) *rule.Violation {
	for _, u := range in.units {
		if !u.combat() {
			return refuse("Steppe 2.4", "%s is a headquarters and does not attack", u.c.Name)
		}
		if u.c.Command != in.units[0].c.Command {
			return refuse("Steppe 10.1", "%s and %s are of different colours and cannot attack together",
				in.units[0].c.Name, u.c.Name)
		}
	}
	for _, u := range in.overrun {
		if v := s.judgeOverrun(in, u); v != nil {
			return v
		}
	}
	for _, u := range in.advance {
		if len(in.units) > 0 && !slices.Contains(in.units, u) {
			return refuse("Steppe 10.4", "%s does not attack and cannot advance", u.c.Name)
		}
	}
	if v := judgeMarkers(p, in); v != nil {
		return v
	}
	if in.second != hex.None && !s.sc.land.grid.Adjacent(in.target, in.second) {
		return refuse("Steppe 10.4", "the second hex of an advance lies beside %v, and %v does not",
			in.target, in.second)
	}
	return nil
}

// judgeOverrun judges that a unit may overrun the target of an attack.
func (s *State) judgeOverrun(in instruction, u *Unit) *rule.Violation {
	t := s.groundOfOverrun(s.ix(in.target))
	switch {
	case !slices.Contains(in.units, u):
		return refuse("Steppe 9.3", "%s overruns and does not attack", u.c.Name)
	case !u.c.Mech:
		return refuse("Steppe 9.3", "%s is not of a mechanized type and cannot overrun", u.c.Name)
	case !t.Overrun:
		return refuse("Steppe 9.3", "there is no overrun into %s", t.Name)
	case s.Ground == mud:
		return refuse("Steppe 3.1", "there is no overrun in mud")
	}
	return nil
}

// judgeMarkers judges that a headquarters has the artillery markers of an attack.
func judgeMarkers(p *programme, in instruction) *rule.Violation {
	switch {
	case in.arty <= 0:
		return nil
	case p.hq == nil:
		return refuse("Steppe 2.4", "an individual hex has no artillery")
	case in.arty == allMarkers:
		return nil
	case in.arty > p.hq.c.Artillery:
		return refuse("Steppe 2.4", "%s has %d artillery markers, not %d", p.hq.c.Name, p.hq.c.Artillery, in.arty)
	}
	return nil
}

// judgeEntry judges an ENTER order.
func (s *State) judgeEntry(p *programme, in instruction) *rule.Violation {
	for _, u := range in.units {
		z := s.zoneOf(u)
		switch {
		case p.hq == nil:
			return refuse("Steppe 6.1", "reinforcements do not enter with an individual hex")
		case u.Where == OnMap:
			return refuse("Steppe 4.0", "%s is on the map already", u.c.Name)
		case !s.due(u):
			return refuse("Steppe 3.2", "%s is not due in this turn", u.c.Name)
		case in.at != hex.None && !slices.Contains(z.Hexes, in.at):
			return refuse("Steppe 4.0", "%s enters by %s, and %v is none of those hexes", u.c.Name, z.ID, in.at)
		}
	}
	return nil
}
