package staff

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/steppe"
	"fieldpost/adjudicator/view"
)

// steppePlan is the plan of a staff officer for a turn of Duel on the Steppe: a programme for
// every headquarters, made on the map as it is before the first chit.
type steppePlan struct {
	v      *view.View
	as     temper
	a      *steppe.Adviser
	grid   *hex.Grid
	pieces []*steppeUnit
	hqs    []*steppeUnit
	foes   []steppe.Foe // who is not under attack yet
	goals  []steppe.Goal
	near   []int32         // by hex: one more than the threat, 0 while it is not reckoned
	load   map[hex.Hex]int // steps that the plan leaves on a hex
	lone   *steppeUnit     // stands for the stack that acts without a headquarters; nil: none
	now    string          // who acts now alone, as the question puts it; "": a sheet for all is written
}

// steppeUnit is a unit in the plan.
type steppeUnit struct {
	steppe.Piece
	hq      *steppeUnit // whose programme moves it
	reach   []hex.Hex
	at      hex.Hex // where the plan has it
	busy    bool
	moves   []string  // of the programme of a headquarters
	attacks []string  // which stand behind the moves
	stands  []hex.Hex // from which these are made
}

// onMap tells whether a unit stands on the map; else it comes as a reinforcement.
func (u *steppeUnit) onMap() bool { return u.Hex != hex.None }

// Headquarters whose range is beyond these belong to the high command.
const (
	armyRange = 12 // the next in line takes who is nearer
	fixed     = 20 // it reaches everybody and need not move
)

// newSteppe reads up the rules for a View of Duel on the Steppe.
func newSteppe(g *steppe.Game, v *view.View, as temper) (author, error) {
	a, err := g.Advise(v)
	if err != nil {
		return nil, err
	}
	return newSteppePlan(v, a, as), nil
}

func newSteppePlan(v *view.View, a *steppe.Adviser, as temper) *steppePlan {
	d := &steppePlan{v: v, as: as, a: a, grid: a.Grid(), foes: a.Foes(), goals: a.Goals(), load: map[hex.Hex]int{}}
	d.now = d.acting()
	for _, p := range a.Pieces() {
		u := &steppeUnit{Piece: p, at: p.Hex}
		d.pieces = append(d.pieces, u)
		if u.HQ {
			d.hqs = append(d.hqs, u)
		}
		switch {
		case !u.onMap():
			continue
		case d.standing():
		case d.now == "":
			u.reach = a.Reach(u.ID)
		default:
			u.reach = []hex.Hex{u.Hex} // who acts now is found out later
		}
		if !u.HQ {
			d.load[u.Hex] += u.Steps
		}
	}
	return d
}

// write makes the plan and writes it, or the answers that are asked for.
func (d *steppePlan) write(b *sheet) {
	if d.standing() {
		d.sheet(b)
		return
	}
	d.think()
	if len(d.v.Asked) > 0 {
		d.answer(b)
		return
	}
	d.sheet(b)
}

// standing tells whether a sheet is written that has no programmes yet.
func (d *steppePlan) standing() bool { return d.as.later && len(d.v.Asked) == 0 }

// think makes the plan.
func (d *steppePlan) think() {
	d.assign()
	d.guard()
	for _, hq := range d.hqs {
		if hq.onMap() {
			d.attacks(hq)
		}
	}
	for _, u := range d.pieces {
		d.goOn(u)
	}
	for _, hq := range d.hqs {
		d.moveHQ(hq)
		d.entries(hq)
	}
	if d.as.craft {
		d.alone()
	}
}

// goOn moves a unit that has no attack.
func (d *steppePlan) goOn(u *steppeUnit) {
	if u.hq == nil || u.busy {
		return
	}
	switch d.as.stance {
	case press:
		d.advance(u)
	case leave:
		d.giveWay(u)
	}
}

// assign gives every unit to the nearest headquarters that may activate it.
func (d *steppePlan) assign() {
	for _, u := range d.pieces {
		switch {
		case u.HQ, u.Hungarian, !u.onMap(), d.now != "" && u.Acted:
			continue
		}
		best := unless[*steppeUnit](nil, -1<<20)
		for _, hq := range d.hqs {
			if !hq.onMap() || hq.Command != u.Command || !d.comes(hq) {
				continue
			}
			n := d.grid.Distance(hq.Hex, u.Hex)
			if n > hq.Range {
				continue
			}
			if hq.Range > armyRange {
				n += 12 // a headquarters of the high command takes who is left
			}
			best.offer(hq, -n)
		}
		u.hq = best.best
	}
	if d.now != "" {
		d.leaveOthers()
	}
}

