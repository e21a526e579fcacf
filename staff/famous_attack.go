package staff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/famous"
	"fieldpost/adjudicator/hex"
)

// storm is an attack that a battalion makes together.
type storm struct {
	foe   *famous.Foe
	posts []famous.Post
	names map[string]famous.Piece
	guns  []famous.Piece
	out   famous.Outlook
	score int
}

// even is the column 1-1.
const even = 3

// most attacks of one battalion in a turn.
const mostStorms = 2

// storms plans the attacks of the battalion, the best first, each with whoever the
// ones before have left.
func (k *task) storms() (out []*storm) {
	for len(out) < mostStorms {
		var best *storm
		for i := range k.t.foes {
			f := &k.t.foes[i]
			if slices.ContainsFunc(out, func(s *storm) bool { return s.foe == f }) {
				continue
			}
			if s := k.gather(f); s != nil && (best == nil || s.score > best.score) {
				best = s
			}
		}
		if best == nil {
			return out
		}
		out = append(out, best)
		if t := k.t; best.foe.Alone {
			t.doomed[best.foe.Hex] += (100 - t.doomed[best.foe.Hex]) * best.out.Clear / 100
		}
		for _, p := range best.posts {
			k.busy[p.ID] = true
		}
		for _, g := range best.guns {
			k.t.taken[g.ID] = true
		}
	}
	return out
}

// gather is the attack on a stack by all who can get beside it, nil if it does not pay.
func (k *task) gather(f *famous.Foe) *storm {
	t := k.t
	s := &storm{foe: f, names: map[string]famous.Piece{}}
	load := map[hex.Hex]int{}
	var able []famous.Piece
	for _, p := range k.pieces {
		if p.Hex != hex.None && !p.HQ && p.Gun == 0 && p.Attack > 0 && !k.busy[p.ID] && t.g.Distance(p.Hex, f.Hex) <= 14 {
			able = append(able, p)
		}
	}
	slices.SortStableFunc(able, func(a, b famous.Piece) int { return cmp.Compare(b.Attack, a.Attack) })
	for _, p := range able {
		best, most := hex.None, -1<<30
		for _, h := range k.reach[p.ID] {
			if t.g.Distance(h, f.Hex) != 1 || !k.room(p, h, load[h]) || k.hq != hex.None && t.g.Distance(k.hq, h) > k.radius+4 {
				continue
			}
			n := 10*t.a.Cover(h) - 20*t.a.Water(h, f.Hex)
			if h != p.Hex {
				n -= t.risk(h)
			} else {
				n += 15
			}
			if n > most {
				best, most = h, n
			}
		}
		if best != hex.None {
			load[best] += p.Halves
			s.posts = append(s.posts, famous.Post{ID: p.ID, From: best})
			s.names[p.ID] = p
		}
	}
	if len(s.posts) == 0 {
		return nil
	}
	k.arm(s)
	if s.score < k.t.least() {
		return nil
	}
	return s
}

// least is what an attack must be worth: the defender leaves his place for a good one only.
func (t *tactics) least() int {
	if t.bold {
		return 20
	}
	return 90
}

// room tells whether a unit fits on a hex beside those that stay there and those
// that the plan sends.
func (k *task) room(p famous.Piece, h hex.Hex, planned int) bool {
	halves, _ := k.t.a.Own(h)
	if h == p.Hex {
		return true
	}
	return halves+planned+p.Halves <= k.t.a.Limit(h)
}

// arm adds guns while they pay and judges the attack.
func (k *task) arm(s *storm) {
	t := k.t
	judge := func(guns []famous.Piece) (famous.Outlook, int) {
		var ids []string
		for _, g := range guns {
			ids = append(ids, g.ID)
		}
		o := t.a.Weigh(s.foe.Hex, s.posts, ids)
		price, prize := 100, 15
		if t.bold {
			price, prize = 70, 60+90*t.worth(s.foe.Hex)
			if k.goal.Hex != hex.None {
				d := t.g.Distance(s.foe.Hex, k.goal.Hex)
				prize += max(0, 40-6*d)
			}
		}
		n := o.Harm - o.Cost*price/100 + prize*o.Clear/100 - 12*len(guns)
		for _, p := range s.posts {
			if s.names[p.ID].Hex != p.From {
				n -= t.risk(p.From) / 2
			}
		}
		return o, n * (100 - t.doomed[s.foe.Hex]) / 100
	}
	s.out, s.score = judge(nil)
	for _, g := range t.a.Guns(s.foe.Hex) {
		if t.taken[g.ID] || len(s.guns) == 5 {
			continue
		}
		more := append(slices.Clone(s.guns), g)
		if o, n := judge(more); n > s.score || o.Column == s.out.Column && len(more) < 3 {
			s.guns = more
			if n > s.score {
				s.out, s.score = o, n
			}
		}
	}
	// Guns that did not raise the column stay free.
	for len(s.guns) > 0 {
		less := s.guns[:len(s.guns)-1]
		if _, n := judge(less); n < s.score {
			break
		}
		s.guns = less
	}
	s.out, s.score = judge(s.guns)
}

// march brings the attackers to where they attack from.
func (k *task) march(s *storm) {
	k.drop(s)
	for _, p := range s.posts {
		if q := s.names[p.ID]; q.Hex != p.From && !k.move(q, p.From) {
			k.busy[p.ID] = false
		}
	}
}

// drop takes those out of an attack who would stand out of the headquarters' range.
func (k *task) drop(s *storm) {
	if k.hq == hex.None {
		return
	}
	s.posts = slices.DeleteFunc(s.posts, func(p famous.Post) bool {
		far := k.t.g.Distance(k.hq, p.From) > k.radius
		if far {
			k.busy[p.ID] = false
		}
		return far
	})
}

// assault writes the attack. It is off where it would be worse by more than a column.
func (k *task) assault(s *storm) {
	var names, follow, guns []string
	for _, p := range s.posts {
		names = append(names, s.names[p.ID].Name)
	}
	if len(names) == 0 {
		return
	}
	for _, g := range s.guns {
		guns = append(guns, g.Name)
	}
	text := fmt.Sprintf("ATTACK %v WITH %s", s.foe.Hex, strings.Join(names, ", "))
	if len(guns) > 0 {
		text += "; ARTILLERY " + strings.Join(guns, ", ")
	}
	text += "; MIN " + k.t.a.Columns()[min(s.out.Column, max(even+1, s.out.Column-1))]
	for _, p := range s.posts {
		if q := s.names[p.ID]; k.t.bold && q.Direct == 0 && len(follow) < 2 {
			follow = append(follow, q.Name)
		}
	}
	if len(follow) == 0 && k.t.bold {
		follow = names[:min(2, len(names))]
	}
	if len(follow) == 0 || !k.do("%s; ADVANCE %s", text, strings.Join(follow, ", ")) {
		k.do("%s", text)
	}
}
