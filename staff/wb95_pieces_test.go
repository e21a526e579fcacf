package staff

import (
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
	"fieldpost/adjudicator/wb95"
)

// The situations stand on the plain west of Kharkov, 1119 to 1325, all clear and in supply
// of the Germans. Division 23 ARM, three regiments and a gun, faces infantry of 4 points each.

// planOf is the plan on a View of WB-95, before anything is decided.
func planOf(t testing.TB, v *view.View) *wb95Plan {
	t.Helper()
	a, err := load(t, v.Scenario).(*wb95.Game).Advise(v)
	if err != nil {
		t.Fatal(err)
	}
	p := newWB95Plan(v, a, temper{})
	for _, u := range p.pieces {
		p.look(u)
	}
	return p
}

// plain is a plan for Germans and Soviets on the plain.
func plain(t testing.TB, units map[string]hex.Hex, enemy ...view.Stack) *wb95Plan {
	t.Helper()
	return planOf(t, lone(t, "kharkov-1942", "GERMAN", units, enemy...))
}

// unit is the unit of a name in the plan.
func (p *wb95Plan) unit(t testing.TB, name string) *wb95Unit {
	t.Helper()
	for _, u := range p.pieces {
		if u.Name == name {
			return u
		}
	}
	t.Fatalf("no %s", name)
	return nil
}

// attackBy is an assault by units from where they stand.
func (p *wb95Plan) attackBy(t testing.TB, target hex.Hex, names ...string) *assault {
	t.Helper()
	s := &assault{target: target, from: map[*wb95Unit]hex.Hex{}}
	for _, name := range names {
		u := p.unit(t, name)
		s.units = append(s.units, u)
		s.from[u] = u.at
	}
	return s
}

// What an assault is worth rises with the attackers and their guns, and falls with the
// defenders and with water before them.
func TestValueOfAnAssault(t *testing.T) {
	here := map[string]hex.Hex{"201/23 ARM": 1221, "126/23": 1221, "211/71": 1121, "Art./23": 1120}
	p := plain(t, here, seen("SOVIET", 1222, 2))
	one, two := p.value(p.attackBy(t, 1222, "211/71")), p.value(p.attackBy(t, 1222, "201/23 ARM", "211/71"))
	three := p.value(p.attackBy(t, 1222, "201/23 ARM", "126/23", "211/71"))
	if one >= two || two >= three {
		t.Errorf("one regiment is worth %d, two %d, three %d", one, two, three)
	}
	strong := plain(t, here, seen("SOVIET", 1222, 4))
	if n := strong.value(strong.attackBy(t, 1222, "201/23 ARM", "126/23", "211/71")); n >= three {
		t.Errorf("against four units an assault is worth %d, against two %d", n, three)
	}
	delete(here, "Art./23")
	bare := plain(t, here, seen("SOVIET", 1222, 2))
	if n := bare.value(bare.attackBy(t, 1222, "201/23 ARM", "126/23", "211/71")); n >= three {
		t.Errorf("without guns an assault is worth %d, with guns %d", n, three)
	}
	if n := p.value(&assault{target: 1222}); n != -500 {
		t.Errorf("an assault by nobody is worth %d", n)
	}
}

// A hex is a prize by itself, by works on it and by the goals on it and near it.
func TestPrizeOfAHex(t *testing.T) {
	v := lone(t, "kharkov-1942", "GERMAN", map[string]hex.Hex{"211/71": 1121}, seen("SOVIET", 1222, 1), seen("SOVIET", 2319, 1), seen("SOVIET", 2419, 1), seen("SOVIET", 1226, 1))
	v.Enemy[3].Fort = "FF"
	v.Forts = []view.Fort{{Hex: 1226, Kind: "FF", Side: "SOVIET"}}
	owner(t, v, 2319, "SOVIET") // Merefa
	p := planOf(t, v)
	for _, g := range p.goals {
		if g.Hex == 2319 {
			g.Ours = false
		}
	}
	open, fort, on, beside := p.prize(1222), p.prize(1226), p.prize(2319), p.prize(2419)
	if fort < open+50 {
		t.Errorf("works raise the prize from %d to %d only", open, fort)
	}
	if on < pointWorth+40 {
		t.Errorf("a hex of one point is worth %d, open ground %d", on, open)
	}
	if beside <= open || beside >= on {
		t.Errorf("the hex beside a goal is worth %d, between %d and %d it should be", beside, open, on)
	}
}

// A retreat is the more closed the more of the hexes around are ours or in our zones.
func TestTrapped(t *testing.T) {
	p := plain(t, map[string]hex.Hex{"211/71": 1221, "126/23": 1121, "128/23": 1223}, seen("SOVIET", 1222, 1))
	one := p.trapped(&assault{target: 1222, from: map[*wb95Unit]hex.Hex{}})
	p.load[1223], p.load[1322], p.load[1323] = 0, 0, 0
	from := map[*wb95Unit]hex.Hex{p.unit(t, "211/71"): 1221, p.unit(t, "128/23"): 1223}
	both := p.trapped(&assault{target: 1222, from: from})
	if both != 90 {
		t.Errorf("between two attackers on opposite sides the retreat is closed by %d", both)
	}
	if one > both {
		t.Errorf("closed by %d before the attack, %d after", one, both)
	}
	staffOnly := plain(t, map[string]hex.Hex{"HQ LI": 1223}, seen("SOVIET", 1222, 1))
	if nobody := (&assault{target: 1222}); !staffOnly.shut(1223, nobody) || staffOnly.shut(1322, nobody) {
		t.Error("a hex is open although we are on it, or closed although nobody is near")
	}
	far := plain(t, map[string]hex.Hex{"211/71": 1218}, seen("SOVIET", 1222, 1))
	if n := far.trapped(&assault{target: 1222}); n != 5 {
		t.Errorf("with nobody near the retreat is closed by %d", n)
	}
}

