package steppe

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// The answers of an air decision.
const (
	answerPass    = "PASS"
	answerFighter = "FIGHTER"
	answerCAS     = "CAS"
)

// The modifiers of an air unit.
//
// Steppe 10.1/15
// Steppe 10.1/16
// Steppe 10.1/17
const (
	drmFighter = 1
	drmCAS     = 2
)

// airPool is the pool whose units may fly for a stack: that of its front; none for a
// stack of two fronts.
//
// Steppe 11.2/1
// Steppe 11.2/2
//
// reading Steppe 11.0: German aircraft fly for Hungarians as well.
func (s *State) airPool(us []*Unit) *Pool {
	pool := ""
	for _, u := range us {
		p := u.c.Command.pool()
		if pool != "" && pool != p {
			return nil
		}
		pool = p
	}
	if pool == "" {
		return nil
	}
	return &s.Air[slices.Index(pools[:], pool)]
}

// airAndGuns commits aircraft and artillery and sums what they add to the dice.
//
// Steppe 9.3/3
// Steppe 11.0/6
//
// reading Steppe 9.3: an attack with an overrun has no artillery and no modifier of its
// own aircraft; its fighters may fight enemy aircraft.
func (c *combat) airAndGuns(o odds) {
	pool := [2]*Pool{c.s.airPool(c.units), c.s.airPool(c.defenders())}
	c.commit(pool, o)
	fought := c.dogfight(pool)
	add := func(k, sign int) {
		if !fought {
			c.drm += sign * drmFighter * c.flown[k].f
		}
		c.drm += sign * drmCAS * c.flown[k].c
	}
	if len(c.overrun) == 0 {
		add(0, 1)
	}
	add(1, -1)
	if len(c.overrun) == 0 {
		c.drm += c.artillery(o)
	}
}

// commit lets both sides commit air units one by one, the attacker first, until both
// have passed in a row. A pass bars nobody while the other goes on.
//
// Steppe 10.1/14
// Steppe 11.0/1
// Steppe 11.0/2
// Steppe 11.0/3
// Steppe 11.0/4
// Steppe 11.0/5
func (c *combat) commit(pool [2]*Pool, o odds) {
	passes, round := 0, [2]int{}
	for k := 0; passes < 2; k = 1 - k {
		p := pool[k]
		if p == nil || p.FreeF+p.FreeC == 0 {
			passes++
			continue
		}
		round[k]++
		side, who := c.side, "attacker"
		if k == 1 {
			side, who = c.enemy, "defender"
		}
		options := []adjudicator.Option{{Answer: answerPass, Means: "commit nothing now"}}
		if p.FreeF > 0 {
			options = append(options, adjudicator.Option{Answer: answerFighter, Means: "commit a fighter"})
		}
		if p.FreeC > 0 && !(k == 0 && len(c.overrun) > 0) {
			options = append(options, adjudicator.Option{Answer: answerCAS, Means: "commit close air support"})
		}
		proposal, source := c.speak(k, p, pool[1-k], o)
		answer := c.r.Ask(adjudicator.Decision{Label: fmt.Sprintf("air %s %s %d", strings.TrimPrefix(c.label, "combat "), who, round[k]), Kind: kindAir, Side: side,
			Clause: "Steppe 11.0", Options: options, Proposal: proposal, Source: source})[0]
		switch answer {
		case answerPass:
			passes++
			continue
		case answerFighter:
			p.FreeF--
			c.flown[k].f++
		case answerCAS:
			p.FreeC--
			c.flown[k].c++
		}
		passes = 0
		c.r.Tell(view.Event{Kind: "air", Clause: "Steppe 11.0", Side: string(side), Hexes: []hex.Hex{c.target},
			Facts: map[string]string{"side": sideTitle(side), "hex": c.s.spot(c.target), "unit": map[string]string{answerFighter: "a fighter", answerCAS: "close air support"}[answer], "for": who}})
	}
}

