package wb95

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// Vocabulary is the system's words for the sheet parser.
var Vocabulary = orders.Vocabulary{
	Sections: []string{"SETUP", "AIR", "BARRAGE", "MOVE", "ATTACK", "STANDING"},
	Inside:   map[string][]string{"AIR": {airStrike}},
	Clauses:  []string{"WITH", "MIN", "IF", "UNLESS", "UNTIL", "FULL", "LOSSES", "RETREAT", "HOLD", "PAY", "PURSUE", "ADVANCE", "STARS", "HQCM"},
}

var (
	column   = regexp.MustCompile(`^\d{1,2}:\d{1,2}$`)
	moveVerb = []string{"TO", "VIA", "ENTER", "EXIT", "ENTRENCH", "FULL", "STRATEGIC", "LIMBER", "UNLIMBER", "REINFORCE", workBlow, workRebuild, workBuild, "IF", "UNLESS"}
	howVerb  = []string{"RETREAT", "HOLD", "PAY", "TOWARD", "LOSSES", "PURSUE", "ADVANCE"}
	// What an attack may say besides howVerb, and a standing order.
	attackVerb = []string{"FULL", "MIN", "IF", "UNLESS", "ART", "STARS", "HQCM"}
	standVerb  = []string{"VITAL", "STARS", "FU", "HQCM", "UNTIL", "IF", "UNLESS"}
	// What ends the list of units of LOSSES and of PURSUE WITH.
	howStop = slices.Concat(howVerb, conditionVerb, []string{"MIN", "STARS", "HQCM", "VITAL", "UNTIL"})
)

// isWay tells whether the word is hexes joined by dashes: "2206-2306".
func isWay(w string) bool {
	hexes := 0
	for len(w) > 0 {
		digits := 0
		for digits < len(w) && w[digits] >= '0' && w[digits] <= '9' {
			digits++
		}
		if digits < 3 || digits > 4 || digits < len(w) && (w[digits] != '-' || digits+1 == len(w)) {
			return false
		}
		hexes++
		w = w[min(digits+1, len(w)):]
	}
	return hexes > 1
}

// parseMove reads an order of the MOVE section:
//
//	UNITS 2206-2306            hex by hex
//	UNITS TO 3911 [VIA 4013]   the cheapest way
//	UNITS ENTER R [TO 1808]    a reinforcement
//	UNITS [TO 1800] EXIT S     off the map
//	UNITS ENTRENCH
//	GUNS LIMBER, TO 2205, UNLIMBER
//	UNIT REINFORCE UNIT
//	UNIT BLOW 2104/2204        a bridge: also REBUILD and BUILD, before or after a way
//
// each followed by FULL, STRATEGIC, or a condition where wanted.
func (s *State) parseMove(side Side, text string) (moveOrder, *rule.Violation) {
	o := moveOrder{text: text}
	parsed, err := orders.ParseOrder(text)
	if err != nil {
		return o, unreadable(err)
	}
	words := flat(parsed)
	n := slices.IndexFunc(words, func(w orders.Word) bool { return isWay(w.Text) || slices.Contains(moveVerb, w.Text) })
	if n < 0 {
		return o, &rule.Violation{Why: "the order does not say what to do", Instead: "Write TO and a hex, a path such as 2206-2306, ENTRENCH, or ENTER and a zone."}
	}
	var v *rule.Violation
	if o.units, v = s.units(side, words[:n]); v != nil {
		return o, v
	}
	rest := phrase.New(words[n:])
	for !rest.End() && v == nil {
		v = s.moveClause(&o, &rest)
	}
	if v != nil {
		return o, rest.Blame(v)
	}
	if len(o.path) > 0 && (o.to != hex.None || len(o.via) > 0) {
		return o, &rule.Violation{Why: "a path hex by hex and a goal with TO or VIA exclude each other"}
	}
	if len(o.via) > 0 && o.to == hex.None {
		return o, &rule.Violation{Why: "VIA needs a goal: TO and a hex"}
	}
	if o.reinforce != nil && (len(o.path) > 0 || o.to != hex.None || o.enter != "" || o.entrench || o.strategic || o.limber || o.unlimber || o.bridge.verb != "") {
		return o, &rule.Violation{Clause: "WB-95 15.3.3", Why: "units that give or take a step do not move in this phase", Instead: "REINFORCE stands alone."}
	}
	if v := o.setupFault(); v != nil {
		return o, v
	}
	if o.bridge.verb != "" && len(o.units) != 1 {
		return o, &rule.Violation{Clause: "WB-95 14.2.1", Why: "one unit works on a bridge", Instead: "Give the order to one of them."}
	}
	if v := s.bothGroups(o.units); v != nil {
		return o, v
	}
	if o.entrench && (o.exit != "" || len(o.path) > 0 || o.to != hex.None || o.enter != "" || o.strategic || o.bridge.verb != "") {
		return o, &rule.Violation{Clause: "WB-95 7.1.4", Why: "building field fortifications takes all movement points of the unit", Instead: "ENTRENCH stands alone."}
	}
	return o, nil
}

