package steppe

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/view"
)

// rehearsal is a programme carried out on a copy of the position by the rules that will carry
// it out, as if its chit were drawn now: all but its fights, whose dice nobody knows.
type rehearsal struct {
	*prospect
	a       *activation
	strides []stride            // of the Move mode, on the copy
	failed  map[string][]string // why units drop out of orders, or nothing comes of them, by the words of the order
	fights  map[string]*combat  // the attacks that could be declared, by the words of the order
	odds    map[string]odds     // of these
}

// kindDice are the dice of a rehearsal: bridges fall and the railway carries what it can.
type kindDice struct{}

// Throw implements adjudicator.Dice.
func (kindDice) Throw(_ string, count, sides int) (dice []int, proof []byte, err error) {
	return slices.Repeat([]int{sides}, count), nil, nil
}

// rehearse carries a programme out on a copy.
func (x *prospect) rehearse() *rehearsal {
	h := &rehearsal{prospect: x, failed: map[string][]string{}, fights: map[string]*combat{}, odds: map[string]odds{}}
	s := x.s.clone()
	if x.blow {
		s.Backhand = s.Turn
	}
	out, err := adjudicator.Play(s, h.play, nil, kindDice{}, adjudicator.Standing{})
	if err != nil {
		return h
	}
	for _, e := range out.Events {
		if e.Kind == "dropped" {
			h.fails(e.Facts.Get("order"), e.Facts.Get("why"))
		}
	}
	return h
}

// play is the activation, up to its overrun movement.
func (h *rehearsal) play(r *adjudicator.Run, s *State) {
	h.a = s.newActivation(r, h.side, s.copied(h.p.hq))
	h.a.prog, h.a.overhear, h.a.count = h.p.of(s), h.fails, 1
	if h.p.rest == nil {
		h.a.muster()
	} else {
		h.a.resume(h.p.rest)
	}
	h.a.activateListed()
	for _, part := range h.p.sequence() {
		over := h.p.rest != nil && slices.Contains(h.p.rest.Over, halves[part])
		switch {
		case over:
		case part == moving:
			h.a.moveMode()
			h.strides = h.a.strides
		case part == fighting:
			h.declare()
		}
	}
}

// fails notes why something of an order is not done.
func (h *rehearsal) fails(order, why string) { h.failed[order] = append(h.failed[order], why) }

// waits says why an order is not tried as things stand: its condition does not hold, or it is
// done in place of another one; "" if it is tried.
func (h *rehearsal) waits(in instruction) string {
	now := h.then(in)
	if len(in.when) > 0 && !h.s.holds(in.when, h.side, now) {
		if in.when[0].OfActivation() {
			return "if it holds when it is its turn: " + in.when[0].Text
		}
		comes := ""
		if in.when[0].AsksOdds() && now.odds > nothing {
			comes = ", and it comes to " + h.s.sc.nameOf(now.odds)
		}
		return "left out as things stand: " + notMet + in.when[0].Text + comes
	}
	i := slices.IndexFunc(h.p.steps, func(o instruction) bool { return o.text == in.text })
	instead := in.otherwise && in.verb != verbSkip && h.a != nil && h.a.progress.nothing != nil && !h.a.progress.nothing[i-1]
	if instead {
		return "if the line above comes to nothing"
	}
	return ""
}

// then is what the activation may have come to when an order is carried out: attacks may have been
// made before it, but for what moves ahead of them.
func (h *rehearsal) then(in instruction) sofar {
	i := slices.IndexFunc(h.p.steps, func(o instruction) bool { return o.text == in.text })
	early := i >= 0 && h.p.half(i) == moving && !h.p.attack
	now := sofar{drawn: 1, on: !early, odds: nothing}
	if rest := h.p.rest; rest != nil {
		now = sofar{drawn: rest.Drawn, on: true, took: rest.Took, lost: rest.Lost, odds: nothing}
	}
	if h.a != nil {
		if level, known := h.a.progress.odds[i]; known {
			now.odds = level
		}
	}
	return now
}