// The plan of battle: three regiments and a gun attack infantry in the open, with all of them;
// one weak regiment does not attack a full stack, and digs in instead.
func TestBattle(t *testing.T) {
	strong := plain(t, map[string]hex.Hex{"201/23 ARM": 1221, "126/23": 1221, "211/71": 1121, "Art./23": 1120}, seen("SOVIET", 1222, 1))
	strong.battle()
	if len(strong.assaults) != 1 || strong.assaults[0].target != 1222 || len(strong.assaults[0].units) != 3 {
		t.Errorf("the attacks %+v", strong.assaults)
	}
	if g := strong.unit(t, "Art./23"); g.fires != strong.assaults[0] {
		t.Error("the gun supports nothing")
	}
	weak := plain(t, map[string]hex.Hex{"5J/1 Rom": 1221}, seen("SOVIET", 1222, 4))
	weak.battle()
	weak.hold()
	if len(weak.assaults) > 0 || !slices.Contains(weak.moves, "5J/1 Rom ENTRENCH") {
		t.Errorf("the attacks %v, orders %q", weak.assaults, weak.moves)
	}
}

// Who is detached for a hex that must be attacked as well is the weakest beside it, and never
// the only attacker.
func TestDetach(t *testing.T) {
	p := plain(t, map[string]hex.Hex{"201/23 ARM": 1221, "126/23": 1221, "5J/1 Rom": 1121}, seen("SOVIET", 1222, 1), seen("SOVIET", 1321, 1))
	s := p.attackBy(t, 1222, "201/23 ARM", "126/23", "5J/1 Rom")
	side := p.detach(s, 1321)
	if side == nil || side.target != 1321 || side.units[0].Name != "126/23" {
		t.Fatalf("detached: %+v", side)
	}
	if len(s.units) != 2 {
		t.Errorf("%d units stay in the main attack", len(s.units))
	}
	if p.detach(p.attackBy(t, 1222, "201/23 ARM"), 1321) != nil {
		t.Error("the only attacker is detached")
	}
	if p.detach(p.attackBy(t, 1222, "201/23 ARM", "126/23"), 1018) != nil {
		t.Error("somebody is detached for a hex that nobody is beside")
	}
}

// Where each lost unit counts one on its last step attacks only what touches it.
func TestMayJoin(t *testing.T) {
	p := plain(t, map[string]hex.Hex{"201/23 ARM": 1221, "HQ LI": 1119, "211/71": 1119}, seen("SOVIET", 1222, 1))
	if !p.mayJoin(p.unit(t, "201/23 ARM")) || p.mayJoin(p.unit(t, "HQ LI")) {
		t.Error("armour may attack, a headquarters not")
	}
	busy := p.unit(t, "211/71")
	if busy.Steps = 1; !p.mayJoin(busy) {
		t.Error("a last step is spared where no unit lost counts")
	}
	busy.fights = true
	if p.mayJoin(busy) {
		t.Error("a unit attacks twice")
	}
	thrifty := planOf(t, opening(t, "kursk", "SOVIET"))
	if !thrifty.a.Thrift() {
		t.Fatal("the Soviets need not spare their units")
	}
	for _, u := range thrifty.pieces {
		if !u.Fights || u.Attack == 0 || !u.onMap() {
			continue
		}
		u.Steps = 1
		if near := thrifty.toFoe(u.at) <= 1; thrifty.mayJoin(u) != near {
			t.Errorf("%s on its last step, %d hexes from the enemy: may attack %v", u.Name, thrifty.toFoe(u.at), !near)
		}
	}
}

// From where a unit attacks: it stays where it is beside the target, shuns water, and leaves
// no goal for it.
func TestChoose(t *testing.T) {
	p := plain(t, map[string]hex.Hex{"201/23 ARM": 1221, "211/71": 1120}, seen("SOVIET", 1222, 1))
	around := p.g.Neighbours(1222)
	choose := func(name string) hex.Hex {
		u := p.unit(t, name)
		return p.choose(option{u, p.standsFor(u, 1222, around)}, 1222, map[hex.Hex]bool{}, map[hex.Hex]int{})
	}
	if h := choose("201/23 ARM"); h != 1221 {
		t.Errorf("who stands beside the target attacks from %v", h)
	}
	if h := choose("211/71"); !p.g.Adjacent(h, 1222) {
		t.Errorf("who comes up attacks from %v", h)
	}
	done := p.unit(t, "211/71")
	done.done = true
	if from := p.standsFor(done, 1222, around); len(from) > 0 {
		t.Errorf("who was sent elsewhere attacks from %v", from)
	}
	// What stands on a goal that the enemy is near is missed there more than it gains.
	v := lone(t, "kharkov-1942", "GERMAN", map[string]hex.Hex{"211/71": 2319}, seen("SOVIET", 2322, 1))
	held := planOf(t, v)
	u := held.unit(t, "211/71")
	if len(held.standsFor(u, 2322, held.g.Neighbours(2322))) == 0 {
		t.Fatal("the garrison of Merefa cannot get at the enemy")
	}
	if h := held.choose(option{u, held.standsFor(u, 2322, held.g.Neighbours(2322))}, 2322, map[hex.Hex]bool{}, map[hex.Hex]int{}); h != hex.None {
		t.Errorf("the garrison of Merefa attacks from %v", h)
	}
}

