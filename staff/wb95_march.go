package staff

import (
	"cmp"
	"math"
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/wb95"
)

// frontline is the distance to the enemy, in hexes, within which a stack stands
// in the line and is not left.
const frontline = 3

// How the guard of what the game hangs on is kept, in hexes from it: whom it is
// taken from, how far it may go, and the enemies that count.
const (
	guardFrom  = 8
	guardRange = 4
	guardSight = 9
)

// tether keeps a guard near the hexes that the enemy would win the game by: the
// nearest units, of a cadet a third of what the enemy has in the neighbourhood.
func (p *wb95Plan) tether() {
	var keep []hex.Hex
	for _, g := range p.goals {
		if g.vital() {
			keep = append(keep, g.Hex)
		}
	}
	if len(keep) == 0 {
		return
	}
	from := p.spread(keep)
	away := func(h hex.Hex) int { return from[p.g.Index(h)] }
	want := 0
	for _, h := range p.foeAt {
		if away(h) <= guardSight {
			want += p.foes[h].Attack
		}
	}
	want = p.guardAgainst(want)
	for _, u := range p.within(guardFrom, away) {
		if want <= 0 {
			return
		}
		want -= u.Defence
		u.confine(func(h hex.Hex) bool { return away(h) <= guardRange })
	}
}

// guardAgainst is how strong a guard is against so much strength of the enemy's: a third of it, but seven tenths of an
// officer for whom each hex counts. With a third of it officers lost Kharkov to cadets.
func (p *wb95Plan) guardAgainst(enemy int) int {
	if slices.ContainsFunc(p.goals, func(g *wb95Goal) bool { return g.vital() && g.counts }) {
		return enemy * 7 / 10
	}
	return enemy / 3
}

// within lists the regular units that are at most so many hexes away, the nearest first.
func (p *wb95Plan) within(most int, away func(hex.Hex) int) (near []*wb95Unit) {
	for _, u := range p.pieces {
		if !u.Regular || !u.onMap() {
			continue
		}
		if away(u.at) <= most {
			near = append(near, u)
		}
	}
	slices.SortStableFunc(near, func(a, b *wb95Unit) int { return away(a.at) - away(b.at) })
	return near
}

// confine takes from a unit all hexes that it could go to but where it is and those of a kind.
func (u *wb95Unit) confine(within func(hex.Hex) bool) {
	out := func(h hex.Hex) bool { return h != u.at && !within(h) }
	u.places = slices.DeleteFunc(u.places, out)
	u.reach = slices.DeleteFunc(u.reach, func(t wb95.Place) bool { return out(t.Hex) })
}

// tooMissed is what it may be worth at most that a unit stays where it is if it goes back.
const tooMissed = 300

// hold settles the stacks that do not attack and that the enemy's zones touch:
// they dig in, or go back, or the rules make them attack.
func (p *wb95Plan) hold() {
	for _, u := range p.pieces {
		if u.done || !u.onMap() {
			continue
		}
		if p.safe(u.at) {
			continue
		}
		if d := p.canDig(u.at); d != nil && p.entrench(d) {
			continue
		}
		switch {
		case u.fights, !u.Movable, !u.Fights, p.leaving(u, hex.None) > tooMissed:
			continue
		}
		p.withdraw(u)
	}
}

// outOfReach is the distance to the enemy, in hexes, at which a unit is left alone.
const outOfReach = 4

// spare takes units with a last step out of the enemy's reach where each one lost
// counts: those that stand alone, and on nothing worth more than they are.
func (p *wb95Plan) spare() {
	if !p.a.Thrift() {
		return
	}
	for _, u := range p.pieces {
		if !p.endangered(u) {
			continue
		}
		if g := p.goalAt(u.at); g != nil && g.worth > pointWorth {
			continue
		}
		best := unless(hex.None, min(p.toFoe(u.at), outOfReach)*closed)
		for _, h := range u.places {
			if p.refuge(u, h) && p.a.InSupply(h) {
				cost, _ := u.cost(h)
				best.offer(h, min(p.toFoe(h), outOfReach)*closed-cost)
			}
		}
		if best.best != hex.None {
			p.send(u, best.best, "")
		}
	}
}

