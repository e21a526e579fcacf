package main

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"fieldpost/cmdline"
	"fieldpost/orders"
	"fieldpost/orders/seal"
)

// keyFile is where keygen writes and sign reads when they are not told otherwise.
const keyFile = "fieldpost.key"

func keygen(f *flag.FlagSet) cmdline.Action {
	out := f.String("out", keyFile, "file of the private key; the public key goes to FILE.pub")
	comment := f.String("comment", "fieldpost", "comment in the key, for you to tell keys apart")
	return func(_ context.Context, words []string) error {
		if len(words) > 0 {
			return cmdline.Usagef("no words are expected")
		}
		if err := makeKey(*out, *comment); err != nil {
			return err
		}
		public, err := os.ReadFile(*out + ".pub")
		if err != nil {
			return err
		}
		fmt.Printf("\nGive this line to the moderator:\n%s", public)
		return nil
	}
}

// makeKey writes a new key and its public half, and says where.
func makeKey(out, comment string) error {
	key, err := seal.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	text, err := key.Marshal(comment)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists already; a key is never overwritten", out)
	}
	if err != nil {
		return err
	}
	if _, err = file.Write(text); err == nil {
		err = file.Close()
	}
	if err != nil {
		return err
	}
	public := key.Public().String() + " " + comment + "\n"
	if err := os.WriteFile(out+".pub", []byte(public), 0o644); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "private key   %s   (keep it to yourself)\npublic key    %s.pub\nfingerprint   %s\n", out, out, key.Public().Fingerprint())
	return nil
}

func sign(f *flag.FlagSet) cmdline.Action {
	keyPath := f.String("key", keyFile, "your private key (OpenSSH, Ed25519)")
	pass := f.String("passphrase-file", "", "file with the key's passphrase, if it has one")
	letter := f.String("press", "", "a `FILE` with a letter that goes along with the sheet")
	to := f.String("to", "ALL", "with --press: the side that the letter is for, or ALL")
	as := f.String("as", "", "with --press: SIGNED, or ANONYMOUS or STAFF where the game agrees on that")
	return func(_ context.Context, words []string) error {
		if len(words) != 1 {
			return cmdline.Usagef("name one file of orders, or - for standard input")
		}
		text, err := readFile(words[0])
		if err != nil {
			return err
		}
		key, err := loadKey(*keyPath, *pass)
		if err != nil {
			return err
		}
		part := ""
		if *letter != "" {
			head, letterPart, err := pressOf(*letter, *to, *as)
			if err != nil {
				return err
			}
			text, part = append([]byte(head), text...), letterPart
		}
		if orders.Head(orders.Canonical(string(text))).Header("GAME") == "" {
			return fmt.Errorf("%s: the sheet has no GAME: line", words[0])
		}
		block, err := seal.Signed(key, string(text))
		if err != nil {
			return err
		}
		fmt.Print(block + part)
		return nil
	}
}

// press prints what sends a letter, for those who sign with other programs.
func press(f *flag.FlagSet) cmdline.Action {
	to := f.String("to", "ALL", "the side that the letter is for, or ALL")
	as := f.String("as", "", "SIGNED, or ANONYMOUS or STAFF where the game agrees on that")
	return func(_ context.Context, words []string) error {
		if len(words) != 1 {
			return cmdline.Usagef("name one file with the letter, or - for standard input")
		}
		head, part, err := pressOf(words[0], *to, *as)
		if err != nil {
			return err
		}
		fmt.Printf("# These lines go into the head of the sheet that you sign:\n%s\n# This goes below the signed text, or into an attachment:\n%s", head, part)
		return nil
	}
}

// pressOf reads a letter: the lines for the head of its sheet, and the part of
// the mail that holds it.
func pressOf(file, to, as string) (head, part string, err error) {
	text, err := readFile(file)
	switch {
	case err != nil:
		return "", "", err
	case len(text) > orders.MaxPress:
		return "", "", fmt.Errorf("%s: a letter has %d KiB at most", file, orders.MaxPress>>10)
	}
	part, digest := orders.Press(string(text))
	head = "PRESS: " + to + "\nPRESS-SHA256: " + digest + "\n"
	if as != "" {
		head += "PRESS-AS: " + as + "\n"
	}
	return head, part, nil
}

func loadKey(path, passFile string) (seal.PrivateKey, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return seal.PrivateKey{}, fmt.Errorf("no key in %s: make one with fieldpost keygen, or name yours with --key", path)
	}
	if err != nil {
		return seal.PrivateKey{}, err
	}
	var pass []byte
	if passFile != "" {
		if pass, err = os.ReadFile(passFile); err != nil {
			return seal.PrivateKey{}, err
		}
	}
	key, err := seal.ParsePrivateKey(text, trimNewline(string(pass)))
	if err != nil {
		return key, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return key, nil
}

func trimNewline(s string) string {
	for len(s) > 0 && (s[len(s)-1] == '\n' || s[len(s)-1] == '\r') {
		s = s[:len(s)-1]
	}
	return s
}

func readFile(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(os.Stdin)
	}
	return os.ReadFile(name)
}
