// Package cmdline is what the command lines of all programs of the project have in
// common: flags among other words, what a wrong line comes to, exit codes, and the folders
// that are laid over the scenarios.
package cmdline

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
)

// ErrUsage says that the words of the command line were off.
var ErrUsage = errors.New("usage")

// Usagef is an ErrUsage that says what was off.
func Usagef(format string, a ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrUsage}, a...)...)
}

// Action carries a command out once its flags are read, with the other words of its
// command line.
type Action func(ctx context.Context, words []string) error

// Run reads the words and flags behind a command's name and carries the command out.
// setUp declares its flags; what it returns carries it out.
func Run(ctx context.Context, f *flag.FlagSet, setUp func(*flag.FlagSet) Action, args []string) error {
	act := setUp(f)
	words, err := Parse(f, args)
	if err != nil {
		return err
	}
	return act(ctx, words)
}

// Parse reads flags wherever they stand, before and after words, and returns the words.
func Parse(f *flag.FlagSet, args []string) ([]string, error) {
	var words []string
	for {
		err := f.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			return nil, err
		}
		if err != nil {
			return nil, Usagef("%v", err)
		}
		if f.NArg() == 0 {
			return words, nil
		}
		words = append(words, f.Arg(0))
		args = f.Args()[1:]
	}
}

// AsksForHelp tells whether a program's command line names no command but asks what there is.
func AsksForHelp(args []string) bool {
	return len(args) == 0 || slices.Contains([]string{"help", "--help", "-h"}, args[0])
}

// Code is a program's exit code for what became of a command.
func Code(err error) int {
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, ErrUsage):
		return 2
	}
	return 1
}
