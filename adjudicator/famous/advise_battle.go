package famous

import (
	"fmt"
	"slices"

	"fieldpost/adjudicator/hex"
)

// Post is an own unit and the hex that it would attack from.
type Post struct {
	ID   string
	From hex.Hex
}

// Outlook is what an attack comes to on the average, as far as its side knows the
// defender. Steps are in hundredths.
type Outlook struct {
	Column int // of the table, from 0
	Harm   int // steps that the enemy loses
	Cost   int // steps that we lose
	Clear  int // chance in percent that the enemy leaves the hex
}

// assumedShells is what the defender's artillery is reckoned to add: a battery, or none.
const assumedShells = 3

// Columns names the columns of the table: what MIN asks for.
func (a *Adviser) Columns() []string { return columns[:] }

// Weigh reckons an attack on a hex by units where they would stand, with guns in
// support. Of the event chits it knows what the scenario has put into the cups.
func (a *Adviser) Weigh(target hex.Hex, posts []Post, guns []string) Outlook {
	s := a.s
	b := &battle{s: s, side: a.side, target: target, where: map[*Unit]hex.Hex{}, defenders: s.on(target)}
	for _, p := range posts {
		if u := s.unit(p.ID); u != nil {
			b.units = append(b.units, u)
			b.where[u] = p.From
		}
	}
	for _, id := range guns {
		b.guns = append(b.guns, s.unit(id))
	}
	attack, defence := b.strengths()
	if !s.watches(a.side, target) {
		defence = max(defence, assumedDefence)
	}
	defence += assumedShells
	out := Outlook{Column: ratio(attack, defence)}
	b.modifiers()
	stakes := b.stakes()
	for n, weight := range a.rolls(b.drm()) {
		harm, cost, gone := stakes.of(s.sc.Combat[n][out.Column])
		out.Harm += harm * weight
		out.Cost += cost * weight
		out.Clear += 100 * b2i(gone) * weight
	}
	out.Harm, out.Cost, out.Clear = out.Harm/rollScale, out.Cost/rollScale, out.Clear/rollScale
	return out
}

// stakes are the steps that an attack is about.
type stakes struct {
	attackers    int // units
	ours, theirs int
	strongest    int // of the most fit of theirs
	alone        bool
}

func (b *battle) stakes() stakes {
	victims := b.victims()
	st := stakes{attackers: len(b.units), alone: len(victims) == 1}
	for _, u := range b.units {
		st.ours += u.Steps
	}
	for _, u := range victims {
		st.theirs += u.Steps
		st.strongest = max(st.strongest, u.Steps)
	}
	return st
}

// of is what a result takes from the enemy and from us, in hundredths of steps, and
// whether it empties the hex.
func (st stakes) of(r result) (harm, cost int, gone bool) {
	switch r {
	case attackersEliminated:
		cost = 100 * st.ours
	case halfEliminated:
		cost = 200 * max(1, st.attackers/2)
	case attackerEliminated:
		cost = 200
	case attackerDepleted:
		cost = 100
	case attackersRetreat:
		cost = 30
	case defendersRetreat:
		harm, gone = 50, true
	case defenderDepleted:
		harm, gone = 100, st.alone && st.strongest == 1
	case defenderEliminated:
		harm, gone = 100*st.strongest, st.alone
	case defendersEliminated:
		harm, gone = 100*st.theirs, true
	}
	return harm, cost, gone
}

// rollScale is the sum of the weights of rolls.
const rollScale = 1000

// rolls is how often, in thousandths, the dice and two chits come to each line of
// the table.
func (a *Adviser) rolls(drm int) [13]int {
	if out, ok := a.known[drm]; ok {
		return out
	}
	sums := map[int]int{0: 1}
	for range a.s.part().Dice {
		next := map[int]int{}
		for n, k := range sums {
			for d := 1; d <= 6; d++ {
				next[n+d] += k
			}
		}
		sums = next
	}
	for k := range a.s.sc.Sides {
		next := map[int]int{}
		for m, w := range a.chitOdds(k) {
			for n, c := range sums {
				next[n+m] += c * w
			}
		}
		sums = next
	}
	total := 0
	for _, k := range sums {
		total += k
	}
	var out [13]int
	for n, k := range sums {
		out[max(2, min(12, n+drm))] += k
	}
	left := rollScale
	for n := range out {
		out[n] = out[n] * rollScale / total
		left -= out[n]
	}
	out[7] += left // what rounding leaves
	if a.known == nil {
		a.known = map[int][13]int{}
	}
	a.known[drm] = out
	return out
}

