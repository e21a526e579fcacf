package famous

import (
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// kindMode is the decision that holds what a side wants to be paused for; filed,
// never waited for.
const kindMode = "mode"

const triggerHelp = "Triggers are: 2135 FALLS, VP HEX LOST, HQ LOST, BRIDGE BLOWN, TANKS, PINNED, ENEMY ADJACENT; a chit none of whose conditions holds always pauses."

// What a side may want to be asked for.
const (
	newsPoints = "VP"     // a hex of victory points was lost
	newsHQ     = "HQ"     // a headquarters was lost
	newsBridge = "BRIDGE" // a bridge was blown
	newsTanks  = "TANKS"  // enemy tanks came into sight
	newsPinned = "PINNED" // a unit was pinned
	newsBeside = "BESIDE" // an enemy has moved beside a unit
	newsFalls  = "FALLS " // and a hex, which was lost
)

// reasons says why a side is asked, for each of them but hexes.
var reasons = map[string]string{newsPoints: "a hex of victory points was lost", newsHQ: "a headquarters was lost", newsBridge: "a bridge was blown",
	newsTanks: "enemy tanks came into sight", newsPinned: "a unit was pinned", newsBeside: "an enemy has moved beside your units"}

// triggerWords are what PAUSE-IF calls them.
var triggerWords = map[string]string{"VP HEX LOST": newsPoints, "HQ LOST": newsHQ, "BRIDGE BLOWN": newsBridge, "TANKS": newsTanks, "PINNED": newsPinned,
	"ENEMY ADJACENT": newsBeside, "ENEMY MOVES ADJACENT": newsBeside}

// news notes what has happened to a side since its last chit that it may want to be
// asked for.
func (s *State) news(side Side, what string) {
	n := &s.News[s.sc.number(side)]
	if at, ok := slices.BinarySearch(*n, what); !ok {
		*n = slices.Insert(*n, at, what)
	}
}

// newsOfMovers notes for a side that units of the other have moved beside its own.
func (s *State) newsOfMovers() {
	if s.sc.before(6) {
		return
	}
	for i := range s.Units {
		u := &s.Units[i]
		moved := u.onMap() && u.did.started
		if moved && s.touches(u) {
			s.news(s.sc.Other(u.c.Side), newsBeside)
		}
	}
}

// touches tells whether an enemy stands beside a unit.
func (s *State) touches(u *Unit) bool {
	foe := s.sc.Other(u.c.Side)
	return slices.ContainsFunc(s.sc.Board.Grid.Neighbours(u.Hex), func(h hex.Hex) bool { return s.holder(h) == foe })
}

// triggers reads what stands behind PAUSE-IF, as news has it.
func (p *parser) triggers(mode string) ([]string, *rule.Violation) {
	fall := func(r *phrase.Reader) (string, *rule.Violation) {
		h, v := phrase.Falls(p.s.sc.Board, r)
		return newsFalls + h.String(), v
	}
	out, v := phrase.Triggers(mode, triggerWords, fall, triggerHelp)
	if v != nil {
		v.Clause = "GD 6.0"
	}
	return out, v
}

// pauses says why a side in PAUSE-IF, or that has named chits, should be asked at its chit, "" if
// nothing it has named has happened since its last one; named tells that it has named chits.
func (s *State) pauses(r *adjudicator.Run, p *parser, chit string) (why string, named bool) {
	mode := r.Ask(adjudicator.Decision{Label: "mode of the " + string(p.side), Kind: kindMode, Side: p.side, Clause: "GD 6.0", Filed: true})[0]
	want, _ := p.triggers(mode)
	chits, named, _ := p.askedChits(mode)
	happened := s.News[s.sc.number(p.side)]
	s.News[s.sc.number(p.side)] = nil
	if slices.Contains(chits, chit) {
		return "you want to be asked about " + chit, named
	}
	for _, t := range want {
		if !slices.Contains(happened, t) {
			continue
		}
		if place, fell := strings.CutPrefix(t, newsFalls); fell {
			return place + " has fallen", named
		}
		return reasons[t], named
	}
	return "", named
}

// askedChits are the chits that a side names in MODE: ASK 2PZ, DIV.
func (p *parser) askedChits(mode string) (chits []string, asks bool, v *rule.Violation) {
	return phrase.AskedChits(mode, System{}.Asks(), func(name string) (string, *rule.Violation) {
		if name == "DIVISION HQ" {
			name = divBattalion
		}
		return p.battalion(name)
	})
}

// mode judges the MODE line of a sheet.
func (c *check) mode(sheet *orders.Sheet) {
	text := sheet.Header("MODE")
	if text == "" {
		return
	}
	p := &parser{s: c.s, side: c.side}
	_, v := p.triggers(text)
	if v == nil {
		_, _, v = p.askedChits(text)
	}
	if v == nil {
		c.filing.Answers[kindMode] = text
		return
	}
	for _, h := range sheet.Headers {
		if h.Name == "MODE" {
			c.line(adjudicator.Line{Pos: h.Pos, Text: "MODE: " + text, Refused: v})
		}
	}
}
