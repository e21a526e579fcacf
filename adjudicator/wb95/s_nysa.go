package wb95

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

// The notes of Nysa 1945, each switched on by the data of a scenario (load_notes.go).

// forbidden says why a note keeps the counter from stepping between two hexes,
// "" if none does.
//
// reading WB-95 3.1.4: a limit holds for every movement: strategic movement,
// retreat and pursuit too. Units may attack over it.
// reading WB-95 2.1.1: units that cannot leave a town may go about in it.
func (sc *Scenario) forbidden(c *Counter, from, to hex.Hex) string {
	for i := range sc.Notes.Limits {
		m := &sc.Notes.Limits[i]
		if !m.of(c) {
			continue
		}
		switch {
		case m.Column > 0 && to.Col() > m.Column, m.banks[hex.Between(from, to)]:
			return m.Text
		case m.hexes != nil && slices.Contains(m.hexes, from) && !slices.Contains(m.hexes, to):
			return m.Text
		}
	}
	return ""
}

// still tells whether a note keeps the counter from being activated in this turn.
//
// reading WB-95 2.1.1: who is not activated does not move, entrench or fire at
// range, and attacks only where he is bound to; his guns may support.
func (s *State) still(c *Counter) *Limit {
	for i := range s.sc.Notes.Limits {
		if m := &s.sc.Notes.Limits[i]; m.of(c) && s.Turn <= m.Still {
			return m
		}
	}
	return nil
}

// rationed says which unit has used up the day's entries of those that come so
// many a day.
//
// reading WB-95 11.1.1: its owner chooses which one comes; a day on which none
// came is not made up for.
func (s *State) rationed(u *Unit) *rule.Violation {
	for i := range s.sc.Notes.Limits {
		m := &s.sc.Notes.Limits[i]
		if m.ADay == 0 || !m.of(u.c) {
			continue
		}
		var came []*Unit
		for j := range s.Units {
			if v := &s.Units[j]; v != u && v.Where != Later && v.Due == s.Turn && m.of(v.c) {
				came = append(came, v)
			}
		}
		if len(came) >= m.ADay {
			return &rule.Violation{Clause: "WB-95 11.1.1", Why: fmt.Sprintf("%s, and today it was %s", m.Text, names(came)), Instead: "Enter it on a later turn."}
		}
	}
	return nil
}

// arrival is how a unit that is off the map comes on: as its line of the
// reinforcements says, or, if it left the map, by the zone it left through.
//
// WB-95 11.2.3
func (s *State) arrival(u *Unit) Arrival {
	if u.Left == "" {
		return s.sc.arrival(u.ID)
	}
	a := Arrival{Counter: u.ID}
	if s.sc.exitCondition(u.Left) == nil {
		a.Entry = []string{u.Left}
	}
	return a
}

// exitCondition is the strategic victory for which units leave through the zone,
// nil if there is none.
func (sc *Scenario) exitCondition(zone string) *Strategic {
	for i := range sc.Strategic {
		if c := &sc.Strategic[i]; c.Kind == "exit" && c.Zone != "" && strings.EqualFold(c.Zone, zone) {
			return c
		}
	}
	return nil
}

// exitZone is the name and the hexes of a zone by which the side may leave the map.
//
// WB-95 11.2.3
// reading WB-95 11.2.3: a zone that a victory condition names is for the side
// that it is about; every other zone is open to both.
func (s *State) exitZone(name string, side Side) (string, []hex.Hex, *rule.Violation) {
	if c := s.sc.exitCondition(name); c != nil {
		if c.Side != side {
			return "", nil, &rule.Violation{Clause: "WB-95 11.2.3", Why: fmt.Sprintf("zone %s is not ours to leave by", c.Zone)}
		}
		return c.Zone, c.Hexes, nil
	}
	for _, z := range s.sc.entryZones() {
		if strings.EqualFold(z.ID, name) {
			return z.ID, z.Hexes, nil
		}
	}
	return "", nil, &rule.Violation{Clause: "WB-95 11.2.3", Why: fmt.Sprintf("%q is no zone of this map", name), Instead: "Write EXIT and the letter of a zone."}
}

