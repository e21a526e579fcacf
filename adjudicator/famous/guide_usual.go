package famous

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
)

// Usual implements adjudicator.Guide.
func (a *chitGuide) Usual() (out []adjudicator.Offer) {
	out = a.usualSetUp()
	if a.settingUp() {
		return append(out, a.standings()[0])
	}
	for _, bn := range a.chitsOfTurn() {
		out = append(out, a.programme(bn)...)
	}
	return append(out, a.standings()[0])
}

// chitsOfTurn are the battalions whose chits are in the cup; before it is filled, all that
// have somebody to activate.
func (a *chitGuide) chitsOfTurn() (out []string) {
	if a.v.Chits != nil {
		for _, group := range a.v.Chits.Groups {
			out = append(out, group.Own...)
		}
	}
	if len(out) == 0 {
		return a.battalions()
	}
	return out
}

// programme is the section of a chit: a line for each unit that it would activate, to the
// nearest hex or on to the map, and for the attacks that these could make where they stand.
func (a *chitGuide) programme(name string) (out []adjudicator.Offer) {
	bn := (&parser{s: a.base.s, side: a.side}).battalionCalled(name)
	e := a.ending(bn)
	if bn == "" || e.moved == nil {
		return nil
	}
	var attacks []adjudicator.Offer
	for u := range a.base.s.battalion(a.side, bn) {
		if !u.stands() && !a.base.s.due(u) || a.base.s.foreign(u) != nil {
			continue
		}
		if u.Where == Beside {
			out = append(out, a.shelling(e, u)...)
			continue
		}
		out = append(out, a.usual(e, u))
		for _, o := range a.verbs(e, u) {
			if verb(o.Verb) != verbAttack {
				continue
			}
			if o = e.try(o); o.Refused == nil {
				attacks = append(attacks, o)
			}
		}
	}
	for _, o := range a.leaders(bn) {
		if o.Refused == nil {
			out = append(out, o)
			break
		}
	}
	return append(out, attacks...)
}

// shelling is the first barrage that a battery beside the map could fire, none if nothing is in its
// range: it does not march.
//
// GD 18.4/5
func (a *chitGuide) shelling(e *ending, u *Unit) []adjudicator.Offer {
	for _, o := range a.verbs(e, u) {
		if verb(o.Verb) != verbBarrage {
			continue
		}
		if o = e.try(o); o.Refused == nil {
			return []adjudicator.Offer{o}
		}
	}
	return nil
}

// usual is an order to come on to the map, or to go to the nearest hex.
func (a *chitGuide) usual(e *ending, u *Unit) adjudicator.Offer {
	if letters := a.letters(u); len(letters) > 0 {
		letter := strings.TrimPrefix(letters[0], "ENTER ")
		o := e.try(adjudicator.Offer{Section: e.section, Order: fmt.Sprintf("%s %s AT %s", verbEnter, u.c.Name, letter)})
		if len(letters) > 1 {
			o.Understood = strings.TrimPrefix(o.Understood+"; it may "+strings.Join(letters, ", "), "; ")
		}
		return o
	}
	ways, err := a.Reach(u.ID, "")
	near := slices.IndexFunc(ways, func(w adjudicator.Way) bool { return len(w.Path) == 2 })
	if err == nil && near >= 0 {
		o := e.try(adjudicator.Offer{Section: e.section, Order: ways[near].Order})
		o.Understood = fmt.Sprintf("on %v now; %d hexes in reach", u.Hex, len(ways))
		return o
	}
	h := u.Hex
	if u.onMap() {
		h = a.base.s.sc.Board.Grid.Neighbours(u.Hex)[0]
	}
	return e.try(adjudicator.Offer{Section: e.section, Order: fmt.Sprintf("%s %s TO %v", verbMove, u.c.Name, h)})
}
