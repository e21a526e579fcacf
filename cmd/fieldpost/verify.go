package main

import (
	"context"
	"fmt"
	"os"

	"fieldpost/umpire"
)

func verify(_ context.Context, args []string) error {
	f := flags("verify")
	key := f.String("key", "", "the game's dice key, from the invitation")
	daemon := f.String("daemon", "", "the daemon's signing key, from the invitation")
	invitation := f.String("invitation", "", "the invitation as .eml: both keys are read from it")
	words, err := parse(f, args)
	if err != nil || len(words) == 0 {
		return orUsage(err, "name the report as you saved it, FILE.eml")
	}
	trust := umpire.Trust{DiceKey: *key, DaemonKey: *daemon}
	if *invitation != "" {
		raw, err := os.ReadFile(*invitation)
		if err != nil {
			return err
		}
		if trust, err = umpire.TrustFrom(raw); err != nil {
			return fmt.Errorf("%s: %w", *invitation, err)
		}
	}
	bad := 0
	for _, name := range words {
		raw, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		found, err := umpire.Verify(raw, trust)
		fmt.Printf("%s\n  game %s, signed by %s, %d other parts as listed, %d random events proved\n", name, found.Game, found.Signer, found.Files, found.Dice)
		for _, u := range found.Unproven {
			fmt.Println("  unproven:", u)
		}
		if err != nil {
			bad++
			fmt.Printf("  WRONG: %v\n", err)
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d reports are not in order", bad, len(words))
	}
	return nil
}
