package famous

import (
	"slices"

	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// condition is what stands behind an order, and what ties it to the line above it.
type condition struct {
	when      *phrase.Condition
	otherwise bool // it is done if the line above it came to nothing
	quiet     bool // SKIP: nothing is done, and nothing said
	ends      stop // STOP
	stopover       // ASK
}

// stop is how much of a programme a STOP line ends.
type stop int

// The kinds.
const (
	stopNothing stop = iota
	stopHere         // the half in which the line above it stands
	stopAll          // the programme
)

// Words of orders that lead a programme.
const (
	verbStop verb = "STOP"
	verbSkip verb = "SKIP"
)

// leading takes off an order what ties it to the others: OTHERWISE before it, IF and UNLESS
// behind it.
func (p *parser) leading(o orders.Order) (rest orders.Order, c condition, v *rule.Violation) {
	rest = o
	rest.Clauses = slices.Clone(o.Clauses)
	if first := rest.Clauses[0]; len(first) > 0 && first[0].Text == otherwise {
		c.otherwise = true
		if rest.Clauses[0] = first[1:]; len(first) == 1 {
			return rest, c, &rule.Violation{Why: "OTHERWISE needs an order behind it", Instead: "Write OTHERWISE and the order, or OTHERWISE SKIP."}
		}
	}
	for i, clause := range rest.Clauses {
		k := slices.IndexFunc(clause, func(w orders.Word) bool { return phrase.Opens(w.Text) })
		isOwn := verb(rest.Clauses[0][0].Text) == verbActivate || k < 0
		if isOwn {
			continue
		}
		when, v := p.when(clause[k:])
		if v != nil {
			return rest, c, v
		}
		if c.when != nil {
			return rest, c, phrase.Blame(&rule.Violation{Why: "an order has one condition", Instead: "Join them by AND or OR."}, clause[k])
		}
		c.when, rest.Clauses[i] = &when, clause[:k]
	}
	rest.Clauses = slices.DeleteFunc(rest.Clauses, func(c orders.Clause) bool { return len(c) == 0 })
	if len(rest.Clauses) == 0 {
		return rest, c, &rule.Violation{Why: "a condition stands behind its order"}
	}
	return rest, c, nil
}

// stops reads STOP HERE and STOP ALL.
func (c *condition) stops(r *phrase.Reader) *rule.Violation {
	word, v := phrase.OneOf(r, "HERE", "ALL")
	c.ends = stopHere
	if word == "ALL" {
		c.ends = stopAll
	}
	return v
}

// verbOn is the verb of an order, what ties it to the line above it aside.
func verbOn(o phrase.Written) verb {
	if v := verb(o.Verb()); v != otherwise {
		return v
	}
	if flat := o.Flat(); len(flat) > 1 {
		return verb(flat[1].Text)
	}
	return otherwise
}

// course is a programme while it is carried out: which of its lines are done.
type course struct {
	p       *parser
	all     []*instruction // nil: it cannot be read
	steps   []courseStep
	stopped [2]bool // the movement, the fighting
}

// courseStep is a line of it.
type courseStep struct {
	condition
	late    bool // it belongs to the fighting
	nothing bool // it came to nothing
}

// half is the place in stopped of the half to which a line belongs.
func (c *course) half(k int) int { return b2i(c.steps[k].late) }

// quiet tells whether the line below says what is done if this one comes to nothing, so that
// no word is lost over it.
func (c *course) quiet(k int) bool { return k+1 < len(c.steps) && c.steps[k+1].otherwise }

// turn tells whether it is a line's turn to be done: not behind a STOP, nor as an alternative
// to what was done. Why is a condition that does not hold.
func (c *course) turn(k int, meets func(phrase.Condition) bool) (does bool, why *rule.Violation) {
	st := &c.steps[k]
	switch {
	case c.stopped[c.half(k)]:
		return false, nil
	case st.otherwise && (k == 0 || !c.steps[k-1].nothing):
		return false, nil
	case st.when != nil && !meets(*st.when):
		if st.nothing = true; st.ends != stopNothing || st.asks {
			return false, nil // it goes on, without a word
		}
		return false, notMet(*st.when)
	case st.ends != stopNothing:
		c.stopped[c.half(k)] = true
		if st.ends == stopAll {
			c.stopped[1] = true
		}
		return false, nil
	case st.quiet, st.After:
		return false, nil
	}
	return true, nil
}

// course is that of orders that were read; nil where one could not be.
func (p *parser) course(list []*instruction, late []bool) *course {
	c := &course{p: p, all: list, steps: make([]courseStep, len(list))}
	for k, in := range list {
		c.steps[k].late = late[k]
		if in == nil {
			c.steps[k].nothing = true
			continue
		}
		c.steps[k].condition = in.condition
	}
	return c
}

// misplaced refuses a line that stands where it can never be done.
func (c *course) misplaced(k int) *rule.Violation {
	st := c.steps[k]
	switch {
	case st.otherwise && k == 0:
		return &rule.Violation{Why: "OTHERWISE stands below the order in whose place it is done"}
	case st.otherwise && c.all[k-1] == nil:
		return &rule.Violation{Why: "it stands below an order that was refused"}
	case st.otherwise && !st.late && c.steps[k-1].late:
		return &rule.Violation{Clause: "GD 9.0", Why: "all movement comes before all fighting: a movement cannot be done in place of an attack",
			Instead: "Put the movement above it, with a condition of its own."}
	case k > 0 && c.steps[k-1].ends == stopAll && c.steps[k-1].when == nil:
		return &rule.Violation{Why: "it is never reached: STOP ALL stands above it"}
	}
	return nil
}

// inTurn does a line of a programme when its turn comes, and tells its owner why it is passed
// over, unless the line below is there for that.
func (c *conduct) inTurn(k int, do func() *rule.Violation) {
	s, side, in, st, quiet := c.p.s, c.p.side, c.all[k], &c.steps[k], c.quiet(k)
	does, v := c.turn(k, func(w phrase.Condition) bool { return s.meetsFor(in, w, side) })
	switch {
	case does && in.asks:
		c.ask("your programme asks here (" + in.text + ")")
		return
	case does:
		v = do()
		st.nothing = v != nil
	}
	if v != nil && v != cameToNothing && !quiet {
		s.skipFor(c.r, side, in.text, v)
	}
}

// attempted is cameToNothing for what was not done.
func attempted(done bool) *rule.Violation {
	if done {
		return nil
	}
	return cameToNothing
}
