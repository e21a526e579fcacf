package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"fieldpost/cmdline"
	"fieldpost/umpire/archive"
	"fieldpost/umpire/proof"
)

func verify(f *flag.FlagSet) cmdline.Action {
	key := f.String("key", "", "the game's dice key, from the invitation")
	daemon := f.String("daemon", "", "the daemon's signing key, from the invitation")
	invitation := f.String("invitation", "", "the invitation as .eml: both keys are read from it")
	return func(_ context.Context, words []string) error {
		if len(words) == 0 {
			return cmdline.Usagef("name the report as you saved it, FILE.eml, or an archive")
		}
		trust := proof.Trust{DiceKey: *key, DaemonKey: *daemon}
		if *invitation != "" {
			if *key != "" || *daemon != "" {
				return cmdline.Usagef("--invitation brings both keys: give it, or --key and --daemon")
			}
			invited, err := trustOf(*invitation)
			if err != nil {
				return err
			}
			trust = invited
		}
		bad := 0
		for _, name := range words {
			raw, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			check := verifyMail
			if archive.Is(raw) {
				check = verifyArchive
			}
			if !check(name, raw, trust) {
				bad++
			}
		}
		if bad > 0 {
			return fmt.Errorf("%d of %d files are not in order", bad, len(words))
		}
		return nil
	}
}

// trustOf reads the keys of an invitation.
func trustOf(file string) (proof.Trust, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return proof.Trust{}, err
	}
	trust, err := archive.TrustFrom(raw)
	if err != nil {
		return trust, fmt.Errorf("%s: %w", file, err)
	}
	return trust, nil
}

func verifyMail(name string, raw []byte, trust proof.Trust) bool {
	found, err := proof.Verify(raw, trust)
	fmt.Printf("%s\n  game %s, signed by %s, %d other parts as listed, %d random events proved\n", name, found.Game, found.Signer, found.Files, found.Dice)
	for _, u := range found.Unproven {
		fmt.Println("  unproven:", u)
	}
	if err != nil {
		fmt.Printf("  WRONG: %v\n", err)
	}
	return err == nil
}

func verifyArchive(name string, raw []byte, trust proof.Trust) bool {
	a, err := archive.Verify(raw, trust)
	fmt.Printf("%s\n  game %s, %s, %s, signed by %s\n", name, a.Game, a.Title, a.Status, a.Signer)
	fmt.Printf("  %d phases derived anew, %d random events proved, %d sheets signed by their players, %d reports signed and true, %d commitments kept\n",
		a.Phases, a.Rolls, a.Sheets, a.Reports, a.Commitments)
	if a.Drawn > 0 {
		fmt.Printf("  the dice are bound to %d rounds of drand; compare what sealed the orders with your mails that closed them:\n", a.Drawn)
	}
	for _, c := range a.Closings {
		fmt.Println("  orders closed:", c)
	}
	for _, u := range a.Unproven {
		fmt.Println("  unproven:", u)
	}
	if err != nil {
		fmt.Printf("  WRONG: %v\n", err)
	}
	return err == nil
}
