package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"fieldpost/cmdline"
	"fieldpost/umpire"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/match"
)

// moderate carries out "game VERB GAME [VALUE]" for the verbs of the umpire.
func moderate(of *whose, side string, dry bool, words []string) error {
	a := acts.Act{By: "console of " + os.Getenv("USER"), Verb: words[0], Game: words[1], Side: side, Value: strings.Join(words[2:], " "), Dry: dry}
	return atDesk(of, func(d *umpire.Desk) error {
		done, err := d.Moderate(a)
		for _, line := range done.Says {
			fmt.Println(line)
		}
		return err
	})
}

// arrange arranges a tournament that is described in words or, with the one word "-", on standard
// input; without words it shows all.
func arrange(of *whose, words []string) error {
	return atDesk(of, func(d *umpire.Desk) error {
		if len(words) == 0 {
			all, err := d.TournamentTables()
			for _, t := range all {
				fmt.Printf("%s: %s, round %d of %d\n  %s\n", t.Name, t.Scenario, len(t.Paired), t.Rounds, strings.Join(t.Table, "\n  "))
			}
			return err
		}
		text := strings.Join(words, " ")
		if text == "-" {
			raw, err := io.ReadAll(io.LimitReader(os.Stdin, 64<<10))
			if err != nil {
				return err
			}
			text = string(raw)
		}
		done, err := d.Moderate(acts.Act{By: "console of " + os.Getenv("USER"), Verb: "tournament", Value: text})
		for _, line := range done.Says {
			fmt.Println(line)
		}
		return err
	})
}

// isVerb tells whether a word is an act of the moderator.
func isVerb(word string) bool {
	for _, v := range acts.Verbs() {
		if v[0] == word {
			return true
		}
	}
	return false
}

// verbHelp lists the acts.
func verbHelp() string {
	var b strings.Builder
	for _, v := range acts.Verbs() {
		if v[0] == "tournament" { // of no game yet
			fmt.Fprintf(&b, "\n  game tournament %s: %s; without words it shows all, with - it reads them", v[1], v[2])
			continue
		}
		fmt.Fprintf(&b, "\n  game %-9s GAME %-18s %s", v[0], v[1], v[2])
	}
	return b.String()
}

// listPhases prints the phases that a game can be set back to.
func listPhases(of *whose, id string) error {
	return atDesk(of, func(d *umpire.Desk) error {
		phases, err := d.Phases(id)
		for _, p := range phases {
			switch {
			case p.Open:
				fmt.Printf("  now  %s\n", p.Title())
			case p.Undone:
				fmt.Printf("%5d  (undone) %s\n", p.Number, p.Title())
			default:
				fmt.Printf("%5d  %s\n", p.Number, p.Title())
			}
		}
		if err == nil && len(phases) > 1 {
			fmt.Printf("\nTo set it back: game rollback %s before %s: WHY. With --dry-run it only says what that would do.\n", strings.ToUpper(id), match.Example(phases))
		}
		return err
	})
}

// audit prints the audit log and says whether it is whole.
func audit(f *flag.FlagSet) cmdline.Action {
	of := clubFlags(f)
	return func(_ context.Context, words []string) error {
		if len(words) > 1 {
			return cmdline.Usagef("say audit, or audit GAME")
		}
		game := strings.Join(words, "")
		return atDesk(of, func(d *umpire.Desk) error {
			l, err := d.Audit(game)
			if err != nil {
				return err
			}
			for _, e := range l.Entries {
				fmt.Printf("%4d  %s  %-9s %-9s %-8s %s: %s\n", e.Number, e.At.Format("2006-01-02 15:04"), e.Game, e.Verb, e.Side, e.By, e.Did)
			}
			if l.Fault != "" {
				return fmt.Errorf("%s", l.Fault)
			}
			fmt.Println("the log is whole: every entry follows from the one before it")
			return nil
		})
	}
}

// gameVerbs are the moderator's acts by their names.
func gameVerbs() (out []string) {
	for _, v := range acts.Verbs() {
		out = append(out, v[0])
	}
	return out
}