// exitGoal is the hex of the zone from which the unit leaves: the one it gets to
// with the most points left.
func (m *march) exitGoal(zone string, seeds []seed, standing bool) (hex.Hex, *rule.Violation) {
	_, hexes, v := m.s.exitZone(zone, m.u.c.Side)
	if v != nil {
		return hex.None, v
	}
	for _, limit := range []Cost{m.start, far} {
		f, best, least := m.search(seeds, limit, standing), hex.None, Cost(0)
		for _, h := range hexes {
			if c, ok := f.to(h); ok && (best == hex.None || c < least) {
				best, least = h, c
			}
		}
		if best != hex.None {
			return best, nil
		}
	}
	return hex.None, &rule.Violation{Clause: "WB-95 3.1.4", Why: fmt.Sprintf("no way leads to zone %s", strings.ToUpper(zone))}
}

// leaveMap takes the unit off the map through a zone, from the hex it has come to.
//
// WB-95 11.2.3
// reading WB-95 11.2.3: leaving costs the price of a clear hex, and one point more
// out of an enemy zone of control; the cap of 3.1.13 does not help; a unit that had
// to stop in an enemy zone cannot leave.
// reading WB-95 11.2.3: off the map it is in supply and works off four levels; it
// may come back by the same zone from the next turn on. What leaves through the
// zone of a victory condition stays away.
func (m *march) leaveMap(name string, tell teller) (note string, v *rule.Violation) {
	s, u := m.s, m.u
	zone, hexes, v := s.exitZone(name, u.c.Side)
	if v != nil {
		return "", v
	}
	i := s.sc.Board.Grid.Index(m.at)
	price := s.sc.terrainOf("clear").price(m.row) + m.leaving(i)
	switch {
	case !slices.Contains(hexes, m.at):
		return "", &rule.Violation{Clause: "WB-95 11.2.3", Why: fmt.Sprintf("%v is no hex of zone %s", m.at, zone)}
	case m.enemy.on[i] && (m.walked || m.calm):
		return "", &rule.Violation{Clause: "WB-95 4.2.1", Why: fmt.Sprintf("%v is in an enemy zone of control: it must stop there", m.at), Instead: m.stopHere()}
	case m.spent+price > m.start:
		return "", &rule.Violation{Clause: "WB-95 3.1.5", Why: fmt.Sprintf("leaving the map costs %v MP, %v of %v are left", price, m.start-m.spent, m.start), Instead: m.stopHere()}
	}
	m.spent += price
	at := m.at
	s.lift(u)
	u.Where, u.Hex, u.Left, u.Due, u.Through = Later, hex.None, zone, s.Turn+1, hex.None
	u.OoS, u.Supplied, u.Retreated, u.Active = max(0, u.OoS-4), true, false, true
	facts := map[string]string{"unit": u.c.Name, "hex": at.String(), "zone": zone, "side": s.sc.nameOf(u.c.Side), "count": "", "of": ""}
	if c := s.sc.exitCondition(zone); c != nil {
		u.Due = 0
		// reading WB-95 16.1.1: how far the condition has come is public, as points are.
		facts["count"], facts["of"] = strconv.Itoa(s.ledOff(c)), strconv.Itoa(c.Count)
	}
	tell.tell(view.Event{Kind: "left-map", Clause: "WB-95 11.2.3", To: to(u.c.Side), Hexes: []hex.Hex{at}, Facts: facts})
	return "leaves the map through zone " + zone, nil
}

// showLeavers tells the enemy of the stacks that have left the map in this phase.
//
// reading WB-95 16.1.1: where they stood and by which zone they went, not what was in
// them.
func (s *State) showLeavers(side Side, before []hex.Hex, tell teller) {
	var seen []string
	for i := range s.Units {
		u := &s.Units[i]
		if u.c.Side != side || u.Where != Later || u.Left == "" || before[i] == hex.None {
			continue
		}
		facts := map[string]string{"hex": before[i].String(), "zone": u.Left, "count": "", "of": ""}
		if c := s.sc.exitCondition(u.Left); c != nil {
			facts["count"], facts["of"] = strconv.Itoa(s.ledOff(c)), strconv.Itoa(c.Count)
		}
		key := facts["hex"] + facts["zone"]
		if slices.Contains(seen, key) {
			continue
		}
		seen = append(seen, key)
		tell.tell(view.Event{Kind: "seen-leaving", Clause: "WB-95 11.2.3", To: to(s.sc.Other(side)), Hexes: []hex.Hex{before[i]}, Facts: facts})
	}
}

