package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"strings"

	"fieldpost/cmdline"
	"fieldpost/orders/seal"
	"fieldpost/umpire"
	"fieldpost/umpire/match"
)

// atDesk runs f at the desk of the daemon that the flags name.
func atDesk(of *whose, f func(*umpire.Desk) error) error {
	c, err := of.read()
	if err != nil {
		return err
	}
	return atDeskOf(c, f)
}

// atDeskOf runs f at the desk of a club.
func atDeskOf(c *umpire.Config, f func(*umpire.Desk) error) error {
	d, err := umpire.OpenDesk(c, slog.Default())
	if err != nil {
		return err
	}
	defer d.Close()
	return f(d)
}

func game(f *flag.FlagSet) cmdline.Action {
	of := clubFlags(f)
	id := f.String("scenario", "", "with new: the scenario to play")
	side := f.String("side", "", "with message and address: the side that it is about")
	dry := f.Bool("dry-run", false, "with rollback and edit: only tell what it would do")
	var given []string
	f.Func("option", "with new: an option, name=value; see game options", func(s string) error { given = append(given, s); return nil })
	var staffs []string
	f.Func("staff", "with new: a `SIDE` that the program plays itself, with a staff officer; SIDE=officer or SIDE=chief for a stronger one than a cadet", func(s string) error { staffs = append(staffs, s); return nil })
	return func(_ context.Context, words []string) error {
		if len(words) == 0 {
			return cmdline.Usagef("say new, options, list, show, resume or migrate")
		}
		switch verb, rest := words[0], words[1:]; {
		case verb == "new" && len(rest) == 0 && *id != "":
			return newGame(of, umpire.Wanted{Scenario: *id, Staff: staffs}, given)
		case verb == "options" && len(rest) == 1:
			return listOptions(rest[0])
		case verb == "tournament":
			return arrange(of, rest)
		case isVerb(verb) && len(rest) > 0:
			return moderate(of, *side, *dry, words)
		case verb == "phases" && len(rest) == 1:
			return listPhases(of, rest[0])
		case verb == "list" && len(rest) == 0:
			return atDesk(of, func(d *umpire.Desk) error { return listGames(d, "", false) })
		case verb == "show" && len(rest) == 1:
			return atDesk(of, func(d *umpire.Desk) error { return listGames(d, strings.ToUpper(rest[0]), true) })
		case verb == "migrate" && len(rest) == 1:
			return atDesk(of, func(d *umpire.Desk) error { return migrate(d, rest[0]) })
		case verb == "resume" && len(rest) == 1:
			return atDesk(of, func(d *umpire.Desk) error { return resume(d, rest[0]) })
		}
		return cmdline.Usagef("%q is not understood: game new --scenario ID [--option name=value] [--staff SIDE[=STRENGTH]], game options SCENARIO, game list, game show GAME, game phases GAME, game resume GAME, game migrate GAME, and%s", strings.Join(words, " "), verbHelp())
	}
}

// newGame makes a game with the options that were given as name=value.
func newGame(of *whose, wanted umpire.Wanted, given []string) error {
	options, err := match.ParseOptions(given)
	if err != nil {
		return cmdline.Usagef("%v", err)
	}
	wanted.Options = options
	return atDesk(of, func(d *umpire.Desk) error {
		g, err := d.NewGame(wanted)
		if err == nil {
			fmt.Printf("%s: %s\nInvite the players: fieldpost player invite --game %s --side %s --email ADDRESS\n", g.ID, g.Title, g.ID, strings.Join(g.Sides, "|"))
		}
		return err
	})
}

func migrate(d *umpire.Desk, game string) error {
	did, err := d.Migrate(game)
	if err == nil {
		fmt.Printf("%s goes on with this version (%s); its players are told\n", strings.ToUpper(game), did)
	}
	return err
}

func resume(d *umpire.Desk, game string) error {
	err := d.Resume(game)
	if err == nil {
		fmt.Printf("%s goes on; its players are told, and the sheet at which it stopped is looked at again\n", strings.ToUpper(game))
	}
	return err
}

// listOptions prints what the players of a scenario may agree on.
func listOptions(scenario string) error {
	settings, err := new(match.Library).Settings(scenario)
	if err != nil {
		return err
	}
	for _, s := range settings {
		fmt.Printf("%s = %s", s.Name, s.Default)
		if len(s.Values) > 0 {
			fmt.Printf("   (%s)", strings.Join(s.Values, " | "))
		}
		if s.Clause != "" {
			fmt.Printf("   %s", s.Clause)
		}
		fmt.Printf("\n    %s\n", s.Means)
	}
	return nil
}

func listGames(d *umpire.Desk, id string, whole bool) error {
	games, err := d.Games(id)
	if err != nil {
		return err
	}
	if !whole {
		fmt.Printf("%-10s %-16s %-9s %-5s %-34s %s\n", "game", "scenario", "status", "turn", "phase", "waiting for")
	}
	for _, g := range games {
		if !whole {
			fmt.Printf("%-10s %-16s %-9s %-5d %-34s %s\n", g.ID, g.Scenario, g.Status, g.Turn, g.Phase, strings.Join(g.Waiting, ", "))
			if g.Blocked != "" {
				fmt.Printf("%10s stopped: %s\n", "", g.Blocked)
			}
			continue
		}
		fmt.Printf("game        %s\nscenario    %s (%s)\nstatus      %s\nturn        %d, %s\nwaiting for %s\ndice key    %s\n", g.ID, g.Title, g.Scenario, g.Status, g.Turn, g.Phase, strings.Join(g.Waiting, ", "), g.DiceKey)
		if g.Blocked != "" {
			fmt.Printf("stopped     %s\n", g.Blocked)
		}
		for _, p := range g.Players {
			signer := "none"
			if key, err := seal.ParseKey(p.Key); err == nil {
				signer = seal.Signer(key)
			}
			if p.Staffed() {
				fmt.Printf("player      %-8s %s: the program plays this side, key %s, last sheet %d\n", p.Side, p.Name, signer, p.Serial)
				continue
			}
			fmt.Printf("player      %-8s %s <%s>, key %s, last sheet %d\n", p.Side, p.Name, p.Address, signer, p.Serial)
		}
	}
	return nil
}