// No more units go to a hex than the stack limit allows.
func TestRoom(t *testing.T) {
	p := plain(t, map[string]hex.Hex{"201/23 ARM": 1221, "126/23": 1221, "128/23": 1221, "6/3 ARM": 1221, "211/71": 1121}, seen("SOVIET", 1322, 1))
	u := p.unit(t, "211/71")
	switch {
	case p.room(1221) != 0, p.fits(u, 1221):
		t.Errorf("room for %d steps more beside four regiments", p.room(1221))
	case p.room(1322) != 0:
		t.Error("room where the enemy stands")
	case p.room(1122) != p.a.StackLimit(), !p.fits(u, 1122), !p.fits(p.unit(t, "126/23"), 1221):
		t.Error("no room on an empty hex, or where a unit is")
	}
	if !p.send(u, 1122, "") || p.load[1121] != 0 || p.load[1122] != 2 || u.at != 1122 {
		t.Errorf("sent to %v; loads %d and %d", u.at, p.load[1121], p.load[1122])
	}
}

// Who digs is the weakest on the hex that stays and can.
func TestCanDig(t *testing.T) {
	p := plain(t, map[string]hex.Hex{"201/23 ARM": 1221, "126/23": 1221, "5J/1 Rom": 1221, "HQ LI": 1119}, seen("SOVIET", 1222, 1))
	for _, want := range []string{"5J/1 Rom", "126/23", "201/23 ARM"} {
		u := p.canDig(1221)
		if u == nil || u.Name != want {
			t.Fatalf("%v digs, not %s", u, want)
		}
		u.done = true
	}
	if p.canDig(1221) != nil || p.canDig(1119) != nil {
		t.Error("somebody digs who has moved, or a headquarters")
	}
	p = plain(t, map[string]hex.Hex{"126/23": 1221}, seen("SOVIET", 1222, 1))
	p.unit(t, "126/23").Shaken = true
	if p.canDig(1221) != nil {
		t.Error("who retreated in the last combat digs")
	}
}

// Units in the enemy's zones must attack, unless they are in works or dig some.
func TestSafe(t *testing.T) {
	p := plain(t, map[string]hex.Hex{"126/23": 1221}, seen("SOVIET", 1222, 1))
	if p.safe(1221) || !p.safe(1219) {
		t.Error("safe beside the enemy, or not behind the line")
	}
	p.digs[1221] = true
	if !p.safe(1221) {
		t.Error("not safe in works that are to be dug")
	}
	delete(p.digs, 1221)
	if !p.entrench(p.unit(t, "126/23")) || !p.digs[1221] || !p.safe(1221) {
		t.Error("not safe in the works that are being dug")
	}
}

// What a unit is worth where it stands: more in the line than behind it, more on a goal,
// nothing if another stays or it does not go.
func TestLeaving(t *testing.T) {
	p := plain(t, map[string]hex.Hex{"126/23": 1221, "211/71": 1018, "128/23": 1119, "201/23 ARM": 1119}, seen("SOVIET", 1222, 1))
	line, rear := p.leaving(p.unit(t, "126/23"), 1220), p.leaving(p.unit(t, "211/71"), 1019)
	if line <= rear || rear != 0 {
		t.Errorf("in the line %d, behind it %d", line, rear)
	}
	if n := p.leaving(p.unit(t, "126/23"), 1221); n != 0 {
		t.Errorf("to stay costs %d", n)
	}
	if n := p.leaving(p.unit(t, "128/23"), 1120); n != 0 {
		t.Errorf("to leave somebody behind costs %d", n)
	}
	goal := planOf(t, lone(t, "kharkov-1942", "GERMAN", map[string]hex.Hex{"211/71": 2319}, seen("SOVIET", 2322, 1)))
	if n := goal.leaving(goal.unit(t, "211/71"), 2318); n < pointWorth {
		t.Errorf("to leave Merefa costs %d", n)
	}
}

// Of a stack in the line the strongest stays, of equals the first; who is alone stays, who is
// far behind or cut off goes.
func TestNeeded(t *testing.T) {
	p := plain(t, map[string]hex.Hex{"201/23 ARM": 1220, "126/23": 1220, "211/71": 1018, "128/23": 1020, "3/3": 1020}, seen("SOVIET", 1222, 1), seen("SOVIET", 1022, 1))
	for name, want := range map[string]bool{
		"201/23 ARM": true,  // the strongest of its stack
		"126/23":     false, // the armour stays
		"211/71":     false, // four hexes behind
		"128/23":     true,  // the first of two equals
		"3/3":        false,
	} {
		if got := p.needed(p.unit(t, name)); got != want {
			t.Errorf("%s is needed: %v", name, got)
		}
	}
	p.unit(t, "126/23").done = true
	if p.needed(p.unit(t, "201/23 ARM")) {
		t.Error("the armour stays although somebody else does")
	}
	cut := p.unit(t, "128/23")
	if cut.Supplied = false; p.needed(cut) {
		t.Error("who is cut off stays")
	}
}

