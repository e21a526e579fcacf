package famous

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// opening is the position before turn 1: everybody on his default hex.
//
// GD 17.0/1
// GD 18.4/2
// GD 18.4/5
// GD 18.4/8
// GD 20.4/1
// GD 21.4/2
// GD 21.4/3
func (sc *Scenario) opening() *State {
	s := &State{Format: stateFormat, Turn: 1, Phase: 1, sc: sc}
	n := sc.Board.Grid.Len()
	s.Last = strings.Repeat(".", n)
	for i := range sc.Counters {
		c := &sc.Counters[i]
		s.Units = append(s.Units, Unit{ID: c.ID, Where: Later, Steps: c.Steps(), c: c})
	}
	s.index()
	for _, p := range sc.Setup {
		u := s.unit(p.Counter)
		if p.Begins == "depleted" {
			u.Steps = 1
		}
		if u.Road = p.Begins == "road"; p.Default == hex.None {
			u.Where = Beside
			continue
		}
		s.put(u, p.Default)
	}
	for _, g := range sc.Grants {
		for _, h := range g.Default {
			s.Forts = append(s.Forts, Fort{Hex: h, Kind: g.Kind, Face: g.Face, Side: g.Side})
		}
	}
	slices.SortFunc(s.Forts, func(a, b Fort) int { return int(a.Hex)*10 + a.Kind - int(b.Hex)*10 - b.Kind })
	s.Pool = make([]int, len(sc.Events))
	for i, e := range sc.Events {
		s.Pool[i] = e.Copies
	}
	for k := range sc.Sides {
		c := &s.Events[k]
		c.Blue, c.Red, c.Black = sc.Cup[k].Blue, sc.Cup[k].Red, sc.Cup[k].Black
		for _, name := range sc.Hand[k] {
			c.Hand = insert(c.Hand, name)
			s.Pool[slices.IndexFunc(sc.Events, func(e Event) bool { return e.Name == name })]--
		}
	}
	for side, bn := range sc.Silent {
		s.Quiet = append(s.Quiet, chitKey(side, bn))
	}
	slices.Sort(s.Quiet)
	s.works()
	return s
}

// place1 places a unit or a fortification in the set-up: PLACE 5K/2GR 2129,
// PLACE BUNKER 1742 FACE 1 FROM 2135.
//
// GD 15.1/2
// GD 17.0/2
// GD 18.4/7
// GD 18.4/8
func (p *parser) place1(r *phrase.Reader) *rule.Violation {
	s := p.s
	if s.Turn != 1 || s.Phase > 2 || s.Placed {
		return &rule.Violation{Clause: "GD 17.0", Why: "the set-up is over"}
	}
	n := len(r.Words)
	for k := range s.sc.Forts {
		if name := strings.ToUpper(s.sc.Forts[k].Name); n > 1 && (r.Peek() == name || strings.HasPrefix(phrase.Join(r.Words), name+" ")) {
			r.Words = r.Words[len(strings.Fields(name)):]
			return p.placeFort(k, r)
		}
	}
	if n < 2 {
		return &rule.Violation{Clause: "GD 17.0", Why: "the set-up needs a unit and a hex"}
	}
	h, v := p.hex(r.Words[n-1].Text)
	if v != nil {
		return v
	}
	u, v := p.one(r.Words[:n-1])
	if v != nil {
		return v
	}
	i := slices.IndexFunc(s.sc.Setup, func(x Placement) bool { return x.Counter == u.ID })
	switch {
	case i < 0 || s.sc.Setup[i].Hexes == nil:
		return &rule.Violation{Clause: "GD 17.0", Why: u.c.Name + " does not begin on the map"}
	case !slices.Contains(s.sc.Setup[i].Hexes, h):
		return &rule.Violation{Clause: "GD 17.0", Why: fmt.Sprintf("%s begins %s, and %v is not there", u.c.Name, s.sc.Setup[i].Area, h)}
	case s.holder(h) == s.sc.Other(p.side):
		return &rule.Violation{Clause: "GD 7.0", Why: fmt.Sprintf("%v holds the enemy", h)}
	case s.sc.ground[s.sc.Board.Grid.Index(h)].major && len(s.bridgesAt(workOrder{hex: h})) == 0:
		return &rule.Violation{Clause: "GD 9.1", Why: fmt.Sprintf("%v is river", h)}
	case !s.fits(s.sc.Board.Grid.Index(h), u):
		return &rule.Violation{Clause: "GD 7.1", Why: fmt.Sprintf("%v is full", h), Instead: "Move another unit away first."}
	}
	was := s.Last
	old := u.idx
	s.put(u, h)
	if u.idx != old && s.holds(old) < 0 {
		b := []byte(was)
		b[old], b[u.idx] = '.', byte('A'+u.c.side)
		s.Last = string(b)
	}
	return nil
}

