package famous

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// opening is the position before turn 1: everybody on their default hex.
//
// GD 17.0/1
func (sc *Scenario) opening() *State {
	s := &State{Format: stateFormat, Turn: 1, Phase: 1, sc: sc}
	n := sc.Board.Grid.Len()
	s.Last = bytes.Repeat([]byte{noSideMark}, n)
	for i := range sc.Counters {
		c := &sc.Counters[i]
		s.Units = append(s.Units, Unit{ID: c.ID, Where: Later, Steps: c.Steps(), c: c})
	}
	s.index()
	for _, p := range sc.Setup {
		u := s.unit(p.Counter)
		// GD 18.4/2: companies that begin depleted
		// GD 21.4/2
		if p.Begins == beginsDepleted {
			u.Steps = 1
		}
		u.Road = p.Begins == beginsOnRoad
		if p.Default == hex.None {
			u.Where = Beside // GD 18.4/5
			continue
		}
		s.put(u, p.Default)
	}
	// GD 18.4/7
	// GD 21.4/3
	for _, g := range sc.Grants {
		for _, h := range g.Default {
			s.Forts = append(s.Forts, Fort{Hex: h, Kind: g.Kind, Face: g.Face, Side: g.Side})
		}
	}
	s.sortForts()
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
	for side, bn := range sc.Silent { // GD 20.4/2
		s.Quiet = append(s.Quiet, chitKey(side, bn))
	}
	slices.Sort(s.Quiet)
	s.works()
	return s
}

// sortForts brings the fortifications into the order of the encoding.
func (s *State) sortForts() {
	slices.SortFunc(s.Forts, func(a, b Fort) int { return int(a.Hex)*10 + a.Kind - int(b.Hex)*10 - b.Kind })
}

// setUp places what the lines of a side's set-up say, and tells for each line why it is
// not carried out. No line is that would leave a fortification without a unit in the end.
//
// GD 18.4/10
// GD 21.4/5
func (p *parser) setUp(list []phrase.Written) []*rule.Violation {
	deserting := map[int]*rule.Violation{}
	for {
		trial := &parser{s: p.s.clone(), side: p.side, bn: p.bn}
		_, left := trial.placeAll(list, deserting)
		k, v := trial.deserted(left)
		if v == nil {
			break
		}
		deserting[k] = v
	}
	verdicts, _ := p.placeAll(list, deserting)
	return verdicts
}

// departure is a unit that a line of the set-up has taken off a hex.
type departure struct {
	line int
	unit *Unit
}

// placeAll carries out lines of the set-up but those that are refused already. It returns
// the verdicts, and who was the last to leave a hex.
func (p *parser) placeAll(list []phrase.Written, refused map[int]*rule.Violation) ([]*rule.Violation, map[hex.Hex]departure) {
	verdicts, left := make([]*rule.Violation, len(list)), map[hex.Hex]departure{}
	for i, o := range list {
		if verdicts[i] = refused[i]; verdicts[i] != nil {
			continue
		}
		u, from, v := p.placeLine(o)
		if verdicts[i] = v; v == nil && u != nil {
			left[from] = departure{i, u}
		}
	}
	return verdicts, left
}

// deserted is the line, with a Violation, by which the last unit has left a fortification;
// no Violation if each has a unit.
func (p *parser) deserted(left map[hex.Hex]departure) (int, *rule.Violation) {
	s := p.s
	for _, f := range s.Forts {
		if f.Side != p.side || slices.ContainsFunc(s.on(f.Hex), s.sc.grant(p.side, f.Kind).fits) {
			continue
		}
		if d, ok := left[f.Hex]; ok {
			return d.line, &rule.Violation{Clause: "GD 18.4", Why: fmt.Sprintf("%s would leave the %s on %v without a unit", d.unit.c.Name, s.sc.Forts[f.Kind].Name, f.Hex),
				Instead: "Place the fortification elsewhere too, or another unit there."}
		}
	}
	return 0, nil
}

// placements parts the lines of the set-up from the other orders for a turn.
func placements(list []phrase.Written) (places, rest []phrase.Written) {
	for _, o := range list {
		if verb(o.Verb()) == verbPlace {
			places = append(places, o)
		} else {
			rest = append(rest, o)
		}
	}
	return places, rest
}

