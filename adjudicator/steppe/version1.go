package steppe

import (
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// What games that were begun under version 1 of the rules go on with, where version 2
// reads a clause otherwise.

// throughAfresh goes to the first of the hexes that the course leads by, and from there
// on as if the movement began there; nil if it cannot be come to with points left, or
// nothing follows.
func (s *State) throughAfresh(u *Unit, w *walk, c course, seeds []seed) (way []hex.Hex, short bool) {
	f := w.search(seeds...)
	i := s.ix(c.via[0])
	if f.left[i] <= 0 {
		return nil, false
	}
	head := f.path(i)
	rest := *w
	rest.mp, rest.start = int(f.left[i]), i
	tail, short := s.follow(u, &rest, course{to: c.goal(), via: c.via[1:], push: c.push})
	if tail == nil {
		return nil, false
	}
	return append(head, tail[1:]...), short
}

// announceSealed tells of the Backhand Blow that the sheet of the turn before named.
func (s *State) announceSealed(r *adjudicator.Run) {
	k := sideIndex(German)
	if s.Sheets[k].Backhand {
		s.Sheets[k].Backhand = false
		s.announce(r)
	}
}

// readNextBlow reads BACKHAND [NEXT TURN] YES or NO.
func (x *sheetReader) readNextBlow(args []orders.Word) *rule.Violation {
	r := phrase.New(args)
	if r.Skip("NEXT") {
		r.Skip("TURN")
	}
	word := r.Next()
	if !r.End() || !slices.Contains([]string{"", answerYes, answerNo}, word) {
		return refuse("Steppe 15.0", "BACKHAND NEXT TURN is followed by YES or NO")
	}
	switch s := x.s; {
	case word == answerNo:
		return nil
	case x.side != German:
		return refuse("Steppe 15.0", "only the Germans have a Backhand Blow")
	case s.Backhand != 0:
		return refuse("Steppe 15.0", "the Backhand Blow is turn %d; it comes once", s.Backhand)
	case s.Turn >= s.sc.Last:
		return refuse("Steppe 15.0", "there is no next turn")
	}
	x.out.blow.named = true
	return nil
}

// asked is what a condition asks; by version 1 a NOT before all of it was one before each of
// what AND joins.
func (sc *Scenario) asked(c phrase.Condition) []phrase.Condition {
	if !sc.before(2) || len(c.Any) > 1 {
		return []phrase.Condition{c}
	}
	var out []phrase.Condition
	for _, f := range c.Any[0] {
		out = append(out, phrase.Condition{Not: c.Not, Any: [][]phrase.Fact{{f}}, Text: c.Text})
	}
	return out
}
