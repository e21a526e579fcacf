package wb95

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/scenarios"
)

// WB-95 8.1.4, 8.1.7: both sides are asked at once, and only the side on move is waited for.
func TestAirPhaseAsksBothSides(t *testing.T) {
	for phase, mover := range map[int]Side{1: red, 7: blue} {
		s := skies(t, clearGround(8, 8), 6, infAt("a", red, 202), infAt("x", blue, 707)).after(phase)
		p, err := adjudicator.Play(s.clone(), airPhase, nil, nil, adjudicator.Standing{})
		if err != nil || len(p.Pending) != 1 || len(p.Journal) != 0 {
			t.Fatalf("phase %d: %v, pending %v", phase, err, p.Pending)
		}
		d := p.Pending[0]
		if d.Side != mover || d.Kind != kindAir || d.Answers() != fmt.Sprintf("air 1/%d", phase) || !d.Turn {
			t.Errorf("phase %d: %+v", phase, d)
		}
		o := scripted(t, s, airPhase, "air "+string(mover), "")
		want(t, "missions", o.flown(), "")
		want(t, "asked", len(o.asked), 4)
		want(t, "the other one is filed", o.asked[1].Filed && !o.asked[1].Turn && o.asked[1].Label == "air "+string(s.sc.Other(mover)), true)
	}
}

// WB-95 8.1.1, 8.1.3, 8.1.5: the day's strength, each point once a turn over both phases.
func TestAirStrengthOfTheDay(t *testing.T) {
	s := skies(t, clearGround(9, 9), 8, infAt("a", red, 202), infAt("x", blue, 205), infAt("y", blue, 808))
	o := scripted(t, s, airPhase, "air RED", "ATTACK 0205 3\nATTACK 0808 6\nSUPPORT 0205 2\nATTACK 0808 3", "air BLUE", "",
		"air-attack 0205", "3 4", "air-attack 0808", "3 4")
	want(t, "skipped", strings.Join(o.told(t, "air-skipped", red), ""), "Not flown: ATTACK 0808 6: 6 SP are asked for, 5 of that day are left.")
	want(t, "nobody else hears of it", len(o.told(t, "air-skipped", blue)), 0)
	want(t, "used", o.Flown, [2]int{8, 0})
	o.State.Phase = 7
	o = scripted(t, o.State, airPhase, "air RED", "BRIDGE 0202/0203 4", "air BLUE", "")
	want(t, "phase 7", strings.Join(o.told(t, "air-skipped", red), ""), "Not flown: BRIDGE 0202/0203 4: 4 SP are asked for, 0 of that day are left.")
	o.State.Phase = 12
	next := referee{}.advanced(t, o.State)
	want(t, "a new day", next.airLeft(red, 2), 8)
}

// advanced plays a supply phase to the next turn.
func (c referee) advanced(t testing.TB, s *State) *State {
	t.Helper()
	c.dice = map[string][]int{}
	out, _ := c.play(t, s, phase)
	return out
}

