package staff

import (
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/famous"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// The situations stand on the fields south of Rakowo on the Kursk map, 3531 to 4534, mostly
// clear. The tank battalion 2Pz faces motor riflemen; the Germans are the ones who make points.

// tanks is who stands in most situations.
func tanks() map[string]hex.Hex {
	return map[string]hex.Hex{"HQ 2Pz": 3929, "5K/2Pz": 3930, "6K/2Pz": 3930, "7K/2Pz": 4030}
}

// riflemen is a stack of motor riflemen that is seen.
func riflemen(at hex.Hex, names ...string) view.Stack {
	s := view.Stack{Hex: at, Side: "SOVIET"}
	for _, n := range names {
		s.Units = append(s.Units, view.Sight{Name: n, Nation: "Soviet", Type: "MOT", Size: "C", Steps: 2})
	}
	return s
}

// battle is the plan on a View of Famous Divisions.
func battle(t testing.TB, v *view.View) *famousPlan {
	t.Helper()
	a, err := load(t, v.Scenario).(*famous.Game).Advise(v)
	if err != nil {
		t.Fatal(err)
	}
	return newFamousPlan(v, a, temper{})
}

// chit is the plan for a chit of the battalion before anything is ordered.
func (t *famousPlan) chit(bn string) *chitPlan {
	k := &chitPlan{t: t, bn: bn, pieces: t.a.Open(bn), reach: map[string][]hex.Hex{}, busy: map[string]bool{}}
	k.hq, k.radius = t.a.Command(bn)
	k.aim()
	k.muster()
	return k
}

// fields is the plan for a chit of 2Pz on the fields.
func fields(t testing.TB, units map[string]hex.Hex, enemy ...view.Stack) *chitPlan {
	t.Helper()
	return battle(t, lone(t, "gd-kursk", "GERMAN", units, enemy...)).chit("2Pz")
}

// piece is the unit of a name in the programme.
func (k *chitPlan) piece(t testing.TB, name string) famous.Piece {
	t.Helper()
	for _, p := range k.t.a.Pieces() {
		if p.Name == name {
			return p
		}
	}
	t.Fatalf("no %s", name)
	return famous.Piece{}
}

func names(list []famous.Piece) (out []string) {
	for _, p := range list {
		out = append(out, p.Name)
	}
	return out
}

// Tanks attack riflemen in the open together, and the guns that help them.
func TestTanksAttack(t *testing.T) {
	units := tanks()
	units["HQ 1Art"], units["Hummel/1Art"] = 3728, 3727
	k := fields(t, units, riflemen(3932, "2/1Mot"))
	attacks := k.attacks()
	if len(attacks) != 1 || attacks[0].foe.Hex != 3932 || len(attacks[0].posts) != 3 {
		t.Fatalf("attacks %+v", attacks)
	}
	for _, p := range attacks[0].posts {
		if k.t.g.Distance(p.From, 3932) != 1 || !k.busy[p.ID] {
			t.Errorf("%s attacks from %v, is busy %v", p.ID, p.From, k.busy[p.ID])
		}
	}
	for _, g := range attacks[0].guns {
		if !k.t.taken[g.ID] {
			t.Errorf("%s is not assigned", g.Name)
		}
	}
	orders := strings.Join(battle(t, k.t.v).programme("2Pz"), "\n")
	for _, want := range []string{"ATTACK 3932 WITH ", "; MIN ", "; ADVANCE ", "ATTACK AT-WILL MIN 3-1; ARTILLERY ANY MAX 2"} {
		if !strings.Contains(orders, want) {
			t.Errorf("no %q in\n%s", want, orders)
		}
	}
}

// Headquarters, guns and whoever is assigned already or too far away attack nobody.
func TestAble(t *testing.T) {
	units := tanks()
	units["7K/2Pz"] = 1930
	k := fields(t, units, riflemen(3932, "2/1Mot"))
	f := &k.t.foes[0]
	if got := names(k.able(f)); !slices.Equal(got, []string{"5K/2Pz", "6K/2Pz"}) {
		t.Errorf("able: %v", got)
	}
	k.busy[k.piece(t, "5K/2Pz").ID] = true
	if got := names(k.able(f)); !slices.Equal(got, []string{"6K/2Pz"}) {
		t.Errorf("able, one busy: %v", got)
	}
	guns := battle(t, lone(t, "gd-kursk", "GERMAN", map[string]hex.Hex{"HQ 1Art": 3929, "Hummel/1Art": 3930}, riflemen(3932, "2/1Mot"))).chit("1Art")
	if got := guns.able(&guns.t.foes[0]); len(got) > 0 {
		t.Errorf("guns attack: %v", names(got))
	}
}

// What stands beside the target attacks from there; nobody goes where the stack is full or
// the headquarters out of reach.
func TestStandAgainst(t *testing.T) {
	units := tanks()
	units["5K/2Pz"] = 3931
	k := fields(t, units, riflemen(3932, "2/1Mot"))
	beside, coming := k.piece(t, "5K/2Pz"), k.piece(t, "7K/2Pz")
	if h := k.standAgainst(beside, 3932, map[hex.Hex]int{}); h != 3931 {
		t.Errorf("who is beside the target attacks from %v", h)
	}
	h := k.standAgainst(coming, 3932, map[hex.Hex]int{})
	if k.t.g.Distance(h, 3932) != 1 {
		t.Errorf("who comes up attacks from %v", h)
	}
	if other := k.standAgainst(coming, 3932, map[hex.Hex]int{h: 100}); other == h || other == hex.None {
		t.Errorf("with %v full they attack from %v", h, other)
	}
	if h := k.standAgainst(coming, 3932, map[hex.Hex]int{3931: 100, 3832: 100, 3833: 100, 3933: 100, 4032: 100, 4033: 100, 4031: 100, 3831: 100}); h != hex.None {
		t.Errorf("with all full they attack from %v", h)
	}
	k.hq, k.radius = 1031, 3
	if h := k.standAgainst(coming, 3932, map[hex.Hex]int{}); h != hex.None {
		t.Errorf("far from the headquarters they attack from %v", h)
	}
}

// Beyond the headquarters' range, and without one.
func TestBeyond(t *testing.T) {
	k := &chitPlan{t: battle(t, lone(t, "gd-kursk", "GERMAN", tanks())), hq: 3929, radius: 3}
	for _, tc := range []struct {
		h    hex.Hex
		more int
		want bool
	}{{3932, 0, false}, {3933, 0, true}, {3933, 1, false}, {3937, 4, true}} {
		if got := k.beyond(tc.h, tc.more); got != tc.want {
			t.Errorf("%v is beyond range and %d more: %v", tc.h, tc.more, got)
		}
	}
	if n := k.outOfCommand(3935); n != 3 {
		t.Errorf("three hexes out of range: %d", n)
	}
	k.hq = hex.None
	if k.beyond(1031, 0) || k.outOfCommand(1031) != 0 {
		t.Error("out of range of a headquarters that is not there")
	}
}

// An attack is worth less against a lone headquarters that another one has probably taken,
// and the attacker gives more for ground than the defender.
func TestJudge(t *testing.T) {
	k := fields(t, tanks(), riflemen(3932, "HQ 1Mot"))
	if !k.t.foes[0].Alone {
		t.Fatal("the headquarters is not alone")
	}
	s := k.gather(&k.t.foes[0])
	if s == nil {
		t.Fatal("nobody attacks a lone headquarters")
	}
	_, fresh := k.judge(s, nil)
	k.t.doomed[3932] = 50
	if _, half := k.judge(s, nil); half != fresh/2 {
		t.Errorf("worth %d, half doomed %d", fresh, half)
	}
	k.t.doomed[3932] = 0
	k.promise(s)
	if n := k.t.doomed[3932]; n != s.out.Clear {
		t.Errorf("doomed by %d in 100, cleared by %d", n, s.out.Clear)
	}
	k.t.attacker = false
	if _, n := k.judge(s, nil); n >= fresh {
		t.Errorf("to the defender it is worth %d, to the attacker %d", n, fresh)
	}
	if attack, defend := (&famousPlan{attacker: true}).least(), (&famousPlan{}).least(); attack >= defend {
		t.Errorf("the attacker wants %d, the defender %d", attack, defend)
	}
}

// Ground with points, and the battalion's goal near it, are what an attack is made for.
func TestStakes(t *testing.T) {
	k := fields(t, tanks(), riflemen(3932, "2/1Mot"))
	k.goal = famous.Goal{Hex: 3935}
	_, near := k.stakes(3934)
	_, far := k.stakes(3925)
	if near-far != 34 {
		t.Errorf("beside the goal %d, far from it %d", near, far)
	}
	var points hex.Hex
	for _, g := range k.t.goals {
		if g.Points > 0 && !g.Ours {
			points = g.Hex
		}
	}
	k.goal = famous.Goal{}
	if _, n := k.stakes(points); n != 60+90*k.t.worth(points) || k.t.worth(points) == 0 {
		t.Errorf("a hex of %d points is a prize of %d", k.t.worth(points), n)
	}
}

// Guns stay free if they raise nothing, and an attack has five at most.
func TestArm(t *testing.T) {
	units := tanks()
	for i, n := range []string{"(1)Wsp/1Art", "(2)Wsp/1Art", "Hummel/1Art", "I.G./1Fus", "I.G./2Gr", "(4)Btty/2Art", "(5)Btty/2Art"} {
		units[n] = hex.New(36+i/2, 27)
	}
	units["HQ 1Art"] = 3528
	k := fields(t, units, riflemen(3932, "2/1Mot", "3/1Mot"))
	s := k.gather(&k.t.foes[0])
	if s == nil || len(s.guns) == 0 || len(s.guns) > mostSupport {
		t.Fatalf("attack %+v", s)
	}
	if _, n := k.judge(s, s.guns[:len(s.guns)-1]); n >= s.score {
		t.Errorf("without %s it is worth %d, with it %d", s.guns[len(s.guns)-1].Name, n, s.score)
	}
	for _, g := range k.t.a.Guns(3932) {
		k.t.taken[g.ID] = true
	}
	if bare := k.gather(&k.t.foes[0]); bare != nil && len(bare.guns) > 0 {
		t.Error("guns fire twice")
	}
}

// The attack goes on as long as it is no worse by more than a column, at 1-1 at the worst, and
// the attacker walks in with those who do not fire directly, else with the first two.
func TestAssault(t *testing.T) {
	k := fields(t, tanks(), riflemen(3932, "2/1Mot"))
	columns := k.t.a.Columns()
	a := &famousAttack{units: map[string]famous.Piece{}}
	for id, direct := range map[string]int{"a": 2, "b": 0, "c": 3} {
		a.units[id] = famous.Piece{Name: strings.ToUpper(id), Direct: direct}
		a.posts = append(a.posts, famous.Post{ID: id})
	}
	if got := k.followers(a, []string{"A", "C"}); !slices.Equal(got, []string{"B"}) {
		t.Errorf("followers %v", got)
	}
	a.units["b"] = famous.Piece{Name: "B", Direct: 1}
	if got := k.followers(a, []string{"A", "C", "B"}); !slices.Equal(got, []string{"A", "C"}) {
		t.Errorf("followers %v", got)
	}
	s := k.gather(&k.t.foes[0])
	for _, tc := range []struct{ column, min int }{{6, 5}, {5, 4}, {4, 4}, {3, 3}, {2, 2}} {
		s.out.Column = tc.column
		k.orders = nil
		again := battle(t, k.t.v).chit("2Pz")
		again.march(s)
		again.assault(s)
		if last := again.orders[len(again.orders)-1]; !strings.Contains(last, "; MIN "+columns[tc.min]+";") {
			t.Errorf("expected on column %s: %s", columns[tc.column], last)
		}
	}
	k.orders = nil
	if k.assault(&famousAttack{foe: s.foe}); len(k.orders) > 0 {
		t.Errorf("an attack by nobody: %v", k.orders)
	}
}

// Who would stand out of the headquarters' range is left out and free for other things.
func TestDrop(t *testing.T) {
	k := fields(t, tanks(), riflemen(3932, "2/1Mot"))
	near, far := k.piece(t, "5K/2Pz"), k.piece(t, "6K/2Pz")
	s := &famousAttack{posts: []famous.Post{{ID: near.ID, From: 3931}, {ID: far.ID, From: 4531}}}
	k.busy[near.ID], k.busy[far.ID], k.radius = true, true, 4
	k.drop(s)
	if len(s.posts) != 1 || !k.busy[near.ID] || k.busy[far.ID] {
		t.Errorf("left: %v, busy %v", s.posts, k.busy)
	}
}

// A headquarters does not walk up to the enemy, and stays near those it leads.
func TestHeadquartersStayBehind(t *testing.T) {
	units := tanks()
	units["HQ 2Pz"] = 4128
	k := fields(t, units, riflemen(3932, "2/1Mot"))
	attacks := k.attacks()
	k.moveHQ(attacks)
	if near, _ := k.t.nearest(k.hq); near < 2 {
		t.Errorf("the headquarters is %d hexes from the enemy", near)
	}
	if n := k.outside(k.hq, attacks); n > 0 {
		t.Errorf("from %v %d attackers are out of range", k.hq, n)
	}
	hq := k.piece(t, "HQ 2Pz")
	quiet := fields(t, units, riflemen(3945, "2/1Mot"))
	quiet.goal = k.goal
	if n, safe := k.value(hq, 3930), quiet.value(hq, 3930); n > safe-80 {
		t.Errorf("two hexes from the enemy a hex is worth %d, far away %d", n, safe)
	}
	usual := k.value(hq, 3930)
	known := &k.t.danger[k.t.g.Index(3930)]
	*known, k.t.as.craft = knownRisk{true, 20}, true
	seen := k.value(hq, 3930)
	known.hits = 0
	if unseen := k.value(hq, 3930); unseen != usual || seen > unseen-40 {
		t.Errorf("a hex is worth %d, to an officer who looks ahead %d, and %d where the enemy fires", usual, unseen, seen)
	}
	for _, p := range k.pieces {
		k.reach[p.ID] = nil
	}
	if here, there := k.stray(k.mates(hq), 3930), k.stray(k.mates(hq), 1031); here != 0 || there == 0 {
		t.Errorf("to stay with the companies costs %d, to leave them %d", here, there)
	}
}

// A headquarters follows its attackers where it would not have gone by itself.
func TestHeadquartersFollow(t *testing.T) {
	k := fields(t, tanks())
	k.moveHQ(nil)
	alone := k.hq
	again := fields(t, tanks())
	var from hex.Hex
	for _, h := range again.reach[again.piece(t, "HQ 2Pz").ID] {
		if again.t.g.Distance(alone, h) > again.radius {
			from = h
		}
	}
	if from == hex.None {
		t.Fatalf("from %v all is in range", alone)
	}
	attacks := []*famousAttack{{posts: []famous.Post{{From: from}}}}
	if n := again.outside(alone, attacks); n != 1 {
		t.Errorf("%d attackers are out of range", n)
	}
	again.moveHQ(attacks)
	if n := again.outside(again.hq, attacks); n > 0 {
		t.Errorf("the headquarters stands on %v, the attacker on %v", again.hq, from)
	}
}

// What a hex is worth to tanks, to guns and to the defender.
func TestValueOfAHex(t *testing.T) {
	k := fields(t, tanks(), riflemen(3935, "2/1Mot"))
	tank := k.piece(t, "5K/2Pz")
	var goal famous.Goal
	for _, g := range k.t.goals {
		if g.Hex == k.goal.Hex {
			goal = g
		}
	}
	if goal.Hex == hex.None || goal.Ours {
		t.Fatalf("the attacker aims at %+v", k.goal)
	}
	if on, off := k.value(tank, goal.Hex), k.value(tank, tank.Hex); on <= off {
		t.Errorf("on the goal %d, where they stand %d", on, off)
	}
	if beside, behind := k.value(tank, 3934), k.value(tank, 3933); beside >= behind+15 {
		t.Errorf("beside the enemy %d, a hex behind %d", beside, behind)
	}
	gun := famous.Piece{ID: tank.ID, Class: "tracked", Hex: 3929, Gun: 10}
	if near, far := k.value(gun, 3934), k.value(gun, 3930); near >= far {
		t.Errorf("a gun beside the enemy %d, five hexes away %d", near, far)
	}
	k.t.attacker = false
	if near, far := k.t.guard(goal.Hex), k.t.guard(3328); near != 0 || far <= near {
		t.Errorf("the defender is %d from a goal on it, %d away from it", near, far)
	}
}

// A goal that few of ours hold with the enemy near is not left.
func TestStays(t *testing.T) {
	for _, tc := range []struct {
		name  string
		at    hex.Hex
		enemy hex.Hex
		want  bool
	}{{"alone on a goal", 3437, 3440, true}, {"the enemy far", 3437, 4551, false}, {"on no goal", 3436, 3440, false}} {
		k := fields(t, map[string]hex.Hex{"HQ 2Pz": 3334, "5K/2Pz": tc.at}, riflemen(tc.enemy, "2/1Mot"))
		p := k.piece(t, "5K/2Pz")
		if got := k.stays(p, tc.at); got != tc.want {
			t.Errorf("%s: stays %v", tc.name, got)
		}
		if k.stays(p, tc.at+1) {
			t.Errorf("%s: stays where it is not", tc.name)
		}
	}
}

// A second battalion goes elsewhere if the first is enough, the defender to what the enemy is
// nearest to.
func TestAim(t *testing.T) {
	v := lone(t, "gd-kursk", "SOVIET", map[string]hex.Hex{"1/1Mot": 3636, "HQ 1Mot": 3637}, view.Stack{Hex: 3434, Side: "GERMAN"})
	for i := range v.Objectives {
		v.Objectives[i].Owner = "SOVIET"
	}
	k := battle(t, v).chit("1Mot")
	if k.t.attacker {
		t.Fatal("the Soviets make the points")
	}
	first := k.goal
	if first.Hex == hex.None || !first.Ours || k.t.sent[first.Hex] != 1 {
		t.Errorf("the defender aims at %+v", first)
	}
	k.t.sent[first.Hex] = 20
	if k.aim(); k.goal.Hex == first.Hex {
		t.Errorf("twenty battalions go to %v and one more", first.Hex)
	}
	g := fields(t, tanks(), riflemen(3932, "2/1Mot"))
	if g.goal.Ours {
		t.Errorf("the attacker aims at %+v, which is theirs", g.goal)
	}
	if near, far := g.distance(3933), g.distance(4551); near >= far {
		t.Errorf("a near goal is %d away, a far one %d", near, far)
	}
}

// Guns fire by themselves at what does most; not those that an attack has, and not at nothing.
func TestBarrages(t *testing.T) {
	units := map[string]hex.Hex{"HQ 1Art": 3728, "(1)Wsp/1Art": 3727, "5K/2Pz": 3930, "HQ 2Pz": 3929}
	v := lone(t, "gd-kursk", "GERMAN", units, riflemen(3932, "2/1Mot", "3/1Mot"))
	k := battle(t, v).chit("1Art")
	k.barrages(nil)
	if want := []string{"BARRAGE 3932 WITH (1)Wsp/1Art"}; !slices.Equal(k.orders, want) {
		t.Errorf("orders %q, not %q", k.orders, want)
	}
	k = battle(t, v).chit("1Art")
	gun := k.piece(t, "(1)Wsp/1Art")
	f := &k.t.foes[0]
	plain, planned := k.shelling(gun, f, nil), k.shelling(gun, f, []*famousAttack{{foe: f}})
	if planned != plain+plain/2 {
		t.Errorf("worth %d, on the target of an attack %d", plain, planned)
	}
	k.t.taken[gun.ID] = true
	if k.barrages(nil); len(k.orders) > 0 {
		t.Errorf("a gun fires twice: %q", k.orders)
	}
	for _, p := range []famous.Piece{{Gun: 5, Attack: 3}, {Active: true, Attack: 3}, {Active: true, Gun: 5}, {Active: true, Gun: 5, Attack: 3, Fired: true}} {
		if k.shells(p) {
			t.Errorf("%+v fires a barrage", p)
		}
	}
}

// Direct fire goes at the target of the attack.
func TestFires(t *testing.T) {
	units := tanks()
	units["5K/2Pz"], units["6K/2Pz"] = 3931, 3931
	k := fields(t, units, riflemen(3932, "2/1Mot"), riflemen(3832, "3/1Mot"))
	p := k.piece(t, "5K/2Pz")
	for _, target := range []hex.Hex{3932, 3832} {
		again := battle(t, k.t.v).chit("2Pz")
		if again.t.a.Chance(p.ID, target) == 0 {
			t.Fatalf("no fire from %v at %v", p.Hex, target)
		}
		var foe *famous.Foe
		for i := range again.t.foes {
			if again.t.foes[i].Hex == target {
				foe = &again.t.foes[i]
			}
		}
		again.fires([]*famousAttack{{foe: foe, posts: []famous.Post{{ID: p.ID, From: p.Hex}}}})
		if want := "FIRE 5K/2Pz AT " + target.String(); !slices.Contains(again.orders, want) {
			t.Errorf("no %q in %q", want, again.orders)
		}
	}
}

// A question about the chit that was drawn gets a programme, another one its proposal.
func TestFamousAnswers(t *testing.T) {
	v := lone(t, "gd-kursk", "GERMAN", tanks(), riflemen(3932, "2/1Mot"))
	v.Asked = []view.Question{{Label: "orders for 2Pz"}, {Label: "orders for 1Gr"}, {Label: "retreat of 7K/2Pz", Options: []view.Option{{Answer: "3930"}}, Proposal: "3930"}}
	b := &sheet{}
	battle(t, v).write(b)
	for _, want := range []string{"CHIT 2PZ\n", "ANSWER\n  orders for 1Gr: AS FILED\n  retreat of 7K/2Pz: 3930\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b)
		}
	}
	if strings.Contains(b.String(), "STANDING") {
		t.Error("an answer has standing orders")
	}
	v.Asked = nil
	b = &sheet{}
	battle(t, v).write(b)
	if want := "STANDING\n  DEFENSIVE ARTILLERY IF ODDS >= 1-1, KEEP 0\n  LOSSES DEPLETED LAST\n"; b.String() != want {
		t.Errorf("with no chit in the cup:\n%s", b)
	}
	v.Chits = nil
	b = &sheet{}
	if battle(t, v).write(b); b.String() != "" {
		t.Errorf("without a cup:\n%s", b)
	}
}

