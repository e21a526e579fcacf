package wb95

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
)

// gambler throws dice and answers at random: any option of every decision.
type gambler struct {
	lot
	attacks, standing string
	labels            map[string]bool
	asked             []adjudicator.Decision
}

func (g *gambler) Throw(label string, count, sides int) ([]int, []byte, error) {
	if g.labels[label] {
		return nil, nil, fmt.Errorf("label %q twice", label)
	}
	g.labels[label] = true
	out := make([]int, count)
	for i := range out {
		out[i] = 1 + g.n(sides)
	}
	return out, nil, nil
}

func (g *gambler) Answer(d adjudicator.Decision) (string, string, bool) {
	g.asked = append(g.asked, d)
	switch {
	case d.Kind == kindAttack:
		return g.attacks, "test", true
	case d.Kind == kindStanding:
		return g.standing, "test", true
	case g.n(3) == 0:
		return d.Options[g.n(len(d.Options))].Answer, "test", true
	}
	return d.Proposal, d.Source, true
}

// melee throws many units of both sides into a small field.
func melee(t *testing.T, l *lot) *State {
	g := clearGround(10, 10)
	for i := range g.rows {
		row := []byte(g.rows[i])
		for j := range row {
			row[j] = "......hfwstc"[l.n(12)]
		}
		g.rows[i] = string(row)
	}
	g.rivers = map[string]string{"river": "0505/0506 0405/0406 0605/0606", "big river": "0305/0306 0206/0207"}
	g.bridges = "0305/0306"
	var ps []piece
	taken := map[hex.Hex]Side{}
	for i := range 10 + l.n(30) {
		side, h := [2]Side{red, blue}[l.n(2)], hex.New(2+l.n(8), 2+l.n(8))
		if taken[h] != "" && taken[h] != side {
			continue
		}
		taken[h] = side
		name := fmt.Sprintf("%s%d", side[:1], i)
		make := []func(string, Side, hex.Hex) piece{infAt, infAt, tankAt, tankAt, truckAt, gunAt, staffAt}[l.n(7)]
		p := make(name, side, h)
		if p.c.Type == INF || p.c.Type == ARM {
			p = p.sp(1+l.n(3), 3+l.n(5))
			p.u.Steps = 1 + l.n(2)
		}
		if l.n(6) == 0 {
			p = p.oos(1 + l.n(4))
		}
		if l.n(6) == 0 && p.c.Type != HQ {
			p = p.shaken()
		}
		p.c.Morale = 8 + l.n(4)
		if p.c.Type == ART {
			p.u.Firing = l.n(2) == 0
		}
		if l.n(3) == 0 {
			p = p.of("division")
		}
		if l.n(4) == 0 {
			p = p.starred(colours[l.n(4)])
		}
		if k := l.n(16); k < 3 && p.c.Type == INF {
			p.c.Type = []Type{FU, VS, RG}[k]
		}
		if p.c.Type == ART && l.n(4) == 0 {
			p.c.SelfPro, p.c.Class = true, Tracked
		}
		ps = append(ps, p)
	}
	s := gunnery(t, g, ps...)
	s.Turn = 2
	for range l.n(3) {
		s.Pools = append(s.Pools, Pool{[2]Side{red, blue}[l.n(2)], hex.New(2+l.n(8), 2+l.n(8)), 1 + l.n(5), Clock{1, 3}, 1 + l.n(2)})
	}
	for i, side := range []Side{red, blue} {
		for _, h := range s.hexesOf(side) {
			if s.stackSteps(h) > stackLimit {
				s.remove(s.unitsAt(h)[0])
			}
			if l.n(6+i) == 0 && s.holder(h) == side {
				s.setFort(h, FF, side)
			}
		}
	}
	return s
}

// randomOrders writes attacks that may or may not make sense.
func randomOrders(s *State, l *lot) string {
	var out []string
	foes := s.hexesOf(blue)
	guns := []string{""}
	for _, u := range s.onMap(red) {
		if u.artillery() {
			guns = append(guns, strings.ToUpper(u.c.Name))
		}
	}
	for i, u := range s.onMap(red) {
		if l.n(2) == 0 || len(foes) == 0 {
			continue
		}
		h := foes[l.n(len(foes))]
		for _, k := range s.sc.Board.Grid.Neighbours(u.Hex) {
			if s.holder(k) == blue && l.n(2) == 0 {
				h = k
			}
		}
		line := fmt.Sprintf("%d: %v WITH %s", i+1, h, strings.ToUpper(u.c.Name))
		line += []string{"", "; MIN 2:1", fmt.Sprintf("; IF %d WON", i), "; PURSUE FULL", "; RETREAT 1 PAY 1", " FULL", "; STARS NO", "; HQCM 3"}[l.n(8)]
		if g := guns[l.n(len(guns))]; g != "" {
			line += "; ART " + g
		}
		out = append(out, line)
		if g := guns[l.n(len(guns))]; g != "" {
			out = append(out, fmt.Sprintf("FIRE %s AT %v", g, foes[l.n(len(foes))]))
		}
	}
	return strings.Join(out, "\n")
}

