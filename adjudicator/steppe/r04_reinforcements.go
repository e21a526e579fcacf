package steppe

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// arrival is the line of a reinforcement.
func (sc *Scenario) arrival(id string) (Arrival, bool) {
	i := slices.IndexFunc(sc.Arrivals, func(a Arrival) bool { return a.Counter == id })
	if i < 0 {
		return Arrival{}, false
	}
	return sc.Arrivals[i], true
}

// due tells whether a reinforcement may come on the map in this turn.
//
// Steppe 3.2/2
//
// reading Steppe 4.0: entry may be put off at will.
func (s *State) due(u *Unit) bool {
	if u.Where != Later || u.Back {
		return false
	}
	return u.Due <= s.Turn
}

// zoneOf is the entry zone of a reinforcement.
func (s *State) zoneOf(u *Unit) Zone {
	a, ok := s.sc.arrival(u.ID)
	if !ok {
		return Zone{}
	}
	i := slices.IndexFunc(s.sc.Zones, func(z Zone) bool { return z.ID == a.Zone })
	return s.sc.Zones[i]
}

// entryHexes are the hexes by which a reinforcement may come, best first: those of its
// zone, or in their stead the nearest that are free; only the wanted one if it is of the
// zone.
//
// Steppe 4.0/1
func (s *State) entryHexes(u *Unit, wanted hex.Hex) []hex.Hex {
	z := s.zoneOf(u)
	if slices.Contains(z.Hexes, wanted) {
		return []hex.Hex{s.freeEntry(u.c.Side, wanted)}
	}
	var out []hex.Hex
	for _, h := range z.Hexes {
		if k := s.freeEntry(u.c.Side, h); k != hex.None {
			out = append(out, k)
		}
	}
	return out
}

// freeEntry is an entry hex, or if an enemy holds it the nearest map-edge hex that nobody
// holds; None if there is none.
//
// Steppe 4.0/5
//
// reading Steppe 4.0: who finds the entry hex closed comes by the nearest unoccupied one, of
// equally near ones by the lower number.
func (s *State) freeEntry(side Side, h hex.Hex) hex.Hex {
	if s.holder(h) != other(side) {
		return h
	}
	g := s.sc.land.grid
	best, score := hex.None, 1<<20
	for i := range s.at.slot {
		k := g.At(i)
		if !edgeOfMap(g, k) || !s.sc.Board.On(k) || s.entryTaken(i, side) {
			continue
		}
		if d := g.Distance(h, k); d < score {
			best, score = k, d
		}
	}
	return best
}

// entryTaken tells whether a hex is no place to come instead: somebody is there. By earlier
// versions of the rules a friend was nobody.
func (s *State) entryTaken(i int, side Side) bool {
	if s.sc.before(3) {
		return s.holderIx(i) == other(side)
	}
	return s.holderIx(i) != ""
}

func edgeOfMap(g hex.Grid, h hex.Hex) bool {
	switch h.Col() {
	case g.ColMin, g.ColMax:
		return true
	}
	switch h.Row() {
	case g.RowMin, g.RowMax:
		return true
	}
	return false
}

// enter brings reinforcements on the map.
//
// reading Steppe 4.0: "its own HQ" is any activated headquarters of the unit's colour;
// one that arrives itself comes with its own chit and may bring units at once. Units
// that enter pay for the first hex and may attack if the mode has Combat after Move.
func (a *activation) enter(in *instruction) {
	for _, u := range in.units {
		if why := a.mayEnter(u); why != "" {
			a.dropped(in.text, why)
			continue
		}
		a.enterUnit(u, in)
	}
}

// mayEnter says why a unit may not enter with this chit. Its range does not matter.
//
// Steppe 4.0/4
// Steppe 6.0/10
func (a *activation) mayEnter(u *Unit) string {
	switch {
	case !a.s.due(u):
		return u.c.Name + " " + notDue
	case a.hq == nil:
		return "reinforcements do not enter with an individual hex"
	case u != a.hq && !a.s.mayActivate(a.hq, u): // Steppe 4.0/2
		return fmt.Sprintf("%s does not enter with the chit of %s", u.c.Name, a.name)
	}
	return ""
}