// endangered tells whether a unit that may still move stands with its last step where the
// enemy can reach it, and nobody to speak of with it.
func (p *wb95Plan) endangered(u *wb95Unit) bool {
	switch {
	case u.done, !u.onMap(), !u.Movable, !u.Regular:
		return false
	case u.Steps != 1, p.load[u.at] > 3:
		return false
	}
	return p.toFoe(u.at) < outOfReach
}

// refuge tells whether a unit can come to a hex and need not attack from there.
func (p *wb95Plan) refuge(u *wb95Unit, h hex.Hex) bool { return p.room(h) >= u.Steps && p.safe(h) }

// withdraw takes a unit out of the enemy's zones, to the best hex nearby.
func (p *wb95Plan) withdraw(u *wb95Unit) {
	best := unless(hex.None, -closed)
	for _, h := range u.places {
		if h == u.at || !p.refuge(u, h) {
			continue
		}
		s := 10*p.a.Cover(h) - 12*p.g.Distance(u.at, h) - 2*p.might(h, 2)
		if p.a.InSupply(h) {
			s += 60
		}
		if p.a.Fort(h) {
			s += 20
		}
		best.offer(h, s)
	}
	if best.best != hex.None {
		p.send(u, best.best, "")
	}
}

// march sends the units that the line does not need to where they are wanted.
func (p *wb95Plan) march() {
	p.wants()
	var free []*wb95Unit
	for _, u := range p.pieces {
		switch {
		case u.done, u.fights, u.HQ, !u.Movable, len(u.places) == 0, p.needed(u):
			continue
		}
		free = append(free, u)
	}
	for _, u := range free {
		p.findGoal(u)
	}
	for len(free) > 0 {
		u := mostDrawn(free)
		free = slices.DeleteFunc(free, func(f *wb95Unit) bool { return f == u })
		if p.answered(u) {
			for _, f := range free {
				if f.goal == u.goal {
					p.findGoal(f)
				}
			}
		}
		p.advance(u, u.goal)
	}
}

// answered has a unit go for its goal, and tells whether from now on that draws others less.
func (p *wb95Plan) answered(u *wb95Unit) bool {
	g := u.goal
	if g == nil {
		return false
	}
	wanted := g.need > 0
	g.need -= max(u.Attack, u.Defence)
	return wanted && g.need <= 0
}

// needed tells whether the unit must stay to hold its hex: it stands in the line
// and those that stay with it do not suffice.
func (p *wb95Plan) needed(u *wb95Unit) bool {
	if !u.onMap() || !u.Regular {
		return false
	}
	return p.staying(u) < p.wantedAt(u)
}

// wantedAt is the strength in defence that must stay where a unit stands, 0 if it may go.
func (p *wb95Plan) wantedAt(u *wb95Unit) int {
	d := p.toFoe(u.at)
	onGoal := p.goalAt(u.at) != nil
	switch {
	case onGoal && d > 9:
		return 0
	case onGoal:
		return max(1, p.might(u.at, 3)/3)
	case d > frontline, !u.Supplied: // cut off it is time to go
		return 0
	case d <= 2:
		return max(1, p.might(u.at, 2)/6)
	}
	return 1
}

// staying is the strength in defence of the others that stay where a unit stands.
func (p *wb95Plan) staying(u *wb95Unit) (have int) {
	for _, o := range p.pieces {
		if o == u || o.at != u.at {
			continue
		}
		if o.Regular && o.outstays(u) {
			have += o.Defence
		}
	}
	return have
}

// outstays tells whether a unit stays rather than another one. Who comes later in the list
// may still go; the stronger of two stays.
func (o *wb95Unit) outstays(u *wb95Unit) bool {
	switch {
	case o.done, o.fights, !o.Movable:
		return true
	case o.Defence == u.Defence:
		return o.ID < u.ID
	}
	return o.Defence > u.Defence
}

// goalAt is the goal on a hex, nil if there is none.
func (p *wb95Plan) goalAt(h hex.Hex) *wb95Goal {
	for _, g := range p.goals {
		if g.Hex == h {
			return g
		}
	}
	return nil
}

