package wb95

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// The missions, by the verbs of the AIR section.
//
// WB-95 8.2.1
const (
	airSupport  = "SUPPORT"
	airDefend   = "DEFEND"
	airStrike   = "ATTACK"
	airBridge   = "BRIDGE"
	airDisrupt  = "DISRUPT"
	airCrossing = "CROSSING"
	airSupply   = "SUPPLY"
)

// missionNames says the verbs in words.
var missionNames = map[string]string{
	airSupport: "attack support", airDefend: "defence support", airStrike: "air attack", airBridge: "attack on the bridge",
	airDisrupt: "against movement", airCrossing: "against crossings", airSupply: "supply",
}

// String is the mission in words: "attack support 2306, 3 SP".
func (m Mission) String() string {
	where := m.Hex.String()
	if m.Edge != (hex.Edge{}) {
		where = m.Edge.String()
	}
	by := fmt.Sprintf("%d SP", m.SP)
	if m.Counters != "" {
		by += " (" + m.Counters + ")"
	}
	return fmt.Sprintf("%s %s, %s", missionNames[m.Kind], where, by)
}

// mayFly tells why a mission is not flown in an Air Phase, whatever is on its
// hex. Left is what the side still has of the day's strength.
//
// reading WB-95 8.1.7: a mission that can have no effect in the half turn that
// the phase opens is refused instead of wasted.
func (s *State) mayFly(m Mission, phase, left int) *rule.Violation {
	if v := s.grounded(m.Side, m.Kind, phase); v != nil {
		return v
	}
	switch m.Kind {
	case airBridge:
		// WB-95 8.2.10
		if m.SP < leastOnObject {
			return &rule.Violation{Clause: "WB-95 8.2.10", Why: fmt.Sprintf("a bridge takes %d SP or more", leastOnObject)}
		}
	case airDisrupt:
		return s.mayDisrupt(m, left)
	case airCrossing:
		// WB-95 8.2.17
		if s.bigBanks(m.Hex) == 0 {
			return &rule.Violation{Clause: s.sc.Profile.air(17), Why: fmt.Sprintf("no big river runs beside %v", m.Hex)}
		}
	case airSupply:
		// WB-95 8.2.24
		if m.SP < supplyLoad {
			return &rule.Violation{Clause: s.sc.Profile.air(24), Why: fmt.Sprintf("a supply mission takes %d SP", supplyLoad)}
		}
	}
	return enough(m, left)
}

// grounded tells why a side flies no mission of a kind in an Air Phase, wherever and with
// whatever strength.
func (s *State) grounded(side Side, kind string, phase int) *rule.Violation {
	own, book := s.sc.ownHalf(side, phase), s.sc.Profile
	bad := func(c rule.Clause, why, instead string) *rule.Violation {
		return &rule.Violation{Clause: c, Why: why, Instead: instead}
	}
	if kinds := s.sc.AirKinds[side]; kinds != nil && !slices.Contains(kinds, kind) {
		return bad("WB-95 8.2.1", "the scenario gives these aircraft for other missions only", "Expected "+strings.Join(kinds, ", ")+".")
	}
	switch kind {
	case airSupport:
		if !own {
			return bad("WB-95 8.2.2", "the enemy attacks in that half turn, not we", "DEFEND supports a defence.")
		}
	case airDefend:
		// WB-95 8.2.5
		// reading WB-95 8.2.5: the aircraft of the side that has Soviet ground units are Soviet.
		if s.sc.fields(side, "Soviet") {
			return bad("WB-95 8.2.5", "Soviet aircraft cannot support a defence", "")
		}
		if own {
			return bad("WB-95 8.2.4", "we attack in that half turn, not the enemy", "SUPPORT supports an attack.")
		}
	case airDisrupt:
		// WB-95 8.2.11: Soviet movement only
		if !s.sc.fields(s.sc.Other(side), "Soviet") {
			return bad("WB-95 8.2.11", "only the movement of Soviet units can be disorganized", "")
		}
		if own {
			return bad("WB-95 8.2.11", "the enemy does not move in that half turn", "")
		}
	case airCrossing:
		// WB-95 8.2.17
		if own {
			return bad(book.air(17), "the enemy does not move in that half turn", "")
		}
	case airSupply:
		// WB-95 8.2.23
		if !s.sc.fields(side, "American", "British") {
			return bad(book.air(23), "only American and British aircraft fly supplies", "")
		}
	}
	return nil
}

