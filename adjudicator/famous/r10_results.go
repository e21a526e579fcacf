package famous

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// result is what the table says of a combat.
type result string

// The results.
const (
	attackersEliminated result = "AE"
	halfEliminated      result = "AP"
	attackerEliminated  result = "AD"
	attackerDepleted    result = "AC"
	attackersRetreat    result = "AR"
	noEffect            result = "-"
	defendersRetreat    result = "DR"
	defenderDepleted    result = "DC"
	defenderEliminated  result = "DD"
	defendersEliminated result = "DE"
)

var meanings = map[result]string{
	attackersEliminated: "the attackers are eliminated", halfEliminated: "half of the attackers are eliminated", attackerEliminated: "one attacker is eliminated",
	attackerDepleted: "one attacker is depleted", attackersRetreat: "the attackers retreat", noEffect: "no effect", defendersRetreat: "the defenders retreat",
	defenderDepleted: "one defender is depleted", defenderEliminated: "one defender is eliminated", defendersEliminated: "the defenders are eliminated",
}

// apply carries out the result of the table.
//
// GD 10.1/19
// reading GD 10.4: AP takes at least one unit, or against a single attacker it would be milder than
// AD (switch ap_minimum_one); guns in support are no attacking units.
func (b *battle) apply() {
	foe := b.s.sc.Other(b.side)
	switch b.result {
	case attackersEliminated: // GD 10.4/1
		b.loseAll(b.alive(b.units))
	case halfEliminated: // GD 10.4/2
		for range b.half() {
			b.casualty(b.side, b.alive(b.units), true)
		}
	case attackerEliminated: // GD 10.4/3
		b.casualty(b.side, b.alive(b.units), true)
	case attackerDepleted: // GD 10.4/4
		b.casualty(b.side, b.alive(b.units), false)
	case attackersRetreat: // GD 10.4/5
		us := b.alive(b.units)
		b.retreatAll(b.side, us, b.companions(us))
	case defendersRetreat: // GD 10.4/6
		b.retreatAll(foe, b.standing(), nil)
	case defenderDepleted: // GD 10.4/7
		b.casualty(foe, b.victims(), false)
	case defenderEliminated: // GD 10.4/8
		b.casualty(foe, b.victims(), true)
	case defendersEliminated: // GD 10.4/10
		b.loseAll(b.standing())
	}
	b.vacated = b.s.holder(b.target) != foe
	if b.vacated {
		b.advance()
	}
	if b.overrun {
		b.markOverruns()
	}
}

// half is how many of the attackers AP takes.
func (b *battle) half() int {
	n := len(b.units) / 2
	if b.s.sc.Switches.APMinimumOne {
		n = max(1, n)
	}
	return n
}

func (b *battle) loseAll(us []*Unit) {
	for _, u := range us {
		b.lose(u, true)
	}
}

// markOverruns lets the tanks of an overrun go on, or ends their activation.
func (b *battle) markOverruns() {
	for _, u := range b.alive(b.tanks()) {
		u.Overrun = b.vacated      // GD 9.4/5
		u.did.stopped = !b.vacated // GD 9.4/7
	}
}

func (b *battle) alive(us []*Unit) []*Unit {
	return slices.DeleteFunc(slices.Clone(us), func(u *Unit) bool { return !u.onMap() })
}

// standing are the units in the target hex that a result for all of them takes;
// riders go with their tanks.
func (b *battle) standing() []*Unit {
	return slices.DeleteFunc(b.s.on(b.target), (*Unit).rides)
}

// victims are those of whom one suffers: no headquarters unless it is alone.
//
// GD 10.4/13
func (b *battle) victims() []*Unit { return combatants(b.s.on(b.target)) }

// companions are the headquarters that go with attackers of their hex who retreat.
//
// GD 10.4/9
func (b *battle) companions(us []*Unit) (out []*Unit) {
	for _, h := range b.from() {
		if b.s.holder(h) != b.side {
			continue
		}
		for _, u := range b.s.on(h) {
			if u.c.HQ && b.goesAlong(u, us) {
				out = append(out, u)
			}
		}
	}
	return out
}

