package staff

import (
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/steppe"
	"fieldpost/adjudicator/view"
)

// The situations stand on the Ukraine map of Star and Gallop. Army 3TA leads Soviet tanks and
// rifle divisions of two steps against Germans at Kharkov (2512, 2613) and Zmiev (2616).

// duelOf is the plan on a View of Duel on the Steppe, units assigned to headquarters.
func duelOf(t testing.TB, v *view.View) *steppePlan {
	t.Helper()
	a, err := load(t, v.Scenario).(*steppe.Game).Advise(v)
	if err != nil {
		t.Fatal(err)
	}
	d := newSteppePlan(v, a, temper{})
	d.assign()
	return d
}

// steppeAt is a plan for Soviets and Germans who stand alone on the map.
func steppeAt(t testing.TB, units map[string]hex.Hex, enemy ...view.Stack) *steppePlan {
	t.Helper()
	return duelOf(t, lone(t, "star-and-gallop", "SOVIET", units, enemy...))
}

// germans is an enemy stack: all is public.
func germans(at hex.Hex, steps int, names ...string) view.Stack {
	s := view.Stack{Hex: at, Side: "GERMAN"}
	for _, n := range names {
		s.Units = append(s.Units, view.Sight{Name: n, Steps: steps})
	}
	return s
}

func (d *steppePlan) unit(t testing.TB, name string) *steppeUnit {
	t.Helper()
	for _, u := range d.pieces {
		if u.Name == name {
			return u
		}
	}
	t.Fatalf("no %s", name)
	return nil
}

func steppeNames(us []*steppeUnit) (out []string) {
	for _, u := range us {
		out = append(out, u.Name)
	}
	return out
}

// A unit is led by the nearest headquarters of its front in whose range it is; the high command
// takes who is left.
func TestAssign(t *testing.T) {
	d := duelOf(t, opening(t, "star-and-gallop", "SOVIET"))
	led := 0
	for _, u := range d.pieces {
		if u.hq == nil {
			continue
		}
		led++
		n := d.grid.Distance(u.Hex, u.hq.Hex)
		if u.HQ || u.Command != u.hq.Command || n > u.hq.Range {
			t.Errorf("%s of %s is led by %s of %s, %d hexes away", u.Name, u.Command, u.hq.Name, u.hq.Command, n)
		}
		for _, hq := range d.hqs {
			if hq.Command == u.Command && hq.onMap() && hq.Range <= armyRange && d.grid.Distance(u.Hex, hq.Hex) < n && d.grid.Distance(u.Hex, hq.Hex) <= hq.Range {
				t.Errorf("%s is led by %s, %s is nearer", u.Name, u.hq.Name, hq.Name)
			}
		}
	}
	if led < 20 {
		t.Errorf("%d units are led", led)
	}
	far := steppeAt(t, map[string]hex.Hex{"3TA": 3014, "12 TC": 3013, "62G RD": 1513})
	if far.unit(t, "12 TC").hq == nil || far.unit(t, "62G RD").hq != nil {
		t.Error("who is near is not led, or who is out of range is")
	}
	fronts := steppeAt(t, map[string]hex.Hex{"3TA": 3014, "1GA": 3414, "38G RD": 3013})
	if hq := fronts.unit(t, "38G RD").hq; hq != nil && hq.Name == "3TA" {
		t.Error("a headquarters of another front leads a unit because it is nearer")
	}
}

// All who can get beside the enemy attack until the odds are good enough, the strongest first.
func TestAttackOn(t *testing.T) {
	at := map[string]hex.Hex{"3TA": 3014, "12 TC": 3013, "15 TC": 3012, "62G RD": 2913, "48G RD": 2912}
	d := steppeAt(t, at, germans(2812, 1, "FB"))
	s := d.attackOn(d.unit(t, "3TA"), &d.foes[0])
	if s == nil || s.units[0].Name != "12 TC" || s.worth <= 0 {
		t.Fatalf("the attack %+v", s)
	}
	if s.odds.Level >= enoughOdds && len(s.units) == 4 {
		t.Error("all attack although fewer are enough")
	}
	for _, u := range s.units {
		if d.grid.Distance(s.from[u], 2812) != 1 {
			t.Errorf("%s attacks from %v", u.Name, s.from[u])
		}
	}
	if d.attackOn(d.unit(t, "3TA"), &steppe.Foe{Hex: 1228}) != nil {
		t.Error("a headquarters attacks what is far out of its range")
	}
	d.unit(t, "12 TC").busy = true
	if got := steppeNames(d.assembled(d.unit(t, "3TA"), 2812)); got[0] != "15 TC" || slices.Contains(got, "12 TC") || slices.Contains(got, "3TA") {
		t.Errorf("assembled: %v", got)
	}
}