// declare declares the attacks, one by one, and leaves it at that.
func (h *rehearsal) declare() {
	s := h.a.s
	begun := h.p.rest != nil && slices.ContainsFunc(h.p.rest.Units, func(d view.Deed) bool { return d.Stood != hex.None })
	for u := range s.fielded(h.side) {
		if !begun {
			h.a.noteFoes(u, other(h.side))
		}
		h.ends[&h.s.Units[u.n]] = u.Hex
	}
	for i, in := range h.a.prog.steps {
		if h.a.prog.half(i) != fighting || !h.a.turnOf(i) || in.verb == verbAsk || in.anywhere {
			continue
		}
		c, o, why := h.a.declare(in)
		if c != nil {
			h.fights[in.text], h.odds[in.text] = c, o
		}
		if h.a.came(i, why == ""); why != "" {
			h.fails(in.text, why)
			continue
		}
		c.enlist()
	}
}

// copied is the same unit of a copy.
func (s *State) copied(u *Unit) *Unit {
	if u == nil {
		return nil
	}
	return &s.Units[u.n]
}

// of is the programme for the units of a copy of the position.
func (p *programme) of(s *State) *programme {
	q := *p
	q.hq = s.copied(p.hq)
	q.steps = slices.Clone(p.steps)
	each := func(us []*Unit) []*Unit {
		var out []*Unit
		for _, u := range us {
			out = append(out, s.copied(u))
		}
		return out
	}
	for i := range q.steps {
		in := &q.steps[i]
		in.units, in.overrun, in.advance = each(in.units), each(in.overrun), each(in.advance)
	}
	return &q
}

// strideOf is the movement of a unit by an order; ok is false if there is none.
func (h *rehearsal) strideOf(in instruction, u *Unit) (st stride, ok bool) {
	k := slices.IndexFunc(h.strides, func(st stride) bool { return st.u.n == u.n && st.in.text == in.text })
	if k < 0 || len(h.strides[k].way) == 0 {
		return stride{}, false
	}
	return h.strides[k], true
}

// marches is the movement of the units of an order: the ways that lead to its goal, and what
// else becomes of units.
func (h *rehearsal) marches(in instruction) (understood, warning string) {
	s := h.s
	var parts, warn []string
	var short phrase.Groups // who does not come to the goal, by what becomes of them
	var crowd []string      // for whom the goal has no room
	goal := in.inward().goal()
	for _, u := range in.units {
		st, moves := h.strideOf(in, u)
		switch {
		case moves && last(st.way) == goal:
			parts = append(parts, u.c.Name+" "+trail(st.way))
		case moves:
			fate := fmt.Sprintf("would come to %s now", s.spot(last(st.way)))
			if len(st.way) == 1 && in.verb != verbEnter {
				fate = "could not move now"
			}
			full := h.crowded(u, goal)
			if full != "" && len(in.units) > 1 {
				crowd, full = append(crowd, u.c.Name), ""
			}
			short.Add(fate+full, u.c.Name)
		case h.whyNot(in, u) == u.c.Name+" could not move now":
			short.Add("could not move now", u.c.Name)
		case h.whyNot(in, u) != "":
			warn = append(warn, h.whyNot(in, u))
		case in.goal() == u.Hex:
			parts = append(parts, fmt.Sprintf("%s is on %s already", u.c.Name, s.spot(u.Hex)))
		}
	}
	var fates []string
	for fate, units := range short.All() {
		fates = append(fates, strings.Join(units, ", ")+" "+fate)
	}
	if len(crowd) > 0 {
		fates = append(fates, fmt.Sprintf("%s holds %d steps then, and has no room for %s (Steppe 7.1)", s.spot(goal), h.a.s.load(s.ix(goal)), strings.Join(crowd, ", ")))
	}
	return strings.Join(parts, "; "), strings.Join(append(fates, warn...), "; ")
}

// crowded says that a hex has no room for a unit when all have moved.
//
// Steppe 7.1/3
func (h *rehearsal) crowded(u *Unit, goal hex.Hex) string {
	s := h.a.s
	if goal == hex.None || s.holder(goal) == other(u.c.Side) || s.room(s.ix(goal), s.copied(u)) {
		return ""
	}
	return fmt.Sprintf(": %s holds %d steps then, and %s has %d (Steppe 7.1)", s.spot(goal), s.load(s.ix(goal)), u.c.Name, u.Steps)
}

// whyNot says why a unit drops out of an order.
func (h *rehearsal) whyNot(in instruction, u *Unit) string {
	for _, why := range h.failed[in.text] {
		if rest, named := strings.CutPrefix(why, u.c.Name+" "); named && !strings.HasPrefix(rest, "stops at ") {
			return h.explained(in, u, rest)
		}
	}
	return ""
}

