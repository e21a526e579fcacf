package main

import (
	"context"
	"errors"
	"flag"
	"slices"
	"strings"
	"testing"

	"fieldpost/cmdline"
)

// The commands differ in name and say what they are for; a command line that begins with
// each is led to it.
func TestTreeOfCommands(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range commands() {
		if seen[c.name] || c.brief == "" || strings.HasSuffix(c.brief, ".") || c.setUp == nil {
			t.Errorf("%q is there twice, or is not whole", c.name)
		}
		seen[c.name] = true
		if err := c.run(context.Background(), []string{"--no-such-flag"}); !errors.Is(err, cmdline.ErrUsage) {
			t.Errorf("%s takes a flag that it does not have: %v", c.name, err)
		}
		if err := c.run(context.Background(), []string{"x", "y", "--help"}); !errors.Is(err, flag.ErrHelp) {
			t.Errorf("%s does not help: %v", c.name, err)
		}
	}
	if len(seen) < 28 {
		t.Errorf("there are %d commands", len(seen))
	}
}

// Flags and words may stand in any order.
func TestFlagsStandAnywhere(t *testing.T) {
	for _, line := range []string{"a b --n 3 --s", "--n 3 a --s b", "a --s b --n=3"} {
		f := flag.NewFlagSet("test", flag.ContinueOnError)
		n, s := f.Int("n", 0, ""), f.Bool("s", false, "")
		words, err := cmdline.Parse(f, strings.Fields(line))
		if err != nil || !slices.Equal(words, []string{"a", "b"}) || *n != 3 || !*s {
			t.Errorf("%s: %q, %d, %v, %v", line, words, *n, *s, err)
		}
	}
}

// The exit code tells a mail server and a script what became of the command.
func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
	}{{nil, 0}, {flag.ErrHelp, 0}, {errors.New("no"), 1}, {cmdline.Usagef("say more"), 2}, {tryAgain{errors.New("later")}, 75}} {
		if got := (command{name: "test"}).exit(c.err); got != c.want {
			t.Errorf("%v: %d, not %d", c.err, got, c.want)
		}
	}
}

// What an act about a player needs are flags of the command, its synopsis names the acts,
// and none is carried out without what it needs.
func TestActsAboutPlayers(t *testing.T) {
	i := slices.IndexFunc(commands(), func(c command) bool { return c.name == "player" })
	c := commands()[i]
	if got := verbs(c); len(got) != len(seatActs) {
		t.Errorf("the synopsis names %q", got)
	}
	given := map[string]string{"game": "G", "side": "S", "email": "a@example.org", "key": "ssh-ed25519 AAAA"}
	for word, act := range seatActs {
		if !slices.Contains(verbs(c), word) {
			t.Errorf("the synopsis does not name %s", word)
		}
		for _, left := range act.needs {
			if c.flags().Lookup(left) == nil {
				t.Errorf("%s needs --%s, which is no flag", word, left)
			}
			args := []string{word, "--config", "no-such-file.toml"}
			for _, name := range act.needs {
				if name != left {
					args = append(args, "--"+name, given[name])
				}
			}
			if err := c.run(context.Background(), args); !errors.Is(err, cmdline.ErrUsage) {
				t.Errorf("%q is taken: %v", args, err)
			}
			if err := c.run(context.Background(), append(args, "--"+left, given[left])); err == nil || errors.Is(err, cmdline.ErrUsage) {
				t.Errorf("%q with --%s is not taken: %v", args, left, err)
			}
		}
	}
}

func TestWaysToASeat(t *testing.T) {
	for _, c := range []struct {
		s    seatClaim
		want bool
	}{
		{seatClaim{game: "G", side: "S", code: "c"}, true},
		{seatClaim{game: "G", side: "S", code: "c", sealed: true}, true},
		{seatClaim{game: "G", side: "S", spare: "c"}, true},
		{seatClaim{game: "G", side: "S", reveal: true}, true},
		{seatClaim{side: "S", code: "c"}, false},
		{seatClaim{game: "G", code: "c"}, false},
		{seatClaim{game: "G", side: "S"}, false},
		{seatClaim{game: "G", side: "S", code: "c", spare: "c"}, false},
		{seatClaim{game: "G", side: "S", code: "c", reveal: true}, false},
		{seatClaim{game: "G", side: "S", spare: "c", sealed: true}, false},
	} {
		if got := c.s.complete(); got != c.want {
			t.Errorf("%+v: %v", c.s, got)
		}
	}
}
