package steppe

import (
	"strings"
	"testing"

	"fieldpost/adjudicator/hex"
)

// The auditor finds what it is there for.
func TestTheAuditorBites(t *testing.T) {
	g := newGame(load(t, "star-and-gallop"))
	opening, err := g.Opening()
	if err != nil {
		t.Fatal(err)
	}
	for why, spoil := range map[string]func(*State){
		"steps are left":     func(s *State) { s.byName(German, "LAH").Steps-- },
		"holds 8 steps":      func(s *State) { s.put(s.byName(German, "DR-"), s.byName(German, "LAH").Hex) },
		"holds both sides":   func(s *State) { s.put(s.byName(Soviet, "37 RB"), s.byName(German, "LAH").Hex) },
		"controls":           func(s *State) { s.Control[s.ix(hex.New(25, 12))] = 'S' },
		"points for losses":  func(s *State) { s.Points[0]++ },
		"the aircraft":       func(s *State) { s.Air[0].FreeF = 9 },
		"air units are gone": func(s *State) { s.Step = StepChit; s.Air[0].Fighters-- },
		"is in the pool":     func(s *State) { u := s.byName(German, "LAH"); s.lift(u); u.Where, u.Hex = InPool, 0 },
		"control is not":     func(s *State) { s.Control[3] = 'x' },
		"the chits of":       func(s *State) { s.Cup = append(s.Cup, s.fill("GERMAN", nil)); s.Cup[0].Left = -1 },
	} {
		first, err := decodeState(g.sc, opening)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(why, "air units") {
			first.Step = StepChit
		}
		look, err := Tried{g}.Auditor(first.encode())
		if err != nil {
			t.Fatal(err)
		}
		if faults := look(first.encode(), nil); len(faults) > 0 {
			t.Fatalf("an unspoiled position: %v", faults)
		}
		spoil(first)
		if faults := strings.Join(look(first.encode(), nil), "; "); !strings.Contains(faults, why) {
			t.Errorf("%s was not found: %s", why, faults)
		}
	}
}