// WB-95 5.1.1
// WB-95 5.1.3
// WB-95 3.2.1
func TestPropertiesOfCombatPhases(t *testing.T) {
	l := lot(7)
	fought, retreated, shot, helped := 0, 0, 0, 0
	for range 250 {
		s := melee(t, &l)
		over := s.overfull(red)
		over = append(over, s.overfull(blue)...)
		g := &gambler{lot: l, attacks: randomOrders(s, &l), labels: map[string]bool{},
			standing: []string{"", "ALL HOLD", "ALL RETREAT 1", "ALL LOSSES STRONGEST FIRST PURSUE FULL", "AT 0505 HOLD PAY 1", "ART SUPPORT ALL", "AT 0505 VITAL\nART SUPPORT WITHIN 2 OF VITAL KEEP 1\nALL STARS YES FU NO HQCM 1"}[l.n(7)]}
		o := playAudited(t, s, g, g)
		checkPhase(t, s, o, over)
		fought += strings.Count(" "+o.kinds()+" ", " combat ")
		retreated += strings.Count(o.kinds(), "combat-retreat")
		for _, e := range o.events {
			shot += btoi(e.Kind == "fire")
			helped += btoi(e.Facts.Get("gunsA") != "" || e.Facts.Get("gunsD") != "")
		}
		for _, d := range g.asked {
			if d.Kind == kindAttack || d.Kind == kindStanding {
				continue
			}
			if !slices.ContainsFunc(d.Options, func(x adjudicator.Option) bool { return x.Answer == d.Proposal }) {
				t.Fatalf("%s: the proposal %q is none of the options", d.Label, d.Proposal)
			}
		}
	}
	if fought < 500 || retreated < 100 || shot < 30 || helped < 50 {
		t.Errorf("only %d combats, %d retreats, %d ranged attacks, %d supports: the test sees too little", fought, retreated, shot, helped)
	}
}

// checkPhase checks what must hold after any Combat Phase.
func checkPhase(t *testing.T, before *State, o outcome, over []hex.Hex) {
	t.Helper()
	attacked := map[string]int{}
	fired := map[string]int{}
	for _, e := range o.events {
		for _, fact := range []string{"gunsA", "gunsD", "guns"} {
			for g := range strings.SplitSeq(e.Facts.Get(fact), ", ") {
				if name, _, ok := strings.Cut(g, " "); ok {
					if fired[name]++; fired[name] > 1 {
						t.Fatalf("%s fired twice", name)
					}
				}
			}
		}
	}
	fights := map[hex.Hex]bool{}
	for _, e := range o.events {
		if e.Kind != "combat" {
			continue
		}
		for _, side := range []string{"units", "enemy"} {
			for _, w := range strings.Split(e.Facts.Get(side), ", ") {
				attacked[strings.Fields(w)[0]]++
			}
		}
		for h := range strings.SplitSeq(e.Facts.Get("hex"), ", ") {
			at, _ := hex.Parse(h)
			fights[at] = true
		}
	}
	for name, n := range attacked {
		if n > 1 {
			t.Fatalf("%s fought %d times", name, n)
		}
	}
	bound, due := before.duties(red)
	for _, was := range bound {
		u := o.unit(was.ID)
		if u.Where != OnMap || attacked[u.c.Name] > 0 || !o.inEnemyZone(u.Hex, red) {
			continue
		}
		for _, h := range o.sc.Board.Grid.Neighbours(u.Hex) {
			if o.holder(h) == blue && !fights[h] && slices.ContainsFunc(o.unitsAt(h), func(v *Unit) bool { return attacked[v.c.Name] == 0 }) {
				t.Fatalf("%s on %v is bound, did not fight, and %v is beside it", u.c.Name, u.Hex, h)
			}
		}
	}
	for _, h := range due {
		idle := func(u *Unit) bool {
			return u.fights() && attacked[u.c.Name] == 0 && o.sc.Board.Grid.Adjacent(u.Hex, h) && o.zonesTo(h, u)
		}
		if !fights[h] && o.holder(h) == blue && slices.ContainsFunc(o.onMap(red), idle) {
			t.Fatalf("%v was due and not attacked", h)
		}
	}
	now := o.overfull(red)
	now = append(now, o.overfull(blue)...)
	for _, h := range now {
		if !slices.Contains(over, h) {
			t.Fatalf("%v is overfull", h)
		}
	}
	for i := range o.Units {
		if u, was := &o.Units[i], &before.Units[i]; u.Steps > was.Steps || u.Fought || u.Fired {
			t.Fatalf("%s: %d steps, was %d", u.c.Name, u.Steps, was.Steps)
		}
	}
	for _, h := range o.hexesOf(red) {
		if o.holder(h) != red || slices.ContainsFunc(o.unitsAt(h), func(u *Unit) bool { return u.c.Side != red }) {
			t.Fatalf("both sides on %v", h)
		}
	}
}

// zonesTo tells whether somebody on the hex has its zone on a unit outside works.
func (o outcome) zonesTo(h hex.Hex, u *Unit) bool {
	return !o.fortified(u.Hex, red) && slices.ContainsFunc(o.unitsAt(h), func(v *Unit) bool { return o.zoneOf(v, u.Hex) })
}

// WB-95 5.1.7: the opening position of Kharkov, fought by the rules alone
func TestKharkovFoughtByTheRules(t *testing.T) {
	s := kharkov(t).opening()
	for _, phase := range []int{4, 10} {
		s.Phase = phase
		g := &gambler{lot: lot(phase), labels: map[string]bool{}}
		o := playAudited(t, s, g, g)
		t.Logf("phase %d: %d combats", phase, strings.Count(" "+o.kinds()+" ", " combat "))
	}
}

// The wording says every kind of event with the facts that it has.
func TestWordingOfCombats(t *testing.T) {
	l := lot(3)
	for range 40 {
		s := melee(t, &l)
		g := &gambler{lot: l, attacks: randomOrders(s, &l), labels: map[string]bool{}, standing: "ALL HOLD PAY 1"}
		for _, e := range playAudited(t, s, g, g).events {
			if w := (&Game{}).Wording(); w[e.Kind] == "" {
				t.Errorf("no wording for %s", e.Kind)
			}
			if say := spoken(t, e.Kind, e.Facts); strings.Contains(say, "<no value>") {
				t.Errorf("%s: %s", e.Kind, say)
			}
		}
	}
}
