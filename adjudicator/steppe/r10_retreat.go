package steppe

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// drive makes the defenders retreat, unit by unit; red-sash units may stand at the price
// of a step. It reports whether the hex is empty of them.
//
// Steppe 10.3/1
// Steppe 10.3/2
// Steppe 10.3/3
// Steppe 10.5/1
// Steppe 10.5/6
// Steppe 10.2/10
//
// reading Steppe 10.5: asked for each red-sash unit after the losses. Units without red
// sash in the hex retreat all the same; while a stalwart one remains nobody advances.
func (c *combat) drive(us []*Unit, hexes int) bool {
	empty := true
	for _, u := range us {
		if u.Where == OnMap && c.mayStand(u) && c.stands(u, hexes) {
			empty = false
		}
	}
	for _, u := range us {
		if u.Where == OnMap && !slices.Contains(c.steady, u) {
			c.retreat(u, hexes)
		}
	}
	return empty && len(c.s.unitsAt(c.target)) == 0
}

// mayStand tells whether a unit may defend stalwartly: one that was red-sashed when the
// dice fell.
//
// Steppe 10.5/5
//
// reading Steppe 10.5: a unit that loses its last red step to the result may still
// stand, as a depleted white one.
func (c *combat) mayStand(u *Unit) bool { return u.c.Red > 0 && (u.red() || c.wasRed(u)) }

// wasRed: it has lost its last red step in this combat.
func (c *combat) wasRed(u *Unit) bool {
	return u.Steps == u.c.Steps()-u.c.Red && u.Steps > 1 && slices.Contains(c.sashed, u)
}

// stands asks the owner whether a red-sash unit pays a step to stay.
//
// Steppe 10.5/2
// Steppe 10.5/3
// Steppe 10.5/4
func (c *combat) stands(u *Unit, hexes int) bool {
	proposal, source := answerNo, "doctrine"
	d := c.def
	switch {
	case d.stand == "ALWAYS":
		proposal, source = answerYes, "standing order"
	case d.stand == "NEVER":
		source = "standing order"
	case d.stand == "KEY":
		source = "standing order"
		if d.isKey(c.target) || slices.Contains(d.standAt, c.target) {
			proposal = answerYes
		}
	case u.Steps >= 2 && (c.s.isObjective(c.target) || c.s.sc.land.city[c.s.ix(c.target)] || len(c.s.retreats(u, hexes)) == 0):
		proposal = answerYes
	}
	answer := c.r.Ask(adjudicator.Decision{Label: fmt.Sprintf("stalwart %s %s", strings.TrimPrefix(c.label, "combat "), u.c.Name), Kind: kindStalwart, Side: c.enemy, Clause: "Steppe 10.5",
		Options:  []adjudicator.Option{{Answer: answerYes, Means: u.c.Name + " loses a step and stays"}, {Answer: answerNo, Means: u.c.Name + " retreats"}},
		Proposal: proposal, Source: source})[0]
	if answer == answerNo {
		return false
	}
	c.r.Tell(view.Event{Kind: "stalwart", Clause: "Steppe 10.5", Side: string(c.enemy), Hexes: []hex.Hex{c.target}, Facts: map[string]string{"unit": u.c.Name, "hex": c.s.spot(c.target)}})
	c.s.loseStep(c.r, u)
	c.steady = append(c.steady, u)
	return u.Where == OnMap
}

