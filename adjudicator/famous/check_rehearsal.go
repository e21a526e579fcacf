package famous

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
)

// fights tries the orders that belong to the fighting.
func (t *rehearsal) fights() {
	for k := range t.list {
		if t.late[k] {
			t.fight(k)
		}
	}
}

// rehearsal tries a programme on a copy of the position, as if its chit came first.
type rehearsal struct {
	*check
	s       *State // the copy
	p       *parser
	entry   string // of the answers
	live    bool   // the condition of the programme holds
	warning string // to be said with the first order
	list    []phrase.Written
	section string // its line, as the guide has it
	late    []bool // which of list belong to the fighting
	parts   []int  // of list: from 1 for the orders that one to the formation above them becomes, ofEvery
	own     int    // how many orders before those of EVERY CHIT
	over    bool   // its movement is over: it is the rest of an activation
	course  *course
}

// withEvery has the lines of EVERY CHIT behind those of a programme, unless it ends before them.
func (t *rehearsal) withEvery(list []phrase.Written) []phrase.Written {
	t.own = len(list)
	if n := len(list); n > 0 && len(t.every) > 0 {
		last, when, v := t.p.leading(list[n-1].Order)
		if words := phrase.Join(slices.Concat(last.Clauses...)); v == nil && words == "STOP ALL" && when.when == nil {
			return list
		}
	}
	return append(slices.Clip(list), t.every...)
}

// ofEvery marks a line of EVERY CHIT in a programme: the sheet has it but once, where it is
// answered.
const ofEvery = -1

// unfold has the orders to units that one to the formation would become behind it.
func (t *rehearsal) unfold(list []phrase.Written) (out []phrase.Written) {
	ofChit := func(i int) int {
		if i >= t.own {
			return ofEvery
		}
		return 0
	}
	if !slices.ContainsFunc(list, ofFormation) {
		for i := range list {
			t.parts = append(t.parts, ofChit(i))
		}
		return list
	}
	for i, u := range t.p.unfold(list) {
		out, t.parts = append(out, u.of), append(t.parts, ofChit(i))
		if !ofFormation(u.of) {
			continue
		}
		for k, o := range u.orders {
			if !ofFormation(o) {
				out, t.parts = append(out, o), append(t.parts, k+1)
			}
		}
	}
	return out
}

// heads judges an order to the formation: what it becomes stands below it.
func (t *rehearsal) heads(k int) {
	n := 0
	for k+1+n < len(t.list) && t.parts[k+1+n] > 0 {
		n++
	}
	l := adjudicator.Line{Pos: t.list[k].Pos(), Text: t.list[k].Text, Warning: t.warning, Understood: "as things stand it becomes these orders"}
	if stays := t.staysBehind(t.list[k], t.list[k+1:k+1+n]); stays != "" {
		l.Understood += "; " + stays
	}
	if n == 0 {
		l.Understood, l.Warning = "", joined(t.warning, "as things stand nobody of it can do that")
	}
	t.answer(t.entry, t.list[k].Text)
	t.line(l)
	t.warning = ""
}

// staysBehind names who of a formation none of its orders moves, "" if there is nobody.
func (t *rehearsal) staysBehind(head phrase.Written, parts []phrase.Written) string {
	f, v := t.p.formation(head)
	if v != nil {
		return ""
	}
	named := map[string]bool{}
	for _, k := range f.keep {
		for _, u := range k.units {
			named[u.ID] = true // as they are told to
		}
	}
	for _, o := range parts {
		in, v := t.p.parse(o)
		if v != nil {
			continue
		}
		for _, u := range in.move.units {
			named[u.ID] = true
		}
	}
	var stay []string
	for _, id := range t.p.inOrder(f, named) {
		stay = append(stay, t.s.unit(id).c.Name)
	}
	switch len(stay) {
	case 0:
		return ""
	case 1:
		return stay[0] + " stays"
	}
	return strings.Join(stay, ", ") + " stay"
}

// open activates the battalion; it warns if the chit does not come this turn.
func (t *rehearsal) open(bn string, list []phrase.Written) {
	var a activation
	if bn == divBattalion {
		a.by = t.s.div(t.side)
		t.p.bn, _ = t.s.divisionTarget(t.p, list, a.by)
	} else {
		a = t.s.ownActivation(t.side, bn)
		if a.stack != hex.None {
			a.stack = t.p.stack(list, a.stack)
		}
	}
	a.side, a.battalion = t.side, t.p.bn
	t.s.activate(a)
	if key := chitKey(t.side, bn); !slices.Contains(slices.Concat(t.s.First, t.s.Cup), key) {
		whose := "its chit"
		if bn == divBattalion {
			whose = "the chit of the division headquarters"
		}
		t.warning = strings.TrimPrefix(t.warning+"; "+whose+" is not in the cup this turn", "; ")
	}
}

