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
	"fieldpost/rulebook/mutation"
)

func rulesCommand(f *flag.FlagSet) cmdline.Action {
	system := f.String("system", "wb95", "the system")
	format := f.String("format", "text", "coverage: text or tsv")
	chapter := f.Int("chapter", 0, "coverage: only this chapter")
	mutate := f.Bool("break", false, "coverage: in the sources, change what cited functions do, one change at a time; a case must fail for each")
	var c mutation.Choice
	f.IntVar(&c.Sample, "sample", 0, "coverage --break: try so many changes, 0 for all")
	f.Uint64Var(&c.Seed, "seed", 1, "coverage --break: chooses the sample")
	f.StringVar(&c.List, "resume", "", "coverage --break: leave in this file what came of each change, and go on from it")
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
		case line == "coverage" && *mutate:
			c.Chapter = *chapter
			return tryMutants(b, *system, c)
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

// tryMutants changes cited functions in the sources, which it looks for in the folder at
// hand and those above it.
func tryMutants(b *rulebook.Book, system string, c mutation.Choice) error {
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
	survived, err := mutation.Try(os.Stdout, dir, b.Name, c)
	if err == nil && survived > 0 {
		err = fmt.Errorf("%d changes go unnoticed by the numbered cases", survived)
	}
	return err
}
