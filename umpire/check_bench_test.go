package umpire

import (
	"fmt"
	"strings"
	"testing"

	"fieldpost/adjudicator/wb95"
	"fieldpost/orders"
	"fieldpost/trial/processor"
	"fieldpost/umpire/judge"
)

// longSheet is a sheet of 300 lines as players write them, a fifth of it wrong:
// unknown names, hexes off the map, ways that do not lead, words misspelt.
func longSheet(s *staged) string {
	var b strings.Builder
	b.WriteString("GAME: X SIDE: SOVIET TURN: 1 SERIAL: 1\nMOVE\n")
	n := 2
	for i, u := range s.v.Units {
		switch h := u.Hex.String(); i % 5 {
		case 0:
			fmt.Fprintf(&b, "%sX TO %s\n", u.Name, h)
		case 1:
			fmt.Fprintf(&b, "%s TO 9999\n", u.Name)
		default:
			near := s.v.Board.Grid.Neighbours(u.Hex)
			fmt.Fprintf(&b, "%s TO %v\n", u.Name, near[i%len(near)])
		}
		n++
	}
	b.WriteString("ATTACK\n1: 2505 WITH 300 INF, 81 INF; MIN 1:1\n2: 2106 WITH 226 INF, 36/XXII; IF 1 WON\nSTANDING\n")
	for n += 5; n < 300; n++ {
		fmt.Fprintf(&b, "AT %v HOLD, PAY %d; UNLESS 2306 ENEMY\n", s.v.Units[n%len(s.v.Units)].Hex, n%3)
	}
	return b.String() + "DONE\n"
}

// Parsing and checking a sheet of 300 lines, errors included: 5 ms or less. The
// floor is parsing alone.
func BenchmarkCheck300(b *testing.B) {
	s := stage(b, "kharkov-1942", "SOVIET", 1)
	text := longSheet(s)
	if strings.Count(text, "\n") != 300 {
		b.Fatalf("%d lines", strings.Count(text, "\n"))
	}
	var refused, n int
	check := func(b *testing.B, judgeOne bool) float64 {
		began := processor.Time()
		n = 0
		for b.Loop() {
			n++
			sheet, faults := orders.Parse(orders.Canonical(text), wb95.Vocabulary)
			if judgeOne {
				f := judge.Judged(s.game, s.v, sheet, faults)
				_, refused = f.Accepted()
			}
		}
		return (processor.Time() - began).Seconds() * 1000 / float64(n)
	}
	b.Run("floor", func(b *testing.B) { b.ReportMetric(check(b, false), "cpu-ms/sheet") })
	b.Run("sheet", func(b *testing.B) {
		b.ReportAllocs()
		b.ReportMetric(check(b, true), "cpu-ms/sheet")
		b.ReportMetric(float64(refused), "refused")
	})
}
