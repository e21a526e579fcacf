package famous

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/view"
)

// Nothing that a counter shows is missing in view.json: of own units all of it, of the enemy's
// where it is known which they are. The charts have the same.
func TestEveryCounterIsInTheView(t *testing.T) {
	for _, id := range []string{"gd-kursk", "gd-akhtyrka", "gd-lutchessa", "gd-mischurin-rog"} {
		sc := load(t, id)
		charts := map[string]string{}
		for _, c := range newGame(sc).Charts() {
			for _, row := range c.Rows {
				charts[c.Title] += strings.Join(row, "|") + "\n"
			}
		}
		for _, side := range sc.Sides {
			p := seatAtOpening(t, id, string(side), nil)
			own := map[string]*view.Card{}
			for _, list := range [][]view.Unit{p.view.Units, p.view.Arrivals} {
				for _, u := range list {
					own[u.ID] = u.Card
				}
			}
			for i := range sc.Counters {
				c := &sc.Counters[i]
				if c.Side != side {
					continue
				}
				card := own[c.ID]
				if card == nil {
					t.Errorf("%s: %s has no card", id, c.Name)
					continue
				}
				shows := fmt.Sprint(card.Faces, card.Kind, card.Moves, card.Direct, card.Artillery, card.Activates, card.Flak)
				want := fmt.Sprint([]string{c.Full.text(), c.Reduced.text()}[:c.Steps()], c.Kind, c.Class.String(), c.Direct, c.Artillery, c.Command, c.AA)
				if shows != want {
					t.Errorf("%s: the card of %s shows %s, the counter %s", id, c.Name, shows, want)
				}
				for sign, on := range map[string]bool{"engineers": c.Engineer, "rafts": c.Raft, "flak guns": c.Flak, "replacements": c.Ersatz, "division": c.Division} {
					if slices.Contains(card.Marks, sign) != on {
						t.Errorf("%s: %s: %s %v", id, c.Name, sign, card.Marks)
					}
				}
				row := charts["Units: "+sc.Names[sc.number(side)]]
				if !strings.Contains(row, c.Name+"|"+c.Battalion+"|"+c.Kind+"|"+card.Moves+"|"+strings.Join(card.Faces, "|")) {
					t.Errorf("%s: the charts have no %s", id, c.Name)
				}
			}
			known := 0
			for _, st := range p.view.Enemy {
				for _, u := range st.Units {
					if known++; u.Card == nil || len(u.Card.Faces) == 0 {
						t.Errorf("%s: %s is known to the %s, and has no card", id, u.Name, side)
					}
				}
			}
			if id == "gd-kursk" && known == 0 {
				t.Errorf("%s: nobody is known to the %s", id, side)
			}
		}
	}
}
