package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"

	"fieldpost/orders/seal"
	"fieldpost/umpire"
	"fieldpost/umpire/match"
)

// atDesk runs f at the desk of the daemon that the config names.
func atDesk(config string, f func(*umpire.Desk) error) error {
	c, err := umpire.ReadConfig(config)
	if err != nil {
		return err
	}
	d, err := umpire.OpenDesk(c, slog.Default())
	if err != nil {
		return err
	}
	defer d.Close()
	return f(d)
}

func game(_ context.Context, args []string) error {
	f := flags("game")
	config := f.String("config", "config.toml", "the daemon's configuration")
	id := f.String("scenario", "", "with new: the scenario to play")
	side := f.String("side", "", "with message and address: the side that it is about")
	var given []string
	f.Func("option", "with new: an option, name=value; see game options", func(s string) error { given = append(given, s); return nil })
	var staffs []string
	f.Func("staff", "with new: a `SIDE` that the program plays itself, with a staff officer", func(s string) error { staffs = append(staffs, s); return nil })
	words, err := parse(f, args)
	if err != nil || len(words) == 0 {
		return orUsage(err, "say new, options, list, show, resume or migrate")
	}
	switch {
	case words[0] == "new" && len(words) == 1 && *id != "":
		options, err := match.ParseOptions(given)
		if err != nil {
			return usagef("%v", err)
		}
		return atDesk(*config, func(d *umpire.Desk) error {
			g, err := d.NewGame(umpire.Wanted{Scenario: *id, Options: options, Staff: staffs})
			if err == nil {
				fmt.Printf("%s: %s\nInvite the players: fieldpost player invite --game %s --side %s --email ADDRESS\n", g.ID, g.Title, g.ID, strings.Join(g.Sides, "|"))
			}
			return err
		})
	case words[0] == "options" && len(words) == 2:
		return listOptions(words[1])
	case isVerb(words[0]) && len(words) > 1:
		return moderate(*config, *side, words)
	case words[0] == "phases" && len(words) == 2:
		return listPhases(*config, words[1])
	case words[0] == "list" && len(words) == 1:
		return atDesk(*config, func(d *umpire.Desk) error { return listGames(d, "", false) })
	case words[0] == "show" && len(words) == 2:
		return atDesk(*config, func(d *umpire.Desk) error { return listGames(d, strings.ToUpper(words[1]), true) })
	}
	if words[0] == "migrate" && len(words) == 2 {
		return atDesk(*config, func(d *umpire.Desk) error {
			did, err := d.Migrate(words[1])
			if err == nil {
				fmt.Printf("%s goes on with this version (%s); its players are told\n", strings.ToUpper(words[1]), did)
			}
			return err
		})
	}
	if words[0] == "resume" && len(words) == 2 {
		return atDesk(*config, func(d *umpire.Desk) error {
			err := d.Resume(words[1])
			if err == nil {
				fmt.Printf("%s goes on; its players are told, and the sheet at which it stopped is looked at again\n", strings.ToUpper(words[1]))
			}
			return err
		})
	}
	return usagef("%q is not understood: game new --scenario ID [--option name=value] [--staff SIDE], game options SCENARIO, game list, game show GAME, game phases GAME, game resume GAME, game migrate GAME, and%s", strings.Join(words, " "), verbHelp())
}

// listOptions prints what the players of a scenario may agree on.
func listOptions(scenario string) error {
	settings, err := new(match.Shelf).Settings(scenario)
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

func player(_ context.Context, args []string) error {
	f := flags("player")
	config := f.String("config", "config.toml", "the daemon's configuration")
	var s umpire.Seat
	f.StringVar(&s.Game, "game", "", "the game's id")
	f.StringVar(&s.Side, "side", "", "the side to play")
	f.StringVar(&s.Name, "name", "", "the player's name")
	f.StringVar(&s.Address, "email", "", "the player's mail address")
	f.StringVar(&s.Key, "key", "", "the player's public key: a line ssh-ed25519 ..., or a file that holds it, an OpenPGP public key or a certificate; with add also the word codes, for a player who cannot sign (weak)")
	f.StringVar(&s.Sealed, "nonce-sha256", "", "with add: SHA-256 of the nonce that the player chose, hexadecimal; he opens it by mail when all sides have players")
	words, err := parse(f, args)
	if err == nil && len(words) == 1 && words[0] == "second" && s.Game != "" && s.Side != "" {
		return atDesk(*config, func(d *umpire.Desk) error {
			if err := d.SetSecond(s); err != nil {
				return err
			}
			fmt.Printf("mail for %s in game %s goes to %q while mail to the first address comes back\n", strings.ToUpper(s.Side), strings.ToUpper(s.Game), s.Address)
			return nil
		})
	}
	if err == nil && len(words) == 1 && words[0] == "forget" && s.Address != "" {
		return atDesk(*config, func(d *umpire.Desk) error {
			f, err := d.Forget(s.Address)
			if err == nil {
				fmt.Printf("forgotten: his name and addresses in %d finished games, %d mails to him and %d from him\n", len(f.Games), f.Sent, f.Received)
			}
			if err == nil && f.Waiting > 0 {
				return fmt.Errorf("%d mails to him are still on their way: say it again when they are gone", f.Waiting)
			}
			return err
		})
	}
	known := err == nil && len(words) == 1 && slices.Contains([]string{"invite", "add", "key"}, words[0])
	if !known || s.Game == "" || s.Side == "" || s.Address == "" && words[0] != "key" || s.Key == "" && words[0] != "invite" {
		return orUsage(err, "player invite needs --game, --side and --email; player add --key besides; player key needs --game, --side and --key; player second needs --game, --side and --email; player forget needs --email")
	}
	if words[0] == "invite" {
		return atDesk(*config, func(d *umpire.Desk) error {
			err := d.Invite(s)
			if err == nil {
				fmt.Printf("%s is invited to play %s in game %s; the letter with the code is on its way as soon as the daemon runs\n", s.Address, strings.ToUpper(s.Side), strings.ToUpper(s.Game))
			}
			return err
		})
	}
	if s.Key == umpire.ByCodes {
		// no file
	} else if text, err := os.ReadFile(s.Key); err == nil {
		s.Key = strings.TrimSpace(string(text))
	} else if !strings.Contains(s.Key, " ") {
		return fmt.Errorf("--key: %w", err)
	}
	return atDesk(*config, func(d *umpire.Desk) error {
		if words[0] == "key" {
			err := d.SetKey(s)
			if err == nil {
				fmt.Printf("%s in game %s signs with another key from now on; all players are told\n", strings.ToUpper(s.Side), strings.ToUpper(s.Game))
			}
			return err
		}
		err := d.AddPlayer(s)
		if err == nil {
			fmt.Printf("%s plays %s in game %s; the invitation is on its way as soon as the daemon runs\n", s.Address, strings.ToUpper(s.Side), strings.ToUpper(s.Game))
		}
		return err
	})
}
