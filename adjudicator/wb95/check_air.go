package wb95

import (
	"fmt"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

// sortie is an accepted mission, the phase it is for, and its line in the filing.
type sortie struct {
	Mission
	own  bool // of the own half turn
	turn int
	line int
}

// air reads the AIR sections. AIR 1 and AIR 7 mean the next Air Phase of that
// number, AIR alone the one that opens the own half turn. The filing keeps the
// missions under turn and phase, so that they are flown then or never.
func (c *check) air(v *view.View, sections []orders.Section) {
	used := map[int]int{} // by turn: what the sheet uses of the day's strength
	for _, sec := range sections {
		if sec.Name != "AIR" {
			continue
		}
		i, bad := c.airPhase(v, sec)
		if bad != nil {
			for _, o := range sec.Orders {
				c.refuse(phrase.OnSheet(o), bad)
			}
			if len(sec.Orders) == 0 && len(sec.Args) > 0 {
				c.filing.Lines = append(c.filing.Lines, adjudicator.Line{Pos: sec.Pos, Text: sec.Name, Refused: bad})
			}
			continue
		}
		p := v.Air.Phases[i]
		entry := airEntry(p.Turn, p.Phase)
		if _, ok := c.filing.Answers[entry]; !ok {
			c.filing.Answers[entry] = "" // an empty section says: nothing
		}
		for _, line := range sec.Orders {
			o := phrase.OnSheet(line)
			m, bad := c.mission(o, p, i == 0, p.Left-used[p.Turn])
			if bad != nil {
				c.refuse(o, bad)
				continue
			}
			used[p.Turn] += m.SP
			c.answer(entry, o.Text)
			c.sorties = append(c.sorties, sortie{m, c.s.sc.ownHalf(c.side, p.Phase), p.Turn, len(c.filing.Lines)})
			text := fmt.Sprintf("%s, phase %d: %v", p.Date, p.Phase, m)
			warning := ""
			if left, ground := c.s.underCover(m.SP, m.Hex); m.Kind == airStrike && ground != "" {
				text += fmt.Sprintf(" %s leaves %d", ground, left)
				if left == 0 {
					warning = "too weak to do harm there (WB-95 8.2.7)"
				}
			}
			c.accept(o, fmt.Sprintf("%s; %d SP of the day left", text, p.Left-used[p.Turn]), warning)
			// The odds of the sheet's attacks count on what flies for them.
			if i == 0 {
				c.s.Missions = append(c.s.Missions, m)
			}
		}
	}
}

// airPhase finds the Air Phase that a section is for, as a place in the View.
func (c *check) airPhase(v *view.View, sec orders.Section) (int, *rule.Violation) {
	if c.by != c.side {
		return 0, &rule.Violation{Clause: "WB-95 8.1.1", Why: "you have no aircraft: those of the side fly for " + string(c.side)}
	}
	if v.Air == nil {
		return 0, &rule.Violation{Clause: "WB-95 8.1.1", Why: "this scenario gives no air strength"}
	}
	number := 1 + halfTurn*slices.Index(c.s.sc.players(), c.by)
	if len(sec.Args) > 0 {
		n, ok := numberIn(sec.Args[0].Text, 1, c.s.sc.phases())
		if !ok || stageOf(n) != stageAir || len(sec.Args) > 1 {
			return 0, &rule.Violation{Clause: "WB-95 8.1.4", Why: fmt.Sprintf("%q is not an Air Phase", sec.Args[0].Text),
				Instead: c.s.sc.airHint()}
		}
		number = n
	}
	i := slices.IndexFunc(v.Air.Phases, func(p view.AirPhase) bool { return p.Phase == number })
	if i < 0 {
		return 0, &rule.Violation{Clause: "WB-95 2.1.3", Why: fmt.Sprintf("no Air Phase %d comes any more", number)}
	}
	return i, nil
}

// mission reads one mission and judges it by what the side can see. Next tells
// that its phase is the one that the game stands before.
func (c *check) mission(o phrase.Written, p view.AirPhase, next bool, left int) (Mission, *rule.Violation) {
	trial := *c.s
	trial.Missions, trial.FlownAir = nil, c.s.sc.notReady(c.side, p)
	for _, f := range c.sorties {
		if f.own == c.s.sc.ownHalf(c.side, p.Phase) {
			trial.Missions = append(trial.Missions, f.Mission)
		}
		if f.turn == p.Turn {
			trial.FlownAir = append(trial.FlownAir, f.crewNames()...)
		}
	}
	trial.Turn = p.Turn
	m, v := trial.parseMission(c.side, o, p.Turn)
	if v == nil {
		v = trial.mayFly(m, p.Phase, left)
	}
	if v == nil {
		v = c.aimless(m, next)
	}
	return m, v
}

// aimless refuses a mission against what is not there as far as the side sees.
func (c *check) aimless(m Mission, next bool) *rule.Violation {
	enemy := c.s.sc.Other(c.side)
	switch m.Kind {
	case airBridge:
		if !c.s.bridgeStands(m.Edge) {
			return &rule.Violation{Clause: "WB-95 8.2.8", Why: fmt.Sprintf("no bridge stands at %v", m.Edge)}
		}
	case airStrike, airSupport:
		if next && c.s.holder(m.Hex) != enemy {
			return &rule.Violation{Clause: "WB-95 8.2.6", Why: fmt.Sprintf("no enemy is on %v as far as we see", m.Hex), Instead: c.nearest(m.Hex, enemy)}
		}
	}
	return nil
}

// notReady lists the air counters that have flown on a day already.
func (sc *Scenario) notReady(side Side, p view.AirPhase) []string {
	var out []string
	for _, a := range sc.airCounters(side) {
		if !slices.Contains(p.Ready, a.Name) {
			out = append(out, a.Name)
		}
	}
	return out
}

// nearest offers the hexes with enemies next to one without.
func (c *check) nearest(h hex.Hex, enemy Side) string {
	var out []hex.Hex
	for _, k := range c.s.beside(h) {
		if c.s.holder(k) == enemy {
			out = append(out, k)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "Enemies are beside it on " + list(sorted(out)) + "."
}

// airEnd warns of missions that the rest of the sheet leaves without a purpose.
func (c *check) airEnd() {
	for _, f := range c.sorties {
		if why := c.pointless(f); why != "" {
			c.filing.Lines[f.line].Warning = why
		}
	}
}

// pointless says why a mission may find nothing to do, "" if it does not look so.
func (c *check) pointless(f sortie) string {
	holder := c.s.holder(f.Hex)
	switch f.Kind {
	case airSupport:
		if !slices.ContainsFunc(c.attacks, func(a attackOrder) bool { return slices.Contains(a.targets, f.Hex) }) {
			return fmt.Sprintf("no attack of this sheet is on %v: support that finds no combat is wasted (WB-95 8.2.2)", f.Hex)
		}
	case airDefend:
		if holder != c.side {
			return fmt.Sprintf("nobody of ours stands on %v after these moves", f.Hex)
		}
	case airStrike:
		if !f.own && holder == "" {
			return fmt.Sprintf("no enemy is on %v now", f.Hex)
		}
	}
	return ""
}