func (s *State) moveClause(o *moveOrder, rest *phrase.Reader) (v *rule.Violation) {
	switch w := rest.Next(); w {
	case "TO":
		o.to, v = s.place(rest)
	case "VIA":
		var h hex.Hex
		for v == nil && !rest.End() && !slices.Contains(moveVerb, rest.Peek()) {
			if h, v = s.place(rest); v == nil {
				o.via = append(o.via, h)
			}
		}
	case "ENTER":
		if rest.End() {
			return &rule.Violation{Clause: "WB-95 11.1.2", Why: "ENTER needs a zone, a place or a hex"}
		}
		o.enter = phrase.Join(rest.Take(moveVerb...))
	case "EXIT":
		if o.exit = rest.Next(); o.exit == "" {
			return &rule.Violation{Clause: "WB-95 11.2.3", Why: "EXIT needs a zone", Instead: "Write EXIT and its letter."}
		}
	case "ENTRENCH":
		o.entrench = true
	case workBlow, workRebuild, workBuild:
		o.bridge.verb, o.bridge.first = w, len(o.path) == 0 && o.to == hex.None && o.enter == ""
		o.bridge.edge, _, v = s.hexside(rest)
	case "FULL":
		o.full = true
	case "STRATEGIC":
		o.strategic = true
	case "IF", "UNLESS":
		rest.Back()
		var c condition
		if c, v = s.condition(rest); v == nil {
			v = c.onMap()
		}
		o.when = append(o.when, c)
	case "LIMBER":
		o.limber = true
	case "UNLIMBER":
		o.unlimber = true
	case "REINFORCE":
		var us []*Unit
		if us, v = s.units(s.sc.owner(o.units[0].c), rest.Take(moveVerb...)); v == nil && len(us) != 1 {
			v = &rule.Violation{Clause: "WB-95 15.3.4", Why: "a unit of Volkssturm reinforces one unit"}
		}
		if v == nil {
			o.reinforce = us[0]
		}
	default:
		if !isWay(w) {
			return &rule.Violation{Why: fmt.Sprintf("%q is not understood here", w), Instead: "Expected " + strings.Join(moveVerb, ", ") + " or a path such as 2206-2306."}
		}
		for _, p := range strings.Split(w, "-") {
			h, bad := s.onBoard(p)
			if bad != nil {
				return bad
			}
			o.path = append(o.path, h)
		}
	}
	return v
}

