package staff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/steppe"
	"fieldpost/adjudicator/view"
)

// duel is the plan of a staff officer for a turn of Duel on the Steppe: a programme for
// every headquarters, made on the map as it is before the first chit.
type duel struct {
	v      *view.View
	a      *steppe.Adviser
	grid   hex.Grid
	pieces []*duelist
	hqs    []*duelist
	foes   []steppe.Foe
	foe    map[hex.Hex]*steppe.Foe
	goals  []steppe.Goal
	load   map[hex.Hex]int // steps that the plan leaves on a hex
}

// duelist is a unit in the plan.
type duelist struct {
	steppe.Piece
	hq    *duelist // whose programme moves it
	reach []hex.Hex
	at    hex.Hex // where the plan has it
	busy  bool
	prog  []string // of a headquarters
	waits []string // orders that stand behind the attacks
}

func newDuel(v *view.View, a *steppe.Adviser) *duel {
	d := &duel{v: v, a: a, grid: a.Grid(), foes: a.Foes(), foe: map[hex.Hex]*steppe.Foe{}, goals: a.Goals(), load: map[hex.Hex]int{}}
	for i := range d.foes {
		d.foe[d.foes[i].Hex] = &d.foes[i]
	}
	for _, p := range a.Pieces() {
		u := &duelist{Piece: p, at: p.Hex}
		d.pieces = append(d.pieces, u)
		if u.HQ {
			d.hqs = append(d.hqs, u)
		} else if u.Hex != hex.None {
			d.load[u.Hex] += u.Steps
		}
		if u.Hex != hex.None {
			u.reach = a.Reach(u.ID)
		}
	}
	return d
}

// think makes the plan.
func (d *duel) think() {
	d.assign()
	d.guard()
	for _, hq := range d.hqs {
		if hq.Hex != hex.None {
			d.attacks(hq)
		}
	}
	for _, u := range d.pieces {
		if !u.HQ && !u.busy && u.hq != nil {
			d.advance(u)
		}
	}
	for _, hq := range d.hqs {
		d.lead(hq)
		d.entries(hq)
	}
}

// assign gives every unit to the nearest headquarters that may activate it.
func (d *duel) assign() {
	for _, u := range d.pieces {
		if u.HQ || u.Hex == hex.None || u.Hungarian {
			continue
		}
		best := 1 << 20
		for _, hq := range d.hqs {
			if hq.Hex == hex.None || hq.Command != u.Command {
				continue
			}
			n := d.grid.Distance(hq.Hex, u.Hex)
			if n > hq.Range {
				continue
			}
			if hq.Range > 12 {
				n += 12 // a headquarters of the high command takes who is left
			}
			if n < best {
				u.hq, best = hq, n
			}
		}
	}
}

// threat is the nearest enemy combat stack to a hex.
func (d *duel) threat(h hex.Hex) int {
	near := 1 << 20
	for _, f := range d.foes {
		if !f.Lone {
			near = min(near, d.grid.Distance(h, f.Hex))
		}
	}
	return near
}

// guard keeps somebody on every own place that the enemy could take.
func (d *duel) guard() {
	for _, g := range d.goals {
		if !g.Ours || d.threat(g.Hex) > 7 {
			continue
		}
		var best *duelist
		score := 0
		for _, u := range d.pieces {
			if u.HQ || u.busy || u.Hex == hex.None || u.hq == nil && u.Hex != g.Hex {
				continue
			}
			if !slices.Contains(u.reach, g.Hex) || u.Hex != g.Hex && d.load[g.Hex]+u.Steps > d.a.StackLimit() {
				continue
			}
			s := 10*u.Defence - 3*d.grid.Distance(u.Hex, g.Hex)
			if u.Hex == g.Hex {
				s += 30
			}
			if u.Mech {
				s -= 20
			}
			if best == nil || s > score {
				best, score = u, s
			}
		}
		if best != nil {
			best.busy = true
			if best.Hex != g.Hex {
				d.move(best, g.Hex, "")
			}
		}
	}
}

// move orders a unit to a hex.
func (d *duel) move(u *duelist, to hex.Hex, how string) {
	if u.at == to || u.hq == nil {
		return
	}
	d.load[u.at] -= u.Steps
	d.load[to] += u.Steps
	u.at = to
	u.hq.prog = append(u.hq.prog, strings.TrimSpace(fmt.Sprintf("MOVE %s TO %v %s", u.Name, to, how)))
}

// goalFor is where a unit without a fight goes: the enemy place that is nearest, with
// places of our own under threat next; None to stay.
func (d *duel) goalFor(u *duelist) hex.Hex {
	if u.Cut > 0 {
		return d.a.Source(u.Hex)
	}
	best, score := hex.None, 1<<20
	for _, g := range d.goals {
		n := d.grid.Distance(u.Hex, g.Hex) * 2
		switch {
		case g.Ours && d.threat(g.Hex) > 6:
			continue
		case g.Ours:
			n += 6
		}
		if n < score {
			best, score = g.Hex, n
		}
	}
	return best
}

