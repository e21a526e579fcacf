package steppe

import (
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// cpu is the processor time used so far: on a busy machine it tells more than a clock.
func cpu() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// played is a phase of random play.
type played struct {
	before         *State
	journal        []adjudicator.Entry
	moves, combats int
}

// BenchmarkActions counts actions a second on one core: a unit's move, or a combat with
// its losses, retreats and advances, in the chits of random play of Star and Gallop that
// did anything, in the proportion in which they came. The dice are plain ones out of a
// journal: a proof adds what BenchmarkThrow of dice/vrf says to each random event.
//
//   - actions: programmes carried out, with validation and events, the ways of moves
//     written out hex by hex, for to choose them is no part of an action
//   - phases: the same with all that a phase is besides: the position is copied, the chit
//     drawn, the sheet of the turn looked through and the programme read
//   - goals: whole phases whose moves say only where they lead
func BenchmarkActions(b *testing.B) {
	var goals, written []played
	playRandomly(b, "star-and-gallop", &scribbler{r: rand.New(rand.NewPCG(1, 9))}, 120, func(before *State, pass adjudicator.Pass[*State]) {
		p := played{before: before, journal: pass.Journal}
		for _, e := range pass.Events {
			p.moves += one(e.Kind == "move")
			p.combats += one(e.Kind == "combat")
		}
		if before.Step == StepChit && p.moves+p.combats > 0 {
			goals, written = append(goals, p), append(written, p.writtenOut(pass.Events))
		}
	})
	var spent time.Duration
	benchPlayed(b, "actions", written, &spent, func(r *adjudicator.Run, s *State) {
		a := s.drawn(r)
		began := cpu()
		a.play()
		spent += cpu() - began
	})
	benchPlayed(b, "phases", written, nil, phase)
	benchPlayed(b, "goals", goals, nil, phase)
}

// benchPlayed plays the phases again and again and counts what is done in them, by the
// processor time that was spent, or all of it.
func benchPlayed(b *testing.B, name string, all []played, spent *time.Duration, play func(*adjudicator.Run, *State)) {
	b.Run(name, func(b *testing.B) {
		if spent != nil {
			*spent = 0
		}
		moves, combats, began := 0, 0, cpu()
		for b.Loop() {
			for _, p := range all {
				if _, err := adjudicator.Play(p.before.clone(), play, p.journal, nil, nil); err != nil {
					b.Fatal(err)
				}
				moves, combats = moves+p.moves, combats+p.combats
			}
		}
		used := cpu() - began
		if spent != nil {
			used = *spent
		}
		b.ReportMetric(float64(moves+combats)/used.Seconds(), "actions/cpu-s")
		b.ReportMetric(float64(moves)/float64(combats), "moves/combat")
	})
}

// writtenOut is the phase with the ways of its moves in place of their goals.
func (p played) writtenOut(events []view.Event) played {
	p.before, p.journal = p.before.clone(), slices.Clone(p.journal)
	for i := range p.journal {
		e := &p.journal[i]
		hq, chit := strings.CutPrefix(e.Label, "orders ")
		if !chit {
			continue
		}
		lines := strings.Split(e.Answer, "\n")
		for _, moved := range events {
			order := "MOVE " + moved.Facts.Get("unit")
			if moved.Facts.Get("unit") == hq {
				order = "HQ"
			}
			for k, line := range lines {
				if moved.Kind == "move" && strings.HasPrefix(line, order+" TO ") {
					lines[k] = order + " " + hexes(moved.Hexes)
				}
			}
		}
		was := e.Answer
		e.Answer = strings.Join(lines, "\n")
		sheet := &p.before.Sheets[sideIndex(e.Side)].Orders
		*sheet = strings.Replace(*sheet, was, e.Answer, 1)
	}
	return p
}

// hexes writes a way as orders do.
func hexes(way []hex.Hex) string {
	var out []string
	for _, h := range way {
		out = append(out, h.String())
	}
	return strings.Join(out, "-")
}
