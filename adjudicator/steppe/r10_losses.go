package steppe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// The kinds of decisions. KindActivation may be asked by mail; the others are answered
// from doctrine, STALWART by a game's choice.
const (
	KindOrders     = "turn orders"
	KindActivation = adjudicator.KindActivation
	kindLoss       = "loss"
	kindAir        = "air"
	kindDogfight   = "dogfight-loss"
	kindArtillery  = "artillery"
	kindStalwart   = "stalwart"
	kindRetreat    = "retreat"
	kindAdvance    = "advance"
	kindAntiTank   = "anti-tank"
	kindCancel     = "cancel"
	kindOverstack  = "overstack"
)

// The answers yes and no.
const (
	answerYes = "YES"
	answerNo  = "NO"
)

// stepOptions are the units that may take a loss.
func stepOptions(us []*Unit) []adjudicator.Option {
	var out []adjudicator.Option
	for _, u := range us {
		means := u.c.Name + " is turned over"
		if u.Steps == 1 {
			means = u.c.Name + " is eliminated"
		}
		out = append(out, adjudicator.Option{Answer: u.c.Name, Means: means})
	}
	return out
}

// implement carries out a result: losses of both sides, stalwart defence, retreat and
// advance, in that order.
//
// Steppe 10.2/3
// Steppe 10.2/4
func (c *combat) implement(res Result) {
	c.sashed = slices.DeleteFunc(c.defenders(), func(u *Unit) bool { return !u.red() })
	c.losses(res)
	defenders := c.defenders()
	gone := len(defenders) == 0
	if res.Retreat > 0 && !gone {
		gone = c.drive(defenders, res.Retreat)
	}
	if !gone {
		return
	}
	for _, u := range c.overrun {
		if u.Where == OnMap {
			// Steppe 9.3/6
			c.marked = append(c.marked, u)
			c.s.Marked[sideIndex(c.side)] = true
			c.r.Tell(view.Event{Kind: "overrun", Clause: "Steppe 9.3", Side: string(c.side), Hexes: []hex.Hex{u.Hex}, Facts: map[string]string{"unit": u.c.Name, "hex": c.s.spot(c.target)}})
		}
	}
	c.follow()
}

// losses takes the steps of both sides, one by one; neither side sees the other's
// choice of the same step.
//
// Steppe 10.2/5
// Steppe 10.2/6
// Steppe 10.2/7
// Steppe 10.2/8
// Steppe 10.2/9
// Steppe 2.4/13
//
// reading Steppe 10.2: a result of 2 is two steps of the side, spread as its owner likes;
// what exceeds the steps present is void. Any loss that falls on a lone headquarters
// eliminates it.
func (c *combat) losses(res Result) {
	for n := 1; n <= max(res.ALoss, res.DLoss); n++ {
		var ds []adjudicator.Decision
		var sides []Side
		ask := func(side Side, who string, us []*Unit, d *doctrine, order []string) {
			us = takers(us)
			if len(us) == 0 {
				return
			}
			dec := adjudicator.Decision{Label: fmt.Sprintf("loss %s %s %d", strings.TrimPrefix(c.label, "combat "), who, n), Kind: kindLoss, Side: side, Clause: "Steppe 10.2",
				Options: stepOptions(us)}
			dec.Proposal, dec.Source, dec.Ordered = c.loser(us, d, order, who == "defender" && res.Retreat > 0)
			ds, sides = append(ds, dec), append(sides, side)
		}
		if n <= res.ALoss {
			ask(c.side, "attacker", c.living(), c.doc, c.in.losses)
		}
		if n <= res.DLoss {
			ask(c.enemy, "defender", c.defenders(), c.def, nil)
		}
		if len(ds) == 0 {
			return
		}
		for i, name := range c.r.Ask(ds...) {
			c.s.loseStep(c.r, c.s.byName(sides[i], name))
		}
	}
}