// advance sends a unit on where there is no attack for it.
func (d *duel) advance(u *duelist) {
	goal := d.goalFor(u)
	if goal == hex.None || d.grid.Distance(u.Hex, goal) <= 1 {
		return
	}
	best, score := u.Hex, d.worth(u, u.Hex, goal)
	for _, h := range u.reach {
		if h != u.Hex && d.load[h]+u.Steps > d.a.StackLimit() || d.a.Holder(h) < 0 {
			continue
		}
		if s := d.worth(u, h, goal); s > score {
			best, score = h, s
		}
	}
	d.move(u, best, "")
}

// worth is what it is worth that a unit ends on a hex on its way to a goal.
func (d *duel) worth(u *duelist, h, goal hex.Hex) int {
	s := -10 * d.grid.Distance(h, goal)
	if d.a.Zone(h) && h != u.Hex {
		s -= 12 // it would stand alone before the enemy
	}
	if d.load[h] > 0 && h != u.Hex {
		s += 3
	}
	if u.hq != nil && d.grid.Distance(h, u.hq.at) > u.hq.Range+3 {
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

// lead moves a headquarters so that its units stay in range and it stays out of reach.
func (d *duel) lead(hq *duelist) {
	if hq.Hex == hex.None {
		return
	}
	var own []*duelist
	for _, u := range d.pieces {
		if u.hq == hq {
			own = append(own, u)
		}
	}
	value := func(h hex.Hex) int {
		s := 0
		for _, u := range own {
			n := d.grid.Distance(h, u.at)
			s -= n
			if n > hq.Range-1 && hq.Range < 20 {
				s -= 20
			}
		}
		switch n := d.threat(h); {
		case n <= 1:
			s -= 40
		case n == 2:
			s -= 12
		}
		if d.load[h] > 0 {
			s += 12
		}
		return s
	}
	best, score := hq.Hex, value(hq.Hex)+2
	for _, h := range hq.reach {
		if s := value(h); d.a.Holder(h) >= 0 && s > score {
			best, score = h, s
		}
	}
	hq.at = best
	if best != hq.Hex && hq.Range < 20 {
		hq.prog = append([]string{fmt.Sprintf("HQ TO %v", best)}, hq.prog...)
	}
}

// entries brings the reinforcements that are due with any chit of their colour.
func (d *duel) entries(hq *duelist) {
	for _, u := range d.pieces {
		if u.Hex != hex.None || len(u.Entry) == 0 || u.Command != hq.Command || u.Hungarian || u.HQ && u != hq {
			continue
		}
		goal, edge, score := hex.None, hex.None, 1<<20
		for _, h := range u.Entry {
			for _, g := range d.goals {
				n := d.grid.Distance(h, g.Hex)
				if g.Ours {
					n += 4
				}
				if n < score {
					goal, edge, score = g.Hex, h, n
				}
			}
		}
		if goal != hex.None {
			hq.prog = append(hq.prog, fmt.Sprintf("ENTER %s %v TO %v", u.Name, edge, goal))
		}
	}
}

// sheet writes the plan.
func (d *duel) sheet(b *sheet) {
	if d.a.BackhandLeft() && d.blow() {
		b.line("BACKHAND NEXT TURN YES")
	}
	for _, hq := range d.hqs {
		lines := append(slices.Clone(hq.prog), hq.waits...)
		if len(lines) > 0 {
			b.section("CHIT "+hq.Name+" MOVE THEN ATTACK", lines)
		}
	}
	var keys []string
	for _, g := range d.goals {
		keys = append(keys, g.Hex.String())
	}
	b.section("STANDING", []string{"KEY HEXES " + strings.Join(keys, ", "), "AIR ATTACK WANT 75% MAXCAS 2 ESCORT YES", "AIR DEFENCE WANT 60% MAXCAS 1 ESCORT YES", "STALWART AT KEY"})
}

// answer answers the questions that the game waits with: orders for the chit that was
// drawn, on the map as it is now.
func (d *duel) answer(b *sheet) {
	var plain []string
	for _, q := range d.v.Asked {
		done := false
		for _, hq := range d.hqs {
			if lines := append(slices.Clone(hq.prog), hq.waits...); q.Label == "orders "+hq.Name && len(lines) > 0 {
				b.section("CHIT "+hq.Name+" MOVE THEN ATTACK", lines)
				done = true
			}
		}
		switch {
		case done:
		case len(q.Options) == 0:
			plain = append(plain, q.Label+": AS FILED")
		default:
			plain = append(plain, q.Label+": "+q.Proposal)
		}
	}
	b.section("ANSWER", plain)
}

// blow: the Germans strike when the turns left are few or the Soviets are far forward.
func (d *duel) blow() bool { return d.v.Turn+1 == min(d.v.Turns, 6) || d.v.Turns == 4 && d.v.Turn == 3 }

func sortDuelists(us []*duelist, by func(*duelist) int) {
	slices.SortStableFunc(us, func(a, b *duelist) int { return cmp.Or(by(b)-by(a), strings.Compare(a.ID, b.ID)) })
}