// speak is what a side's doctrine does when it is its turn to commit: the ladder that
// it filed, or the published default.
//
// deviation Steppe 11.0: the alternation runs on ladders filed in advance, each step with
// full knowledge of what both sides have committed.
func (c *combat) speak(k int, own, their *Pool, o odds) (answer, source string) {
	d := c.doc
	l := d.attack
	if k == 1 {
		d = c.def
		l = d.defend
	}
	if !l.set {
		return c.speakByDefault(k, own, their, o, d), "doctrine"
	}
	source = "your ladder"
	mine, foe := c.flown[k], c.flown[1-k]
	key := d.isKey(c.target) || k == 0 && c.in.key
	canC := own.FreeC > 0 && !(k == 0 && len(c.overrun) > 0)
	switch {
	case l.noMission || l.keyOnly && !key || k == 0 && c.in.noAir:
	case l.escort && mine.c > 0 && foe.f > mine.f && own.FreeF > l.keep && mine.f < l.maxF:
		return answerFighter, source
	case canC && mine.c < l.maxC && !c.wanted(k, l.want, o):
		return answerCAS, source
	case foe.c > 0 && own.FreeF > l.keep && mine.f < l.maxF && mine.f <= foe.f:
		return answerFighter, source
	}
	return answerPass, source
}

// wanted tells whether the chance that a side wants is reached with what has been
// committed: for the attacker that the defender retreats or loses a step, for the
// defender that neither happens.
func (c *combat) wanted(k, percent int, o odds) bool {
	drm := drmCAS*(c.flown[0].c-c.flown[1].c) + drmFighter*(c.flown[0].f-c.flown[1].f)
	ways := c.s.sc.chance(o, drm)
	if k == 1 {
		ways = 36 - ways
	}
	return ways*100 >= percent*36
}

// speakByDefault: the attacker sends one close air support to a key attack at 1:1 to
// 3:1, and a fighter if the enemy has any; the defender answers close air support with
// a fighter, and helps a place of points or a red-sash stack with close air support.
func (c *combat) speakByDefault(k int, own, their *Pool, o odds, d *doctrine) string {
	mine, foe := c.flown[k], c.flown[1-k]
	if k == 0 {
		key := d.isKey(c.target) || c.in.key
		cols := c.s.sc.Columns
		switch {
		case !key || c.in.noAir || len(c.overrun) > 0:
		case mine.c == 0 && own.FreeC > 0 && o.level >= slices.Index(cols, "1:1") && o.level <= slices.Index(cols, "3:1"):
			return answerCAS
		case mine.c > 0 && mine.f == 0 && own.FreeF > 0 && their != nil && (their.FreeF > 0 || foe.f > 0):
			return answerFighter
		}
		return answerPass
	}
	switch {
	case foe.c > 0 && mine.f == 0 && own.FreeF > 0:
		return answerFighter
	case mine.c == 0 && own.FreeC > 0 && (c.s.isObjective(c.target) || slices.ContainsFunc(c.s.unitsAt(c.target), (*Unit).red)):
		return answerCAS
	}
	return answerPass
}

// isObjective tells whether a hex is a Victory Point location.
func (s *State) isObjective(h hex.Hex) bool {
	return slices.ContainsFunc(s.sc.Objectives, func(o Objective) bool { return o.Hex == h })
}

