package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strconv"

	"fieldpost/cmdline"
	"fieldpost/trial"
	"fieldpost/trial/arena"
	"fieldpost/umpire/match"
)

// settings is what the flags of a trial say.
type settings struct {
	trial.Trial
	system, scenario, full string
	data                   string
	days                   int
	clubs, seconds, rate   int
	places                 int
	daemons, faults        int
	arena                  arena.Options
	folders                cmdline.Folders
	options                []string
}

// flags are the frame of those that the command takes.
func (s *settings) flags(c command) *flag.FlagSet {
	f := flag.NewFlagSet(c.name, flag.ContinueOnError)
	f.SetOutput(s.Progress)
	f.Usage = func() {
		fmt.Fprintf(s.Progress, "fieldpost-trial %s: %s\n\nflags:\n", c.name, c.brief)
		f.PrintDefaults()
		fmt.Fprintf(s.Progress, "\nexample: %s\n", c.example)
	}
	return f
}

// setUp declares the flags of a command.
func (s *settings) setUp(c command) func(*flag.FlagSet) cmdline.Action {
	return func(f *flag.FlagSet) cmdline.Action {
		for _, name := range c.flags {
			s.add(f, name)
		}
		return func(ctx context.Context, words []string) error {
			if len(words) > 0 {
				return cmdline.Usagef("%q is not understood", words[0])
			}
			return c.run(ctx, s)
		}
	}
}

// add declares a flag by its name, or those of the folders.
func (s *settings) add(f *flag.FlagSet, name string) {
	switch name {
	case "system":
		f.StringVar(&s.system, name, "wb95", "`ID` of the rules system")
	case "scenario":
		f.StringVar(&s.scenario, name, "", "`ID` of the only scenario (default: all of the system in turn; of club prokhorovka)")
	case "full":
		f.StringVar(&s.full, name, "", "`ID` of the scenario of every twentieth game (default: none)")
	case "games":
		f.IntVar(&s.Games, name, 100, "games to play; of staff: of each staff against each opponent; of club: live at once")
	case "count":
		f.IntVar(&s.Count, name, 10000, "illegal orders, pairs of positions or forged mails to try")
	case "sheets":
		f.IntVar(&s.Count, name, 2000, "sheets to try")
	case "pairs":
		f.IntVar(&s.Count, name, 2000, "pairs of games to play")
	case "duels":
		f.IntVar(&s.Count, "pairs", 20, "pairs of games of each scenario at most")
	case "a", "b":
		s.contender(f, name)
	case "all":
		f.BoolVar(&s.arena.All, name, false, "play all pairs, decided or not")
	case "fresh":
		f.IntVar(&s.arena.Fresh, name, 0, "on how many fresh positions plans are tried once more that the first one has chosen: do they lead there, too? 0 tries none")
	case "tell":
		f.StringVar(&s.arena.Tell, name, "", "`FOLDER` into which all reports and sheets of the games are written (default: none)")
	case "schedules":
		f.IntVar(&s.Count, name, 10000, "schedules of faults to play")
	case "seeds":
		f.IntVar(&s.Count, name, 1000, "weeks to play, each of its own seed")
	case "fills":
		f.IntVar(&s.Count, name, 50, "how often a disk is filled")
	case "seed":
		f.IntVar(&s.Seed, name, 1, "number of the first game or schedule: the seed of its dice and orders")
	case "turns":
		f.IntVar(&s.Turns, name, 0, "stop a game after so many turns; 0 plays to the verdict")
	case "days":
		f.IntVar(&s.days, name, 365, "days of the virtual clock")
	case "data":
		f.StringVar(&s.data, name, "", "`FOLDER` to be made, in which the club stays when all is over (default: one in memory that is removed)")
	case "clubs":
		f.IntVar(&s.clubs, name, 20, "clubs in one daemon")
	case "seconds":
		f.IntVar(&s.seconds, name, 120, "how long the clubs play before one is flooded, and how long while it is")
	case "rate":
		f.IntVar(&s.rate, name, 10, "mails a second of the flood")
	case "places":
		f.IntVar(&s.places, name, 0, "how much heavy work is done at once: 0 for as much as there are processors, 1000 for no bound")
	case "daemons":
		f.IntVar(&s.daemons, name, 4, "daemons over one database")
	case "faults":
		f.IntVar(&s.faults, name, 1000, "faults to happen")
	case "ocr":
		f.BoolVar(&s.OCR, name, false, "have tesseract read the names and numbers of the close-ups as well")
	case "option":
		f.Func(name, "an option of the games, `NAME=VALUE`", func(text string) error { s.options = append(s.options, text); return nil })
	case "folders":
		s.folders.Add(f)
	default:
		panic("no flag " + name)
	}
}

// contender declares the flag of who plays in the arena.
func (s *settings) contender(f *flag.FlagSet, name string) {
	into, usual := &s.arena.A, "chief"
	if name == "b" {
		into, usual = &s.arena.B, "cadet"
	}
	*into, _ = arena.ParseContender(usual)
	f.Func(name, "`STRENGTH` of an officer, as in chief, or chief@450 with so many units of work a sheet, or chief:bold with that as the usual plan (default "+usual+")", func(text string) (err error) {
		*into, err = arena.ParseContender(text)
		return err
	})
}

// ofSystem tells whether a system's scenarios are tried: without a flag for the system all are.
func (s *settings) ofSystem(id string) bool { return s.system == "" || s.system == id }

// choose finds the scenarios, and checks the options of their games.
func (s *settings) choose() error {
	library, err := s.folders.Open()
	if err != nil {
		return err
	}
	s.Load = library.Game
	infos, err := library.List()
	if err != nil {
		return err
	}
	for _, in := range infos {
		if s.ofSystem(in.System) && (s.scenario == "" || in.ID == s.scenario) {
			s.Scenarios = append(s.Scenarios, in.ID)
		}
	}
	if len(s.Scenarios) == 0 {
		return cmdline.Usagef("no scenario %s of %s", s.scenario, s.system)
	}
	if s.Options, err = match.ParseOptions(s.options); err != nil {
		return err
	}
	for _, id := range s.Scenarios {
		if err := library.CheckOptions(id, s.Options); err != nil {
			return err
		}
	}
	return nil
}

// clubsDaemon is the command line of clubs-daemon in a process of its own, but for the configuration.
func (s *settings) clubsDaemon() ([]string, error) {
	self, err := os.Executable()
	return []string{self, "clubs-daemon", "--clubs", strconv.Itoa(s.clubs), "--places", strconv.Itoa(s.places), "--config"}, err
}

// daemon is the command line of club-daemon in a process of its own.
func (s *settings) daemon() ([]string, error) {
	self, err := os.Executable()
	argv := []string{self, "club-daemon", "--seed", strconv.Itoa(s.Seed), "--data", s.data}
	return append(argv, s.folders.Args()...), err
}
