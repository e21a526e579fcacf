package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"fieldpost/orders"
	"fieldpost/orders/seal"
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
	words, err := parse(f, args)
	if err != nil || len(words) > 0 || *game == "" || *side == "" || (*code == "") == (*spare == "") {
		return orUsage(err, "--game, --side and --code (or --recover) are needed")
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
	if *spare != "" {
		statement += "RECOVER: " + *spare + "\n"
	} else {
		nonce := make([]byte, 16)
		if _, err := rand.Read(nonce); err != nil {
			return err
		}
		statement += "JOIN: " + *code + "\nNONCE: " + hex.EncodeToString(nonce) + "\n"
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
