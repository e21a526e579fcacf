package steppe

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// readProgramme reads a CHIT or SOLO section with its guarded variants.
func (s *State) readProgramme(t *turnOrders, side Side, sec orders.Section, line func(orders.Pos, string, string, *rule.Violation)) {
	head := strings.TrimSpace(sec.Name + " " + clauseText(sec.Args))
	base, rest, v := s.readHead(side, sec)
	line(sec.Pos, head, "", v)
	if v != nil {
		for _, o := range sec.Orders {
			line(o.Pos, o.String(), "", &rule.Violation{Why: "it stands under " + head + ", which was refused"})
		}
		return
	}
	add := func(p *programme) {
		if p.hq == nil {
			t.solo = append(t.solo, p)
		} else {
			t.programmes = append(t.programmes, p)
		}
	}
	base.head = head
	add(base)
	p := base
	groups := instructions(rest, sec.Orders)
	base.steps = make([]instruction, 0, len(groups))
	for _, g := range groups {
		if w := g.words[0].Text; w == "IF" || w == "UNLESS" {
			var v *rule.Violation
			var more []orders.Word
			p, more, v = s.variant(side, base, g.words)
			if v == nil {
				add(p)
			} else {
				p = nil
			}
			if v != nil || len(more) == 0 {
				line(g.pos, g.text, "", v)
				continue
			}
			g.words = more
		}
		if p == nil {
			line(g.pos, g.text, "", &rule.Violation{Why: "it stands under a condition that was refused"})
			continue
		}
		in, v := s.instruction(side, g, p)
		if v == nil && s.judging {
			v = s.judge(side, p, in)
		}
		if v == nil {
			p.steps = append(p.steps, in)
		}
		line(g.pos, g.text, "", v)
	}
}

// group is the words of one order of a programme.
type group struct {
	pos   orders.Pos
	text  string
	words []orders.Word
}

// instructions groups the clauses of a section, the rest of its head first: each group
// begins with a verb or a condition, and what follows without one belongs to it.
func instructions(head orders.Clause, list []orders.Order) []group {
	out := make([]group, 0, 1+len(list))
	add := func(at orders.Pos, c orders.Clause) {
		w := c[0].Text
		if n := len(out); n > 0 && !slices.Contains(verbs, w) && w != "IF" && w != "UNLESS" {
			out[n-1].words = append(out[n-1].words, c...)
			out[n-1].text += "; " + c.String()
			return
		}
		out = append(out, group{at, c.String(), slices.Clip(c)})
	}
	if len(head) > 0 {
		add(head[0].Pos, head)
	}
	for _, o := range list {
		for i, c := range o.Clauses {
			at := o.Pos
			if i > 0 {
				at = c[0].Pos
			}
			add(at, c)
		}
	}
	return out
}

// readHead reads what follows CHIT or SOLO: who, and the mode.
func (s *State) readHead(side Side, sec orders.Section) (p *programme, rest []orders.Word, v *rule.Violation) {
	p = &programme{}
	r := phrase.New(sec.Args)
	if sec.Name == "SOLO" {
		r.Skip("HEX")
		if p.hex, v = s.place(&r); v != nil {
			return nil, nil, v
		}
	} else {
		for n := min(3, len(r.Words)); n > 0 && p.hq == nil; n-- {
			if u := s.byName(side, phrase.Join(r.Words[:n])); u != nil && u.c.Type == HQ {
				p.hq, r.Words = u, r.Words[n:]
			}
		}
		if p.hq != nil && s.foreign(p.hq) != nil {
			return nil, nil, s.foreign(p.hq)
		}
		if p.hq == nil {
			return nil, nil, &rule.Violation{Clause: "Steppe 2.6", Why: fmt.Sprintf("CHIT names no headquarters of yours: %q", phrase.Join(sec.Args)), Instead: "Yours are " + s.hqNames(side) + "."}
		}
	}
	v = s.readMode(side, p, &r)
	return p, r.Words, v
}

