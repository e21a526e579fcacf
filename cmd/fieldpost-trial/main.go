// Command fieldpost-trial tries the product: the rules with random play and illegal
// orders, the fog, the mail with faults and forgeries, a year of a club. What it finds it
// says with the seed that shows it again. Nothing of it is in the product.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"fieldpost/cmdline"
	"fieldpost/desk/practice"
	"fieldpost/hosting"
	"fieldpost/trial"
	"fieldpost/trial/arena"
	"fieldpost/trial/checks"
	"fieldpost/trial/club"
	"fieldpost/trial/clubs"
	"fieldpost/trial/cluster"
	"fieldpost/trial/combats"
	"fieldpost/trial/deadlines"
	"fieldpost/trial/engine"
	"fieldpost/trial/fog"
	"fieldpost/trial/forgeries"
	"fieldpost/trial/full"
	"fieldpost/trial/histories"
	"fieldpost/trial/law"
	"fieldpost/trial/mail"
	"fieldpost/trial/names"
	"fieldpost/trial/offers"
	"fieldpost/trial/pictures"
	"fieldpost/trial/referee"
	"fieldpost/trial/rollbacks"
	"fieldpost/trial/scale"
	"fieldpost/trial/secrets"
	"fieldpost/trial/sim"
)

// command is a subcommand.
type command struct {
	name, brief string
	flags       []string // of those in settings.add
	example     string
	run         func(ctx context.Context, s *settings) error
}

// of are flags of every trial that plays scenarios of a system in turn.
var of = []string{"system", "scenario", "option", "folders", "seed"}

