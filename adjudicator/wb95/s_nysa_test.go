package wb95

import (
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
)

// The limits of the notes: who may not step where.
func TestLimitsOfTheNotes(t *testing.T) {
	for _, c := range []struct {
		id, unit string
		from, to hex.Hex
		barred   bool
	}{
		{"nysa-1945", "ame-273-69", 1720, 1820, true},
		{"nysa-1945", "ame-273-69", 1620, 1720, false},
		{"nysa-1945", "ame-273-69", 1729, 1830, true},
		{"nysa-1945", "sov-254-inf", 1720, 1820, false},
		{"two-stars", "ame-273-69", 1729, 1830, false},
		{"two-stars", "ger-chemnitz", 2434, 2335, true},
		{"two-stars", "ger-chemnitz", 2434, 2433, false},
		{"two-stars", "ger-4-szturmowy", 5929, 6029, true},
		{"two-stars", "ger-hq-lvii", 5828, 5727, false},
	} {
		sc := built(t, c.id)
		s := sc.opening()
		u := s.unit(c.unit)
		if got := sc.forbidden(u.c, c.from, c.to) != ""; got != c.barred {
			t.Errorf("%s %s %v-%v: barred %v", c.id, c.unit, c.from, c.to, got)
		}
		// Retreat and pursuit ask the same question.
		if c.barred && s.passable(u.c, c.from, c.to) {
			t.Errorf("%s could retreat from %v to %v", c.unit, c.from, c.to)
		}
	}
	s := built(t, "two-stars").opening()
	s.Turn = 2
	if _, v := obey(t, s, "CHEMNITZ TO 2335"); v == nil || v.Clause != "WB-95 2.1.1" || !strings.Contains(v.Why, "cannot leave Dresden") {
		t.Errorf("Chemnitz leaves Dresden: %v", v)
	}
}

// field11 is a plain with two zones and an exit for RED's tanks.
func field11(t testing.TB, ps ...piece) *State {
	g := clearGround(8, 10)
	g.zones = []board.Zone{{ID: "A", Hexes: []hex.Hex{101}}, {ID: "B", Hexes: []hex.Hex{106}}}
	sc := g.scenario(t)
	sc.Strategic = []Strategic{{Side: red, Kind: "exit", Zone: "S", Hexes: []hex.Hex{301, 401}, Types: []Type{ARM, MECH}, Count: 3, When: "moment", Text: "off they go"}}
	return putOn(t, sc, ps...)
}

func TestLeavingTheMap(t *testing.T) {
	for _, c := range []struct {
		name, order string
		pieces      []piece
		left, why   string
		spent       int // steps that count
	}{
		{"to the nearest hex of the zone", "T EXIT S", []piece{tankAt("t", red, 403)}, "S", "", 2},
		{"to a hex that is named", "T TO 0301 EXIT S", []piece{tankAt("t", red, 403)}, "S", "", 2},
		{"infantry leaves and does not count", "I EXIT S", []piece{infAt("i", red, 302)}, "S", "", 0},
		{"through a zone of the map", "I EXIT A", []piece{infAt("i", red, 101)}, "A", "", 0},
		{"too far", "I EXIT S", []piece{infAt("i", red, 308)}, "", "WB-95 3.1.5", 0},
		{"the points for the last step", "I EXIT S", []piece{newPiece("i", red, INF, Foot, 1, 2, 302)}, "", "WB-95 3.1.5", 0},
		{"stopped by a zone of control", "T EXIT S", []piece{tankAt("t", red, 304), infAt("x", blue, 202)}, "", "WB-95 4.2.1", 0},
		{"from a zone of control it began in", "T EXIT S", []piece{tankAt("t", red, 301), infAt("x", blue, 201)}, "S", "", 2},
		{"not a zone", "T EXIT Q", []piece{tankAt("t", red, 301)}, "", "WB-95 11.2.3", 0},
		{"not there", "T TO 0501 EXIT S", []piece{tankAt("t", red, 502)}, "", "WB-95 11.2.3", 0},
	} {
		s := field11(t, c.pieces...)
		_, v := obey(t, s, c.order)
		u := s.unit(c.pieces[0].u.ID)
		switch {
		case c.why != "" && (v == nil || string(v.Clause) != c.why):
			t.Errorf("%s: %v, want %s", c.name, v, c.why)
		case c.why == "" && v != nil:
			t.Errorf("%s: %v", c.name, v)
		case u.Left != c.left || (c.left != "") != (u.Where == Later):
			t.Errorf("%s: %s, left %q", c.name, u.Where, u.Left)
		case s.ledOff(&s.sc.Strategic[0]) != c.spent:
			t.Errorf("%s: %d steps count", c.name, s.ledOff(&s.sc.Strategic[0]))
		}
	}
}