// What may fly in whose half turn.
func TestMissionsAllowed(t *testing.T) {
	g := clearGround(8, 8)
	g.rivers = map[string]string{"river": "0303/0304", "big river": "0504/0505"}
	g.bridges = "0303/0304"
	for _, c := range []struct {
		clause string
		side   Side
		phase  int
		order  string
		why    string
	}{
		{"8.2.2", red, 1, "SUPPORT 0605 3", ""},
		{"8.2.2", red, 7, "SUPPORT 0605 3", "WB-95 8.2.2: the enemy attacks in that half turn, not we. DEFEND supports a defence."},
		{"8.2.2", blue, 7, "SUPPORT 0202 8", ""},
		{"8.2.4", blue, 1, "DEFEND 0605 3", ""},
		{"8.2.4", blue, 7, "DEFEND 0605 3", "WB-95 8.2.4: we attack in that half turn, not the enemy. SUPPORT supports an attack."},
		{"8.2.5", red, 7, "DEFEND 0202 3", "WB-95 8.2.5: Soviet aircraft cannot support a defence"},
		{"8.2.10", red, 1, "BRIDGE 0303/0304 3", "WB-95 8.2.10: a bridge takes 4 SP or more"},
		{"8.2.10", red, 1, "BRIDGE 0304/0303 4", ""},
		{"8.2.11", blue, 1, "DISRUPT 0202 2", ""},
		{"8.2.11", blue, 7, "DISRUPT 0202 2", "WB-95 8.2.11: the enemy does not move in that half turn"},
		{"8.2.11", red, 7, "DISRUPT 0605 1", "WB-95 8.2.11: only the movement of Soviet units can be disorganized"},
		{"8.2.15", blue, 1, "DISRUPT 0202 3", "WB-95 8.2.15: 2 SP at most count against movement on one hex. Spread them over several hexes, a line for each."},
		{"8.2.17", red, 7, "CROSSING 0505 2", ""},
		{"8.2.17", red, 7, "CROSSING 0304 2", "WB-95 8.2.17: no big river runs beside 0304"},
		{"8.2.23", blue, 1, "SUPPLY 0605 7", "WB-95 8.2.23: only American and British aircraft fly supplies"},
		{"8.1.5", blue, 1, "ATTACK 0202 9", "WB-95 8.1.5: 9 SP are asked for, 8 of that day are left. Send 8 SP or fewer."},
		{"8.2.1", red, 1, "STRAFE 0605 3", `WB-95 8.2.1: "STRAFE" is not an air mission. Expected SUPPORT, ATTACK, DEFEND, BRIDGE, DISRUPT, CROSSING, SUPPLY.`},
		{"8.1.1", red, 1, "ATTACK 0605", "WB-95 8.1.1: the mission does not say with how many strength points. Write ATTACK 0605 and a number."},
		{"8.1.1", red, 1, "ATTACK 0605 3 SP", ""},
		{"8.1.1", red, 1, "ATTACK 0605 3 NOW", `"NOW" is not understood here. A line holds one mission.`},
		{"8.2.8", red, 1, "BRIDGE 0303 4", `WB-95 14.1.1: "0303" is not a hexside: two hex numbers such as 1602/1603 are. A bridge is named by the two hexes it joins, such as 2104/2204.`},
		{"8.2.8", red, 1, "BRIDGE 0303/0703 4", "WB-95 14.1.1: 0303 and 0703 are not neighbours. A bridge is named by the two hexes it joins, such as 2104/2204."},
	} {
		s := skies(t, g, 8, infAt("a", red, 202), infAt("x", blue, 605)).after(c.phase)
		m, v := s.parseMission(c.side, phrase.Read(c.order), s.Turn)
		if v == nil {
			v = s.mayFly(m, c.phase, s.airLeft(c.side, s.Turn))
		}
		got := ""
		if v != nil {
			got = v.Error()
		}
		if got != c.why {
			t.Errorf("WB-95 %s: %s of %s in phase %d: %q, want %q", c.clause, c.order, c.side, c.phase, got, c.why)
		}
	}
}

