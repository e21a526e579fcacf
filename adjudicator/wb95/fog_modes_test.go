package wb95

import (
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

// fogged is the opening of a scenario under a mode of fog.
func fogged(t *testing.T, mode adjudicator.Fog) (*Game, *State) {
	t.Helper()
	g := gameOf(t, "kharkov-1942", map[string]string{"fog": string(mode)})
	b, err := g.Opening()
	if err != nil {
		t.Fatal(err)
	}
	s, err := g.decode(b)
	if err != nil {
		t.Fatal(err)
	}
	return g, s
}

// What each mode shows of the enemy at the opening.
func TestFogModes(t *testing.T) {
	stacks := map[adjudicator.Fog]int{}
	for _, mode := range []adjudicator.Fog{adjudicator.FogRulebook, adjudicator.FogBlind, adjudicator.FogOpen} {
		_, s := fogged(t, mode)
		v := s.view("SOVIET")
		stacks[mode] = len(v.Enemy)
		for _, st := range v.Enemy {
			switch {
			case mode == adjudicator.FogOpen && (len(st.Units) == 0 || st.Units[0].Name == ""):
				t.Errorf("open: nothing of what stands in %v", st.Hex)
			case mode != adjudicator.FogOpen && len(st.Units) > 0 && !st.Closer:
				t.Errorf("%s: %v is told and not in contact", mode, st.Hex)
			case mode == adjudicator.FogBlind && !s.sees("SOVIET", st.Hex):
				t.Errorf("blind: %v is out of sight", st.Hex)
			}
		}
	}
	if stacks[adjudicator.FogRulebook] != stacks[adjudicator.FogOpen] || stacks[adjudicator.FogBlind] == 0 || stacks[adjudicator.FogBlind] >= stacks[adjudicator.FogRulebook] {
		t.Errorf("stacks shown: %v", stacks)
	}
}

// lonely puts one Soviet and, four hexes to the south, one German where nobody
// else is, and returns the hexes.
func lonely(t *testing.T, s *State) (u, e *Unit, from, to hex.Hex) {
	t.Helper()
	g := s.sc.Board.Grid
	for i := range g.Len() {
		from = g.At(i)
		to = hex.New(from.Col(), from.Row()+4)
		free := s.sc.Board.On(from) && s.sc.Board.On(to)
		for x := range s.stacks() {
			free = free && g.Distance(from, x) > 9
		}
		for h := from; free && h <= to; h++ {
			free = len(s.sc.Board.Kinds(h)) == 1 && s.sc.Board.Is(h, "clear")
		}
		for h := from; free && h < to; h++ {
			free = s.sc.Board.River(hex.Between(h, h+1)) == ""
		}
		if free {
			break
		}
	}
	for i := range s.Units {
		x := &s.Units[i]
		if x.Where == OnMap && x.regular() && x.c.Side == "SOVIET" && x.c.Class == Tracked && u == nil {
			u = x
		}
		if x.Where == OnMap && x.regular() && x.c.Side == "GERMAN" && e == nil {
			e = x
		}
	}
	u.Hex, e.Hex = from, to
	s.index()
	s.Contact = nil
	s.noteContacts()
	return u, e, from, to
}

// A blind side walks into what it does not see: its order is accepted, the walk
// ends beside the enemy, and from then on there is a note, dated, also when the
// enemy has gone where nobody sees it.
func TestBlindMarch(t *testing.T) {
	g, s := fogged(t, adjudicator.FogBlind)
	u, e, _, to := lonely(t, s)
	v := s.view("SOVIET")
	for _, st := range v.Enemy {
		if st.Hex == to {
			t.Fatalf("%v is shown from four hexes away", to)
		}
	}
	v.Phase = "Movement"
	order := u.c.Name + " TO " + to.String()
	sheet, faults := orders.Parse("GAME: X\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\nMOVE\n"+order+"\nDONE\n", Vocabulary)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	for _, l := range g.Check(v, sheet).Lines {
		if l.Refused != nil {
			t.Errorf("%s: %v", l.Text, l.Refused)
		}
	}
	s.Phase = 3
	o, bad := s.parseMove("SOVIET", phrase.Read(order))
	if bad != nil {
		t.Fatal(bad)
	}
	if _, bad = s.carryOut(o, nil); bad == nil || s.sc.Board.Grid.Distance(u.Hex, to) != 1 {
		t.Errorf("the march ended in %v, beside %v was meant: %v", u.Hex, to, bad)
	}
	s.noteContacts()
	if c := s.contact("SOVIET", to); c == nil || len(c.Units) == 0 {
		t.Fatalf("no note of %v", to)
	}
	// Both part; the note stays with its date until somebody looks.
	u.Hex, e.Hex, s.Turn = hex.New(to.Col(), to.Row()-4), hex.New(to.Col()-1, to.Row()+4), s.Turn+2
	s.index()
	s.noteContacts()
	var noted *view.Stack
	for _, st := range s.view("SOVIET").Enemy {
		if st.Hex == to {
			noted = &st
		}
	}
	if noted == nil || noted.Closer || !strings.HasPrefix(noted.Seen, "12 May") {
		t.Errorf("the note of the old contact: %+v", noted)
	}
	u.Hex = hex.New(to.Col(), to.Row()-2)
	s.index()
	s.noteContacts()
	if s.contact("SOVIET", to) != nil {
		t.Errorf("%v is seen to be empty, and the note stands", to)
	}
}

// By the rulebook the same order is refused at once: the stack is public.
func TestRulebookMarch(t *testing.T) {
	g, s := fogged(t, adjudicator.FogRulebook)
	u, _, _, to := lonely(t, s)
	sheet, _ := orders.Parse("GAME: X\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\nMOVE\n"+u.c.Name+" TO "+to.String()+"\nDONE\n", Vocabulary)
	refused := false
	for _, l := range g.Check(s.view("SOVIET"), sheet).Lines {
		refused = refused || l.Refused != nil
	}
	if !refused {
		t.Error("an order on to a public stack stands")
	}
}

// In a blind game the enemy's marches and works are told only where they are in sight.
func TestBlindSightings(t *testing.T) {
	for _, mode := range []adjudicator.Fog{adjudicator.FogRulebook, adjudicator.FogBlind} {
		_, s := fogged(t, mode)
		_, e, _, to := lonely(t, s)
		before := s.whereabouts("GERMAN")
		e.Hex = hex.New(to.Col(), to.Row()+1)
		s.index()
		told := 0
		s.showMoves("GERMAN", before, func(view.Event) { told++ })
		if told != map[adjudicator.Fog]int{adjudicator.FogRulebook: 1, adjudicator.FogBlind: 0}[mode] {
			t.Errorf("%s: %d marches seen", mode, told)
		}
	}
}
