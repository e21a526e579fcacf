package systems

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/steppe"
	"fieldpost/adjudicator/view"
)

var steppeTrial = System{Rules: steppe.System{}, Inside: steppeInside, Orders: steppeOrders, Mutations: steppeMutants, Feelers: steppeFeelers, Law: steppeLaw,
	Sealed: func(at adjudicator.Phase) bool {
		return strings.HasPrefix(at.Name, "Activation") || strings.HasPrefix(at.Name, "Individual")
	}}

// steppeInside lets the trials look into a game.
func steppeInside(game adjudicator.Game) (any, bool) {
	g, ok := game.(*steppe.Game)
	return steppe.Tried{Game: g}, ok
}

// steppeOrders gives random orders for a turn of Duel on the Steppe.
func steppeOrders(game adjudicator.Game, v *view.View, r *rand.Rand) ([]Order, error) {
	g, ok := game.(*steppe.Game)
	if !ok {
		return nil, fmt.Errorf("%T is no game of Duel on the Steppe", game)
	}
	a, err := g.Advise(v)
	if err != nil {
		return nil, err
	}
	w := &steppeRandom{v: v, a: a, r: r, pieces: a.Pieces()}
	for _, p := range w.pieces {
		if p.HQ {
			w.programme(p)
		}
	}
	w.solo()
	w.standing()
	w.heads()
	return w.list, nil
}

// steppeRandom collects the orders of one sheet.
type steppeRandom struct {
	v      *view.View
	a      *steppe.Adviser
	r      *rand.Rand
	pieces []steppe.Piece
	list   []Order
}

func (w *steppeRandom) add(section, kind, format string, args ...any) {
	w.list = append(w.list, Order{section, fmt.Sprintf(format, args...), kind})
}

func (w *steppeRandom) in(n int) bool { return w.r.IntN(n) == 0 }

