package famous

import (
	"iter"
	"slices"

	"fieldpost/adjudicator/hex"
)

// faces tells whether a fortification faces a hexside of its hex: its direction
// and those beside it; a minefield faces all.
//
// GD 15.1/1
// reading GD 15.1: a chit faces three hexsides, its direction in the middle.
func (sc *Scenario) faces(f Fort, d hex.Dir) bool {
	n := sc.Forts[f.Kind].Sides // GD 15.1/3: six of a minefield
	off := (int(d) - int(f.Face) + 6) % 6
	return off <= n/2 || 6-off <= (n-1)/2
}

// fortsOn are the fortifications on a hex.
func (s *State) fortsOn(h hex.Hex) []Fort {
	var out []Fort
	for f := range s.eachFort(s.sc.Board.Grid.Index(h)) {
		out = append(out, *f)
	}
	return out
}

// eachFort goes over the fortifications on a hex of that index.
func (s *State) eachFort(i int) iter.Seq[*Fort] {
	return func(yield func(*Fort) bool) {
		for n := s.fort[i]; n != noOne && yield(&s.Forts[n]); n = s.behindFort[n] {
		}
	}
}

// fortified: there is a fortification on the hex.
func (s *State) fortified(i int) bool { return s.fort[i] != noOne }

// fortDRMs are the modifiers of the fortifications of a hex against attackers on
// those hexes. They come on top of the ground's. Cancelled kinds do not count.
//
// GD 15.0/1
// GD 15.0/2
// GD 15.0/5: without an occupant there is nobody to attack, and they do nothing
func (s *State) fortDRMs(target hex.Hex, from []hex.Hex, cancelled []int) (out []int) {
	for _, f := range s.fortsOn(target) { // GD 15.0/6: several kinds add up
		if slices.Contains(cancelled, f.Kind) || !s.facesAll(f, from) {
			continue
		}
		out = append(out, s.sc.Forts[f.Kind].DRM)
	}
	return out
}

// facesAll: all attackers come across the front of the fortification.
//
// GD 15.1/4
// GD 15.1/5: and of several only those count
func (s *State) facesAll(f Fort, from []hex.Hex) bool {
	for _, h := range from {
		if d, _ := s.sc.Board.Grid.Direction(f.Hex, h); !s.sc.faces(f, d) {
			return false
		}
	}
	return true
}

// clearForts takes all fortifications off a hex. Nothing else does, no result of a combat.
//
// GD 15.0/9
func (s *State) clearForts(h hex.Hex) {
	s.Forts = slices.DeleteFunc(s.Forts, func(f Fort) bool { return f.Hex == h })
	s.works()
}

// sheltered: in the hex of a bunker or a trench, where no barrage eliminates (11.2).
func (s *State) sheltered(i int) bool {
	for f := range s.eachFort(i) {
		switch s.sc.Forts[f.Kind].Name {
		case "Bunker", "Trench":
			return true
		}
	}
	return false
}