// placeFort moves a fortification chit of the set-up to another hex.
//
// GD 15.0/7
func (p *parser) placeFort(kind int, r *phrase.Reader) *rule.Violation {
	s := p.s
	h, v := p.hex(r.Next())
	if v != nil {
		return v
	}
	face, from := hex.Dir(-1), hex.None
	for !r.End() && v == nil {
		switch w := r.Next(); w {
		case "FACE":
			f := r.Next()
			if len(f) != 1 || f[0] < '1' || f[0] > '6' {
				return &rule.Violation{Clause: "GD 15.1", Why: "FACE needs a number from 1, the top of the map, to 6, clockwise"}
			}
			face = hex.Dir(f[0] - '1')
		case "FROM":
			from, v = p.hex(r.Next())
		default:
			return &rule.Violation{Clause: "GD 15.1", Why: fmt.Sprintf("%q is not understood here", w), Instead: "Write BUNKER 1742 FACE 1 FROM 2135."}
		}
	}
	if v != nil {
		return v
	}
	at := slices.IndexFunc(s.Forts, func(f Fort) bool {
		return f.Kind == kind && f.Side == p.side && (f.Hex == from || from == hex.None && f.Hex == h)
	})
	var grant *FortGrant
	for i := range s.sc.Grants {
		if g := &s.sc.Grants[i]; g.Side == p.side && g.Kind == kind {
			grant = g
		}
	}
	name := s.sc.Forts[kind].Name
	switch {
	case grant == nil || at < 0:
		return &rule.Violation{Clause: "GD 18.4", Why: fmt.Sprintf("you have no %s there to place", name), Instead: "Say which chit moves: FROM and its hex."}
	case s.Forts[at].Hex != h && slices.ContainsFunc(s.Forts, func(f Fort) bool { return f.Hex == h && f.Kind == kind }):
		return &rule.Violation{Clause: "GD 15.0", Why: fmt.Sprintf("%v has a %s already", h, name)}
	case !slices.ContainsFunc(s.on(h), func(u *Unit) bool {
		return u.c.Side == p.side && (len(grant.With) == 0 || slices.Contains(grant.With, u.c.Name))
	}):
		return &rule.Violation{Clause: "GD 18.4", Why: fmt.Sprintf("no unit of yours that may have a %s is on %v", name, h)}
	}
	s.Forts[at].Hex = h
	if face >= 0 {
		s.Forts[at].Face = face
	}
	slices.SortFunc(s.Forts, func(a, b Fort) int { return int(a.Hex)*10 + a.Kind - int(b.Hex)*10 - b.Kind })
	s.works()
	return nil
}

// tellSetup takes away fortifications that the set-up has left without a unit and
// tells the side where everybody stands.
func (s *State) tellSetup(r *adjudicator.Run, side Side) {
	s.Forts = slices.DeleteFunc(s.Forts, func(f Fort) bool { return f.Side == side && s.holder(f.Hex) != side })
	s.works()
	r.Tell(view.Event{Kind: "setup", Clause: "GD 17.0", To: []string{string(side)}, Facts: map[string]string{"side": string(side)}})
}