// ledOff counts the steps that have left the map for a victory condition.
//
// reading WB-95 11.2.3: of armoured and mechanized units count the counters of
// the types that the condition names, and the self-propelled guns of their corps.
func (s *State) ledOff(c *Strategic) int {
	n := 0
	for i := range s.Units {
		if u := &s.Units[i]; u.Left == c.Zone && u.Where == Later && u.c.Side == c.Side && s.sc.countsOff(c, u.c) {
			n += u.Steps
		}
	}
	return n
}

func (sc *Scenario) countsOff(c *Strategic, of *Counter) bool {
	return slices.Contains(c.Types, of.Type) || of.SelfPro && of.Parent != "" && slices.ContainsFunc(sc.Counters, func(k Counter) bool {
		return k.Side == of.Side && k.Parent == of.Parent && slices.Contains(c.Types, k.Type)
	})
}

// shunned marks, for a nation whose supply goes round them, what no line leads
// through: enemy towns without friends in them and the hexes around.
//
// WB-95 10.1.11
// reading WB-95 10.1.11: a German town is one that the Germans, or their allies,
// control; a friendly unit in it opens it and the hexes around, one beside it opens
// nothing. Other nations of the side go by 10.1.10: their units keep a hex open.
func (s *State) shunned(side Side, nation string, block []bool) {
	if !slices.Contains(s.sc.Notes.ShunTowns, nation) {
		return
	}
	net, g, enemy := s.sc.network(), s.sc.Board.Grid, s.sc.Other(side)
	for i, town := range net.town {
		h := g.At(i)
		if !town || s.held(h) != enemy || s.holder(h) == side {
			continue
		}
		block[i] = true
		for d, n := range net.next[i] {
			if n >= 0 && net.big[i]&(1<<d) == 0 {
				block[n] = true
			}
		}
	}
}

// ledIn tells whether every one of the units is in range of a headquarters that
// may lead it, in defence or in attack.
//
// WB-95 9.2.1
// reading WB-95 9.2.1: a headquarters bound to its nation leads anybody of its side
// in defence on its own hex, as the notes say; one that leads only at home leads
// nobody in attack.
func (s *State) ledIn(units []*Unit, defence bool) bool {
	n := &s.sc.Notes
	if len(n.HQNations) == 0 {
		return s.led(units)
	}
	leads := func(hq, u *Unit) bool {
		switch apart := s.sc.Board.Grid.Distance(u.Hex, hq.Hex); {
		case defence && apart == 0:
			return true
		case slices.Contains(n.HQAtHome, hq.c.Nation):
			return false
		case slices.Contains(n.HQNations, hq.c.Nation) && hq.c.Nation != u.c.Nation:
			return false
		default:
			return apart <= s.hqRange(hq)
		}
	}
	for _, u := range units {
		if !slices.ContainsFunc(s.onMap(u.c.Side), func(hq *Unit) bool { return hq.c.Type == HQ && leads(hq, u) }) {
			return false
		}
	}
	return len(units) > 0
}

// anyTown as the entry of a reinforcement is every town that its side holds.
const anyTown = "TOWN"

// townFor is the town that an order names as the entry of such a reinforcement.
//
// reading WB-95 11.1.2: in a friendly town with no enemy beside it.
func (s *State) townFor(name string, side Side) []hex.Hex {
	b := s.sc.Board
	p := b.Named(name)
	h, err := hex.Parse(name)
	if err == nil && p == nil && b.On(h) {
		p = b.Place(h)
	}
	if p == nil {
		return nil
	}
	var out []hex.Hex
	for _, k := range p.Hexes {
		if (err != nil || k == h) && !slices.ContainsFunc(b.Grid.Neighbours(k), func(n hex.Hex) bool { return s.holder(n) == s.sc.Other(side) }) {
			out = append(out, k)
		}
	}
	return out
}

// countLost opens the conditions that a lost unit opens.
//
// reading WB-95 11.1.1: the headquarters and its guns come once, from the turn
// after the first loss on, and both may come at once.
func (s *State) countLost(c Condition) bool {
	return slices.ContainsFunc(s.Units, func(u Unit) bool { return u.Where == Gone && !u.Away && u.c.Side == c.Side && u.c.Type == c.Lost })
}

