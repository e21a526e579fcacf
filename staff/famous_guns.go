package staff

import (
	"slices"

	"fieldpost/adjudicator/famous"
	"fieldpost/adjudicator/hex"
)

// The least that a barrage or direct fire must promise.
const (
	leastShelling = 14 // hundredths of a step
	leastChance   = 5  // percent
)

// barrages fires the guns of the battalion that no attack has asked for, before
// everything else: at what is to be attacked, then at what holds most.
func (k *chitPlan) barrages(attacks []*famousAttack) {
	for _, p := range k.t.a.Pieces() {
		if !k.shells(p) {
			continue
		}
		best := unless(hex.None, leastShelling)
		for i := range k.t.foes {
			f := &k.t.foes[i]
			best.offer(f.Hex, k.shelling(p, f, attacks))
		}
		if best.best != hex.None {
			k.do("BARRAGE %v WITH %s", best.best, p.Name)
		}
	}
}

// shells tells whether a gun may fire a barrage of its own in the programme.
func (k *chitPlan) shells(p famous.Piece) bool {
	switch {
	case !p.Active, p.Gun == 0, p.Attack == 0:
		return false
	case p.Fired, k.t.taken[p.ID]:
		return false
	}
	return true
}

// shelling is what a barrage of a gun on a stack is worth.
func (k *chitPlan) shelling(p famous.Piece, f *famous.Foe, attacks []*famousAttack) int {
	n := k.t.a.Shelling(p.ID, f.Hex)
	if slices.ContainsFunc(attacks, func(s *famousAttack) bool { return s.foe.Hex == f.Hex }) {
		n += n / 2
	}
	if f.Fires {
		n += n / 2
	}
	return n + n*min(3, k.t.worth(f.Hex))/4
}

// fires orders direct fire: who attacks fires at their target first.
func (k *chitPlan) fires(attacks []*famousAttack) {
	t := k.t
	target := map[string]hex.Hex{}
	for _, s := range attacks {
		for _, p := range s.posts {
			target[p.ID] = s.foe.Hex
		}
	}
	for _, p := range t.a.Pieces() {
		direct := p.Direct != 0 && p.Hex != hex.None
		if !p.Active || !direct {
			continue
		}
		best := unless(hex.None, leastChance)
		for _, f := range t.foes {
			n := t.a.Chance(p.ID, f.Hex)
			if n > 0 && target[p.ID] == f.Hex {
				n += 20
			}
			best.offer(f.Hex, n)
		}
		if best.best != hex.None {
			k.do("FIRE %s AT %v", p.Name, best.best)
		}
	}
}