// The stack limit holds where attackers come together.
func TestBesideFor(t *testing.T) {
	d := steppeAt(t, map[string]hex.Hex{"3TA": 3014, "12 TC": 2912, "15 TC": 3012}, germans(2812, 1, "FB"))
	around := d.grid.Neighbours(2812)
	here, coming := d.unit(t, "12 TC"), d.unit(t, "15 TC")
	if h := d.besideFor(here, 2812, around, map[hex.Hex]int{}); h != 2912 {
		t.Errorf("who stands beside the enemy attacks from %v", h)
	}
	full := map[hex.Hex]int{}
	for _, h := range around {
		full[h] = d.a.StackLimit() - 1
	}
	if h := d.besideFor(coming, 2812, around, full); h != hex.None {
		t.Errorf("a unit of two steps comes to %v, where one has room", h)
	}
	full[around[0]] = d.a.StackLimit() - 2
	want := hex.None
	if contains(coming.reach, around[0]) {
		want = around[0]
	}
	if h := d.besideFor(coming, 2812, around, full); h != want {
		t.Errorf("with room on %v it comes to %v", around[0], h)
	}
}

// An attack is worth the ground and the steps; none where the enemy will not go, more where
// the enemy cannot get away.
func TestValueOfASteppeAttack(t *testing.T) {
	d := steppeAt(t, map[string]hex.Hex{"3TA": 3014, "12 TC": 2912})
	f := &steppe.Foe{Hex: 2312, Steps: 2}
	s := &steppeAttack{target: 2312, odds: steppe.Odds{Retreat: leastRetreat - 1, Theirs: 36}}
	if n := d.value(f, s); n != 0 {
		t.Errorf("a hopeless attack is worth %d", n)
	}
	s.odds.Retreat = leastRetreat
	open := d.value(f, s)
	if open <= 0 {
		t.Errorf("an attack without a loss is worth %d", open)
	}
	s.odds.Ours = 36
	if n := d.value(f, s); n != open-7*36 {
		t.Errorf("a step lost takes %d", open-n)
	}
	s.odds.Ours = 0
	s.from = map[*steppeUnit]hex.Hex{{}: 2311, {Piece: steppe.Piece{ID: "b"}}: 2313}
	if n := d.value(f, s); n != open+6*2*leastRetreat {
		t.Errorf("encircled it is worth %d, else %d", n, open)
	}
	if on, near, far := d.prize(2512), d.prize(2411), d.prize(1808); on <= near || near <= far {
		t.Errorf("a place is a prize of %d, beside it %d, far from all %d", on, near, far)
	}
}

// An attack that is ordered takes its units, moves them and takes the enemy off the list; on a
// place it is marked and one of them walks in.
func TestOrderOfAnAttack(t *testing.T) {
	d := steppeAt(t, map[string]hex.Hex{"3TA": 2714, "12 TC": 2713, "15 TC": 2713}, germans(2613, 1, "FB"), germans(2312, 1, "KG A"))
	hq := d.unit(t, "3TA")
	i := slices.IndexFunc(d.foes, func(f steppe.Foe) bool { return f.Hex == 2613 })
	s := d.attackOn(hq, &d.foes[i])
	if s == nil {
		t.Fatal("no attack on Kharkov")
	}
	d.order(hq, s)
	if len(hq.attacks) != 1 || !strings.HasPrefix(hq.attacks[0], "ATTACK 2613 WITH 12 TC") || !strings.HasSuffix(hq.attacks[0], "; MIN 1:1; KEY; ADVANCE 12 TC") {
		t.Errorf("orders %q", hq.attacks)
	}
	if len(d.foes) != 1 || d.foes[0].Hex != 2312 {
		t.Errorf("enemies left: %+v", d.foes)
	}
	for _, u := range s.units {
		if !u.busy || u.at != s.from[u] {
			t.Errorf("%s is busy %v, on %v", u.Name, u.busy, u.at)
		}
	}
}

