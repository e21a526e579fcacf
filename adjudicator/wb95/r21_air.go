package wb95

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// Chapter 21 of the Kursk book: aircraft in counters. Where a scenario has
// counters, a side chooses so many of them each day, and a mission is flown by
// whole counters.

// AirUnit is an air counter.
//
// WB-95 21.1.1
type AirUnit struct {
	Name     string
	Side     Side
	Strength int
	White    bool // it has a white star
}

// airCounters are the counters of a side, nil where its strength comes in points.
func (sc *Scenario) airCounters(side Side) []AirUnit {
	if sc.AirChoice[side] == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(sc.AirUnits), func(a AirUnit) bool { return a.Side != side })
}

// airReady are the counters that may still fly on a day, and how many of them.
//
// WB-95 8.1.3
// WB-95 8.1.5
func (s *State) airReady(side Side, turn int) (ready []AirUnit, n int) {
	ready, n = s.sc.airCounters(side), s.sc.AirChoice[side]
	if turn != s.Turn {
		return ready, n
	}
	for _, name := range s.FlownAir {
		at := slices.IndexFunc(ready, func(a AirUnit) bool { return a.Name == name })
		if at >= 0 {
			ready, n = slices.Delete(ready, at, at+1), n-1
		}
	}
	return ready, max(0, n)
}

// crew says which counters fly a mission: those that it names, or for a number
// of points the fewest that have them.
//
// reading WB-95 8.1.3: an order that gives points instead of counters takes whole
// counters, those without a star first, as many as the points need.
func (s *State) crew(m *Mission, named []string, turn int) *rule.Violation {
	if s.sc.airCounters(m.Side) == nil {
		return nil
	}
	ready, most := s.airReady(m.Side, turn)
	var fly []AirUnit
	for _, name := range named {
		at := slices.IndexFunc(ready, func(a AirUnit) bool { return phrase.Fold(a.Name) == phrase.Fold(name) })
		if at < 0 {
			near := orders.Near(strings.ToUpper(name), airNames(ready))
			return &rule.Violation{Clause: "WB-95 8.1.5", Why: fmt.Sprintf("no counter %q can fly that day", name), Instead: strings.TrimSpace(orders.DidYouMean(near) + " " + readyWords(ready))}
		}
		fly, ready = append(fly, ready[at]), slices.Delete(ready, at, at+1)
	}
	if len(named) == 0 {
		slices.SortStableFunc(ready, func(a, b AirUnit) int { return btoi(a.White) - btoi(b.White) })
		for sp := 0; sp < m.SP && len(fly) < len(ready); {
			sp += ready[len(fly)].Strength
			fly = ready[:len(fly)+1]
		}
	}
	if len(fly) > most {
		return &rule.Violation{Clause: "WB-95 8.1.5", Why: fmt.Sprintf("%s may still fly that day, the mission takes %d", counted(most, "counter"), len(fly))}
	}
	var names []string
	m.SP, m.White = 0, 0
	for _, a := range fly {
		names = append(names, a.Name)
		m.SP, m.White = m.SP+a.Strength, m.White+btoi(a.White)
	}
	m.Counters = strings.Join(names, ", ")
	return s.crowded(*m)
}

// airNames are the names of counters, in capitals as a sheet has them.
func airNames(counters []AirUnit) (names []string) {
	for _, a := range counters {
		names = append(names, strings.ToUpper(a.Name))
	}
	return names
}

// crowdLimit is how many counters fly to a hex.
//
// WB-95 21.1.2
const crowdLimit = 2

// crowded says why a mission is too many over its hex.
//
// WB-95 21.1.2
// reading WB-95 21.1.2: counted are all missions of a side over the hex.
func (s *State) crowded(m Mission) *rule.Violation {
	n := len(m.crewNames())
	for _, o := range s.Missions {
		if o.Side == m.Side && o.Hex == m.Hex {
			n += len(o.crewNames())
		}
	}
	if n <= crowdLimit {
		return nil
	}
	return &rule.Violation{Clause: "WB-95 21.1.2", Why: fmt.Sprintf("%d air counters would fly to %v, %d may", n, m.Hex, crowdLimit)}
}

// crewNames are the counters of a mission.
func (m Mission) crewNames() []string {
	if m.Counters == "" {
		return nil
	}
	return strings.Split(m.Counters, ", ")
}

func readyWords(ready []AirUnit) string {
	if len(ready) == 0 {
		return ""
	}
	var out []string
	for _, a := range ready {
		name := fmt.Sprintf("%s (%d SP", a.Name, a.Strength)
		if a.White {
			name += ", white star"
		}
		out = append(out, name+")")
	}
	return "Ready are " + strings.Join(out, ", ") + "."
}

// airStars counts the white stars of the aircraft that back a side in a combat
// on the hexes.
//
// WB-95 21.1.1
// reading WB-95 21.1.1: each counter with a star is a modifier, in support of
// attack or defence, against mechanized units only, and puts out black and yellow
// stars as any white star does. It owes no step.
func (s *State) airStars(side Side, kind string, targets []hex.Hex) int {
	n := 0
	for _, m := range s.Missions {
		if m.Side == side && m.Kind == kind && slices.Contains(targets, m.Hex) {
			n += m.White
		}
	}
	return n
}

// starShift is how many lines of the Air Attack table an attack goes down for its
// white stars.
//
// WB-95 21.1.1
func (s *State) starShift(m Mission) int {
	if slices.ContainsFunc(s.unitsAt(m.Hex), mechanized) {
		return m.White
	}
	return 0
}