func commands() []command {
	with := func(more ...string) []string { return append(more, of...) }
	return []command{
		{"random", "random legal play, every phase audited and repeated from its journal", with("games"),
			"fieldpost-trial random --games 1000", inTurn(engine.RandomPlay)},
		{"mutants", "legal sheets with one thing made illegal: none may stand", with("count", "turns"),
			"fieldpost-trial mutants --system steppe --count 100000", inTurn(engine.Mutants)},
		{"staff", "the staff officer against random orders and against nobody", with("games"),
			"fieldpost-trial staff --games 30", inTurn(engine.Staff)},
		{"arena", "two strengths of staff officers, in pairs of games with the same dice and sides exchanged, until it is decided who is better", with("a", "b", "duels", "turns", "all", "fresh", "tell"),
			"fieldpost-trial arena --system steppe --a chief@450 --b cadet --pairs 20", pairOff},
		{"habits", "what a good player does less of, counted in games of a cadet and two others against cadets", with("a", "b", "duels", "turns"),
			"fieldpost-trial habits --system steppe --scenario star-and-gallop --a chief@4000 --b officer@2000 --pairs 3", countHabits},
		{"referee", "every move of random play and of the staff judged a second time, from the books alone", []string{"system", "scenario", "folders", "seed", "games", "turns"},
			"fieldpost-trial referee --system famous --games 100", judgeMoves},
		{"combats", "every combat of games of the staff fought again, from the words of the mails and the books' tables", []string{"system", "scenario", "folders", "seed", "games", "turns"},
			"fieldpost-trial combats --system steppe --games 30", judgeCombats},
		{"fog", "pairs of positions that a side must not be able to tell apart", with("games", "count"),
			"fieldpost-trial fog --system famous --count 10000", inTurn(fog.Run)},
		{"names", "every name that is printed of a unit, in an order: all are taken, by that unit", of,
			"fieldpost-trial names --system steppe", inTurn(names.Run)},
		{"offers", "what the guide offers, on sheets of random play and of the staff: the check must accept it, and nothing else", with("count", "turns"),
			"fieldpost-trial offers --system wb95 --count 50000", inTurn(offers.Run)},
		{"pictures", "the pictures of reports: every own unit named, nothing over a name, no hex too small to read; with --ocr the names and numbers read by tesseract", with("ocr"),
			"fieldpost-trial pictures --system steppe", inTurn(pictures.Run)},
		{"checks", "sheets checked at home and filed by mail: both answers must be the same", with("count", "turns"),
			"fieldpost-trial checks --system famous --count 2000", inTurn(checks.Run)},
		{"demos", "every order mail of the demos of all scenarios checked at home and filed: both answers must be the same", []string{"scenario", "option", "folders", "seed", "turns"},
			"fieldpost-trial demos", inTurn(checks.RunDemos)},
		{"wasm", "the sheets of checks judged by the order desk, here and by its engine for browsers in node: the same bytes", with("count", "turns"),
			"fieldpost-trial wasm --system wb95 --count 4000", inTurn(checks.RunWasm)},
		{"thoughts", "the sheets of staff officers who rehearse, written by the order desk's engine here and in node: the same bytes", with("a", "sheets", "turns"),
			"fieldpost-trial thoughts --system steppe --a officer@2000 --sheets 500", thinkTwice},
		{"law", "random sheets of the games with chits: what the answer called OK is carried out when its chit is drawn", with("sheets", "turns"),
			"fieldpost-trial law --system steppe --sheets 2000", inTurn(law.Run)},
		{"secrets", "whole games by mail, every mail searched for what its reader may not know", with("games", "turns"),
			"fieldpost-trial secrets --games 100", inTurn(secrets.Run)},
		{"histories", "pairs of games that differ in what the enemy did beside: nothing that a side gets may tell them apart", with("pairs", "turns"),
			"fieldpost-trial histories --system famous --pairs 2000", tellApart},
		{"rollbacks", "games that a moderator sets back and forth, copies and edits: all that tells of them must agree with what was done", with("games"),
			"fieldpost-trial rollbacks --system wb95 --games 200", setBack},
		{"mail", "mail over servers in which everything goes wrong", []string{"schedules", "seed"},
			"fieldpost-trial mail --schedules 10000", func(ctx context.Context, s *settings) error { return mail.Run(ctx, &s.Trial) }},
		{"sim", "weeks of the daemon over a simulated clock, disk, IMAP and SMTP: nothing lost, doubled, early or late", []string{"seeds", "seed"},
			"fieldpost-trial sim --seeds 100000", func(ctx context.Context, s *settings) error { return sim.Run(ctx, &s.Trial) }},
		{"deadlines", "sheets around deadlines, of daemons whose clocks are apart: what arrived before counts, nothing after", []string{"count", "seed"},
			"fieldpost-trial deadlines --count 10000", func(ctx context.Context, s *settings) error { return deadlines.Run(ctx, &s.Trial) }},
		{"full", "the disk fills under running daemons: nothing lost, and status says so (as root: it mounts small disks)", []string{"fills"},
			"fieldpost-trial full --fills 50", func(ctx context.Context, s *settings) error { return full.Run(ctx, &s.Trial) }},
		{"forgeries", "mails by nobody who may send them: none may change a game", []string{"count", "seed"},
			"fieldpost-trial forgeries --count 10000", func(ctx context.Context, s *settings) error { return forgeries.Run(ctx, &s.Trial) }},
		{"club", "a year of a club: games with deadlines under a virtual clock", []string{"scenario", "full", "games", "days", "seed", "data", "folders"},
			"fieldpost-trial club --games 5 --dir mine --scenario lipowka", playClub},
		{"clubs", "many clubs in one daemon, one of them flooded: how long the players of the others wait", []string{"clubs", "seconds", "rate", "places", "seed"},
			"fieldpost-trial clubs --clubs 20 --rate 10", playClubs},
		{"clubs-daemon", "the process of the daemon in clubs", []string{"clubs", "places", "folders"},
			"fieldpost-trial clubs-daemon --config house.toml", clubsDaemon},
		{"cluster", "games under several daemons over one database that are killed and stopped, with lost primaries and cut connections: nothing lost, doubled or misdirected", []string{"games", "daemons", "faults", "turns", "seed"},
			"fieldpost-trial cluster --games 20 --faults 1000", playCluster},
		{"scale", "what a closing sheet costs a daemon and a database, and how a day of a million games goes with that", []string{"games"},
			"fieldpost-trial scale --games 64", func(ctx context.Context, s *settings) error { return scale.Run(ctx, &s.Trial) }},
		{"cluster-daemon", "the process of a daemon in cluster", []string{"folders"},
			"fieldpost-trial cluster-daemon --config config.toml", clusterDaemon},
		{"club-daemon", "the process of the umpire in club, asked over its standard input and output", []string{"seed", "data", "folders"},
			"fieldpost-trial club-daemon --seed 1", clubDaemon},
	}
}

