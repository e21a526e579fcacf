package staff

import (
	"slices"

	"fieldpost/adjudicator/hex"
)

// barrages fires the guns of the battalion that no attack has asked for, before
// everything else: at what is to be attacked, then at what holds most.
func (k *task) barrages(storms []*storm) {
	t := k.t
	for _, p := range t.a.Pieces() {
		if !p.Active || p.Gun == 0 || p.Fired || p.Attack == 0 || t.taken[p.ID] {
			continue
		}
		best, most := hex.None, 14
		for _, f := range t.foes {
			n := t.a.Shelling(p.ID, f.Hex)
			if slices.ContainsFunc(storms, func(s *storm) bool { return s.foe.Hex == f.Hex }) {
				n += n / 2
			}
			if f.Fires {
				n += n / 2
			}
			n += n * min(3, t.worth(f.Hex)) / 4
			if n > most {
				best, most = f.Hex, n
			}
		}
		if best != hex.None {
			k.do("BARRAGE %v WITH %s", best, p.Name)
		}
	}
}

// fires orders direct fire: who attacks fires at his target first.
func (k *task) fires(storms []*storm) {
	t := k.t
	target := map[string]hex.Hex{}
	for _, s := range storms {
		for _, p := range s.posts {
			target[p.ID] = s.foe.Hex
		}
	}
	for _, p := range t.a.Pieces() {
		if !p.Active || p.Direct == 0 || p.Hex == hex.None {
			continue
		}
		best, most := hex.None, 5
		for _, f := range t.foes {
			n := t.a.Chance(p.ID, f.Hex)
			if n > 0 && target[p.ID] == f.Hex {
				n += 20
			}
			if n > most {
				best, most = f.Hex, n
			}
		}
		if best != hex.None {
			k.do("FIRE %s AT %v", p.Name, best)
		}
	}
}
