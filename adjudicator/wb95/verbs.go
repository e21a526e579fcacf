package wb95

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

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

const figures = "0123456789"

// isFigure tells whether the word is one figure.
func isFigure(w string) bool { return len(w) == 1 && strings.Contains(figures, w) }

// numberIn reads a whole number between two bounds.
func numberIn(w string, from, to int) (n int, ok bool) {
	n, err := strconv.Atoi(w)
	return n, err == nil && from <= n && n <= to
}

// spentOrders are orders that have been handed on as copies: their memory is used again.
var spentOrders = sync.Pool{New: func() any { return new(moveOrder) }}

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
func (s *State) parseMove(side Side, w phrase.Written) (moveOrder, *rule.Violation) {
	o := spentOrders.Get().(*moveOrder)
	defer spentOrders.Put(o)
	*o = moveOrder{text: w.Text}
	if w.Fault != nil {
		return *o, w.Fault
	}
	if steps := strings.Count(w.Text, "-"); steps > 0 {
		o.path = s.room.hexes.Take(steps + 1)
	}
	rest := phrase.New(w.Flat())
	names := rest.Names(moveVerb...)
	if rest.End() {
		return *o, &rule.Violation{Why: "the order does not say what to do",
			Instead: phrase.Misspelt(names, moveVerb...) + "Write TO and a hex, a path such as 2206-2306, ENTRENCH, or ENTER and a zone."}
	}
	var v *rule.Violation
	if o.units, v = s.units(side, names); v != nil {
		return *o, v
	}
	for !rest.End() {
		if v := s.moveClause(o, &rest); v != nil {
			return *o, rest.Blame(v)
		}
	}
	return *o, cmp.Or(s.way(o).Fault(false), o.reinforceFault(), o.setupFault(), o.workFault(), s.bothGroups(o.units), o.entrenchFault())
}

// way reads where an order leads.
func (s *State) way(o *moveOrder) phrase.Way {
	return phrase.Way{Board: s.sc.Board, Stop: moveVerb, To: &o.to, Via: &o.via, Path: &o.path}
}

// hasWay tells whether the order names a way or a goal.
func (o *moveOrder) hasWay() bool { return o.to != hex.None || len(o.path) > 0 }

// goes tells whether the order leads anywhere on the map.
func (o *moveOrder) goes() bool { return o.hasWay() || o.enter != "" }

// works tells whether the order is for work on a bridge, alone or before or after a way.
func (o *moveOrder) works() bool { return o.bridge.verb != "" }

// reinforceFault refuses REINFORCE beside anything else.
func (o *moveOrder) reinforceFault() *rule.Violation {
	if o.reinforce == nil {
		return nil
	}
	switch {
	case o.goes(), o.entrench, o.strategic, o.limber, o.unlimber, o.works():
		return &rule.Violation{Clause: "WB-95 15.3.3", Why: "units that give or take a step do not move in this phase", Instead: "REINFORCE stands alone."}
	}
	return nil
}

// workFault refuses work on a bridge by more than one unit.
func (o *moveOrder) workFault() *rule.Violation {
	if o.works() && len(o.units) != 1 {
		return &rule.Violation{Clause: "WB-95 14.2.1", Why: "one unit works on a bridge", Instead: "Give the order to one of them."}
	}
	return nil
}

// entrenchFault refuses ENTRENCH beside anything else.
func (o *moveOrder) entrenchFault() *rule.Violation {
	if !o.entrench {
		return nil
	}
	switch {
	case o.goes(), o.exit != "", o.strategic, o.works():
		return &rule.Violation{Clause: "WB-95 7.1.4", Why: "building field fortifications takes all movement points of the unit", Instead: "ENTRENCH stands alone."}
	}
	return nil
}

func (s *State) moveClause(o *moveOrder, rest *phrase.Reader) (v *rule.Violation) {
	w := rest.Next()
	if own, v := s.way(o).Clause(w, rest); own {
		return v
	}
	switch w {
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
		o.bridge.verb, o.bridge.first = w, !o.goes()
		o.bridge.edge, _, v = s.hexside(rest)
	case "FULL":
		o.full = true
	case "STRATEGIC":
		o.strategic = true
	case "IF", "UNLESS":
		rest.Back()
		o.when, v = s.mapCondition(o.when, rest)
	case "LIMBER":
		o.limber = true
	case "UNLIMBER":
		o.unlimber = true
	case "REINFORCE":
		o.reinforce, v = s.reinforced(o.units[0], rest)
	default:
		v = phrase.Astray(w, moveVerb[2:]...)
	}
	return v
}

// reinforced reads the unit that takes a step from the one that gives it.
func (s *State) reinforced(giver *Unit, rest *phrase.Reader) (*Unit, *rule.Violation) {
	us, v := s.units(s.sc.owner(giver.c), rest.Take(moveVerb...))
	switch {
	case v != nil:
		return nil, v
	case len(us) != 1:
		return nil, &rule.Violation{Clause: "WB-95 15.3.4", Why: "a unit of Volkssturm reinforces one unit"}
	}
	return us[0], nil
}

// parseAttack reads an order of the ATTACK section:
//
//	1: 2306, 2307 WITH UNITS; ART GUNS; MIN 2:1; IF 2 WON; STARS NO; HQCM 2; LOSSES 81 INF FIRST; PURSUE 2 TOWARD 2409
//	FIRE GUNS AT 1905
func (s *State) parseAttack(side Side, w phrase.Written) (attackOrder, *rule.Violation) {
	o := attackOrder{text: w.Text, label: w.Order.Label}
	if w.Fault != nil {
		return o, w.Fault
	}
	o.how.source = "your attack order"
	if o.label != "" {
		o.how.source = "your attack order " + o.label
	}
	if isFire(w) {
		f, v := s.parseFire(side, w)
		o.fire = &f
		return o, v
	}
	for i, c := range w.Order.Clauses {
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
			v = &rule.Violation{Clause: "WB-95 1.5", Why: fmt.Sprintf("%q is not a column of the Combat Table", o.min), Instead: "The columns are " + strings.Join(s.sc.Combat.Columns, ", ") + "."}
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
		v = phrase.Unexpected(w, "in an attack", slices.Concat([]string{"WITH"}, attackVerb, howVerb)...)
	}
	return v
}

