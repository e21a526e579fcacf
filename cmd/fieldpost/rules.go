package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"fieldpost/cmdline"
	"fieldpost/rulebook"
)

func rulesCommand(f *flag.FlagSet) cmdline.Action {
	system := f.String("system", "wb95", "the system")
	format := f.String("format", "text", "coverage: text or tsv")
	chapter := f.Int("chapter", 0, "coverage: only this chapter")
	disable := f.Int("break", 0, "coverage: in the sources, disable so many cited functions one at a time; a case must fail for each")
	seed := f.Uint64("seed", 1, "coverage --break: chooses the functions")
	var a rulebook.Attack
	f.IntVar(&a.Attack, "attack", 0, "odds: strength points of the attack, after every halving")
	f.IntVar(&a.Defence, "defend", 0, "odds: strength points of the defence")
	f.IntVar(&a.CMAttack, "cm-attack", 0, "odds: column modifiers of the attacker")
	f.IntVar(&a.CMDefence, "cm-defend", 0, "odds: column modifiers of the defender")
	f.IntVar(&a.DRM, "drm", 0, "odds: what is added to the dice, -1 for a led attacker, +1 for a led defender")
	return func(_ context.Context, words []string) error {
		if len(words) == 0 {
			return cmdline.Usagef("say coverage, rulings, cases or odds")
		}
		if *format != "text" && *format != "tsv" {
			return cmdline.Usagef("--format is text or tsv")
		}
		if strings.Join(words, " ") == "odds" {
			if a.Attack <= 0 || a.Defence < 0 {
				return cmdline.Usagef("odds needs --attack N and --defend N")
			}
			return rulebook.PrintOdds(os.Stdout, *system, a)
		}
		b, err := rulebook.Load(*system)
		if err != nil {
			return err
		}
		switch line := strings.Join(words, " "); {
		case line == "coverage" && *disable > 0:
			return disabled(b, *system, *disable, *seed)
		case line == "coverage":
			return b.Coverage(os.Stdout, *format, *chapter)
		case line == "rulings":
			return b.Rulings(os.Stdout)
		case line == "cases":
			return b.PrintCases(os.Stdout, "")
		case words[0] == "cases" && len(words) == 2:
			return b.PrintCases(os.Stdout, words[1])
		}
		return cmdline.Usagef("%q is not understood", words[0])
	}
}

// disabled disables cited functions in the sources, which it looks for in the
// folder at hand and those above it.
func disabled(b *rulebook.Book, system string, n int, seed uint64) error {
	at, err := os.Getwd()
	if err != nil {
		return err
	}
	dir := filepath.Join(at, "adjudicator", system)
	for {
		if _, err := os.Stat(filepath.Join(dir, "clauses.txt")); err == nil {
			break
		}
		if at == filepath.Dir(at) {
			return errors.New("--break works on the sources: call it in their folder")
		}
		at = filepath.Dir(at)
		dir = filepath.Join(at, "adjudicator", system)
	}
	s, err := rulebook.ReadSources(os.DirFS(dir), b.Name)
	if err != nil {
		return err
	}
	quiet, err := rulebook.Disable(os.Stdout, dir, s, n, seed)
	if err == nil && len(quiet) > 0 {
		err = fmt.Errorf("%d functions may fail without a case that notices", len(quiet))
	}
	return err
}