// Who guards a place: the strong in defence before the mobile, who is there before who comes.
func TestGuard(t *testing.T) {
	v := lone(t, "star-and-gallop", "SOVIET", map[string]hex.Hex{"3TA": 2815, "12 TC": 2714, "62G RD": 2714, "111 RD": 2817}, germans(2212, 2, "DR-"))
	for i := range v.Control {
		v.Control[i] = strings.ReplaceAll(v.Control[i], "G", "S")
	}
	for i := range v.Objectives {
		v.Objectives[i].Owner = "SOVIET"
	}
	d := duelOf(t, v)
	held := func(h hex.Hex) bool {
		return slices.ContainsFunc(d.goals, func(g steppe.Goal) bool { return g.Hex == h && g.Ours })
	}
	if !held(2613) || !held(1228) {
		t.Fatalf("goals %+v", d.goals)
	}
	d.guard()
	if u := d.unit(t, "62G RD"); !u.busy || d.grid.Distance(u.at, 2613) > 1 {
		t.Errorf("the rifle division stands on %v", u.at)
	}
	for _, u := range d.pieces {
		if u.at == 1228 {
			t.Errorf("%s guards a place that is far from the enemy", u.Name)
		}
	}
	v.Enemy[0].Hex = 1808
	quiet := duelOf(t, v)
	quiet.guard()
	for _, u := range quiet.pieces {
		if u.busy {
			t.Errorf("%s stands guard although no enemy is near", u.Name)
		}
	}
	infantry := &steppeUnit{Piece: steppe.Piece{Defence: 5, Hex: 2714}}
	tanks := &steppeUnit{Piece: steppe.Piece{Defence: 5, Hex: 2714, Mech: true}}
	there := &steppeUnit{Piece: steppe.Piece{Defence: 5, Hex: 2613}}
	if a, b, c := d.asGuard(tanks, 2613), d.asGuard(infantry, 2613), d.asGuard(there, 2613); a >= b || b >= c {
		t.Errorf("tanks suit by %d, infantry by %d, infantry that is there by %d", a, b, c)
	}
}

// Who may guard a place.
func TestCanGuard(t *testing.T) {
	d := steppeAt(t, map[string]hex.Hex{"3TA": 2815, "62G RD": 2714, "111 RD": 2613, "160 RD": 1120})
	for name, want := range map[string]bool{"62G RD": true, "111 RD": true, "3TA": false, "160 RD": false} {
		if got := d.canGuard(d.unit(t, name), 2613); got != want {
			t.Errorf("%s can guard Kharkov: %v", name, got)
		}
	}
	d.load[2613] = d.a.StackLimit()
	if d.canGuard(d.unit(t, "62G RD"), 2613) || !d.canGuard(d.unit(t, "111 RD"), 2613) {
		t.Error("somebody comes to a full hex, or leaves it")
	}
	d.unit(t, "111 RD").busy = true
	if d.canGuard(d.unit(t, "111 RD"), 2613) {
		t.Error("who has another task stands guard")
	}
}

// Without a fight units go to the nearest place that the enemy has; who is cut off goes back.
func TestGoalFor(t *testing.T) {
	d := steppeAt(t, map[string]hex.Hex{"3TA": 2815, "62G RD": 2714}, germans(1808, 2, "DR-"))
	u := d.unit(t, "62G RD")
	goal := d.goalFor(u)
	for _, g := range d.goals {
		if !g.Ours && d.grid.Distance(u.Hex, g.Hex) < d.grid.Distance(u.Hex, goal) {
			t.Errorf("it goes to %v, %v is nearer", goal, g.Hex)
		}
	}
	u.Cut = 1
	if h := d.goalFor(u); h != d.a.Source(u.Hex) {
		t.Errorf("who is cut off goes to %v", h)
	}
}