// living are the attackers that are left.
func (c *combat) living() []*Unit {
	return slices.DeleteFunc(slices.Clone(c.units), func(u *Unit) bool { return u.Where != OnMap })
}

// takers are the units that may take a loss: combat units; a headquarters only where
// nothing else is left.
func takers(us []*Unit) []*Unit {
	if hasCombat(us) {
		return slices.DeleteFunc(slices.Clone(us), func(u *Unit) bool { return !u.combat() })
	}
	return us
}

// loser is the unit that takes a step by orders or doctrine: Kampfgruppen first, then
// units that only flip before units that die, then lowest points; never the unit that
// is to be kept; in a hex that must retreat, one that cannot first.
func (c *combat) loser(us []*Unit, d *doctrine, order []string, retreat bool) (name, source string, ordered bool) {
	source = "doctrine"
	for k, list := range [][]string{order, d.losses} {
		switch {
		case len(list) == 0:
			continue
		case list[0] == "WEAKEST" || list[0] == "STRONGEST":
			us = slices.Clone(us)
			slices.SortStableFunc(us, func(a, b *Unit) int {
				n := a.face().Attack + a.face().Defence - b.face().Attack - b.face().Defence
				if list[0] == "STRONGEST" {
					return -n
				}
				return n
			})
			return us[0].c.Name, "standing order: " + strings.ToLower(list[0]) + " first", k == 0
		}
		for _, n := range list {
			if i := slices.IndexFunc(us, func(u *Unit) bool { return u.c.Name == n }); i >= 0 {
				return n, "your order", k == 0
			}
		}
	}
	best := slices.MinFunc(us, func(a, b *Unit) int {
		return cmp.Or(first(slices.Contains(d.keep, b.c.Name), slices.Contains(d.keep, a.c.Name)), first(c.trapped(a, retreat), c.trapped(b, retreat)),
			first(a.c.KG, b.c.KG), first(a.Steps > 1, b.Steps > 1), c.s.worth(a)-c.s.worth(b), a.face().Attack+a.face().Defence-b.face().Attack-b.face().Defence)
	})
	return best.c.Name, source, false
}

// trapped tells whether a unit that must retreat has no way.
func (c *combat) trapped(u *Unit, retreat bool) bool {
	return retreat && len(c.s.retreats(u, 2)) == 0
}

// first orders what is true before what is false.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

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
		func(i int) int { return one(!s.supplied(u.c.Side)[i]) },
		func(i int) int { return -l.ground[i].Shift },
		func(i int) int { return one(len(s.at[i]) == 0) },
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

// follow lets the attackers advance into the hex that is empty now.
//
// Steppe 10.4/1
// Steppe 10.4/2
// Steppe 10.4/4
// Steppe 10.4/6
// Steppe 10.4/7
// Steppe 10.4/8
// Steppe 9.3/7
// Steppe 9.3/8
//
// reading Steppe 10.4: at once, and by any attackers; the programme says who, else
// doctrine. By doctrine the strongest infantry that is in supply takes a place of points,
// a city or a town, and nobody goes on to a second hex.
func (c *combat) follow() {
	for _, u := range c.advancers() {
		if c.mayAdvance(u) != "" {
			continue
		}
		proposal, source, ordered := c.goesOn(u)
		d := adjudicator.Decision{Label: fmt.Sprintf("advance %s %s", strings.TrimPrefix(c.label, "combat "), u.c.Name), Kind: kindAdvance, Side: c.side, Clause: "Steppe 10.4",
			Proposal: proposal, Source: source, Ordered: ordered,
			Options: []adjudicator.Option{{Answer: answerNo, Means: u.c.Name + " stays"}, {Answer: c.target.String(), Means: u.c.Name + " advances to " + c.s.spot(c.target)}}}
		for _, h := range c.seconds(u) {
			d.Options = append(d.Options, adjudicator.Option{Answer: h.String(), Means: fmt.Sprintf("%s advances through %v to %s", u.c.Name, c.target, c.s.spot(h))})
		}
		if !slices.ContainsFunc(d.Options, func(o adjudicator.Option) bool { return o.Answer == d.Proposal }) {
			d.Proposal = c.target.String() // the second hex is closed
		}
		answer := c.r.Ask(d)[0]
		if answer == answerNo {
			continue
		}
		to, _ := hex.Parse(answer) // one of the options
		way := []hex.Hex{u.Hex, c.target}
		if to != c.target {
			way = append(way, to)
		}
		from := u.Hex
		c.s.march(u, way)
		c.tellMove("advance", u, from, way)
	}
	c.s.trimAll(c.r)
}

