package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strconv"

	"fieldpost/trial/clubsoak"
	"fieldpost/trial/forgeries"
	"fieldpost/trial/mailsoak"
	"fieldpost/trial/secrets"
	"fieldpost/trial/soak"
	"fieldpost/umpire/match"
)

// soakCommand plays and tries the rules for as long as one likes. What it finds it
// says with the seed that shows it again.
func soakCommand(f *flag.FlagSet) action {
	var where shelfFlags
	where.add(f)
	system := f.String("system", "wb95", "rules system")
	id := f.String("scenario", "", "only this scenario (default: all of the system in turn)")
	games := f.Int("games", 100, "games to play; of staff: games of each staff against each opponent")
	count := f.Int("count", 10000, "mutated orders, or forged mails, to try; pairs of positions of fog")
	seed := f.Int("seed", 1, "number of the first game: the seed of its dice and orders")
	full := f.String("full", "", "of club: the scenario of every twentieth game (default: none)")
	days := f.Int("days", 365, "of club: days of the virtual clock")
	turns := f.Int("turns", 0, "of secrets: stop after so many turns; 0 plays to the verdict")
	var given []string
	f.Func("option", "an option of the games, name=value", func(s string) error { given = append(given, s); return nil })
	schedules := f.Int("schedules", 10000, "of mail: schedules of faults to play")
	return func(ctx context.Context, words []string) error {
		if len(words) != 1 {
			return usagef("say which soak: random, mutants, staff, fog, secrets, mail, forgeries or club")
		}
		if words[0] == "mail" {
			return mailsoak.Soak(ctx, uint64(*seed), *schedules, runtime.GOMAXPROCS(0), os.Stdout, os.Stderr)
		}
		if words[0] == "forgeries" {
			return forgeries.Soak(ctx, *count, uint64(*seed), os.Stdout)
		}
		shelf, err := where.open()
		if err != nil {
			return err
		}
		s := soak.Soaker{Load: shelf.Game, Games: *games, Count: *count, Seed: *seed, Out: os.Stdout, Progress: os.Stderr}
		switch words[0] {
		case "club":
			o := clubsoak.Options{Shelf: shelf, Small: cmp.Or(*id, "prokhorovka"), Full: *full, Games: *games, Days: *days, Seed: uint64(*seed), Progress: os.Stderr}
			if o.Daemon, err = clubDaemon(where, *seed); err != nil {
				return err
			}
			return soakClub(ctx, o)
		case "club-daemon": // the process that soak club asks
			frugal()
			d, err := clubsoak.NewDaemon(shelf, uint64(*seed))
			if err != nil {
				return err
			}
			return errors.Join(d.Serve(os.Stdin, os.Stdout), d.Close())
		}
		infos, err := shelf.List()
		if err != nil {
			return err
		}
		for _, in := range infos {
			if in.System == *system && (*id == "" || in.ID == *id) {
				s.IDs = append(s.IDs, in.ID)
			}
		}
		if len(s.IDs) == 0 {
			return usagef("no scenario %s of %s", *id, *system)
		}
		if s.Options, err = match.ParseOptions(given); err != nil {
			return err
		}
		for _, id := range s.IDs {
			if err := shelf.CheckOptions(id, s.Options); err != nil {
				return err
			}
		}
		switch words[0] {
		case "secrets":
			return secrets.Soak(ctx, s.IDs, *games, *seed, *turns, s.Options, os.Stdout, os.Stderr)
		case "random":
			return s.Random(ctx)
		case "mutants":
			return s.Mutants(ctx)
		case "fog":
			return s.Fog(ctx)
		case "staff":
			return s.Staff(ctx)
		}
		return usagef("no soak %q: random, mutants, staff, fog, secrets, mail, forgeries or club", words[0])
	}
}

// clubDaemon is the command of the daemon's process in soak club.
func clubDaemon(where shelfFlags, seed int) ([]string, error) {
	self, err := os.Executable()
	argv := []string{self, "soak", "club-daemon", "--seed", strconv.Itoa(seed)}
	for _, dir := range where.dirs {
		argv = append(argv, "--dir", dir)
	}
	if where.config != "" {
		argv = append(argv, "--config", where.config)
	}
	return argv, err
}

// soakClub plays a year of a club and prints what came of it.
func soakClub(ctx context.Context, o clubsoak.Options) error {
	tally, err := clubsoak.Play(ctx, o)
	if tally.Games > 0 {
		fmt.Println(tally)
	}
	if err == nil && tally.Bad() > 0 {
		err = fmt.Errorf("%d things came out wrong", tally.Bad())
	}
	return err
}
