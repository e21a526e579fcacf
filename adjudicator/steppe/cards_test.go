package steppe

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/view"
)

// Nothing that a counter shows is missing in view.json, of neither side: all of it is public.
func TestEveryCounterIsInTheView(t *testing.T) {
	for _, id := range []string{"star-and-gallop", "winter-campaign", "backhand-blow"} {
		sc := load(t, id)
		s := sc.opening()
		v := s.view(Soviet)
		cards := map[string]*view.Card{}
		for _, list := range [][]view.Unit{v.Units, v.Arrivals} {
			for _, u := range list {
				cards[u.Name] = u.Card
			}
		}
		foes := 0
		for _, st := range v.Enemy {
			for _, u := range st.Units {
				cards[u.Name], foes = u.Card, foes+1
			}
		}
		if foes < 5 {
			t.Errorf("%s: %d units of the enemy", id, foes)
		}
		for i := range s.Units {
			u := &s.Units[i]
			if u.c.Side == German && u.Where != OnMap {
				continue
			}
			card := cards[u.c.Name]
			if card == nil {
				t.Errorf("%s: %s has no card", id, u.c.Name)
				continue
			}
			var faces []string
			for _, f := range slices.Backward(u.c.Faces) {
				faces = append(faces, fmt.Sprintf("%d-%d-%d", f.Attack, f.Defence, f.Moves))
			}
			shows := fmt.Sprint(card.Faces, card.Activates, card.Support, card.Moves == "motorized")
			if want := fmt.Sprint(faces, u.c.Range, u.c.Artillery, u.c.Motorized); shows != want {
				t.Errorf("%s: the card of %s shows %s, the counter %s", id, u.c.Name, shows, want)
			}
			marks := strings.Join(card.Marks, ", ")
			for sign, on := range map[string]bool{"may overrun": u.c.Mech, "anti-tank": u.c.AT, "Kampfgruppe": u.c.KG, "red sash": u.c.Red > 0} {
				if strings.Contains(marks, sign) != on {
					t.Errorf("%s: %s: %s %s", id, u.c.Name, sign, marks)
				}
			}
		}
	}
}
