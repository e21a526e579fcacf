package main

import (
	"context"
	"os"

	"fieldpost/internal/rules"
)

func rulebook(_ context.Context, args []string) error {
	f := flags("rules")
	system := f.String("system", "wb95", "the system")
	format := f.String("format", "text", "coverage: text or tsv")
	chapter := f.Int("chapter", 0, "coverage: only this chapter")
	var a rules.Attack
	f.IntVar(&a.Attack, "attack", 0, "odds: strength points of the attack, after every halving")
	f.IntVar(&a.Defence, "defend", 0, "odds: strength points of the defence")
	f.IntVar(&a.CMAttack, "cm-attack", 0, "odds: column modifiers of the attacker")
	f.IntVar(&a.CMDefence, "cm-defend", 0, "odds: column modifiers of the defender")
	f.IntVar(&a.DRM, "drm", 0, "odds: what is added to the dice, -1 for a led attacker, +1 for a led defender")
	words, err := parse(f, args)
	if err != nil || len(words) == 0 {
		return orUsage(err, "say coverage, rulings, cases or odds")
	}
	if *format != "text" && *format != "tsv" {
		return usagef("--format is text or tsv")
	}
	if words[0] == "odds" && len(words) == 1 {
		if a.Attack <= 0 || a.Defence < 0 {
			return usagef("odds needs --attack N and --defend N")
		}
		return rules.PrintOdds(os.Stdout, *system, a)
	}
	b, err := rules.Load(*system)
	if err != nil {
		return err
	}
	switch {
	case words[0] == "coverage" && len(words) == 1:
		return b.Coverage(os.Stdout, *format, *chapter)
	case words[0] == "rulings" && len(words) == 1:
		return b.Rulings(os.Stdout)
	case words[0] == "cases" && len(words) == 1:
		return b.PrintCases(os.Stdout, "")
	case words[0] == "cases" && len(words) == 2:
		return b.PrintCases(os.Stdout, words[1])
	}
	return usagef("%q is not understood", words[0])
}