// pontoonVerb begins an order for a pontoon bridge in the ATTACK section.
const pontoonVerb = "PONTOON"

// pontoonOrder is PONTOON 5928/6028, with FOR and the army where several could.
type pontoonOrder struct {
	edge hex.Edge
	army string // "" for the first that can
}

func isPontoon(text string) bool { return strings.HasPrefix(text, pontoonVerb) }

func (s *State) parsePontoon(text string) (o pontoonOrder, v *rule.Violation) {
	parsed, err := orders.ParseOrder(text)
	if err != nil {
		return o, unreadable(err)
	}
	rest := phrase.New(flat(parsed))
	rest.Next()
	if o.edge, _, v = s.hexside(&rest); v != nil {
		return o, v
	}
	if rest.Peek() == "FOR" {
		rest.Next()
		o.army = phrase.Join(rest.Words)
		rest.Words = nil
		if !slices.ContainsFunc(s.sc.Notes.Pontoons, func(f string) bool { return strings.EqualFold(f, o.army) }) {
			return o, &rule.Violation{Clause: "WB-95 14.3.2", Why: fmt.Sprintf("%q has no pontoon bridge", o.army), Instead: "They have: " + strings.Join(s.sc.Notes.Pontoons, ", ") + "."}
		}
	}
	if !rest.End() {
		return o, &rule.Violation{Why: fmt.Sprintf("%q is not understood here", rest.Peek()), Instead: "Write PONTOON and the hexside, such as 5928/6028; FOR and an army may follow."}
	}
	return o, nil
}

// pontoonKey is where it is remembered that an army has used its bridge.
func pontoonKey(army string) string { return "pontoon of " + army }

// crossings lists the hexsides where an army may lay its pontoon bridge now, in order.
//
// WB-95 14.3.2
// reading WB-95 14.3.2: over a big river where no bridge stands, from a hex with a
// regular unit of the army; each end is held by an own unit, or free of enemies and
// of their zones of control.
func (s *State) crossings(army string, side Side) []hex.Edge {
	if s.Opened[pontoonKey(army)] > 0 {
		return nil
	}
	free := func(h hex.Hex) bool {
		return s.holder(h) == side || s.holder(h) == "" && !s.inEnemyZone(h, side)
	}
	var out []hex.Edge
	for _, u := range s.onMap(side) {
		if !u.regular() || !strings.EqualFold(u.c.Formation, army) {
			continue
		}
		for _, n := range s.beside(u.Hex) {
			e := hex.Between(u.Hex, n)
			if s.sc.Board.On(n) && s.sc.terrainOf(s.sc.Board.River(e)).Big && !s.bridgeStands(e) && free(n) && !slices.Contains(out, e) {
				out = append(out, e)
			}
		}
	}
	slices.SortFunc(out, func(a, b hex.Edge) int { return 10000*(int(a.A)-int(b.A)) + int(a.B) - int(b.B) })
	return out
}

