package checks

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"time"

	"fieldpost/trial"
)

// RunDemos plays each scenario by mail between two staffs, as fieldpost demo does, to its
// verdict, and compares what every order mail is answered with what is said of it at home.
func RunDemos(ctx context.Context, t *trial.Trial) error {
	began := time.Now()
	var sum Tally
	for i, id := range t.Scenarios {
		if err := ctx.Err(); err != nil {
			return err
		}
		one, err := inFolder(ctx, Game{Scenario: id, Number: t.Seed + i, Demo: true, Limit: math.MaxInt, Turns: cmp.Or(t.Turns, math.MaxInt), Options: t.Options})
		if err == nil && one.Sheets == 0 {
			err = fmt.Errorf("no orders were mailed")
		}
		if err != nil {
			return fmt.Errorf("%s, --seed %d: %w", id, t.Seed+i, err)
		}
		fmt.Fprintf(t.Progress, "%s: %d mails, %d lines, %d differ\n", id, one.Sheets+one.Whole, one.Lines, len(one.Differences))
		sum.add(one)
	}
	fmt.Fprintf(t.Out, "%d scenarios: %d order mails with %d lines, %d of them refused, %d mails refused as a whole; %d differ (%v)\n",
		len(t.Scenarios), sum.Sheets+sum.Whole, sum.Lines, sum.Refused, sum.Whole, len(sum.Differences), time.Since(began).Round(time.Second))
	return sum.bad()
}
