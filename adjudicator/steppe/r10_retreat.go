package steppe

import (
	"fmt"
	"math"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// drive makes the defenders retreat, unit by unit; red-sash units may stand at the price
// of a step. It reports whether the hex is empty of them.
//
// Steppe 10.3/1
// Steppe 10.2/10
//
// reading Steppe 10.5: whether to stand is asked for each red-sash unit after the losses. Units
// without red sash in the hex retreat all the same; while a stalwart one remains nobody advances.
func (c *combat) drive(us []*Unit, hexes int) bool {
	for _, u := range onMap(us) {
		if c.mayStand(u) {
			c.stands(u, hexes)
		}
	}
	for _, u := range onMap(us) {
		if !slices.Contains(c.steady, u) {
			c.retreat(u, hexes) // Steppe 10.3/2
		}
	}
	return len(c.s.unitsAt(c.target)) == 0 // Steppe 10.5/6
}

// onMap are those of the units that are on the map.
func onMap(us []*Unit) []*Unit {
	return slices.DeleteFunc(slices.Clone(us), func(u *Unit) bool { return u.Where != OnMap })
}

// mayStand tells whether a unit may defend stalwartly: one that was red-sashed when the
// dice fell.
//
// Steppe 10.5/5
//
// reading Steppe 10.5: a unit that loses its last red step to the result may still
// stand, as a depleted white one.
func (c *combat) mayStand(u *Unit) bool { return u.red() || c.wasRed(u) }

// wasRed: it has lost its last red step in this combat, and has a step left to pay.
func (c *combat) wasRed(u *Unit) bool {
	justReplaced := u.c.Red > 0 && u.Steps == u.c.Steps()-u.c.Red
	return justReplaced && u.Steps > 1 && slices.Contains(c.sashed, u)
}

// stands asks the owner whether a red-sash unit pays a step to stay: it becomes
// depleted, or is replaced by its white-sash unit, full or depleted.
//
// Steppe 10.5/1
func (c *combat) stands(u *Unit, hexes int) {
	stay, source := c.standsBy(u, hexes)
	proposal := answerNo
	if stay {
		proposal = answerYes
	}
	answer := c.r.Ask(adjudicator.Decision{Label: fmt.Sprintf("stalwart %s %s", c.base, u.c.Name), Kind: kindStalwart,
		Side: c.enemy, Clause: "Steppe 10.5", Proposal: proposal, Source: source,
		Options: []adjudicator.Option{
			{Answer: answerYes, Means: u.c.Name + " loses a step and stays"},
			{Answer: answerNo, Means: u.c.Name + " retreats"}}})[0]
	if answer == answerNo {
		return
	}
	c.tellHere("stalwart", "Steppe 10.5", c.enemy, view.Pairs{"unit", u.c.Name, "hex", c.s.spot(c.target)})
	// The price is the next step, whatever the result took before.
	//
	// Steppe 10.5/2
	// Steppe 10.5/3
	// Steppe 10.5/4
	c.s.loseStep(c.r, u)
	c.steady = append(c.steady, u)
}

// standsBy is whether a unit stands by standing order, or by doctrine: in a place of
// points, in a city, and where it could not retreat.
func (c *combat) standsBy(u *Unit, hexes int) (stay bool, source string) {
	switch c.def.stand {
	case standAlways:
		return true, "standing order"
	case standNever:
		return false, "standing order"
	case standAtKey:
		return c.def.isKey(c.target) || slices.Contains(c.def.standAt, c.target), "standing order"
	}
	source = "doctrine"
	switch {
	case u.Steps < 2:
		return false, source
	case c.s.isObjective(c.target), c.s.sc.land.city[c.s.ix(c.target)]:
		return true, source
	}
	return len(c.s.retreats(u, hexes)) == 0, source
}

// retreat takes one unit back; it is the owner's choice where to.
//
// Steppe 10.3/8
func (c *combat) retreat(u *Unit, hexes int) {
	ways := c.s.retreats(u, hexes)
	if len(ways) == 0 {
		c.tellHere("trapped", "Steppe 10.3", c.enemy, view.Pairs{"unit", u.c.Name, "hex", c.s.spot(c.target)})
		c.s.destroy(c.r, u) // Steppe 10.3/6
		return
	}
	best, source := c.bestRetreat(u, ways)
	d := adjudicator.Decision{Label: "retreat " + c.base + " " + u.c.Name, Kind: kindRetreat, Side: c.enemy,
		Clause: "Steppe 10.3", Proposal: best.String(), Source: source}
	for _, w := range ways {
		d.Options = append(d.Options, adjudicator.Option{Answer: last(w).String(),
			Means: u.c.Name + " retreats to " + c.s.spot(last(w))})
	}
	to, _ := hex.Parse(c.r.Ask(d)[0]) // one of the options
	way := ways[slices.IndexFunc(ways, func(w []hex.Hex) bool { return last(w) == to })]
	for _, h := range way {
		c.s.take(h, u.c.Side)
	}
	c.s.put(u, to) // Steppe 10.3/3
	e := c.eventHere("retreat", "Steppe 10.3", c.enemy,
		view.Pairs{"unit", u.c.Name, "from", c.s.spot(way[0]), "to", c.s.spot(to)})
	e.Mark, e.Hexes = "retreat", way
	c.r.Tell(e)
}

// last is where a way ends.
func last(way []hex.Hex) hex.Hex { return way[len(way)-1] }

// retreats finds the complete ways of a retreat, one for each hex where it may end, in
// order of the hexes: every step brings the unit nearer to one and the same source.
//
// Steppe 10.3/4
//
// reading Steppe 10.3: a unit may pass through friends. One that reaches its source stops
// there and survives. A hex that a friend holds in an enemy zone of control is closed.
func (s *State) retreats(u *Unit, hexes int) [][]hex.Hex {
	l := s.sc.land
	var out [][]hex.Hex
	var way [4]hex.Hex
	for _, src := range s.sources(u.c.Side) {
		goal := int(src)
		if s.inZone(goal, u.c.Side) {
			continue // Steppe 10.3/5
		}
		var step func(i, n int)
		step = func(i, n int) {
			way[n] = s.hexAt(i)
			if n == hexes || i == goal {
				if s.room(i, u) && !slices.ContainsFunc(out, func(w []hex.Hex) bool { return last(w) == way[n] }) {
					out = append(out, slices.Clone(way[:n+1])) // Steppe 7.1/6
				}
				return
			}
			for d := hex.N; d <= hex.NW; d++ {
				j := int(l.near[i][d])
				if j < 0 || l.distance(j, goal) >= l.distance(i, goal) {
					continue
				}
				if !s.noRetreat(u.c.Side, i, d) {
					step(j, n+1)
				}
			}
		}
		step(s.ix(u.Hex), 0)
	}
	slices.SortFunc(out, func(a, b []hex.Hex) int { return int(last(a)) - int(last(b)) })
	return out
}

// noRetreat tells whether a step of a retreat on the map is closed: by the enemy, by a Major River
// without a bridge, by a zone of control.
//
// Steppe 10.3/7
func (s *State) noRetreat(side Side, i int, d hex.Dir) bool {
	j := int(s.sc.land.near[i][d])
	switch {
	case s.holderIx(j) == other(side):
		return true
	case s.barred(i, d): // Steppe 9.1/3
		return true
	}
	return s.inZone(j, side) // Steppe 8.0/10
}

// bestRetreat chooses by the published order: not beside an enemy, in supply, best
// terrain, with friends, nearest headquarters of its colour, lowest number; before all
// that what the owner has ordered.
func (c *combat) bestRetreat(u *Unit, ways [][]hex.Hex) (hex.Hex, string) {
	s, l := c.s, c.s.sc.land
	if len(ways) == 1 {
		return last(ways[0]), "the only way"
	}
	source := "doctrine"
	if c.def.toward != hex.None || len(c.def.shun) > 0 {
		source = "standing order"
	}
	ends := make([]int, len(ways))
	for i, w := range ways {
		ends[i] = s.ix(last(w))
	}
	for _, price := range []func(i int) int{
		func(i int) int { return one(slices.Contains(c.def.shun, l.ground[i].Name)) },
		func(i int) int {
			if c.def.toward == hex.None {
				return 0
			}
			return l.distance(i, s.ix(c.def.toward))
		},
		func(i int) int { return one(s.beside(i, c.side)) },
		func(i int) int { return one(!s.linked(u.c.Side, i)) },
		func(i int) int { return -l.ground[i].Shift },
		func(i int) int { return one(len(s.stack(i)) == 0) },
		func(i int) int { return s.nearestHQ(u.c.Command, i) },
		func(i int) int { return int(s.hexAt(i)) },
	} {
		if ends = cheapest(ends, price); len(ends) == 1 {
			break
		}
	}
	return s.hexAt(ends[0]), source
}

// cheapest keeps those of the lowest price.
func cheapest(list []int, price func(int) int) []int {
	var out []int
	low := math.MaxInt
	for _, i := range list {
		p := price(i)
		if p > low {
			continue
		}
		if p < low {
			out, low = out[:0], p
		}
		out = append(out, i)
	}
	return out
}

// one is 1 for what is true.
func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// nearestHQ is the distance from a hex to the nearest headquarters of a command.
func (s *State) nearestHQ(c Command, i int) int {
	near := 1 << 20
	for u := range s.onMap() {
		if u.c.Type == HQ && u.c.Command == c {
			near = min(near, s.sc.land.distance(i, s.ix(u.Hex)))
		}
	}
	return near
}