// threat is the nearest enemy combat stack to a hex.
func (d *steppePlan) threat(h hex.Hex) int {
	if d.near == nil {
		d.near = make([]int32, d.grid.Len())
	}
	i, on := d.grid.Find(h)
	if on && d.near[i] > 0 {
		return int(d.near[i]) - 1
	}
	near := 1 << 20
	for k := range d.foes {
		if f := &d.foes[k]; !f.Lone {
			near = min(near, d.grid.Distance(h, f.Hex))
		}
	}
	if on {
		d.near[i] = int32(near) + 1
	}
	return near
}

// guard keeps somebody on every own place that the enemy could take.
func (d *steppePlan) guard() {
	for _, g := range d.goals {
		if !g.Ours || d.threat(g.Hex) > 7 {
			continue
		}
		var best choice[*steppeUnit]
		for _, u := range d.pieces {
			if d.canGuard(u, g.Hex) {
				best.offer(u, d.asGuard(u, g.Hex))
			}
		}
		if u := best.best; u != nil {
			u.busy = true
			d.move(u, g.Hex, "")
		}
	}
}

// canGuard tells whether a unit could stand on a place at the end of the turn.
func (d *steppePlan) canGuard(u *steppeUnit, place hex.Hex) bool {
	switch {
	case u.HQ, u.busy, !u.onMap():
		return false
	case u.Hex == place:
		return slices.Contains(u.reach, place)
	case u.hq == nil: // nobody activates it
		return false
	}
	return slices.Contains(u.reach, place) && d.room(u, place)
}

// asGuard is how well a unit suits to guard a place: strong in defence, near, and not needed
// for a mobile fight.
func (d *steppePlan) asGuard(u *steppeUnit, place hex.Hex) int {
	s := 10*u.Defence - 3*d.grid.Distance(u.Hex, place)
	if u.Hex == place {
		s += 30
	}
	if u.Mech {
		s -= 20
	}
	return s
}

// room tells whether a unit that is not there yet fits on a hex.
func (d *steppePlan) room(u *steppeUnit, h hex.Hex) bool {
	return d.load[h]+u.Steps <= d.a.StackLimit()
}

// move orders a unit to a hex.
func (d *steppePlan) move(u *steppeUnit, to hex.Hex, how string) {
	if u.at == to || u.hq == nil {
		return
	}
	d.load[u.at] -= u.Steps
	d.load[to] += u.Steps
	u.at = to
	u.hq.moves = append(u.hq.moves, strings.TrimSpace(fmt.Sprintf("MOVE %s TO %v %s", u.Name, to, how)))
}

// goalFor is where a unit without a fight goes: the enemy place that is nearest, with
// places of our own under threat next; None to stay.
func (d *steppePlan) goalFor(u *steppeUnit) hex.Hex {
	if u.Cut > 0 {
		return d.a.Source(u.Hex)
	}
	best := unless(hex.None, -1<<20)
	for _, g := range d.goals {
		n := d.grid.Distance(u.Hex, g.Hex) * 2
		switch {
		case !g.Ours:
		case d.threat(g.Hex) > 6:
			continue
		default:
			n += 6
		}
		if g.Hex == d.as.focus {
			n /= 3
		}
		n -= d.as.towards(u.ID, u.Hex, g.Hex)
		best.offer(g.Hex, -n)
	}
	return best.best
}

// advance sends a unit on where there is no attack for it.
func (d *steppePlan) advance(u *steppeUnit) {
	to, _ := d.marchOf(u)
	d.move(u, to, "")
}

// marchOf is where a unit goes on to, and towards which goal.
func (d *steppePlan) marchOf(u *steppeUnit) (to, goal hex.Hex) {
	goal = d.goalFor(u)
	if goal == hex.None || d.grid.Distance(u.Hex, goal) <= 1 {
		return u.at, goal
	}
	best := unless(u.Hex, d.worth(u, u.Hex, goal))
	for _, h := range u.reach {
		if d.a.Holder(h) < 0 {
			continue
		}
		if h == u.Hex || d.room(u, h) {
			best.offer(h, d.worth(u, h, goal))
		}
	}
	return best.best, goal
}

// giveWay takes a unit out of the enemy's reach, towards the next place of ours and company.
func (d *steppePlan) giveWay(u *steppeUnit) { d.move(u, d.refugeOf(u), "") }

// refugeOf is where a unit gets out of the enemy's reach.
func (d *steppePlan) refugeOf(u *steppeUnit) hex.Hex {
	if d.threat(u.Hex) > outOfReach+1 {
		return u.at
	}
	best := unless(u.Hex, d.refuge(u, u.Hex)+10)
	for _, h := range u.reach {
		if h == u.Hex || d.a.Holder(h) < 0 || !d.room(u, h) {
			continue
		}
		best.offer(h, d.refuge(u, h))
	}
	return best.best
}

