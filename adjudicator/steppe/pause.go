package steppe

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
)

// trigger is something that a side in PAUSE-IF wants to be asked for at its next chit.
type trigger struct {
	kind triggerKind
	hex  hex.Hex
	n    int
}

// triggerKind is what has to happen.
type triggerKind uint8

// The kinds.
const (
	anyFalls    triggerKind = iota // a place of Victory Points is lost
	hqCutOff                       // a headquarters has no supply path
	enemyChit                      // the enemy had the last chit
	overrunWon                     // an overrun marker is won
	enemyWithin                    // an enemy is within n hexes of one
	hexFalls                       // a hex is lost
	enemyBeside                    // an enemy has moved beside a unit since the last chit
)

// fixedTriggers are those that are written in one way alone.
var fixedTriggers = map[string]trigger{
	"VP HEX LOST":      {kind: anyFalls},
	"HQ OUT OF SUPPLY": {kind: hqCutOff}, "OWN HQ OUT OF SUPPLY": {kind: hqCutOff},
	"AFTER ENEMY CHIT": {kind: enemyChit},
	"ENEMY ADJACENT":   {kind: enemyBeside}, "ENEMY MOVES ADJACENT": {kind: enemyBeside},
	"OVERRUN": {kind: overrunWon}, "OVERRUN MARKER": {kind: overrunWon},
}

const triggerHelp = "Triggers are: 2512 FALLS, VP HEX LOST, ENEMY WITHIN 3 OF 2512, HQ OUT OF SUPPLY, " +
	"ENEMY ADJACENT, AFTER ENEMY CHIT, OVERRUN; a chit whose conditions all fail always pauses."

// readTriggers reads the value of the MODE header: PLOT, ASK, or PAUSE-IF and triggers.
//
// deviation Steppe 3.4: three modes of play by mail. In PLOT nothing is asked, in ASK
// every own chit is, in PAUSE-IF a chit whose conditions all fail or before which
// something has happened that the side named.
func (s *State) readTriggers(value string) ([]trigger, *rule.Violation) {
	return phrase.Triggers(value, fixedTriggers, s.readTrigger, triggerHelp)
}

func (s *State) readTrigger(r *phrase.Reader) (t trigger, v *rule.Violation) {
	if len(r.Words) > 2 && phrase.Join(r.Words[:2]) == "ENEMY WITHIN" {
		return s.readWithin(r)
	}
	t.kind = hexFalls
	t.hex, v = phrase.Falls(s.sc.Board, r)
	return t, v
}

// readWithin reads ENEMY WITHIN 3 OF 2512.
func (s *State) readWithin(r *phrase.Reader) (t trigger, v *rule.Violation) {
	r.Next()
	r.Next()
	t.kind = enemyWithin
	if t.n, v = number(r); v != nil {
		return t, v
	}
	if !r.Skip("OF") {
		return t, refuse("", "ENEMY WITHIN 3 OF 2512")
	}
	t.hex, v = s.place(r)
	return t, v
}

// askedChits are the headquarters whose chits a side names in MODE: ASK SS PZ, OKH.
func (s *State) askedChits(side Side, mode string) (chits []string, asks bool, v *rule.Violation) {
	x := &sheetReader{s: s, side: side}
	return phrase.AskedChits(mode, System{}.Asks(), x.speech().Chit)
}

// pause says why a side in PAUSE-IF, or that has named chits, should be asked for its programmes now; empty if
// nothing has happened.
func (s *State) pause(a *activation, all []*programme, count int) string {
	var why []string
	mayHold := slices.ContainsFunc(all, func(p *programme) bool { return p.hold })
	mode := s.Sheets[sideIndex(a.side)].Mode // it stood when it was filed
	chits, named, _ := s.askedChits(a.side, mode)
	if !named && len(all) > 0 && !mayHold && s.choose(all, a.side, sofar{drawn: count}) == nil {
		why = append(why, "none of its conditions holds")
	}
	if count == 1 && slices.Contains(chits, a.name) { // once a turn, however often it is drawn
		why = append(why, "you want to be asked about "+a.name)
	}
	triggers, _ := s.readTriggers(mode)
	for _, t := range triggers {
		if w := s.fired(t, a.side); w != "" {
			why = append(why, w)
		}
	}
	return strings.Join(why, "; ")
}

// fired says what has happened of a trigger.
func (s *State) fired(t trigger, side Side) string {
	k := sideIndex(side)
	switch t.kind {
	case anyFalls:
		if len(s.Fallen[k]) > 0 {
			return s.spot(s.Fallen[k][0]) + " was lost"
		}
	case hexFalls:
		if s.controller(t.hex) != side {
			return s.spot(t.hex) + " has fallen"
		}
	case hqCutOff:
		for u := range s.fielded(side) {
			if !u.combat() && !s.supplied(side)[s.ix(u.Hex)] {
				return u.c.Name + " has no supply path"
			}
		}
	case enemyChit:
		if n := len(s.Played); n > 1 && s.Played[n-2].Side != side {
			return "the enemy had the last chit"
		}
	case enemyBeside:
		if s.Beside[k] {
			return "an enemy has moved beside your units"
		}
	case overrunWon:
		if s.Marked[k] {
			return "an overrun marker was won"
		}
	case enemyWithin:
		for u := range s.fielded(other(side)) {
			if s.sc.land.grid.Distance(u.Hex, t.hex) <= t.n {
				return fmt.Sprintf("an enemy is within %d of %s", t.n, s.spot(t.hex))
			}
		}
	}
	return ""
}

// noteMovers notes for the other side, if it wants to be asked then, that a unit has moved beside
// one of its own.
func (s *State) noteMovers(side Side, before []hex.Hex) {
	k := sideIndex(other(side))
	wants, _ := s.readTriggers(s.Sheets[k].Mode)
	if !slices.ContainsFunc(wants, func(t trigger) bool { return t.kind == enemyBeside }) {
		return
	}
	for u := range s.fielded(side) {
		if u.Hex != before[u.n] && s.foeWithin(side, phrase.Fact{Of: u.ID, N: 1}) {
			s.Beside[k] = true
		}
	}
}

// stands are the hexes of all units, in their order.
func (s *State) stands() []hex.Hex {
	out := make([]hex.Hex, len(s.Units))
	for i := range s.Units {
		out[i] = s.Units[i].Hex
	}
	return out
}