// parseStanding reads a standing order: ALL, AT 2609 or a unit, then what to do.
func (s *State) parseStanding(side Side, w phrase.Written) (standingOrder, *rule.Violation) {
	o := standingOrder{text: w.Text, by: side}
	if w.Fault != nil {
		return o, w.Fault
	}
	rest := phrase.New(w.Flat())
	if v, ok := s.specialStanding(&o, side, &rest); ok {
		return o, v
	}
	if rest.Peek() == "ART" {
		return o, s.artStanding(&o, &rest)
	}
	scope := rest.Take(slices.Concat(howVerb, standVerb)...)
	o.how.source = "standing order " + phrase.Join(scope)
	if v := s.standingScope(&o, side, scope); v != nil {
		return o, v
	}
	if rest.End() {
		return o, &rule.Violation{Why: "the standing order does not say what to do",
			Instead: phrase.Misspelt(scope, slices.Concat(howVerb, standVerb)...) + "Expected " + strings.Join(slices.Concat(howVerb, standVerb), ", ") + "."}
	}
	for !rest.End() {
		if v := s.standingClause(&o, side, &rest); v != nil {
			return o, rest.Blame(v)
		}
	}
	return o, nil
}

// standingScope reads whom a standing order is for: everybody, who stands on a hex, or a unit.
func (s *State) standingScope(o *standingOrder, side Side, scope []orders.Word) *rule.Violation {
	switch name := phrase.Join(scope); {
	case len(scope) == 0:
		return &rule.Violation{Why: "a standing order begins with ALL, AT and a hex, or a unit"}
	case name == "ALL":
		return nil
	case scope[0].Text == "AT":
		at := phrase.New(scope[1:])
		h, v := s.place(&at)
		if v != nil {
			return at.Blame(v)
		}
		o.at = h
		return nil
	}
	us, v := s.units(side, scope)
	switch {
	case v != nil:
		return v
	case len(us) != 1:
		return &rule.Violation{Why: fmt.Sprintf("%s names %d units", phrase.Join(scope), len(us)), Instead: "Give a line to each of them."}
	}
	o.unit = us[0].c.Name
	return nil
}

// how reads one clause on losses, retreat or pursuit.
func (s *State) how(d *doctrine, side Side, rest *phrase.Reader) (v *rule.Violation) {
	switch w := rest.Next(); w {
	case "RETREAT":
		d.retreat = retreatFull
		if n := rest.Peek(); n == retreatFull || isFigure(n) {
			d.retreat = rest.Next()
		}
	case "HOLD":
		d.retreat = retreatHold
	case "PAY":
		n, ok := numberIn(rest.Next(), 0, math.MaxInt)
		if !ok {
			return &rule.Violation{Clause: "WB-95 5.3.7", Why: "PAY needs a number of steps"}
		}
		d.pay = &n
		rest.Skip("CEL", "CELS", "STEP", "STEPS")
	case "TOWARD":
		d.toward, v = s.place(rest)
	case "LOSSES":
		d.losses, v = s.lossOrder(side, rest)
	case "PURSUE":
		return s.howToPursue(d, side, rest)
	case "ADVANCE":
		d.advance = true
	default:
		v = phrase.Unexpected(w, "here", howVerb...)
	}
	return v
}

// howToPursue reads what follows PURSUE: how far, whereto, and with whom.
func (s *State) howToPursue(d *doctrine, side Side, rest *phrase.Reader) (v *rule.Violation) {
	d.pursue = pursueFull
	switch n := rest.Peek(); {
	case n == pursueNo, n == "NONE":
		d.pursue = pursueNo
		rest.Next()
	case n == pursueOccupy, n == pursueFull, isFigure(n):
		d.pursue = rest.Next()
	}
	rest.Skip("HEX", "HEXES")
	if rest.Skip("TOWARD") {
		if d.toward, v = s.place(rest); v != nil {
			return v
		}
	}
	if !rest.Skip("WITH") {
		return nil
	}
	us, v := s.units(side, rest.Take(howStop...))
	d.with = append(d.with, shortNames(us)...)
	return v
}

// lossOrder reads LOSSES WEAKEST FIRST, LOSSES STRONGEST FIRST or LOSSES 81 INF, 13/XXII FIRST.
func (s *State) lossOrder(side Side, rest *phrase.Reader) ([]string, *rule.Violation) {
	list := withoutFirst(rest.Take(howStop...))
	switch rank := phrase.Join(list); rank {
	case lossWeakest, lossStrongest:
		return []string{rank}, nil
	}
	us, v := s.units(side, list)
	return shortNames(us), v
}

// withoutFirst is a list of units without the word FIRST behind it.
func withoutFirst(list []orders.Word) []orders.Word {
	if last := len(list) - 1; last >= 0 && list[last].Text == "FIRST" {
		return list[:last]
	}
	return list
}

// shortNames are the names of units, as orders write them.
func shortNames(us []*Unit) []string {
	if len(us) == 0 {
		return nil
	}
	out := make([]string, len(us))
	for i, u := range us {
		out[i] = u.c.Name
	}
	return out
}
