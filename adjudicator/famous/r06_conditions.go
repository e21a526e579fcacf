package famous

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// speech is what a side may ask in conditions.
//
// deviation GD 6.0: conditions of programmes stand for what a player at the table would look at;
// they are judged on what the side knows then, of hexes in a blind game too.
func (p *parser) speech() *phrase.Speech {
	s := p.s
	var weather, times []string
	for _, w := range s.sc.WeatherBy {
		weather = append(weather, strings.ToLower(w.Name))
	}
	for _, b := range s.sc.Track {
		times = append(times, strings.ToLower(b.Part.Name))
	}
	knows := []phrase.FactKind{phrase.FactHolds, phrase.FactEmpty, phrase.FactEnemyAt, phrase.FactWithin, phrase.FactAt, phrase.FactBeside, phrase.FactContact,
		phrase.FactPinned, phrase.FactReduced, phrase.FactLost, phrase.FactSupply, phrase.FactLow, phrase.FactOut, phrase.FactDone, phrase.FactPlayed, phrase.FactLeft,
		phrase.FactTurn, phrase.FactWeather, phrase.FactTime, phrase.FactGuns}
	if !s.sc.before(7) {
		knows = append(knows, phrase.FactTook, phrase.FactLosses)
	}
	if !s.sc.before(8) {
		knows = append(knows, phrase.FactOdds)
	}
	return &phrase.Speech{Board: s.sc.Board, Sides: []string{string(s.sc.Sides[0]), string(s.sc.Sides[1])}, Knows: knows,
		Words: map[phrase.FactKind][]string{phrase.FactWeather: append(weather, "clear"), phrase.FactTime: times, phrase.FactOdds: columns[:]},
		Unit: func(list []orders.Word) (string, *rule.Violation) {
			u, v := p.one(list)
			if v != nil {
				return "", v
			}
			return u.ID, nil
		},
		Chit: p.battalion, Help: s.sc.guardHelp()}
}

// guardHelp says how conditions are written under the rules of the game.
func (sc *Scenario) guardHelp() string {
	says := "Write IF SOVIET HOLDS 2115, IF 2115 EMPTY, IF ENEMY AT 2115 UNDER 9, IF ENEMY WITHIN 2 OF 2115, IF 5K AT 2115, IF 5K BESIDE 2115, " +
		"IF 5K IN CONTACT, PINNED, REDUCED or LOST, IF 5K IN SUPPLY, LOW ON SUPPLY or OUT OF SUPPLY, IF 2Pz DONE, IF 2 OWN CHITS PLAYED, IF 3 ENEMY CHITS LEFT, " +
		"IF 2 GUNS LEFT, IF WEATHER RAINY, IF TIME NIGHT or IF TURN 3, "
	if !sc.before(7) {
		says += "behind an order IF TOOK 2115 or IF LOSSES 2, "
	}
	if !sc.before(8) {
		says += "behind an attack IF ODDS 3-1, "
	}
	return says + "with NOT, AND and OR."
}

// guard reads a condition: IF SOVIET HOLDS 2115, UNLESS 2 OWN CHITS PLAYED, IF TURN 3.
func (p *parser) guard(text string) (c phrase.Condition, v *rule.Violation) {
	if c, v = p.when(phrase.Read(text).Flat()); v == nil {
		v = oddsBehindAttack(&c, nil)
	}
	if v != nil {
		v.Line, v.Col = 0, 0 // its words stand elsewhere on the sheet
	}
	return c, v
}

// when reads the words of a condition, all of them.
func (p *parser) when(words []orders.Word) (c phrase.Condition, v *rule.Violation) {
	r := phrase.New(words)
	if c, v = p.speech().Condition(&r); v == nil && !r.End() {
		v = phrase.Unexpected(r.Peek(), "in a condition")
		v.Instead = p.s.sc.guardHelp()
	}
	return c, r.Blame(v)
}

// meetsFor tells whether the condition of an order holds for a side when it is its turn: what its
// attack comes to is asked there as well.
func (s *State) meetsFor(in *instruction, c phrase.Condition, side Side) bool {
	return c.Holds(func(f phrase.Fact) bool {
		if f.Kind == phrase.FactOdds {
			o, possible := s.prospectOf(side, in.attack)
			return possible && o.column >= column(f.Word) && s.judgeAttackers(side, s.withAll(in.attack)) == nil
		}
		return s.met(f, side)
	})
}

