package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"fieldpost/cmdline"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/umpire/seats"
)

// seatClaim is what a player says of the seat to take or to keep.
type seatClaim struct {
	game, side     string
	code, spare    string // the join code, or the recovery code
	sealed, reveal bool   // of the player's nonce
}

// complete tells whether the claim names its seat and one way to it; a nonce is sealed
// on joining only.
func (s *seatClaim) complete() bool {
	if s.game == "" || s.side == "" || s.sealed && s.code == "" {
		return false
	}
	ways := 0
	for _, given := range []bool{s.code != "", s.spare != "", s.reveal} {
		if given {
			ways++
		}
	}
	return ways == 1
}

// statement is the lines to sign.
func (s *seatClaim) statement(key seal.PrivateKey) (string, error) {
	seat := fmt.Sprintf("GAME: %s\nSIDE: %s\n", s.game, s.side)
	if s.spare != "" {
		return seat + "RECOVER: " + s.spare + "\n", nil
	}
	if !s.reveal && !s.sealed {
		return seat + "JOIN: " + s.code + "\n", nil
	}
	nonce, err := nonceOf(key, s.game, s.side)
	if err != nil {
		return "", err
	}
	if s.reveal {
		return seats.NonceStatement(s.game, s.side, hex.EncodeToString(nonce)), nil
	}
	return fmt.Sprintf("%sJOIN: %s\nNONCE-SHA256: %x\n", seat, s.code, sha256.Sum256(nonce)), nil
}

// enrol prints the signed lines by which a player joins a game, or puts a new key
// into the place of a lost one. A key that is not there is made first.
func enrol(f *flag.FlagSet) cmdline.Action {
	var seat seatClaim
	f.StringVar(&seat.game, "game", "", "the game's id, from the invitation")
	f.StringVar(&seat.side, "side", "", "your side, from the invitation")
	f.StringVar(&seat.code, "code", "", "the join code, from the invitation")
	f.StringVar(&seat.spare, "recover", "", "instead of --code: the recovery code, from the mail that confirmed your joining")
	keyPath := f.String("key", keyFile, "your private key (OpenSSH, Ed25519); it is made if it is not there")
	pass := f.String("passphrase-file", "", "file with the key's passphrase, if it has one")
	f.BoolVar(&seat.sealed, "nonce", false, "with --code: seal a nonce, your part in the game's dice; when all sides have players you are asked to --reveal it")
	f.BoolVar(&seat.reveal, "reveal", false, "instead of --code: open the nonce that you sealed with this key")
	return func(_ context.Context, words []string) error {
		if len(words) > 0 || !seat.complete() {
			return cmdline.Usagef("--game, --side and --code (or --recover, or --reveal) are needed; --nonce goes with --code")
		}
		if _, err := os.Stat(*keyPath); errors.Is(err, fs.ErrNotExist) {
			if err := makeKey(*keyPath, "fieldpost"); err != nil {
				return err
			}
		}
		key, err := loadKey(*keyPath, *pass)
		if err != nil {
			return err
		}
		statement, err := seat.statement(key)
		if err != nil {
			return err
		}
		canonical := orders.Canonical(statement)
		armored, err := seal.Sign(key, seal.Namespace, []byte(canonical))
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "Mail what follows to the address that invited you. Your key's fingerprint is %s.\n", key.Public().Fingerprint())
		fmt.Print(strings.TrimRight(seal.Block(canonical, armored), "\n") + "\n")
		return nil
	}
}

// nonceOf is the nonce of a key for a seat. It need not be kept: nobody else can make
// it, and its owner can at any time. An Ed25519 signature is always the same.
func nonceOf(key seal.PrivateKey, game, side string) ([]byte, error) {
	armored, err := seal.Sign(key, "nonce@fieldpost", []byte(seats.NonceStatement(game, side, "")))
	sum := sha256.Sum256([]byte(armored))
	return sum[:], err
}
