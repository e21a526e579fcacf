package playtest

import (
	"context"
	"testing"

	"fieldpost/adjudicator"
)

// Every question for standing orders is answered from what the side has filed:
// they never wait, and they are never forgotten.
func TestStandingOrdersAreAskedOfFiledSheets(t *testing.T) {
	for _, id := range []string{"kursk", "nysa-1945", "kharkov-1942"} {
		game, words := load(t, id)
		m := Match{Game: game, Vocabulary: words, Number: 1, Turns: 2}
		asked := 0
		m.Asked = func(d adjudicator.Decision) {
			if d.Kind != "standing" {
				return
			}
			if asked++; !d.Filed {
				t.Errorf("%s: %s for %s is not asked of filed sheets", id, d.Label, d.Clause)
			}
		}
		if _, err := m.Play(context.Background()); err != nil {
			t.Fatal(err)
		}
		if asked == 0 {
			t.Errorf("%s: no standing orders were asked for", id)
		}
	}
}
