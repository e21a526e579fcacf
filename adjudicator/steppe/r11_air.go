package steppe

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
)

// The answers of an air decision.
const (
	answerPass    = "PASS"
	answerFighter = "FIGHTER"
	answerCAS     = "CAS"
)

// The modifiers of an air unit: the attacker's are added to the dice, the defender's
// taken off.
const (
	// Steppe 10.1/15
	// Steppe 10.1/16
	drmFighter = 1
	// Steppe 10.1/15
	// Steppe 10.1/17
	drmCAS = 2
)

// role is the part of a side in a combat.
type role uint8

// The roles.
const (
	attacker role = iota
	defender
)

// roles are both, the attacker first.
var roles = [2]role{attacker, defender}

// String is the role in words.
func (k role) String() string {
	if k == attacker {
		return "attacker"
	}
	return "defender"
}

// foe is the other role.
func (k role) foe() role { return 1 - k }

// sortie is the air units of one side in a combat: fighters and close air support.
type sortie struct{ f, c int }

func (x sortie) size() int { return x.f + x.c }

// sideOf is the side in a role.
func (c *combat) sideOf(k role) Side {
	if k == attacker {
		return c.side
	}
	return c.enemy
}

// airPool is the pool whose units may fly for a stack: that of its front.
//
// reading Steppe 11.0: German aircraft fly for Hungarians as well.
func (s *State) airPool(us []*Unit) *Pool {
	pool := ""
	for _, u := range us {
		p := u.c.Command.pool() // Steppe 11.2/1
		if pool != "" && pool != p {
			return nil // Steppe 11.2/2
		}
		pool = p
	}
	if pool == "" {
		return nil
	}
	return &s.Air[slices.Index(pools[:], pool)]
}

// ready is how many of the pool's air units may still fly in this turn; nil has none.
func (p *Pool) ready() int { return p.readyFighters() + p.readyCAS() }

func (p *Pool) readyFighters() int {
	if p == nil {
		return 0
	}
	return p.FreeF
}

func (p *Pool) readyCAS() int {
	if p == nil {
		return 0
	}
	return p.FreeC
}

// airAndGuns commits aircraft and artillery and sums what they add to the dice.
//
// reading Steppe 9.3: an attack with an overrun has no artillery and no modifier of its
// own aircraft; its fighters may fight enemy aircraft.
func (c *combat) airAndGuns(o odds) {
	pool := [2]*Pool{c.s.airPool(c.units), c.s.airPool(c.defenders())}
	c.commit(pool, o)
	fought := c.dogfight(pool)
	c.modify("enemy", -1, c.airHelp(defender, fought))
	if len(c.overrun) > 0 {
		// Steppe 9.3/3
		// Steppe 9.3/14
		return
	}
	c.modify("", 1, c.airHelp(attacker, fought))
	guns := c.artillery(o) // Steppe 11.0/6
	c.drm += guns
	c.mods = withTerm(c.mods, "artillery", guns)
}

// airHelp is the aircraft of a side that count. Fighters that fought are flown.
func (c *combat) airHelp(k role, fought bool) sortie {
	x := c.flown[k]
	if fought {
		x.f = 0
	}
	return x
}

// modify adds to the dice, or takes off, what aircraft are worth.
func (c *combat) modify(whose string, sign int, x sortie) {
	for _, kind := range []struct {
		name  string
		worth int
	}{{"close air support", drmCAS * x.c}, {"fighters", drmFighter * x.f}} {
		c.drm += sign * kind.worth
		c.mods = withTerm(c.mods, strings.TrimSpace(whose+" "+kind.name), sign*kind.worth)
	}
}

// commit lets both sides commit air units one by one.
//
// Steppe 10.1/14
func (c *combat) commit(pool [2]*Pool, o odds) {
	passes, round := 0, [2]int{}
	// The attacker speaks first, then both in turns, until both have passed in a row.
	//
	// Steppe 11.0/2
	// Steppe 11.0/3
	// Steppe 11.0/5
	for k := attacker; passes < 2; k = k.foe() {
		if pool[k].ready() == 0 {
			passes++
			continue
		}
		round[k]++
		t := airTurn{combat: c, role: k, own: pool[k], their: pool[k.foe()], odds: o}
		if answer := t.ask(round[k]); answer != answerPass {
			t.send(answer)
			passes = 0 // Steppe 11.0/4
			continue
		}
		passes++
	}
}

