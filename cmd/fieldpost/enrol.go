package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/umpire/seats"
)

// enrol prints the signed lines by which a player joins a game, or puts a new key
// into the place of a lost one. A key that is not there is made first.
func enrol(_ context.Context, args []string) error {
	f := flags("enrol")
	game := f.String("game", "", "the game's id, from the invitation")
	side := f.String("side", "", "your side, from the invitation")
	code := f.String("code", "", "the join code, from the invitation")
	spare := f.String("recover", "", "instead of --code: the recovery code, from the letter that confirmed your joining")
	keyPath := f.String("key", keyFile, "your private key (OpenSSH, Ed25519); it is made if it is not there")
	pass := f.String("passphrase-file", "", "file with the key's passphrase, if it has one")
	sealed := f.Bool("nonce", false, "with --code: seal a nonce, your part in the game's dice; when all sides have players you are asked to --reveal it")
	reveal := f.Bool("reveal", false, "instead of --code: open the nonce that you sealed with this key")
	words, err := parse(f, args)
	ways := 0
	for _, given := range []bool{*code != "", *spare != "", *reveal} {
		if given {
			ways++
		}
	}
	if err != nil || len(words) > 0 || *game == "" || *side == "" || ways != 1 || *sealed && *code == "" {
		return orUsage(err, "--game, --side and --code (or --recover, or --reveal) are needed; --nonce goes with --code")
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
	statement := fmt.Sprintf("GAME: %s\nSIDE: %s\n", *game, *side)
	switch {
	case *spare != "":
		statement += "RECOVER: " + *spare + "\n"
	case *reveal:
		nonce, err := nonceOf(key, *game, *side)
		if err != nil {
			return err
		}
		statement = seats.NonceStatement(*game, *side, hex.EncodeToString(nonce))
	default:
		statement += "JOIN: " + *code + "\n"
		if *sealed {
			nonce, err := nonceOf(key, *game, *side)
			if err != nil {
				return err
			}
			statement += fmt.Sprintf("NONCE-SHA256: %x\n", sha256.Sum256(nonce))
		}
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

// nonceOf is the nonce of a key for a seat. It need not be kept: nobody else can make
// it, and its owner can at any time. An Ed25519 signature is always the same.
func nonceOf(key seal.PrivateKey, game, side string) ([]byte, error) {
	armored, err := seal.Sign(key, "nonce@fieldpost", []byte(seats.NonceStatement(game, side, "")))
	sum := sha256.Sum256([]byte(armored))
	return sum[:], err
}
