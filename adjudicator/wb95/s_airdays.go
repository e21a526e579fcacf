package wb95

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/rule"
)

// A side that chooses the days of its air strength, as the Soviets do in Two Stars.

// AirDays are the strengths of the days that a side chooses.
type AirDays struct {
	Side   Side
	Points []int // of the first day that it names, of the second ...
}

// airDaysVerb begins the line in the SETUP section.
const airDaysVerb = "DAYS"

// airStrength is a side's strength points of a day, where it chooses by its choice.
//
// WB-95 8.1.1
// reading WB-95 8.1.1: in Two Stars who chooses no days of air strength has those that the table of
// the scenario prints.
func (s *State) airStrength(side Side, turn int) int {
	d := s.sc.Notes.AirDays
	switch {
	case d == nil, d.Side != side, len(s.AirDays) == 0:
		return s.sc.airStrength(side, turn)
	}
	if i := slices.Index(s.AirDays, turn); i >= 0 {
		return d.Points[i]
	}
	return 0
}

// knowsStrength tells whether a player knows what another side may fly on a day.
//
// reading WB-95 16.1.1: the tables are printed for all, chosen days are their owner's secret.
func (s *State) knowsStrength(player, side Side) bool {
	if len(s.AirDays) == 0 || s.sc.camp(player) == side {
		return true
	}
	return s.sc.Notes.AirDays.Side != side
}

// chooseAirDays reads the line DAYS 1, 7, 11: a turn for each of the strengths.
//
// WB-95 8.1.1
func (s *State) chooseAirDays(by Side, text string) (understood string, v *rule.Violation) {
	d := s.sc.Notes.AirDays
	if d == nil || d.Side != by {
		return "", &rule.Violation{Clause: "WB-95 8.1.1", Why: "you have no days with air strength to choose"}
	}
	wrong := &rule.Violation{Clause: "WB-95 8.1.1", Why: fmt.Sprintf("%d turns of the game are expected, each once", len(d.Points)),
		Instead: fmt.Sprintf("Write %s and turns from 1 to %d, the strongest day first.", airDaysVerb, s.sc.Turns)}
	var days []int
	var said []string
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ' ' || r == ',' }) {
		n, ok := numberIn(word, 1, s.sc.Turns)
		if !ok || slices.Contains(days, n) || len(days) == len(d.Points) {
			return "", wrong
		}
		said = append(said, fmt.Sprintf("%d on %s", d.Points[len(days)], s.sc.date(n)))
		days = append(days, n)
	}
	if len(days) < len(d.Points) {
		return "", wrong
	}
	s.AirDays = days
	return "air strength " + strings.Join(said, ", "), nil
}

// isAirDays tells a line of the SETUP section on air days from one on units.
func isAirDays(text string) (rest string, ok bool) {
	return strings.CutPrefix(strings.ToUpper(text), airDaysVerb+" ")
}

// mayChoose tells whether the set-up leaves a player anything to choose.
func (s *State) mayChoose(player adjudicator.Side) bool {
	d := s.sc.Notes.AirDays
	return d != nil && d.Side == player || len(s.setUpView(player)) > 0
}