// oddsBehindAttack refuses a condition on odds that stands behind no attack on a hex.
func oddsBehindAttack(c *phrase.Condition, in *instruction) *rule.Violation {
	if c == nil || !c.AsksOdds() {
		return nil
	}
	if in != nil && (in.verb == verbAttack || in.verb == verbOverrun) && !in.attack.atWill {
		return nil
	}
	return &rule.Violation{Clause: "GD 10.1", Why: "ODDS stands behind an attack on a hex, whose odds it asks for", Instead: "Write ATTACK 2115 WITH 5K; IF ODDS 3-1. ATTACK ANY has MIN."}
}

// meets tells whether a condition holds for a side, by what it may see.
func (s *State) meets(c phrase.Condition, side Side) bool {
	return c.Holds(func(f phrase.Fact) bool { return s.met(f, side) })
}

// met judges a fact, its NOT aside.
func (s *State) met(f phrase.Fact, own Side) bool {
	switch f.Kind {
	case phrase.FactHolds:
		return s.seemsHeld(f.Hex, own) == s.whose(f.Side, own)
	case phrase.FactEmpty:
		return s.seemsHeld(f.Hex, own) == ""
	case phrase.FactEnemyAt:
		known := s.believed(own)
		foe := known.holder(f.Hex) == s.sc.Other(own)
		return foe && (f.N == 0 || known.knownDefence(own, f.Hex) < f.N)
	case phrase.FactWithin:
		return s.believed(own).foeWithin(own, f)
	case phrase.FactDone:
		return slices.Contains(s.Done, chitKey(own, f.Of))
	case phrase.FactPlayed:
		return s.played(s.counted(f, own)) >= f.N
	case phrase.FactLeft:
		return s.chitsToCome(s.counted(f, own)) >= f.N
	case phrase.FactTurn:
		return s.Turn >= f.N
	case phrase.FactWeather:
		return strings.EqualFold(s.weatherName(), f.Word) || strings.EqualFold(s.weather().Name, f.Word)
	case phrase.FactTime:
		return strings.EqualFold(s.part().Name, f.Word)
	case phrase.FactGuns:
		return s.gunsLeft(own) >= f.N
	case phrase.FactTook:
		return slices.Contains(s.soFar.took, f.Hex)
	case phrase.FactLosses:
		return s.soFar.had-s.stepsOf(own) >= f.N
	case phrase.FactOdds:
		return false // only an attack knows: see meetsFor
	}
	return s.metOf(s.unit(f.Of), f)
}

// seemsHeld is who stands in a hex as far as a side knows. Games begun under versions 2 to 4 of
// the rules told it of hexes that it does not see.
func (s *State) seemsHeld(h hex.Hex, own Side) Side {
	if s.sc.before(5) {
		return s.holder(h)
	}
	return s.believed(own).holder(h)
}

// metOf judges a fact about a unit.
func (s *State) metOf(u *Unit, f phrase.Fact) bool {
	if !u.onMap() {
		gone := u.outOfPlay()
		return gone && (f.Kind == phrase.FactLost || f.Kind == phrase.FactReduced)
	}
	switch f.Kind {
	case phrase.FactAt:
		return u.Hex == f.Hex
	case phrase.FactBeside:
		return s.sc.Board.Grid.Adjacent(u.Hex, f.Hex)
	case phrase.FactContact:
		return s.believed(u.c.Side).foeWithin(u.c.Side, phrase.Fact{Of: u.ID, N: 1})
	case phrase.FactPinned:
		return u.Pinned
	case phrase.FactReduced:
		return u.Steps < u.c.Steps()
	case phrase.FactSupply:
		return u.Unsupplied == 0
	case phrase.FactLow:
		return u.Unsupplied == lowSupply
	case phrase.FactOut:
		return u.outOfSupply()
	}
	return false
}

