// Package soak plays whole games between two staff officers on the engine alone,
// without mail, to see how a scenario comes out.
package soak

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"

	"fieldpost/adjudicator"
	"fieldpost/orders"
	"fieldpost/staff"
)

// Result is how a game came out. Points and Lost are by side, in the order of the
// game's sides.
type Result struct {
	Number  int // of the game, from 1: the seed of its dice
	Turn    int // the last
	Verdict string
	Winner  string
	Points  []int
	Lost    []int // steps, of all that a side has or gets
	Refused int   // orders that the rules did not take
}

// Play plays so many games with different dice, on all cores. Each is told when
// it ends, one at a time; the results are in order of their numbers.
func Play(ctx context.Context, game adjudicator.Game, vocabulary orders.Vocabulary, games int, each func(Result)) ([]Result, error) {
	out := make([]Result, games)
	errs := make([]error, games)
	next := make(chan int)
	var wg sync.WaitGroup
	var told sync.Mutex
	for range min(games, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := range next {
				out[i], errs[i] = One(ctx, game, vocabulary, i+1, 0)
				if errs[i] == nil && each != nil {
					told.Lock()
					each(out[i])
					told.Unlock()
				}
			}
		})
	}
	for i := range games {
		next <- i
	}
	close(next)
	wg.Wait()
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", i+1, err)
		}
	}
	return out, nil
}

// One plays one game to the verdict, or to the end of a turn (0: no limit).
func One(ctx context.Context, game adjudicator.Game, vocabulary orders.Vocabulary, number, turns int) (Result, error) {
	r := Result{Number: number}
	pos, err := game.Opening()
	if err != nil {
		return r, err
	}
	began, err := r.steps(game, pos)
	if err != nil {
		return r, err
	}
	s := &staffs{game: game, vocabulary: vocabulary, turn: map[adjudicator.Side]int{}, filed: map[adjudicator.Side]*adjudicator.Filing{}}
	for ctx.Err() == nil {
		at, err := game.At(pos)
		if err != nil {
			return r, err
		}
		if at.Over || turns > 0 && at.Turn > turns {
			r.Refused = s.refused
			left, err := r.steps(game, pos)
			for i := range left {
				r.Lost = append(r.Lost, began[i]-left[i])
			}
			return r, err
		}
		s.position, s.at = pos, at
		out, err := game.Play(pos, nil, dice{number, at.Label}, s)
		switch {
		case s.err != nil:
			return r, s.err
		case err != nil:
			return r, fmt.Errorf("%s: %w", at.Label, err)
		case len(out.Pending) > 0:
			return r, fmt.Errorf("%s: nobody answers %q", at.Label, out.Pending[0].Label)
		}
		pos = out.Position
	}
	return r, ctx.Err()
}

// steps counts the steps of each side, and notes points and verdict.
func (r *Result) steps(game adjudicator.Game, pos []byte) (out []int, err error) {
	for i, side := range game.Sides() {
		v, err := game.View(pos, side)
		if err != nil {
			return nil, err
		}
		n := 0
		for _, u := range v.Units {
			n += u.Steps
		}
		for _, u := range v.Arrivals {
			n += u.Steps
		}
		out = append(out, n)
		if i == 0 {
			r.Turn, r.Verdict, r.Winner, r.Points = min(v.Turn, v.Turns), v.Verdict, v.Winner, nil
			for _, s := range v.Score {
				r.Points = append(r.Points, s.Points)
			}
		}
	}
	return out, nil
}

// staffs answer for both sides: a sheet a turn, written when it is first asked for.
type staffs struct {
	game       adjudicator.Game
	vocabulary orders.Vocabulary
	position   []byte
	at         adjudicator.Phase
	turn       map[adjudicator.Side]int // of the sheet filed last
	filed      map[adjudicator.Side]*adjudicator.Filing
	refused    int
	err        error
}