func anyOf[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// programme writes orders for one headquarters.
func (w *steppeRandom) programme(hq steppe.Piece) {
	sec := "CHIT " + hq.Name + anyOf(w.r, []string{"", " MOVE THEN ATTACK", " ATTACK THEN MOVE", " HOLD UNLESS 1 OWN CHITS PLAYED"})
	if hq.Hex == hex.None {
		w.add(sec, "enter", "ENTER %s %v TO %v", hq.Name, anyOf(w.r, hq.Entry), anyOf(w.r, w.v.Objectives).Hex)
	} else if reach := w.a.Reach(hq.ID); len(reach) > 0 && w.in(2) {
		w.add(sec, "headquarters", "HQ TO %v", anyOf(w.r, reach))
	}
	var mine []steppe.Piece
	for _, p := range w.pieces {
		if p.Command == hq.Command && !p.HQ && (p.Hex == hex.None || hq.Hex != hex.None && w.a.Grid().Distance(p.Hex, hq.Hex) <= hq.Range) {
			mine = append(mine, p)
		}
	}
	w.r.Shuffle(len(mine), func(i, j int) { mine[i], mine[j] = mine[j], mine[i] })
	for i, p := range mine {
		if i > 9 { // a sheet has its limits
			break
		}
		w.unit(sec, p)
	}
	w.special(sec, mine)
	if w.in(4) && len(mine) > 0 {
		w.add(sec, "condition", "IF %s HOLDS %v AND NOT GROUND MUD THEN", anyOf(w.r, []string{"GERMAN", "SOVIET", "ENEMY"}), anyOf(w.r, w.v.Objectives).Hex)
		w.unit(sec, mine[0])
	}
	if w.in(6) {
		w.add(sec, "units", "UNITS ALL")
	}
}

// unit gives one unit something to do.
func (w *steppeRandom) unit(sec string, p steppe.Piece) {
	if p.Hex == hex.None {
		switch {
		case w.in(4):
			w.add(sec, "rail", "RAIL %s TO %v", p.Name, w.town())
		default:
			w.add(sec, "enter", "ENTER %s %v TO %v", p.Name, anyOf(w.r, p.Entry), anyOf(w.r, w.v.Objectives).Hex)
		}
		return
	}
	at := p.Hex
	if reach := w.a.Reach(p.ID); len(reach) > 0 && !w.in(3) {
		if near := slices.DeleteFunc(slices.Clone(reach), func(h hex.Hex) bool { return !w.a.Zone(h) }); len(near) > 0 && !w.in(3) {
			reach = near
		}
		at = anyOf(w.r, reach)
		if at != p.Hex {
			w.add(sec, "move", "MOVE %s TO %v%s", p.Name, at, anyOf(w.r, []string{"", " PUSH", fmt.Sprintf(" VIA %v", anyOf(w.r, reach))}))
		}
	}
	for _, n := range w.a.Grid().Neighbours(at) {
		if w.a.Holder(n) < 0 && p.Attack > 0 && w.in(2) {
			extra := anyOf(w.r, []string{"; MIN 1:3", "; MIN 1:1; ADVANCE " + p.Name, "; AIR NO; MIN 1:3", "; KEY; MIN 1:2", fmt.Sprintf("; ELSE %v", at)})
			if p.Mech && w.overrunnable(n) && w.in(2) {
				extra = " OVERRUN; MIN 1:3; ADVANCE ALL"
				w.add(sec, "overrun", "ATTACK %v WITH %s%s", n, p.Name, extra)
				w.add(sec, "overrun move", "OVERRUN-MOVE %s TO %v", p.Name, anyOf(w.r, w.v.Objectives).Hex)
				return
			}
			w.add(sec, "attack", "ATTACK %v WITH %s%s", n, p.Name, extra)
			return
		}
	}
}

// overrunnable: ground that can be overrun, in a turn without mud.
func (w *steppeRandom) overrunnable(h hex.Hex) bool {
	k := w.v.Board.Kinds(h)
	return w.v.Fact("ground") != "mud" && len(k) > 0 && (k[0] == "clear" || k[0] == "light-woods")
}

func (w *steppeRandom) town() hex.Hex { return anyOf(w.r, anyOf(w.r, w.v.Board.Places).Hexes) }

// special are Kampfgruppen and bridges.
func (w *steppeRandom) special(sec string, mine []steppe.Piece) {
	for _, p := range mine {
		if p.Hex == hex.None {
			continue
		}
		for _, b := range w.v.Bridges {
			near := b.Edge.A == p.Hex || b.Edge.B == p.Hex
			if near && b.Stands && w.in(3) {
				w.add(sec, "bridge", "BLOW %v BY %s", b.Edge, p.Name)
			}
		}
	}
	if w.v.Side == "GERMAN" && strings.HasPrefix(sec, "CHIT") && !w.detach(sec, mine) {
		w.merge(sec, mine)
	}
}

// parents are, by the type of a Kampfgruppe, how the names of divisions end that it comes from.
var parents = map[string]string{"INF": " ID", "ARM": " PD"}

// detach takes a Kampfgruppe out of the pool, and tells whether it did.
func (w *steppeRandom) detach(sec string, mine []steppe.Piece) bool {
	for _, k := range w.v.Arrivals {
		parent, ok := parents[k.Type]
		if !ok || !isKG(k.Name) || k.Note != "in the pool" {
			continue
		}
		for _, p := range mine {
			if p.Hex != hex.None && strings.HasSuffix(p.Name, parent) && w.in(12) {
				w.add(sec, "kampfgruppe", "%s FROM %s", k.Name, p.Name)
				return true
			}
		}
	}
	return false
}

// merge takes Kampfgruppen on foot back into the divisions that they stand with.
func (w *steppeRandom) merge(sec string, mine []steppe.Piece) {
	for _, k := range mine {
		if !isKG(k.Name) || k.Mech {
			continue
		}
		for _, p := range mine {
			if k.Hex == p.Hex && strings.HasSuffix(p.Name, parents["INF"]) {
				w.add(sec, "merge", "MERGE %s INTO %s", k.Name, p.Name)
			}
		}
	}
}

func isKG(name string) bool { return strings.HasPrefix(name, "KG ") }

// solo gives orders to an individual hex.
func (w *steppeRandom) solo() {
	var all []steppe.Piece
	for _, p := range w.pieces {
		if p.Hex != hex.None && !p.HQ {
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		return
	}
	p := anyOf(w.r, all)
	w.unit(fmt.Sprintf("SOLO HEX %v", p.Hex), p)
}

// standing writes doctrine.
func (w *steppeRandom) standing() {
	for _, line := range []string{"AIR ATTACK WANT 80% MAXCAS 2 ESCORT YES KEEP 0", "AIR DEFENCE KEY ONLY MAXF 1", "STALWART ALWAYS", "STALWART NEVER", "LOSSES STRONGEST FIRST",
		"ADVANCE ALL", "ADVANCE KEY", "RETREAT NOT INTO MARSH", fmt.Sprintf("RETREAT TOWARD %v", anyOf(w.r, w.v.Objectives).Hex), fmt.Sprintf("KEY HEXES %v", anyOf(w.r, w.v.Objectives).Hex), "ANTI-TANK AT STRONGEST"} {
		if w.in(5) {
			w.add("STANDING", "standing", "%s", line)
		}
	}
}

// heads are the sections without orders. They stand last: nothing follows them.
func (w *steppeRandom) heads() {
	if w.a.BackhandLeft() && w.in(3) {
		w.list = append(w.list, Order{"BACKHAND THIS TURN", "", "backhand"})
	}
	for _, u := range w.v.Arrivals {
		if u.Note == "eliminated, comes back" && u.Ready && len(w.v.Units) > 0 && w.in(2) {
			w.list = append(w.list, Order{fmt.Sprintf("HQBACK %s %v", u.Name, anyOf(w.r, w.v.Units).Hex), "", "return"})
		}
	}
}
