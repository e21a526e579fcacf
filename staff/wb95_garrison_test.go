package staff

import (
	"slices"
	"testing"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/wb95"
)

// heldKharkov is Kharkov with a regiment on each of its seven hexes, the weakest on 1814, and a
// tank regiment beside it, as an officer or a cadet holds it against the enemy in the north.
func heldKharkov(t *testing.T, craft bool) *wb95Plan {
	t.Helper()
	p := planOf(t, lone(t, "kharkov-1942", "GERMAN", map[string]hex.Hex{"126/23": 1813, "5J/1 Rom": 1814, "201/23 ARM": 1815,
		"211/71": 1913, "191/71": 1914, "3/3": 1915, "394/3": 2014, "6/3 ARM": 1715}, seen("SOVIET", 1712, 4), seen("SOVIET", 1812, 4)))
	p.as.craft = craft
	p.garrison()
	return p
}

// Who comes to Kharkov strengthens the hex where most is missing, and those who hold one stay: a
// cadet sends them to the first hex of the list, and lets others go on from there.
func TestGarrisonsDoNotChangePlaces(t *testing.T) {
	if p := heldKharkov(t, true); !slices.Equal(p.moves, []string{"6/3 ARM TO 1814"}) {
		t.Errorf("an officer orders %q", p.moves)
	}
	if p := heldKharkov(t, false); len(p.moves) < 2 {
		t.Errorf("a cadet orders %q", p.moves)
	}
}

// A gun that stands alone where the enemy can come goes, unless an assault counts on it.
func TestBareGunsGo(t *testing.T) {
	for _, tc := range []struct{ craft, needed, goes bool }{{false, false, true}, {true, false, true}, {true, true, false}} {
		p := plain(t, map[string]hex.Hex{"126/23": 1221, "Art./23": 1120, "Art./LI": 1220, "128/23": 1220}, seen("SOVIET", 1222, 1))
		p.as.craft = tc.craft
		bare := p.unit(t, "Art./23")
		if n := p.peril(bare, 1121); tc.craft != (n == bareGun) {
			t.Errorf("%+v: alone beside the line it is in a peril of %d", tc, n)
		}
		if tc.needed {
			p.assign(p.attackBy(t, 1222, "126/23"))
		}
		p.guns()
		if goes := bare.at != 1120; goes != tc.goes {
			t.Errorf("%+v: the gun that stands alone goes to %v", tc, bare.at)
		}
	}
}

// No assault takes all who hold a hex that the game hangs on, with the enemy near.
func TestAssaultsDoNotStripVitalHexes(t *testing.T) {
	for _, tc := range []struct {
		stays, craft, strips bool
	}{{false, true, true}, {true, true, false}, {false, false, false}} {
		held := map[string]hex.Hex{"126/23": 1814, "5J/1 Rom": 1814, "201/23 ARM": 1814, "211/71": 1815}
		if !tc.stays {
			held["201/23 ARM"] = 1815
		}
		p := planOf(t, lone(t, "kharkov-1942", "GERMAN", held, seen("SOVIET", 1712, 4)))
		p.as.craft = tc.craft
		first, second := p.unit(t, "126/23"), p.unit(t, "5J/1 Rom")
		s := &assault{target: 1712, units: []*wb95Unit{first}, from: map[*wb95Unit]hex.Hex{first: 1813, second: 1813}}
		if got := p.strips(s, second); got != tc.strips {
			t.Errorf("one stays %v, craft %v: the hex is stripped: %v", tc.stays, tc.craft, got)
		}
		if p.strips(&assault{target: 1712}, second) {
			t.Error("one who goes alone from three strips the hex")
		}
	}
}

// Who looks only for the ways that may count finds the goal that draws a unit most, as one who looks for all of them
// does: of units on the map and of one that comes on to it, whether the open map is kept for other sheets or not.
func TestGoalsDrawNoMoreThanOnAnOpenMap(t *testing.T) {
	for _, k := range []*kept{nil, {open: map[string]*network{}}} {
		p := heldKharkov(t, true)
		p.as.kept = k
		coming := p.unit(t, "394/3")
		coming.at = hex.None
		p.wants()
		pairs := 0
		for _, u := range p.pieces {
			best, to := -1, (*wb95Goal)(nil)
			for _, g := range p.goals {
				most := p.pullAtMost(u, g)
				n := p.pull(u, g)
				if n > most {
					t.Errorf("%s is drawn to %v by %d, more than the %d that are possible", u.Name, g.Hex, n, most)
				}
				if n > best {
					best, to = n, g
				}
				pairs++
			}
			if p.findGoal(u); u.goal != to || u.draws != best {
				t.Errorf("%s goes to %+v, drawn by %d, not to %+v by %d", u.Name, u.goal, u.draws, to, best)
			}
		}
		want := closed
		for _, h := range coming.places {
			want = min(want, p.far(h, 1712, p.networkOf(coming))+coming.Moves)
		}
		if n := p.away(coming, 1712); pairs < 100 || len(coming.places) < 10 || n != want {
			t.Errorf("who comes on to the map in %d hexes has %d to go, not %d; %d pairs", len(coming.places), n, want, pairs)
		}
	}
}

// Who finds that enough go to a goal looks for another one.
func TestEnoughGoToAGoal(t *testing.T) {
	p := heldKharkov(t, true)
	u := p.pieces[0]
	u.goal = &wb95Goal{need: 2 * max(u.Attack, u.Defence)}
	if p.answered(u) {
		t.Error("more are wanted, and others look for another goal")
	}
	if !p.answered(u) {
		t.Error("enough go there, and nobody looks for another goal")
	}
	if p.answered(u) {
		t.Error("one more goes there, and others who know look again")
	}
}

// Where one is enough for a place the next one marches to another.
func TestTheNextOneMarchesElsewhere(t *testing.T) {
	p := plain(t, map[string]hex.Hex{"126/23": 1110, "128/23": 1110}, seen("SOVIET", 1220, 1))
	more := &wb95Goal{Goal: wb95.Goal{Hex: 1112, Ours: true}, worth: 900}
	less := &wb95Goal{Goal: wb95.Goal{Hex: 1109, Ours: true}, worth: 300}
	p.goals = []*wb95Goal{more, less}
	p.march()
	if one, next := p.unit(t, "126/23"), p.unit(t, "128/23"); one.goal != more || next.goal != less {
		t.Errorf("the two go to %+v and %+v; orders %q", one.goal, next.goal, p.moves)
	}
}
