package playtest

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
	Phases  int   // played
}

// PlayAll plays the matches 1 to n on all cores. Each is told when it ends, one at a
// time; the results are in order of their numbers.
func PlayAll(ctx context.Context, games int, match func(number int) (Match, error), each func(Result)) ([]Result, error) {
	out := make([]Result, games)
	var telling sync.Mutex
	err := Parallel(ctx, games, func(ctx context.Context, i int) error {
		m, err := match(i + 1)
		if err == nil {
			out[i], err = m.Play(ctx)
		}
		if err != nil {
			return fmt.Errorf("game %d: %w", i+1, err)
		}
		if each != nil {
			telling.Lock()
			defer telling.Unlock()
			each(out[i])
		}
		return nil
	})
	return out, err
}

// Parallel does the jobs 0 to n-1 on all cores and returns the first error; after one
// the context that the jobs get is over and no further job begins.
func Parallel(ctx context.Context, n int, job func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := range next {
				if err := job(ctx, i); err != nil {
					cancel(err)
				}
			}
		})
	}
	for i := 0; i < n && ctx.Err() == nil; i++ {
		select {
		case next <- i:
		case <-ctx.Done():
		}
	}
	close(next)
	wg.Wait()
	return context.Cause(ctx)
}

// One plays one game between two staff officers to the verdict, or to the end of a
// turn (0: no limit).
func One(ctx context.Context, game adjudicator.Game, vocabulary orders.Vocabulary, number, turns int) (Result, error) {
	return Match{Game: game, Vocabulary: vocabulary, Number: number, Turns: turns}.Play(ctx)
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

// Dice are thrown from the number of the game, the phase and the label.
type Dice struct {
	Game  int
	Phase string // its label
}

// Throw implements adjudicator.Dice.
func (d Dice) Throw(label string, count, sides int) ([]int, []byte, error) {
	r := rand.New(rand.NewChaCha8(sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s", d.Game, d.Phase, label))))
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