// refuge is how well a unit would be out of the way on a hex.
func (d *steppePlan) refuge(u *steppeUnit, h hex.Hex) int {
	s := 8*min(d.threat(h), outOfReach+1) - 2*d.grid.Distance(u.Hex, h) - 6*d.as.undone(u.ID, u.Hex, h)
	home := 1 << 20
	for _, g := range d.goals {
		if g.Ours {
			home = min(home, d.grid.Distance(h, g.Hex))
		}
	}
	if home < 1<<20 {
		s -= 4 * home
	}
	if d.a.Zone(h) {
		s -= 20
	}
	if d.load[h] > 0 && h != u.Hex {
		s += 8
	}
	if !d.a.Supplied(h) {
		s -= 25
	}
	return s
}

// worth is what it is worth that a unit ends on a hex on its way to a goal.
func (d *steppePlan) worth(u *steppeUnit, h, goal hex.Hex) int {
	s := -10 * d.grid.Distance(h, goal)
	if u.Cut == 0 {
		s -= 12 * d.as.undone(u.ID, u.Hex, h)
	}
	if h != u.Hex {
		s += d.company(h)
	}
	if hq := u.hq; hq != nil && d.grid.Distance(h, hq.at) > hq.Range+3 {
		s -= 25
	}
	if d.a.Place(h) {
		s += 2
	}
	if !d.a.Supplied(h) {
		s -= 15
	}
	return s
}

// company is what awaits a unit that comes to a hex: the enemy beside it, or friends on it.
func (d *steppePlan) company(h hex.Hex) (s int) {
	if d.a.Zone(h) {
		s -= 12 // it would stand alone before the enemy
	}
	if d.load[h] > 0 {
		s += 3
	}
	return s
}

// entries brings the reinforcements that are due with any chit of their colour.
func (d *steppePlan) entries(hq *steppeUnit) {
	type entrance struct{ edge, goal hex.Hex }
	queued := map[hex.Hex]int{} // steps at an edge
	for _, u := range d.pieces {
		if !comesWith(u, hq) {
			continue
		}
		best := unless(entrance{hex.None, hex.None}, -1<<20)
		for _, h := range u.Entry {
			for _, g := range d.goals {
				n := d.grid.Distance(h, g.Hex) + d.as.queue(queued[h])
				if g.Ours {
					n += 4
				}
				best.offer(entrance{h, g.Hex}, -n)
			}
		}
		if in := best.best; in.goal != hex.None {
			queued[in.edge] += u.Steps
			hq.moves = append(hq.moves, fmt.Sprintf("ENTER %s %v TO %v", u.Name, in.edge, in.goal))
		}
	}
}

// comesWith tells whether a unit is a reinforcement that the programme of a headquarters may
// bring on: a headquarters comes with its own chit only.
func comesWith(u, hq *steppeUnit) bool {
	switch {
	case u.onMap(), len(u.Entry) == 0:
		return false
	case u.Hungarian, u.Command != hq.Command:
		return false
	}
	return !u.HQ || u == hq
}

// sheet writes the plan.
func (d *steppePlan) sheet(b *sheet) {
	if d.a.BackhandLeft() && d.strikesBack() {
		b.line("BACKHAND THIS TURN")
	}
	for _, hq := range d.hqs {
		b.section(hq.chit(), hq.programme())
	}
	d.writeLone(b)
	var keys []string
	for _, g := range d.goals {
		keys = append(keys, g.Hex.String())
	}
	b.section("STANDING", []string{
		"KEY HEXES " + strings.Join(keys, ", "),
		"AIR ATTACK WANT 75% MAXCAS 2 ESCORT YES",
		"AIR DEFENCE WANT 60% MAXCAS 1 ESCORT YES",
		"STALWART " + d.as.stalwart(),
	})
}

// chit is the head of the section with the programme of a headquarters.
func (u *steppeUnit) chit() string { return "CHIT " + u.Name + " MOVE THEN ATTACK" }

// programme is the orders for the chit of a headquarters.
func (u *steppeUnit) programme() []string { return slices.Concat(u.moves, u.attacks) }

// lastBlow is the turn in which the Germans strike back at the latest.
const lastBlow = 6

// strikesBack tells whether they name the Backhand Blow for this turn: the Germans strike
// when the turns that are left are few, not in mud if there is another one.
func (d *steppePlan) strikesBack() bool {
	isLast := d.v.Turn == d.v.Turns
	return d.v.Turn >= min(d.v.Turns, lastBlow) && (isLast || d.v.Fact("ground") != "mud")
}
