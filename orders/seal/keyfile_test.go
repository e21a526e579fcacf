package seal

import (
	"bytes"
	"crypto/ed25519"
	"encoding/pem"
	"errors"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
)

// Key files are read and written as the library of OpenSSH's makers does, locked and not.
func TestKeyFilesAreThoseOfOpenSSH(t *testing.T) {
	key, err := GenerateKey(strings.NewReader(strings.Repeat("seed", 20)))
	if err != nil {
		t.Fatal(err)
	}
	for _, passphrase := range []string{"", "long enough", "ключ"} {
		ours, err := key.keyFile("a comment", passphrase)
		if err != nil {
			t.Fatal(err)
		}
		var raw any
		if passphrase == "" {
			raw, err = ssh.ParseRawPrivateKey(ours)
		} else {
			raw, err = ssh.ParseRawPrivateKeyWithPassphrase(ours, []byte(passphrase))
		}
		if got, ok := raw.(*ed25519.PrivateKey); err != nil || !ok || !bytes.Equal(*got, key.key) {
			t.Errorf("the library reads our file with %q as %T, %v", passphrase, raw, err)
		}
		block, err := ssh.MarshalPrivateKey(key.key, "x")
		if passphrase != "" {
			block, err = ssh.MarshalPrivateKeyWithPassphrase(key.key, "x", []byte(passphrase))
		}
		if err != nil {
			t.Fatal(err)
		}
		theirs := pem.EncodeToMemory(block)
		if got, err := ParsePrivateKey(theirs, passphrase); err != nil || !bytes.Equal(got.key, key.key) {
			t.Errorf("we read the library's file with %q as %v, %v", passphrase, got, err)
		}
		if passphrase == "" {
			continue
		}
		if _, err := ParsePrivateKey(theirs, ""); !errors.Is(err, ErrPassphrase) {
			t.Errorf("without its passphrase: %v", err)
		}
		if _, err := ParsePrivateKey(theirs, passphrase+"x"); err == nil || !strings.Contains(err.Error(), "the passphrase is wrong") {
			t.Errorf("with a wrong passphrase: %v", err)
		}
	}
}

// A damaged or hostile key file is an error, never a fault.
func TestDamagedKeyFiles(t *testing.T) {
	key, err := GenerateKey(strings.NewReader(strings.Repeat("seed", 20)))
	if err != nil {
		t.Fatal(err)
	}
	file, err := key.Marshal("c")
	if err != nil {
		t.Fatal(err)
	}
	whole, _ := pem.Decode(file)
	for n := range whole.Bytes {
		cut := pem.EncodeToMemory(&pem.Block{Type: keyFileType, Bytes: whole.Bytes[:n]})
		if _, err := ParsePrivateKey(cut, ""); err == nil {
			t.Errorf("a file of %d of %d bytes is a key", n, len(whole.Bytes))
		}
	}
	hours := wire(keyFileMagic).text("aes256-ctr").text("bcrypt").bytes(wire(nil).text("salt").number(1 << 30)).number(1).text("").text(strings.Repeat("x", 32))
	slow := pem.EncodeToMemory(&pem.Block{Type: keyFileType, Bytes: hours})
	if _, err := ParsePrivateKey(slow, "p"); err == nil || !strings.Contains(err.Error(), "times") {
		t.Errorf("a file that asks for hours: %v", err)
	}
	if _, err := ParsePrivateKey([]byte(key.Public().String()), ""); err == nil || !strings.Contains(err.Error(), ".pub") {
		t.Errorf("the public half: %v", err)
	}
}
