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

	_ "golang.org/x/crypto/x509roots/fallback" // for machines without a list of certificate authorities

	"fieldpost/cmdline"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:]))
}

func run(ctx context.Context, args []string) int {
	if cmdline.AsksForHelp(args) {
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
	return cmdline.Run(ctx, f, c.setUp, args)
}

// exit says what went wrong, and the program's exit code.
func (c command) exit(err error) int {
	code := cmdline.Code(err)
	if code == 0 {
		return 0
	}
	if errors.Is(err, cmdline.ErrUsage) {
		fmt.Fprintf(os.Stderr, "fieldpost %s: %s\nusage: fieldpost %s %s\nfieldpost %s --help tells more, with examples\n", c.name, strings.TrimPrefix(err.Error(), "usage: "), c.name, c.args, c.name)
		return code
	}
	fmt.Fprintf(os.Stderr, "fieldpost %s: %v\n", c.name, err)
	if errors.As(err, new(tryAgain)) {
		return 75 // EX_TEMPFAIL: the mail server keeps the message and tries again
	}
	return code
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "fieldpost adjudicates hex-and-counter wargames by e-mail.\n\ncommands:")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-10s %s\n", c.name, c.brief)
	}
	fmt.Fprintln(w, "\nfieldpost COMMAND --help tells the words and flags of a command, with examples.\nfieldpost demo plays a whole game on this machine, without any set-up.")
}
