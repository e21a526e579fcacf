package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"fieldpost/cmdline"
	"fieldpost/umpire"
	"fieldpost/umpire/acts"
)

// seatAct is what a moderator may do about a player: the flags that it needs, and what
// it does at the desk.
type seatAct struct {
	needs []string
	do    func(*umpire.Desk, acts.Seat) error
}

var seatActs = map[string]seatAct{
	"invite": {needs: []string{"game", "side", "email"}, do: invitePlayer},
	"add":    {needs: []string{"game", "side", "email", "key"}, do: addPlayer},
	"key":    {needs: []string{"game", "side", "key"}, do: enrolKey},
	"second": {needs: []string{"game", "side"}, do: secondAddress},
	"forget": {needs: []string{"email"}, do: forgetPlayer},
}

func player(f *flag.FlagSet) cmdline.Action {
	of := clubFlags(f)
	var s acts.Seat
	f.StringVar(&s.Game, "game", "", "the game's id")
	f.StringVar(&s.Side, "side", "", "the side to play")
	f.StringVar(&s.Name, "name", "", "the player's name")
	f.StringVar(&s.Address, "email", "", "the player's mail address")
	f.StringVar(&s.Key, "key", "", "the player's public key: a line ssh-ed25519 ..., or a file that holds it, an OpenPGP public key or a certificate; with add also the word codes, for a player who cannot sign (weak)")
	f.StringVar(&s.Sealed, "nonce-sha256", "", "with add: SHA-256 of the nonce that the player chose, hexadecimal; they open it by mail when all sides have players")
	return func(_ context.Context, words []string) error {
		act, known := seatActs[strings.Join(words, " ")]
		missing := func(name string) bool { return f.Lookup(name).Value.String() == "" }
		if !known || slices.ContainsFunc(act.needs, missing) {
			return cmdline.Usagef("player invite needs --game, --side and --email; player add --key besides; player key needs --game, --side and --key; player second needs --game, --side and --email; player forget needs --email")
		}
		if slices.Contains(act.needs, "key") {
			key, err := publicKey(s.Key)
			if err != nil {
				return err
			}
			s.Key = key
		}
		return atDesk(of, func(d *umpire.Desk) error { return act.do(d, s) })
	}
}

// publicKey is the key that --key gives: the word codes, what stands in a file, or the
// key itself.
func publicKey(given string) (string, error) {
	if given == acts.ByCodes {
		return given, nil
	}
	text, err := os.ReadFile(given)
	switch {
	case err == nil:
		return strings.TrimSpace(string(text)), nil
	case strings.Contains(given, " "): // no file's name, but a line
		return given, nil
	}
	return "", fmt.Errorf("--key: %w", err)
}

func invitePlayer(d *umpire.Desk, s acts.Seat) error {
	err := d.Invite(s)
	if err == nil {
		fmt.Printf("%s is invited to play %s in game %s; the mail with the code goes out as soon as the daemon runs\n", s.Address, strings.ToUpper(s.Side), strings.ToUpper(s.Game))
	}
	return err
}

func addPlayer(d *umpire.Desk, s acts.Seat) error {
	err := d.AddPlayer(s)
	if err == nil {
		fmt.Printf("%s plays %s in game %s; the invitation goes out as soon as the daemon runs\n", s.Address, strings.ToUpper(s.Side), strings.ToUpper(s.Game))
	}
	return err
}

// enrolKey puts another key in the place of a player's.
func enrolKey(d *umpire.Desk, s acts.Seat) error {
	err := d.SetKey(s)
	if err == nil {
		fmt.Printf("%s in game %s signs with another key from now on; all players are told\n", strings.ToUpper(s.Side), strings.ToUpper(s.Game))
	}
	return err
}

func secondAddress(d *umpire.Desk, s acts.Seat) error {
	err := d.SetSecond(s)
	if err == nil {
		fmt.Printf("mail for %s in game %s goes to %q while mail to the first address bounces\n", strings.ToUpper(s.Side), strings.ToUpper(s.Game), s.Address)
	}
	return err
}

func forgetPlayer(d *umpire.Desk, s acts.Seat) error {
	f, err := d.Forget(s.Address)
	if err != nil {
		return err
	}
	fmt.Printf("forgotten: their name and addresses in %d finished games, %d mails to them and %d from them\n", len(f.Games), f.Sent, f.Received)
	if f.Waiting > 0 {
		return fmt.Errorf("%d mails to them are still on their way: run it again when they have gone out", f.Waiting)
	}
	return nil
}
