package famous

import (
	"cmp"
	"fmt"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

var meanings = map[string]string{
	"AE": "the attackers are eliminated", "AP": "half of the attackers are eliminated", "AD": "one attacker is eliminated", "AC": "one attacker is depleted",
	"AR": "the attackers retreat", "-": "no effect", "DR": "the defenders retreat", "DC": "one defender is depleted", "DD": "one defender is eliminated", "DE": "the defenders are eliminated",
}

// apply carries out the result of the table.
//
// GD 9.4/7
// GD 10.1/19
// GD 10.4/1
// GD 10.4/2
// GD 10.4/3
// GD 10.4/4
// GD 10.4/5
// GD 10.4/6
// GD 10.4/8
// GD 10.4/10
// GD 10.4/11
// GD 10.4/12
// reading GD 10.4: AP takes at least one unit; guns in support are no attacking units.
func (b *battle) apply() {
	s := b.s
	foe := s.sc.Other(b.side)
	switch b.result {
	case "AE":
		for _, u := range b.alive(b.units) {
			b.lose(u, true)
		}
	case "AP":
		n := len(b.units) / 2
		if s.sc.Switches.APMinimumOne {
			n = max(1, n)
		}
		for range n {
			b.casualty(b.side, b.alive(b.units), true)
		}
	case "AD", "AC":
		b.casualty(b.side, b.alive(b.units), b.result == "AD")
	case "AR":
		b.retreatAll(b.side, b.withHQs(b.alive(b.units)))
	case "DR":
		b.retreatAll(foe, b.standing())
	case "DC", "DD":
		b.casualty(foe, b.victims(), b.result == "DD")
	case "DE":
		for _, u := range b.standing() {
			b.lose(u, true)
		}
	}
	b.vacated = s.holder(b.target) != foe
	if b.vacated {
		b.advance()
	}
	for _, u := range b.tanks() {
		if b.overrun && u.Where == OnMap {
			u.Overrun, u.stopped = b.vacated, !b.vacated
		}
	}
}

func (b *battle) alive(us []*Unit) []*Unit {
	return slices.DeleteFunc(slices.Clone(us), func(u *Unit) bool { return u.Where != OnMap })
}

// standing are the units in the target hex that a result for all of them takes;
// riders go with their tanks.
func (b *battle) standing() []*Unit {
	return slices.DeleteFunc(b.s.on(b.target), func(u *Unit) bool { return u.Aboard != "" })
}

// victims are those of whom one suffers: no headquarters unless it is alone.
//
// GD 10.4/7
// GD 10.4/13
func (b *battle) victims() []*Unit {
	us := b.standing()
	if fighters := slices.DeleteFunc(slices.Clone(us), func(u *Unit) bool { return u.c.HQ }); len(fighters) > 0 {
		return fighters
	}
	return us
}

// withHQs adds the headquarters in the attackers' hexes, which may go with them.
//
// GD 10.4/9
func (b *battle) withHQs(us []*Unit) []*Unit {
	out := slices.Clone(us)
	for _, h := range b.from() {
		if b.s.holder(h) != b.side {
			continue
		}
		all := true
		for _, u := range b.s.on(h) {
			all = all && (u.c.HQ || u.Aboard != "" || slices.Contains(us, u))
		}
		for _, u := range b.s.on(h) {
			if all && u.c.HQ {
				out = append(out, u) // nobody else stays with it
			}
		}
	}
	return out
}

// casualty has the owner choose a unit and takes a step or all of it.
func (b *battle) casualty(side Side, able []*Unit, whole bool) {
	if u := b.s.chooseLoss(b.r, side, able, whole, "combat"); u != nil {
		b.lose(u, whole)
	}
}

// lose takes a step or the unit, and tells.
func (b *battle) lose(u *Unit, whole bool) { b.s.lose(b.r, u, whole, "combat") }

func (s *State) lose(r *adjudicator.Run, u *Unit, whole bool, why string) {
	name, h, side := u.c.Name, u.Hex, u.c.Side
	left := "depleted"
	rider := s.rider(u)
	if whole {
		s.remove(u)
		left = "eliminated"
	} else if s.deplete(u) {
		left = "eliminated"
	}
	f := map[string]string{"unit": name, "left": left, "why": why, "side": string(side)}
	if rider != nil {
		f["rider"] = rider.c.Name
	}
	r.Tell(view.Event{Kind: "loss", Clause: "GD 10.4", Hexes: []hex.Hex{h}, Facts: f})
}

// chooseLoss asks the owner who suffers. The default: for a depletion an
// undepleted unit of the lowest attack, for an elimination a depleted one on foot
// first; engineers, Tigers and guns last.
func (s *State) chooseLoss(r *adjudicator.Run, side Side, able []*Unit, whole bool, why string) *Unit {
	if len(able) == 0 {
		return nil
	}
	if len(able) == 1 {
		return able[0]
	}
	st := s.plan(r, side)
	precious := func(u *Unit) int { return b2i(u.c.Engineer || u.c.Kind == "tiger" || u.c.Artillery > 0) }
	fresh := func(u *Unit) int { return b2i(u.c.TwoSteps && u.Steps == 2) }
	best := slices.MinFunc(able, func(a, b *Unit) int {
		order := cmp.Compare(st.lossRank(a), st.lossRank(b))
		if whole {
			return cmp.Or(order, cmp.Compare(precious(a), precious(b)), cmp.Compare(fresh(a), fresh(b)), cmp.Compare(b2i(a.class() != Leg), b2i(b.class() != Leg)),
				cmp.Compare(a.values().Attack, b.values().Attack), cmp.Compare(a.ID, b.ID))
		}
		return cmp.Or(order, cmp.Compare(fresh(b), fresh(a)), cmp.Compare(precious(a), precious(b)), cmp.Compare(a.values().Attack, b.values().Attack), cmp.Compare(a.ID, b.ID))
	})
	d := adjudicator.Decision{Label: s.label("loss of the %s %v", side, able[0].Hex), Kind: kindLoss, Side: side, Clause: "GD 10.4", Proposal: best.c.Name, Source: st.source(len(st.losses) > 0)}
	for _, u := range able {
		d.Options = append(d.Options, adjudicator.Option{Answer: u.c.Name, Means: fmt.Sprintf("%s suffers (%s)", u.c.Name, why)})
	}
	return s.called(able, r.Ask(d)[0])
}

// advance moves attackers into the hex that was vacated: what the order says, or
// into a key hex the unit with the best defence.
//
// GD 9.4/6
// GD 10.6/1
// GD 10.6/2
// GD 10.6/3
// GD 10.6/4
// GD 10.6/5
// GD 10.6/6
// GD 11.2/15
// GD 11.3/26
// GD 11.4/5
func (b *battle) advance() {
	s := b.s
	able := slices.DeleteFunc(b.alive(b.units), func(u *Unit) bool {
		return u.shot || u.barraged || !s.mayAdvance(u, u.idx, b.target)
	})
	if len(able) == 0 {
		return
	}
	var plan []advance
	source := "the attack order"
	if b.order.advanceSet {
		plan = b.order.advances
	} else if st := s.plan(b.r, b.side); s.key(b.target, st) && !st.stay || st.follow {
		best := slices.MaxFunc(able, func(x, y *Unit) int {
			return cmp.Or(cmp.Compare(x.defence(), y.defence()), cmp.Compare(y.ID, x.ID))
		})
		plan, source = []advance{{unit: best}}, st.source(st.follow)
	} else {
		source = st.source(st.stay)
	}
	d := adjudicator.Decision{Label: s.label("advance %v", b.target), Kind: kindAdvance, Side: b.side, Clause: "GD 10.6", Proposal: advanceText(plan), Source: source}
	for _, a := range s.readAdvances(able, b.r.Ask(d)[0]) {
		if !s.fits(s.sc.Board.Grid.Index(b.target), a.unit) {
			continue
		}
		path := []hex.Hex{a.unit.Hex, b.target}
		s.advanceTo(a.unit, b.target)
		if a.on != hex.None && a.unit.class() != Leg && s.holder(a.on) != s.sc.Other(b.side) && s.mayAdvance(a.unit, a.unit.idx, a.on) && s.fits(s.sc.Board.Grid.Index(a.on), a.unit) {
			s.advanceTo(a.unit, a.on)
			path = append(path, a.on)
		}
		b.r.Tell(view.Event{Kind: "advance", Clause: "GD 10.6", To: []string{string(b.side)}, Hexes: path, Facts: map[string]string{"unit": a.unit.c.Name, "path": pathText(path)}, Mark: "move", Side: string(b.side)})
		s.tellEnemy(b.r, "enemy-advance", []*Unit{a.unit}, path)
	}
}

// advanceTo moves a unit and its rider without cost.
func (s *State) advanceTo(u *Unit, h hex.Hex) {
	rider := s.rider(u)
	u.Road = false
	s.put(u, h)
	if rider != nil {
		s.put(rider, h)
	}
	s.spoilPontoons(nil, u)
}

// mayAdvance: the ground is open to the unit, by road or bridge if not otherwise.
func (s *State) mayAdvance(u *Unit, from int, to hex.Hex) bool {
	d, ok := s.sc.Board.Grid.Direction(s.sc.Board.Grid.At(from), to)
	if !ok {
		return false
	}
	p, _ := s.step(u.class(), -1, from, d, false, false)
	return !p.Closed
}

// advance is a unit that follows into a vacated hex, and one hex more if it may.
type advance struct {
	unit *Unit
	on   hex.Hex
}

func advanceText(list []advance) string {
	text := ""
	for i, a := range list {
		if i > 0 {
			text += ", "
		}
		text += a.unit.c.Name
		if a.on != hex.None {
			text += " " + a.on.String()
		}
	}
	if text == "" {
		return "NONE"
	}
	return text
}

// readAdvances reads what advanceText writes; who is not able is left out.
func (s *State) readAdvances(able []*Unit, answer string) (out []advance) {
	for _, part := range split(answer) {
		for _, u := range able {
			rest, ok := cutUnit(part, u.c.Name)
			if !ok {
				continue
			}
			a := advance{unit: u}
			if h, err := hex.Parse(rest); err == nil && s.sc.Board.On(h) {
				a.on = h
			}
			out = append(out, a)
			break
		}
	}
	return out
}

// cutUnit takes a unit's name off the beginning of a text.
func cutUnit(text, name string) (string, bool) {
	if len(text) < len(name) || text[:len(name)] != name {
		return "", false
	}
	rest := text[len(name):]
	if rest != "" && rest[0] != ' ' {
		return "", false
	}
	if rest != "" {
		rest = rest[1:]
	}
	return rest, true
}
