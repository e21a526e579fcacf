package wb95

import (
	"slices"
	"testing"

	"fieldpost/adjudicator/hex"
)

// stakesOn are the stakes of a side on a hex.
func (a *Adviser) stakesOn(h hex.Hex) (out []Stake) {
	for _, st := range a.Stakes() {
		if st.Hex == h {
			out = append(out, st)
		}
	}
	return out
}

// advised is the adviser of a side of a scenario's opening, once it has been changed.
func advised(t testing.TB, id string, side Side, change func(s *State)) *Adviser {
	t.Helper()
	sc := loadNamed(t, id)
	s := sc.opening()
	s.Phase = 3
	if sc.Sides[1] == side {
		s.Phase = 3 + halfTurn
	}
	if change != nil {
		change(s)
		s.index()
	}
	a, err := newGame(sc).Advise(s.view(side))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Where no award is offered the stakes are the objectives.
func TestStakesAreObjectives(t *testing.T) {
	a := adviser(t, "SOVIET")
	stakes := a.Stakes()
	for i, o := range a.s.sc.Objectives {
		if st := stakes[i]; st.Hex != o.Hex || st.Worth != 100*o.Points || st.Ours != (a.s.held(o.Hex) == "SOVIET") || st.Nations != nil {
			t.Errorf("%+v for %+v", st, o)
		}
	}
	if len(stakes) != len(a.s.sc.Objectives) {
		t.Errorf("%d stakes, %d objectives", len(stakes), len(a.s.sc.Objectives))
	}
}

// A river that is not crossed yet draws the scorer to one hex of its far bank, whose points are
// the award's; one that is crossed draws nobody, and the other side never.
func TestStakesOfCrossings(t *testing.T) {
	crossings := func(a *Adviser) (worth []int) {
		for _, w := range a.s.sc.Awards {
			for _, st := range a.Stakes() {
				if w.Kind == awardCross && slices.Contains(w.Hexes, st.Hex) && st.Worth == 100*w.Points {
					worth = append(worth, st.Worth)
				}
			}
		}
		slices.Sort(worth)
		return worth
	}
	if got := crossings(advised(t, "kursk", "GERMAN", nil)); !slices.Equal(got, []int{500, 600, 1000}) {
		t.Errorf("at the start: %v", got)
	}
	over := func(s *State) { s.setController(map[hex.Hex]Side{2208: "GERMAN"}) }
	if got := crossings(advised(t, "kursk", "GERMAN", over)); !slices.Equal(got, []int{600, 1000}) {
		t.Errorf("beyond the Sosna: %v", got)
	}
	if got := crossings(advised(t, "kursk", "SOVIET", nil)); got != nil {
		t.Errorf("Soviets: %v", got)
	}
}

// A place that counts when all of it is held is worth its part on each hex.
func TestStakesOfPlacesHeld(t *testing.T) {
	for _, side := range []Side{"GERMAN", "SOVIET"} {
		a := advised(t, "prokhorovka", side, nil)
		for _, h := range a.s.sc.Board.Named("Obojan").Hexes {
			if got := a.stakesOn(h); len(got) != 1 || got[0].Worth != 500 || got[0].Ours != (side == "SOVIET") {
				t.Errorf("%s on %v: %+v", side, h, got)
			}
		}
	}
}

// In Two Stars a town is the Americans' to take for half a point, and the Germans' for a whole
// one; one that Germans hold from the start is nobody's.
func TestStakesOfTwoStars(t *testing.T) {
	allies, soviets := advised(t, "two-stars", "AMERICAN", nil), advised(t, "two-stars", "SOVIET", nil)
	cottbus := allies.s.sc.Board.Named("Cottbus").Hexes[0]
	got := allies.stakesOn(cottbus)
	if len(got) != 2 || got[0].Worth != 50 || !slices.Equal(got[0].Nations, []string{"American"}) || got[1].Worth != 100 || got[1].Ours {
		t.Errorf("Cottbus for the Allies: %+v", got)
	}
	if got := soviets.stakesOn(cottbus); len(got) != 2 || !got[0].Ours || !got[1].Ours || got[0].Nations != nil {
		t.Errorf("Cottbus for the Soviets: %+v", got)
	}
	gorlitz := allies.s.sc.Board.Named("Gorlitz").Hexes[0]
	if got := allies.stakesOn(gorlitz); len(got) != 0 {
		t.Errorf("Gorlitz, which Germans hold, for the Allies: %+v", got)
	}
	if got := soviets.stakesOn(4036); len(got) == 0 || got[0].Worth != 1000 || got[0].Ours {
		t.Errorf("the road at 4036: %+v", got)
	}
	if got := allies.stakesOn(4036); len(got) == 0 || !got[0].Ours {
		t.Errorf("the road at 4036 for the Allies: %+v", got)
	}
}

// A hex of Czechoslovakia is worth its 20 points where the Soviets are nearest, then where they
// stand: to them to hold, to the Allies to clear, who also lose the edge of the map.
func TestStakesOfCzechoslovakia(t *testing.T) {
	worth := func(a *Adviser, h hex.Hex) (n int) {
		for _, st := range a.stakesOn(h) {
			n = max(n, st.Worth)
		}
		return n
	}
	first := func(a *Adviser) (at []hex.Hex) {
		for _, st := range a.Stakes() {
			if st.Worth == 2000 {
				at = append(at, st.Hex)
			}
		}
		return at
	}
	if got := first(advised(t, "two-stars", "SOVIET", nil)); len(got) != 1 {
		t.Errorf("at the start it is worth going to %v", got)
	}
	if got := first(advised(t, "two-stars", "AMERICAN", nil)); got != nil {
		t.Errorf("at the start the Allies clear %v", got)
	}
	inside := func(s *State) {
		for _, u := range s.onMap("SOVIET") {
			if u.regular() && u.c.Nation == "Soviet" {
				s.lift(u)
				s.put(u, 4236)
				break
			}
		}
	}
	if got := first(advised(t, "two-stars", "SOVIET", inside)); !slices.Equal(got, []hex.Hex{4236}) {
		t.Errorf("with a unit on 4236 it is worth holding %v", got)
	}
	allies := advised(t, "two-stars", "AMERICAN", inside)
	if got := worth(allies, 4236); got != 2000 {
		t.Errorf("with a Soviet unit on 4236 clearing it is worth %d", got)
	}
	if edge := func(st Stake) bool { return st.Worth == 1000 && !st.Ours }; !slices.ContainsFunc(allies.stakesOn(4236), edge) {
		t.Errorf("with a Soviet unit on the south edge: %+v", allies.stakesOn(4236))
	}
}

// A drawn position does not award a river again that is crossed already.
func TestDrawnPositionsKnowCrossings(t *testing.T) {
	sc := loadNamed(t, "kursk")
	s := sc.opening()
	s.Phase = 3
	s.setController(map[hex.Hex]Side{2208: "GERMAN"})
	g := newGame(sc)
	d, err := g.drawing(s.view("GERMAN"), func(int) int { return 0 })
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range sc.Awards {
		if w.Kind != awardCross {
			continue
		}
		if over, want := d.s.Opened[w.crossed()] > 0, slices.Contains(w.Hexes, 2208); over != want {
			t.Errorf("%s: %v", w.Text, over)
		}
	}
}

// Americans go east, some columns at a time, and Soviets drive back those who are furthest.
func TestStakesOfColumns(t *testing.T) {
	allies := advised(t, "two-stars", "AMERICAN", nil)
	most := 0
	for _, u := range allies.s.onMap("AMERICAN") {
		if u.c.Nation == "American" && u.Supplied {
			most = max(most, u.Hex.Col())
		}
	}
	east, west := 0, 0
	for _, st := range allies.Stakes() {
		if st.Hex.Col() != most+columnsAhead || !slices.Equal(st.Nations, []string{"American"}) {
			continue
		}
		switch st.Worth {
		case 50 * columnsAhead: // a point for each column, halved
			east++
		case 100 * columnsAhead:
			west++
		}
	}
	if east != 1 || west != 1 {
		t.Errorf("%d and %d stakes to the east of column %d", east, west, most)
	}
}

// The fewer hexes of Kharkov the Soviets lack for a strategic victory, the more hangs on each, to
// either side: on one that they have what hung on it before it fell.
func TestHexesOfAStrategicVictory(t *testing.T) {
	kharkov := loadNamed(t, "kharkov-1942").Strategic[1].Hexes
	worth := []int{208, 346, 576, 960, 1600}
	for held, want := range worth {
		for _, side := range []Side{"SOVIET", "GERMAN"} {
			a := advised(t, "kharkov-1942", side, func(s *State) {
				taken := map[hex.Hex]Side{}
				for _, h := range kharkov[:held] {
					taken[h] = "SOVIET"
					for _, u := range s.unitsAt(h) {
						u.Where = Gone
					}
				}
				s.setController(taken)
			})
			decisive := a.Decisive()
			for i, h := range kharkov {
				want := want
				if i < held {
					want = worth[held-1]
				}
				if n := decisive[h]; n < want-1 || n > want+1 {
					t.Errorf("%s, %d of 5 hexes taken: %d hundredths of a point hang on %v, not %d", side, held, n, h, want)
				}
			}
		}
	}
}

// Nothing hangs on a strategic victory where one side alone scores, nor on the enemy's one that needs
// all hexes; on the own one something does.
func TestStrategicVictoriesThatNobodyGoesFor(t *testing.T) {
	for id, want := range map[string]map[Side]int{
		"prokhorovka": {"GERMAN": 0, "SOVIET": 0},
		"black-snow":  {"GERMAN": 9, "SOVIET": 11},
	} {
		for side, want := range want {
			if got := len(advised(t, id, side, nil).Decisive()); got != want {
				t.Errorf("%s, %s: strategic victories hang on %d hexes, not %d", id, side, got, want)
			}
		}
	}
}
