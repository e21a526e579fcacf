// Command fieldpost adjudicates hex-and-counter wargames by e-mail.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// command is a subcommand. Its run function gets the words after its name.
type command struct {
	name, args, brief string
	run               func(ctx context.Context, args []string) error
}

var commands = []command{
	{"demo", "[--scenario ID] [--turns N] [--seed N] [--mode ASK] [--out DIR]", "play a whole game by mail between two automatic staffs", playDemo},
	{"serve", "--config config.toml", "run the daemon against a mail account", serve},
	{"doctor", "--config config.toml [--wait 2m]", "try the mail account and say in plain words what is wrong", doctor},
	{"ingest", "--config config.toml < MESSAGE", "take one message from a mail server's pipe", ingest},
	{"game", "new|options|list|show|phases|resume|migrate|extend|pause|rollback|...", "create games, look at them, mend them, let a stopped or older one go on", game},
	{"status", "[--watch] [--all] [--format text|json|tsv]", "all games at one look, the worst first", status},
	{"web", "password", "make the hash of a password for the web page", webCommand},
	{"audit", "[GAME]", "what moderators did, and whether the log of it is whole", audit},
	{"ladder", "[--results] [--format text|csv|json]", "the club's ladder with how reliable its players are; results", ladder},
	{"player", "invite|add|key|second|forget", "invite a player to join by mail, seat one, enrol another key or a second address", player},
	{"store", "check|stats|compact|prune [--config config.toml]", "audit the database, count, free room, drop old mails", storeCommand},
	{"backup", "FILE [--config config.toml]", "copy everything while the daemon runs, or not", backup},
	{"replay", "GAME|ARCHIVE [--dice] | --shadow", "derive a game's positions again and compare", replay},
	{"archive", "GAME [FILE]", "write a game as one signed file that proves itself", archiveCommand},
	{"album", "GAME [--side S] [--out DIR]", "write a game as pages to leaf through, and its animated map", album},
	{"keygen", "[--out FILE]", "make a signing key", keygen},
	{"enrol", "--game ID --side SIDE --code CODE", "the signed mail by which you join a game, with a new key if you have none", enrol},
	{"orders", "check FILE --view view.json | template --view view.json", "judge a sheet without sending it; a sheet to fill in", ordersCommand},
	{"press", "LETTER [--to SIDE]", "a letter to other players, for a sheet that you sign", press},
	{"sign", "FILE [--press LETTER [--to SIDE]]", "turn an order sheet into a signed block to mail", sign},
	{"verify", "FILE.eml|ARCHIVE [--invitation FILE.eml]", "check a report or a game's archive", verify},
	{"map", "--game ID|--scenario ID|--view FILE [--side S] [--turn N]", "draw a map: SVG, PNG, PDF", drawMap},
	{"scenario", "list|show|lint|units|map|results [ID]", "look at the scenarios, check them, try them out", scenario},
	{"rules", "coverage|rulings|cases [CLAUSE]|odds", "clauses and who plays them, rulings, cases, odds", rulesCommand},
	{"config", "describe|check [--config config.toml]", "print an annotated configuration to fill in; say what is wrong with one", configCommand},
	{"completion", "bash|zsh|fish", "print what completes command lines in a shell", completion},
	{"man", "", "print the manual page", manual},
	{"version", "", "print the version", version},
}

// errUsage says that the words of the command line were off; exit code 2.
var errUsage = errors.New("usage")

func usagef(format string, a ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{errUsage}, a...)...)
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:]))
}

func run(ctx context.Context, args []string) int {
	if len(args) == 0 || args[0] == "help" || args[0] == "--help" || args[0] == "-h" {
		usage(os.Stdout)
		return 0
	}
	for _, c := range commands {
		if c.name != args[0] {
			continue
		}
		err := c.run(ctx, args[1:])
		var again tryAgain
		switch {
		case err == nil, errors.Is(err, flag.ErrHelp):
			return 0
		case errors.Is(err, errUsage):
			fmt.Fprintf(os.Stderr, "fieldpost %s: %s\nusage: fieldpost %s %s\nfieldpost %s --help tells more, with examples\n", c.name, strings.TrimPrefix(err.Error(), "usage: "), c.name, c.args, c.name)
			return 2
		case errors.As(err, &again):
			fmt.Fprintf(os.Stderr, "fieldpost %s: %v\n", c.name, err)
			return 75 // EX_TEMPFAIL: the mail server keeps the message and tries again
		default:
			fmt.Fprintf(os.Stderr, "fieldpost %s: %v\n", c.name, err)
			return 1
		}
	}
	fmt.Fprintf(os.Stderr, "fieldpost: no command %q; fieldpost help lists them\n", args[0])
	return 2
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "fieldpost adjudicates hex-and-counter wargames by e-mail.\n\ncommands:")
	for _, c := range commands {
		fmt.Fprintf(w, "  %-10s %s\n", c.name, c.brief)
	}
	fmt.Fprintln(w, "\nfieldpost COMMAND --help tells the words and flags of a command, with examples.\nfieldpost demo plays a whole game on this machine, without any set-up.")
}

// flags makes the flag set of a command. Flags may stand before and after words.
func flags(name string) *flag.FlagSet {
	f := flag.NewFlagSet("fieldpost "+name, flag.ContinueOnError)
	f.SetOutput(os.Stdout)
	f.Usage = func() {
		for _, c := range table {
			if c.name == name {
				help(os.Stdout, c, f)
			}
		}
	}
	return f
}

// parse reads flags wherever they stand and returns the other words.
func parse(f *flag.FlagSet, args []string) ([]string, error) {
	if listing != nil {
		listing(f)
		return nil, flag.ErrHelp
	}
	var words []string
	for {
		if err := f.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, err
			}
			return nil, usagef("%v", err)
		}
		if f.NArg() == 0 {
			return words, nil
		}
		words = append(words, f.Arg(0))
		args = f.Args()[1:]
	}
}
