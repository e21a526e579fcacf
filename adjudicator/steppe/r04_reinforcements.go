package steppe

import (
	"cmp"
	"fmt"
	"slices"

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
	return u.Where == Later && !u.Back && u.Due > 0 && u.Due <= s.Turn
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
// zone that no enemy holds; if all are taken, the nearest free map-edge hex.
//
// Steppe 4.0/1
// Steppe 4.0/5
//
// reading Steppe 4.0: nearest by hexes, ties by the lower number.
func (s *State) entryHexes(u *Unit, wanted hex.Hex) []hex.Hex {
	z := s.zoneOf(u)
	free := func(h hex.Hex) bool { return s.holder(h) != other(u.c.Side) }
	g := s.sc.land.grid
	near := func(h hex.Hex) hex.Hex {
		if free(h) {
			return h
		}
		best, score := hex.None, 1<<20
		for i := range s.at.slot {
			k := g.At(i)
			if !s.sc.Board.On(k) || !free(k) || !edgeOfMap(g, k) {
				continue
			}
			if d := g.Distance(h, k); d < score {
				best, score = k, d
			}
		}
		return best
	}
	if wanted != hex.None && slices.Contains(z.Hexes, wanted) {
		return []hex.Hex{near(wanted)}
	}
	var out []hex.Hex
	for _, h := range z.Hexes {
		if k := near(h); k != hex.None && !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}

func edgeOfMap(g hex.Grid, h hex.Hex) bool {
	return h.Col() == g.ColMin || h.Col() == g.ColMax || h.Row() == g.RowMin || h.Row() == g.RowMax
}

// enter brings reinforcements on the map.
//
// Steppe 4.0/1
// Steppe 4.0/2
// Steppe 4.0/3
// Steppe 4.0/4
// Steppe 6.0/11
//
// reading Steppe 4.0: "its own HQ" is any activated headquarters of the unit's colour;
// one that arrives itself comes with its own chit and may bring units at once. Units
// that enter pay for the first hex and may attack if the mode has Combat after Move.
func (a *activation) enter(in instruction) {
	s := a.s
	for _, u := range in.units {
		switch {
		case !s.due(u):
			a.dropped(in.text, u.c.Name+" is not due")
			continue
		case a.hq == nil:
			a.dropped(in.text, "reinforcements do not enter with an individual hex")
			continue
		case u != a.hq && !s.mayActivate(a.hq, u):
			a.dropped(in.text, fmt.Sprintf("%s does not enter with the chit of %s", u.c.Name, a.name))
			continue
		}
		w := s.newWalk(u)
		var seeds []seed
		for _, h := range s.entryHexes(u, in.at) {
			i := s.ix(h)
			left := w.mp - s.entryPrice(i, w.motorized)
			seeds = append(seeds, seed{i, max(left, 0), left <= 0 || w.oneHex || s.inZone(i, a.side)})
		}
		c := in.course
		if c.goal() == hex.None {
			c.to = in.at
		}
		if len(c.path) > 0 {
			c.to, c.path = c.goal(), nil
		}
		way, short := s.follow(u, w, c, seeds...)
		if len(seeds) == 0 || way == nil {
			a.dropped(in.text, u.c.Name+" finds no room to enter")
			continue
		}
		s.march(u, way)
		u.Activated, u.Entered, u.Due = true, true, 0
		a.did(u).begun = way[0]
		a.r.Tell(view.Event{Kind: "enter", Clause: "Steppe 4.0", Side: string(a.side), Mark: "move", Hexes: way,
			Facts: map[string]string{"unit": u.c.Name, "at": way[0].String(), "to": s.spot(u.Hex)}})
		if short {
			a.dropped(in.text, fmt.Sprintf("%s stops at %s, short of %s", u.c.Name, s.spot(u.Hex), s.spot(c.goal())))
		}
	}
}

// backHexes are where an eliminated headquarters may come back: in or beside a combat
// unit of its colour, no enemy in the hex.
//
// Steppe 4.1/1
// Steppe 4.1/2
//
// reading Steppe 4.1: any colour-mate's hex or one beside it; enemy zones of control do
// not matter.
func (s *State) backHexes(hq *Unit) []hex.Hex {
	var out []hex.Hex
	add := func(h hex.Hex) {
		if s.sc.Board.On(h) && s.holder(h) != other(hq.c.Side) && !slices.Contains(out, h) {
			out = append(out, h)
		}
	}
	for i := range s.Units {
		u := &s.Units[i]
		if u.Where != OnMap || !u.combat() || u.c.Command != hq.c.Command {
			continue
		}
		add(u.Hex)
		for _, n := range s.sc.land.grid.Neighbours(u.Hex) {
			add(n)
		}
	}
	slices.Sort(out)
	return out
}

// comeBack places returning headquarters at the start of the Activation Phase.
//
// Steppe 4.1/1
// Steppe 4.1/3
// Steppe 2.4/9
func (s *State) comeBack(r *adjudicator.Run, side Side, wanted map[string]hex.Hex) {
	for i := range s.Units {
		hq := &s.Units[i]
		if hq.Where != Later || !hq.Back || hq.Due > s.Turn || hq.c.Side != side {
			continue
		}
		places := s.backHexes(hq)
		if len(places) == 0 {
			hq.Where, hq.Back = Gone, false
			r.Tell(view.Event{Kind: "hq-gone", Clause: "Steppe 4.1", Side: string(side), Facts: map[string]string{"hq": hq.c.Name}})
			continue
		}
		h, ok := wanted[hq.ID]
		if !ok || !slices.Contains(places, h) {
			h = s.bestBack(hq, places)
		}
		hq.Back, hq.Due, hq.Cut = false, 0, 0
		s.put(hq, h)
		r.Tell(view.Event{Kind: "hq-back", Clause: "Steppe 4.1", Side: string(side), Hexes: []hex.Hex{h}, Facts: map[string]string{"hq": hq.c.Name, "hex": s.spot(h)}})
	}
}

// bestBack is the place by doctrine: with the friendly stack of its colour that has
// most of its mates in range.
func (s *State) bestBack(hq *Unit, places []hex.Hex) hex.Hex {
	return slices.MaxFunc(places, func(a, b hex.Hex) int {
		return cmp.Or(s.mates(hq, a)-s.mates(hq, b), s.colourAt(hq, a)-s.colourAt(hq, b), int(b)-int(a))
	})
}

func (s *State) mates(hq *Unit, h hex.Hex) int {
	n := 0
	for i := range s.Units {
		if u := &s.Units[i]; u.Where == OnMap && s.mayActivate(hq, u) && s.sc.land.grid.Distance(h, u.Hex) <= hq.c.Range {
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
// Steppe 4.2/2
// Steppe 4.2/3
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
	rail := &s.Rail[sideIndex(a.side)]
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
		if rail.Die == 0 {
			rail.Die = a.r.Roll("Steppe 4.2", "rail "+string(a.side), 1, 6)[0]
			a.r.Tell(view.Event{Kind: "rail-die", Clause: "Steppe 4.2", Side: string(a.side), Rolls: []string{"rail " + string(a.side)},
				Facts: map[string]string{"die": fmt.Sprint(rail.Die), "label": "rail " + string(a.side), "side": sideTitle(a.side)}})
		}
		if rail.Used >= rail.Die {
			a.dropped(in.text, fmt.Sprintf("%d units have been railed, as many as the die allows", rail.Used))
			continue
		}
		rail.Used++
		s.put(u, in.places[i])
		u.Activated, u.Entered, u.Due = true, true, 0
		a.r.Tell(view.Event{Kind: "railed", Clause: "Steppe 4.2", Side: string(a.side), Hexes: []hex.Hex{u.Hex}, Facts: map[string]string{"unit": u.c.Name, "hex": s.spot(u.Hex)}})
	}
}

// railTo tells whether a town can be reached by rail.
//
// Steppe 4.2/4
// Steppe 4.2/5
// Steppe 4.2/6
// Steppe 4.2/7
//
// reading Steppe 4.2: a friendly unit does not open a hex in an enemy zone of control;
// minor rivers are bridged for the railway, frozen Major Rivers still need the bridge.
func (s *State) railTo(side Side, h hex.Hex) bool {
	l := s.sc.land
	start := s.ix(h)
	ok := func(i int) bool {
		return s.Control[i] == side[0] && !s.inZone(i, side) && s.holderIx(i) != other(side)
	}
	if !l.place[start] || !ok(start) {
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
		for d := hex.N; d <= hex.NW; d++ {
			j := int(l.near[i][d])
			if j < 0 || seen[j] || !ok(j) || l.water[i][d] == major && !s.intact(i, d) {
				continue
			}
			seen[j] = true
			queue = append(queue, j)
		}
	}
	return false
}