// move tries an order if it belongs to the movement; what can be no order is refused here too.
func (t *rehearsal) move(k int) {
	o := t.list[k]
	if activates(o) {
		t.answer(t.entry, o.Text)
		t.line(adjudicator.Line{Pos: o.Pos(), Text: o.Text, Understood: "noted", Refused: t.activates(o), Warning: t.warning})
		return
	}
	if t.course.all[k] == nil {
		if _, v := t.p.parse(o); t.parts[k] != ofEvery {
			t.refuse(o, v)
		}
		return
	}
	if v := t.misplaced(k); v != nil {
		t.course.all[k] = nil
		if t.parts[k] != ofEvery {
			t.refuse(o, v)
		}
		return
	}
	if ofFormation(o) {
		t.heads(k)
		return
	}
	if !t.late[k] {
		t.attempt(k)
	}
}

// misplaced refuses a line that stands where it can never be done.
func (t *rehearsal) misplaced(k int) *rule.Violation {
	if below := k > 0 && t.course.steps[k].otherwise; below && (t.parts[k-1] > 0 || ofFormation(t.list[k-1])) {
		return &rule.Violation{Why: "OTHERWISE stands below an order to units, not to the formation"}
	}
	moves := !t.late[k] && !t.course.all[k].asks && t.course.all[k].ends == stopNothing && !t.course.all[k].quiet
	if t.over && moves {
		return movementOver
	}
	return cmp.Or(t.course.misplaced(k), oddsBehindAttack(t.course.steps[k].when, t.course.all[k]), t.tookNothing(k), t.asksNever(k))
}

// asksNever refuses ASK AFTER an attack that stands nowhere in the programme.
func (t *rehearsal) asksNever(k int) *rule.Violation {
	in := t.course.all[k]
	if !in.After || t.parts[k] == ofEvery || t.attacked(in.On, len(t.list)) {
		return nil
	}
	return in.Never()
}

// tookNothing refuses a line that asks whether a hex was taken which no line before it attacks. The
// lines of EVERY CHIT stand behind whatever a programme has.
func (t *rehearsal) tookNothing(k int) *rule.Violation {
	when := t.course.steps[k].when
	if when == nil || t.parts[k] == ofEvery {
		return nil
	}
	for _, f := range when.Facts() {
		switch {
		case f.Kind != phrase.FactTook, slices.Contains(t.s.soFar.took, f.Hex):
		case t.course.all[k].After && t.attacked(f.Hex, len(t.list)):
		case !t.late[k]:
			return &rule.Violation{Clause: "GD 9.0", Why: fmt.Sprintf("all movement comes before all fighting: %v cannot be taken before it", f.Hex),
				Instead: "Put the condition behind an order to fight, or behind STOP HERE below one."}
		case !t.attacked(f.Hex, k):
			return &rule.Violation{Why: fmt.Sprintf("no attack on %v stands above this line", f.Hex), Instead: "Put the attack above it, or ask IF ENEMY AT or IF SOVIET HOLDS and the hex."}
		}
	}
	return nil
}

// attacked tells whether an attack that stands above a line may be one on a hex.
func (t *rehearsal) attacked(h hex.Hex, below int) bool {
	return slices.ContainsFunc(t.course.all[:below], func(in *instruction) bool {
		fights := in != nil && (in.verb == verbAttack || in.verb == verbOverrun)
		return fights && (in.attack.atWill || h == hex.None || in.attack.target == h)
	})
}

// crowds warns of hexes that hold too much when all orders to move are done.
func (t *rehearsal) crowds() {
	for i := range t.s.at {
		if t.s.overfull(i) {
			t.filing.Notes = append(t.filing.Notes, fmt.Sprintf("When all of %s have moved %s holds more than its stacking limit: what is too much is lost (GD 7.1).",
				t.p.bn, t.s.describeHex(t.s.sc.Board.Grid.At(i))))
		}
	}
}

// fight tries an order if it belongs to the fighting, which comes after all movement.
func (t *rehearsal) fight(k int) {
	if t.course.all[k] != nil && !ofFormation(t.list[k]) {
		t.attempt(k)
	}
}