// enterUnit brings one unit on the map as far as it comes.
func (a *activation) enterUnit(u *Unit, in *instruction) {
	s, was := a.s, *u
	w := s.newWalk(u)
	seeds := a.seeds(u, w, in.at)
	way, short := s.follow(u, w, in.inward(), seeds...)
	if way == nil {
		a.dropped(in.text, u.c.Name+" finds no room to enter")
		return
	}
	s.march(u, way)
	u.arrived() // Steppe 6.0/11
	a.did(u).begun = way[0]
	a.strode(stride{u: u, was: was, way: way, in: in}, view.Event{Kind: "enter", Clause: "Steppe 4.0",
		Side: string(a.side), Mark: "move", Hexes: way,
		Facts: view.Pairs{"unit", u.c.Name, "at", way[0].String(), "to", s.spot(u.Hex)}}, short)
}

// inward is the course of an ENTER order from the edge of the map on: where it leads
// nowhere, to the edge hex itself.
func (in *instruction) inward() course {
	c := in.course
	switch {
	case c.goal() == hex.None:
		c.to = in.at
	case len(c.path) > 0:
		c.to, c.path = c.goal(), nil
	}
	return c
}

// seeds are the hexes in which a reinforcement may begin, with the points that are left
// there: it pays for the first hex like for any other.
//
// Steppe 4.0/3
func (a *activation) seeds(u *Unit, w *walk, at hex.Hex) []seed {
	var out []seed
	for _, h := range a.s.entryHexes(u, at) {
		i := a.s.ix(h)
		left := w.mp - a.s.entryPrice(i, w.motorized)
		out = append(out, seed{i, max(left, 0), a.s.inZone(i, a.side)})
	}
	return out
}

// arrived marks a unit that came on the map in this activation: it is activated by that.
func (u *Unit) arrived() { u.Activated, u.Entered, u.Due = true, true, 0 }

// backHexes are where an eliminated headquarters may come back: in or beside a combat
// unit of its colour, no enemy in the hex.
//
// Steppe 4.1/2
//
// reading Steppe 4.1: replacements come to the hex of any unit of their colour or one beside it;
// enemy zones of control do not matter. For the Germans the book says nationality, which is wider;
// but command goes by colour, and a headquarters among units that it cannot activate is of no use.
func (s *State) backHexes(hq *Unit) []hex.Hex {
	var out []hex.Hex
	for u := range s.fielded(hq.c.Side) {
		if !u.combat() || u.c.Command != hq.c.Command {
			continue
		}
		for _, h := range append(s.sc.land.grid.Neighbours(u.Hex), u.Hex) {
			if s.holder(h) != other(hq.c.Side) {
				out = append(out, h)
			}
		}
	}
	return out
}

// comeBack places the returning headquarters of a side at the start of the Activation
// Phase.
//
// Steppe 4.1/1
// Steppe 2.4/9
func (s *State) comeBack(r *adjudicator.Run, side Side, wanted map[string]hex.Hex) {
	for i := range s.Units {
		if hq := &s.Units[i]; hq.c.Side == side && s.comesBack(hq) {
			s.comeBackTo(r, hq, wanted[hq.ID])
		}
	}
}

// comesBack tells whether it is time for an eliminated headquarters.
func (s *State) comesBack(u *Unit) bool {
	return u.Where == Later && u.Back && u.Due <= s.Turn
}

// comeBackTo places a returning headquarters where its owner wants it, if that may be,
// else by doctrine.
func (s *State) comeBackTo(r *adjudicator.Run, hq *Unit, wanted hex.Hex) {
	places := s.backHexes(hq)
	if len(places) == 0 {
		hq.Where, hq.Back = Gone, false // Steppe 4.1/3
		r.Tell(view.Event{Kind: "hq-gone", Clause: "Steppe 4.1", Side: string(hq.c.Side),
			Facts: view.Pairs{"hq", hq.c.Name}})
		return
	}
	h := wanted
	if !slices.Contains(places, h) {
		h = s.bestBack(hq, places)
	}
	hq.Back, hq.Due, hq.Cut = false, 0, 0
	s.put(hq, h)
	r.Tell(view.Event{Kind: "hq-back", Clause: "Steppe 4.1", Side: string(hq.c.Side), Hexes: []hex.Hex{h},
		Facts: view.Pairs{"hq", hq.c.Name, "hex", s.spot(h)}})
}

// bestBack is the place by doctrine: with the friendly stack of its colour that has
// most of its mates in range.
func (s *State) bestBack(hq *Unit, places []hex.Hex) hex.Hex {
	return slices.MaxFunc(places, func(a, b hex.Hex) int {
		return cmp.Or(s.mates(hq, a)-s.mates(hq, b), s.colourAt(hq, a)-s.colourAt(hq, b), int(b)-int(a))
	})
}

