package wb95

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// A game for three players: the second group of the allies of a side (notes.apart)
// has a player of its own, who moves after the other two. On the map there are two
// sides as ever, whose units are friends and enemies; the players part the orders,
// the answers and the points of one of them.

// Partner is the third player.
type Partner struct {
	ID   Side
	Name string
	Ally string // what the other player of the side is called then
	side Side   // the side on the map
}

// forThree makes it a game for three players: what the notes lay down for two falls away.
//
// reading WB-95 2.1.1: the allies still share no hex, and the second ones pass through none of the
// first (option players).
func (sc *Scenario) forThree() {
	sc.Partner, sc.Halved = sc.Third, nil
	sc.Names[sc.number(sc.Partner.side)] = sc.Partner.Ally
	sc.Notes.Limits = slices.DeleteFunc(slices.Clone(sc.Notes.Limits), func(m Limit) bool { return m.Two })
}

// third reads who the third player would be.
func (l *loader) third() {
	t, sc := l.file.Third, l.sc
	players := sc.Sides[:]
	if t != nil {
		players = append(slices.Clone(players), t.ID)
	}
	for _, a := range sc.Awards {
		for _, p := range a.Players {
			if !slices.Contains(players, p) {
				l.fault(`"`+string(p)+`"`, "%q is not a player of the scenario", p)
			}
		}
	}
	if t == nil {
		return
	}
	switch {
	case t.ID == "", t.Name == "", t.Ally == "", l.side(t.ID), sc.Notes.Apart == nil:
		l.fault("third_player", "an id of its own, a name, the name of the ally and two groups of allies (notes.apart) are expected")
		return
	}
	sc.Third = &Partner{ID: t.ID, Name: t.Name, Ally: t.Ally}
	for i := range sc.Counters {
		if c := &sc.Counters[i]; sc.group(c) == secondGroup {
			sc.Third.side = c.Side
		}
	}
}

// pays tells whether an award is the player's: in a game for three, that of those it names.
func (sc *Scenario) pays(a *Award, player Side) bool {
	if sc.Partner != nil && len(a.Players) > 0 {
		return slices.Contains(a.Players, player)
	}
	return a.isFor(player)
}

// players lists who plays, in the order of their half turns.
//
// WB-95 2.1.1
// reading WB-95 2.1.1: with three players a turn has 18 phases, the third player's last.
func (sc *Scenario) players() []Side {
	if sc.Partner == nil {
		return sc.Sides[:]
	}
	return []Side{sc.Sides[0], sc.Sides[1], sc.Partner.ID}
}

// phases is the number of phases in a turn.
func (sc *Scenario) phases() int { return halfTurn * len(sc.players()) }

// camp is the side on the map that a player fights for.
func (sc *Scenario) camp(player Side) Side {
	if sc.isPartner(player) {
		return sc.Partner.side
	}
	return player
}

// isPartner tells whether the player is the third one.
func (sc *Scenario) isPartner(player Side) bool { return sc.Partner != nil && sc.Partner.ID == player }

// isShared tells whether the side has two players.
func (sc *Scenario) isShared(side Side) bool { return sc.Partner != nil && sc.Partner.side == side }

// owner is the player who gives a counter its orders.
func (sc *Scenario) owner(c *Counter) Side {
	if c.Side == turncoats {
		return sc.Notes.Defection.To
	}
	if sc.isShared(c.Side) && sc.group(c) == secondGroup {
		return sc.Partner.ID
	}
	return c.Side
}

// playersOf lists the players of a side.
func (sc *Scenario) playersOf(side Side) []Side {
	if sc.isShared(side) {
		return []Side{side, sc.Partner.ID}
	}
	return []Side{side}
}

// player is whose half turn it is.
func (s *State) player() Side { return s.sc.players()[(max(1, s.Phase)-1)/halfTurn] }

