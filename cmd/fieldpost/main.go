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
	"slices"
	"strings"
	"syscall"
)

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
	if len(args) == 0 || slices.Contains([]string{"help", "--help", "-h"}, args[0]) {
		usage(os.Stdout)
		return 0
	}
	for _, c := range commands() {
		if c.name == args[0] {
			return c.exit(c.run(ctx, args[1:]))
		}
	}
	fmt.Fprintf(os.Stderr, "fieldpost: no command %q; fieldpost help lists them\n", args[0])
	return 2
}

// run reads the words and flags behind the command's name and carries it out.
func (c command) run(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("fieldpost "+c.name, flag.ContinueOnError)
	f.SetOutput(os.Stdout)
	f.Usage = func() { c.help(os.Stdout) }
	act := c.setUp(f)
	words, err := parse(f, args)
	if err != nil {
		return err
	}
	return act(ctx, words)
}

// exit says what went wrong, and the program's exit code.
func (c command) exit(err error) int {
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
	}
	fmt.Fprintf(os.Stderr, "fieldpost %s: %v\n", c.name, err)
	return 1
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "fieldpost adjudicates hex-and-counter wargames by e-mail.\n\ncommands:")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-10s %s\n", c.name, c.brief)
	}
	fmt.Fprintln(w, "\nfieldpost COMMAND --help tells the words and flags of a command, with examples.\nfieldpost demo plays a whole game on this machine, without any set-up.")
}

// parse reads flags wherever they stand, before and after words, and returns the words.
func parse(f *flag.FlagSet, args []string) ([]string, error) {
	var words []string
	for {
		err := f.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			return nil, err
		}
		if err != nil {
			return nil, usagef("%v", err)
		}
		if f.NArg() == 0 {
			return words, nil
		}
		words = append(words, f.Arg(0))
		args = f.Args()[1:]
	}
}
