package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"fieldpost/cmdline"
	"fieldpost/demo"
	"fieldpost/desk/dist"
)

// atTheDesk says where the game is opened in a browser, or what to run for that.
func atTheDesk(r demo.Result) string {
	switch {
	case r.Desk != "" && r.Archive != "":
		return "  both sides, every turn, at the order desk      open " + r.Desk + "\n"
	case r.Desk != "":
		return "  the last report at the order desk              open " + r.Desk + "\n"
	case r.NoDesk != nil:
		return "  to see it at the order desk: " + r.NoDesk.Error() + "\n"
	}
	return ""
}

func playDemo(f *flag.FlagSet) cmdline.Action {
	o := demo.Options{Progress: os.Stdout}
	f.StringVar(&o.Scenario, "scenario", "kharkov-1942", "what to play")
	f.IntVar(&o.Turns, "turns", 0, "stop after so many turns (0: play to the verdict)")
	f.Uint64Var(&o.Seed, "seed", 1942, "of keys and dice; only a demo has one")
	f.StringVar(&o.Mode, "mode", "", "the MODE line of the first side's staff, such as ASK")
	f.StringVar(&o.Other, "other-mode", "", "the MODE line of the other side's")
	f.StringVar(&o.Answers, "answers", "", "the ANSWERS line of both staffs, such as FAULTS")
	f.StringVar(&o.Out, "out", "demo-out", "folder for the mails, the maps and index.html")
	f.StringVar(&o.Store, "store", "", "an empty database of PostgreSQL, postgres://..., that keeps the game; left out: a file")
	return func(ctx context.Context, words []string) error {
		if len(words) > 0 {
			return cmdline.Usagef("no words are expected")
		}
		self, err := os.Executable()
		if err != nil {
			return err
		}
		o.Daemon = []string{self, "serve", "--config"}
		o.Desk = func(name string, file []byte) (string, error) {
			return dist.Whole(&dist.Report{Name: name, File: file})
		}
		r, err := demo.Run(ctx, o)
		if err != nil {
			return err
		}
		if r.Verdict != "" {
			fmt.Printf("\n%s\n", r.Verdict)
		}
		if r.Archive != "" {
			fmt.Printf("\nThe whole game, checked by both sides: fieldpost verify %[1]s\nBoth sides, every turn, in a browser: fieldpost desk %[1]s\n", r.Archive)
		}
		fmt.Printf("\nlines of a report above its proofs: %s\n", r.Reading())
		turns := r.Turn
		if o.Turns > 0 {
			turns = min(o.Turns, turns)
		}
		fmt.Printf("mails to and from a player in a turn: %s\n", r.PerTurn(turns))
		fmt.Printf("%d mails, %d reports, %d random events proved, %v\nPage through the campaign: %s\n",
			r.Mails, r.Reports, r.Dice, r.Elapsed.Round(100*time.Millisecond), filepath.Join(o.Out, "index.html"))
		fmt.Printf("\nWhat to do next:\n%s  play a first turn yourself, against the staff   fieldpost desk (docs/FIRST-TURN.md)\n"+
			"  run games for others                           docs/MODERATING.md\n", atTheDesk(r))
		return nil
	}
}
