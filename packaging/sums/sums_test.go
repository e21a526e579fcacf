package sums

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fieldpost/orders/seal"
)

// A release of two files, signed, and then what happens to one of them.
func TestCheck(t *testing.T) {
	key, err := seal.GenerateKey(bytes.NewReader(bytes.Repeat([]byte("of a release"), 20)))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	take := func(name string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	refused := func(name, why string) {
		t.Helper()
		if _, err := Check(filepath.Join(folder, name)); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, expected %q", name, err, why)
		}
	}
	put("fieldpost.tar.gz", "the program")
	put("desk.html", "the desk")
	refused("desk.html", "there is no SHA256SUMS beside the file")
	if err := Write(folder, nil); err != nil {
		t.Fatal(err)
	}
	refused("desk.html", "there is no SHA256SUMS.sig beside the file")
	if err := Write(folder, &key); err != nil {
		t.Fatal(err)
	}
	if by, err := Check(filepath.Join(folder, "desk.html")); err != nil || by.Fingerprint() != key.Public().Fingerprint() {
		t.Errorf("the file as it was given away: %v, %v", by, err)
	}
	if tool, err := exec.LookPath("sha256sum"); err == nil {
		c := exec.Command(tool, "--check", "--strict", ListFile)
		c.Dir = folder
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("sha256sum: %s", out)
		}
	}
	list := take(ListFile)
	put("desk.html", "the desk with something more")
	refused("desk.html", "is not the file of the release")
	put("other.html", "the desk")
	refused("other.html", "does not name other.html; it has desk.html, fieldpost.tar.gz")
	put(ListFile, strings.Replace(list, "desk.html", "other.html", 1))
	refused("other.html", "is not as it was signed")
	put(ListFile, list)
	orders, err := seal.Sign(key, "orders@fieldpost", []byte(list))
	if err != nil {
		t.Fatal(err)
	}
	put(SignatureFile, orders)
	refused("fieldpost.tar.gz", "is not as it was signed")
}
