package staff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/famous"
	"fieldpost/adjudicator/hex"
)

// famousAttack is an attack that a battalion makes together.
type famousAttack struct {
	foe   *famous.Foe
	posts []famous.Post
	units map[string]famous.Piece // the attackers, by id
	guns  []famous.Piece
	out   famous.Outlook
	score int
}

const (
	evenColumn  = 3  // the column 1-1
	mostAttacks = 2  // of one battalion in a turn
	mostSupport = 5  // guns in support of an attack
	callRange   = 14 // hexes from which units are called to an attack
	hqMakesGood = 4  // hexes out of range that the headquarters makes good by its own move
)

// attacks plans the attacks of the battalion, the best first, each with whoever the
// ones before have left.
func (k *chitPlan) attacks() (out []*famousAttack) {
	for len(out) < k.t.as.most(mostAttacks) {
		var best choice[*famousAttack]
		for i := range k.t.foes {
			f := &k.t.foes[i]
			if slices.ContainsFunc(out, func(s *famousAttack) bool { return s.foe == f }) {
				continue
			}
			if s := k.gather(f); s != nil {
				best.offer(s, s.score)
			}
		}
		if !best.made {
			return out
		}
		out = append(out, best.best)
		k.promise(best.best)
	}
	return out
}

// promise keeps who takes part in an attack from other tasks.
func (k *chitPlan) promise(s *famousAttack) {
	if t := k.t; s.foe.Alone {
		t.doomed[s.foe.Hex] += (100 - t.doomed[s.foe.Hex]) * s.out.Clear / 100
	}
	for _, p := range s.posts {
		k.busy[p.ID] = true
	}
	for _, g := range s.guns {
		k.t.taken[g.ID] = true
	}
}