// attempt tries an order if it would be its turn as things stand; else it says why not. What
// has a condition, or an order below that is done in its place, is not refused for what may
// change until then.
func (t *rehearsal) attempt(k int) {
	o, st := t.list[k], &t.course.steps[k]
	in, _ := t.p.parse(o) // again: a refusal has put a copy in the place of the units
	in.late = t.late[k]
	if !t.live {
		t.judged(k, adjudicator.Line{Pos: o.Pos(), Text: o.Text, Understood: "if the condition holds", Warning: t.warning})
		return
	}
	l := adjudicator.Line{Pos: o.Pos(), Text: o.Text, Warning: t.warning}
	if st.when != nil {
		l.Warning = joined(l.Warning, t.s.never(*st.when, t.side))
	}
	does, why := t.course.turn(k, func(c phrase.Condition) bool { return t.s.meetsFor(in, c, t.side) })
	switch {
	case does:
		low := t.trying(in, o, &l)
		t.course.steps[k].nothing = l.Refused != nil || low
		mayChange := st.when != nil || st.otherwise || t.course.quiet(k)
		if l.Refused != nil && mayChange {
			l.Warning, l.Refused = joined(l.Warning, "as things stand "+l.Refused.Why), nil
		}
	case st.when != nil && st.when.OfActivation():
		l.Understood = "if it holds when it is its turn: " + st.when.Text
	case why != nil:
		l.Understood = "left out as things stand: " + why.Why + t.comesTo(in)
	case st.otherwise && !st.quiet && st.ends == stopNothing:
		l.Understood = "if the line above comes to nothing"
	case in.After:
		l.Understood = in.Understood()
	case in.asks && st.when != nil:
		l.Understood = "you are not asked as things stand: its condition does not hold: " + st.when.Text
	default:
		l.Understood = "noted"
	}
	l.Asks = in.asks
	t.judged(k, l)
}

// comesTo says what an attack whose condition asks for its odds comes to, "" for others.
func (t *rehearsal) comesTo(in *instruction) string {
	if in.when == nil || !in.when.AsksOdds() {
		return ""
	}
	o, possible := t.s.prospectOf(t.side, in.attack)
	if !possible {
		return ""
	}
	return fmt.Sprintf(", and it comes to %d against %d: %s", o.attack, o.defence, columns[o.column])
}

// judged files a line, and the order for when its chit is drawn if it stands. What an order to the
// formation becomes is found anew then.
func (t *rehearsal) judged(k int, l adjudicator.Line) {
	part := t.parts[k]
	if l.Refused == nil && part < 1 {
		t.answer(t.entry, t.list[k].Text)
	}
	if part == ofEvery {
		return
	}
	l.Part = part
	t.line(l)
	t.warning = ""
}

// joined are two warnings in one.
func joined(a, b string) string { return strings.Trim(a+"; "+b, "; ") }

// trying does an order on the copy and notes what comes of it; it tells whether an attack
// would not be made for its odds.
func (t *rehearsal) trying(in *instruction, o phrase.Written, l *adjudicator.Line) (low bool) {
	keep := t.s.clone()
	keep.commander = t.s.commander
	least := ""
	if in.verb == verbAttack || in.verb == verbOverrun {
		least = t.s.belowMin(t.side, in.attack)
	}
	idle := ""
	if in.fire.anywhere {
		if u, _ := t.s.bestShot(t.side, in.fire.prefer); u == nil {
			idle = "as things stand nobody sees an enemy whom it could harm"
		}
	}
	if l.Understood, l.Refused = t.s.trial(t.p, in); l.Refused != nil {
		l.Refused = t.s.withNearest(in, l.Refused)
		*t.s = *keep
		return false
	}
	if least != "" {
		*t.s = *keep // nobody has fought
	}
	l.Warning = joined(l.Warning, cmp.Or(least, idle, in.standsOff()))
	return least != ""
}

// standsOff warns of a march that has stopped for an enemy who is in sight now.
func (i *instruction) standsOff() string {
	o := i.move
	if o.stopIf == "" || len(o.units) == 0 || !o.goesOn() {
		return ""
	}
	u := o.units[0]
	if !u.onMap() || u.Hex == i.goal() {
		return ""
	}
	return fmt.Sprintf("the enemy is in sight from %v: STOP-IF SPOT stops it there", u.Hex)
}

// activates judges an ACTIVATE line.
func (t *rehearsal) activates(o phrase.Written) *rule.Violation {
	p := &parser{s: t.check.s, side: t.side}
	for _, name := range battalionsOn(o) {
		if _, v := p.battalion(name); v != nil {
			return v
		}
	}
	return nil
}
