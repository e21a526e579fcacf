package samples

import (
	"bytes"
	"strings"
	"testing"

	"fieldpost/staff"
	"fieldpost/trial"
	"fieldpost/trial/arena"
	"fieldpost/umpire/match"
)

// A sample; fieldpost-trial arena plays whole games. Equal officers come out equal, and the one
// who rehearses is told apart from a cadet.
func TestTheArena(t *testing.T) {
	for _, c := range []struct {
		a    arena.Contender
		says []string
	}{
		{arena.Contender{Strength: staff.Cadet}, []string{"| gd-akhtyrka | 2 | 0, 2, 0 | +0.0 ± 0.0 |", "0 units each", "not decided"}},
		{arena.Contender{Strength: staff.Captain, Units: 900}, []string{"8 sheets of officer@900", "0 orders refused, 0 sheets without rehearsal, 0 rehearsals failed"}},
	} {
		var out bytes.Buffer
		try := &trial.Trial{Load: match.Builtin.Game, Scenarios: []string{"gd-akhtyrka"}, Turns: 2, Out: &out, Progress: &out}
		err := arena.Run(t.Context(), try, arena.Options{A: c.a, B: arena.Contender{Strength: staff.Cadet}, Pairs: 2, First: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range c.says {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: %q is missing in\n%s", c.a, want, out.String())
			}
		}
	}
	var out bytes.Buffer
	try := &trial.Trial{Load: match.Builtin.Game, Scenarios: []string{"star-and-gallop"}, Seed: 1, Turns: 2, Out: &out, Progress: &out}
	if err := arena.Habits(t.Context(), try, arena.Options{A: arena.Contender{Strength: staff.Captain, Units: 300}, B: arena.Contender{Strength: staff.Cadet}}, 1); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "\n| "); n < 11 || !strings.Contains(out.String(), "| cadet | cadet | officer@300 |") {
		t.Errorf("%d rows of habits:\n%s", n, out.String())
	}
	for _, text := range []string{"chief", "chief@450", "officer@100:turned, careful", "chief:bold"} {
		if c, err := arena.ParseContender(text); err != nil || c.String() != text {
			t.Errorf("%q is read as %q, %v", text, c, err)
		}
	}
	for text, says := range map[string]string{"chief@much": "not a number", "chief:": "a plan is missing", "cadet:bold": "a cadet has no plans"} {
		if _, err := arena.ParseContender(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, and not that %s", text, err, says)
		}
	}
}