// WB-95 8.1.8, 8.1.9
func TestAirCombat(t *testing.T) {
	for _, c := range []struct {
		name     string
		red      string
		blue     string
		dice     []string
		left     string
		stories  string
		flown    [2]int
		blueHalf bool
	}{
		{"same hex, stronger sum wins", "ATTACK 0505 3", "DEFEND 0505 2", []string{"air 0505", "1 4"}, "BLUE DEFEND 0505 2",
			"0505: air combat, Red 3 SP against Blue 2 SP: dice 1 4 (air 0505), the aircraft of the Red are driven off.", [2]int{3, 2}, false},
		{"a tie is thrown again", "SUPPORT 0505 3", "DEFEND 0505 2", []string{"air 0505", "1 2", "air 0505 2", "6 1"}, "RED SUPPORT 0505 3",
			"0505: air combat, Red 3 SP against Blue 2 SP: dice 1 2 (air 0505), a tie, fought again.|0505: air combat, Red 3 SP against Blue 2 SP: dice 6 1 (air 0505 2), the aircraft of the Blue are driven off.", [2]int{3, 2}, false},
		{"adjacent hexes", "SUPPORT 0505 3", "DISRUPT 0504 2", []string{"air 0505-0504", "6 1"}, "RED SUPPORT 0505 3",
			"0505 and 0504: air combat, Red 3 SP against Blue 2 SP: dice 6 1 (air 0505-0504), the aircraft of the Blue are driven off.", [2]int{3, 2}, false},
		{"two hexes apart", "SUPPORT 0505 3", "DISRUPT 0503 2", nil, "BLUE DISRUPT 0503 2, RED SUPPORT 0505 3", "", [2]int{3, 2}, false},
		{"missions of one hex fight and fall together", "SUPPORT 0505 3\nBRIDGE 0505/0504 4", "DEFEND 0505 1\nDISRUPT 0505 1",
			[]string{"air 0505", "1 1"}, "RED BRIDGE 0505 4, RED SUPPORT 0505 3",
			"0505: air combat, Red 7 SP against Blue 2 SP: dice 1 1 (air 0505), the aircraft of the Blue are driven off.", [2]int{7, 2}, false},
		{"who was driven off does not fight again", "SUPPORT 0505 3", "DEFEND 0505 2\nDISRUPT 0504 1", []string{"air 0505", "1 4"},
			"BLUE DISRUPT 0504 1, BLUE DEFEND 0505 2", "0505: air combat, Red 3 SP against Blue 2 SP: dice 1 4 (air 0505), the aircraft of the Red are driven off.", [2]int{3, 3}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := clearGround(9, 9)
			g.rivers, g.bridges = map[string]string{"river": "0504/0505"}, "0504/0505"
			s := skies(t, g, 12, infAt("a", red, 508), infAt("x", blue, 505))
			pairs := append([]string{"air RED", c.red, "air BLUE", c.blue}, c.dice...)
			if strings.Contains(c.red, "BRIDGE") {
				pairs = append(pairs, "air-bridge 0504/0505", "3 4")
			}
			o := scripted(t, s, airPhase, pairs...)
			want(t, "missions left", o.flown(), c.left)
			want(t, "story of RED", strings.Join(o.told(t, "air-combat", red), "|"), c.stories)
			want(t, "story of BLUE", strings.Join(o.told(t, "air-combat", blue), "|"), c.stories)
			want(t, "used", o.Flown, c.flown)
		})
	}
}

// WB-95 8.1.7: a mission that nobody meets is its owner's alone.
func TestMissionsAreSecret(t *testing.T) {
	s := skies(t, clearGround(9, 9), 12, infAt("a", red, 508), infAt("x", blue, 505))
	o := scripted(t, s, airPhase, "air RED", "SUPPORT 0505 3", "air BLUE", "DISRUPT 0802 2")
	for _, e := range o.events {
		if e.For(string(red)) && e.For(string(blue)) {
			t.Errorf("both hear %s %v", e.Kind, e.Facts.Map())
		}
	}
	want(t, "RED", strings.Join(o.told(t, "air-sent", red), "|"), "attack support 0505, 3 SP")
	want(t, "BLUE", strings.Join(o.told(t, "air-sent", blue), "|"), "against movement 0802, 2 SP")
	o.State.Phase = 3
	for side, kind := range map[Side]string{red: airSupport, blue: airDisrupt} {
		v := o.State.view(side)
		if len(v.Air.Flown) != 1 || v.Air.Flown[0].Kind != kind {
			t.Errorf("%s sees %+v", side, v.Air.Flown)
		}
	}
	// What the other side flies changes nothing of a view and of a report.
	other := scripted(t, s, airPhase, "air RED", "SUPPORT 0505 3", "air BLUE", "")
	other.State.Phase = 3
	a, b := o.State.view(red), other.State.view(red)
	a.Board, b.Board = nil, nil
	if fmt.Sprintf("%+v", *a.Air) != fmt.Sprintf("%+v", *b.Air) || fmt.Sprint(heard(o.events, red)) != fmt.Sprint(heard(other.events, red)) {
		t.Error("RED can tell what BLUE flies")
	}
}