// Who left comes back by the same zone on the next day, or by another like any
// reinforcement; who left for the victory stays away. Then the game is won.
func TestBackAndWon(t *testing.T) {
	s := field11(t, infAt("i", red, 101).oos(3), tankAt("t", red, 301), tankAt("k", red, 401), infAt("x", blue, 809))
	for _, order := range []string{"I EXIT A", "T EXIT S"} {
		if _, v := obey(t, s, order); v != nil {
			t.Fatal(order, v)
		}
	}
	if _, v := obey(t, s, "I ENTER A"); v == nil {
		t.Error("it comes back on the same day")
	}
	s.Phase = 4
	if winner, _ := s.checkVictory(false, false); winner != "" {
		t.Errorf("%s has won with two steps of three", winner)
	}
	s.endHalfTurn()
	s.Turn, s.Phase = 2, 3
	g := newGame(s.sc)
	if _, v := g.View(s.encode(), red); v != nil {
		t.Fatal(v)
	}
	known, err := s.sc.believe(s.view(red))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []*State{s.clone(), known} {
		if v := p.dueNow(p.unit("t"), p.arrival(p.unit("t"))); v == nil || v.Why != "it has left the map for good" {
			t.Errorf("the tanks: %v", v)
		}
		if told, v := obey(t, p, "I ENTER B TO 0206"); v != nil || !strings.Contains(told, "half the points for another zone") {
			t.Errorf("by the next zone: %q %v", told, v)
		}
		if p.unit("i").Hex != 206 || p.unit("i").OoS != 0 {
			t.Errorf("%+v", p.unit("i"))
		}
	}
	s.unit("k").Active = false
	if _, v := obey(t, s, "K EXIT S"); v != nil {
		t.Fatal(v)
	}
	s.Phase = 4
	if winner, verdict := s.checkVictory(false, false); winner != red || verdict != "strategic victory of Red: off they go" {
		t.Errorf("%s %q", winner, verdict)
	}
}

// The enemy sees a stack go, not what was in it.
func TestLeavingIsSeen(t *testing.T) {
	s := field11(t, tankAt("t", red, 402), tankAt("k", red, 402), infAt("i", red, 102), infAt("x", blue, 809))
	_, events := referee{answers: map[string]string{kindMove: "T, K EXIT S\nI EXIT A"}}.play(t, s, movementPhase)
	want(t, "seen", strings.Join(heard(events, blue, "hex", "zone", "count", "unit"), ", "), "seen-leaving 0102 A , seen-leaving 0402 S 4")
}

// Zones that a list of single edge hexes and roads make.
func TestZonesWithoutLetters(t *testing.T) {
	sc := field11(t).sc
	for _, c := range []struct {
		listed, asked string
		want          int
	}{{"A", "B", 1}, {"0103", "A", 1}, {"0103", "B", 1}, {"0110", "B", 1}, {"0801", "A", 1}, {"0404", "A", -1}, {"B", "B", 0}} {
		if got := sc.shiftFrom(c.listed, sc.zoneNamed(c.asked, hex.None)); got != c.want {
			t.Errorf("%s to %s: %d, want %d", c.listed, c.asked, got, c.want)
		}
	}
	g := clearGround(8, 10)
	g.roads = map[string]string{"main road": "0101-0202-0302 0804-0704-0604 0505-0506"}
	var ids []string
	for _, z := range g.scenario(t).entryZones() {
		ids = append(ids, z.ID)
	}
	want(t, "zones", strings.Join(ids, " "), "0101 0804")
}

// Whose headquarters lead whom.
func TestHeadquartersOfOneNation(t *testing.T) {
	of := func(p piece, nation string) piece { p.c.Nation = nation; return p }
	for _, c := range []struct {
		name    string
		hq      piece
		unit    piece
		defence bool
		want    bool
	}{
		{"own nation", of(staffAt("q", red, 303), "Soviet"), of(infAt("a", red, 305), "Soviet"), false, true},
		{"other nation", of(staffAt("q", red, 303), "Soviet"), of(infAt("a", red, 305), "Polish"), false, false},
		{"other nation beside it, in defence", of(staffAt("q", red, 303), "Soviet"), of(infAt("a", red, 304), "Polish"), true, false},
		{"other nation on its hex, in defence", of(staffAt("q", red, 303), "Soviet"), of(infAt("a", red, 303), "Polish"), true, true},
		{"other nation on its hex, in attack", of(staffAt("q", red, 303), "Soviet"), of(infAt("a", red, 303), "Polish"), false, false},
		{"at home in defence", of(staffAt("q", red, 303), "Polish"), of(infAt("a", red, 303), "Polish"), true, true},
		{"at home in attack", of(staffAt("q", red, 303), "Polish"), of(infAt("a", red, 303), "Polish"), false, false},
		{"at home a hex away", of(staffAt("q", red, 303), "Polish"), of(infAt("a", red, 304), "Polish"), true, false},
		{"a nation without such a note", of(staffAt("q", red, 303), "American"), of(infAt("a", red, 305), "Polish"), false, true},
	} {
		s := clearGround(8, 8).position(t, c.hq, c.unit)
		s.sc.Notes = Notes{HQNations: []string{"Soviet", "Polish"}, HQAtHome: []string{"Polish"}}
		if got := s.ledIn([]*Unit{s.unit("a")}, c.defence); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
		s.sc.Notes = Notes{}
		if !s.ledIn([]*Unit{s.unit("a")}, c.defence) {
			t.Errorf("%s: without the note nobody leads", c.name)
		}
	}
}

