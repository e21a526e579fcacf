// Package sums is what a release says of its files: the list of their SHA-256 checksums, as the
// program sha256sum writes and reads it, and the signature of that list (PROTOCOL.sshsig).
package sums

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fieldpost/orders/seal"
)

// The list and its signature lie beside the files.
const (
	ListFile      = "SHA256SUMS"
	SignatureFile = "SHA256SUMS.sig"
	// Namespace is what the signature is for: none of an order sheet fits a release.
	Namespace = "release@fieldpost"
)

// Write makes the list of the files in a folder, and its signature if there is a key.
func Write(folder string, key *seal.PrivateKey) error {
	files, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var list strings.Builder
	for _, file := range files {
		if file.IsDir() || file.Name() == ListFile || file.Name() == SignatureFile {
			continue
		}
		sum, err := sumOf(filepath.Join(folder, file.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&list, "%s  %s\n", sum, file.Name())
	}
	if err := os.WriteFile(filepath.Join(folder, ListFile), []byte(list.String()), 0o644); err != nil {
		return err
	}
	if key == nil {
		return nil
	}
	signature, err := seal.Sign(*key, Namespace, []byte(list.String()))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, SignatureFile), []byte(signature), 0o644)
}

// Check compares a file with the list beside it, and tells who signed the list. The caller
// decides whether they are who gives the program away.
func Check(file string) (signer seal.Key, err error) {
	folder, name := filepath.Split(file)
	list, err := beside(folder, ListFile)
	if err != nil {
		return nil, err
	}
	signature, err := beside(folder, SignatureFile)
	if err != nil {
		return nil, err
	}
	signer, err = seal.Verify(list, string(signature), Namespace)
	if err != nil {
		return nil, fmt.Errorf("%s is not as it was signed, so nothing is known of the file: %w", ListFile, err)
	}
	return signer, listed(string(list), name, file)
}

// beside reads what a release has beside its files.
func beside(folder, name string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(folder, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no %s beside the file: take it from where the file comes from, and put it into the same folder", name)
	}
	return text, err
}

// Entry is a file of a release.
type Entry struct {
	Name   string
	SHA256 string // 64 hexadecimal digits
	Size   int64
}

// Read is the list in a folder, with how large its files are. Nothing is compared.
func Read(folder string) ([]Entry, error) {
	list, err := os.ReadFile(filepath.Join(folder, ListFile))
	if err != nil {
		return nil, err
	}
	entries := parse(string(list))
	for i := range entries {
		file, err := os.Stat(filepath.Join(folder, entries[i].Name))
		if err != nil {
			return nil, err
		}
		entries[i].Size = file.Size()
	}
	return entries, nil
}

// parse reads a list. A name that leads out of the folder is not one.
func parse(list string) (entries []Entry) {
	for line := range strings.Lines(list) {
		sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if ok && filepath.Base(name) == name && filepath.IsLocal(name) {
			entries = append(entries, Entry{Name: name, SHA256: sum})
		}
	}
	return entries
}

// listed tells whether a file is the one that the list names.
func listed(list, name, file string) error {
	var names []string
	for _, entry := range parse(list) {
		names = append(names, entry.Name)
		if entry.Name != name {
			continue
		}
		got, err := sumOf(file)
		if err != nil {
			return err
		}
		if got != entry.SHA256 {
			return fmt.Errorf("%s is not the file of the release: its SHA-256 is %s, the signed list has %s. Fetch it again; if it stays so, do not use it", name, got, entry.SHA256)
		}
		return nil
	}
	return fmt.Errorf("the list of the release does not name %s; it has %s", name, strings.Join(names, ", "))
}

func sumOf(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
