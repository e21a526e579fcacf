package wb95

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// pontoonVerb begins an order for a pontoon bridge in the ATTACK section.
const pontoonVerb = "PONTOON"

// pontoonOrder is PONTOON 5928/6028, with FOR and the army where several could.
type pontoonOrder struct {
	edge hex.Edge
	army string // "" for the first that can
}

// isFor tells whether the order may be the army's.
func (o pontoonOrder) isFor(army string) bool { return o.army == "" || strings.EqualFold(o.army, army) }

// isPontoon tells whether a line of the ATTACK section is an order for such a bridge.
func isPontoon(w phrase.Written) bool { return strings.HasPrefix(w.Text, pontoonVerb) }

func (s *State) parsePontoon(w phrase.Written) (o pontoonOrder, v *rule.Violation) {
	if w.Fault != nil {
		return o, w.Fault
	}
	rest := phrase.New(w.Flat())
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
		switch s.holder(h) {
		case side:
			return true
		case "":
			return !s.inEnemyZone(h, side)
		}
		return false
	}
	var out []hex.Edge
	for _, u := range s.onMap(side) {
		if !u.regular() || !strings.EqualFold(u.c.Formation, army) {
			continue
		}
		for _, n := range s.beside(u.Hex) {
			e := hex.Between(u.Hex, n)
			if s.bigRiver(u.Hex, n) && !s.bridgeStands(e) && free(n) {
				out = append(out, e)
			}
		}
	}
	slices.SortFunc(out, func(a, b hex.Edge) int { return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B)) })
	return slices.Compact(out)
}

// pontoonPhase lays the pontoon bridges, at the end of the Combat Phase of their side.
//
// WB-95 14.3.2
// reading WB-95 14.3.2: the bridge is ordered with the attacks and judged when they
// are over; it is an ordinary bridge from then on, and lost if it is destroyed.
func pontoonPhase(r *adjudicator.Run, s *State) {
	side := s.mover()
	if !slices.ContainsFunc(s.sc.Notes.Pontoons, func(army string) bool { return len(s.crossings(army, side)) > 0 }) {
		return
	}
	answer := r.Ask(adjudicator.Decision{Label: "pontoons", Kind: kindPontoon, Side: side, Turn: true, Clause: "WB-95 14.3.2"})[0]
	var ordered []pontoonOrder
	for _, w := range phrase.ReadAll(answer) {
		o, v := s.parsePontoon(w)
		if v != nil {
			r.Tell(refusal(side, w.Text, v))
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
			if done[i] || !o.isFor(army) {
				continue
			}
			if slices.Contains(can, o.edge) {
				d.Proposal, d.Source, d.Ordered, done[i] = o.edge.String(), "your order", true, true
				break
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
			Facts: view.Pairs{"bridge", chosen, "side", s.sc.nameOf(side), "army", army}})
	}
	for i, o := range ordered {
		if !done[i] {
			r.Tell(view.Event{Kind: "pontoon-void", Clause: "WB-95 14.3.2", To: to(side), Hexes: []hex.Hex{o.edge.A, o.edge.B},
				Facts: view.Pairs{"bridge", o.edge.String()}})
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
func (c *check) pontoon(o phrase.Written) {
	p, v := c.s.parsePontoon(o)
	if v == nil && len(c.s.sc.Notes.Pontoons) == 0 {
		v = &rule.Violation{Clause: "WB-95 14.3.2", Why: "nobody has a pontoon bridge in this scenario"}
	}
	if v == nil && !c.s.sc.terrainOf(c.s.sc.Board.River(p.edge)).Big {
		v = &rule.Violation{Clause: "WB-95 14.3.2", Why: fmt.Sprintf("%v is not a big river", p.edge)}
	}
	if v != nil {
		c.refuse(o, v)
		return
	}
	warning := fmt.Sprintf("as things stand no army can lay a bridge at %v: it takes a regular unit of the army at one end, and no enemy or zone of theirs at the other", p.edge)
	for _, army := range c.s.sc.Notes.Pontoons {
		if p.isFor(army) && slices.Contains(c.s.crossings(army, c.side), p.edge) {
			warning = ""
		}
	}
	c.answer(kindPontoon, o.Text)
	c.accept(o, fmt.Sprintf("a pontoon bridge at %v after the attacks, if its army still has it", p.edge), warning)
}

// attackPhase is the Combat Phase with what the notes put after it.
func attackPhase(r *adjudicator.Run, s *State) {
	combatPhase(r, s)
	pontoonPhase(r, s)
}
