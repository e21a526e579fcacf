package engine

import (
	"context"
	"testing"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/staff"
	"fieldpost/trial/processor"
)

// BenchmarkSteppeTurn plays whole games of two staffs in Duel on the Steppe: the sheets
// are checked and all phases of the turns played with fresh dice. The thinking of the
// staffs is counted beside it. An action is an order or a reaction that was carried out.
func BenchmarkSteppeTurn(b *testing.B) {
	m := newMatch(b, "winter-campaign")
	turns, actions, number := 0, 0, 0
	var thought, spent time.Duration
	for _, side := range m.Game.Sides() {
		m.Players[side] = thinker{staff.Officer{Game: m.Game}, &thought}
	}
	m.Each = func(_ []byte, out adjudicator.Outcome) error {
		actions += len(out.Events)
		return nil
	}
	for b.Loop() {
		number++
		m.Number = number
		began := processor.Time()
		r, err := m.Play(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		spent += processor.Time() - began
		turns += r.Turn
	}
	spent -= thought
	b.ReportMetric(spent.Seconds()*1000/float64(turns), "cpu-ms/turn")
	b.ReportMetric(thought.Seconds()*1000/float64(turns), "cpu-ms-thinking/turn")
	b.ReportMetric(float64(actions)/spent.Seconds(), "events/cpu-s")
}