// retreat takes one unit back.
//
// Steppe 10.3/6
// Steppe 10.3/8
func (c *combat) retreat(u *Unit, hexes int) {
	ways := c.s.retreats(u, hexes)
	if len(ways) == 0 {
		c.r.Tell(view.Event{Kind: "trapped", Clause: "Steppe 10.3", Side: string(c.enemy), Hexes: []hex.Hex{c.target}, Facts: map[string]string{"unit": u.c.Name, "hex": c.s.spot(c.target)}})
		c.s.destroy(c.r, u)
		return
	}
	best, source := c.bestRetreat(u, ways)
	d := adjudicator.Decision{Label: fmt.Sprintf("retreat %s %s", strings.TrimPrefix(c.label, "combat "), u.c.Name), Kind: kindRetreat, Side: c.enemy, Clause: "Steppe 10.3",
		Proposal: best.String(), Source: source}
	for _, w := range ways {
		d.Options = append(d.Options, adjudicator.Option{Answer: w[len(w)-1].String(), Means: fmt.Sprintf("%s retreats to %s", u.c.Name, c.s.spot(w[len(w)-1]))})
	}
	to, _ := hex.Parse(c.r.Ask(d)[0]) // one of the options
	i := slices.IndexFunc(ways, func(w []hex.Hex) bool { return w[len(w)-1] == to })
	way := ways[i]
	for _, h := range way {
		c.s.take(h, u.c.Side)
	}
	c.s.put(u, to)
	c.r.Tell(view.Event{Kind: "retreat", Clause: "Steppe 10.3", Side: string(c.enemy), Mark: "retreat", Hexes: way, Facts: map[string]string{"unit": u.c.Name, "from": c.s.spot(way[0]), "to": c.s.spot(to)}})
}

// retreats finds the complete ways of a retreat, one for each hex where it may end, in
// order of the hexes: every step brings the unit nearer to one and the same source, which
// no enemy holds or covers; no step goes into an enemy zone of control, over an unbridged
// Major River or into the enemy, and none ends over the stacking limit.
//
// Steppe 10.3/4
// Steppe 10.3/5
// Steppe 10.3/7
// Steppe 9.1/3
// Steppe 8.0/10
// Steppe 7.1/6
//
// reading Steppe 10.3: a unit may pass through friends. One that reaches its source stops
// there and survives. A hex that a friend holds in an enemy zone of control is closed.
func (s *State) retreats(u *Unit, hexes int) [][]hex.Hex {
	l := s.sc.land
	closed := func(i int, d hex.Dir) bool {
		j := int(l.near[i][d])
		return j < 0 || s.barred(i, d) || s.inZone(j, u.c.Side) || s.holderIx(j) == other(u.c.Side)
	}
	var out [][]hex.Hex
	var way [4]hex.Hex
	for _, src := range s.sources(u.c.Side) {
		goal := int(src)
		if s.inZone(goal, u.c.Side) {
			continue
		}
		var step func(i, n int)
		step = func(i, n int) {
			way[n] = s.hexAt(i)
			if n == hexes || i == goal {
				known := slices.ContainsFunc(out, func(w []hex.Hex) bool { return w[len(w)-1] == way[n] })
				if !known && s.room(i, u) {
					out = append(out, slices.Clone(way[:n+1]))
				}
				return
			}
			for d := hex.N; d <= hex.NW; d++ {
				if j := int(l.near[i][d]); !closed(i, d) && l.distance(j, goal) < l.distance(i, goal) {
					step(j, n+1)
				}
			}
		}
		step(s.ix(u.Hex), 0)
	}
	slices.SortFunc(out, func(a, b []hex.Hex) int { return int(a[len(a)-1]) - int(b[len(b)-1]) })
	return out
}

// bestRetreat chooses by the published order: not beside an enemy, in supply, best
// terrain, with friends, nearest headquarters of its colour, lowest number; before all
// that what the owner has ordered.
func (c *combat) bestRetreat(u *Unit, ways [][]hex.Hex) (hex.Hex, string) {
	s, l := c.s, c.s.sc.land
	if len(ways) == 1 {
		return ways[0][len(ways[0])-1], "the only way"
	}
	source := "doctrine"
	if c.def.toward != hex.None || len(c.def.shun) > 0 {
		source = "standing order"
	}
	ends := make([]int, len(ways))
	for i, w := range ways {
		ends[i] = s.ix(w[len(w)-1])
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
	low := 0
	for _, i := range list {
		p := price(i)
		if len(out) == 0 || p < low {
			out, low = append(out[:0], i), p
		} else if p == low {
			out = append(out, i)
		}
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
	for k := range s.Units {
		if u := &s.Units[k]; u.Where == OnMap && u.c.Type == HQ && u.c.Command == c {
			near = min(near, s.sc.land.distance(i, s.ix(u.Hex)))
		}
	}
	return near
}