// air is a clause of 8.2 by its number in the Kharkov book, as the book at hand
// numbers it.
func (p Profile) air(n int) rule.Clause {
	if p.Book != "KH" && n > 16 {
		n--
	}
	return rule.Clause("WB-95 8.2." + strconv.Itoa(n))
}

// fields tells whether a side has ground units of one of the nations.
func (sc *Scenario) fields(side Side, nations ...string) bool {
	for i := range sc.Counters {
		if c := &sc.Counters[i]; c.Side == side && slices.Contains(nations, c.Nation) {
			return true
		}
	}
	return false
}

// backing is what the aircraft of both sides add to a combat on the hexes.
//
// WB-95 8.2.2
// WB-95 8.2.4
// reading WB-95 8.2.2: aircraft count for strength only, never for a share of units.
// reading WB-95 8.2.4: the sum over a hex is halved, a half rounded up.
func (s *State) backing(attacker Side, targets []hex.Hex) (attack, defence int) {
	for _, h := range targets {
		guard := 0
		for _, m := range s.Missions {
			if m.Hex != h {
				continue
			}
			switch own := m.Side == attacker; {
			case own && m.Kind == airSupport:
				attack += m.SP
			case !own && m.Kind == airDefend:
				guard += m.SP
			}
		}
		defence += halved(guard)
	}
	return attack, defence
}

// spend marks the support of a combat that is fought.
func (s *State) spend(targets []hex.Hex) {
	for i := range s.Missions {
		if m := &s.Missions[i]; m.supports() && slices.Contains(targets, m.Hex) {
			m.Used = true
		}
	}
}

// supports tells whether the mission helps in a combat on its hex.
func (m Mission) supports() bool { return m.Kind == airSupport || m.Kind == airDefend }

// mayDisrupt checks a mission against movement.
//
// reading WB-95 8.2.11: Polish units beside the Soviets are not Soviet.
func (s *State) mayDisrupt(m Mission, left int) *rule.Violation {
	p := s.sc.Profile
	flown := 0
	for _, o := range s.Missions {
		if o.sameAs(m) {
			flown += o.SP
		}
	}
	switch {
	// WB-95 8.2.12: a mission takes so many points
	case m.SP < p.DisruptSP:
		return &rule.Violation{Clause: "WB-95 8.2.12", Why: fmt.Sprintf("a mission takes %d SP", p.DisruptSP)}
	// WB-95 8.2.15: two on a hex at most
	case p.DisruptMost > 0 && flown+m.SP > p.DisruptMost*p.DisruptSP:
		return &rule.Violation{Clause: "WB-95 8.2.15", Why: fmt.Sprintf("%d SP at most count against movement on one hex", p.DisruptMost*p.DisruptSP),
			Instead: "Spread them over several hexes, a line for each."}
	}
	return enough(m, left)
}

// sameAs tells whether two missions are of one side and kind, over one hex or bridge.
func (m Mission) sameAs(o Mission) bool {
	return m.Side == o.Side && m.Kind == o.Kind && m.Hex == o.Hex && m.Edge == o.Edge
}

// harassed counts, by grid index, the missions against movement that units of
// the nation meet; nil for none.
func (s *State) harassed(c *Counter) []uint8 {
	// WB-95 8.2.11: of Soviet units
	if c.Nation != "Soviet" {
		return nil
	}
	g, p := s.sc.Board.Grid, s.sc.Profile
	var out []uint8
	for _, m := range s.Missions {
		if m.Kind != airDisrupt { // own ones are never in the air while the unit moves
			continue
		}
		if out == nil {
			out = make([]uint8, g.Len())
		}
		// WB-95 8.2.13: on the hex of the mission
		for _, h := range g.Within(m.Hex, p.DisruptRing) {
			// WB-95 8.2.15: missions on a hex add up
			out[g.Index(h)] += uint8(min(m.SP/p.DisruptSP, 100))
		}
	}
	return out
}

// harm is the movement points that aircraft take of a unit for a hex, in
// twelfths: on top of every step into it, and off the points of who starts in it.
//
// WB-95 8.2.13
// WB-95 8.2.16
// reading WB-95 8.1.7: a mission against movement is known to nobody before meeting it, so the ways
// that the staff finds do not go round it.
func (m *march) harm(i int) Cost {
	if m.air == nil || m.seeking {
		return 0
	}
	return Cost(m.air[i]) * One
}