// How much must stay: a sixth of what is near in the line, a third on a goal, nothing where
// the enemy is far.
func TestWantedAt(t *testing.T) {
	p := plain(t, map[string]hex.Hex{"126/23": 1220, "211/71": 1218, "128/23": 1219}, seen("SOVIET", 1222, 3))
	if n, might := p.wantedAt(p.unit(t, "126/23")), p.might(1220, 2); might == 0 || n != might/6 {
		t.Errorf("two hexes from %d points %d are wanted", might, n)
	}
	if n := p.wantedAt(p.unit(t, "128/23")); n != 1 {
		t.Errorf("three hexes from the enemy %d are wanted", n)
	}
	if n := p.wantedAt(p.unit(t, "211/71")); n != 0 {
		t.Errorf("behind the line %d are wanted", n)
	}
	goal := planOf(t, lone(t, "kharkov-1942", "GERMAN", map[string]hex.Hex{"211/71": 2319}, seen("SOVIET", 2322, 3)))
	if n, might := goal.wantedAt(goal.unit(t, "211/71")), goal.might(2319, 3); n != might/3 || n < 2 {
		t.Errorf("on Merefa, three hexes from %d points, %d are wanted", might, n)
	}
}

// An own place that stands open is taken by the cheapest unit near it; where the enemy is far
// nobody is sent.
func TestGarrison(t *testing.T) {
	for at, want := range map[hex.Hex]bool{2323: true, 2333: false} {
		v := lone(t, "kharkov-1942", "GERMAN", map[string]hex.Hex{"201/23 ARM": 2317, "5J/1 Rom": 2217}, seen("SOVIET", at, 1))
		p := planOf(t, v)
		p.garrison()
		if got := slices.Contains(p.moves, "5J/1 Rom TO 2319"); got != want {
			t.Errorf("enemy on %v: the Romanians go to Merefa %v: %q", at, got, p.moves)
		}
		if slices.ContainsFunc(p.moves, func(m string) bool { return strings.HasPrefix(m, "201/23 ARM") }) {
			t.Errorf("the armour is taken for a garrison: %q", p.moves)
		}
	}
}

// Some units stay near Kharkov when the enemy comes near; without an enemy all are free.
func TestTether(t *testing.T) {
	for far, enemy := range map[bool]hex.Hex{false: 1718, true: 5022} {
		p := plain(t, map[string]hex.Hex{"211/71": 1814, "201/23 ARM": 1316}, seen("SOVIET", enemy, 4))
		u := p.unit(t, "211/71")
		before := len(u.places)
		p.tether()
		if free := len(u.places) == before; free != far {
			t.Errorf("enemy on %v: %d of %d places are left", enemy, len(u.places), before)
		}
		for _, h := range u.places {
			if _, ok := u.cost(h); !ok {
				t.Errorf("%v is a place out of reach", h)
			}
		}
	}
}

// An officer keeps a guard of seven tenths of what comes near Kharkov, a cadet of a third.
func TestGuardOfKharkov(t *testing.T) {
	for craft, want := range map[bool]int{false: 1, true: 3} {
		p := plain(t, map[string]hex.Hex{"211/71": 1814, "191/71": 1813, "126/23": 1914, "128/23": 1913}, seen("SOVIET", 1718, 4))
		p.as.craft = craft
		p.setGoals()
		p.tether()
		kept := 0
		for _, u := range p.pieces {
			if len(u.places) < len(p.a.Reach(u.ID)) {
				kept++
			}
		}
		if kept != want {
			t.Errorf("craft %v: %d are kept near Kharkov, not %d", craft, kept, want)
		}
	}
}

// A hex for a gun: three hexes from the line it supports, not beside the enemy, not alone near
// them.
func TestSiteOfAGun(t *testing.T) {
	p := plain(t, map[string]hex.Hex{"126/23": 1221, "211/71": 1121, "128/23": 1220, "Art./23": 1117}, seen("SOVIET", 1222, 1))
	gun, line := p.unit(t, "Art./23"), p.line()
	if !slices.Equal(line, []hex.Hex{1221, 1121}) && !slices.Equal(line, []hex.Hex{1121, 1221}) {
		t.Errorf("the line is %v", line)
	}
	covered, bare, far, beside := p.site(gun, 1220, line), p.site(gun, 1021, line), p.site(gun, 1117, line), p.site(gun, 1322, line)
	if covered <= bare || covered <= far || covered <= beside {
		t.Errorf("with infantry %d, alone %d, far behind %d, beside the enemy %d", covered, bare, far, beside)
	}
	for h, want := range map[hex.Hex]int{1117: 0, 1021: 40, 1220: 0, 1322: 90, 1221: 30} {
		if n := p.peril(gun, h); n != want {
			t.Errorf("the peril on %v, %d hexes from the enemy, is %d", h, p.toFoe(h), n)
		}
	}
	p.lookGun(gun)
	if h := p.emplacement(gun, line); p.g.Distance(h, 1221) > p.a.GunRange() {
		t.Errorf("the gun goes to %v", h)
	}
}