// readMode reads MOVE THEN ATTACK, ATTACK THEN MOVE, HOLD, IF and UNLESS.
//
// Steppe 6.0/7
func (s *State) readMode(side Side, p *programme, r *phrase.Reader) *rule.Violation {
	for !r.End() {
		then := len(r.Words) > 2 && r.Words[1].Text == "THEN"
		switch w := r.Peek(); {
		case w == "MOVE" && then && r.Words[2].Text == "ATTACK", w == "ATTACK" && then && r.Words[2].Text == "MOVE":
			p.attack = w == "ATTACK"
			r.Words = r.Words[3:]
		case w == "MA" || w == "AM":
			p.attack = r.Next() == "AM"
		case w == "HOLD":
			r.Next()
			if r.Peek() != "IF" && r.Peek() != "UNLESS" {
				p.hold = true
				break
			}
			not := r.Next() == "IF" // it holds unless the guard says that it may act
			g, v := s.readGuards(side, r)
			if v != nil {
				return v
			}
			p.guards = append(p.guards, negated(g, not)...)
		case w == "IF" || w == "UNLESS":
			not := r.Next() == "UNLESS"
			g, v := s.readGuards(side, r)
			if v != nil {
				return v
			}
			p.guards = append(p.guards, negated(g, not)...)
		case slices.Contains(verbs, w):
			return nil
		default:
			return &rule.Violation{Why: fmt.Sprintf("%q is not understood here", w), Instead: "Expected MOVE THEN ATTACK, ATTACK THEN MOVE, HOLD, IF, or an order: " + strings.Join(verbs, ", ") + "."}
		}
	}
	return nil
}

// variant opens a guarded variant of a programme: IF SOVIET HOLDS 2115 THEN ...
func (s *State) variant(side Side, base *programme, words []orders.Word) (*programme, []orders.Word, *rule.Violation) {
	r := phrase.New(words)
	not := r.Next() == "UNLESS"
	g, v := s.readGuards(side, &r)
	if v != nil {
		return base, nil, v
	}
	p := &programme{hq: base.hq, hex: base.hex, attack: base.attack, guards: negated(g, not)}
	return p, r.Words, s.readMode(side, p, &r)
}

// instruction reads one order of a programme.
func (s *State) instruction(side Side, g group, p *programme) (in instruction, v *rule.Violation) {
	r := phrase.New(g.words)
	in = instruction{verb: r.Peek(), text: g.text, arty: -1}
	if !slices.Contains(verbs, in.verb) {
		return in, &rule.Violation{Why: fmt.Sprintf("%q is not understood here", in.verb), Instead: "Expected " + strings.Join(verbs, ", ") + " or IF."}
	}
	r.Next()
	switch in.verb {
	case "ATTACK":
		v = s.readAttack(&in, side, &r)
	case "HQ":
		if p.hq == nil {
			return in, &rule.Violation{Clause: "Steppe 6.1", Why: "an individual hex has no headquarters of its chit", Instead: "Name the unit: MOVE and its name."}
		}
		in.units = []*Unit{p.hq}
		v = s.readCourse(&in, &r)
	case "UNITS":
		if in.text == "UNITS ALL" {
			return in, nil
		}
		in.units, v = s.units(side, r.Take())
	case "RAIL":
		v = s.readRail(&in, side, &r)
	case "BLOW":
		v = s.readBlow(&in, side, &r)
	case "KG", "MERGE":
		v = s.readKG(&in, side, &r)
	default:
		stop := moveWords
		if in.verb == "ENTER" {
			stop = append([]string{"AT"}, moveWords...)
		}
		list := r.Take(stop...)
		for len(list) > 0 && (isWalk(list[len(list)-1].Text) || in.verb == "ENTER" && isHex(list[len(list)-1].Text) && len(list) > 1) {
			r.Words = append([]orders.Word{list[len(list)-1]}, r.Words...)
			list = list[:len(list)-1]
		}
		if in.units, v = s.units(side, list); v == nil {
			v = s.readCourse(&in, &r)
		}
	}
	if v == nil && !r.End() {
		v = &rule.Violation{Why: fmt.Sprintf("%q is not understood in this order", r.Peek())}
	}
	return in, v
}

func (s *State) hqNames(side Side) string {
	var out []*Unit
	for i := range s.Units {
		if u := &s.Units[i]; u.c.Side == side && u.c.Type == HQ && u.Where != Gone {
			out = append(out, u)
		}
	}
	return names(out)
}
