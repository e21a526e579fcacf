package wb95

import (
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/phrase"
)

// deeds are the phases of random play with what was ordered and thrown in them,
// the ways of moves written out hex by hex: to choose them is no part of an action.
type deeds struct {
	before  *State
	journal []adjudicator.Entry
	actions int
}

// BenchmarkActions counts actions a second on one core: a unit's move, or a combat
// with its losses, retreats and pursuit; read, judged and carried out, with events,
// in whole Movement and Combat Phases of random play of Kharkov 1942. Play is both
// in the proportion in which they came. The dice are plain ones out of a journal: a
// proof adds what BenchmarkThrow of dice/vrf says to each random event.
func BenchmarkActions(b *testing.B) {
	moves, combats := randomDeeds(b)
	benchDeeds(b, "move", moves)
	benchDeeds(b, "combat", combats)
	benchDeeds(b, "play", slices.Concat(moves, combats))
}

// TestAllocationsOfAnAction holds them to what they were brought to, from 59: unlike
// times they do not change with the load. With events, and the share of the phase.
func TestAllocationsOfAnAction(t *testing.T) {
	const most = 15
	moves, combats := randomDeeds(t)
	actions := 0
	all := slices.Concat(moves, combats)
	for _, d := range all {
		actions += d.actions
	}
	got := testing.AllocsPerRun(3, func() {
		for _, d := range all {
			if _, err := adjudicator.Play(d.before.clone(), phase, d.journal, nil, nil); err != nil {
				t.Fatal(err)
			}
		}
	}) / float64(actions)
	t.Logf("%d actions, %.1f allocations each", actions, got)
	if actions < 500 || got > most {
		t.Errorf("%.1f allocations an action over %d actions, want at most %d", got, actions, most)
	}
}

// randomDeeds are the Movement and the Combat Phases of random play of Kharkov 1942.
func randomDeeds(t testing.TB) (moves, combats []deeds) {
	g := kharkovGame(t)
	playRandomly(t, g, 1, 72, func(before, _ []byte, out adjudicator.Outcome) {
		s, err := decodeState(g.sc, before)
		if err != nil {
			t.Fatal(err)
		}
		d := deeds{before: s, journal: out.Journal}
		switch stepOf(s.Phase).name {
		case stepOf(3).name:
			d.writeOut()
			moves = append(moves, d)
		case stepOf(4).name:
			for _, e := range out.Events {
				d.actions += btoi(e.Kind == "combat" || e.Kind == "fire")
			}
			combats = append(combats, d)
		}
	})
	return moves, combats
}

// benchDeeds plays the phases again and again, and counts what is done in them.
func benchDeeds(b *testing.B, name string, all []deeds) {
	b.Run(name, func(b *testing.B) {
		n, began := 0, cpu()
		for b.Loop() {
			for _, d := range all {
				if _, err := adjudicator.Play(d.before.clone(), phase, d.journal, nil, nil); err != nil {
					b.Fatal(err)
				}
				n += d.actions
			}
		}
		b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "actions/s")
		b.ReportMetric(float64(n)/(cpu()-began).Seconds(), "actions/cpu-s")
	})
}

// writeOut replaces the goals of the orders by the ways that were found, and counts
// the units that move.
func (d *deeds) writeOut() {
	s := d.before.clone()
	var out []string
	for _, line := range phrase.Lines(d.journal[0].Answer) {
		o, v := s.parseMove(s.mover(), phrase.Read(line))
		if v != nil {
			continue
		}
		u := o.units[0]
		was := u.Hex
		done := s.perform(o, nil)
		if len(done.treks) == 1 && done.fault == nil && len(done.treks[0].path) > 1 && was != 0 {
			line = u.c.Name + " " + trail(done.treks[0].path)
		}
		d.actions += len(o.units)
		out = append(out, line)
	}
	d.journal[0].Answer = strings.Join(out, "\n")
}

// cpu is the processor time used so far: on a busy machine it tells more than a clock.
func cpu() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
