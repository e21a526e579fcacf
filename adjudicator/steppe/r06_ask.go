package steppe

import (
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

// readAsk reads what follows ASK.
func (x *sheetReader) readAsk(in *instruction, r *phrase.Reader) *rule.Violation {
	asking, v := phrase.AskReader{Place: x.s.place, Example: "2512", Otherwise: in.otherwise}.Read(r)
	in.after, in.target = asking.After, asking.On
	return v
}

// asking is where an ASK stops its programme.
func (in *instruction) asking() phrase.Asking { return phrase.Asking{After: in.after, On: in.target} }

// halves are what a View calls the parts of an activation.
var halves = []string{moving: "movement", fighting: "attacks", pursuing: "overruns"}

// sequence are the halves of a programme in their order.
func (p *programme) sequence() []half {
	if p.attack {
		return []half{fighting, pursuing, moving}
	}
	return []half{moving, fighting, pursuing}
}

// each carries out orders of a half in their order. What answers ASK among them stands in the place
// of all that are left, and it begins with those.
func (a *activation) each(is func(i int) bool, do func(i int)) {
	for a.at = 0; a.at < len(a.prog.steps); a.at++ {
		if i := a.at; is(i) {
			do(i)
		}
	}
}

// rest is what is asked for when a programme stops for its owner. Nobody is asked who could do
// nothing any more.
//
// deviation Steppe 10.0: attacks are decided one by one; a programme says where its owner wants to
// look at the map before it goes on, and is what holds without an answer.
func (a *activation) rest(why string) (changed bool) {
	if !a.mayGoOn() {
		return false
	}
	s := a.s
	label := s.restOf(a.title())
	d := adjudicator.Decision{Label: label, Kind: KindActivation, Entry: label, Side: a.side, Clause: "Steppe 10.0", Wanted: true,
		Proposal: strings.Join(a.left(), "\n"), Source: "the rest of your programme", Pause: why}
	s.Acting = a.acting(label)
	answer := a.r.Ask(d)[0]
	defer func() { s.Acting = nil }()
	if answer == d.Proposal {
		return false
	}
	sheet, _ := orders.Parse(answer, Vocabulary)
	next := &programme{hq: a.hq, hex: a.prog.hex}
	if p := s.choose(s.readProgrammes(a.side, a.hq, sheet.Sections), a.side, a.soFar()); p != nil {
		next = p
	}
	next.attack = a.prog.attack
	a.prog, a.progress, a.at = next, progress{}, -1
	a.activateListed()
	return true
}

// restOf is the label of a question about the rest of an activation.
func (s *State) restOf(title string) string {
	base := "orders for the rest of " + title
	label := s.label(base)
	if s.sc.before(6) {
		return label
	}
	return phrase.AskedAgain(base, s.labels[base])
}

// askAfter asks after an attack if the programme wants it.
func (a *activation) askAfter(target hex.Hex) (changed bool) {
	for _, in := range a.prog.steps {
		if !in.after || in.target != hex.None && in.target != target {
			continue
		}
		if a.s.holds(in.when, a.side, a.soFar()) {
			return a.rest("the attack on " + a.s.spot(target) + " has been fought (" + in.text + ")")
		}
	}
	return false
}

// askHere asks in the midst of movements: those that were made are settled first.
func (a *activation) askHere(i int, moves ...verb) {
	if a.overhear != nil {
		return // it is a rehearsal
	}
	if len(moves) > 0 {
		a.settle()
	}
	a.rest("your programme asks here (" + a.prog.steps[i].text + ")")
	if len(moves) > 0 {
		a.hold(moves...)
	}
}

// left are the orders that are still to be carried out, in their order then.
func (a *activation) left() (lines []string) {
	p := a.prog
	for _, h := range p.sequence() {
		for i, in := range p.steps {
			if p.half(i) == h && a.isLeft(i) {
				lines = append(lines, in.text)
			}
		}
	}
	return lines
}

// isLeft tells whether an order is still to be carried out.
func (a *activation) isLeft(i int) bool {
	in, h := a.prog.steps[i], a.prog.half(i)
	switch {
	case in.after:
		return true
	case in.verb == verbUnits, in.verb == verbKG && (h == a.now || a.isOver(h)):
		return false
	case h == a.now:
		return i > a.at || in.anywhere && i == a.at || in.verb == verbMerge || in.verb == verbRail
	}
	return !a.isOver(h)
}

// isOver tells whether a half is over.
func (a *activation) isOver(h half) bool {
	order := a.prog.sequence()
	return slices.Index(order, h) < slices.Index(order, a.now)
}

// mayGoOn tells whether a unit of the activation could still do something.
func (a *activation) mayGoOn() bool {
	us := slices.Clone(a.eligible)
	if a.hq != nil {
		us = append(us, a.hq)
	}
	return slices.ContainsFunc(us, func(u *Unit) bool {
		if u.Where != OnMap {
			return false
		}
		did := a.did(u)
		moves := !a.isOver(moving) && !did.moved
		fights := !a.isOver(fighting) && u.combat() && !did.fought
		return moves || fights || a.hasMarker(u)
	})
}

// deedWords are what a View calls what a unit has done, or may do.
var deedWords = []struct {
	word string
	flag func(*deeds) *bool
}{
	{"active", func(d *deeds) *bool { return &d.active }},
	{"moved", func(d *deeds) *bool { return &d.moved }},
	{"spent", func(d *deeds) *bool { return &d.spent }},
	{"fought", func(d *deeds) *bool { return &d.fought }},
	{"overran", func(d *deeds) *bool { return &d.overran }},
}

// More words of that kind.
const (
	deedEligible = "eligible" // the chit may activate it
	deedMarked   = "marked"   // it has an overrun marker
	deedEntered  = "entered"  // it has come on the map in this activation
)

// acting is the activation as its owner is asked for the rest of it.
func (a *activation) acting(label string) *view.Acting {
	now := a.soFar()
	out := &view.Acting{Side: string(a.side), Chit: a.name, Label: label, AttackFirst: a.prog.attack, Drawn: a.count, Lost: now.lost, Took: slices.Clone(now.took), Guns: a.markers}
	if a.hq != nil {
		out.HQ = a.hq.ID
	}
	for h, name := range halves {
		if a.isOver(half(h)) {
			out.Over = append(out.Over, name)
		}
	}
	for i := range a.s.Units {
		u := &a.s.Units[i]
		if d := a.deed(u); u.c.Side == a.side && len(d.Did) > 0 {
			out.Units = append(out.Units, d)
		}
	}
	return out
}

// deed is what a unit has done, as a View has it.
func (a *activation) deed(u *Unit) view.Deed {
	did := a.did(u)
	d := view.Deed{Unit: u.ID, Begun: did.begun, Stood: did.stood, Foes: int(did.foes)}
	for _, w := range deedWords {
		if *w.flag(did) {
			d.Did = append(d.Did, w.word)
		}
	}
	for word, is := range map[string]bool{deedEligible: slices.Contains(a.eligible, u), deedMarked: slices.Contains(a.marked, u), deedEntered: u.Entered} {
		if is {
			d.Did = append(d.Did, word)
		}
	}
	slices.Sort(d.Did)
	return d
}

// resume has an activation on a position that was made from a View stand where its owner is asked.
func (a *activation) resume(from *view.Acting) {
	a.count, a.markers, a.took, a.before = from.Drawn, from.Guns, slices.Clone(from.Took), -from.Lost
	for _, d := range from.Units {
		u := a.s.unit(d.Unit)
		if u == nil {
			continue
		}
		has := func(word string) bool { return slices.Contains(d.Did, word) }
		did := a.did(u)
		*did = deeds{begun: d.Begun, stood: d.Stood, foes: uint8(d.Foes)}
		for _, w := range deedWords {
			*w.flag(did) = has(w.word)
		}
		u.Entered = has(deedEntered)
		if has(deedEligible) {
			a.eligible = append(a.eligible, u)
		}
		if has(deedMarked) {
			a.marked = append(a.marked, u)
		}
	}
}

// goesOn tells whether a programme is for the rest of the activation in whose midst its side is
// asked.
func (s *State) goesOn(p *programme) bool {
	a := s.Acting
	switch {
	case a == nil:
		return false
	case p.hq == nil:
		return a.HQ == ""
	}
	return a.HQ == p.hq.ID
}

// mayStillMove tells of a unit that has been activated in this turn whether that was in the activation
// in whose midst its side is asked, without a movement of its own so far.
func (s *State) mayStillMove(u *Unit) bool {
	return s.Acting != nil && slices.ContainsFunc(s.Acting.Units, func(d view.Deed) bool {
		return d.Unit == u.ID && slices.Contains(d.Did, "active") && !slices.Contains(d.Did, "moved")
	})
}

// tooLate refuses an order for a part of the activation that is over.
func (p *programme) tooLate(i int) *rule.Violation {
	if p.rest == nil {
		return nil
	}
	in, h := p.steps[i], p.half(i)
	switch {
	case in.verb == verbKG:
		return refuse("Steppe 14.0", "a Kampfgruppe is formed as the movement begins, and this activation has begun")
	case in.verb == verbUnits, in.verb == verbStop, in.verb == verbSkip, in.verb == verbAsk:
		return nil
	case slices.Contains(p.rest.Over, halves[h]):
		return refuse("Steppe 9.0", "the %s of this activation are over", strings.Replace(halves[h], "movement", "movements", 1))
	}
	return nil
}

// asksNever refuses ASK AFTER an attack that stands nowhere above it.
func (in *instruction) asksNever(p *programme) *rule.Violation {
	attacks := func(o instruction) bool {
		return o.verb == verbAttack && (in.target == hex.None || o.mayTake(in.target))
	}
	if !in.after || slices.ContainsFunc(p.steps, attacks) {
		return nil
	}
	return in.asking().Never()
}