// A line of supply past an enemy town.
func TestSupplyShunsTowns(t *testing.T) {
	for _, c := range []struct {
		name  string
		shun  bool
		ps    []piece
		enemy bool
		want  bool
	}{
		{"past it, in nobody's way", true, nil, false, true},
		{"the enemy's, and nobody of ours near", true, nil, true, false},
		{"a unit of ours in it", true, []piece{infAt("b", red, 402)}, true, true},
		{"one beside it does not help", true, []piece{infAt("b", red, 301), infAt("c", red, 401), infAt("d", red, 501)}, true, false},
		{"unless the nation goes by the rule for all", false, []piece{infAt("b", red, 301), infAt("c", red, 401), infAt("d", red, 501)}, true, true},
		{"which shuns it too", false, nil, true, false},
	} {
		// A strip two hexes high: every way leads beside the town in 0402.
		g := ground{rows: []string{"........", "...t...."}, places: []board.Place{place402}}
		s := g.position(t, append([]piece{infAt("a", red, 601)}, c.ps...)...)
		if c.shun {
			s.sc.Notes.ShunTowns = []string{string(red)}
		}
		if c.enemy {
			s.setController(map[hex.Hex]Side{402: blue})
		}
		if got := s.linesOfSupply(red).reaches(s.unit("a")); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// The replacement headquarters of the Germans.
func TestReplacementHeadquarters(t *testing.T) {
	s := built(t, "nysa-1945").opening()
	hq := s.unit("ger-hq-iv")
	s.openArrivals(nil)
	if s.Turn = 2; s.mayArrive(hq) {
		t.Error("it comes though nothing is lost")
	}
	s.remove(s.unit("ger-hq-gd"))
	s.openArrivals(nil)
	if !s.mayArrive(hq) {
		t.Error("it does not come on the same day")
	}
	s.Turn, s.Phase = 3, 9
	for _, c := range []struct{ order, clause string }{
		{"HQ IV ENTER SORAU", "WB-95 11.1.2"},          // not ours
		{"HQ IV ENTER F", "WB-95 11.1.2"},              // no town
		{"HQ IV, ART./IV ENTER BAUTZEN", ""},           // both at once
		{"HQ IV ENTER MEISSEN TO 1828", "WB-95 3.1.8"}, // wherever it is
	} {
		p := s.clone()
		_, v := obey(t, p, c.order)
		if c.clause == "" && (v != nil || p.unit("ger-hq-iv").Hex != 4329) {
			t.Errorf("%s: %v, %v", c.order, v, p.unit("ger-hq-iv").Hex)
		}
		if c.clause == "WB-95 11.1.2" && (v == nil || string(v.Clause) != c.clause) {
			t.Errorf("%s: %v", c.order, v)
		}
	}
	// An enemy beside the town keeps it shut.
	s.put(s.unit("sov-254-inf"), 4328)
	if _, v := obey(t, s, "HQ IV ENTER BAUTZEN"); v == nil {
		t.Error("it came beside the enemy")
	}
}

// Pontoon bridges: where an army may lay one, and once.
func TestPontoons(t *testing.T) {
	lay := func(name string, ps []piece, order string) (*State, []string, *script) {
		g := clearGround(8, 8)
		g.rivers = map[string]string{"big river": "0303/0404 0304/0404 0304/0405"}
		for i := range ps {
			if ps[i].c.Side == red {
				ps[i].c.Formation = "Army " + name
			}
		}
		s := arena(t, g, ps...)
		s.sc.Notes.Pontoons = []string{"Army one"}
		p := &script{answers: map[string]string{"attack": "", "pontoons": order}, dice: map[string][]int{}, used: map[string]bool{}}
		run, err := adjudicator.Play(s.clone(), attackPhase, nil, p, p)
		if err != nil {
			t.Fatal(err)
		}
		return run.State, heard(run.Events, red, "bridge"), p
	}
	for _, c := range []struct {
		name, army string
		ps         []piece
		order      string
		want       string
		stands     bool
	}{
		{"laid", "one", []piece{infAt("a", red, 304)}, "PONTOON 0304/0404", "pontoon-laid 0304/0404", true},
		{"not ordered", "one", []piece{infAt("a", red, 304)}, "", "", false},
		{"by its name", "one", []piece{infAt("a", red, 304)}, "PONTOON 0404/0304 FOR ARMY ONE", "pontoon-laid 0304/0404", true},
		{"another army has none", "two", []piece{infAt("a", red, 304)}, "PONTOON 0304/0404", "", false},
		{"no regular unit there", "one", []piece{gunAt("a", red, 304), infAt("b", red, 303)}, "PONTOON 0304/0404", "pontoon-void 0304/0404", false},
		{"the far bank is in a zone", "one", []piece{infAt("a", red, 304), infAt("b", red, 303), infAt("x", blue, 504)}, "PONTOON 0304/0404", "", false},
		{"but we hold it", "one", []piece{infAt("a", red, 304), infAt("b", red, 404), infAt("x", blue, 604)}, "PONTOON 0304/0404", "pontoon-laid 0304/0404", true},
		{"the enemy is on the far bank", "one", []piece{gunAt("c", red, 304), infAt("a", red, 303), gunAt("x", blue, 404)}, "PONTOON 0303/0404", "", false},
		{"no big river", "one", []piece{infAt("a", red, 304)}, "PONTOON 0304/0305", "pontoon-void 0304/0305", false},
	} {
		s, told, _ := lay(c.army, c.ps, c.order)
		e := edgeList(t, "0304/0404")[0]
		if got := strings.Join(slices.DeleteFunc(told, func(k string) bool { return !strings.HasPrefix(k, "pontoon") }), ", "); got != c.want || s.bridgeStands(e) != c.stands {
			t.Errorf("%s: %q, stands %v", c.name, got, s.bridgeStands(e))
		}
		if c.stands {
			if s.setBridge(e, false); len(s.crossings("Army one", red)) > 0 {
				t.Errorf("%s: a second bridge", c.name)
			}
		}
	}
	// The question offers every crossing and keeps the bridge unless told otherwise.
	_, _, p := lay("one", []piece{infAt("a", red, 304)}, "")
	for _, d := range p.asked {
		if d.Label == "pontoon Army one" && (d.Proposal != "NONE" || len(d.Options) != 3) {
			t.Errorf("%+v", d)
		}
	}
}

// WB-95 7.1.10 as the Nysa book has it: 2 everywhere.
func TestNysaFieldFortifications(t *testing.T) {
	s := built(t, "nysa-1945").opening()
	for _, h := range []hex.Hex{4107, 4114, 5016, 5424} {
		if s.setFort(h, FF, "GERMAN"); s.fortCM(s.fort(h)) != 2 {
			t.Errorf("%v: %d", h, s.fortCM(s.fort(h)))
		}
	}
}

// The Polish guns are called like the word that asks for them.
func TestGunsCalledArt(t *testing.T) {
	s := built(t, "nysa-1945").opening()
	o, v := s.parseAttack("SOVIET", phrase.Read("5819 WITH 254 INF ; ART A ART, B ART ; MIN 1:1"))
	if v != nil || names(o.art) != "A ART, B ART" || o.min != "1:1" {
		t.Errorf("%v %s %q", v, names(o.art), o.min)
	}
}

// On receipt: what a sheet may say of bridges and exits.
func TestNotesOnReceipt(t *testing.T) {
	s := built(t, "nysa-1945").opening()
	s.noteContacts()
	s.put(s.unit("sov-254-inf"), 6028)
	s.setBridge(edgeList(t, "5928/6028")[0], false)
	_, answers, lines := filed(t, s, "SOVIET", "MOVE\n 389 INF EXIT S\nATTACK\n PONTOON 4908/5008\n PONTOON 4008/4107\n PONTOON 4908/5008 FOR GD")
	for i, part := range []string{"XX WB-95 3.1.5", "a pontoon bridge at 4908/5008 after the attacks", "is not a big river", `"GD" has no pontoon bridge`} {
		if got := strings.Split(lines, "\n"); len(got) != 4 || !strings.Contains(got[i], part) {
			t.Errorf("line %d of\n%s\nwithout %q", i, lines, part)
		}
	}
	want(t, "answer", answers[kindPontoon], "PONTOON 4908/5008")
}