// Guns on their wheels limber and unlimber as the way leaves them points for it.
func TestEmplace(t *testing.T) {
	p := plain(t, map[string]hex.Hex{"126/23": 1221, "Art./23": 1117, "Art./LI": 1220}, seen("SOVIET", 1222, 1))
	gun := p.unit(t, "Art./23")
	p.lookGun(gun)
	p.emplace(gun, 1219)
	if got := p.moves; len(got) != 1 || got[0] != "Art./23 LIMBER, TO 1219, UNLIMBER" {
		t.Errorf("orders %q", got)
	}
	ready := p.unit(t, "Art./LI")
	p.lookGun(ready)
	p.emplace(ready, 1220)
	if len(p.moves) != 1 {
		t.Errorf("a gun that stands ready is ordered %q", p.moves[1:])
	}
}

// Guns support what they raise the column of, and the smallest number of them that does.
func TestRaising(t *testing.T) {
	p := plain(t, map[string]hex.Hex{"126/23": 1221, "Art./23": 1120, "Art./LI": 1220, "Art./3": 1219}, seen("SOVIET", 1222, 1))
	at := wb95.Attack{Targets: []hex.Hex{1222}, Units: []string{p.unit(t, "126/23").ID}}
	level := func(guns ...string) int { return p.a.OddsWith(at.Units, guns, at.Targets).Level }
	all := []string{p.unit(t, "Art./23").ID, p.unit(t, "Art./LI").ID, p.unit(t, "Art./3").ID}
	take := p.raising(at, nil, all)
	if level(take...) != level(all...) || level(take...) <= level() {
		t.Errorf("column %d with %v, %d with all, %d with none", level(take...), take, level(all...), level())
	}
	for i := range take {
		if less := slices.Delete(slices.Clone(take), i, i+1); level(less...) == level(take...) {
			t.Errorf("%s raises nothing", take[i])
		}
	}
	rest := slices.DeleteFunc(slices.Clone(all), func(id string) bool { return slices.Contains(take, id) })
	if more := p.raising(at, take, rest); len(more) > 0 {
		t.Errorf("on top of %v, %v raise the column", take, more)
	}
}

// Guns bear on what is two or three hexes away.
func TestBears(t *testing.T) {
	p := plain(t, map[string]hex.Hex{"126/23": 1221}, seen("SOVIET", 1222, 1))
	for from, want := range map[hex.Hex]bool{1221: false, 1220: true, 1219: true, 1218: false} {
		if p.bears(from, 1222) != want {
			t.Errorf("a gun on %v bears on 1222: %v", from, !want)
		}
	}
}

// Guns without an attack fire at what nobody attacks, all that bear on it.
func TestShoot(t *testing.T) {
	p := plain(t, map[string]hex.Hex{"126/23": 1221, "Art./23": 1220, "Art./LI": 1219}, seen("SOVIET", 1222, 1))
	p.shoot(nil, nil)
	if want := []string{"FIRE Art./23, Art./LI AT 1222"}; !slices.Equal(p.attacks, want) {
		t.Errorf("orders %q, not %q", p.attacks, want)
	}
	p.attacks = nil
	p.shoot([]wb95.Attack{{Targets: []hex.Hex{1222}}}, nil)
	p.shoot(nil, []hex.Hex{1222})
	p.busy[p.unit(t, "Art./23").ID], p.busy[p.unit(t, "Art./LI").ID] = true, true
	p.shoot(nil, nil)
	if len(p.attacks) > 0 {
		t.Errorf("guns fire at what is attacked, or guns that support: %q", p.attacks)
	}
}

// A headquarters stands with troops in range of those who fight, never bare before the enemy.
func TestPostOfAHeadquarters(t *testing.T) {
	p := plain(t, map[string]hex.Hex{"126/23": 1220, "201/23 ARM": 1221, "211/71": 1118, "HQ LI": 1117}, seen("SOVIET", 1222, 1))
	hq := p.unit(t, "HQ LI")
	value := func(h hex.Hex) int { n, _ := p.post(hq, h); return n }
	if with, bare := value(1220), value(1120); with <= bare || bare > -500 {
		t.Errorf("with troops two hexes from the enemy %d, bare %d", with, bare)
	}
	weak := plain(t, map[string]hex.Hex{"5J/1 Rom": 1220, "211/71": 1121, "HQ LI": 1117}, seen("SOVIET", 1222, 1))
	for h, want := range map[hex.Hex]bool{1220: true, 1121: true, 1117: false, 1119: true, 1118: false} {
		if weak.uncovered(h) != want {
			t.Errorf("%v, %d hexes from the enemy: uncovered %v", h, weak.toFoe(h), !want)
		}
	}
	if _, ok := p.post(hq, 1222); ok {
		t.Error("a headquarters goes to the enemy")
	}
	quiet := value(1118)
	p.unit(t, "126/23").fights = true
	if fight := value(1118); fight <= quiet {
		t.Errorf("where it leads an attack a hex is worth %d, else %d", fight, quiet)
	}
	p.unit(t, "126/23").led = true
	if n := value(1118); n >= quiet {
		t.Errorf("whom another one leads counts: %d, not less than %d", n, quiet)
	}
	p.moveHQs()
	if p.uncovered(hq.at) {
		t.Errorf("the headquarters stands bare on %v", hq.at)
	}
}