// gather is the attack on a stack by all who can get beside it, nil if it does not pay.
func (k *chitPlan) gather(f *famous.Foe) *famousAttack {
	s := &famousAttack{foe: f, units: map[string]famous.Piece{}}
	load := map[hex.Hex]int{}
	for _, p := range k.able(f) {
		from := k.standAgainst(p, f.Hex, load)
		if from == hex.None {
			continue
		}
		load[from] += p.Halves
		s.posts = append(s.posts, famous.Post{ID: p.ID, From: from})
		s.units[p.ID] = p
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

// able lists who could take part in an attack on a stack, the strongest first.
func (k *chitPlan) able(f *famous.Foe) (out []famous.Piece) {
	for _, p := range k.pieces {
		switch {
		case p.Hex == hex.None, p.HQ, p.Gun != 0, p.Attack <= 0: // they attack nobody
		case k.busy[p.ID], k.t.g.Distance(p.Hex, f.Hex) > callRange:
		default:
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b famous.Piece) int { return cmp.Compare(b.Attack, a.Attack) })
	return out
}

// standAgainst is the hex from which a unit would best attack another one, None if it
// can get to none; load is what the plan sends to each.
func (k *chitPlan) standAgainst(p famous.Piece, target hex.Hex, load map[hex.Hex]int) hex.Hex {
	t := k.t
	best := unless(hex.None, -1<<30)
	for _, h := range k.reach[p.ID] {
		switch {
		case t.g.Distance(h, target) != 1, !k.room(p, h, load[h]), k.beyond(h, hqMakesGood):
			continue
		}
		n := 10*t.a.Cover(h) - 20*t.a.Water(h, target)
		if h == p.Hex {
			n += 15
		} else {
			n -= t.risk(h)
		}
		best.offer(h, n)
	}
	return best.best
}

// beyond tells whether a hex lies outside the range of the headquarters by more than some
// hexes. Without a headquarters nothing does.
func (k *chitPlan) beyond(h hex.Hex, more int) bool {
	if k.hq == hex.None {
		return false
	}
	return k.t.g.Distance(k.hq, h) > k.radius+more
}

// least is what an attack must be worth: defenders leave their place for a good one only.
func (t *famousPlan) least() int {
	if t.attacker {
		return t.as.least(20)
	}
	return t.as.least(90)
}

// room tells whether a unit fits on a hex beside those that stay there and those
// that the plan sends.
func (k *chitPlan) room(p famous.Piece, h hex.Hex, planned int) bool {
	if h == p.Hex {
		return true
	}
	halves, _ := k.t.a.Own(h)
	return halves+planned+p.Halves <= k.t.a.Limit(h)
}

// arm adds guns while they pay and judges the attack.
func (k *chitPlan) arm(s *famousAttack) {
	s.out, s.score = k.judge(s, nil)
	for _, g := range k.t.a.Guns(s.foe.Hex) {
		if len(s.guns) == mostSupport {
			break
		}
		if k.t.taken[g.ID] {
			continue
		}
		more := append(slices.Clone(s.guns), g)
		out, score := k.judge(s, more)
		pays := score > s.score
		// One that raises nothing may with a second one raise the column.
		first := out.Column == s.out.Column && len(more) < 3
		if pays || first {
			s.guns = more
		}
		if pays {
			s.out, s.score = out, score
		}
	}
	// Guns that did not raise the column stay free.
	for len(s.guns) > 0 {
		fewer := s.guns[:len(s.guns)-1]
		if _, n := k.judge(s, fewer); n < s.score {
			break
		}
		s.guns = fewer
	}
	s.out, s.score = k.judge(s, s.guns)
}

// judge reckons what an attack comes to with guns in support, and what it is worth.
func (k *chitPlan) judge(s *famousAttack, guns []famous.Piece) (famous.Outlook, int) {
	t := k.t
	var ids []string
	for _, g := range guns {
		ids = append(ids, g.ID)
	}
	o := t.a.Weigh(s.foe.Hex, s.posts, ids)
	price, prize := k.stakes(s.foe.Hex)
	n := o.Harm - o.Cost*t.as.price(price)/100 + prize*o.Clear/100 - 12*len(guns)
	for _, p := range s.posts {
		if s.units[p.ID].Hex != p.From {
			n -= t.risk(p.From) / 2
		}
	}
	return o, n * (100 - t.doomed[s.foe.Hex]) / 100
}

// stakes are what an own step counts against one of the enemy's, in percent, and what it
// is worth that the enemy leaves a hex.
func (k *chitPlan) stakes(target hex.Hex) (price, prize int) {
	t := k.t
	if !t.attacker {
		return 100, 15
	}
	prize = 60 + 90*t.worth(target)
	if k.goal.Hex != hex.None {
		prize += max(0, 40-6*t.g.Distance(target, k.goal.Hex))
	}
	return 70, prize
}

// march brings the attackers to where they attack from.
func (k *chitPlan) march(s *famousAttack) {
	k.drop(s)
	for _, p := range s.posts {
		q := s.units[p.ID]
		if q.Hex == p.From {
			continue
		}
		if !k.move(q, p.From) {
			k.busy[p.ID] = false
		}
	}
}

// drop takes those out of an attack who would stand out of the headquarters' range.
func (k *chitPlan) drop(s *famousAttack) {
	s.posts = slices.DeleteFunc(s.posts, func(p famous.Post) bool {
		far := k.beyond(p.From, 0)
		if far {
			k.busy[p.ID] = false
		}
		return far
	})
}

// assault writes the attack. It is off where it would be worse by more than a column.
func (k *chitPlan) assault(s *famousAttack) {
	var names, guns []string
	for _, p := range s.posts {
		names = append(names, s.units[p.ID].Name)
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
	text += "; MIN " + k.t.a.Columns()[min(s.out.Column, max(evenColumn+1, s.out.Column-1))]
	if !k.t.attacker {
		k.do("%s", text)
		return
	}
	if !k.do("%s; ADVANCE %s", text, strings.Join(k.followers(s, names), ", ")) {
		k.do("%s", text)
	}
}

// followers are the two who walk into the hex that was taken: those who do not fire
// directly if there are any, else the first attackers.
func (k *chitPlan) followers(s *famousAttack, all []string) (out []string) {
	for _, p := range s.posts {
		if q := s.units[p.ID]; q.Direct == 0 {
			out = append(out, q.Name)
		}
	}
	if len(out) == 0 {
		out = all
	}
	return out[:min(2, len(out))]
}