// beset throws for what aircraft do to a unit that starts on a hex or has come
// into it from a neighbour (None: from off the map). It reports whether the unit
// still lives.
//
// reading WB-95 8.2.19: every mission against crossings lies on one hex, with two
// attacks for each of its strength points.
func (m *march) beset(h, from hex.Hex, tell teller) bool {
	s := m.s
	if len(s.Missions) == 0 {
		return true
	}
	visit := 0
	for _, k := range m.path {
		visit += btoi(k == h)
	}
	name := fmt.Sprintf("%s %v", s.labelName(m.u), h)
	if visit > 1 {
		name += " " + strconv.Itoa(visit)
	}
	if m.harassedOn(h) {
		label := "harass " + name
		// WB-95 8.2.14: two missions on the hex may cost a step
		// WB-95 8.2.16: so they may for a unit that starts there
		dice := s.dice.Roll("WB-95 8.2.14", label, 2, 6)
		m.bleed(h, label, dice, btoi(dice[0]+dice[1] <= 4), tell)
	}
	// WB-95 8.2.21: it is thrown for every unit that crosses
	if attacks := m.attacksOnCrossing(from, h); attacks > 0 && m.u.Where != Gone {
		label := "crossing " + name
		dice := s.dice.Roll(s.sc.Profile.air(20), label, attacks, 6)
		sixes := 0
		for _, d := range dice {
			// WB-95 8.2.20: a die for each attack, a six costs a step
			sixes += btoi(d == 6)
		}
		m.bleed(h, label, dice, sixes, tell)
	}
	return m.u.Where != Gone
}

// harassedOn tells whether so many missions against movement lie on the hex that they may
// cost the unit a step.
func (m *march) harassedOn(h hex.Hex) bool {
	most := m.s.sc.Profile.DisruptMost
	if m.air == nil || most <= 1 {
		return false
	}
	return int(m.air[m.s.sc.Board.Grid.Index(h)]) >= most
}

// attacksOnCrossing counts the attacks on a unit that crosses a big river into the hex
// without a bridge.
func (m *march) attacksOnCrossing(from, h hex.Hex) int {
	if from == hex.None {
		return 0
	}
	e := hex.Between(from, h)
	// WB-95 8.2.22: who crosses by a bridge is left alone
	if !m.s.sc.terrainOf(m.s.sc.Board.River(e)).Big || m.s.bridgeStands(e) {
		return 0
	}
	n := 0
	for _, o := range m.s.Missions {
		// WB-95 8.2.19: on the hex that they were sent to
		if o.Kind != airCrossing || o.Hex != h {
			continue
		}
		if o.Side != m.u.c.Side {
			// WB-95 8.2.18: two attacks for each point
			n += 2 * o.SP
		}
	}
	return n
}

// bleed takes steps of a moving unit. Its owner hears all of it, the enemy that
// their aircraft hit something.
func (m *march) bleed(h hex.Hex, label string, dice []int, n int, tell teller) {
	u, c := m.u, m.u.c
	text := "no loss"
	if n > 0 {
		n = min(n, u.Steps)
		text = afterLoss(u, u.Steps-n)
	}
	for range n {
		m.s.loseStep(u)
	}
	tell.tell(view.Event{Kind: "air-harass", Clause: "WB-95 8.2.14", To: to(c.Side), Hexes: []hex.Hex{h}, Rolls: []string{label},
		Facts: view.Pairs{"unit", c.Name, "hex", h.String(), "dice", spaced(dice), "label", label, "left", text, "lost", strconv.Itoa(n)}})
	if n > 0 {
		tell.tell(view.Event{Kind: "air-caught", Clause: "WB-95 8.2.14", To: to(m.s.sc.Other(c.Side)), Hexes: []hex.Hex{h},
			Facts: view.Pairs{"hex", h.String(), "steps", counted(n, "step")}})
	}
}

// bigBanks counts the hexsides of a hex that are big rivers.
func (s *State) bigBanks(h hex.Hex) int {
	g := s.sc.Board.Grid
	if !g.Contains(h) {
		return 0
	}
	n := 0
	for _, k := range g.Neighbours(h) { // an opening that asks needs no network of ways
		n += btoi(s.sc.terrainOf(s.sc.Board.River(hex.Between(h, k))).Big)
	}
	return n
}