// advancers are the attackers in the order in which they are asked: those that the order
// names first.
func (c *combat) advancers() []*Unit {
	us := c.living()
	slices.SortStableFunc(us, func(a, b *Unit) int {
		return cmp.Or(first(slices.Contains(c.in.advance, a), slices.Contains(c.in.advance, b)), first(!a.c.Mech, !b.c.Mech), b.face().Attack-a.face().Attack)
	})
	return us
}

// mayAdvance says why an attacker may not advance.
//
// Steppe 10.4/3
// Steppe 10.4/5
// Steppe 8.0/11
func (c *combat) mayAdvance(u *Unit) string {
	i := c.s.ix(u.Hex)
	d, ok := c.s.sc.land.grid.Direction(u.Hex, c.target)
	switch {
	case !ok:
		return "is not beside the hex"
	case c.s.barred(i, d):
		return "may not cross a Major River without a bridge"
	case !c.s.room(c.s.ix(c.target), u):
		return "finds no room"
	}
	return ""
}

// seconds are the hexes that a motorized unit may go on to.
//
// Steppe 10.4/3
// Steppe 3.1/9
//
// reading Steppe 10.4: any hex beside the first that no enemy holds; zones of control do
// not matter for either; in mud there is no second hex.
func (c *combat) seconds(u *Unit) []hex.Hex {
	if !u.c.Mech && !u.c.Motorized || c.s.Ground == mud {
		return nil
	}
	var out []hex.Hex
	i := c.s.ix(c.target)
	for d := hex.N; d <= hex.NW; d++ {
		j := int(c.s.sc.land.near[i][d])
		if j >= 0 && !c.s.barred(i, d) && c.s.hexAt(j) != u.Hex && c.s.room(j, u) {
			out = append(out, c.s.hexAt(j))
		}
	}
	return out
}

// goesOn is whether a unit advances by order or doctrine.
func (c *combat) goesOn(u *Unit) (answer, source string, ordered bool) {
	switch {
	case c.in.noAdvance:
		return answerNo, "your order", true
	case slices.Contains(c.in.advance, u):
		if c.in.second != hex.None && (u.c.Mech || u.c.Motorized) {
			return c.in.second.String(), "your order", true
		}
		return c.target.String(), "your order", true
	case len(c.in.advance) > 0:
		return answerNo, "your order", true
	}
	place := c.s.isObjective(c.target) || c.s.sc.land.place[c.s.ix(c.target)]
	key := c.doc.isKey(c.target) || c.in.key
	taken := len(c.s.unitsAt(c.target)) > 0
	switch c.doc.advance {
	case "NO":
		return answerNo, "standing order", false
	case "ALL":
		return c.target.String(), "standing order", false
	case "KEY":
		if key && !taken {
			return c.target.String(), "standing order", false
		}
		return answerNo, "standing order", false
	}
	if place && !taken && (!u.c.Mech || !slices.ContainsFunc(c.living(), func(o *Unit) bool { return !o.c.Mech })) && c.s.supplied(c.side)[c.s.ix(u.Hex)] {
		return c.target.String(), "doctrine", false
	}
	return answerNo, "doctrine", false
}
