package referee

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/table"
	"fieldpost/playtest"
	"fieldpost/trial"
	"fieldpost/trial/engine"
	"fieldpost/trial/processor"
)

// Tally is what the referee has judged.
type Tally struct {
	Games, Moves, Faults int
	Of                   map[string]int // moves by scenario
	Spent                time.Duration  // of the processor, by the referee itself
}

// Run plays games one after the other and judges every move in them. Random players sit at
// the table in two games of three of a scenario, in the third the staff play.
func Run(ctx context.Context, t *trial.Trial, open trial.Open) error {
	began := time.Now()
	sum := Tally{Of: map[string]int{}}
	for n := range t.Games {
		number := t.Seed + n
		id := t.Scenario(number)
		m, err := Seated(t, number)
		if err != nil {
			return err
		}
		err = sum.judge(ctx, m, id, open, func(f Fault) { fmt.Fprintf(t.Out, "%s --seed %d: %v\n", id, number, f) })
		if err != nil {
			return fmt.Errorf("%s --seed %d: %w", id, number, err)
		}
		if sum.Games%25 == 0 {
			fmt.Fprintf(t.Progress, "%d of %d games, %d moves, %d disagreements\n", sum.Games, t.Games, sum.Moves, sum.Faults)
		}
	}
	for _, id := range t.Scenarios {
		fmt.Fprintf(t.Out, "  %-16s %8d\n", id, sum.Of[id])
	}
	fmt.Fprintf(t.Out, "%d moves of %d games judged, seeds %d to %d: %d disagreements (%v; the referee judges %.0f moves a second of processor)\n",
		sum.Moves, sum.Games, t.Seed, t.Seed+t.Games-1, sum.Faults, time.Since(began).Round(time.Second), sum.rate())
	if sum.Faults > 0 {
		return fmt.Errorf("engine and referee disagree on %d moves", sum.Faults)
	}
	return nil
}

// rate is the moves judged in a second of processor.
func (sum *Tally) rate() float64 { return float64(sum.Moves) / max(sum.Spent.Seconds(), 1e-9) }

// Seated is a match with its players.
func Seated(t *trial.Trial, number int) (playtest.Match, error) {
	m, err := t.Variant(t.Scenario(number), number)
	if err != nil {
		return m, err
	}
	if number/len(t.Scenarios)%3 != 2 {
		for _, side := range m.Game.Sides() {
			m.Players[side] = engine.NewRandom(m.Game, number, side, map[string][2]int{})
		}
	}
	m.Turns = t.Turns
	return m, nil
}

// judge plays a match with a referee at the table.
func (sum *Tally) judge(ctx context.Context, m playtest.Match, id string, open trial.Open, tell func(Fault)) error {
	system, src, err := open(id)
	if err != nil {
		return err
	}
	j, err := NewJudge(system, src)
	if err != nil {
		return err
	}
	m.Each = func(before []byte, out adjudicator.Outcome) error {
		at, err := m.Game.At(before)
		if err != nil {
			return err
		}
		began := processor.Time()
		moves, faults, err := j.Phase(at, before, out)
		sum.Spent += processor.Time() - began
		sum.Moves += moves
		sum.Of[id] += moves
		sum.Faults += len(faults)
		for _, f := range faults {
			tell(f)
		}
		return err
	}
	_, err = m.Play(ctx)
	sum.Games++
	return err
}

// NewJudge is the referee of a system.
func NewJudge(system string, src table.Source) (Judge, error) {
	switch system {
	case "wb95":
		return newWB95(src)
	case "steppe":
		return newSteppe(src)
	case "famous":
		return newFamous(src)
	}
	return nil, fmt.Errorf("there is no referee for %s", system)
}

// reader reads stored positions. The one after a phase is the one before the next, and is
// read once.
type reader[S any] struct {
	text []byte
	last *S
}

func (r *reader[S]) read(position []byte) (*S, error) {
	if r.last != nil && bytes.Equal(position, r.text) {
		return r.last, nil
	}
	s := new(S)
	if err := json.Unmarshal(position, s); err != nil {
		return nil, fmt.Errorf("position: %w", err)
	}
	r.text, r.last = position, s
	return s, nil
}

// both reads the positions before and after a phase.
func (r *reader[S]) both(before, after []byte) (was, is *S, err error) {
	if was, err = r.read(before); err != nil {
		return nil, nil, err
	}
	is, err = r.read(after)
	return was, is, err
}