// goesAlong asks whether a headquarters retreats with the attackers of its hex. The
// default: if nobody else would stay with it.
//
// GD 10.4/14: it need not
func (b *battle) goesAlong(hq *Unit, us []*Unit) bool {
	s := b.s
	staying := func(u *Unit) bool { return u.fights() && !slices.Contains(us, u) }
	alone := !slices.ContainsFunc(s.unitsAt(hq.idx), staying)
	st := s.plan(b.r, b.side)
	d := adjudicator.Decision{Label: s.label("companion %s %v", strings.ReplaceAll(hq.c.Name, " ", "_"), hq.Hex), Kind: kindRetreat, Side: b.side, Clause: "GD 10.4",
		Proposal: string(cmp.Or(st.hqs, hqsAt(alone))), Source: st.source(st.hqs != "")}
	d.Options = []adjudicator.Option{
		{Answer: string(hqGoes), Means: hq.c.Name + " retreats with the attackers"},
		{Answer: string(hqStays), Means: hq.c.Name + " stays"},
	}
	return b.r.Ask(d)[0] == string(hqGoes)
}

// casualty has the owner choose a unit and takes a step or all of it.
//
// GD 10.4/11
// GD 10.4/12: a depleted unit that suffers is eliminated
func (b *battle) casualty(side Side, able []*Unit, whole bool) {
	if u := b.s.chooseLoss(b.r, side, able, whole, loss{"GD 10.4", "combat"}); u != nil {
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
	f := view.Pairs{"unit", name, "left", left, "why", why, "side", string(side)}
	if rider != nil {
		f = f.With("rider", rider.c.Name)
	}
	r.Tell(view.Event{Kind: "loss", Clause: "GD 10.4", Hexes: []hex.Hex{h}, Facts: f})
}

// loss is what somebody must suffer for, and the clause that says so.
type loss struct {
	clause rule.Clause
	why    string
}

// chooseLoss asks the owner who suffers. The default: for a depletion an
// undepleted unit of the lowest attack, for an elimination a depleted one on foot
// first; engineers, Tigers and guns last, headquarters after them.
func (s *State) chooseLoss(r *adjudicator.Run, side Side, able []*Unit, whole bool, due loss) *Unit {
	switch len(able) {
	case 0:
		return nil
	case 1:
		return able[0]
	}
	st := s.plan(r, side)
	best := slices.MinFunc(able, func(a, b *Unit) int {
		order := cmp.Compare(st.lossRank(a), st.lossRank(b))
		if whole {
			order = cmp.Or(order, cmp.Compare(precious(a), precious(b)), cmp.Compare(fresh(a), fresh(b)), cmp.Compare(onWheels(a), onWheels(b)))
		} else {
			order = cmp.Or(order, cmp.Compare(fresh(b), fresh(a)), cmp.Compare(precious(a), precious(b)))
		}
		return cmp.Or(order, cmp.Compare(a.values().Attack, b.values().Attack), cmp.Compare(a.ID, b.ID))
	})
	d := adjudicator.Decision{Label: s.label("loss of the %s %v", side, able[0].Hex), Kind: kindLoss, Side: side, Clause: due.clause, Proposal: best.c.Name, Source: st.source(len(st.losses) > 0)}
	for _, u := range able {
		d.Options = append(d.Options, adjudicator.Option{Answer: u.c.Name, Means: fmt.Sprintf("%s suffers (%s)", u.c.Name, due.why)})
	}
	return s.called(able, r.Ask(d)[0])
}

// What a unit is worth to its owner who must lose one: 1 for yes.
func precious(u *Unit) int {
	if u.c.HQ {
		return 2
	}
	return b2i(u.c.Engineer || u.c.Kind == "tiger" || u.isGun())
}
func fresh(u *Unit) int    { return b2i(u.c.TwoSteps && !u.depleted()) }
func onWheels(u *Unit) int { return b2i(u.class() != Leg) }

// advance moves attackers into the hex that was vacated: what the order says, or
// into a key hex the unit with the best defence.
//
// GD 9.4/6: after an overrun too
// GD 10.6/1
// GD 10.6/6: nobody has to
// GD 11.4/5: it draws no fire
func (b *battle) advance() {
	s := b.s
	able := slices.DeleteFunc(b.alive(b.units), func(u *Unit) bool { return !b.mayFollow(u) })
	if len(able) == 0 {
		return
	}
	plan, source := b.advancePlan(able)
	d := adjudicator.Decision{Label: s.label("advance %v", b.target), Kind: kindAdvance, Side: b.side, Clause: "GD 10.6", Proposal: advanceText(plan), Source: source}
	for _, a := range s.readAdvances(able, b.r.Ask(d)[0]) {
		// GD 10.6/5: stacking limits hold
		if s.fits(s.sc.Board.Grid.Index(b.target), a.unit) {
			b.follow(a)
		}
	}
}

// mayFollow tells whether an attacker may advance at all.
//
// GD 11.3/26: not after direct fire
func (b *battle) mayFollow(u *Unit) bool { return !u.did.shot && b.s.mayAdvance(u, b.target) }

// advancePlan is what the order says of the advance, else the standing orders, else the
// doctrine; and which of them it was.
func (b *battle) advancePlan(able []*Unit) ([]advance, string) {
	if b.order.advanceSet {
		return b.order.advances, "the attack order"
	}
	st := b.s.plan(b.r, b.side)
	worthIt := b.s.key(b.target, st) && !st.stay
	if !worthIt && !st.follow {
		return nil, st.source(st.stay)
	}
	best := slices.MaxFunc(able, func(x, y *Unit) int {
		return cmp.Or(cmp.Compare(x.defence(), y.defence()), cmp.Compare(y.ID, x.ID))
	})
	return []advance{{unit: best}}, st.source(st.follow)
}

// follow moves a unit into the vacated hex, and one hex further if its advance says so.
func (b *battle) follow(a advance) {
	s, u := b.s, a.unit
	path := []hex.Hex{u.Hex, b.target}
	s.advanceTo(u, b.target)
	if b.goesFurther(a) {
		s.advanceTo(u, a.on)
		path = append(path, a.on)
	}
	b.r.Tell(view.Event{Kind: "advance", Clause: "GD 10.6", To: []string{string(b.side)}, Hexes: path, Facts: view.Pairs{"unit", u.c.Name, "path", pathText(path)}, Mark: "move", Side: string(b.side)})
	s.tellEnemy(b.r, "enemy-advance", []*Unit{u}, path)
}

// goesFurther tells whether a unit in the vacated hex may go on to the one that is asked for.
//
// GD 10.6/3: vehicles may
func (b *battle) goesFurther(a advance) bool {
	s, u := b.s, a.unit
	switch {
	case a.on == hex.None, u.class() == Leg:
		return false
	case s.holder(a.on) == s.sc.Other(b.side):
		return false
	}
	return s.mayAdvance(u, a.on) && s.fits(s.sc.Board.Grid.Index(a.on), u)
}

// advanceTo moves a unit and its rider without cost.
//
// GD 10.6/2: zones of control do not matter
func (s *State) advanceTo(u *Unit, h hex.Hex) {
	u.Road = false
	s.carry(u, h)
	s.spoilPontoons(nil, u)
}

// mayAdvance: the ground is open to the unit, by road or bridge if not otherwise.
//
// GD 10.6/4
func (s *State) mayAdvance(u *Unit, to hex.Hex) bool {
	d, ok := s.sc.Board.Grid.Direction(u.Hex, to)
	if !ok {
		return false
	}
	return s.lets(gait{class: u.class(), side: nobody}, u.idx, d)
}

// lets tells whether a step that costs nothing, of a retreat or an advance, is open:
// neither the map nor the front of a fortification closes it.
//
// GD 10.5/11
// GD 10.6/7
func (s *State) lets(g gait, i int, d hex.Dir) bool {
	p, _ := s.step(g, i, d)
	if p.Closed {
		return false
	}
	to := s.sc.edges[i*6+int(d)].to
	return !s.fortPrice(to, d.Opposite(), g.class).Closed
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

// cutUnit takes a unit's name off the beginning of a text, and the blank behind it.
func cutUnit(text, name string) (string, bool) {
	rest, ok := strings.CutPrefix(text, name)
	if !ok || rest == "" {
		return "", ok
	}
	return strings.CutPrefix(rest, " ")
}