// Merit of a hex on the way: nearer is better, supply matters, and so does a strong enemy.
func TestMerit(t *testing.T) {
	p := plain(t, map[string]hex.Hex{"211/71": 1119, "126/23": 1117}, seen("SOVIET", 1223, 4))
	u := p.unit(t, "211/71")
	g := &wb95Goal{Goal: wb95.Goal{Hex: 1125}}
	value := func(h hex.Hex) int { n, _ := p.merit(u, g, h); return n }
	if near, far := value(1120), value(1117); near <= far {
		t.Errorf("towards the goal %d, away from it %d", near, far)
	}
	if _, ok := p.merit(u, g, 1222); ok {
		t.Error("it may walk into the enemy's zone")
	}
	if _, ok := p.merit(u, g, 1223); ok {
		t.Error("it may walk into the enemy")
	}
	if !p.outmatched(u, 1221) || p.outmatched(u, 1117) {
		t.Error("one regiment matches four, or is outmatched by nobody")
	}
}

// A goal draws those who are near it more, ours only as long as somebody is wanted.
func TestPull(t *testing.T) {
	p := plain(t, map[string]hex.Hex{"126/23": 1119, "128/23": 1109}, seen("SOVIET", 1323, 1))
	near, far := p.unit(t, "126/23"), p.unit(t, "128/23")
	g := &wb95Goal{Goal: wb95.Goal{Hex: 1125}, worth: 500, need: 5}
	a, b := p.pull(near, g), p.pull(far, g)
	if a <= b || b < 0 {
		t.Errorf("near %d, far %d", a, b)
	}
	g.need = 0
	if n := p.pull(near, g); n >= a {
		t.Errorf("nobody wanted: %d, not less than %d", n, a)
	}
	if g.Ours = true; p.pull(near, g) >= 0 {
		t.Error("a place of ours that has enough draws more")
	}
	if p.findGoal(far); far.goal == nil || mostDrawn([]*wb95Unit{far}) != far {
		t.Errorf("the goal of the only unit is %+v", far.goal)
	}
}

// Far behind the line a unit waits for strategic movement; in the line it goes at once.
func TestReserve(t *testing.T) {
	p := plain(t, map[string]hex.Hex{"126/23": 1110, "211/71": 1218}, seen("SOVIET", 1222, 1))
	if u := p.unit(t, "126/23"); !p.reserve(u, 1109) || p.reserve(u, 1117) {
		t.Error("who is far behind does not wait, or waits on the way to the line")
	}
	if p.reserve(p.unit(t, "211/71"), 1217) {
		t.Error("who is near the enemy waits")
	}
	u := p.unit(t, "126/23")
	if !p.later(u, 1109) || !u.done || p.moves[0] != "126/23 TO 1109 STRATEGIC" {
		t.Errorf("orders %q", p.moves)
	}
}