// parseAttack reads an order of the ATTACK section:
//
//	1: 2306, 2307 WITH UNITS; ART GUNS; MIN 2:1; IF 2 WON; STARS NO; HQCM 2; LOSSES 81 INF FIRST; PURSUE 2 TOWARD 2409
//	FIRE GUNS AT 1905
func (s *State) parseAttack(side Side, text string) (attackOrder, *rule.Violation) {
	o := attackOrder{text: text}
	parsed, err := orders.ParseOrder(text)
	if err != nil {
		return o, unreadable(err)
	}
	o.label = parsed.Label
	o.how.source = "your attack order"
	if o.label != "" {
		o.how.source = "your attack order " + o.label
	}
	if isFire(text) {
		f, v := s.parseFire(side, text)
		o.fire = &f
		return o, v
	}
	for i, c := range parsed.Clauses {
		rest := phrase.New(c)
		for !rest.End() {
			if v := s.attackClause(&o, side, &rest, i == 0); v != nil {
				return o, rest.Blame(v)
			}
		}
	}
	if len(o.targets) == 0 {
		return o, &rule.Violation{Clause: "WB-95 5.2.1", Why: "the attack names no hex", Instead: "Write the hex first: 2306 WITH 81 INF."}
	}
	if len(o.units) == 0 {
		return o, &rule.Violation{Clause: "WB-95 5.2.1", Why: "the attack names no units", Instead: "Write WITH and the attacking units, separated by commas."}
	}
	return o, nil
}

func (s *State) attackClause(o *attackOrder, side Side, rest *phrase.Reader, first bool) (v *rule.Violation) {
	switch w := rest.Peek(); {
	case w == "WITH":
		rest.Next()
		o.units, v = s.fighters(side, rest.Take(slices.Concat(attackVerb, howVerb)...))
	case w == "MIN":
		rest.Next()
		if o.min = rest.Next(); !column.MatchString(o.min) || !slices.Contains(s.sc.Combat.Columns, o.min) {
			v = &rule.Violation{Clause: "WB-95 1.5", Why: fmt.Sprintf("%q is no column of the Combat Table", o.min), Instead: "The columns are " + strings.Join(s.sc.Combat.Columns, ", ") + "."}
		}
	case slices.Contains(conditionVerb, w):
		var c condition
		c, v = s.condition(rest)
		o.when = append(o.when, c)
	case w == "FULL":
		rest.Next()
		o.full = true
	case w == "STARS":
		rest.Next()
		o.stars, v = stars(rest)
	case w == "ART":
		rest.Next()
		// Guns may be called A ART: within their list the word ends nothing.
		stop := slices.DeleteFunc(slices.Concat(attackVerb, howVerb, []string{"WITH"}), func(w string) bool { return w == "ART" })
		o.art, v = s.guns(side, rest.Take(stop...))
	case w == "HQCM":
		rest.Next()
		o.hqcm, v = number(rest, "WB-95 9.1.6")
	case slices.Contains(howVerb, w):
		return s.how(&o.how, side, rest)
	case first && len(o.units) == 0:
		var h hex.Hex
		if h, v = s.place(rest); v == nil {
			o.targets = append(o.targets, h)
		}
	default:
		v = &rule.Violation{Why: fmt.Sprintf("%q is not understood in an attack", w), Instead: "Expected WITH, " + strings.Join(slices.Concat(attackVerb, howVerb), ", ") + "."}
	}
	return v
}

