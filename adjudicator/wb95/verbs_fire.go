package wb95

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// fireOrder is a ranged attack of the ATTACK section, or a line of the BARRAGE section.
type fireOrder struct {
	text   string
	guns   []*Unit
	target hex.Hex
	bridge *hex.Edge // instead of a hex (6.4.7)
	when   []condition
	before int // how many attacks of the sheet come before it
}

func (o fireOrder) called() string {
	if o.bridge != nil {
		return "the fire on the bridge " + o.bridge.String()
	}
	return "the fire on " + o.target.String()
}

// isFire tells whether a line of the ATTACK section is a ranged attack.
func isFire(w phrase.Written) bool { return w.Verb() == "FIRE" }

// parseFire reads a ranged attack, or without the word FIRE a barrage:
//
//	FIRE 2 Art./28, 1 Art./28 AT 1905 [IF 1 WON | UNLESS 1905 EMPTY]
//	FIRE 2 Art./28 AT 1902/1903
func (s *State) parseFire(side Side, w phrase.Written) (fireOrder, *rule.Violation) {
	o := fireOrder{text: w.Text}
	if w.Fault != nil {
		return o, w.Fault
	}
	rest := phrase.New(w.Flat())
	rest.Skip("FIRE")
	list := rest.Take("AT", "IF", "UNLESS")
	// ALL AT 2205 AT 1905: the first AT belongs to the guns.
	if phrase.Join(list) == "ALL" && len(rest.Words) > 2 {
		list = append(slices.Clone(list), rest.Words[:2]...)
		rest.Words = rest.Words[2:]
	}
	var v *rule.Violation
	if o.guns, v = s.guns(side, list); v != nil {
		return o, v
	}
	if rest.Next() != "AT" {
		return o, &rule.Violation{Clause: "WB-95 6.4.2", Why: "the fire has no target", Instead: "Write FIRE, the guns, AT and a hex."}
	}
	if e, err := hex.ParseEdge(rest.Peek()); err == nil {
		rest.Next()
		o.bridge = &e
	} else if o.target, v = s.place(&rest); v != nil {
		return o, rest.Blame(v)
	}
	for !rest.End() {
		if !slices.Contains(conditionVerb, rest.Peek()) {
			return o, &rule.Violation{Why: "after the target only a condition such as IF 1 WON may follow"}
		}
		c, v := s.condition(&rest)
		if v != nil {
			return o, rest.Blame(v)
		}
		o.when = append(o.when, c)
	}
	return o, nil
}

// fighters resolves a list of units for an attack: ALL AT a hex leaves out who
// cannot attack.
func (s *State) fighters(side Side, list []orders.Word) ([]*Unit, *rule.Violation) {
	us, v := s.units(side, list)
	if phrase.IsAllAt(list) {
		us = slices.DeleteFunc(us, func(u *Unit) bool { return !u.fights() })
	}
	return us, v
}

// guns resolves a list of guns: ALL AT a hex leaves out what is no artillery.
func (s *State) guns(side Side, list []orders.Word) ([]*Unit, *rule.Violation) {
	us, v := s.units(side, list)
	if v != nil {
		return nil, v
	}
	if phrase.IsAllAt(list) {
		us = slices.DeleteFunc(us, func(u *Unit) bool { return !u.artillery() })
	}
	for _, u := range us {
		if !u.artillery() {
			return nil, &rule.Violation{Clause: "WB-95 6.3.1", Why: u.c.Name + " is not artillery"}
		}
	}
	return us, nil
}

var yesNo = []string{answerYes, answerNo}

// stars reads what follows STARS: YES, NO or colours.
func stars(rest *phrase.Reader) (string, *rule.Violation) {
	var out []string
	if slices.Contains(yesNo, rest.Peek()) {
		out = append(out, rest.Next())
	}
	for slices.Contains(colours, Star(strings.ToLower(rest.Peek()))) {
		out = append(out, rest.Next())
	}
	if len(out) == 0 {
		return "", &rule.Violation{Clause: "WB-95 15.1.6", Why: "STARS needs YES, NO or colours"}
	}
	return strings.Join(out, ", "), nil
}