// inTurn carries out a trial over the scenarios of a system in turn.
func inTurn(try func(context.Context, *trial.Trial) error) func(context.Context, *settings) error {
	return func(ctx context.Context, s *settings) error {
		if err := s.choose(); err != nil {
			return err
		}
		return try(ctx, &s.Trial)
	}
}

// pairOff has two staff officers play pairs of games.
func pairOff(ctx context.Context, s *settings) error {
	if err := s.choose(); err != nil {
		return err
	}
	if s.arena.Fresh < 0 {
		return cmdline.Usagef("--fresh %d: write how many positions, 0 for none", s.arena.Fresh)
	}
	s.arena.Pairs, s.arena.First = s.Count, s.Seed
	return arena.Run(ctx, &s.Trial, s.arena)
}

// countHabits has officers of all strengths play against cadets.
func countHabits(ctx context.Context, s *settings) error {
	if err := s.choose(); err != nil {
		return err
	}
	return arena.Habits(ctx, &s.Trial, s.arena, s.Count)
}

// thinkTwice has staff officers of a strength write their sheets here and in wasm.
func thinkTwice(ctx context.Context, s *settings) error {
	if err := s.choose(); err != nil {
		return err
	}
	if s.arena.A.Usual != "" {
		return fmt.Errorf("thoughts are of officers who know the scenarios: write --a %s", s.arena.A.Strength)
	}
	return checks.RunThoughts(ctx, &s.Trial, practice.Choice{Strength: s.arena.A.Strength, Units: s.arena.A.Units})
}

// judgeMoves has the referee judge the moves of games of a system.
func judgeMoves(ctx context.Context, s *settings) error {
	open, err := s.files()
	if err != nil {
		return err
	}
	return referee.Run(ctx, &s.Trial, open)
}

// judgeCombats has the combats of games of a system fought again.
func judgeCombats(ctx context.Context, s *settings) error {
	open, err := s.files()
	if err != nil {
		return err
	}
	return combats.Run(ctx, &s.Trial, open)
}

// tellApart has pairs of games compared.
func tellApart(ctx context.Context, s *settings) error {
	if err := s.choose(); err != nil {
		return err
	}
	library, err := s.folders.Open()
	if err != nil {
		return err
	}
	return histories.Run(ctx, &s.Trial, library)
}

// setBack has games set back and forth.
func setBack(ctx context.Context, s *settings) error {
	if err := s.choose(); err != nil {
		return err
	}
	library, err := s.folders.Open()
	if err != nil {
		return err
	}
	return rollbacks.Run(ctx, &s.Trial, library)
}

// files chooses the scenarios, and is how their files are opened.
func (s *settings) files() (trial.Open, error) {
	if err := s.choose(); err != nil {
		return nil, err
	}
	library, err := s.folders.Open()
	if err != nil {
		return nil, err
	}
	return trial.Files(library), nil
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, out, progress io.Writer) int {
	if cmdline.AsksForHelp(args) {
		usage(out)
		return 0
	}
	for _, c := range commands() {
		if c.name != args[0] {
			continue
		}
		s := &settings{}
		s.Out, s.Progress = out, progress
		err := cmdline.Run(ctx, s.flags(c), s.setUp(c), args[1:])
		switch code := cmdline.Code(err); {
		case code == 0:
			return 0
		case errors.Is(err, cmdline.ErrUsage):
			fmt.Fprintf(progress, "fieldpost-trial %s: %v\nfieldpost-trial %s --help lists its flags\n", c.name, err, c.name)
			return code
		default:
			fmt.Fprintf(progress, "fieldpost-trial %s: %v\n", c.name, err)
			return code
		}
	}
	fmt.Fprintf(progress, "fieldpost-trial: no trial %q; fieldpost-trial help lists them\n", args[0])
	return 2
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "fieldpost-trial tries fieldpost; what it finds it says with the seed that shows it again.\n\ntrials:")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-12s %s\n", c.name, c.brief)
	}
	fmt.Fprintln(w, "\nfieldpost-trial TRIAL --help lists the flags of a trial.")
}