// parseStanding reads a standing order: ALL, AT 2609 or a unit, then what to do.
func (s *State) parseStanding(side Side, text string) (standingOrder, *rule.Violation) {
	o := standingOrder{text: text, by: side}
	parsed, err := orders.ParseOrder(text)
	if err != nil {
		return o, unreadable(err)
	}
	rest := phrase.New(flat(parsed))
	if v, ok := s.specialStanding(&o, side, &rest); ok {
		return o, v
	}
	if rest.Peek() == "ART" {
		return o, s.artStanding(&o, &rest)
	}
	scope := rest.Take(slices.Concat(howVerb, standVerb)...)
	o.how.source = "standing order " + phrase.Join(scope)
	switch {
	case len(scope) == 0:
		return o, &rule.Violation{Why: "a standing order begins with ALL, AT and a hex, or a unit"}
	case len(scope) == 1 && scope[0].Text == "ALL":
	case scope[0].Text == "AT":
		at := phrase.New(scope[1:])
		h, v := s.place(&at)
		if v != nil {
			return o, at.Blame(v)
		}
		o.at = h
	default:
		us, v := s.units(side, scope)
		if v != nil {
			return o, v
		}
		if len(us) != 1 {
			return o, &rule.Violation{Why: fmt.Sprintf("%s names %d units", phrase.Join(scope), len(us)), Instead: "Give a line to each of them."}
		}
		o.unit = us[0].c.Name
	}
	if rest.End() {
		return o, &rule.Violation{Why: "the standing order does not say what to do", Instead: "Expected " + strings.Join(slices.Concat(howVerb, standVerb), ", ") + "."}
	}
	for !rest.End() {
		if v := s.standingClause(&o, side, &rest); v != nil {
			return o, rest.Blame(v)
		}
	}
	return o, nil
}

// how reads one clause on losses, retreat or pursuit.
func (s *State) how(d *doctrine, side Side, rest *phrase.Reader) (v *rule.Violation) {
	switch w := rest.Next(); w {
	case "RETREAT":
		d.retreat = "FULL"
		if n := rest.Peek(); n == "FULL" {
			rest.Next()
		} else if _, err := strconv.Atoi(n); err == nil && len(n) == 1 {
			d.retreat = rest.Next()
		}
	case "HOLD":
		d.retreat = "HOLD"
	case "PAY":
		n, err := strconv.Atoi(rest.Next())
		if err != nil || n < 0 {
			return &rule.Violation{Clause: "WB-95 5.3.7", Why: "PAY needs a number of steps"}
		}
		d.pay = &n
		rest.Skip("CEL", "CELS", "STEP", "STEPS")
	case "TOWARD":
		d.toward, v = s.place(rest)
	case "LOSSES":
		d.losses, v = s.lossOrder(side, rest)
	case "PURSUE":
		d.pursue = "FULL"
		switch n := rest.Peek(); {
		case n == "NO" || n == "NONE":
			d.pursue = "NO"
			rest.Next()
		case n == "OCCUPY" || n == "FULL":
			d.pursue = rest.Next()
		case len(n) == 1 && n[0] >= '0' && n[0] <= '9':
			d.pursue = rest.Next()
		}
		rest.Skip("HEX", "HEXES")
		if rest.Peek() == "TOWARD" {
			rest.Next()
			if d.toward, v = s.place(rest); v != nil {
				return v
			}
		}
		if rest.Peek() == "WITH" {
			rest.Next()
			us, v := s.units(side, rest.Take(howStop...))
			if v != nil {
				return v
			}
			for _, u := range us {
				d.with = append(d.with, u.c.Name)
			}
		}
	case "ADVANCE":
		d.advance = true
	default:
		v = &rule.Violation{Why: fmt.Sprintf("%q is not understood here", w), Instead: "Expected " + strings.Join(howVerb, ", ") + "."}
	}
	return v
}

// lossOrder reads LOSSES WEAKEST FIRST, LOSSES STRONGEST FIRST or LOSSES 81 INF, 13/XXII FIRST.
func (s *State) lossOrder(side Side, rest *phrase.Reader) ([]string, *rule.Violation) {
	list := rest.Take(howStop...)
	if n := len(list); n > 0 && list[n-1].Text == "FIRST" {
		list = list[:n-1]
	}
	if len(list) == 1 && (list[0].Text == "WEAKEST" || list[0].Text == "STRONGEST") {
		return []string{list[0].Text}, nil
	}
	us, v := s.units(side, list)
	var out []string
	for _, u := range us {
		out = append(out, u.c.Name)
	}
	return out, v
}