// dogfight is fought when both sides have air units in the combat and at least one of
// them is a fighter. It reports whether it was fought.
//
// Steppe 11.1/1
// Steppe 11.1/2
// Steppe 11.1/3
// Steppe 11.1/4
// Steppe 11.1/5
// Steppe 11.1/6
// Steppe 11.1/7
// Steppe 11.1/8
// Steppe 11.1/11
// Steppe 10.1/18
//
// reading Steppe 11.1: fighters that nobody opposes give their modifier. The sums of all
// dice of a side are compared; the loser loses as many as the high sum holds the low
// one. Fighters that fought are flown; close air support counts if it survives, but
// not where its side had no fighter, except on equal dice.
func (c *combat) dogfight(pool [2]*Pool) bool {
	a, d := c.flown[0], c.flown[1]
	if a.f+d.f == 0 || c.s.sc.Switches.DogfightNeedsBoth && (a.f+a.c == 0 || d.f+d.c == 0) {
		return false
	}
	base := strings.TrimPrefix(c.label, "combat ")
	sums, text, labels := [2]int{}, [2]string{}, [2]string{}
	for k, who := range []string{"attacker", "defender"} {
		n := c.flown[k].f
		if n == 0 {
			n = c.flown[k].c
		}
		if n == 0 {
			continue
		}
		labels[k] = "dogfight " + base + " " + who
		dice := c.r.Roll("Steppe 11.1", labels[k], n, 6)
		var parts []string
		for _, v := range dice {
			sums[k] += v
			parts = append(parts, fmt.Sprint(v))
		}
		text[k] = fmt.Sprintf("dice %s (%s)", strings.Join(parts, " "), labels[k])
	}
	e := view.Event{Kind: "dogfight", Clause: "Steppe 11.1", Hexes: []hex.Hex{c.target}, Rolls: slices.DeleteFunc(labels[:], func(l string) bool { return l == "" }),
		Facts: map[string]string{"hex": c.s.spot(c.target), "attacker": text[0], "defender": text[1], "sums": fmt.Sprintf("%d against %d", sums[0], sums[1])}}
	if sums[0] == sums[1] {
		e.Facts["outcome"] = "a draw: all fighters are aborted"
		c.r.Tell(e)
		for k := range c.flown {
			if c.flown[k].f == 0 && !c.s.sc.Switches.TieUnescortedCASStays {
				c.flown[k].c = 0
			}
		}
		return true
	}
	win := 0
	if sums[1] > sums[0] {
		win = 1
	}
	lose := 1 - win
	kills := 0
	if c.flown[win].f > 0 { // close air support alone ends the fight and kills nothing
		kills = sums[win] / max(sums[lose], 1)
	}
	kills = min(kills, c.flown[lose].f+c.flown[lose].c)
	e.Facts["outcome"] = fmt.Sprintf("the %s loses %d", []string{"attacker", "defender"}[lose], kills)
	c.r.Tell(e)
	for n := range kills {
		c.shootDown(lose, pool[lose], n+1, base)
	}
	// The dogfight of fighters against close air support alone aborts the latter.
	for k, was := range [2]sortie{a, d} {
		if was.f == 0 {
			c.flown[k].c = 0
		}
	}
	return true
}

// shootDown destroys an air unit of the loser's choice.
//
// Steppe 11.1/9
// Steppe 11.1/10
func (c *combat) shootDown(k int, p *Pool, n int, base string) {
	side := []Side{c.side, c.enemy}[k]
	var options []adjudicator.Option
	if c.flown[k].f > 0 {
		options = append(options, adjudicator.Option{Answer: answerFighter, Means: "lose a fighter"})
	}
	if c.flown[k].c > 0 {
		options = append(options, adjudicator.Option{Answer: answerCAS, Means: "lose close air support"})
	}
	who := []string{"attacker", "defender"}[k]
	answer := c.r.Ask(adjudicator.Decision{Label: fmt.Sprintf("dogfight-loss %s %s %d", base, who, n), Kind: kindDogfight, Side: side, Clause: "Steppe 11.1",
		Options: options, Proposal: options[0].Answer, Source: "doctrine: fighters first"})[0]
	if answer == answerFighter {
		c.flown[k].f--
		p.Fighters--
	} else {
		c.flown[k].c--
		p.CAS--
	}
	c.r.Tell(view.Event{Kind: "air-lost", Clause: "Steppe 11.1", Side: string(side), Facts: map[string]string{"side": sideTitle(side), "unit": map[string]string{answerFighter: "fighter", answerCAS: "close air support"}[answer]}})
}