// mover is the side on the map whose half turn it is.
func (s *State) mover() Side { return s.sc.camp(s.player()) }

// onMove tells whether the unit is the player's whose half turn it is.
func (s *State) onMove(u *Unit) bool { return s.sc.owner(u.c) == s.player() }

// moving lists the units on the map of the player on move, in order of id.
func (s *State) moving() []*Unit {
	return slices.DeleteFunc(s.onMap(s.mover()), func(u *Unit) bool { return !s.onMove(u) })
}

// chief is the player of the side who decides for the units: the first one's.
//
// reading WB-95 5.1.8: where units of two players suffer together, the first one's
// player decides for all.
func (s *State) chief(side Side, us []*Unit) Side {
	if us[0].c.Side == side {
		return s.sc.owner(us[0].c)
	}
	return s.sc.ruler(side)
}

// ruler is the first player of a side.
func (sc *Scenario) ruler(side Side) Side {
	if side == turncoats {
		return sc.Notes.Defection.To
	}
	return side
}

// chiefAt is the player who decides for whoever of the side stands on the hexes.
func (s *State) chiefAt(side Side, hexes []hex.Hex) Side {
	for _, h := range hexes {
		if us := s.unitsAt(h); len(us) > 0 && us[0].c.Side == side {
			return s.sc.owner(us[0].c)
		}
	}
	return s.sc.ruler(side)
}

// standing asks for the standing orders of each player of a side.
func (s *State) standing(side Side, clause rule.Clause) []adjudicator.Decision {
	var out []adjudicator.Decision
	for _, p := range s.sc.playersOf(side) {
		out = append(out, adjudicator.Decision{Label: "standing " + string(p), Kind: kindStanding, Side: p, Filed: true, Clause: clause, Source: "none filed"})
	}
	return out
}

// speaksFor tells whether a standing order may speak of the units: with two players
// on a side those of the one are none of the other's business.
func (o standingOrder) speaksFor(s *State, us []*Unit) bool {
	if s.sc.Partner == nil || len(us) == 0 {
		return true
	}
	return s.sc.owner(us[0].c) == o.by
}

// airHint names the sections of the Air Phases.
func (sc *Scenario) airHint() string {
	var names []string
	for i := range sc.players() {
		names = append(names, fmt.Sprintf("AIR %d", 1+i*halfTurn))
	}
	return "Write " + strings.Join(names, " or ") + ", and the missions on lines below it."
}

// takerOf is the player of the side whose troops hold the hex.
func (s *State) takerOf(h hex.Hex, side Side) Side {
	if s.sc.isShared(side) && s.takenBy(s.sc.Notes.Apart.Second, h, side) {
		return s.sc.Partner.ID
	}
	return side
}

// playerOf is the player of a shared side who holds what a group has taken.
func (sc *Scenario) playerOf(group int, side Side) Side {
	if sc.inGroup(group, sc.Notes.Apart.Second) {
		return sc.Partner.ID
	}
	return side
}

// shareNews has allies know what either of them is told: only enemy stacks are masked.
//
// reading WB-95 16.1.1: allies look into each other's stacks and share what they learn.
func (s *State) shareNews(e view.Event) view.Event {
	if slices.Contains(e.To, string(turncoats)) {
		s.nameRuler(&e)
	}
	p := s.sc.Partner
	if p == nil || slices.Contains(e.To, string(p.ID)) {
		return e
	}
	if slices.Contains(e.To, string(p.side)) {
		e.To = append(slices.Clone(e.To), string(p.ID))
	}
	return e
}

// nameRuler puts the player of those who changed sides into the place of their side.
func (s *State) nameRuler(e *view.Event) {
	to := string(s.sc.ruler(turncoats))
	e.To = slices.DeleteFunc(slices.Clone(e.To), func(x string) bool { return x == string(turncoats) || x == to })
	e.To = append(e.To, to)
	if e.Side == string(turncoats) {
		e.Side = to
	}
}