// explained is the reason why a unit drops out of an order, with the figures that decide.
func (h *rehearsal) explained(in instruction, u *Unit, why string) string {
	then := ""
	if in.verb == verbAttack {
		then = h.tooFarThen(u, in.target)
	}
	switch {
	case strings.HasPrefix(why, "is out of range"), why == "cannot be activated":
		if far := h.tooFar(u); far != "" {
			return far
		}
		if then != "" {
			return then
		}
	case strings.HasPrefix(why, "is not beside") && then != "":
		return then
	case strings.HasPrefix(why, "cannot get nearer"):
		return u.c.Name + " could not move now"
	}
	return u.c.Name + " " + why
}

// whys are all reasons for which something of an order is not done.
func (h *rehearsal) whys(in instruction) string {
	var out []string
	for _, why := range h.failed[in.text] {
		for _, u := range in.units {
			if rest, named := strings.CutPrefix(why, u.c.Name+" "); named {
				why = h.explained(in, u, rest)
				break
			}
		}
		if !slices.Contains(out, why) {
			out = append(out, why)
		}
	}
	return strings.Join(out, "; ")
}

// overruns tells whether a unit overruns in one of the attacks.
func (h *rehearsal) overruns(u *Unit) bool {
	for _, c := range h.fights {
		sent := slices.ContainsFunc(c.overrun, func(o *Unit) bool { return o.n == u.n })
		if sent && h.odds[c.in.text].level >= h.s.sc.levelOf(c.in.floor()) {
			return true
		}
	}
	return false
}

// attacks is an ATTACK order as its units would stand: what is fought, and who drops out.
func (h *rehearsal) attacks(in instruction) (understood, warning string) {
	s := h.s
	c := h.fights[in.text]
	if c == nil && s.holder(in.target) != other(h.side) {
		turns := in.elseHex != hex.None && s.holder(in.elseHex) == other(h.side)
		if !turns {
			return "", s.spot(in.target) + " holds no enemy now"
		}
		in.target = in.elseHex
	}
	var warn []string
	for _, u := range in.units {
		if why := h.whyNot(in, u); why != "" {
			warn = append(warn, why)
		}
	}
	if c == nil {
		if len(in.units) == 0 {
			return "with all that are beside it then", "nobody may attack " + s.spot(in.target) + " now"
		}
		o, _ := h.oddsOf(in.units, in.target)
		if len(warn) == 0 {
			warn = append(warn, h.whys(in))
		}
		return s.sc.figures(o), strings.Join(append(warn, s.sc.belowFloor(in, o)...), "; ")
	}
	for _, u := range in.overrun {
		if why := c.mayOverrun(h.a.s.copied(u)); why != "" {
			warn = append(warn, fmt.Sprintf("%s %s (Steppe 9.3)", u.c.Name, why))
		}
	}
	o := h.odds[in.text]
	understood = s.sc.figures(o)
	if len(in.units) == 0 {
		understood = "with all that are beside it then, now " + names(c.units) + ": " + understood
	}
	if c.target != in.target {
		understood = "at " + s.spot(c.target) + ": " + understood
	}
	return understood, strings.Join(append(warn, s.sc.belowFloor(in, o)...), "; ")
}

// figures are the odds of an attack in words.
func (sc *Scenario) figures(o odds) string {
	return fmt.Sprintf("%d against %d as they stand: %s before aircraft and artillery", o.attack, o.defence, sc.told(o))
}

// belowFloor warns of odds at which an attack is not made.
func (sc *Scenario) belowFloor(in instruction, o odds) []string {
	if o.level >= sc.levelOf(in.floor()) {
		return nil
	}
	return []string{fmt.Sprintf("that is below its MIN of %s, and nothing is fought as things stand (Steppe 10.0); MIN %s would be met", in.floor(), o.name)}
}

// overrunMarch is an OVERRUN-MOVE order, which only units move by that have overrun.
func (h *rehearsal) overrunMarch(in instruction) (understood, warning string) {
	var warn []string
	for _, u := range in.units {
		if !h.overruns(u) {
			warn = append(warn, u.c.Name+" would have no overrun marker: no attack in which it overruns would be fought (Steppe 9.3)")
		}
	}
	return fmt.Sprintf("%s to %s, once it has overrun", names(in.units), h.s.spot(in.goal())), strings.Join(warn, "; ")
}
