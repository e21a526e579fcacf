package wb95

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
)

// Reach implements adjudicator.Guide.
func (a *guide) Reach(actor, manner string) ([]adjudicator.Way, error) {
	u, err := a.find(actor)
	switch {
	case err != nil:
		return nil, err
	case a.settingUp():
		return a.beginnings(u), nil
	}
	t, err := a.setOff(u, strings.ToUpper(manner))
	if err != nil {
		return nil, err
	}
	return t.ways(), nil
}

// beginnings are the hexes on which a unit may begin.
func (a *guide) beginnings(u *Unit) (out []adjudicator.Way) {
	for _, o := range a.setUps(u) {
		if o.Verb != "AT" || o.Refused != nil {
			continue
		}
		h, _ := hex.Parse(o.Order[strings.LastIndexByte(o.Order, ' ')+1:])
		out = append(out, adjudicator.Way{Hex: h, Section: o.Section, Order: o.Order, Path: []hex.Hex{h}, Room: stackLimit - a.now.s.stackSteps(h)})
	}
	return out
}

// tour is a unit about to set out, on a position of its own, and what its search finds.
type tour struct {
	a     *guide
	from  *check
	m     *march
	begin outset
	order string // with a verb for the hex
}

// setOff brings a unit to where its way begins, as an order in that manner would.
func (a *guide) setOff(u *Unit, manner string) (*tour, error) {
	t := &tour{a: a, from: a.moves(u)}
	s := t.from.s.clone()
	u = s.unit(u.ID)
	o := &moveOrder{units: []*Unit{u}, to: u.Hex, limber: rooted(u) && manner != "STRATEGIC"}
	t.order = u.c.Name + " TO %v"
	if o.limber {
		t.order = u.c.Name + " LIMBER, TO %v"
	}
	zone, enters := strings.CutPrefix(manner, "ENTER ")
	switch {
	case enters:
		o.enter, t.order = zone, u.c.Name+" ENTER "+zone+" TO %v"
	case manner == "STRATEGIC":
		o.strategic, t.order = true, t.order+" STRATEGIC"
	case manner == "FULL":
		o.full, t.order = true, t.order+" FULL"
	case manner != "":
		return nil, fmt.Errorf("%q is not a manner of moving: write STRATEGIC, FULL, or ENTER and a zone", manner)
	}
	if v := s.mayMove(u, o); v != nil {
		return nil, v
	}
	if s.keptForLater(o) {
		s.later()
		u.Strategic = true
		if v := s.maySM(u); v != nil {
			return nil, v
		}
	}
	t.m = s.newMarch(u, o.full)
	var v *rule.Violation
	if t.begin, v = t.m.setOut(o, nil); v != nil {
		return nil, v
	}
	return t, nil
}

// later turns the position into the one of the Strategic Movement Phase, as far as it can be
// seen in the Movement Phase.
func (s *State) later() {
	s.Phase += 2
	s.Missions = nil // what flies there is not known yet
}

// ways lists the hexes that the search finds, and how it gets there.
func (t *tour) ways() (out []adjudicator.Way) {
	m, b := t.m, t.m.s.sc.Board
	m.sought = []hex.Hex{} // no way that is found for an order rides anybody down
	f := m.search(t.begin.seeds, m.start, t.begin.standing)
	for _, h := range f.hexes() {
		if h != m.at && b.On(h) && m.held[b.Grid.Index(h)] == heldNot {
			out = t.add(out, f, h)
		}
	}
	for _, h := range t.soft(f) {
		m.sought = []hex.Hex{h}
		ride := m.search(t.begin.seeds, m.start, t.begin.standing)
		if ride.node(h) >= 0 {
			out = t.add(out, ride, h)
		}
		ride.release()
	}
	f.release()
	slices.SortFunc(out, func(x, y adjudicator.Way) int { return int(x.Hex) - int(y.Hex) })
	return out
}

// soft are the hexes beside what was found that hold headquarters or guns to ride down.
func (t *tour) soft(f *field) (out []hex.Hex) {
	m := t.m
	g := &m.s.sc.Board.Grid
	for _, h := range m.s.hexesOf(m.s.sc.Other(m.u.c.Side)) {
		i := g.Index(h)
		if m.held[i] <= heldNot || !m.mayRideInto(i) {
			continue
		}
		if slices.ContainsFunc(g.Neighbours(h), func(k hex.Hex) bool { return f.node(k) >= 0 }) {
			out = append(out, h)
		}
	}
	return out
}

// add adds the way to a hex, if aircraft do not stop it: the search knows nothing of them.
func (t *tour) add(out []adjudicator.Way, f *field, h hex.Hex) []adjudicator.Way {
	m := t.m
	n := f.node(h)
	w := adjudicator.Way{Hex: h, Section: "MOVE", Order: fmt.Sprintf(t.order, h), Cost: f.cost[n].String(), Of: m.start.String()}
	for k := n; k >= 0; k = f.from[k] {
		w.Path = append(w.Path, m.s.sc.Board.Grid.At(int(k/layers)))
	}
	slices.Reverse(w.Path)
	if slices.ContainsFunc(w.Path, t.harmed) {
		tried := t.a.tryMove(t.from, adjudicator.Offer{Order: w.Order})
		if tried.Refused != nil {
			return out
		}
		w.Meets = append(w.Meets, "enemy aircraft: "+tried.Understood)
	}
	w.Room = stackLimit - m.s.stackSteps(h) - m.u.Steps
	w.Meets = append(w.Meets, t.meets(h, n%layers == freeStep)...)
	return append(out, w)
}

// harmed tells whether aircraft act against movement in the hex.
func (t *tour) harmed(h hex.Hex) bool { return t.m.harm(t.m.s.sc.Board.Grid.Index(h)) > 0 }

// meets is what there is to look at in a hex where a way ends.
func (t *tour) meets(h hex.Hex, free bool) (out []string) {
	s, u := t.m.s, t.m.u
	say := func(is bool, what string) {
		if is {
			out = append(out, what)
		}
	}
	i := s.sc.Board.Grid.Index(h)
	zone := t.m.enemy.on[i]
	say(t.m.held[i] > heldNot, "rides down "+names(s.unitsAt(h)))
	say(zone && u.fights() && !s.fortified(h, u.c.Side), "enemy ZOC: must attack")
	say(zone && !(u.fights() && !s.fortified(h, u.c.Side)), "enemy ZOC")
	say(free, "by a free hex of side road")
	say(s.strangersAt(u, h), "troops stand there that it may not stay with")
	say(t.m.held[i] == heldNot && s.stackSteps(h)+u.Steps > stackLimit, "too many steps: somebody must leave")
	return out
}
