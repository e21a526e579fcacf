package wb95

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// Chapter 8. Clauses are numbered as in the Kharkov book; from 8.2.17 on the
// other two count one less.

// airPhase is phases 1 and 7: both sides send their aircraft, they meet, and
// what strikes at once does. Everything else lasts until the next Air Phase.
//
// WB-95 2.2/2: this phase opens a half turn
// reading WB-95 8.1.2: a mission lasts until the next Air Phase.
// deviation WB-95 8.1.7: the side on move sends its missions with the sheet that
// plays its turn; nobody waits for the other side, of whom the latest filed sheet
// counts. Who says nothing flies nothing and keeps the strength.
func airPhase(r *adjudicator.Run, s *State) {
	s.land(r.Tell)
	if len(s.sc.Air) == 0 {
		return
	}
	p, n := s.mover(), s.sc.Other(s.mover())
	missions := func(side Side) adjudicator.Decision {
		return adjudicator.Decision{Label: "air " + string(side), Kind: kindAir, Entry: airEntry(s.Turn, s.Phase), Side: side,
			Turn: side == s.player(), Filed: side != s.player(), Clause: "WB-95 8.1.7", Source: "none filed"}
	}
	// WB-95 8.1.4: both sides may fly
	// WB-95 8.1.7: and choose in secret
	ask := slices.Concat([]adjudicator.Decision{missions(p), missions(n)}, s.standing(p, "WB-95 5.1.8"), s.standing(n, "WB-95 5.1.8"))
	answers := r.Ask(ask...)
	a := &airWar{r: r, s: s, standing: map[Side][]standingOrder{}}
	for i, d := range ask {
		if i < 2 {
			a.send(d.Side, answers[i])
			continue
		}
		side := s.sc.camp(d.Side)
		for _, w := range phrase.ReadAll(answers[i]) {
			if o, v := s.parseStanding(d.Side, w); v == nil && s.lasts(o) {
				a.standing[side] = append(a.standing[side], o)
			}
		}
	}
	slices.SortFunc(s.Missions, byPlace)
	a.meet()
	// WB-95 8.1.2: missions take effect in it
	a.strike()
	a.bomb()
	a.supply()
}

// airEntry names the missions of one Air Phase among the answers of a sheet.
func airEntry(turn, phase int) string { return fmt.Sprintf("%s %d/%d", kindAir, turn, phase) }

// Lasts implements adjudicator.Lasting: missions for the other side's half turn count from
// any sheet until one speaks of that Air Phase again.
func (g *Game) Lasts(side Side, answer string) bool {
	var turn, phase int
	if _, err := fmt.Sscanf(answer, kindAir+" %d/%d", &turn, &phase); err != nil {
		return false
	}
	half := (phase - 1) / halfTurn
	players := g.sc.players()
	return half < len(players) && players[half] != side
}

// airWar is an Air Phase while it is played.
type airWar struct {
	r        *adjudicator.Run
	s        *State
	standing map[Side][]standingOrder
}

// Mission is an air mission that is flown. Missions of one side, kind and hex
// are one.
//
// WB-95 8.1.6
type Mission struct {
	Side Side     `json:"side"`
	Kind string   `json:"kind"` // a verb of the AIR section
	Hex  hex.Hex  `json:"hex"`
	Edge hex.Edge `json:"edge,omitzero"` // of a bridge
	SP   int      `json:"sp"`
	// Counters are the air counters that fly it, and White how many of them have a
	// white star (21.1.1); nothing where strength comes in points.
	Counters string `json:"counters,omitempty"`
	White    int    `json:"white,omitempty"`
	Used     bool   `json:"used,omitempty"` // it has had its effect
}

func byPlace(a, b Mission) int {
	return cmp.Or(cmp.Compare(a.Side, b.Side), cmp.Compare(a.Hex, b.Hex), cmp.Compare(a.Kind, b.Kind),
		cmp.Compare(a.Edge.A, b.Edge.A), cmp.Compare(a.Edge.B, b.Edge.B))
}

