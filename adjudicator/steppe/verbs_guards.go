package steppe

import (
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// anyStrength is more than any strength.
const anyStrength = 1 << 20

func number(r *phrase.Reader) (int, *rule.Violation) { return phrase.Number(r, anyStrength) }

// guardHelp says how conditions are written under the rules of the game.
func (sc *Scenario) guardHelp() string {
	says := "Conditions are: SOVIET HOLDS 2512, 2512 EMPTY, ENEMY AT 2512 UNDER 9, ENEMY WITHIN 2 OF 2512, LAH AT 2512, LAH BESIDE 2512, " +
		"LAH IN CONTACT, REDUCED or LOST, LAH IN SUPPLY, LOW ON SUPPLY or OUT OF SUPPLY, SS Pz DONE, WEATHER SNOW, GROUND MUD, TURN 3, " +
		"2 OWN CHITS PLAYED, 1 ENEMY CHITS LEFT, SECOND CHIT, BACKHAND, 1 FIGHTERS LEFT, 1 CAS LEFT, "
	if !sc.before(5) {
		says += "behind an order TOOK 2512 and LOSSES 2, "
	}
	if !sc.before(6) {
		says += "behind an attack ODDS 3:1, "
	}
	return says + "with NOT, AND and OR."
}

// speech is what a side may ask in conditions, all of it what both sides can see.
func (x *sheetReader) speech() *phrase.Speech {
	s := x.s
	knows := []phrase.FactKind{phrase.FactHolds, phrase.FactEmpty, phrase.FactEnemyAt, phrase.FactWithin, phrase.FactAt, phrase.FactBeside, phrase.FactContact,
		phrase.FactReduced, phrase.FactLost, phrase.FactSupply, phrase.FactLow, phrase.FactOut, phrase.FactDone, phrase.FactPlayed, phrase.FactLeft, phrase.FactSecond,
		phrase.FactTurn, phrase.FactWeather, phrase.FactGround, phrase.FactBackhand, phrase.FactFighters, phrase.FactCAS}
	if !s.sc.before(5) {
		knows = append(knows, phrase.FactTook, phrase.FactLosses)
	}
	if !s.sc.before(6) {
		knows = append(knows, phrase.FactOdds)
	}
	return &phrase.Speech{Board: s.sc.Board, Sides: []string{string(Soviet), string(German)}, Knows: knows,
		Words: map[phrase.FactKind][]string{phrase.FactWeather: skies, phrase.FactGround: skies, phrase.FactOdds: s.sc.Columns},
		Unit: func(list []orders.Word) (string, *rule.Violation) {
			u, v := s.named(x.side, list)
			if v != nil {
				return "", v
			}
			return u.ID, nil
		},
		Chit: func(name string) (string, *rule.Violation) {
			u, found := phrase.Find(muster{s, x.side}, s.sc.Board, name)
			if !found || u.combat() {
				return "", refuse("Steppe 2.6", "%s is not a headquarters of yours", name)
			}
			return u.c.Name, nil
		},
		Help: s.sc.guardHelp()}
}

// conditions reads what stands behind IF, UNLESS or HOLD IF.
func (x *sheetReader) conditions(r *phrase.Reader, holds bool) ([]phrase.Condition, *rule.Violation) {
	c, v := x.speech().Condition(r)
	if v != nil {
		return nil, v
	}
	c.Not = c.Not != holds
	return x.s.sc.asked(c), nil
}

// sofar is what an activation has come to when its conditions are looked at.
type sofar struct {
	drawn int       // how often its chit has been drawn in this turn, this time included
	on    bool      // attacks may have been made: else it is early for what they bring
	took  []hex.Hex // where it has attacked and left nobody of the enemy
	lost  int       // steps that it has cost its side
	odds  int       // the level of the attack whose conditions are looked at
}

// drawnNow is an activation whose chit has just been drawn, for the first time in its turn.
var drawnNow = sofar{drawn: 1}

// soFar is what the activation has come to.
func (a *activation) soFar() sofar {
	k := sideIndex(a.side)
	return sofar{drawn: a.count, on: true, took: a.took, lost: a.s.losses[k] - a.before}
}

// holds tells whether the conditions of a programme of a side are met.
func (s *State) holds(conditions []phrase.Condition, side Side, now sofar) bool {
	s = s.believed(side)
	met := func(f phrase.Fact) bool { return s.met(f, side, now) }
	return !slices.ContainsFunc(conditions, func(c phrase.Condition) bool { return !c.Holds(met) })
}

// met tells whether a fact holds, its NOT aside.
func (s *State) met(f phrase.Fact, own Side, now sofar) bool {
	switch f.Kind {
	case phrase.FactHolds:
		side := whose(f.Side, own)
		if h := s.holder(f.Hex); h != "" {
			return h == side
		}
		return s.controller(f.Hex) == side
	case phrase.FactEmpty:
		return s.holder(f.Hex) == ""
	case phrase.FactEnemyAt:
		return s.holder(f.Hex) == other(own) && (f.N == 0 || s.defenceAt(f.Hex) < f.N)
	case phrase.FactWithin:
		return s.foeWithin(own, f)
	case phrase.FactWeather:
		return s.Weather == f.Word
	case phrase.FactGround:
		return s.Ground == f.Word
	case phrase.FactTurn:
		return s.Turn >= f.N
	case phrase.FactSecond:
		return now.drawn > 1
	case phrase.FactBackhand:
		return s.Backhand == s.Turn
	case phrase.FactDone:
		return slices.Contains(s.Played, Chit{f.Of, own})
	case phrase.FactPlayed:
		return s.chitsPlayed(whose(f.Side, own)) >= f.N
	case phrase.FactLeft:
		return s.chitsLeft(whose(f.Side, own)) >= f.N
	case phrase.FactFighters:
		return s.flying(own, (*Pool).readyFighters) >= f.N
	case phrase.FactCAS:
		return s.flying(own, (*Pool).readyCAS) >= f.N
	case phrase.FactTook:
		return slices.Contains(now.took, f.Hex)
	case phrase.FactLosses:
		return now.lost >= f.N
	case phrase.FactOdds:
		return now.odds >= s.sc.levelOf(f.Word)
	}
	return s.metOf(s.unit(f.Of), f)
}

// metOf tells whether a fact about a unit holds.
func (s *State) metOf(u *Unit, f phrase.Fact) bool {
	if u.Where != OnMap {
		switch f.Kind {
		case phrase.FactReduced, phrase.FactOut: // as it has always been
			return true
		case phrase.FactLost:
			return u.Where == Gone
		}
		return false
	}
	switch f.Kind {
	case phrase.FactAt:
		return u.Hex == f.Hex
	case phrase.FactBeside:
		return s.sc.land.grid.Adjacent(u.Hex, f.Hex)
	case phrase.FactContact:
		return s.foeWithin(u.c.Side, phrase.Fact{Of: u.ID, N: 1})
	case phrase.FactReduced:
		return u.Steps < u.c.Steps()
	case phrase.FactSupply:
		return u.Cut == 0
	case phrase.FactLow:
		return u.Cut == 1
	case phrase.FactOut:
		return u.Cut > 0 // in this game it has always counted those who are low
	}
	return false
}

// flying counts the aircraft of a side that may still fly in this turn.
func (s *State) flying(side Side, ready func(*Pool) int) (n int) {
	for k, pool := range pools {
		if poolSide(pool) == side {
			n += ready(&s.Air[k])
		}
	}
	return n
}

// whose is the side that a condition names.
func whose(word string, own Side) Side {
	switch word {
	case "WE", "OWN":
		return own
	case "ENEMY":
		return other(own)
	}
	return Side(word)
}

// foeWithin tells whether an enemy stands so near to a hex, or to a unit.
func (s *State) foeWithin(own Side, f phrase.Fact) bool {
	at := f.Hex
	if f.Of != "" {
		u := s.unit(f.Of)
		if u.Where != OnMap {
			return false
		}
		at = u.Hex
	}
	for e := range s.fielded(other(own)) {
		if s.sc.land.grid.Distance(e.Hex, at) <= f.N {
			return true
		}
	}
	return false
}

// settled is what a fact is for all of this turn, where that is known.
func (s *State) settled(f phrase.Fact, own Side, now sofar) (holds, known bool) {
	holds = s.met(f, own, now)
	switch f.Kind {
	case phrase.FactTurn, phrase.FactWeather, phrase.FactGround:
		return holds, true
	case phrase.FactPlayed:
		return holds, holds
	case phrase.FactHolds, phrase.FactEmpty, phrase.FactEnemyAt, phrase.FactWithin, phrase.FactDone, phrase.FactLeft, phrase.FactSecond, phrase.FactBackhand, phrase.FactOdds:
		return false, false
	case phrase.FactFighters, phrase.FactCAS:
		return holds, !holds
	case phrase.FactTook, phrase.FactLosses:
		return holds, holds || !now.on || f.N > s.stepsOf(own)
	}
	return holds, s.unit(f.Of).Where == Gone
}

// never warns of a condition that cannot change this turn.
func (s *State) never(c phrase.Condition, side Side, now sofar) string {
	return c.Never(func(f phrase.Fact) (holds, known bool) { return s.settled(f, side, now) })
}

// stepsOf counts the steps that a side has on the map and to come.
func (s *State) stepsOf(side Side) (n int) {
	for i := range s.Units {
		if u := &s.Units[i]; u.c.Side == side && u.Where != Gone {
			n += u.Steps
		}
	}
	return n
}

// chitsPlayed counts the chits of a side that have been drawn in this turn.
func (s *State) chitsPlayed(side Side) int {
	n := 0
	for _, c := range s.Played {
		if c.Side == side {
			n++
		}
	}
	return n
}

// chitsLeft counts those that are still to come.
func (s *State) chitsLeft(side Side) int {
	n := 0
	for _, p := range s.Cup {
		if poolSide(p.Name) == side {
			n += p.Left
		}
	}
	return n
}

// choose is the programme that runs: the first guarded one whose conditions hold,
// else the first without any; nil is HOLD.
func (s *State) choose(all []*programme, side Side, now sofar) *programme {
	for _, p := range all {
		if len(p.guards) > 0 && s.holds(p.guards, side, now) {
			return p
		}
	}
	for _, p := range all {
		if len(p.guards) == 0 && !p.hold {
			return p
		}
	}
	return nil
}