// number reads a whole number.
func number(rest *phrase.Reader, c rule.Clause) (int, *rule.Violation) {
	n, v := phrase.Number(rest, 99)
	if v != nil {
		v.Clause = c
	}
	return n, v
}

// standingClause reads one clause of a standing order.
func (s *State) standingClause(o *standingOrder, side Side, rest *phrase.Reader) (v *rule.Violation) {
	switch rest.Peek() {
	case "VITAL":
		rest.Next()
		if o.at == hex.None {
			return &rule.Violation{Why: "VITAL marks a hex", Instead: "Write AT, the hex, VITAL."}
		}
		o.how.vital = true
	case "STARS":
		rest.Next()
		o.how.stars, v = stars(rest)
	case "FU":
		rest.Next()
		if o.how.fu = rest.Next(); !slices.Contains(yesNo, o.how.fu) {
			v = &rule.Violation{Clause: "WB-95 15.4.2", Why: "FU needs YES or NO"}
		}
	case "HQCM":
		rest.Next()
		var n int
		n, v = number(rest, "WB-95 9.1.6")
		o.how.hqcm = &n
	case "UNTIL":
		rest.Next()
		rest.Skip("TURN")
		o.until, v = number(rest, "")
	case "IF", "UNLESS":
		o.when, v = s.mapCondition(o.when, rest)
	default:
		return s.how(&o.how, side, rest)
	}
	return v
}

// artStanding reads the standing order for guns:
//
//	ART SUPPORT [DEFENCE | ALL | NO] [WITHIN 2 OF VITAL | WITHIN 2 OF 2609] [KEEP 1] [UNTIL 6] [IF 2609 HELD]
func (s *State) artStanding(o *standingOrder, rest *phrase.Reader) (v *rule.Violation) {
	g := &gunOrder{support: gunsDefend, within: -1}
	o.guns, o.how.source = g, "standing order ART"
	rest.Next()
	for v == nil && !rest.End() {
		switch w := rest.Next(); w {
		case "SUPPORT":
			switch rest.Peek() {
			case gunsSilent, gunsAll, gunsDefend:
				g.support = rest.Next()
			case "DEFENSE":
				g.support = gunsDefend
				rest.Next()
			}
		case "WITHIN":
			v = s.reachOfGuns(g, rest)
		case "KEEP":
			g.keep, v = number(rest, "WB-95 6.3.3")
		case "UNTIL", "IF", "UNLESS":
			rest.Back()
			v = s.standingClause(o, "", rest)
		default:
			v = phrase.Unexpected(w, "here", "SUPPORT", "WITHIN", "KEEP")
		}
	}
	return v
}

// reachOfGuns reads what follows WITHIN: how far from a vital hex, or from which one.
func (s *State) reachOfGuns(g *gunOrder, rest *phrase.Reader) (v *rule.Violation) {
	if g.within, v = number(rest, "WB-95 6.3.3"); v != nil {
		return v
	}
	rest.Skip("HEX", "HEXES")
	rest.Skip("OF")
	if !rest.Skip("VITAL") {
		g.of, v = s.place(rest)
	}
	return v
}

// besides says back what a standing order says on stars, guns and marks.
func (o standingOrder) besides() []string {
	var out []string
	say := func(ok bool, format string, a ...any) {
		if ok {
			out = append(out, fmt.Sprintf(format, a...))
		}
	}
	d := o.how
	say(d.vital, "it is vital")
	say(d.stars != "", "stars in defence: %s", strings.ToLower(d.stars))
	say(d.fu != "", "ability of fortification units: %s", strings.ToLower(d.fu))
	if d.hqcm != nil {
		say(true, "at most %d modifiers for a lost headquarters in a combat", *d.hqcm)
	}
	if g := o.guns; g != nil {
		say(g.support == gunsSilent, "guns do not support the defence")
		say(g.support == gunsAll, "all guns in range support the defence")
		say(g.support == gunsDefend, "guns support the defence, as few as bring the column as low as all would")
		near := "a vital hex"
		if g.of != hex.None {
			near = g.of.String()
		}
		say(g.within >= 0, "only within %d of %s", g.within, near)
		say(g.keep > 0, "%d are kept for vital hexes", g.keep)
	}
	say(o.until > 0, "until turn %d", o.until)
	say(len(o.when) > 0, "%s", ifs(o.when))
	return out
}