// Towards a goal nearer is better; alone before the enemy, out of command and out of supply a
// hex is worth less.
func TestWorthOfAHex(t *testing.T) {
	d := steppeAt(t, map[string]hex.Hex{"3TA": 3014, "12 TC": 3013}, germans(2512, 2, "DR-"))
	u := d.unit(t, "12 TC")
	if near, far := d.worth(u, 2913, 2712), d.worth(u, 3113, 2712); near <= far {
		t.Errorf("towards the goal %d, away from it %d", near, far)
	}
	if n := d.company(2612); n != -12 {
		t.Errorf("alone before the enemy: %d", n)
	}
	d.load[3012] = 2
	if n := d.company(3012); n != 3 {
		t.Errorf("with friends: %d", n)
	}
	led := d.worth(u, 1414, 1414)
	u.hq = nil
	if free := d.worth(u, 1414, 1414); free-led != 25 {
		t.Errorf("far from the headquarters %d, without one %d", led, free)
	}
	u.hq = d.unit(t, "3TA")
	d.advance(u)
	if u.at == u.Hex || d.grid.Distance(u.at, d.goalFor(u)) >= d.grid.Distance(u.Hex, d.goalFor(u)) {
		t.Errorf("it goes from %v to %v", u.Hex, u.at)
	}
	if want := "MOVE 12 TC TO " + u.at.String(); !slices.Equal(u.hq.moves, []string{want}) {
		t.Errorf("programme %q, not %q", u.hq.moves, want)
	}
}

// A headquarters stays behind its units: not beside the enemy, in range.
func TestSeat(t *testing.T) {
	d := steppeAt(t, map[string]hex.Hex{"3TA": 3014, "12 TC": 2812, "15 TC": 2812}, germans(2512, 2, "DR-"))
	hq := d.unit(t, "3TA")
	own := []*steppeUnit{d.unit(t, "12 TC"), d.unit(t, "15 TC")}
	if with, beside, far := d.seat(hq, 2812, own), d.seat(hq, 2612, own), d.seat(hq, 3425, own); with <= beside || with <= far {
		t.Errorf("with the tanks %d, beside the enemy %d, far away %d", with, beside, far)
	}
	quiet := steppeAt(t, map[string]hex.Hex{"3TA": 3014, "12 TC": 2812, "15 TC": 2812}, germans(1334, 2, "DR-"))
	for h, less := range map[hex.Hex]int{2612: 40, 2711: 12, 2812: 0} {
		if n := quiet.seat(hq, h, own) - d.seat(hq, h, own); n != less {
			t.Errorf("%d hexes from the enemy %v is worth %d less", d.threat(h), h, n)
		}
	}
	usual := d.seat(hq, 2711, own)
	d.as.craft = true
	if n := usual - d.seat(hq, 2711, own); n != 40 {
		t.Errorf("alone two hexes from the enemy a hex is worth %d less to an officer who looks ahead", n)
	}
	if d.unguarded(2812) != 0 || d.unguarded(3425) != 0 {
		t.Error("to stand with the tanks, or far away, costs something")
	}
	d.as.craft = false
	d.moveHQ(hq)
	if d.threat(hq.at) < 2 {
		t.Errorf("the headquarters goes to %v", hq.at)
	}
	if hq.at != hq.Hex && hq.moves[0] != "HQ TO "+hq.at.String() {
		t.Errorf("programme %q", hq.moves)
	}
	for _, u := range own {
		if d.grid.Distance(hq.at, u.at) > hq.Range {
			t.Errorf("%s is out of range of %v", u.Name, hq.at)
		}
	}
}

