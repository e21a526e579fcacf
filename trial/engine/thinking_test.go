package engine

import (
	"fmt"
	"testing"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/scenarios"
	"fieldpost/staff"
	"fieldpost/trial/processor"
)

// BenchmarkThinking has officers write the first sheets of every scenario, and chiefs those of the
// largest ones, and tells what the dearest sheet takes of one core.
func BenchmarkThinking(b *testing.B) {
	var all []string
	for _, info := range scenarios.List() {
		all = append(all, info.ID)
	}
	for strength, of := range map[staff.Strength][]string{staff.Captain: all, staff.Chief: {"nysa-1945", "two-stars"}} {
		b.Run(string(strength), func(b *testing.B) {
			for b.Loop() {
				b.ReportMetric(dearest(b, strength, of).Seconds(), "cpu-s/sheet")
			}
		})
	}
}

// dearest is the most that one of the first sheets of some scenarios takes an officer.
func dearest(b *testing.B, strength staff.Strength, of []string) (most time.Duration) {
	b.Helper()
	where := ""
	for _, id := range of {
		for _, s := range firstSeats(b, id) {
			began := processor.Time()
			th, err := staff.Officer{Game: s.game, Strength: strength}.Think(s.view, 1)
			if err != nil {
				b.Fatal(err)
			}
			if took := processor.Time() - began; took > most {
				most, where = took, fmt.Sprintf("%s of %s, %d units", s.view.Side, id, th.Units)
			}
		}
	}
	b.Logf("the dearest sheet: %s", where)
	return most
}

// firstSeats are what the sides of a scenario see when their first sheet is due, one after the other.
func firstSeats(b *testing.B, id string) (out []firstSeat) {
	b.Helper()
	m := newMatch(b, id)
	m.Turns = 1
	for _, side := range m.Game.Sides() {
		m.Players[side] = &onlooker{Officer: staff.Officer{Game: m.Game}, saw: func(v *view.View) {
			if v.Turn == 1 {
				out = append(out, firstSeat{m.Game, v})
			}
		}}
	}
	if _, err := m.Play(b.Context()); err != nil {
		b.Fatal(err)
	}
	return out
}

type firstSeat struct {
	game adjudicator.Game
	view *view.View
}

// onlooker shows the Views on which a cadet writes.
type onlooker struct {
	staff.Officer
	saw func(*view.View)
}

func (o *onlooker) Sheet(v *view.View, serial int) (string, error) {
	o.saw(v)
	return o.Officer.Sheet(v, serial)
}
