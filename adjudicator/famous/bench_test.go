package famous

import (
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"fieldpost/adjudicator"
)

// plain throws dice without proofs.
type plain struct{ r *rand.Rand }

func (p plain) Throw(_ string, count, sides int) ([]int, []byte, error) {
	out := make([]int, count)
	for i := range out {
		out[i] = p.r.IntN(sides) + 1
	}
	return out, nil, nil
}

// cpu is the processor time used so far: on a busy machine it tells more than a clock.
func cpu() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// plotted answers turn decisions with filed orders.
type plotted map[string]string

func (p plotted) Answer(d adjudicator.Decision) (string, string, bool) {
	if d.Turn || d.Filed {
		return p[string(d.Side)+" "+d.Answers()], "filed", true
	}
	return d.Proposal, d.Source, true
}

// BenchmarkActions is the orders a second of processor time, each found its way and
// carried out, and the hexes entered in them, with sight and opportunity fire checked
// in each.
func BenchmarkActions(b *testing.B) {
	sc := load(b, "gd-kursk")
	s := sc.opening()
	s.Phase, s.Weather = 3, 2
	var names []string
	for i := range s.Units {
		if u := &s.Units[i]; u.c.Battalion == "1Fus" && u.Where == OnMap {
			names = append(names, u.c.Name)
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	goals := []string{"2331", "2430", "2230", "2131", "2031", "2529"}
	for i := range sc.ground { // the lines of sight of a map are drawn once
		sc.sees(i, i)
	}
	b.ResetTimer()
	done, entered, began := 0, 0, cpu()
	for done < b.N {
		c := s.clone()
		c.First = []string{"GERMAN 1Fus"}
		orders := ""
		for _, n := range names {
			orders += "MOVE " + n + " TO " + goals[r.IntN(len(goals))] + "\n"
			done++
		}
		p, err := adjudicator.Play(c.clone(), phase, nil, plain{r}, plotted{"GERMAN chit 1Fus": orders[:len(orders)-1]})
		if err != nil {
			b.Fatal(err)
		}
		for _, e := range p.Events {
			if e.Kind == "move" {
				entered += len(e.Hexes) - 1
			}
		}
	}
	used := cpu() - began
	b.ReportMetric(float64(done)/used.Seconds(), "orders/cpu-s")
	b.ReportMetric(float64(entered)/used.Seconds(), "hexes/cpu-s")
}

// BenchmarkTurn is a full turn of Kursk as the daemon plays it, phase by phase from
// encoded positions, with orders for every unit.
func BenchmarkTurn(b *testing.B) {
	g := newGame(load(b, "gd-kursk"))
	r := rand.New(rand.NewPCG(1, 1))
	opening, err := g.Opening()
	if err != nil {
		b.Fatal(err)
	}
	s := g.sc.opening()
	s.Phase, s.Weather, s.Cup = 3, 2, s.chits()
	answers := plotted{}
	for _, key := range s.Cup {
		side, bn := cutKey(key)
		answers[string(side)+" chit "+bn] = randomProgramme(s, side, bn, r)
	}
	turns, began := 0, cpu()
	for b.Loop() {
		turns++
		for pos := opening; ; {
			out, err := g.Play(pos, nil, plain{r}, answers)
			if err != nil {
				b.Fatal(err)
			}
			pos = out.Position
			at, err := g.At(pos)
			if err != nil {
				b.Fatal(err)
			}
			if at.Turn > 1 {
				break
			}
		}
	}
	b.ReportMetric((cpu()-began).Seconds()*1000/float64(turns), "cpu-ms/turn")
}
