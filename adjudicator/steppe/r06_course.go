package steppe

import (
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// whenOf takes the condition off the end of an order.
func (x *sheetReader) whenOf(words []orders.Word) (rest []orders.Word, when []phrase.Condition, v *rule.Violation) {
	k := slices.IndexFunc(words, func(w orders.Word) bool { return opensCondition(w.Text) })
	ours := k >= 0 && k+1 < len(words) && words[k+1].Text == "OURS" // RAIL 6 PD TO 2613 IF OURS
	if k < 1 || ours {
		return words, nil, nil
	}
	r := phrase.New(words[k:])
	if when, v = x.conditions(&r, false); v == nil && !r.End() {
		v = phrase.Unexpected(r.Next(), "in a condition")
		v.Instead = x.s.sc.guardHelp()
	}
	return words[:k], when, r.Blame(v)
}

// half is a part of an activation in which orders are carried out.
type half uint8

// The halves, and what comes of overruns.
const (
	moving half = iota
	fighting
	pursuing
)

// half is the one to which an order belongs; STOP belongs to that of the order above it.
func (p *programme) half(i int) half {
	switch p.steps[i].verb {
	case verbAttack:
		return fighting
	case verbOverrunMove:
		return pursuing
	case verbStop, verbSkip, verbAsk:
		if p.steps[i].after {
			return fighting
		}
		if i > 0 {
			return p.half(i - 1)
		}
	}
	return moving
}

// misplaced refuses an order where it can never be done in the place of another one.
func (in *instruction) misplaced(p *programme) *rule.Violation {
	n := len(p.steps) - 1 // the place of the order itself
	switch {
	case in.verb == verbSkip && !in.otherwise:
		return refuse("", "SKIP stands behind OTHERWISE")
	case in.otherwise && n < 1:
		return refuse("", "OTHERWISE stands below the order in whose place it is done")
	case in.otherwise && in.verb != verbSkip && p.half(n) != p.half(n-1) && !p.follows(n):
		return refuse("Steppe 9.0", "it cannot be done in place of the order above it, which comes later in the activation")
	case n > 0 && p.steps[n-1].stopAll && len(p.steps[n-1].when) == 0:
		return refuse("", "it is never reached: STOP ALL stands above it")
	}
	return nil
}

// tookNothing refuses an order that asks whether a hex was taken which no order before it attacks.
func (in *instruction) tookNothing(p *programme) *rule.Violation {
	n := len(p.steps) - 1 // the place of the order itself
	early := p.half(n) == moving && !p.attack
	for _, h := range in.asksTaken() {
		switch {
		case p.rest != nil && slices.Contains(p.rest.Took, h):
		case in.after && slices.ContainsFunc(p.steps, func(o instruction) bool { return o.mayTake(h) }):
		case early:
			v := refuse("Steppe 9.0", "the movement comes before the attacks: %v cannot be taken before it", h)
			v.Instead = "Put the condition behind an attack or an overrun movement, or open the section with ATTACK THEN MOVE."
			return v
		case !slices.ContainsFunc(p.steps[:n], func(o instruction) bool { return o.mayTake(h) }):
			v := refuse("", "no attack on %v stands above this line", h)
			v.Instead = "Put the attack above it, or ask IF ENEMY AT or IF GERMAN HOLDS and the hex."
			return v
		}
	}
	return nil
}

// asksTaken are the hexes of which the conditions of an order ask whether they were taken.
func (in *instruction) asksTaken() (out []hex.Hex) {
	for _, c := range in.when {
		for _, f := range c.Facts() {
			if f.Kind == phrase.FactTook {
				out = append(out, f.Hex)
			}
		}
	}
	return out
}

// mayTake tells whether an order may attack a hex.
func (in instruction) mayTake(h hex.Hex) bool {
	return in.verb == verbAttack && (in.atWill || in.target == h || in.elseHex == h)
}

// follows tells whether the half of an order comes after that of the one above it.
func (p *programme) follows(i int) bool {
	order := p.sequence()
	return slices.Index(order, p.half(i)) > slices.Index(order, p.half(i-1))
}

// progress is how far a programme has been carried out.
type progress struct {
	nothing []bool      // orders that came to nothing
	odds    map[int]int // of attacks whose conditions ask for them, their level
	stopped [3]bool     // by half
}

// soFarFor is what the activation has come to when it is an order's turn, with the odds of the attack
// if its conditions ask for them.
func (a *activation) soFarFor(i int) sofar {
	now, in := a.soFar(), a.prog.steps[i]
	if !slices.ContainsFunc(in.when, phrase.Condition.AsksOdds) {
		return now
	}
	if a.progress.odds == nil {
		a.progress.odds = map[int]int{}
	}
	now.odds = a.oddsOf(in)
	a.progress.odds[i] = now.odds
	return now
}

// oddsOf is the level of an attack as it could be declared now, without aircraft and artillery, as MIN
// is tested.
func (a *activation) oddsOf(in instruction) int {
	hears := a.overhear
	a.overhear = func(string, string) {} // it is told when the attack is made
	defer func() { a.overhear = hears }()
	in.min = ""
	c, o, _ := a.declare(in)
	if c == nil {
		return nothing
	}
	return o.level
}

// oddsAstray refuses a condition on the odds that stands behind no attack on one hex.
func (in *instruction) oddsAstray() *rule.Violation {
	isAttack := in.verb == verbAttack && !in.anywhere
	if isAttack || !slices.ContainsFunc(in.when, phrase.Condition.AsksOdds) {
		return nil
	}
	return oddsBehindAttack()
}

// oddsBehindAttack is why a condition on the odds is refused elsewhere.
func oddsBehindAttack() *rule.Violation {
	v := refuse("Steppe 10.1", "ODDS stands behind an attack on a hex, whose odds it asks for")
	v.Instead = "Write ATTACK 2512 WITH LAH; IF ODDS 3:1. ATTACK ANY has MIN."
	return v
}

// turnOf tells whether it is an order's turn: not behind a STOP, nor in the place of one that
// was done, and its condition holds.
func (a *activation) turnOf(i int) bool {
	p, in := a.prog, &a.prog.steps[i]
	if a.progress.nothing == nil {
		a.progress.nothing = make([]bool, len(p.steps))
	}
	switch done := &a.progress; {
	case done.stopped[p.half(i)]:
		return false
	case in.otherwise && !done.nothing[i-1]:
		return false
	case !a.s.holds(in.when, a.side, a.soFarFor(i)):
		if done.nothing[i] = true; in.verb != verbStop && in.verb != verbAsk {
			a.dropped(in.text, notMet+in.when[0].Text)
		}
		return false
	case in.verb == verbStop:
		done.stopped[p.half(i)] = true
		if in.stopAll {
			done.stopped = [3]bool{true, true, true}
		}
		return false
	}
	return in.verb != verbSkip && !in.after
}

// notMet is why an order with a condition is left out.
const notMet = "its condition does not hold: "

// came notes whether anything came of an order.
func (a *activation) came(i int, something bool) {
	a.progress.nothing[i] = !something
}

// isMuted tells whether no word is lost over an order that is not done: the one below it is
// there for that.
func (a *activation) isMuted(order string) bool {
	if a.prog == nil {
		return false
	}
	for i := range a.prog.steps[:max(0, len(a.prog.steps)-1)] {
		if a.prog.steps[i].text == order && a.prog.steps[i+1].otherwise {
			return true
		}
	}
	return false
}
