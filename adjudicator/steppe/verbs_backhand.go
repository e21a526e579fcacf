package steppe

import (
	"slices"

	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// blow is what a sheet says of the Backhand Blow in its turn: the kinds of weather and
// ground in which it is named. One of the lists must hold, all words of it; none: always.
type blow struct {
	named  bool
	unless bool
	skies  [][]string
}

// strikes tells whether the blow is named in this weather.
func (b blow) strikes(s *State) bool {
	if !b.named || len(b.skies) == 0 {
		return b.named
	}
	isNow := func(word string) bool { return word == s.Weather || word == s.Ground }
	holds := slices.ContainsFunc(b.skies, func(words []string) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return !isNow(w) })
	})
	return holds != b.unless
}

const blowHelp = "Write BACKHAND THIS TURN, or on a condition BACKHAND THIS TURN IF CLEAR OR FROZEN."

// readBackhand reads BACKHAND THIS TURN, NO, or IF or UNLESS and kinds of weather.
func (x *sheetReader) readBackhand(args []orders.Word) *rule.Violation {
	if x.s.sc.before(2) {
		return x.readNextBlow(args)
	}
	r := phrase.New(args)
	if r.Peek() == "NEXT" {
		v := refuse("Steppe 15.0", "the Backhand Blow is named in the turn itself, when its weather is known")
		v.Instead = blowHelp
		return v
	}
	if r.Skip("THIS") {
		r.Skip("TURN")
	}
	no := r.Skip(answerNo)
	if !no {
		r.Skip(answerYes)
	}
	b := blow{named: !no}
	if opensCondition(r.Peek()) {
		b.unless = r.Next() == "UNLESS"
		if v := readSkies(&b, &r); v != nil {
			return v
		}
	}
	switch s := x.s; {
	case !r.End():
		v := refuse("Steppe 15.0", "%q is not understood behind BACKHAND", r.Peek())
		v.Instead = blowHelp
		return v
	case no:
		return nil
	case x.side != German:
		return refuse("Steppe 15.0", "only the Germans have a Backhand Blow")
	case s.Backhand != 0:
		return refuse("Steppe 15.0", "the Backhand Blow is turn %d; it comes once", s.Backhand)
	}
	x.out.blow = b
	return nil
}

// readSkies reads CLEAR OR FROZEN, SNOW AND FROZEN, WEATHER RAIN OR GROUND MUD.
func readSkies(b *blow, r *phrase.Reader) *rule.Violation {
	b.skies = [][]string{nil}
	for {
		r.Skip("WEATHER", "GROUND")
		word := lower(r.Next())
		if !slices.Contains(skies, word) {
			v := refuse("Steppe 15.0", "%q is neither weather nor ground", word)
			v.Instead = blowHelp
			return v
		}
		n := len(b.skies) - 1
		b.skies[n] = append(b.skies[n], word)
		switch {
		case r.Skip("OR"):
			b.skies = append(b.skies, nil)
		case !r.Skip("AND"):
			return nil
		}
	}
}
