package engine

import (
	"runtime/debug"
	"testing"
	"time"

	"fieldpost/adjudicator/view"
	"fieldpost/scenarios"
	"fieldpost/staff"
	"fieldpost/trial/processor"
)

// BenchmarkTurns has chiefs play both sides of a game of each scenario, and tells what a turn takes of one core with
// the answers at all its chits, on the average and at most.
func BenchmarkTurns(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // as the daemon has it
	for _, info := range scenarios.List() {
		b.Run(info.ID, func(b *testing.B) {
			for b.Loop() {
				m := newMatch(b, info.ID)
				var clocks []*stopwatch
				for _, side := range m.Game.Sides() {
					s := &stopwatch{Officer: staff.Officer{Game: m.Game, Strength: staff.Chief, Holds: true}}
					clocks, m.Players[side] = append(clocks, s), s
				}
				if _, err := m.Play(b.Context()); err != nil {
					b.Fatal(err)
				}
				var all, dearest turn
				turns := 0
				for _, s := range clocks {
					for _, t := range s.turns {
						all.took += t.took
						if t.took > dearest.took {
							dearest = t
						}
					}
					turns += len(s.turns)
				}
				b.ReportMetric(all.took.Seconds()/float64(turns), "cpu-s/turn")
				b.ReportMetric(dearest.took.Seconds(), "cpu-s/dearest")
				b.Logf("%d turns, the dearest is %s's %d, of %d units", turns, dearest.side, dearest.number, dearest.units)
			}
		})
	}
}

// stopwatch is a chief whose turns are timed.
type stopwatch struct {
	staff.Officer
	turns []turn
}

type turn struct {
	side          string
	number, units int
	took          time.Duration
}

// Sheet implements sandtable.Player.
func (s *stopwatch) Sheet(v *view.View, serial int) (string, error) {
	began := processor.Time()
	th, err := s.Think(v, serial)
	took := processor.Time() - began
	if len(v.Asked) == 0 {
		s.turns = append(s.turns, turn{side: v.Side, number: v.Turn})
		s.Stood, s.Plan = staff.StoodOn(v), th.Plan.Name
	}
	t := &s.turns[len(s.turns)-1]
	t.took, t.units = t.took+took, t.units+th.Units
	return th.Sheet, err
}
