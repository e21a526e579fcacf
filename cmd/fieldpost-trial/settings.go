package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"

	"fieldpost/trial"
	"fieldpost/umpire"
	"fieldpost/umpire/match"
)

// settings is what the flags of a trial say.
type settings struct {
	trial.Trial
	system, scenario, full string
	days                   int
	dirs                   []string // laid over the built-in scenarios
	config                 string
	options                []string
}

// read reads a command line.
func (s *settings) read(c command, args []string) error {
	f := s.flags(c)
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	if f.NArg() > 0 {
		return fmt.Errorf("%w: %q is not understood", errUsage, f.Arg(0))
	}
	return nil
}

// flags are those that the command takes.
func (s *settings) flags(c command) *flag.FlagSet {
	f := flag.NewFlagSet(c.name, flag.ContinueOnError)
	f.SetOutput(s.Progress)
	f.Usage = func() {
		fmt.Fprintf(s.Progress, "fieldpost-trial %s: %s\n\nflags:\n", c.name, c.brief)
		f.PrintDefaults()
		fmt.Fprintf(s.Progress, "\nexample: %s\n", c.example)
	}
	for _, name := range c.flags {
		s.add(f, name)
	}
	return f
}

// add adds a flag by its name.
func (s *settings) add(f *flag.FlagSet, name string) {
	list := func(to *[]string) func(string) error {
		return func(text string) error { *to = append(*to, text); return nil }
	}
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
	case "schedules":
		f.IntVar(&s.Count, name, 10000, "schedules of faults to play")
	case "seed":
		f.IntVar(&s.Seed, name, 1, "number of the first game or schedule: the seed of its dice and orders")
	case "turns":
		f.IntVar(&s.Turns, name, 0, "stop a game after so many turns; 0 plays to the verdict")
	case "days":
		f.IntVar(&s.days, name, 365, "days of the virtual clock")
	case "option":
		f.Func(name, "an option of the games, `NAME=VALUE`", list(&s.options))
	case "dir":
		f.Func(name, "a `FOLDER` laid over the built-in scenarios; may be given several times, the first is on top", list(&s.dirs))
	case "config":
		f.StringVar(&s.config, name, "", "a daemon's configuration: its scenario_dirs are laid over as well")
	default:
		panic("no flag " + name)
	}
}

func (s *settings) library() (*match.Library, error) {
	dirs := s.dirs
	if s.config != "" {
		c, err := umpire.ReadConfig(s.config)
		if err != nil {
			return nil, err
		}
		dirs = append(dirs, c.ScenarioDirs...)
	}
	return match.NewLibrary(dirs...)
}

// choose finds the scenarios, and checks the options of their games.
func (s *settings) choose() error {
	library, err := s.library()
	if err != nil {
		return err
	}
	s.Load = library.Game
	infos, err := library.List()
	if err != nil {
		return err
	}
	for _, in := range infos {
		if in.System == s.system && (s.scenario == "" || in.ID == s.scenario) {
			s.Scenarios = append(s.Scenarios, in.ID)
		}
	}
	if len(s.Scenarios) == 0 {
		return fmt.Errorf("%w: no scenario %s of %s", errUsage, s.scenario, s.system)
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

// daemon is the command line of club-daemon in a process of its own.
func (s *settings) daemon() ([]string, error) {
	self, err := os.Executable()
	argv := []string{self, "club-daemon", "--seed", strconv.Itoa(s.Seed)}
	for _, dir := range s.dirs {
		argv = append(argv, "--dir", dir)
	}
	if s.config != "" {
		argv = append(argv, "--config", s.config)
	}
	return argv, err
}