// whose is the side that a condition names.
func (s *State) whose(word string, own Side) Side {
	switch word {
	case "WE":
		return own
	case "ENEMY":
		return s.sc.Other(own)
	}
	return Side(word)
}

// counted is the side whose chits a condition counts.
func (s *State) counted(f phrase.Fact, own Side) Side {
	if f.Side == "ENEMY" {
		return s.sc.Other(own)
	}
	return own
}

// foeWithin tells whether an enemy stands so near to a hex, or to a unit.
func (s *State) foeWithin(own Side, f phrase.Fact) bool {
	at := f.Hex
	if f.Of != "" {
		u := s.unit(f.Of)
		if !u.onMap() {
			return false
		}
		at = u.Hex
	}
	for e := range s.onMap(s.sc.Other(own)) {
		if e.Hex != hex.None && s.sc.Board.Grid.Distance(e.Hex, at) <= f.N {
			return true
		}
	}
	return false
}

// played counts the chits of a side that were played this turn.
func (s *State) played(side Side) (n int) {
	for _, k := range s.Done {
		if sd, _ := cutKey(k); sd == side {
			n++
		}
	}
	return n
}

// chitsToCome counts the chits of a side that are still to come.
func (s *State) chitsToCome(side Side) (n int) {
	for _, k := range slices.Concat(s.First, s.Cup) {
		if sd, _ := cutKey(k); sd == side {
			n++
		}
	}
	return n
}

// gunsLeft counts the guns of a side that have not fired this turn.
func (s *State) gunsLeft(side Side) (n int) {
	for u := range s.army(side) {
		n += b2i(u.isGun() && u.stands() && !u.Fired)
	}
	return n
}

// settled is what a fact is for all of this turn, where that is known.
func (s *State) settled(f phrase.Fact, own Side) (holds, known bool) {
	holds = s.met(f, own)
	switch f.Kind {
	case phrase.FactTurn, phrase.FactWeather, phrase.FactTime:
		return holds, true
	case phrase.FactPlayed:
		side := s.counted(f, own)
		never := s.played(side)+s.chitsToCome(side) < f.N
		return holds, holds || never
	case phrase.FactLeft, phrase.FactGuns:
		return holds, !holds
	case phrase.FactDone:
		key := chitKey(own, f.Of)
		return holds, holds || !slices.Contains(slices.Concat(s.First, s.Cup), key)
	case phrase.FactHolds, phrase.FactEmpty, phrase.FactEnemyAt, phrase.FactWithin, phrase.FactOdds:
		return false, false
	case phrase.FactTook, phrase.FactLosses:
		return s.settledSoFar(f, own, holds)
	}
	gone := s.unit(f.Of).outOfPlay()
	return holds, gone
}

// sofar is what an activation has come to, as conditions ask for it.
type sofar struct {
	on   bool      // orders are carried out, or tried as if they were; else its chit is being drawn
	had  int       // steps of its side as it began
	took []hex.Hex // where it has attacked and left nobody of the enemy
}

// beginActivation opens the account of an activation of a side.
func (s *State) beginActivation(side Side) { s.soFar = sofar{on: true, had: s.stepsOf(side)} }

// stepsOf counts the steps that a side has left, on the map and off it.
func (s *State) stepsOf(side Side) (n int) {
	for u := range s.army(side) {
		n += u.Steps
	}
	return n
}

// settledSoFar is what a fact about the activation is from now on, where that is known: as a chit is
// drawn nothing is taken and nothing lost, what was taken or lost stays so, and nobody loses more
// steps than there are.
func (s *State) settledSoFar(f phrase.Fact, own Side, holds bool) (now, known bool) {
	tooMany := f.Kind == phrase.FactLosses && f.N > max(s.soFar.had, s.stepsOf(own))
	return holds, holds || !s.soFar.on || tooMany
}

// never warns of a condition that cannot change this turn.
func (s *State) never(c phrase.Condition, side Side) string {
	return c.Never(func(f phrase.Fact) (holds, known bool) { return s.settled(f, side) })
}

// notMet is why an order with a condition is left out.
func notMet(c phrase.Condition) *rule.Violation {
	return &rule.Violation{Clause: "GD 6.0", Why: fmt.Sprintf("its condition does not hold: %s", c.Text)}
}