// artillery is the support markers that the attacker adds.
//
// Steppe 10.1/19
// Steppe 2.4/2
// Steppe 2.4/3
// Steppe 2.4/11
//
// reading Steppe 2.4: markers come from the headquarters that is activated, for the
// attacks of that activation; the numeral is the total over all of them, and several
// may go to one attack. None for an individual hex, none ever for the defender.
func (c *combat) artillery(o odds) int {
	if c.markers == 0 {
		return 0
	}
	n, source := c.in.arty, "your order"
	if n < 0 {
		source = "doctrine"
		if n = c.markers; !c.in.key && !c.doc.isKey(c.target) {
			for n = 0; n < c.markers && c.s.sc.retreatChance(o, c.drm+n)*100 < 70*36; n++ {
			}
		}
	}
	n = min(n, c.markers)
	var options []adjudicator.Option
	for k := 0; k <= c.markers; k++ {
		options = append(options, adjudicator.Option{Answer: fmt.Sprint(k), Means: fmt.Sprintf("%d artillery markers", k)})
	}
	answer := c.r.Ask(adjudicator.Decision{Label: "artillery " + strings.TrimPrefix(c.label, "combat "), Kind: kindArtillery, Side: c.side, Clause: "Steppe 10.1",
		Options: options, Proposal: fmt.Sprint(n), Source: source, Ordered: c.in.arty >= 0})[0]
	fmt.Sscan(answer, &n) // one of the options
	c.markers -= n
	if n > 0 {
		c.r.Tell(view.Event{Kind: "artillery", Clause: "Steppe 10.1", Side: string(c.side), Hexes: []hex.Hex{c.target}, Facts: map[string]string{"hq": c.name, "markers": fmt.Sprint(n), "hex": c.s.spot(c.target)}})
	}
	return n
}

// retreatChance is the ways of 36 in which the defender must retreat.
func (sc *Scenario) retreatChance(o odds, drm int) int {
	ways := 0
	for roll := 2; roll <= 12; roll++ {
		if sc.Combat[min(max(roll+o.drm+drm, 2), 12)][o.column].Retreat > 0 {
			ways += 6 - abs(roll-7)
		}
	}
	return ways
}

// allot gives both sides their aircraft for the turn.
//
// Steppe 3.3/1
// Steppe 3.1/5
// Steppe 3.1/7
// Steppe 2.5/2
// Steppe 2.5/3
// Steppe 2.5/4
// Steppe 11.1/12
func (s *State) allot() {
	for _, a := range s.sc.Air {
		if a.Turn == s.Turn {
			p := &s.Air[slices.Index(pools[:], a.Pool)]
			p.Fighters, p.CAS = p.Fighters+a.Fighters, p.CAS+a.CAS
		}
	}
	for i := range s.Air {
		p := &s.Air[i]
		switch s.Weather {
		case "clear":
			p.FreeF, p.FreeC = p.Fighters, p.CAS
		default:
			p.FreeF, p.FreeC = 0, 0
		}
	}
}

// allotRain gives each side one fighter and one close air support of its choice.
//
// Steppe 3.1/6
//
// reading Steppe 3.1: one of each for a side, not for a front; units that are left only.
func (s *State) allotRain(side Side, pool string) {
	if s.Weather != rain {
		return
	}
	order := []string{pool, string(German), "SOUTHWEST", "VORONEZH"}
	give := func(has func(*Pool) (int, *int)) {
		for _, name := range order {
			if name == "" || poolSide(name) != side {
				continue
			}
			if n, free := has(&s.Air[slices.Index(pools[:], name)]); n > 0 {
				*free = 1
				return
			}
		}
	}
	give(func(p *Pool) (int, *int) { return p.Fighters, &p.FreeF })
	give(func(p *Pool) (int, *int) { return p.CAS, &p.FreeC })
}