// wants reckons how much strength is wanted at each goal.
func (p *wb95Plan) wants() {
	for _, g := range p.goals {
		have, within := 0, 3
		d := p.toFoe(g.Hex)
		if g.Ours && d <= 7 {
			within = 0 // with the enemy so near somebody must stand on it
		}
		for _, u := range p.pieces {
			if !u.onMap() || p.g.Distance(u.at, g.Hex) > within {
				continue
			}
			if p.settled(u) {
				have += max(u.Attack, u.Defence)
			}
		}
		switch {
		case g.Ours && d > 12:
			g.need = 0
		case g.Ours:
			g.need = max(3, p.might(g.Hex, 6)/2) - have
		default:
			g.need = 12 + 2*p.might(g.Hex, 3) - have
		}
	}
}

// settled tells whether a unit stays where the plan has it.
func (p *wb95Plan) settled(u *wb95Unit) bool { return u.done || u.fights || p.needed(u) }

// mostDrawn is the unit that a goal draws most, of several the first.
func mostDrawn(free []*wb95Unit) *wb95Unit {
	best := unless(free[0], free[0].draws)
	for _, u := range free {
		best.offer(u, u.draws)
	}
	return best.best
}

// findGoal finds the goal that draws a unit most, of several the first. Where the map says that a goal cannot draw it as
// much the way to it is not looked for.
func (p *wb95Plan) findGoal(u *wb95Unit) {
	type claim struct {
		place, most int
	}
	claims := make([]claim, len(p.goals))
	for i, g := range p.goals {
		claims[i] = claim{i, p.pullAtMost(u, g)}
	}
	slices.SortStableFunc(claims, func(a, b claim) int { return cmp.Compare(b.most, a.most) })
	u.goal, u.draws = nil, -1
	best := len(p.goals)
	for _, c := range claims {
		if c.most < u.draws {
			return
		}
		g := p.goals[c.place]
		n := p.pull(u, g)
		if n > u.draws || n == u.draws && u.goal != nil && c.place < best {
			u.goal, u.draws, best = g, n, c.place
		}
	}
}

// pullAtMost is as much as a goal may draw a unit, by the shortest way that it may have there: most ways need not be
// looked for.
func (p *wb95Plan) pullAtMost(u *wb95Unit, g *wb95Goal) int {
	if g.worth < 0 || u.Moves == 0 {
		return math.MaxInt // the way decides
	}
	return p.drawn(u, g, p.awayAtLeast(u, g.Hex))
}

// awayAtLeast is as short as the way of a unit to a hex may be.
func (p *wb95Plan) awayAtLeast(u *wb95Unit, to hex.Hex) int {
	if u.onMap() {
		return p.farAtLeast(u, u.at, to)
	}
	return p.wayOf(u, to).least
}

// farAtLeast is as short as a way may be. An officer who thinks about several sheets looks once for the ways on the
// map with all bridges and without the enemy; for one sheet the hexes in between are counted.
func (p *wb95Plan) farAtLeast(u *wb95Unit, from, to hex.Hex) int {
	if p.as.kept == nil {
		return p.g.Distance(from, to) * p.networkOf(u).least
	}
	if u.open == nil {
		u.open = p.openTo(u.Class)
	}
	return p.far(from, to, u.open)
}

// openTo is the map as a class would go about on it with all bridges and without the enemy.
func (p *wb95Plan) openTo(class string) *network {
	open := p.as.kept.open
	if open[class] == nil {
		open[class] = p.newNetwork(p.a.Steps(class, true), make([]int, p.g.Len()))
	}
	return open[class]
}

// way is what is known of the way of a reinforcement to a hex: that it is no shorter, or how long it is.
type way struct {
	least, length int
	sure          bool // length is known
}

// wayOf is what is known of the way of a reinforcement.
func (p *wb95Plan) wayOf(u *wb95Unit, to hex.Hex) way {
	w, known := u.ways[to]
	if known {
		return w
	}
	w.least = closed
	for _, h := range u.places {
		w.least = min(w.least, p.farAtLeast(u, h, to)+u.Moves)
	}
	if u.ways == nil {
		u.ways = map[hex.Hex]way{}
	}
	u.ways[to] = w
	return w
}

// pull is how much a goal draws a unit.
func (p *wb95Plan) pull(u *wb95Unit, g *wb95Goal) int {
	switch {
	case g.Ours && g.need <= 0:
		return -1
	case g.nations != nil && !slices.Contains(g.nations, u.Nation):
		return -1
	}
	t := p.away(u, g.Hex)
	if t >= closed || u.Moves == 0 {
		return -1
	}
	return p.drawn(u, g, t)
}