// Reinforcements come by their own zone or the ones beside it.
func TestEntries(t *testing.T) {
	p := planOf(t, opening(t, "kharkov-1942", "GERMAN"))
	zones := p.v.Board.Zones
	for i, z := range zones {
		got := p.entries(&wb95Unit{Piece: wb95.Piece{Entry: []string{z.ID}}})
		want := []string{z.ID}
		if i > 0 {
			want = append(want, zones[i-1].ID)
		}
		if i+1 < len(zones) {
			want = append(want, zones[i+1].ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("by %s: %v, not %v", z.ID, got, want)
		}
	}
	if got := p.entries(&wb95Unit{Piece: wb95.Piece{Entry: []string{"Kharkov"}}}); !slices.Equal(got, []string{"Kharkov"}) {
		t.Errorf("by a place: %v", got)
	}
}

// Pursuit: armour runs on where the odds are good, foot occupies, who holds a place stays.
func TestPursuit(t *testing.T) {
	p := plain(t, map[string]hex.Hex{"201/23 ARM": 1121, "126/23": 1121, "211/71": 1221}, seen("SOVIET", 1222, 1))
	for _, u := range p.pieces {
		u.at = 1221 // all came for the attack
	}
	attack := func(names ...string) wb95.Attack {
		at := wb95.Attack{Targets: []hex.Hex{1222}}
		for _, n := range names {
			at.Units = append(at.Units, p.unit(t, n).ID)
		}
		return at
	}
	if got := p.pursuit(attack("201/23 ARM", "126/23", "211/71")); !strings.HasPrefix(got, "PURSUE FULL TOWARD ") || !strings.HasSuffix(got, " WITH 201/23 ARM, 126/23") {
		t.Error(got)
	}
	if got := p.pursuit(attack("211/71")); got != "PURSUE OCCUPY WITH 211/71" {
		t.Error(got)
	}
	u := p.unit(t, "201/23 ARM")
	if p.mustStay(u) {
		t.Error("who came for the attack with others must stay")
	}
	if u.Hex = 1221; !p.mustStay(u) {
		t.Error("who was there before need not stay")
	}
	for u.Hex = 1121; !p.alone(u); {
		i := slices.IndexFunc(p.pieces, func(o *wb95Unit) bool { return o != u && o.at == u.at })
		p.pieces[i].at = 1119
	}
	if !p.mustStay(u) {
		t.Error("the last one need not stay")
	}
	p.unit(t, "211/71").digs = true
	if got := p.pursuit(attack("211/71")); got != "PURSUE NO" {
		t.Error(got)
	}
}

// An attack is called off if it proves too weak only where no duty asks for it.
func TestOptional(t *testing.T) {
	at := wb95.Attack{Targets: []hex.Hex{1222, 1322}, Units: []string{"a", "b"}}
	for _, tc := range []struct {
		bound []string
		due   []hex.Hex
		want  bool
	}{{nil, nil, true}, {[]string{"c"}, []hex.Hex{1422}, true}, {[]string{"b"}, nil, false}, {nil, []hex.Hex{1322}, false}} {
		if got := optional(at, tc.bound, tc.due); got != tc.want {
			t.Errorf("bound %v, due %v: optional %v", tc.bound, tc.due, got)
		}
	}
}

// Standing orders: a goal near the enemy is held at the price of a step, all else retreats.
func TestStanding(t *testing.T) {
	for enemy, want := range map[hex.Hex]bool{2322: true, 2332: false} {
		p := planOf(t, lone(t, "kharkov-1942", "GERMAN", map[string]hex.Hex{"211/71": 2319}, seen("SOVIET", enemy, 1)))
		p.writeStanding()
		if got := slices.Contains(p.standing, "AT 2319 HOLD, PAY 1"); got != want {
			t.Errorf("enemy on %v: %q", enemy, p.standing)
		}
		if !slices.Contains(p.standing, "ALL RETREAT FULL") {
			t.Errorf("%q", p.standing)
		}
	}
}

// Distances: the map is measured from the goal, the enemy in the way counts as a detour.
func TestGround(t *testing.T) {
	p := plain(t, map[string]hex.Hex{"126/23": 1119}, seen("SOVIET", 1222, 2))
	if d := p.toFoe(1222); d != 0 || p.toFoe(1220) != 2 || p.toFoe(1119) != p.g.Distance(1119, 1222) {
		t.Errorf("the enemy is %d from itself, %d from 1220", d, p.toFoe(1220))
	}
	foot := p.network("foot")
	if n := p.far(1221, 1221, foot); n != 0 {
		t.Errorf("a hex is %d from itself", n)
	}
	if on, around := p.obstacle(1222), p.obstacle(1221); on != priceOfFoe || around != priceOfZone || p.obstacle(1119) != 0 {
		t.Errorf("the enemy weighs %d, the zone %d, open ground %d", on, around, p.obstacle(1119))
	}
	if through, clear := p.far(1220, 1224, foot), p.far(1020, 1024, foot); through <= clear {
		t.Errorf("past the enemy %d, beside them %d", through, clear)
	}
	if n := p.might(1220, 2); n != p.foes[1222].Attack || p.might(1220, 1) != 0 {
		t.Errorf("within two hexes %d, within one %d", n, p.might(1220, 1))
	}
}

// On a hex of the scale each lost step counts: a lone unit on its last step goes out of reach, one
// with friends, or at full strength, stays for other things.
func TestSpare(t *testing.T) {
	v := opening(t, "kursk", "SOVIET")
	p := planOf(t, v)
	i := slices.IndexFunc(p.pieces, func(u *wb95Unit) bool {
		return u.onMap() && u.Movable && u.Regular && p.toFoe(u.at) == 2 && p.goalAt(u.at) == nil && len(u.places) > 5
	})
	if i < 0 {
		t.Fatal("nobody stands near the enemy")
	}
	u := p.pieces[i]
	p.load[u.at] = u.Steps
	if u.Steps > 1 && p.endangered(u) {
		t.Errorf("%s of %d steps is in danger", u.Name, u.Steps)
	}
	u.Steps, p.load[u.at] = 1, 4
	if p.endangered(u) {
		t.Error("in danger although others stand with it")
	}
	p.load[u.at] = 1
	if !p.endangered(u) {
		t.Error("not in danger alone on its last step")
	}
	from := u.at
	p.spare()
	if u.done && p.toFoe(u.at) <= p.toFoe(from) {
		t.Errorf("%s goes from %v to %v, which is no farther from the enemy", u.Name, from, u.at)
	}
	if n := p.leastHeld(&wb95Goal{}); n != 4 {
		t.Errorf("a place is held by %d steps", n)
	}
	if n := p.leastHeld(&wb95Goal{Goal: wb95.Goal{Strategic: true}}); n != 1 {
		t.Errorf("what the game hangs on is held by %d steps", n)
	}
}

// Aircraft: halved between the two largest attacks, all for one, or against who stands next to
// us; air counters fly by wings.
func TestAir(t *testing.T) {
	phase := func(v *view.View, left int) *view.View {
		v.Air = &view.Air{Phases: []view.AirPhase{{Turn: 1, Phase: 1, Left: left}, {Turn: 2, Phase: 7, Left: left}}}
		return v
	}
	here := map[string]hex.Hex{}
	all := opening(t, "kharkov-1942", "SOVIET")
	for _, u := range all.Units {
		if u.Type == "INF" && len(here) < 2 {
			here[u.Name] = hex.New(12+2*len(here), 21)
		}
	}
	enemy := []view.Stack{seen("GERMAN", 1018, 1), seen("GERMAN", 1222, 1), seen("GERMAN", 1422, 1)}
	p := planOf(t, phase(lone(t, "kharkov-1942", "SOVIET", here, enemy...), 7))
	own := p.a.AirPhase()
	p.v.Air.Phases[0].Phase = own
	big, small := &assault{target: 1222, units: p.pieces[:2]}, &assault{target: 1422, units: p.pieces[:1]}
	for _, tc := range []struct {
		war  []*assault
		want []string
	}{
		{[]*assault{small, big}, []string{"SUPPORT 1222 4", "SUPPORT 1422 3"}},
		{[]*assault{small}, []string{"SUPPORT 1422 7"}},
		{nil, []string{"ATTACK 1222 7"}},
	} {
		p.assaults = tc.war
		if p.writeAir(); !slices.Equal(p.air[own], tc.want) {
			t.Errorf("%d attacks: %q, not %q", len(tc.war), p.air[own], tc.want)
		}
	}
	counters := planOf(t, opening(t, "prokhorovka", "GERMAN"))
	if counters.a.Wings(1) == nil {
		t.Fatal("the Germans have no air counters")
	}
	counters.air = map[int][]string{}
	wings := counters.a.Wings(1)
	counters.supportFromTheAir(view.AirPhase{Turn: 1, Phase: 1, Left: 99}, []*assault{{target: 1222}, {target: 1422}, {target: 1622}})
	if got := len(counters.air[1]); got != min(3, len(wings)) {
		t.Errorf("%d wings fly %q", len(wings), counters.air[1])
	}
	p.v.Air, p.air = nil, nil
	if p.writeAir(); p.air != nil {
		t.Error("aircraft fly in a game without any")
	}
}

// A goal of ours with somebody on it and the enemy within three hexes is guarded from the air.
func TestGuardFromTheAir(t *testing.T) {
	for enemy, want := range map[hex.Hex]bool{2322: true, 2323: false} {
		p := planOf(t, lone(t, "kharkov-1942", "GERMAN", map[string]hex.Hex{"211/71": 2319}, seen("SOVIET", enemy, 1)))
		p.air = map[int][]string{}
		p.guardFromTheAir(view.AirPhase{Phase: 7, Left: 9})
		if got := slices.Equal(p.air[7], []string{"DEFEND 2319 3"}); got != want {
			t.Errorf("enemy on %v: %q", enemy, p.air[7])
		}
	}
}

// A barrage takes at least two guns that bear, and goes where they do most.
func TestBombard(t *testing.T) {
	guns := map[string]hex.Hex{"126/23": 1221, "Art./23": 1220, "Art./LI": 1219, "1 Art./6A": 1211}
	p := plain(t, guns, seen("SOVIET", 1222, 1), seen("SOVIET", 1216, 1))
	target, fire := p.bombard(4, nil)
	if target != 1222 || len(fire) != 2 {
		t.Errorf("%d guns fire at %v", len(fire), target)
	}
	if h, _ := p.bombard(4, []hex.Hex{1222}); h == 1222 {
		t.Error("they fire at one hex twice")
	}
	if h, _ := p.bombard(1, nil); h != hex.None {
		t.Errorf("one gun fires a barrage at %v", h)
	}
	p.v.Assets = []view.Asset{{Kind: "ammunition units", Count: 3}}
	p.barrage()
	if want := []string{"Art./23, Art./LI AT 1222"}; !slices.Equal(p.barrages, want) {
		t.Errorf("orders %q, not %q", p.barrages, want)
	}
	for _, name := range []string{"Art./23", "Art./LI"} {
		if u := p.unit(t, name); !u.done || u.Fire != 0 || !p.busy[u.ID] {
			t.Errorf("%s may fire again", name)
		}
	}
}

// An assault counts on three guns at most: set up, in range, not assigned for another one.
func TestBattery(t *testing.T) {
	p := plain(t, map[string]hex.Hex{"126/23": 1221, "Art./23": 1220, "Art./LI": 1219, "Art./3": 1120, "Art./III": 1119, "1 Art./6A": 1214}, seen("SOVIET", 1222, 1))
	s := p.attackBy(t, 1222, "126/23")
	if got := p.battery(s); len(got) != batteries {
		t.Errorf("guns %v", got)
	}
	far, elsewhere, limbered := p.unit(t, "1 Art./6A"), p.unit(t, "Art./LI"), p.unit(t, "Art./3")
	elsewhere.fires, limbered.Firing = &assault{target: 1322}, false
	for _, u := range []*wb95Unit{far, elsewhere, limbered, p.unit(t, "126/23")} {
		if p.counts(u, s) {
			t.Errorf("it counts on %s", u.Name)
		}
	}
	elsewhere.fires = s
	if !p.counts(elsewhere, s) || !elsewhere.meantFor(wb95.Attack{Targets: []hex.Hex{1222}}) || elsewhere.meantFor(wb95.Attack{Targets: []hex.Hex{1322}}) {
		t.Error("it does not count on a gun that was assigned to it")
	}
}

// On whole openings: no headquarters is left bare before the enemy that could stand better, and
// those who go where they are sent stay in supply.
func TestPlansKeepHeadquartersAndSupply(t *testing.T) {
	moved, cut := 0, 0
	for _, id := range []string{"kharkov-1943", "kursk", "prokhorovka"} {
		for _, side := range load(t, id).Sides() {
			p := planOf(t, opening(t, id, side))
			p.think()
			for _, u := range p.pieces {
				if u.HQ && u.onMap() && u.Movable && p.uncovered(u.at) && slices.ContainsFunc(u.places, func(h hex.Hex) bool {
					return h != u.at && p.fits(u, h) && !p.uncovered(h) && p.foes[h] == nil
				}) {
					t.Errorf("%s, %s: %s stands bare on %v", id, side, u.Name, u.at)
				}
				if u.Hex == u.at || !u.Supplied || !u.onMap() || u.fights {
					continue
				}
				moved++
				if !p.a.InSupply(u.at) {
					cut++
				}
			}
		}
	}
	if moved < 50 || 50*cut > moved {
		t.Errorf("of %d units that were sent somewhere %d are out of supply", moved, cut)
	}
}
