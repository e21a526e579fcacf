package staff

import (
	"fmt"
	"strings"

	"fieldpost/adjudicator/famous"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// tactics is a staff officer's plan for a turn of Famous Divisions: a programme for
// every chit that is still in the cup.
type tactics struct {
	v     *view.View
	a     *famous.Adviser
	g     hex.Grid
	foes  []famous.Foe
	goals []famous.Goal
	bold  bool    // our side makes the points: it attacks
	focus hex.Hex // the goal that everybody goes for
}

func newTactics(v *view.View, a *famous.Adviser) *tactics {
	t := &tactics{v: v, a: a, g: a.Grid(), foes: a.Foes(), goals: a.Goals(), bold: a.Scorer()}
	t.focus = t.choose()
	return t
}

// choose is the goal to go for together: the one that is nearest to the army for
// what it is worth.
func (t *tactics) choose() hex.Hex {
	best, least := hex.None, 1<<30
	for _, g := range t.goals {
		if g.Ours {
			continue
		}
		n, count := 0, 0
		for _, p := range t.a.Pieces() {
			if p.Hex != hex.None && !p.HQ && p.Gun == 0 && !p.Beside {
				n += t.g.Distance(p.Hex, g.Hex)
				count++
			}
		}
		if n = 10*n/max(1, count) - 15*g.Points; n < least {
			best, least = g.Hex, n
		}
	}
	return best
}

// write writes all sections.
func (t *tactics) write(b *sheet) {
	if t.v.Chits == nil {
		return
	}
	for _, bn := range t.own() {
		if list := t.programme(bn); len(list) > 0 {
			b.section("CHIT "+strings.ToUpper(bn), list)
		}
	}
	b.section("STANDING", []string{"DEFENSIVE ARTILLERY IF ODDS >= 1-1, KEEP 0", "LOSSES DEPLETED LAST"})
}

// own lists our chits in the cup.
func (t *tactics) own() (out []string) {
	for _, g := range t.v.Chits.Groups {
		if g.Side == t.v.Side {
			out = append(out, g.Own...)
		}
	}
	return out
}

// programme is the orders for one battalion.
func (t *tactics) programme(bn string) (out []string) {
	pieces := t.a.Open(bn)
	do := func(format string, args ...any) bool {
		text := fmt.Sprintf(format, args...)
		if t.a.Order(text) != nil {
			return false
		}
		out = append(out, text)
		return true
	}
	for _, p := range pieces {
		if p.Hex == hex.None && !p.Beside {
			t.bringOn(p, do)
		}
	}
	hq, reach := t.a.Command(bn)
	for _, hqFirst := range []bool{true, false} {
		for _, p := range pieces {
			if p.Hex == hex.None || p.Beside || p.HQ != hqFirst {
				continue
			}
			if to := t.post(p, bn, hq, reach); to != p.Hex && to != hex.None {
				do("MOVE %s TO %v", p.Name, to)
			}
		}
		hq, reach = t.a.Command(bn)
	}
	t.fires(bn, do)
	if t.bold {
		return append(out, "ATTACK AT-WILL MIN 2-1; ARTILLERY ANY MAX 3")
	}
	return append(out, "ATTACK AT-WILL MIN 3-1; ARTILLERY ANY MAX 1")
}

// bringOn enters a reinforcement, by the letter that brings it nearest to a goal.
func (t *tactics) bringOn(p famous.Piece, do func(string, ...any) bool) {
	bestZone, best, most := "", hex.None, -1<<30
	for _, z := range p.Entry {
		for _, h := range t.a.EntryReach(p.ID, z) {
			if n := t.worth(p, h, hex.None, 0); n > most {
				bestZone, best, most = z, h, n
			}
		}
	}
	if best == hex.None {
		return
	}
	if !do("ENTER %s AT %s TO %v", p.Name, bestZone, best) {
		do("ENTER %s AT %s", p.Name, bestZone)
	}
}

// post is where a unit should stand.
func (t *tactics) post(p famous.Piece, bn string, hq hex.Hex, reach int) hex.Hex {
	best, most := hex.None, -1<<30
	for _, h := range t.a.Reach(p.ID) {
		n := t.worth(p, h, hq, reach)
		if h == p.Hex {
			n += 3
		}
		if n > most {
			best, most = h, n
		}
	}
	return best
}

// worth is how good a hex is for a unit.
func (t *tactics) worth(p famous.Piece, h, hq hex.Hex, reach int) int {
	n := 4 * t.a.Cover(h)
	near, foe := t.nearest(h)
	halves, ours := t.a.Own(h)
	if ours && h != p.Hex {
		n -= 2 * halves
	}
	if hq != hex.None && reach > 0 && !p.HQ {
		if d := t.g.Distance(h, hq); d > reach {
			n -= 25 * (d - reach)
		}
	}
	goal := t.goal(h)
	switch {
	case p.HQ:
		if near <= 2 {
			n -= 60 * (3 - near)
		}
		return n - 3*goal
	case p.Gun > 0:
		if near <= 3 {
			n -= 30 * (4 - near)
		}
		if near > p.Gun-2 {
			n -= 6 * (near - p.Gun + 2)
		}
		return n
	case t.bold:
		n -= 5 * goal
		switch {
		case near == 1:
			n += t.odds(p, foe)
		case near == 2:
			n += 2 // within reach of an attack
		}
		if t.stay(p, h) {
			n += 60
		}
	default:
		// The defender stands on what the enemy wants and lets him come.
		n -= 6 * t.guard(h)
		if near == 1 {
			n += t.odds(p, foe) / 2
		}
	}
	return n
}

// stay tells whether the unit holds a goal of ours that the enemy could walk into.
func (t *tactics) stay(p famous.Piece, h hex.Hex) bool {
	if h != p.Hex {
		return false
	}
	for _, g := range t.goals {
		if halves, ours := t.a.Own(h); g.Hex == h && ours && halves <= 2 {
			return true
		}
	}
	return false
}

// odds is what it is worth to stand beside an enemy stack.
func (t *tactics) odds(p famous.Piece, f *famous.Foe) int {
	if f == nil || p.Attack == 0 {
		return -20
	}
	sum := 0
	guns := 0
	for _, q := range t.a.Pieces() {
		d := 99
		if q.Hex != hex.None {
			d = t.g.Distance(q.Hex, f.Hex)
		}
		switch {
		case q.HQ:
		case q.Gun > 0 && d <= q.Gun && !q.Fired && guns < 2:
			guns++
			sum += q.Attack
		case q.Gun == 0 && q.ID == p.ID, q.Gun == 0 && q.Active && d <= 4:
			sum += q.Attack // who may come too
		}
	}
	ratio := 12 * sum / max(1, f.Defence)
	if ratio < 24 {
		return -25
	}
	return min(40, ratio-4*f.Works)
}

func (t *tactics) nearest(h hex.Hex) (int, *famous.Foe) {
	best := 99
	var foe *famous.Foe
	for i := range t.foes {
		if d := t.g.Distance(h, t.foes[i].Hex); d < best {
			best, foe = d, &t.foes[i]
		}
	}
	return best, foe
}

// goal is the distance to the goal that everybody goes for, or to a nearer one that
// nobody holds.
func (t *tactics) goal(h hex.Hex) int {
	best := 40
	if t.focus != hex.None {
		best = t.g.Distance(h, t.focus)
	}
	for _, g := range t.goals {
		if _, ours := t.a.Own(g.Hex); g.Ours || ours {
			continue
		}
		if d := t.g.Distance(h, g.Hex); d <= 4 && !t.foeOn(g.Hex) {
			best = min(best, d)
		}
	}
	return best
}

func (t *tactics) foeOn(h hex.Hex) bool {
	for _, f := range t.foes {
		if f.Hex == h {
			return true
		}
	}
	return false
}

// guard is the distance to the nearest goal that nobody of ours holds now.
func (t *tactics) guard(h hex.Hex) int {
	best := 30
	for _, g := range t.goals {
		halves, ours := t.a.Own(g.Hex)
		d := t.g.Distance(h, g.Hex)
		if ours && halves >= 4 && d > 0 {
			d += 2
		}
		best = min(best, d)
	}
	return best
}

// fires orders direct fire and barrages at what is seen.
func (t *tactics) fires(bn string, do func(string, ...any) bool) {
	for _, p := range t.a.Pieces() {
		if !p.Active || p.Hex == hex.None && !p.Beside {
			continue
		}
		if p.Direct > 0 {
			best, most := hex.None, 9
			for _, f := range t.foes {
				if c := t.a.Chance(p.ID, f.Hex); c > most {
					best, most = f.Hex, c
				}
			}
			if best != hex.None {
				do("FIRE %s AT %v", p.Name, best)
			}
		}
		if p.Gun > 0 && !p.Fired && p.Attack > 0 && !t.a.Night() {
			best, most := hex.None, 0
			for _, f := range t.foes {
				if t.a.Observed(f.Hex) && f.Units > most && !f.Tracked {
					best, most = f.Hex, f.Units
				}
			}
			if best != hex.None && most >= 2 {
				do("BARRAGE %v WITH %s", best, p.Name)
			}
		}
	}
}