// Reinforcements come with any chit of their front, a headquarters with its own, Hungarians not.
func TestComesWith(t *testing.T) {
	hq := &steppeUnit{Piece: steppe.Piece{HQ: true, Command: "Voronezh", Hex: 3014}}
	unit := steppe.Piece{Command: "Voronezh", Entry: []hex.Hex{2200}}
	for _, tc := range []struct {
		name   string
		change func(u *steppe.Piece)
		want   bool
	}{
		{"due", func(*steppe.Piece) {}, true},
		{"on the map", func(u *steppe.Piece) { u.Hex = 2512 }, false},
		{"of another front", func(u *steppe.Piece) { u.Command = "Southwest" }, false},
		{"without an entry", func(u *steppe.Piece) { u.Entry = nil }, false},
		{"Hungarian", func(u *steppe.Piece) { u.Hungarian = true }, false},
		{"another headquarters", func(u *steppe.Piece) { u.HQ = true }, false},
	} {
		u := &steppeUnit{Piece: unit}
		tc.change(&u.Piece)
		if got := comesWith(u, hq); got != tc.want {
			t.Errorf("%s: comes %v", tc.name, got)
		}
	}
	own := &steppeUnit{Piece: steppe.Piece{HQ: true, Command: "Voronezh", Entry: []hex.Hex{2200}}}
	if !comesWith(own, own) {
		t.Error("a headquarters does not come with its own chit")
	}
}

// The Germans strike back in the last turn, at the latest from the sixth on, but in mud only
// if there is no other turn. Who is asked answers so.
func TestBlow(t *testing.T) {
	for _, tc := range []struct{ turns, turn int }{{4, 4}, {5, 5}, {6, 6}, {9, 6}} {
		for turn := 1; turn <= tc.turns; turn++ {
			for _, ground := range []string{"normal", "mud", "frozen"} {
				d := &steppePlan{v: &view.View{Turns: tc.turns, Turn: turn, Facts: []view.Fact{{Name: "ground", Text: ground}}}}
				want := turn >= tc.turn && (ground != "mud" || turn == tc.turns)
				if got := d.strikesBack(); got != want {
					t.Errorf("turn %d of %d, %s ground: they name the blow %v", turn, tc.turns, ground, got)
				}
				d.v.Asked = []view.Question{{Label: "backhand", Kind: "backhand", Options: []view.Option{{Answer: "NO"}, {Answer: "YES"}}, Proposal: "NO"}}
				b := &sheet{}
				d.answer(b)
				if yes := strings.Contains(b.String(), "backhand: YES"); yes != want {
					t.Errorf("turn %d of %d, %s ground: asked they say yes: %v", turn, tc.turns, ground, yes)
				}
			}
		}
	}
}

// The sheet has a programme for every headquarters that has something to do, attacks last, and
// standing orders with all places; an answer has the programme that was asked for alone.
func TestSteppeSheet(t *testing.T) {
	v := opening(t, "star-and-gallop", "SOVIET")
	b := &sheet{}
	d := duelOf(t, v)
	d.write(b)
	for _, hq := range d.hqs {
		list := hq.programme()
		if has := strings.Contains(b.String(), "CHIT "+hq.Name+" MOVE THEN ATTACK\n"); has != (len(list) > 0) {
			t.Errorf("%s: a section %v for %d orders", hq.Name, has, len(list))
		}
		attack := false
		for _, o := range list {
			if attack && !strings.HasPrefix(o, "ATTACK ") {
				t.Errorf("%s: %q stands behind an attack", hq.Name, o)
			}
			attack = attack || strings.HasPrefix(o, "ATTACK ")
		}
	}
	if !strings.Contains(b.String(), "STANDING\n  KEY HEXES 1115, 1228, ") || strings.Contains(b.String(), "BACKHAND") {
		t.Errorf("the end of\n%s", b)
	}
	v.Asked = []view.Question{{Label: "orders 3TA"}, {Label: "orders nobody"}, {Label: "retreat", Options: []view.Option{{Answer: "1112"}}, Proposal: "1112"}}
	b = &sheet{}
	duelOf(t, v).write(b)
	text := b.String()
	if strings.Count(text, "CHIT ") != 1 || !strings.HasPrefix(text, "CHIT 3TA MOVE THEN ATTACK\n") || !strings.HasSuffix(text, "ANSWER\n  orders nobody: AS FILED\n  retreat: 1112\n") {
		t.Errorf("the answer\n%s", text)
	}
}

// A hex is found in a list of hexes in order.
func TestContains(t *testing.T) {
	list := []hex.Hex{101, 205, 300}
	for h, want := range map[hex.Hex]bool{101: true, 205: true, 300: true, 100: false, 204: false, 301: false} {
		if contains(list, h) != want {
			t.Errorf("%v is in %v: %v", h, list, !want)
		}
	}
}