// airStrength is a side's strength points of a day by the scenario's table.
//
// WB-95 8.1.1
// reading WB-95 8.1.1: where the scenario gives points they are parted freely among
// missions and among both Air Phases of the day.
func (sc *Scenario) airStrength(side Side, turn int) int {
	if by := sc.Air[side]; turn <= len(by) {
		return by[turn-1]
	}
	return 0
}

// airLeft is what the side has not used yet of a day's strength.
//
// WB-95 8.1.3: a point flies one mission
func (s *State) airLeft(side Side, turn int) int {
	left := s.airStrength(side, turn) + s.savedBy(side, turn)
	if turn == s.Turn {
		// WB-95 8.1.5: once a day
		// WB-95 8.1.9: also of what was driven off
		left -= s.Flown[s.sc.number(side)]
	}
	return left
}

// number is 0 for the side with the initiative and its ally, 1 for the other.
func (sc *Scenario) number(side Side) int { return btoi(side == sc.Sides[1]) }

// airPhases are the next Air Phases, one for each player.
func (s *State) airPhases() []view.AirPhase {
	var next []view.AirPhase
	n := len(s.sc.players())
	for _, turn := range []int{s.Turn, s.Turn + 1} {
		for k := range n {
			if p := (view.AirPhase{Turn: turn, Phase: 1 + k*halfTurn}); turn <= s.sc.Turns && (turn > s.Turn || p.Phase >= s.Phase) {
				next = append(next, p)
			}
		}
	}
	return next[:min(n, len(next))]
}

// ownHalf tells whether an Air Phase opens the side's own half turn.
func (sc *Scenario) ownHalf(side Side, phase int) bool {
	return sc.camp(sc.players()[(phase-1)/halfTurn]) == sc.camp(side)
}

// land ends the missions of the last Air Phase.
//
// reading WB-95 8.2.2: support that finds no combat on its hex is wasted.
func (s *State) land(tell teller) {
	for _, m := range s.Missions {
		if !m.Used && m.supports() {
			tell.tell(view.Event{Kind: "air-wasted", Clause: "WB-95 8.2.2", To: to(m.Side), Hexes: []hex.Hex{m.Hex},
				Facts: view.Pairs{"what", m.String(), "why", "no combat there"}})
		}
	}
	s.Missions = nil
}

// send reads a side's missions and lets those fly that may.
//
// WB-95 8.1.3
// WB-95 8.1.5
func (a *airWar) send(side Side, answer string) {
	s := a.s
	var sent []Mission
	for _, w := range phrase.ReadAll(answer) {
		m, v := s.parseMission(side, w, s.Turn)
		if v == nil {
			v = s.mayFly(m, s.Phase, s.airLeft(side, s.Turn))
		}
		if v != nil {
			a.r.Tell(view.Event{Kind: "air-skipped", Clause: v.Clause, To: to(side), Facts: view.Pairs{"order", w.Text, "why", v.Why}})
			continue
		}
		s.fly(m)
		sent = append(sent, m)
	}
	for _, m := range sent {
		a.r.Tell(view.Event{Kind: "air-sent", Clause: "WB-95 8.1.4", To: to(side), Hexes: []hex.Hex{m.Hex}, Facts: view.Pairs{"what", m.String()}})
	}
}

// fly puts a mission into the air.
func (s *State) fly(m Mission) {
	s.Flown[s.sc.number(m.Side)] += m.SP
	s.FlownAir = append(s.FlownAir, m.crewNames()...)
	for i := range s.Missions {
		if o := &s.Missions[i]; o.sameAs(m) {
			o.SP, o.White = o.SP+m.SP, o.White+m.White
			o.Counters = strings.Join(append(o.crewNames(), m.crewNames()...), ", ")
			return
		}
	}
	s.Missions = append(s.Missions, m)
}

