package steppe

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// trigger is something that a side in PAUSE-IF wants to be asked for at its next chit.
type trigger struct {
	kind string // guards, chit, supply, falls, any-falls, within, overrun
	hex  hex.Hex
	n    int
}

const triggerHelp = "Triggers are: 2512 FALLS, VP HEX LOST, ENEMY WITHIN 3 OF 2512, HQ OUT OF SUPPLY, AFTER ENEMY CHIT, OVERRUN; a chit whose conditions all fail always pauses."

// readMode reads the value of the MODE header: PLOT, ASK, or PAUSE-IF and triggers.
//
// deviation Steppe 3.4: three modes of play by mail. In PLOT nothing is asked, in ASK
// every own chit is, in PAUSE-IF a chit whose conditions all fail or before which
// something has happened that the side named.
func (s *State) readTriggers(value string) ([]trigger, *rule.Violation) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(value), "PAUSE-IF")
	if !ok {
		return nil, nil
	}
	var out []trigger
	for part := range strings.SplitSeq(rest, ",") {
		sheet, err := orders.ParseOrder(strings.TrimSpace(part))
		if err != nil {
			continue
		}
		r := phrase.New(sheet.Clauses[0])
		t, v := s.readTrigger(&r)
		if v != nil {
			return nil, v
		}
		out = append(out, t)
	}
	return out, nil
}

func (s *State) readTrigger(r *phrase.Reader) (t trigger, v *rule.Violation) {
	text := phrase.Join(r.Words)
	switch {
	case text == "VP HEX LOST":
		return trigger{kind: "any-falls"}, nil
	case text == "HQ OUT OF SUPPLY" || text == "OWN HQ OUT OF SUPPLY":
		return trigger{kind: "supply"}, nil
	case text == "AFTER ENEMY CHIT":
		return trigger{kind: "chit"}, nil
	case text == "OVERRUN" || text == "OVERRUN MARKER":
		return trigger{kind: "overrun"}, nil
	case strings.HasPrefix(text, "ENEMY WITHIN "):
		r.Next()
		r.Next()
		t.kind = "within"
		if t.n, v = number(r); v == nil && !r.Skip("OF") {
			v = &rule.Violation{Why: "ENEMY WITHIN 3 OF 2512", Instead: triggerHelp}
		}
		if v == nil {
			t.hex, v = s.place(r)
		}
		return t, v
	}
	if t.hex, v = s.place(r); v == nil && !r.Skip("FALLS") {
		v = &rule.Violation{Why: fmt.Sprintf("the trigger %q is not understood", text)}
	}
	if v != nil {
		v.Instead = triggerHelp
	}
	t.kind = "falls"
	return t, v
}

// pause says why a side in PAUSE-IF should be asked for its programmes now; empty if
// nothing has happened.
func (s *State) pause(a *activation, all []*programme, count int) string {
	var why []string
	if len(all) > 0 && s.choose(all, a.side, count) == nil && !slices.ContainsFunc(all, func(p *programme) bool { return p.hold }) {
		why = append(why, "none of its conditions holds")
	}
	triggers, _ := s.readTriggers(s.Sheets[sideIndex(a.side)].Mode) // it stood when it was filed
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
	case "any-falls":
		if len(s.Fallen[k]) > 0 {
			return s.spot(s.Fallen[k][0]) + " was lost"
		}
	case "falls":
		if s.controller(t.hex) != side {
			return s.spot(t.hex) + " has fallen"
		}
	case "supply":
		for i := range s.Units {
			if u := &s.Units[i]; u.Where == OnMap && u.c.Side == side && u.c.Type == HQ && !s.supplied(side)[s.ix(u.Hex)] {
				return u.c.Name + " has no supply path"
			}
		}
	case "chit":
		if n := len(s.Played); n > 1 && s.Played[n-2].Side != side {
			return "the enemy had the last chit"
		}
	case "overrun":
		if s.Marked[k] {
			return "an overrun marker was won"
		}
	case "within":
		for _, u := range s.sideUnits(other(side)) {
			if s.sc.land.grid.Distance(u.Hex, t.hex) <= t.n {
				return fmt.Sprintf("an enemy is within %d of %s", t.n, s.spot(t.hex))
			}
		}
	}
	return ""
}