// placeLine places a unit or a fortification in the set-up: PLACE 5K/2GR 2129,
// PLACE BUNKER 1742 FACE 1 FROM 2135. It returns the unit, nil for a fortification, and
// where it was.
func (p *parser) placeLine(o phrase.Written) (u *Unit, from hex.Hex, v *rule.Violation) {
	switch {
	case o.Fault != nil:
		return nil, hex.None, o.Fault
	case verb(o.Verb()) != verbPlace:
		return nil, hex.None, &rule.Violation{Why: fmt.Sprintf("%q is not understood here", o.Verb())}
	case !p.s.settingUp():
		return nil, hex.None, &rule.Violation{Clause: "GD 17.0", Why: "the set-up is over"}
	}
	r := phrase.New(slices.Clone(o.Order.Clauses[0]))
	r.Skip(string(verbPlace))
	if kind, ok := p.fortName(&r); ok {
		return nil, hex.None, p.placeFort(kind, &r)
	}
	n := len(r.Words)
	if n < 2 {
		return nil, hex.None, &rule.Violation{Clause: "GD 17.0", Why: "the set-up needs a unit and a hex"}
	}
	h, v := p.hex(r.Words[n-1].Text)
	if v != nil {
		return nil, hex.None, v
	}
	if u, v = p.one(r.Words[:n-1]); v != nil {
		return nil, hex.None, v
	}
	if v := p.mayPlace(u, h); v != nil {
		return nil, hex.None, v
	}
	from = u.Hex
	p.s.place(u, h)
	return u, from, nil
}

// settingUp: units are placed in turn 0, or until supply is audited in turn 1.
func (s *State) settingUp() bool { return s.Turn == 1 && s.Phase <= supplyStep && !s.Placed }

// fortName takes the name of a kind of fortification off the front of a placement.
func (p *parser) fortName(r *phrase.Reader) (kind int, ok bool) {
	said := phrase.Join(r.Words)
	for k, f := range p.s.sc.Forts {
		name := strings.ToUpper(f.Name)
		if strings.HasPrefix(said, name+" ") {
			r.Words = r.Words[len(strings.Fields(name)):]
			return k, true
		}
	}
	return 0, false
}

// mayPlace tells why a unit cannot begin on a hex.
//
// GD 17.0/2
func (p *parser) mayPlace(u *Unit, h hex.Hex) *rule.Violation {
	s := p.s
	i := slices.IndexFunc(s.sc.Setup, func(x Placement) bool { return x.Counter == u.ID })
	if i < 0 || s.sc.Setup[i].Hexes == nil {
		return &rule.Violation{Clause: "GD 17.0", Why: u.c.Name + " does not begin on the map"}
	}
	ground, theirs := s.sc.Board.Grid.Index(h), s.reserved(h, p.side)
	switch {
	case !slices.Contains(s.sc.Setup[i].Hexes, h):
		return &rule.Violation{Clause: "GD 17.0", Why: fmt.Sprintf("%s begins %s, and %v is not there", u.c.Name, s.sc.Setup[i].Area, h)}
	case theirs != nil:
		return &rule.Violation{Clause: "GD 17.0", Why: fmt.Sprintf("%v is where %s begins unless its owner says otherwise", h, theirs.Name)}
	case s.holder(h) == s.sc.Other(p.side):
		return &rule.Violation{Clause: "GD 7.0", Why: fmt.Sprintf("%v holds the enemy", h)}
	case s.sc.ground[ground].major && len(s.bridgesAt(workOrder{hex: h})) == 0:
		return &rule.Violation{Clause: "GD 9.1", Why: fmt.Sprintf("%v is river", h)}
	case !s.fits(ground, u):
		return &rule.Violation{Clause: "GD 7.1", Why: fmt.Sprintf("%v is full", h), Instead: "Move another unit away first."}
	}
	return nil
}

// place puts a unit on another hex than its default one, which counts as never occupied then.
func (s *State) place(u *Unit, h hex.Hex) {
	was, old := slices.Clone(s.Last), u.idx
	s.put(u, h)
	if u.idx == old || s.holds(old) >= 0 {
		return
	}
	s.Last = was
	s.mark(old, noSideMark)
	s.mark(u.idx, sideMarks[u.c.side])
}