// mates counts the units that a headquarters could activate from a hex.
func (s *State) mates(hq *Unit, h hex.Hex) int {
	n := 0
	for u := range s.onMap() {
		if s.mayActivate(hq, u) && s.sc.land.grid.Distance(h, u.Hex) <= hq.c.Range {
			n++
		}
	}
	return n
}

func (s *State) colourAt(hq *Unit, h hex.Hex) int {
	n := 0
	for _, u := range s.unitsAt(h) {
		if u.c.Command == hq.c.Command {
			n += u.Steps
		}
	}
	return n
}

// rail places reinforcements in towns at the end of the Move mode.
//
// Steppe 4.2/1
//
// reading Steppe 4.2: reinforcements that are due and not on the map, of the activated
// headquarters' colour; they count as activated. One die a side and turn, thrown at the
// first Move mode that asks for it, is the limit for the whole turn.
func (a *activation) rail(in instruction) {
	s := a.s
	if a.hq == nil {
		a.dropped(in.text, "reinforcements do not come with an individual hex")
		return
	}
	for _, u := range in.units {
		if !s.due(u) || !s.mayActivate(a.hq, u) {
			a.dropped(in.text, fmt.Sprintf("%s is not due, or does not obey %s", u.c.Name, a.name))
			continue
		}
		i := slices.IndexFunc(in.places, func(h hex.Hex) bool { return s.room(s.ix(h), u) && s.railTo(a.side, h) })
		if i < 0 {
			a.dropped(in.text, "no such town is ours, with a path of our hexes to our map edge")
			continue
		}
		if rail := a.railOfTurn(); rail.Used >= rail.Die {
			a.dropped(in.text, fmt.Sprintf("%d units have been railed, as many as the die allows", rail.Used))
			continue
		}
		s.Rail[sideIndex(a.side)].Used++
		s.put(u, in.places[i])
		u.arrived()
		a.r.Tell(view.Event{Kind: "railed", Clause: "Steppe 4.2", Side: string(a.side), Hexes: []hex.Hex{u.Hex},
			Facts: view.Pairs{"unit", u.c.Name, "hex", s.spot(u.Hex)}})
	}
}

// railOfTurn is what the railway of the side does in this turn; its die is thrown when
// it is first asked for.
//
// Steppe 4.2/3
func (a *activation) railOfTurn() Rail {
	rail := &a.s.Rail[sideIndex(a.side)]
	if rail.Die == 0 {
		label := "rail " + string(a.side)
		rail.Die = a.r.Roll("Steppe 4.2", label, 1, 6)[0]
		a.r.Tell(view.Event{Kind: "rail-die", Clause: "Steppe 4.2", Side: string(a.side), Rolls: []string{label},
			Facts: view.Pairs{"die", strconv.Itoa(rail.Die), "label", label, "side", sideTitle(a.side)}})
	}
	return *rail
}

// railTo tells whether a town can be reached by rail: by a path of hexes that the side
// controls, from an entry hex of its own.
//
// Steppe 4.2/5
//
// reading Steppe 4.2: on a railway a friendly unit does not open a hex in an enemy zone of control;
// minor rivers are bridged for the railway, frozen Major Rivers still need the bridge.
func (s *State) railTo(side Side, h hex.Hex) bool {
	l := s.sc.land
	start := s.ix(h)
	if !s.railOpen(side, start) {
		return false
	}
	seen := make([]bool, len(s.at.slot))
	seen[start] = true
	queue := []int{start}
	for k := 0; k < len(queue); k++ {
		i := queue[k]
		if l.isEntry[sideIndex(side)][i] {
			return true
		}
		for d, n := range l.near[i] {
			j := int(n)
			if j < 0 || seen[j] || !s.railOpen(side, j) {
				continue
			}
			if l.water[i][d] == major && !s.intact(i, hex.Dir(d)) {
				continue // Steppe 4.2/7
			}
			seen[j] = true
			queue = append(queue, j)
		}
	}
	return false
}

// railOpen tells whether the railway of a side may run through a hex: one that it
// controls, so that no enemy is in it, and that none covers.
//
// Steppe 4.2/4
func (s *State) railOpen(side Side, i int) bool {
	if s.Control[i] != side[0] {
		return false
	}
	return !s.inZone(i, side) // Steppe 4.2/6
}
