package wb95

import (
	"fmt"
	"slices"
	"strconv"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// fallback is a retreat that was made: units that went one way together.
type fallback struct {
	units  []*Unit
	from   hex.Hex
	walked []hex.Hex // the hexes entered
}

// shortfall is a unit that stayed, or did not go as far as demanded.
type shortfall struct {
	unit    *Unit
	missing int
}

// way is a retreat that units may make: the hexes entered, and the steps that
// each unit loses on it (5.3.4).
type way struct {
	path []hex.Hex
	toll []bool // by hex of the path
	cost int
}

func (w way) end() hex.Hex { return w.path[len(w.path)-1] }

// retreat has the beaten side fall back or pay. The table never makes both sides retreat.
//
// WB-95 3.1.2
// WB-95 5.3.1
func (c *combat) retreat() {
	side, us, n := c.other, c.s.all(c.defenders, c.late), c.result.DRetreat
	if c.result.ARetreat > 0 {
		side, us, n = c.side, c.units, c.result.ARetreat
	}
	if n == 0 {
		return
	}
	us = append(us, c.movableGuns(side)...)
	var from []hex.Hex
	stood := map[*Unit]hex.Hex{} // who falls back onto another hex of the combat does not retreat twice
	for _, u := range c.s.alive(us) {
		from, stood[u] = append(from, u.Hex), u.Hex
	}
	for _, h := range sorted(from) {
		c.leave(side, h, slices.DeleteFunc(c.s.alive(us), func(u *Unit) bool { return stood[u] != h }), n)
	}
	c.payForStaying(side)
	for _, u := range c.s.alive(c.s.all(us, c.gunsBeside(side))) {
		if rooted(u) && !c.holdsWith(u) {
			c.toBoth("combat-left", "WB-95 6.2.4", []hex.Hex{u.Hex}, "unit", u.c.Name, "hex", u.Hex.String(), "side", c.s.sc.nameOf(side))
		}
	}
}

// holdsWith tells whether somebody else than guns and headquarters is on the unit's hex.
func (c *combat) holdsWith(u *Unit) bool { return !c.emptied(u.Hex) }

// emptied tells whether nobody is on the hex but what a pursuer rides down.
//
// WB-95 5.4.4
func (c *combat) emptied(h hex.Hex) bool {
	return !slices.ContainsFunc(c.s.unitsAt(h), func(u *Unit) bool { return !u.soft() })
}

// leave has the units of one hex retreat. Units stay together unless their owner
// splits the stack.
//
// WB-95 5.3.7
// WB-95 5.3.8
// reading WB-95 5.1.9: headquarters and limbered guns alone on a hex cannot
// retreat: they pay the whole price or are lost.
// reading WB-95 15.2.1: a resilience group holds and pays like a unit that stays, for it cannot
// retreat.
func (c *combat) leave(side Side, h hex.Hex, us []*Unit, n int) {
	if slices.Contains(c.cornered, h) {
		c.lose(payment{side: side, steps: n, payers: func() []*Unit { return c.s.alive(us) },
			what: "cornered " + h.String(), why: "cannot retreat", clause: "WB-95 5.1.9"})
		return
	}
	var mobile []*Unit
	for _, u := range us {
		switch {
		case rooted(u):
		case u.c.Type == RG:
			c.short = append(c.short, &shortfall{u, n})
		default:
			mobile = append(mobile, u)
		}
	}
	if len(mobile) == 0 {
		return
	}
	label := c.s.join("retreat ", c.at.String(), " ", h.String())
	if c.fallTogether(label, c.retreating(side, h, mobile, n)) {
		return
	}
	for _, u := range mobile {
		c.fallTogether(fmt.Sprintf("retreat %v %s", c.at, c.s.labelName(u)), c.retreating(side, h, []*Unit{u}, n))
	}
}

// retreating is units of one hex that have to fall back together, and where they can.
type retreating struct {
	side Side
	from hex.Hex
	us   []*Unit
	n    int // hexes that the result demands
	ways []way
}

func (c *combat) retreating(side Side, from hex.Hex, us []*Unit, n int) retreating {
	return retreating{side, from, us, n, c.s.ways(us, from, n)}
}

// Answers to a retreat decision that are no path.
const (
	answerStay  = "STAY"
	answerSplit = "SPLIT"
)

// fallTogether asks where the units go together and lets them. It reports false if the
// owner splits them.
//
// WB-95 5.3.2
// WB-95 5.3.7
func (c *combat) fallTogether(label string, back retreating) bool {
	h, us, n := back.from, back.us, back.n
	answer := answerStay
	if options := c.retreatOptions(back); len(options) > 1 {
		d := adjudicator.Decision{Label: label, Kind: kindRetreat, Side: c.s.chief(back.side, us), Clause: "WB-95 5.3.7", Options: options}
		proposal, source := c.proposeRetreat(back)
		answer = c.decide(d, proposal, source)
	}
	switch answer {
	case answerSplit:
		return false
	case answerStay:
		for _, u := range us {
			c.short = append(c.short, &shortfall{u, n})
		}
		c.toBoth("combat-stay", "WB-95 5.3.7", []hex.Hex{h}, "units", names(us), "hex", h.String(), "hexes", howMany(n, "hex", "hexes"), "side", c.s.sc.nameOf(back.side))
	default:
		i := slices.IndexFunc(back.ways, func(w way) bool { return c.s.trailOf(h, w) == answer })
		c.fall(back, back.ways[i])
	}
	return true
}

func (w way) from(h hex.Hex) []hex.Hex { return append([]hex.Hex{h}, w.path...) }

// trailOf writes a retreat from a hex.
func (s *State) trailOf(h hex.Hex, w way) string {
	var room [80]byte
	return s.room.texts.Keep(appendTrail(append(append(room[:0], h.String()...), '-'), w.path))
}

// retreatOptions are what the units may do: stay, which they always may, split up if one
// of them could go alone, or fall back together.
func (c *combat) retreatOptions(back retreating) []adjudicator.Option {
	out := c.s.room.options.Take(len(back.ways) + 2)
	out = append(out, adjudicator.Option{Answer: answerStay, Means: "stay and pay " + howMany(back.n-c.relief(back.from), "step", "steps")})
	couldGo := func(u *Unit) bool { return len(c.s.ways([]*Unit{u}, back.from, back.n)) > 0 }
	if len(back.us) > 1 && slices.ContainsFunc(back.us, couldGo) {
		out = append(out, adjudicator.Option{Answer: answerSplit, Means: "each unit by itself"})
	}
	for _, w := range back.ways {
		means := c.s.join("fall back ", howMany(len(w.path), "hex", "hexes"), " to ", w.end().String())
		if w.cost > 0 {
			means += fmt.Sprintf(", each unit loses %s", howMany(w.cost, "step", "steps"))
		}
		if short := back.n - len(w.path); short > 0 {
			means += fmt.Sprintf(", pay %s for the rest", howMany(short, "step", "steps"))
		}
		out = append(out, adjudicator.Option{Answer: c.s.trailOf(back.from, w), Means: means})
	}
	return out
}

// fall makes a retreat.
//
// WB-95 5.3.4
// WB-95 5.3.10
func (c *combat) fall(back retreating, w way) {
	h, us := back.from, back.us
	same := slices.IndexFunc(c.fallen, func(f *fallback) bool { return f.from == h && slices.Equal(f.walked, w.path) })
	if same >= 0 {
		c.fallen[same].units = c.s.all(c.fallen[same].units, us)
	} else {
		c.fallen = append(c.fallen, &fallback{units: us, from: h, walked: w.path})
	}
	c.tell(view.Event{Kind: "combat-retreat", Clause: "WB-95 5.3.2", Hexes: w.from(h), Mark: "retreat", Side: string(back.side),
		Facts: view.Pairs{"units", names(us), "from", h.String(), "to", w.end().String(),
			"path", c.s.trailOf(h, w), "hexes", howMany(len(w.path), "hex", "hexes")}})
	for _, u := range us {
		for i, k := range w.path {
			c.s.enter(u, k, c.tell)
			if w.toll[i] {
				c.hit(u, fmt.Sprintf("for passing %v in an enemy zone", k))
			}
			if u.Where != OnMap {
				break
			}
		}
		if u.Where != OnMap {
			continue
		}
		u.Retreated = true
		if short := back.n - len(w.path); short > 0 {
			c.short = append(c.short, &shortfall{u, short})
		}
	}
}

// payForStaying takes the price of a retreat that was not made in full: the
// largest shortfall of a unit that could move, once for the whole side, from
// units that fell short, wherever they stood.
//
// WB-95 5.3.7
// WB-95 5.3.8
// reading WB-95 5.3.7: units that die of the price have paid it; when nobody is
// left who fell short, the rest is void.
func (c *combat) payForStaying(side Side) {
	most := 0
	var guns []*Unit
	for _, x := range c.short {
		if x.unit.Where == OnMap {
			// WB-95 7.3.6
			most = max(most, x.missing-c.relief(c.stood(x.unit)))
		}
	}
	if most == 0 {
		return
	}
	for _, u := range c.s.alive(c.s.all(c.units, c.defenders)) {
		if u.c.Side == side && rooted(u) {
			guns = append(guns, u)
		}
	}
	guns = append(guns, c.gunsBeside(side)...)
	payers := func() []*Unit {
		var us []*Unit
		for _, x := range c.short {
			us = append(us, x.unit)
		}
		if us = c.s.alive(us); len(us) == 0 {
			return nil
		}
		return append(us, c.s.alive(guns)...)
	}
	c.lose(payment{side: side, steps: most, payers: payers, what: "price", why: "for not retreating", clause: "WB-95 5.3.7"})
}

// ways lists all retreats of 1 to n hexes that the units may make together from
// a hex, in order of length and hex numbers.
func (s *State) ways(us []*Unit, from hex.Hex, n int) []way {
	var out []way
	level := []way{{}}
	for len(level) > 0 && len(level[0].path) < n {
		var next []way
		for _, w := range level {
			cur := from
			if len(w.path) > 0 {
				cur = w.end()
			}
			for _, k := range s.besideInOrder(cur) {
				if longer, ok := s.fartherTo(us, from, cur, k, w); ok {
					next = append(next, longer)
				}
			}
		}
		for _, w := range next {
			if s.mayEndIn(us, w) {
				out = append(out, w)
			}
		}
		level = next
	}
	return out
}

// fartherTo judges one step of a retreat.
//
// reading WB-95 5.3.2: each step leads farther away from the hex fought from.
// reading WB-95 5.3.3: the zones of all enemies count, the attackers' as well.
func (s *State) fartherTo(us []*Unit, from, cur, to hex.Hex, w way) (way, bool) {
	side := us[0].c.Side
	holder := s.holder(to)
	switch {
	case holder != "" && holder != side:
		return w, false
	// WB-95 5.3.2: away from the hex fought from
	case s.sc.Board.Grid.Distance(from, to) != len(w.path)+1:
		return w, false
	case slices.ContainsFunc(us, func(u *Unit) bool { return !s.passable(u.c, cur, to) }):
		return w, false
	// WB-95 5.3.5: over a big river by a bridge only
	case s.bigRiver(cur, to) && !s.bridgeStands(hex.Between(cur, to)):
		return w, false
	}
	zone := s.inEnemyZone(to, side)
	// WB-95 5.3.3: an enemy zone is entered only where friends stand
	if zone && holder != side {
		return w, false
	}
	// WB-95 5.3.4: and passing it costs each unit a step
	path := append(s.room.hexes.Take(len(w.path)+1), w.path...)
	toll := append(s.room.tolls.Take(len(w.toll)+1), w.toll...)
	return way{append(path, to), append(toll, zone), w.cost + btoi(zone)}, true
}

// mayEndIn tells whether the retreat may end where it has come to: with room for
// all, and with somebody left of them.
//
// WB-95 5.3.6
func (s *State) mayEndIn(us []*Unit, w way) bool {
	load, left := s.stackSteps(w.end()), 0
	for _, u := range us {
		left += max(0, u.Steps-w.cost)
	}
	strange := slices.ContainsFunc(s.unitsAt(w.end()), func(v *Unit) bool { return s.sc.strangers(us[0].c, v.c) })
	return left > 0 && load+left <= stackLimit && !strange
}

// howMany counts: "1 hex", "2 hexes".
func howMany(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
