package staff

import (
	"slices"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/famous"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/steppe"
	"fieldpost/adjudicator/view"
	"fieldpost/adjudicator/wb95"
)

// Where officers reckon that a unit can get to, the guide offers: in all scenarios, for every
// unit that the guide says may go somewhere, the same hexes and no others, but for those of
// which it says that troops stand there with whom the unit may not stay.
func TestOfficersReckonWithTheGuide(t *testing.T) {
	units := map[string]int{}
	for _, s := range everySitting(t) {
		if s.mode != "" || s.view.Turn == 0 {
			continue
		}
		reach, err := reckoned(s.game, s.view)
		if err != nil {
			t.Fatal(err)
		}
		guide, err := s.game.(adjudicator.Guiding).Guide(s.view)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range guide.Actors() {
			if a.Kind != "unit" || a.Hex == hex.None {
				continue
			}
			ways, err := guide.Reach(a.Name, "")
			if err != nil || len(ways) == 0 {
				continue // it may not be ordered anywhere now; what it could is no matter
			}
			units[s.view.System]++
			offered := []hex.Hex{a.Hex}
			for _, w := range ways {
				if !slices.Contains(w.Meets, "troops stand there that it may not stay with") {
					offered = append(offered, w.Hex)
				}
			}
			slices.Sort(offered)
			offered = slices.Compact(offered)
			ours := append(reach(a.ID), a.Hex)
			slices.Sort(ours)
			ours = slices.Compact(ours)
			if !slices.Equal(ours, offered) {
				t.Errorf("%s, %s on %v: the officer reckons with %v, the guide offers %v", s.label, a.Name, a.Hex, without(ours, offered), without(offered, ours))
			}
		}
	}
	t.Log("units:", units)
	for _, system := range []string{"wb95", "steppe", "famous"} {
		if units[system] < 100 {
			t.Errorf("%d units of %s were compared", units[system], system)
		}
	}
}

// reckoned is where officers of a game's system look up where a unit can get to.
func reckoned(g adjudicator.Game, v *view.View) (func(id string) []hex.Hex, error) {
	switch g := g.(type) {
	case *steppe.Game:
		a, err := g.Advise(v)
		return a.Reach, err
	case *famous.Game:
		a, err := g.Advise(v)
		reach := map[string][]hex.Hex{}
		for _, battalion := range (&famousPlan{v: v}).own() {
			for _, p := range a.Open(battalion) { // as when its chit is drawn
				reach[p.ID] = a.Reach(p.ID)
			}
		}
		return func(id string) []hex.Hex { return reach[id] }, err
	}
	a, err := g.(*wb95.Game).Advise(v)
	return func(id string) (out []hex.Hex) {
		for _, p := range a.Reach(id) {
			out = append(out, p.Hex)
		}
		return out
	}, err
}

// without are the hexes of one list that the other has not.
func without(list, other []hex.Hex) (out []hex.Hex) {
	for _, h := range list {
		if !slices.Contains(other, h) {
			out = append(out, h)
		}
	}
	return out
}
