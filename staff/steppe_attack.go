package staff

import (
	"fmt"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/steppe"
)

// strike is an attack that a headquarters could make.
type strike struct {
	target hex.Hex
	units  []*duelist
	from   map[*duelist]hex.Hex
	odds   steppe.Odds
	worth  int
}

// attacks plans the attacks of a headquarters, the most worthy first, as long as one is
// worth its losses.
func (d *duel) attacks(hq *duelist) {
	for range 5 {
		var best *strike
		for i := range d.foes {
			if s := d.strikeAt(hq, &d.foes[i]); s != nil && (best == nil || s.worth > best.worth) {
				best = s
			}
		}
		if best == nil || best.worth <= 0 {
			return
		}
		d.order(hq, best)
	}
}

// strikeAt gathers the units of a headquarters that can come beside a hex and weighs the
// attack.
func (d *duel) strikeAt(hq *duelist, f *steppe.Foe) *strike {
	if d.grid.Distance(hq.Hex, f.Hex) > hq.Range+6 {
		return nil
	}
	var near []*duelist
	for _, u := range d.pieces {
		if u.hq == hq && !u.busy && u.Attack > 0 && d.grid.Distance(u.Hex, f.Hex) <= 11 {
			near = append(near, u)
		}
	}
	sortDuelists(near, func(u *duelist) int { return u.Attack })
	s := &strike{target: f.Hex, from: map[*duelist]hex.Hex{}}
	room := map[hex.Hex]int{}
	attack := 0
	shift := d.grid.Neighbours(f.Hex)
	for _, u := range near {
		at := d.besideFor(u, f.Hex, shift, room)
		if at == hex.None {
			continue
		}
		s.units, s.from[u] = append(s.units, u), at
		room[at] += u.Steps
		attack += u.Attack
		s.odds = d.a.Odds(attack, f.Defence, -d.a.Shelter(f.Hex, d.stands(s)), 0)
		if s.odds.Level >= 8 {
			break
		}
	}
	if len(s.units) == 0 {
		return nil
	}
	s.odds = d.a.Odds(attack, f.Defence, -d.a.Shelter(f.Hex, d.stands(s)), min(hq.Support, 2))
	s.worth = d.value(f, s)
	return s
}

func (d *duel) stands(s *strike) []hex.Hex {
	var out []hex.Hex
	for _, u := range s.units {
		out = append(out, s.from[u])
	}
	return out
}

// besideFor is the hex from which a unit would attack: where it stands, else the one with
// the least water before it.
func (d *duel) besideFor(u *duelist, target hex.Hex, around []hex.Hex, room map[hex.Hex]int) hex.Hex {
	best, score := hex.None, 1<<20
	for _, h := range around {
		if !contains(u.reach, h) || d.a.Holder(h) < 0 {
			continue
		}
		steps := d.load[h] + room[h] + u.Steps
		if u.at == h {
			steps -= u.Steps
		}
		if steps > d.a.StackLimit() {
			continue
		}
		n := 10 * d.a.Shelter(target, []hex.Hex{h})
		if h == u.at {
			n -= 5
		}
		if n < score {
			best, score = h, n
		}
	}
	return best
}

func contains(list []hex.Hex, h hex.Hex) bool {
	lo, hi := 0, len(list)
	for lo < hi {
		m := (lo + hi) / 2
		if list[m] < h {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo < len(list) && list[lo] == h
}

// value is what an attack is worth: ground and steps of the enemy against our own.
func (d *duel) value(f *steppe.Foe, s *strike) int {
	o := s.odds
	if o.Retreat < 18 {
		return 0
	}
	gain := 2
	for _, g := range d.goals {
		switch n := d.grid.Distance(g.Hex, f.Hex); {
		case n == 0:
			gain += 16
		case n <= 2:
			gain += 4
		case n <= 5 && !g.Ours:
			gain += 2
		}
	}
	// A stack without a way back dies.
	closed := 0
	for _, n := range d.grid.Neighbours(f.Hex) {
		if d.covered(n, s) {
			closed++
		}
	}
	if closed >= 5 {
		gain += 6 * f.Steps
	}
	return gain*o.Retreat + 6*o.Theirs - 7*o.Ours
}

// covered tells whether our zones of control would lie on a hex.
func (d *duel) covered(h hex.Hex, s *strike) bool {
	if d.load[h] > 0 {
		return true
	}
	for _, n := range append(d.grid.Neighbours(h), h) {
		if d.load[n] > 0 {
			return true
		}
		for _, at := range s.from {
			if at == n {
				return true
			}
		}
	}
	return false
}

// order writes an attack into the programme of its headquarters.
func (d *duel) order(hq *duelist, s *strike) {
	var names []string
	for _, u := range s.units {
		d.move(u, s.from[u], "PUSH")
		u.busy = true
		names = append(names, u.Name)
	}
	text := fmt.Sprintf("ATTACK %v WITH %s; MIN 1:1", s.target, strings.Join(names, ", "))
	for _, g := range d.goals {
		if g.Hex == s.target {
			text += "; KEY; ADVANCE " + s.units[0].Name
		}
	}
	hq.waits = append(hq.waits, text)
	delete(d.foe, s.target)
	for i := range d.foes {
		if d.foes[i].Hex == s.target {
			d.foes = append(d.foes[:i:i], d.foes[i+1:]...)
			break
		}
	}
}