// chitOdds is how many chits of each modifier the scenario puts into a side's cup, in
// the mix of all kinds of their colour.
func (a *Adviser) chitOdds(side int) map[int]int {
	sc := a.s.sc
	copies := map[Colour]int{}
	for _, e := range sc.Events {
		copies[e.Colour] += e.Copies
	}
	cup := map[Colour]int{blue: sc.Cup[side].Blue, red: sc.Cup[side].Red, black: sc.Cup[side].Black}
	out := map[int]int{}
	for _, e := range sc.Events {
		if n := copies[e.Colour]; n > 0 {
			out[e.DRM] += 1000 * e.Copies * cup[e.Colour] / n
		}
	}
	return out
}

// Guns lists our guns that may support an attack on a hex, the strongest first.
func (a *Adviser) Guns(target hex.Hex) []Piece {
	var out []Piece
	us := a.s.available(a.side, target, false, nil)
	slices.Reverse(us)
	for _, u := range us {
		out = append(out, Piece{ID: u.ID, Name: u.c.Name, Battalion: u.c.Battalion, Attack: u.attack(), Gun: u.c.Artillery, Hex: u.Hex})
	}
	return out
}

// Shelling is how many steps, in hundredths, a barrage of a gun takes from a hex.
func (a *Adviser) Shelling(id string, target hex.Hex) int {
	s := a.s
	u := s.unit(id)
	if u == nil || s.mayBarrage(u, target) != nil {
		return 0
	}
	able := 0
	for _, e := range combatants(s.on(target)) {
		able += b2i(e.Steps > 1 || !s.safe(e))
	}
	ways := 0
	for n := range 216 {
		if _, harm := barrageHarm([]int{1 + n%6, 1 + n/6%6, 1 + n/36}, s.gunDistance(u, target)); harm > 0 {
			ways += min(harm, able)
		}
	}
	return 100 * ways / 216
}

// Danger is the hits to be expected, in hundredths, from the opportunity fire of
// enemies that are known at a unit of average defence that enters a hex.
func (a *Adviser) Danger(h hex.Hex) int {
	s, i, ways := a.s, a.Grid().Index(h), 0
	for u := range s.onMap(s.sc.Other(a.side)) {
		if u.c.Direct > 0 && s.mayShoot(u, i) {
			hit, harm := shot{s.shotMod(i), a.Grid().Distance(u.Hex, h), averageDefence}.chances()
			ways += hit + harm
		}
	}
	return 100 * ways / 72
}

// averageDefence is that of a company, as the counters have it.
const averageDefence = 7

// Ways is how far, in movement points of a unit of a class on an empty map, each
// hex is from the nearest goal; -1 where no way leads. Read it with At.
type Ways struct {
	a    *Adviser
	cost []Cost
}

// At is the way from a hex in half movement points; far if there is none.
func (w *Ways) At(h hex.Hex) int {
	if c := w.cost[w.a.Grid().Index(h)]; c >= 0 {
		return int(c * 2 / One)
	}
	return 400
}

// Ground names all that ways depend on beside the map: weather, bridges, works. Where it is the same,
// so are all ways.
func (a *Adviser) Ground() string {
	return fmt.Sprint(a.s.Weather, a.s.Blown, a.s.Pontoons, a.s.Forts)
}

// Ways measures the map for a class of units: enemies and their zones do not count.
func (a *Adviser) Ways(class string, goals ...hex.Hex) *Ways {
	s, g := a.s, a.Grid()
	w := &Ways{a: a, cost: make([]Cost, g.Len())}
	for i := range w.cost {
		w.cost[i] = -1
	}
	c := Class(max(0, slices.Index(classNames[:], class)))
	done := make([]bool, g.Len())
	var heap costHeap
	for _, h := range goals {
		w.cost[g.Index(h)] = 0
		heap.push(0, g.Index(h))
	}
	for len(heap) > 0 {
		n, i := heap.pop()
		if done[i] {
			continue
		}
		done[i] = true
		for d := hex.N; d <= hex.NW; d++ {
			j := s.sc.edges[i*6+int(d)].to
			if j < 0 || done[j] {
				continue
			}
			p, _ := s.step(gait{class: c, side: nobody}, j, d.Opposite())
			p = p.plus(s.fortPrice(i, d, c))
			if p.Closed {
				continue
			}
			if k := n + p.roughly(); w.cost[j] < 0 || k < w.cost[j] {
				w.cost[j] = k
				heap.push(k, j)
			}
		}
	}
	return w
}

// roughly is a price in points, of a unit with an allowance of eight.
func (p Price) roughly() Cost {
	k := p.Points + Cost(p.Halves)*4*One
	if p.All {
		k += 8 * One
	}
	return k
}
