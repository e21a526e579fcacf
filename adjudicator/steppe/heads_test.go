package steppe

import (
	"strings"
	"testing"

	"fieldpost/adjudicator/phrase"
	"fieldpost/orders"
)

// A headquarters is named by as many words of a head as can be, and never by those that say
// what its programme is: no name of another one goes on with them.
func TestNamesEndWhereTheModeBegins(t *testing.T) {
	modes := []string{"MOVE THEN ATTACK", "ATTACK THEN MOVE", "MA", "AM", "HOLD", "IF 2115 IS HELD", "UNLESS 2115 IS HELD"}
	heads := 0
	for _, id := range []string{"star-and-gallop", "backhand-blow", "winter-campaign"} {
		s := load(t, id).opening()
		for i := range s.Units {
			hq := &s.Units[i]
			if hq.combat() {
				continue
			}
			for style := phrase.Named; style <= phrase.Abridged; style++ {
				form := strings.ToUpper(hq.c.called().Form(style))
				for _, mode := range modes {
					words := wordsOf(form + " " + mode)
					x := &sheetReader{s: s, side: hq.c.Side}
					named, n := x.longestHQ(words)
					for k := min(mostHQWords, len(words)); k > n; k-- {
						u, found := phrase.Find(muster{s, hq.c.Side}, s.sc.Board, phrase.Join(words[:k]))
						if found && !u.combat() {
							t.Errorf("%s: %q names %s, not %v", id, phrase.Join(words[:k]), u.c.Name, named)
						}
					}
					heads++
				}
			}
		}
	}
	if heads < 1000 {
		t.Errorf("%d heads were read", heads)
	}
}

// wordsOf are the words of a line.
func wordsOf(line string) (out []orders.Word) {
	for text := range strings.FieldsSeq(line) {
		out = append(out, orders.Word{Text: text})
	}
	return out
}
