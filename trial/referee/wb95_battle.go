package referee

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// wbPath is a way that somebody fell back by.
type wbPath []hex.Hex

// wbCombat is the combat in hand.
type wbCombat struct {
	hexes []hex.Hex // fought over
	side  string    // the attacker
	full  []wbEnd   // where somebody fell back to: the steps are counted when all losses are told
}

// wbEnd is the end of a retreat.
type wbEnd struct {
	name string
	path []hex.Hex
}

// room judges the stacks that retreats ended in (5.3.6).
func (w *wbPhase) room() {
	for _, r := range w.combat.full {
		end := r.path[len(r.path)-1]
		if n := w.stepsOn(end); n > 8 && !w.crowded[end] {
			w.fault(r.name, r.path, "it ends in "+end.String(), fmt.Sprintf("%d steps are there", n), "5.3.6")
		}
	}
	w.combat.full = nil
}

// battle follows the events of a Combat Phase: retreats, pursuits and advances.
func (w *wbPhase) battle(events []view.Event) {
	w.fled = map[hex.Hex][]wbPath{}
	for _, e := range events {
		f := e.Facts
		switch e.Kind {
		case "combat":
			w.room()
			w.combat = wbCombat{hexes: e.Hexes, side: w.named[f.Get("attacker")]}
			clear(w.fled)
		case "combat-loss":
			if side, known := w.named[f.Get("side")]; known {
				w.lose(side, f.Get("unit"))
			} else { // Poles who fight their own side's Americans or Germans (10.2.4)
				w.loseAnywhere(e)
			}
		case "overrun":
			w.rideAny(e.Hexes[0], f.Get("side"))
		case "fire-hit", "air-loss", "loss":
			w.loseAnywhere(e)
		case "combat-retreat":
			for _, name := range strings.Split(f.Get("units"), ", ") {
				w.fallBack(w.sideOf[e.Side], name, readTrail(f.Get("path")))
			}
		case "combat-pursuit":
			w.pursue(w.sideOf[e.Side], f.Get("unit"), append([]hex.Hex{e.Hexes[0]}, readTrail(f.Get("path"))...))
		case "pontoon-laid":
			w.spans[hex.Between(e.Hexes[0], e.Hexes[1])] = true
		case "fire-bridge":
			w.spans[hex.Between(e.Hexes[0], e.Hexes[1])] = w.spans[hex.Between(e.Hexes[0], e.Hexes[1])] && !strings.Contains(f.Get("result"), "destroyed")
		}
	}
	w.room()
}

// rideAny takes off what the side rides down on a hex.
func (w *wbPhase) rideAny(h hex.Hex, riders string) {
	for _, p := range slices.Clone(w.on[h]) {
		if p.side != w.named[riders] {
			if !p.soft() {
				w.fault(p.name, []hex.Hex{h}, "it is ridden down", "it is neither a gun nor a headquarters", "5.4.1")
			}
			w.lift(p)
		}
	}
}

// loseAnywhere takes a step from a unit that an event names on a hex.
func (w *wbPhase) loseAnywhere(e view.Event) {
	if e.Kind == "loss" || len(e.Hexes) == 0 {
		return
	}
	for _, p := range slices.Clone(w.on[e.Hexes[0]]) {
		if p.name == e.Facts.Get("unit") {
			w.lose(p.side, p.name)
			return
		}
	}
}

// fallBack judges a retreat (5.3).
func (w *wbPhase) fallBack(side, name string, path []hex.Hex) {
	w.moves++
	p := w.pieces[side+" "+name]
	if p == nil || len(path) < 2 || p.at != path[0] {
		w.fault(name, path, "it falls back", "it does not stand there", "5.3.2")
		return
	}
	if p.gun() && p.firing {
		w.fault(name, path, "it falls back", "guns set up to fire do not move", "6.2.3")
	}
	if p.kind == "RG" {
		w.fault(name, path, "it falls back", "resilience groups do not retreat", "15.2.1")
	}
	for i := 1; i < len(path); i++ {
		from, to := path[i-1], path[i]
		friends, enemies := false, false
		for _, q := range w.on[to] {
			friends, enemies = friends || q.side == side, enemies || q.side != side
		}
		zoned := len(w.zoners(to, side)) > 0
		price := w.step(p.wbCounter, from, to)
		switch {
		case !w.board.Grid.Adjacent(from, to):
			w.fault(name, path, "a step", "no neighbours", "3.1.4")
		case enemies:
			w.fault(name, path, "it falls back to "+to.String(), "the enemy is there", "5.3.3")
		case zoned && !friends:
			w.fault(name, path, "it falls back to "+to.String(), "an enemy zone without friends in it", "5.3.3")
		case price >= shut:
			w.fault(name, path, "it falls back to "+to.String(), "the ground is closed", "5.3.3")
		case w.bigRiver(hex.Between(from, to)) && !w.spans[hex.Between(from, to)]:
			w.fault(name, path, "it falls back to "+to.String(), "over a big river without a bridge", "5.3.5")
		case w.board.Grid.Distance(path[0], to) != i:
			w.fault(name, path, "it falls back to "+to.String(), "that is no hex farther", "5.3.2")
		}
	}
	end := path[len(path)-1]
	w.put(p, end)
	p.came = true
	w.combat.full = append(w.combat.full, wbEnd{name, path})
	w.fled[path[0]] = append(w.fled[path[0]], path)
}

// pursue judges a pursuit or an advance (5.4).
func (w *wbPhase) pursue(side, name string, path []hex.Hex) {
	w.moves++
	p := w.pieces[side+" "+name]
	if p == nil || p.at != path[0] {
		w.fault(name, path, "it pursues", "it does not stand there", "5.4.1")
		return
	}
	if p.kind == "RG" || p.gun() || (p.kind == "AT" || p.kind == "AA") && !p.selfPropelled {
		w.fault(name, path, "it pursues", "towed units do not", "5.4.9")
	}
	for i := 1; i < len(path); i++ {
		from, to := path[i-1], path[i]
		for _, q := range w.on[to] {
			if q.side != side {
				w.fault(name, path, "it enters "+to.String(), "the enemy is there: "+q.name, "5.4.7")
			}
		}
		switch {
		case !w.board.Grid.Adjacent(from, to):
			w.fault(name, path, "a step", "no neighbours", "3.1.4")
		case w.step(p.wbCounter, from, to) >= shut:
			w.fault(name, path, "it enters "+to.String(), "the ground is closed", "5.4.7")
		case i > 1 && w.bigRiver(hex.Between(path[i-2], from)):
			w.fault(name, path, "it goes on from "+from.String(), "it has crossed a big river", "5.4.8")
		}
	}
	if !w.followed(side, path[1:]) {
		w.fault(name, path, "it pursues", fmt.Sprintf("no way of retreat allows it: %v", w.fled), "5.4.2")
	}
	end := path[len(path)-1]
	w.put(p, end)
	p.came = true
}

// followed tells whether a way is along one of the retreats, leaving it by its last hex at
// most and no longer than it, or an advance into and past a hex whose defence is gone.
func (w *wbPhase) followed(side string, way []hex.Hex) bool {
	for from, paths := range w.fled {
		for _, path := range paths {
			if way[0] != from || len(way) > len(path)-1 {
				continue
			}
			if slices.Equal(way[:len(way)-1], path[:len(way)-1]) {
				return true
			}
		}
	}
	// 5.4.10: the emptied hex, then one more by the rules of zones.
	if !slices.Contains(w.combat.hexes, way[0]) || len(way) > 2 {
		return false
	}
	if len(way) == 1 {
		return true
	}
	return len(w.zoners(way[0], side)) == 0
}