// Answer implements adjudicator.Answerer.
func (s *staffs) Answer(d adjudicator.Decision) (string, string, bool) {
	switch {
	case d.Filed:
		if f := s.filed[d.Side]; f != nil {
			if a, ok := f.Answers[d.Answers()]; ok {
				return a, "sheet", true
			}
		}
		return d.Proposal, "none filed", true
	case d.Turn:
		if s.turn[d.Side] != s.at.Turn {
			if s.err = s.file(d.Side); s.err != nil {
				return "", "", false
			}
		}
		return s.filed[d.Side].Answers[d.Answers()], "sheet", true
	}
	return adjudicator.Standing{}.Answer(d)
}

// file has a staff officer write a sheet and hands it in.
func (s *staffs) file(side adjudicator.Side) error {
	v, err := s.game.View(s.position, side)
	if err != nil {
		return err
	}
	v.Game = "SOAK"
	text, err := staff.Officer{Game: s.game}.Sheet(v, s.at.Turn)
	if err != nil {
		return err
	}
	sheet, faults := orders.Parse(orders.Canonical(text), s.vocabulary)
	if len(faults) > 0 {
		return fmt.Errorf("the sheet of %s for %s: %v", side, s.at.Label, faults[0])
	}
	f := s.game.Check(v, sheet)
	_, refused := f.Accepted()
	s.refused += refused
	s.filed[side], s.turn[side] = f, s.at.Turn
	return nil
}

// dice are thrown from the number of the game, the phase and the label.
type dice struct {
	game  int
	phase string
}

// Throw implements adjudicator.Dice.
func (d dice) Throw(label string, count, sides int) ([]int, []byte, error) {
	r := rand.New(rand.NewChaCha8(sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s", d.game, d.phase, label))))
	out := make([]int, count)
	for i := range out {
		out[i] = r.IntN(sides) + 1
	}
	return out, nil, nil
}

// Table writes the results as a table in Markdown, with the sums below.
func Table(sides []adjudicator.Side, results []Result) string {
	var b strings.Builder
	b.WriteString("| game | ends in turn | verdict |")
	for _, s := range sides {
		fmt.Fprintf(&b, " points %s |", s)
	}
	for _, s := range sides {
		fmt.Fprintf(&b, " steps lost %s |", s)
	}
	b.WriteString("\n|" + strings.Repeat(" --- |", 3+2*len(sides)) + "\n")
	for _, r := range results {
		fmt.Fprintf(&b, "| %d | %d | %s |", r.Number, r.Turn, r.Verdict)
		for _, list := range [][]int{r.Points, r.Lost} {
			for _, n := range list {
				fmt.Fprintf(&b, " %d |", n)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// Summary is the results in a line of a table in Markdown; SummaryHead heads it.
func Summary(title string, sides []adjudicator.Side, results []Result) string {
	n := len(results)
	strategic, drawn, undecided, refused := 0, 0, 0, 0
	wins, points, lost := make([]int, len(sides)), make([]float64, len(sides)), make([]float64, len(sides))
	for _, r := range results {
		switch {
		case r.Verdict == "":
			undecided++
		case r.Winner == "":
			drawn++
		}
		if strings.HasPrefix(r.Verdict, "strategic") {
			strategic++
		}
		refused += r.Refused
		for i, s := range sides {
			if r.Winner == string(s) {
				wins[i]++
			}
			points[i] += float64(r.Points[i]) / float64(n)
			lost[i] += float64(r.Lost[i]) / float64(n)
		}
	}
	var won, pts, steps []string
	for i, s := range sides {
		won = append(won, fmt.Sprintf("%s %d", s, wins[i]))
		pts = append(pts, fmt.Sprintf("%.1f", points[i]))
		steps = append(steps, fmt.Sprintf("%.0f", lost[i]))
	}
	return fmt.Sprintf("| %s | %d | %s | %d | %d | %d | %s | %s | %d |\n", title, n, strings.Join(won, ", "), drawn, strategic, undecided,
		strings.Join(pts, " : "), strings.Join(steps, " : "), refused)
}

// SummaryHead is the head of a table of summaries.
const SummaryHead = `| scenario | games | won | drawn | strategic victories | without verdict | points, mean | steps lost, mean | orders refused |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
`
