package steppe

import (
	"syscall"
	"testing"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
)

// plainDice are test dice without proofs.
type plainDice struct{ n int }

func (d *plainDice) Throw(_ string, count, sides int) ([]int, []byte, error) {
	out := make([]int, count)
	for i := range out {
		d.n = d.n*1103515245 + 12345
		out[i] = (d.n>>16&0x7fff)%sides + 1
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

type byDoctrine struct{}

func (byDoctrine) Answer(d adjudicator.Decision) (string, string, bool) {
	return d.Proposal, d.Source, true
}

// BenchmarkActions carries out orders of programmes: movements of all units, and attacks
// where enemies stand beside them, on the set-up of Star and Gallop. An action is one
// order carried out, with everything that follows from it.
func BenchmarkActions(b *testing.B) {
	sc := load(b, "star-and-gallop")
	base := sc.opening()
	base.Step = StepChit
	var hqs []string
	for i := range base.Units {
		if u := &base.Units[i]; u.c.Type == HQ && u.Where == OnMap {
			hqs = append(hqs, u.ID)
		}
	}
	actions, began := 0, cpu()
	dice := &plainDice{n: 7}
	for b.Loop() {
		_, err := adjudicator.Play(base, (*State).clone, func(r *adjudicator.Run, s *State) {
			for _, id := range hqs {
				hq := s.unit(id)
				a := s.newActivation(r, hq.c.Side, hq)
				a.prog = &programme{hq: hq}
				for _, u := range s.sideUnits(hq.c.Side) {
					if !u.Activated && s.mayActivate(hq, u) && s.inRange(hq, u.Hex) {
						a.range_ = append(a.range_, u)
						near := hex.None
						for _, n := range s.sc.land.grid.Neighbours(u.Hex) {
							if s.holder(n) == other(a.side) {
								near = n
							}
						}
						if near != hex.None {
							a.prog.steps = append(a.prog.steps, instruction{verb: "ATTACK", units: []*Unit{u}, target: near, min: "1:3", arty: 0})
						} else {
							a.prog.steps = append(a.prog.steps, instruction{verb: "MOVE", units: []*Unit{u}, course: course{to: hex.New(25, 12)}})
						}
					}
				}
				actions += len(a.prog.steps)
				a.play()
			}
		}, nil, dice, byDoctrine{})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(actions)/(cpu()-began).Seconds(), "actions/cpu-s")
}