// playClub plays a year of a club, its daemon in a process of its own, and prints what
// came of it.
func playClub(ctx context.Context, s *settings) error {
	library, err := s.folders.Open()
	if err != nil {
		return err
	}
	if _, err := os.Stat(s.data); s.data != "" && err == nil {
		return cmdline.Usagef("%s is there already: with --data name a folder that is to be made", s.data)
	}
	o := club.Options{Library: library, Small: s.scenario, Full: s.full, Games: s.Games, Days: s.days, Seed: uint64(s.Seed), Data: s.data, Progress: s.Progress}
	if o.Small == "" {
		o.Small = "prokhorovka"
	}
	if o.Daemon, err = s.daemon(); err != nil {
		return err
	}
	tally, err := club.Play(ctx, o)
	if tally.Games > 0 {
		fmt.Fprintln(s.Out, tally)
	}
	if err == nil && tally.Bad() > 0 {
		err = fmt.Errorf("%d things came out wrong", tally.Bad())
	}
	return err
}

// clubDaemon is the process that club asks.
func clubDaemon(_ context.Context, s *settings) error {
	library, err := s.folders.Open()
	if err != nil {
		return err
	}
	if os.Getenv("GOMEMLIMIT") == "" { // as the product's daemon has it
		debug.SetMemoryLimit(144 << 20)
	}
	d, err := club.NewDaemon(library, uint64(s.Seed), s.data)
	if err != nil {
		return err
	}
	return errors.Join(d.Serve(os.Stdin, os.Stdout), d.Close())
}

// playClubs floods one of many clubs, their daemon in a process of its own.
func playClubs(ctx context.Context, s *settings) error {
	o := clubs.Options{Clubs: s.clubs, Quiet: time.Duration(s.seconds) * time.Second, Every: 10 * time.Second, Rate: s.rate, Seed: uint64(s.Seed), Progress: s.Progress}
	var err error
	if o.Daemon, err = s.clubsDaemon(); err != nil {
		return err
	}
	tally, err := clubs.Play(ctx, o)
	if err != nil {
		return err
	}
	fmt.Fprintln(s.Out, tally)
	if tally.Unanswered+len(tally.Crossed) > 0 {
		return fmt.Errorf("%d sheets were not answered, %d mails are in a wrong club", tally.Unanswered, len(tally.Crossed))
	}
	return nil
}

// playCluster plays games under several daemons to which all happens that can.
func playCluster(ctx context.Context, s *settings) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	tally, err := cluster.Play(ctx, cluster.Options{Games: s.Games, Daemons: s.daemons, Turns: s.Turns, Faults: s.faults, Pause: time.Minute,
		Seed: uint64(s.Seed), Daemon: []string{self, "cluster-daemon", "--config"}, Progress: s.Progress})
	if err != nil {
		return err
	}
	fmt.Fprintln(s.Out, tally)
	if len(tally.Wrong) > 0 {
		return fmt.Errorf("%d things went wrong", len(tally.Wrong))
	}
	return nil
}

// clusterDaemon is a daemon of cluster.
func clusterDaemon(_ context.Context, s *settings) error {
	return cluster.Serve(s.folders.Config, s.Progress)
}

// clubsDaemon is the daemon of clubs.
func clubsDaemon(ctx context.Context, s *settings) error {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	hosting.Frugal(s.clubs) // as the product's daemon
	return clubs.Serve(ctx, s.folders.Config, s.places)
}