// placeFort moves a fortification chit of the set-up to another hex.
func (p *parser) placeFort(kind int, r *phrase.Reader) *rule.Violation {
	s := p.s
	f, v := p.readFort(kind, r)
	if v != nil {
		return v
	}
	at := slices.IndexFunc(s.Forts, f.moves)
	grant := s.sc.grant(p.side, kind)
	name := s.sc.Forts[kind].Name
	switch {
	case at < 0:
		return &rule.Violation{Clause: "GD 18.4", Why: fmt.Sprintf("you have no %s there to place", name), Instead: "Say which chit moves: FROM and its hex."}
	case s.Forts[at].Hex != f.to && s.hasFort(f.to, kind): // GD 15.0/7
		return &rule.Violation{Clause: "GD 15.0", Why: fmt.Sprintf("%v has a %s already", f.to, name)}
	case !slices.ContainsFunc(s.on(f.to), grant.fits): // GD 18.4/10
		return &rule.Violation{Clause: "GD 18.4", Why: fmt.Sprintf("no unit of yours that may have a %s is on %v", name, f.to)}
	}
	s.Forts[at].Hex = f.to
	if f.face >= 0 {
		s.Forts[at].Face = f.face // GD 15.1/2
	}
	s.sortForts()
	s.works()
	return nil
}

// faces are the directions as orders number them.
var faces = map[string]hex.Dir{"1": 0, "2": 1, "3": 2, "4": 3, "5": 4, "6": 5}

// fortOrder is where a fortification goes, and from where.
type fortOrder struct {
	kind     int
	side     Side
	to, from hex.Hex // from None: it stands there already
	face     hex.Dir // -1: as it is
}

// moves tells whether the order is about a fortification.
func (o fortOrder) moves(f Fort) bool {
	if f.Kind != o.kind || f.Side != o.side {
		return false
	}
	if o.from == hex.None {
		return f.Hex == o.to
	}
	return f.Hex == o.from
}

// readFort reads 1742 FACE 1 FROM 2135.
func (p *parser) readFort(kind int, r *phrase.Reader) (o fortOrder, v *rule.Violation) {
	o = fortOrder{kind: kind, side: p.side, face: -1}
	if o.to, v = p.hex(r.Next()); v != nil {
		return o, v
	}
	for v == nil && !r.End() {
		switch w := r.Next(); w {
		case "FACE":
			var ok bool
			if o.face, ok = faces[r.Next()]; !ok {
				return o, &rule.Violation{Clause: "GD 15.1", Why: "FACE needs a number from 1, the top of the map, to 6, clockwise"}
			}
		case "FROM":
			o.from, v = p.hex(r.Next())
		default:
			return o, &rule.Violation{Clause: "GD 15.1", Why: fmt.Sprintf("%q is not understood here", w), Instead: "Write BUNKER 1742 FACE 1 FROM 2135."}
		}
	}
	return o, v
}

// hasFort tells whether a fortification of a kind is on a hex.
func (s *State) hasFort(h hex.Hex, kind int) bool {
	return slices.ContainsFunc(s.fortsOn(h), func(f Fort) bool { return f.Kind == kind })
}

// grant is what a side may set up of a kind of fortification, nil for none.
func (sc *Scenario) grant(side Side, kind int) (grant *FortGrant) {
	for i := range sc.Grants {
		if g := &sc.Grants[i]; g.Side == side && g.Kind == kind {
			grant = g
		}
	}
	return grant
}

// fits tells whether the fortification may be placed with a unit.
func (g *FortGrant) fits(u *Unit) bool { return g.with(u.c) }

func (g *FortGrant) with(c *Counter) bool {
	if c.Side != g.Side {
		return false
	}
	return len(g.With) == 0 || slices.Contains(g.With, c.Name)
}

// tellSetup tells the side that everybody stands where they begin.
func (s *State) tellSetup(r *adjudicator.Run, side Side) {
	r.Tell(view.Event{Kind: "setup", Clause: "GD 17.0", To: []string{string(side)}, Facts: view.Pairs{"side", string(side)}})
}