// WB-95 8.1.8: who meets whom depends on the missions alone, not on the order in
// which they are written; nobody is left who would still have to fight.
func TestPairingProperty(t *testing.T) {
	for seed := range uint64(150) {
		rnd := rand.New(rand.NewPCG(seed, 8))
		s := skies(t, clearGround(9, 9), 60, infAt("a", red, 101), infAt("x", blue, 909))
		sheet := func(side Side) []string {
			var out []string
			for range 1 + rnd.IntN(6) {
				verb := "ATTACK"
				if side == blue && rnd.IntN(2) == 0 {
					verb = "DEFEND"
				}
				out = append(out, fmt.Sprintf("%s %v %d", verb, hex.New(3+rnd.IntN(4), 3+rnd.IntN(4)), 1+rnd.IntN(6)))
			}
			return out
		}
		a, b := sheet(red), sheet(blue)
		play := func(a, b []string) (string, []string) {
			l := &luck{}
			p, err := adjudicator.Play(s.clone(), airPhase, nil, l, answersOf{"air RED": strings.Join(a, "\n"), "air BLUE": strings.Join(b, "\n")})
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			for _, m := range p.State.Missions {
				for _, o := range p.State.Missions {
					if m.Side != o.Side && s.sc.Board.Grid.Distance(m.Hex, o.Hex) <= 1 {
						t.Errorf("seed %d: %v and %v still meet", seed, m, o)
					}
				}
			}
			return outcome{State: p.State}.flown(), l.labels
		}
		flown, labels := play(a, b)
		if len(labels) != len(slices.Compact(slices.Sorted(slices.Values(labels)))) {
			t.Errorf("seed %d: labels %q", seed, labels)
		}
		rnd.Shuffle(len(a), func(i, j int) { a[i], a[j] = a[j], a[i] })
		rnd.Shuffle(len(b), func(i, j int) { b[i], b[j] = b[j], b[i] })
		again, repeated := play(a, b)
		if flown != again || !slices.Equal(labels, repeated) {
			t.Errorf("seed %d: %s by %q, or %s by %q", seed, flown, labels, again, repeated)
		}
	}
}

// luck throws dice that depend on the label only.
type luck struct{ labels []string }

func (l *luck) Throw(label string, count, sides int) ([]int, []byte, error) {
	l.labels = append(l.labels, label)
	sum := uint64(17)
	for _, c := range label {
		sum = sum*31 + uint64(c)
	}
	rnd := rand.New(rand.NewPCG(sum, 1))
	out := make([]int, count)
	for i := range out {
		out[i] = 1 + rnd.IntN(sides)
	}
	return out, nil, nil
}

// answersOf answers by label, reactions by their proposal.
type answersOf map[string]string

func (m answersOf) Answer(d adjudicator.Decision) (string, string, bool) {
	if a, ok := m[d.Label]; ok {
		return a, "test", true
	}
	return d.Proposal, d.Source, true
}

// What the Nysa scenarios give Soviet aircraft for, and what the books say of
// missions against movement.
func TestAirOfTheScenarios(t *testing.T) {
	for id, want := range map[string]Profile{
		"kharkov-1942": {DisruptSP: 1, DisruptMost: 2}, "black-snow": {DisruptSP: 1, DisruptMost: 2}, "nysa-1945": {DisruptSP: 7, DisruptRing: 1},
		"two-stars": {DisruptSP: 7, DisruptRing: 1}, "kursk": {DisruptSP: 7, DisruptRing: 1}, "prokhorovka": {DisruptSP: 7, DisruptRing: 1},
	} {
		p, err := scenarios.Open(id)
		if err != nil {
			t.Fatal(err)
		}
		sc, err := Load(p)
		if err != nil {
			t.Fatal(err)
		}
		if g := sc.Profile; g.DisruptSP != want.DisruptSP || g.DisruptRing != want.DisruptRing || g.DisruptMost != want.DisruptMost {
			t.Errorf("%s: %+v", id, g)
		}
		s := sc.opening()
		v := s.mayFly(Mission{Side: "SOVIET", Kind: airBridge, SP: 4}, 1, 10)
		if nysa := strings.Contains("nysa-1945 two-stars", id); nysa != (v != nil && v.Instead == "Expected SUPPORT, ATTACK.") {
			t.Errorf("%s: Soviet aircraft against a bridge: %v", id, v)
		}
	}
}