// pontoonPhase lays the pontoon bridges, at the end of the Combat Phase of their side.
//
// WB-95 14.3.2
// reading WB-95 14.3.2: the bridge is ordered with the attacks and judged when they
// are over; it is an ordinary bridge from then on, and lost if it is destroyed.
func pontoonPhase(r *adjudicator.Run, s *State) {
	side, able := s.mover(), false
	for _, army := range s.sc.Notes.Pontoons {
		able = able || len(s.crossings(army, side)) > 0
	}
	if !able {
		return
	}
	answer := r.Ask(adjudicator.Decision{Label: "pontoons", Kind: kindPontoon, Side: side, Turn: true, Clause: "WB-95 14.3.2"})[0]
	var ordered []pontoonOrder
	for _, line := range orderLines(answer) {
		o, v := s.parsePontoon(line)
		if v != nil {
			r.Tell(refusal(side, line, v))
			continue
		}
		ordered = append(ordered, o)
	}
	done := make([]bool, len(ordered))
	for _, army := range s.sc.Notes.Pontoons {
		can := s.crossings(army, side)
		if len(can) == 0 {
			continue
		}
		d := adjudicator.Decision{Label: "pontoon " + army, Kind: kindPontoon, Side: side, Clause: "WB-95 14.3.2",
			Options: []adjudicator.Option{{Answer: answerNone, Means: "keep the bridge"}}, Proposal: answerNone, Source: defaultSource}
		for _, e := range can {
			d.Options = append(d.Options, adjudicator.Option{Answer: e.String(), Means: fmt.Sprintf("lay it over %s", s.sc.riverName(e))})
		}
		for i, o := range ordered {
			if !done[i] && d.Proposal == answerNone && (o.army == "" || strings.EqualFold(o.army, army)) && slices.Contains(can, o.edge) {
				d.Proposal, d.Source, d.Ordered, done[i] = o.edge.String(), "your order", true, true
			}
		}
		chosen := r.Ask(d)[0]
		i := slices.IndexFunc(can, func(e hex.Edge) bool { return e.String() == chosen })
		if i < 0 {
			continue
		}
		s.setBridge(can[i], true)
		s.open(pontoonKey(army))
		r.Tell(view.Event{Kind: "pontoon-laid", Clause: "WB-95 14.3.2", Hexes: []hex.Hex{can[i].A, can[i].B},
			Facts: map[string]string{"bridge": chosen, "side": s.sc.nameOf(side), "army": army}})
	}
	for i, o := range ordered {
		if !done[i] {
			r.Tell(view.Event{Kind: "pontoon-void", Clause: "WB-95 14.3.2", To: to(side), Hexes: []hex.Hex{o.edge.A, o.edge.B},
				Facts: map[string]string{"bridge": o.edge.String()}})
		}
	}
}

// open remembers in which turn something came about.
func (s *State) open(key string) {
	if s.Opened == nil {
		s.Opened = map[string]int{}
	}
	s.Opened[key] = s.Turn
}

// riverName is the river on a hexside.
func (sc *Scenario) riverName(e hex.Edge) string {
	for _, r := range sc.Board.Rivers {
		if slices.Contains(r.Edges, e) {
			return r.Name
		}
	}
	return e.String()
}

// pontoon judges a pontoon order on receipt.
func (c *check) pontoon(o orders.Order) {
	text := o.String()
	p, v := c.s.parsePontoon(text)
	if v == nil && len(c.s.sc.Notes.Pontoons) == 0 {
		v = &rule.Violation{Clause: "WB-95 14.3.2", Why: "nobody has a pontoon bridge in this scenario"}
	}
	if v == nil && !c.s.sc.terrainOf(c.s.sc.Board.River(p.edge)).Big {
		v = &rule.Violation{Clause: "WB-95 14.3.2", Why: fmt.Sprintf("%v is no big river", p.edge)}
	}
	if v != nil {
		c.refuse(o, v)
		return
	}
	warning := fmt.Sprintf("as things stand no army can lay a bridge at %v: it takes a regular unit of the army at one end, and no enemy or zone of his at the other", p.edge)
	for _, army := range c.s.sc.Notes.Pontoons {
		if (p.army == "" || strings.EqualFold(p.army, army)) && slices.Contains(c.s.crossings(army, c.side), p.edge) {
			warning = ""
		}
	}
	c.answer(kindPontoon, text)
	c.accept(o, fmt.Sprintf("a pontoon bridge at %v after the attacks, if its army still has it", p.edge), warning)
}

// attackPhase is the Combat Phase with what the notes put after it.
func attackPhase(r *adjudicator.Run, s *State) {
	combatPhase(r, s)
	pontoonPhase(r, s)
}

// leftThrough begins what the owner reads of a unit that has left for good.
const leftThrough = "left the map through zone "

// noted tells whether some note may bar the counter's way.
func (s *State) noted(c *Counter) bool {
	return s.sc.group(c) == secondGroup || slices.ContainsFunc(s.sc.Notes.Limits, func(m Limit) bool { return m.of(c) })
}

// noteBars says why a note of the scenario keeps the counter from the step between
// two hexes, by grid index.
func (s *State) noteBars(c *Counter, i, j int) string {
	g := s.sc.Board.Grid
	if why := s.sc.forbidden(c, g.At(i), g.At(j)); why != "" {
		return why
	}
	if s.blockedBy(c, g.At(j)) {
		return fmt.Sprintf("%v holds allies it may not pass", g.At(j))
	}
	return ""
}