// drawn is how much a goal draws a unit that has such a way to it: the longer, the less.
func (p *wb95Plan) drawn(u *wb95Unit, g *wb95Goal, way int) int {
	turns := 10 * way / u.Moves // tenths
	s := 100 * g.worth / (20 + turns)
	s += s * p.as.towards(u.ID, u.Hex, g.Hex) / (4 * farthest)
	if g.need <= 0 {
		s /= 4
	}
	return s
}

// away is the way that a unit has to a goal: from where it stands, or from the
// best hex it can come in at.
func (p *wb95Plan) away(u *wb95Unit, to hex.Hex) int {
	if u.onMap() {
		return p.far(u.at, to, p.networkOf(u))
	}
	w := p.wayOf(u, to)
	if w.sure {
		return w.length
	}
	w.length, w.sure = closed, true
	for _, h := range u.places {
		w.length = min(w.length, p.far(h, to, p.networkOf(u))+u.Moves)
	}
	u.ways[to] = w
	return w.length
}

// advance moves a unit towards a goal, as far as it may without having to attack.
func (p *wb95Plan) advance(u *wb95Unit, g *wb95Goal) {
	for range 4 {
		best := unless(hex.None, -closed)
		for _, h := range u.places {
			if s, ok := p.merit(u, g, h); ok {
				best.offer(h, s)
			}
		}
		to := best.best
		if to == hex.None || to == u.at {
			return
		}
		if p.reserve(u, to) && p.later(u, to) {
			return
		}
		if p.send(u, to, "") {
			return
		}
		u.places = slices.DeleteFunc(u.places, func(h hex.Hex) bool { return h == to })
	}
}

// merit is how good a hex is for a unit on its way to a goal.
func (p *wb95Plan) merit(u *wb95Unit, g *wb95Goal, h hex.Hex) (int, bool) {
	if h != u.at && !p.refuge(u, h) {
		return 0, false
	}
	s := 8*p.a.Cover(h) - 3*p.load[h]
	if u.Supplied {
		s -= 12 * p.as.undone(u.ID, u.Hex, h)
	}
	if h == u.at {
		s += 3*u.Steps + 6
	}
	switch {
	case !u.Supplied:
		s -= 10 * p.home(h, p.networkOf(u)) / point
	case g != nil:
		s -= 10 * p.far(h, g.Hex, p.networkOf(u)) / point
	}
	if !p.a.InSupply(h) {
		s -= 60
	}
	if p.toFoe(h) <= 2 && p.outmatched(u, h) {
		s -= 40
	}
	return s, true
}

// outmatched tells whether a unit on a hex, and those with it, would be too weak against the
// enemy around.
func (p *wb95Plan) outmatched(u *wb95Unit, h hex.Hex) bool {
	_, with := p.others(h, u)
	return p.might(h, 2) > 3*(with+u.Defence)
}

// reserve tells whether a move far behind the line can wait for the Strategic
// Movement Phase: the unit then follows what the attacks have brought.
func (p *wb95Plan) reserve(u *wb95Unit, to hex.Hex) bool {
	if !u.onMap() {
		return false
	}
	behind := p.toFoe(u.at) > 8 && p.toFoe(to) > 5
	cost, _ := u.cost(to)
	return behind && cost <= u.Moves-2*point
}

// later keeps a unit for strategic movement.
func (p *wb95Plan) later(u *wb95Unit, to hex.Hex) bool {
	text := u.Name + " TO " + to.String() + " STRATEGIC"
	if _, err := p.a.Order(text); err != nil {
		return false
	}
	p.load[to] += u.Steps // nobody else counts on the room; the old place stays taken as well
	u.done = true
	p.moves = append(p.moves, text)
	return true
}

// dig entrenches what stays in the line in the open.
func (p *wb95Plan) dig() {
	for _, u := range p.pieces {
		switch {
		case !u.onMap(), u.done, p.digs[u.at], p.toFoe(u.at) > frontline:
			continue
		}
		if d := p.canDig(u.at); d != nil {
			p.entrench(d)
		}
	}
}