// over is the strength of a side's aircraft over a hex, whatever their missions.
func (s *State) over(side Side, h hex.Hex) int {
	n := 0
	for _, m := range s.Missions {
		if m.Side == side && m.Hex == h {
			n += m.SP
		}
	}
	return n
}

// airHexes lists the hexes of a side's missions in order.
func (s *State) airHexes(side Side) []hex.Hex {
	var out []hex.Hex
	for _, m := range s.Missions {
		if m.Side == side {
			out = append(out, m.Hex)
		}
	}
	return sorted(out)
}

// meet has aircraft fight whose missions are on the same or adjacent hexes.
//
// WB-95 8.1.8
// reading WB-95 8.1.8: same hexes first, then adjacent ones; in each group by the
// hexes of the side with the initiative, then of the other. A pair fights once,
// while both still fly, with all the strength over their hexes; missions over one
// hex fight and are lost together. No choice of a player enters into the sequence.
func (a *airWar) meet() {
	ours, theirs := a.s.airHexes(a.s.sc.Sides[0]), a.s.airHexes(a.s.sc.Sides[1])
	for _, near := range []int{0, 1} {
		for _, h := range ours {
			for _, k := range theirs {
				if a.s.sc.Board.Grid.Distance(h, k) == near {
					a.dogfight(h, k)
				}
			}
		}
	}
}

// dogfight is one air combat, h of the side with the initiative.
//
// WB-95 8.1.8
// WB-95 8.1.9
func (a *airWar) dogfight(h, k hex.Hex) {
	s := a.s
	x, y := s.sc.Sides[0], s.sc.Sides[1]
	sp := [2]int{s.over(x, h), s.over(y, k)}
	if sp[0] == 0 || sp[1] == 0 {
		return
	}
	name, place := h.String(), h.String()
	if h != k {
		name, place = h.String()+"-"+k.String(), h.String()+" and "+k.String()
	}
	for round := 1; ; round++ {
		label := "air " + name
		if round > 1 {
			label += " " + strconv.Itoa(round)
		}
		dice := a.r.Roll("WB-95 8.1.8", label, 2, 6)
		lead := sp[0] + dice[0] - sp[1] - dice[1]
		verdict := "a tie, fought again"
		if lead > 0 {
			verdict = "the aircraft of the " + s.sc.nameOf(y) + " are driven off"
		} else if lead < 0 {
			verdict = "the aircraft of the " + s.sc.nameOf(x) + " are driven off"
		}
		a.r.Tell(view.Event{Kind: "air-combat", Clause: "WB-95 8.1.8", Hexes: sorted([]hex.Hex{h, k}), Rolls: []string{label}, Facts: view.Pairs{
			"hex", place, "dice", spaced(dice), "label", label, "verdict", verdict,
			"one", fmt.Sprintf("%s %d SP", s.sc.nameOf(x), sp[0]), "two", fmt.Sprintf("%s %d SP", s.sc.nameOf(y), sp[1])}})
		switch {
		case lead > 0:
			s.driveOff(y, k)
		case lead < 0:
			s.driveOff(x, h)
		default:
			continue
		}
		return
	}
}

// driveOff removes a side's missions over a hex. Their strength stays used.
func (s *State) driveOff(side Side, h hex.Hex) {
	s.Missions = slices.DeleteFunc(s.Missions, func(m Mission) bool { return m.Side == side && m.Hex == h })
}

// enough checks a mission against what is left of the day's strength.
func enough(m Mission, left int) *rule.Violation {
	if m.SP <= left || m.Counters != "" { // counters count themselves
		return nil
	}
	v := &rule.Violation{Clause: "WB-95 8.1.5", Why: fmt.Sprintf("%d SP are asked for, %d of that day are left", m.SP, max(0, left))}
	if left > 0 {
		v.Instead = fmt.Sprintf("Send %d SP or fewer.", left)
	}
	return v
}
