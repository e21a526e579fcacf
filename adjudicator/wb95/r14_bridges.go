package wb95

import (
	"cmp"
	"fmt"
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// The verbs of work on bridges in the MOVE section.
const (
	workBlow    = "BLOW"
	workRebuild = "REBUILD"
	workBuild   = "BUILD"
)

// bridgeOrder is what a move order has a unit do at a bridge.
type bridgeOrder struct {
	verb  string // "" for nothing
	edge  hex.Edge
	first bool // before the way, not after it
}

// setBridge lets a bridge stand or not.
//
// WB-95 14.1.2
func (s *State) setBridge(e hex.Edge, stands bool) {
	s.seen.span = nil
	for i := range s.Bridges {
		if s.Bridges[i].Edge == e {
			s.Bridges[i].Stands = stands
			return
		}
	}
	s.Bridges = append(s.Bridges, Bridge{Edge: e, Stands: stands})
	slices.SortFunc(s.Bridges, func(a, b Bridge) int {
		return cmp.Or(cmp.Compare(a.Edge.A, b.Edge.A), cmp.Compare(a.Edge.B, b.Edge.B))
	})
}

// bridge is the bridge on a hexside, standing or not; nil if there never was one.
func (s *State) bridge(e hex.Edge) *Bridge {
	for i := range s.Bridges {
		if s.Bridges[i].Edge == e {
			return &s.Bridges[i]
		}
	}
	return nil
}

// holdBridges finds out who controls the bridges. It is called at the end of
// every phase, and before somebody blows one up.
//
// WB-95 14.1.3
// reading WB-95 14.1.3: a side keeps a bridge while a unit of it stands at one of
// the ends; then who stands there takes it; with nobody there the control of the
// ends decides, in favour of who had it. At the set-up, with both sides there,
// the side with the initiative has it.
func (s *State) holdBridges() {
	for i := range s.Bridges {
		b := &s.Bridges[i]
		side := s.firstAt(b, s.holder(b.Edge.A), s.holder(b.Edge.B))
		if side == "" {
			side = s.firstAt(b, s.controller(b.Edge.A), s.controller(b.Edge.B))
		}
		b.Holder = side
	}
}

// firstAt is which of the holders of the two ends of a bridge has it, "" where nobody
// holds one: who had the bridge before others, then the side with the initiative.
func (s *State) firstAt(b *Bridge, one, other Side) Side {
	if one == "" && other == "" {
		return ""
	}
	for _, side := range [...]Side{b.Holder, s.sc.Sides[0], s.sc.Sides[1]} {
		if side != "" && (side == one || side == other) {
			return side
		}
	}
	return ""
}

// toil does the work of an order at a bridge, at the hex that the unit has come to.
//
// reading WB-95 14.2.1: the price is never capped as that of a step is (3.1.13); a
// unit that had to stop in an enemy zone may still spend what is left.
func (m *march) toil(w bridgeOrder, tell teller) (note string, v *rule.Violation) {
	s, u := m.s, m.u
	if s.strategicNow() {
		return "", &rule.Violation{Clause: "WB-95 14.2.1", Why: "bridges are worked on in the Movement Phase only"}
	}
	big := s.sc.terrainOf(s.sc.Board.River(w.edge)).Big
	price := One
	switch w.verb {
	// WB-95 14.2.1: to blow up a bridge takes a point
	case workBlow:
		v = m.mayBlow(w.edge)
		// WB-95 14.3.1: over a big river it takes three
		if big {
			price = 3 * One
		}
	// WB-95 14.2.2: to rebuild one takes three
	case workRebuild:
		v = m.mayRebuild(w.edge, big)
		price = 3 * One
	case workBuild:
		v = m.mayBuild(w.edge, big)
		price = m.start
	}
	if v == nil {
		v = m.pinned()
	}
	if v == nil && m.spent+price > m.start {
		v = &rule.Violation{Clause: "WB-95 14.2.1", Why: fmt.Sprintf("the work costs %v MP, %v of %v are left", price, m.start-m.spent, m.start)}
	}
	if v != nil {
		return "", v
	}
	m.spent += price
	u.Active = true
	facts := view.Pairs{"bridge", w.edge.String(), "side", s.sc.nameOf(u.c.Side)} // both sides see the bridge, not who is at work
	e := view.Event{Kind: "bridge-blown", Clause: "WB-95 14.2.1", Hexes: []hex.Hex{w.edge.A, w.edge.B}, Facts: facts}
	switch w.verb {
	case workBlow:
		s.setBridge(w.edge, false)
		note = "blows up the bridge " + w.edge.String()
	case workRebuild:
		s.setBridge(w.edge, true)
		note, e.Kind, e.Clause = "rebuilds the bridge "+w.edge.String(), "bridge-rebuilt", "WB-95 14.2.2"
	case workBuild:
		s.Works = append(s.Works, Work{HQ: u.ID, From: u.Hex, Edge: w.edge})
		note = "begins to build the bridge " + w.edge.String()
		e.Kind, e.Clause, e.To = "bridge-begun", "WB-95 14.3.2", to(u.c.Side)
		e.Facts = append(facts, "unit", u.c.Name)
	}
	tell.tell(e)
	m.span = s.bridges()
	return note, nil
}

// atBridge checks what all work on a bridge asks for.
func (m *march) atBridge(e hex.Edge) *rule.Violation {
	if m.at != e.A && m.at != e.B {
		return &rule.Violation{Clause: "WB-95 14.2.1", Why: fmt.Sprintf("%v is not beside %v", m.at, e), Instead: fmt.Sprintf("Go to %v or %v first.", e.A, e.B)}
	}
	return nil
}

// mayBlow says why the unit cannot blow up a bridge.
func (m *march) mayBlow(e hex.Edge) *rule.Violation {
	m.s.holdBridges()
	b := m.s.bridge(e)
	switch {
	case b == nil || !b.Stands:
		return &rule.Violation{Clause: "WB-95 14.2.1", Why: fmt.Sprintf("no bridge stands at %v", e)}
	// WB-95 14.2.1: regular units and headquarters do it
	// WB-95 14.3.1: the same over a big river
	case !m.u.regular() && m.u.c.Type != HQ:
		return &rule.Violation{Clause: "WB-95 14.2.1", Why: "only regular units and headquarters blow up bridges"}
	// WB-95 14.1.4: but only of a bridge that their side controls
	case b.Holder != m.u.c.Side:
		if v := m.atBridge(e); v != nil {
			return v
		}
		return &rule.Violation{Clause: "WB-95 14.1.4", Why: fmt.Sprintf("the enemy controls the bridge %v", e), Instead: "Drive them from the other end first."}
	}
	return m.atBridge(e)
}

// mayRebuild says why the unit cannot rebuild a bridge.
//
// WB-95 14.2.2
// WB-95 14.2.3
// reading WB-95 14.2.2: the unit stands at the bridge, in range of a headquarters
// of its side.
func (m *march) mayRebuild(e hex.Edge, big bool) *rule.Violation {
	b := m.s.bridge(e)
	switch {
	case big:
		return &rule.Violation{Clause: "WB-95 14.3.2", Why: "over a big river only a headquarters builds, in two turns", Instead: fmt.Sprintf("A headquarters on the bank: BUILD %v.", e)}
	case b == nil:
		return &rule.Violation{Clause: "WB-95 14.2.3", Why: fmt.Sprintf("there never was a bridge at %v", e)}
	case b.Stands:
		return &rule.Violation{Clause: "WB-95 14.2.2", Why: fmt.Sprintf("the bridge %v stands", e)}
	case m.u.artillery():
		return &rule.Violation{Clause: "WB-95 14.2.2", Why: "artillery cannot rebuild bridges"}
	}
	if v := m.atBridge(e); v != nil {
		return v
	}
	if !m.s.led([]*Unit{m.u}) {
		return &rule.Violation{Clause: "WB-95 14.2.2", Why: fmt.Sprintf("no headquarters is in range of %v", m.at)}
	}
	return nil
}

// Work is a bridge over a big river that a headquarters builds.
type Work struct {
	HQ   string   `json:"hq"`
	From hex.Hex  `json:"from"` // the bank it builds from
	Edge hex.Edge `json:"edge"`
}

// mayBuild says why a headquarters cannot begin a bridge over a big river.
//
// WB-95 14.3.2
// WB-95 14.3.3
// reading WB-95 14.3.2: a headquarters of the set-up counts as having stood there.
func (m *march) mayBuild(e hex.Edge, big bool) *rule.Violation {
	s, u := m.s, m.u
	switch {
	case u.c.Type != HQ:
		return &rule.Violation{Clause: "WB-95 14.3.2", Why: "only a headquarters builds a bridge over a big river"}
	case !big:
		return &rule.Violation{Clause: "WB-95 14.2.3", Why: fmt.Sprintf("%v is not a big river: bridges there can only be rebuilt", e), Instead: fmt.Sprintf("Write REBUILD %v.", e)}
	case s.bridgeStands(e):
		return &rule.Violation{Clause: "WB-95 14.3.2", Why: fmt.Sprintf("a bridge stands at %v", e)}
	case m.walked, u.Camp != u.Hex, m.start == 0:
		return &rule.Violation{Clause: "WB-95 14.3.2", Why: "it must have stood on the bank since its last Supply Phase and spend all its points"}
	case slices.ContainsFunc(s.Works, func(w Work) bool { return w.Edge == e }):
		return &rule.Violation{Clause: "WB-95 14.3.3", Why: "a headquarters builds one bridge, and a bridge is built by one headquarters"}
	}
	return m.atBridge(e)
}

// camp notes where headquarters stand on the bank of a big river when their
// Supply Phase ends.
//
// WB-95 2.2/8
// WB-95 14.3.2
// reading WB-95 2.2/8: the Supply Phase finds the headquarters on the bank; the order
// to begin stands in the MOVE section of its next Movement Phase.
func (s *State) camp(us []*Unit) {
	for _, u := range us {
		if u.Camp = hex.None; u.c.Type == HQ && s.bigBanks(u.Hex) > 0 {
			u.Camp = u.Hex
		}
	}
}

// finishBridges completes, as the side's Movement Phase begins, the bridges that
// its headquarters began in the last one.
//
// WB-95 14.3.2
// WB-95 14.3.4
// reading WB-95 14.3.2: a headquarters that was lost or has left its hex builds
// nothing; it takes one try, and a headquarters that failed is free to move.
func (s *State) finishBridges(side Side, tell teller) {
	var rest []Work
	for _, w := range s.Works {
		u := s.unit(w.HQ)
		if !s.onMove(u) {
			rest = append(rest, w)
			continue
		}
		ends := []hex.Hex{w.Edge.A, w.Edge.B}
		if why := s.hinders(w, side); why != "" {
			tell.tell(view.Event{Kind: "bridge-void", Clause: "WB-95 14.3.2", To: to(side), Hexes: ends,
				Facts: view.Pairs{"unit", u.c.Name, "bridge", w.Edge.String(), "why", why}})
			continue
		}
		s.setBridge(w.Edge, true)
		u.Active = true
		tell.tell(view.Event{Kind: "bridge-built", Clause: "WB-95 14.3.2", Hexes: ends,
			Facts: view.Pairs{"bridge", w.Edge.String(), "side", s.sc.nameOf(side)}})
	}
	s.Works = rest
}

// hinders says why a bridge that was begun is not completed, "" if it is.
func (s *State) hinders(w Work, side Side) string {
	if s.unit(w.HQ).Hex != w.From {
		return "it is not on its bank any more"
	}
	far := w.Edge.Other(w.From)
	regular := func(h hex.Hex) bool {
		return slices.ContainsFunc(s.unitsAt(h), func(u *Unit) bool { return u.c.Side == side && u.regular() })
	}
	// WB-95 14.3.2: regular units on both banks will do
	if regular(w.From) && regular(far) {
		return ""
	}
	switch {
	// WB-95 14.3.2: else the far bank is ours, free of enemies and of their zones
	case s.controller(far) != side, s.holder(far) == s.sc.Other(side), s.inEnemyZone(far, side):
		return fmt.Sprintf("%v is not under our control", far)
	}
	return ""
}