// airTurn is a side's turn to commit an air unit.
type airTurn struct {
	*combat
	role       role
	own, their *Pool
	odds       odds
}

// ask asks which air unit the side commits, if any.
func (t *airTurn) ask(round int) string {
	options := []adjudicator.Option{{Answer: answerPass, Means: "commit nothing now"}}
	if t.own.FreeF > 0 {
		options = append(options, adjudicator.Option{Answer: answerFighter, Means: "commit a fighter"})
	}
	if t.maySendCAS() {
		options = append(options, adjudicator.Option{Answer: answerCAS, Means: "commit close air support"})
	}
	proposal, source := t.speak()
	return t.r.Ask(adjudicator.Decision{Label: fmt.Sprintf("air %s %v %d", t.base, t.role, round), Kind: kindAir,
		Side: t.sideOf(t.role), Clause: "Steppe 11.0", Options: options, Proposal: proposal, Source: source})[0]
}

// send commits an air unit: it has flown for this turn.
//
// Steppe 11.0/1
func (t *airTurn) send(what string) {
	side, unit := t.sideOf(t.role), "a fighter"
	if what == answerFighter {
		t.own.FreeF--
		t.flown[t.role].f++
	} else {
		unit = "close air support"
		t.own.FreeC--
		t.flown[t.role].c++
	}
	t.tellHere("air", "Steppe 11.0", side, view.Pairs{"side", sideTitle(side), "hex", t.s.spot(t.target),
		"unit", unit, "for", t.role.String()})
}

// maySendCAS tells whether close air support may be committed: never to an overrun.
func (t *airTurn) maySendCAS() bool {
	if t.role == attacker && len(t.overrun) > 0 {
		return false
	}
	return t.own.FreeC > 0
}

// speak is what a side's doctrine does when it is its turn to commit: the ladder that
// it filed, or the published default.
//
// deviation Steppe 11.0: the alternation runs on ladders filed in advance, each step with
// full knowledge of what both sides have committed.
func (t *airTurn) speak() (answer, source string) {
	l := t.doc.attack
	if t.role == defender {
		l = t.def.defend
	}
	switch {
	case l.set:
		return t.byLadder(l), "your ladder"
	case t.role == attacker:
		return t.attackByDefault(), "doctrine"
	}
	return t.defendByDefault(), "doctrine"
}

// isKey tells whether the side holds the target for a key hex, by its doctrine or its order.
func (t *airTurn) isKey() bool {
	if t.role == defender {
		return t.def.isKey(t.target)
	}
	return t.in.key || t.doc.isKey(t.target)
}

// forbidden tells whether the order of the attack says AIR NO.
func (t *airTurn) forbidden() bool { return t.role == attacker && t.in.noAir }

// byLadder is what a ladder does.
func (t *airTurn) byLadder(l ladder) string {
	switch {
	case l.noMission, t.forbidden():
		return answerPass
	case l.keyOnly && !t.isKey():
		return answerPass
	}
	mine, foe := t.flown[t.role], t.flown[t.role.foe()]
	fighterLeft := t.own.FreeF > l.keep && mine.f < l.maxF
	wantsEscort := l.escort && mine.c > 0 && foe.f > mine.f
	hasPrey := foe.c > 0 && mine.f <= foe.f
	switch {
	case fighterLeft && wantsEscort:
		return answerFighter
	case t.wantsCAS(l):
		return answerCAS
	case fighterLeft && hasPrey:
		return answerFighter
	}
	return answerPass
}

// wantsCAS tells whether a ladder sends close air support: as long as the wanted chance
// is not reached.
func (t *airTurn) wantsCAS(l ladder) bool {
	switch {
	case !t.maySendCAS(), t.flown[t.role].c >= l.maxC:
		return false
	}
	return !t.reached(l.want)
}