// Every chit of the side that is in the cup gets a programme, of the enemy's none.
func TestOwnChits(t *testing.T) {
	v := lone(t, "gd-kursk", "GERMAN", tanks(), riflemen(3932, "2/1Mot"))
	v.Chits = &view.Chits{Groups: []view.ChitGroup{{Side: "SOVIET", Own: []string{"1Mot"}}, {Side: "GERMAN", Own: []string{"2Pz", "Div"}}}}
	if got := battle(t, v).own(); !slices.Equal(got, []string{"2Pz", "Div"}) {
		t.Errorf("own chits: %v", got)
	}
}

// Reinforcements enter where their goal is nearest, and only those who are due.
func TestBringOn(t *testing.T) {
	for _, s := range sittings(t, "gd-mischurin-rog", "", 2) {
		if s.view.Turn != 2 || s.view.Side != "GERMAN" {
			continue
		}
		due := 0
		for _, u := range s.view.Arrivals {
			if !u.Ready {
				continue
			}
			due++
			if !strings.Contains(s.text, "  ENTER "+u.Name+" AT ") {
				t.Errorf("%s is due and does not enter:\n%s", u.Name, s.text)
			}
		}
		if due != strings.Count(s.text, "  ENTER ") {
			t.Errorf("%d are due:\n%s", due, s.text)
		}
	}
}
