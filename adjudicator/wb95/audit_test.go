package wb95

import (
	"strings"
	"testing"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// The audit of a phase notices each thing that must never happen.
func TestTheAuditNoticesWhatMustNotHappen(t *testing.T) {
	g := kharkovGame(t)
	opening, err := g.Opening()
	if err != nil {
		t.Fatal(err)
	}
	// One unit begins the phase a step short.
	s, err := decodeState(g.sc, opening)
	if err != nil {
		t.Fatal(err)
	}
	var front, enemy *Unit
	weak := ""
	find := func(s *State) {
		front, enemy = nil, nil
		for i := range s.Units {
			switch u := &s.Units[i]; {
			case u.Where != OnMap || !u.regular() || u.Steps < 2:
			case front == nil && u.c.Side == s.sc.Sides[0]:
				front = u
			case enemy == nil && u.c.Side == s.sc.Sides[1]:
				enemy = u
			}
		}
	}
	find(s)
	weak = front.ID
	front.Steps--
	opening = s.encode()
	for _, tc := range []struct {
		name, want string
		spoil      func(s *State)
	}{
		{"nothing", "", func(*State) {}},
		{"a lost step that nobody tells", "was told of 0 lost", func(*State) { enemy.Steps-- }},
		{"a step from nowhere", "steps came from nowhere", func(s *State) { s.unit(weak).Steps++ }},
		{"more steps than it has", "with 9 steps of", func(*State) { front.Steps = 9 }},
		{"both sides on a hex", "both sides stand on", func(*State) { front.Hex = enemy.Hex }},
		{"a stack too large", "holds", func(s *State) {
			for i := range s.Units {
				if u := &s.Units[i]; u.Where == OnMap && u.c.Side == front.c.Side {
					u.Hex = front.Hex
				}
			}
		}},
		{"off the map", "off the map", func(s *State) { front.Hex = hex.New(s.sc.Board.Grid.ColMax+1, 1) }},
		{"in two places", "at once", func(*State) { front.Where = Later }},
		{"one counter twice", "not those of the beginning", func(s *State) { s.Units = append(s.Units, s.Units[len(s.Units)-1]) }},
		{"two works", "two works on", func(s *State) {
			s.Forts = append(s.Forts, s.Forts[len(s.Forts)-1])
		}},
		{"works in the enemy's hand", "who has lost the hex", func(s *State) {
			s.Forts = nil
			s.setFort(enemy.Hex, FF, front.c.Side)
		}},
		{"a clock that stands", "comes turn", func(s *State) { s.Phase = 1 }},
		{"more aircraft than there are", "points of the day", func(s *State) { s.Flown[0] = 999 }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			look, err := Tried{g}.Auditor(opening)
			if err != nil {
				t.Fatal(err)
			}
			s, err := decodeState(g.sc, opening)
			if err != nil {
				t.Fatal(err)
			}
			s.Phase = 2
			find(s)
			tc.spoil(s)
			got := strings.Join(look(s.encode(), []view.Event{}), "; ")
			if tc.want == "" && got != "" || !strings.Contains(got, tc.want) {
				t.Errorf("it says %q, expected %q", got, tc.want)
			}
		})
	}
}
