package famous

import (
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// verbAsk stops a programme for a question to its owner.
const verbAsk verb = "ASK"

// stopover is where ASK stops a programme.
type stopover struct {
	asks bool // ASK HERE, or AFTER an attack
	phrase.Asking
}

// asked reads what follows ASK.
func (p *parser) asked(in *instruction, r *phrase.Reader) (v *rule.Violation) {
	in.asks = true
	in.Asking, v = phrase.AskReader{Place: p.place, Example: "2036", Otherwise: in.otherwise}.Read(r)
	return v
}

// conduct is a programme while it is carried out.
type conduct struct {
	*course
	r     *adjudicator.Run
	ahead [][]string // by line, the units that it will take to another hex
	at    int        // the line that is carried out; what puts others in the place of all begins anew
	moved bool       // the movement is over
}

// conducts reads the orders of a programme, and tells its owner of those that cannot be read.
func (s *State) conducts(r *adjudicator.Run, p *parser, list []phrase.Written) *conduct {
	late := ofFighting(list)
	all := make([]*instruction, len(list))
	for k, o := range list { // GD 6.0/10: a side that writes nothing passes
		in, v := p.parse(o)
		if v != nil {
			s.skipFor(r, p.side, o.Text, v)
			continue
		}
		all[k] = in
	}
	c := &conduct{course: p.course(all, late), r: r, ahead: make([][]string, len(all))}
	for k, in := range all {
		if in != nil && !late[k] {
			c.ahead[k] = s.expect(in)
		}
	}
	return c
}

// each carries out the lines of the movement, or of the fighting, in their order.
func (c *conduct) each(late bool, do func(k int)) {
	for c.at = 0; c.at < len(c.all); c.at++ {
		if k := c.at; c.all[k] != nil && c.steps[k].late == late {
			do(k)
		}
	}
}

// ask asks the owner of a programme what is to be done with the rest of it, and tells whether that
// puts other orders in its place. Nobody is asked who could do nothing any more.
//
// deviation GD 10.0: attacks are decided one at a time; a programme says where its owner wants to
// look at the map before it goes on, and is what holds without an answer.
func (c *conduct) ask(why string) (changed bool) {
	s := c.p.s
	if !c.mayGoOn() {
		return false
	}
	label := s.restOf(c.p.bn)
	d := adjudicator.Decision{Label: label, Kind: kindActivation, Entry: label, Side: c.p.side, Clause: "GD 10.0", Wanted: true,
		Proposal: strings.Join(c.left(), "\n"), Source: "the rest of your programme", Pause: why}
	s.Acting = s.acting(c, label)
	answer := c.r.Ask(d)[0]
	s.Acting = nil
	if answer == d.Proposal {
		return false
	}
	c.replace(answer, label)
	return true
}

// restOf is the label of a question about the rest of an activation.
func (s *State) restOf(bn string) string {
	base := activationLabel + "the rest of " + bn
	label := s.label("%s", base)
	if s.sc.before(8) {
		return label
	}
	return phrase.AskedAgain(base, s.shots[base])
}

// askAfter asks after an attack if the programme wants it.
func (c *conduct) askAfter(target hex.Hex) (changed bool) {
	s := c.p.s
	for _, in := range c.all {
		if in == nil || !in.After || in.On != hex.None && in.On != target {
			continue
		}
		if in.when == nil || s.meets(*in.when, c.p.side) {
			return c.ask("the attack on " + target.String() + " has been fought (" + in.text + ")")
		}
	}
	return false
}

// left are the lines that are still to be carried out, in their order then.
func (c *conduct) left() (lines []string) {
	for _, late := range []bool{false, true} {
		for k, in := range c.all {
			switch {
			case in == nil, c.steps[k].late != late:
			case in.After, in.attack.atWill && k == c.at, k > c.at && late == c.moved, late && !c.moved:
				lines = append(lines, in.text)
			}
		}
	}
	return lines
}

// replace puts other orders in the place of those that are left.
func (c *conduct) replace(answer, label string) {
	s, p := c.p.s, c.p
	for k := c.at + 1; k < len(c.all) && !c.moved; k++ {
		s.come(c.ahead[k])
	}
	list := s.unfolded(c.r, p, phrase.ReadLines(p.choose(answer)), label)
	next := s.conducts(c.r, p, list)
	c.course, c.ahead, c.at = next.course, next.ahead, -1
	for k, in := range c.all {
		if c.moved && in != nil && !c.steps[k].late && !in.asks {
			s.skipFor(c.r, p.side, in.text, movementOver)
			s.come(c.ahead[k])
			c.all[k] = nil
		}
	}
}

// movementOver refuses a movement among orders for the rest of an activation that fights already.
var movementOver = &rule.Violation{Clause: "GD 9.0", Why: "the movement of this activation is over: it has come to the fighting"}

// mayGoOn tells whether a unit of the activation could still do something: a headquarters does not
// fight.
func (c *conduct) mayGoOn() bool {
	for u := range c.p.s.army(c.p.side) {
		idle := u.did.active && !u.did.fought && !u.did.shot && !u.did.barraged
		fightsNot := c.moved && u.c.HQ
		if idle && !fightsNot && !u.outOfPlay() {
			return true
		}
	}
	return false
}

// deedWords are what a View calls the deeds of a unit.
var deedWords = []struct {
	word string
	flag func(*deeds) *bool
}{
	{"active", func(d *deeds) *bool { return &d.active }},
	{"entered", func(d *deeds) *bool { return &d.entered }},
	{"started", func(d *deeds) *bool { return &d.started }},
	{"stopped", func(d *deeds) *bool { return &d.stopped }},
	{"last", func(d *deeds) *bool { return &d.last }},
	{"worked", func(d *deeds) *bool { return &d.worked }},
	{"cleared", func(d *deeds) *bool { return &d.cleared }},
	{"shot", func(d *deeds) *bool { return &d.shot }},
	{"barraged", func(d *deeds) *bool { return &d.barraged }},
	{"fought", func(d *deeds) *bool { return &d.fought }},
}

// acting is the activation as its owner is asked for the rest of it.
func (s *State) acting(c *conduct, label string) *view.Acting {
	a := &view.Acting{Side: string(c.p.side), Chit: c.p.bn, Label: label, HQ: s.commander, Steps: s.soFar.had, Took: slices.Clone(s.soFar.took)}
	if c.moved {
		a.Over = []string{"movement"}
	}
	for u := range s.army(c.p.side) {
		d := view.Deed{Unit: u.ID, Spent: int(u.did.spent)}
		for _, w := range deedWords {
			if *w.flag(&u.did) {
				d.Did = append(d.Did, w.word)
			}
		}
		if len(d.Did) > 0 {
			a.Units = append(a.Units, d)
		}
	}
	return a
}

// resume has a position that was made from a View stand in the midst of its activation.
func (s *State) resume(a *view.Acting) {
	s.commander = a.HQ
	s.soFar = sofar{on: true, had: a.Steps, took: slices.Clone(a.Took)}
	for _, d := range a.Units {
		u := s.unit(d.Unit)
		if u == nil {
			continue
		}
		u.did = deeds{spent: Cost(d.Spent)}
		for _, w := range deedWords {
			*w.flag(&u.did) = slices.Contains(d.Did, w.word)
		}
	}
}