// reached tells whether the chance that a side wants is reached with what has been
// committed: for the attacker that the defender retreats or loses a step, for the
// defender that neither happens.
func (t *airTurn) reached(percent int) bool {
	a, d := t.flown[attacker], t.flown[defender]
	ways := t.s.sc.effectChance(t.odds, drmCAS*(a.c-d.c)+drmFighter*(a.f-d.f))
	if t.role == defender {
		ways = 36 - ways
	}
	return ways*100 >= percent*36
}

// attackByDefault: one close air support to a key attack at 1:1 to 3:1, and a fighter
// with it if the enemy has any.
func (t *airTurn) attackByDefault() string {
	switch {
	case !t.isKey(), t.in.noAir, len(t.overrun) > 0:
		return answerPass
	}
	mine := t.flown[attacker]
	enemyFighters := t.their.readyFighters() + t.flown[defender].f
	switch {
	case mine.c == 0:
		if t.own.FreeC > 0 && t.worthHelping() {
			return answerCAS
		}
	case mine.f == 0 && t.own.FreeF > 0 && enemyFighters > 0:
		return answerFighter
	}
	return answerPass
}

// worthHelping: the odds are neither hopeless nor safe.
func (t *airTurn) worthHelping() bool {
	cols := t.s.sc.Columns
	return t.odds.level >= slices.Index(cols, "1:1") && t.odds.level <= slices.Index(cols, "3:1")
}

// defendByDefault: a fighter against close air support, and close air support for a
// place of points or a red-sash stack.
func (t *airTurn) defendByDefault() string {
	mine := t.flown[defender]
	if t.flown[attacker].c > 0 && mine.f == 0 && t.own.FreeF > 0 {
		return answerFighter
	}
	precious := t.s.isObjective(t.target) || slices.ContainsFunc(t.s.unitsAt(t.target), (*Unit).red)
	if precious && mine.c == 0 && t.own.FreeC > 0 {
		return answerCAS
	}
	return answerPass
}

// allot gives both sides their aircraft for the turn.
//
// Steppe 3.3/1
func (s *State) allot() {
	for _, a := range s.sc.Air {
		if a.Turn == s.Turn { // Steppe 2.5/2
			p := &s.Air[slices.Index(pools[:], a.Pool)]
			p.Fighters, p.CAS = p.Fighters+a.Fighters, p.CAS+a.CAS
		}
	}
	for i := range s.Air {
		p := &s.Air[i]
		p.FreeF, p.FreeC = 0, 0 // Steppe 3.1/7
		if s.Weather == fair {
			p.allotAll()
		}
	}
}

// allotAll lets all fly that are left: what was aborted or has flown comes back with the
// new turn, what was destroyed does not.
//
// Steppe 3.1/5
// Steppe 11.1/12
func (p *Pool) allotAll() {
	p.FreeF = p.Fighters // Steppe 2.5/3
	p.FreeC = p.CAS      // Steppe 2.5/4
}

// allotRain gives each side one fighter and one close air support of its choice, each
// from whatever front.
//
// Steppe 3.1/6
//
// reading Steppe 3.1: rain gives one fighter and one close air support unit to each side, not to
// each front: of the owner's choice among those that are left, from any front.
func (s *State) allotRain(side Side, choice rainChoice) {
	if s.Weather != rain {
		return
	}
	if p := s.rainPool(side, choice.fighter, func(p *Pool) bool { return p.Fighters > 0 }); p != nil {
		p.FreeF = 1
	}
	if p := s.rainPool(side, choice.cas, func(p *Pool) bool { return p.CAS > 0 }); p != nil {
		p.FreeC = 1
	}
}

// rainPool is the first pool of a side that has what is wanted, the chosen one before the
// others; nil if none has.
func (s *State) rainPool(side Side, chosen string, has func(*Pool) bool) *Pool {
	for _, name := range []string{chosen, poolGerman, poolSouthwest, poolVoronezh} {
		if name == "" || poolSide(name) != side {
			continue
		}
		if p := &s.Air[slices.Index(pools[:], name)]; has(p) {
			return p
		}
	}
	return nil
}
