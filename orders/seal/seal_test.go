package seal

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fieldpost/orders"
)

// testKey is the n-th key of these tests, the same in every run.
func testKey(t testing.TB, n byte) PrivateKey {
	t.Helper()
	key, err := GenerateKey(bytes.NewReader(bytes.Repeat([]byte{n}, 32)))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func mustSign(t testing.TB, key PrivateKey, text string) string {
	t.Helper()
	armored, err := Sign(key, Namespace, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return armored
}

func TestSignAndVerify(t *testing.T) {
	key, other := testKey(t, 1), testKey(t, 2)
	const text = "GAME: K7QX2MPA\nDONE\n"
	armored := mustSign(t, key, text)
	if again := mustSign(t, key, text); again != armored {
		t.Error("signing twice gives two signatures")
	}
	got, err := Verify([]byte(text), armored, Namespace)
	if err != nil || got != key.Public() || got == other.Public() {
		t.Fatalf("Verify = %v, %v", got, err)
	}
	for _, c := range []struct {
		name, text, armored, namespace string
		want                           error
	}{
		{"another text", text + "X", armored, Namespace, ErrMismatch},
		{"another namespace asked for", text, armored, "file", ErrMismatch},
		{"no namespace asked for", text, armored, "", ErrMismatch},
		{"no signature", text, "", Namespace, ErrSignature},
		{"text before the signature", text, "x" + armored, Namespace, ErrSignature},
		{"text after the signature", text, armored + "x", Namespace, ErrSignature},
		{"signature cut short", text, armored[:100] + "\n" + endArmor, Namespace, ErrSignature},
		{"bytes after the signature", text, armor(append(mustUnarmor(t, armored), 0)), Namespace, ErrSignature},
		{"armour over 8 KiB", text, beginArmor + strings.Repeat("\n", MaxArmor) + armored, Namespace, ErrSignature},
		{"letters capitalised", text, strings.ToUpper(armored), Namespace, ErrSignature},
		{"another hash named", text, armor(bytes.Replace(mustUnarmor(t, armored), []byte("sha512"), []byte("sha256"), 1)), Namespace, ErrMismatch},
		{"an unknown hash", text, armor(bytes.Replace(mustUnarmor(t, armored), []byte("sha512"), []byte("sha384"), 1)), Namespace, ErrSignature},
	} {
		if key, err := Verify([]byte(c.text), c.armored, c.namespace); !errors.Is(err, c.want) || !key.IsZero() {
			t.Errorf("%s: %v, %v; want %v", c.name, key, err, c.want)
		}
	}
	foreign, err := Sign(key, "git", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Verify([]byte(text), foreign, Namespace); !errors.Is(err, ErrMismatch) {
		t.Errorf("a signature made for git: %v", err)
	}
	if _, err := Sign(PrivateKey{}, Namespace, nil); err == nil {
		t.Error("the zero key signs")
	}
}

func mustUnarmor(t *testing.T, armored string) []byte {
	t.Helper()
	blob, err := unarmor(armored)
	if err != nil {
		t.Fatal(err)
	}
	return blob
}

// Every single changed bit of a signature is noticed.
func TestEveryBitCounts(t *testing.T) {
	const text = "DONE\n"
	blob := mustUnarmor(t, mustSign(t, testKey(t, 1), text))
	for i := range blob {
		for bit := range 8 {
			blob[i] ^= 1 << bit
			if key, err := Verify([]byte(text), armor(blob), Namespace); err == nil {
				t.Errorf("byte %d bit %d changed: accepted, key %s", i, bit, key)
			}
			blob[i] ^= 1 << bit
		}
	}
}

func TestKeys(t *testing.T) {
	key := testKey(t, 7)
	line := key.Public().String()
	for _, l := range []string{line, line + " anna@example.org", "  " + line + "  two words \n"} {
		if got, err := ParsePublicKey(l); err != nil || got != key.Public() {
			t.Errorf("ParsePublicKey(%q) = %v, %v", l, got, err)
		}
	}
	for name, l := range map[string]string{
		"nothing":         "",
		"the type only":   "ssh-ed25519",
		"another type":    "ssh-rsa AAAAB3NzaC1yc2E=",
		"cut off":         line[:40],
		"not base64":      "ssh-ed25519 AAAA!",
		"options":         `command="x" ` + line,
		"too long":        line + strings.Repeat(" ", maxKeyLine),
		"type mismatch":   strings.Replace(line, "AAAAC3NzaC1lZDI1NTE5", "AAAAC3NzaC1lZDI1NTE4", 1),
		"identity point":  weakPoints[1].String(),
		"order 8, signed": withSign(weakPoints[2]).String(),
	} {
		if got, err := ParsePublicKey(l); err == nil {
			t.Errorf("%s: read as %v", name, got)
		}
	}
	if f := key.Public().Fingerprint(); len(f) != 14 || f[4] != '-' || f[9] != '-' || f == testKey(t, 8).Public().Fingerprint() {
		t.Errorf("fingerprint %q", f)
	}
	var back PublicKey
	if b, _ := key.Public().MarshalText(); back.UnmarshalText(b) != nil || back != key.Public() {
		t.Error("text form does not read back")
	}
	if s := fmt.Sprintf("%v %+v %#v", key, key, key); strings.Contains(s, "[") {
		t.Errorf("a private key prints as %s", s)
	}
	file, err := key.Marshal("anna")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := ParsePrivateKey(file, ""); err != nil || got.Public() != key.Public() {
		t.Errorf("key file: %v, %v", got, err)
	}
	if _, err := ParsePrivateKey([]byte("nonsense"), ""); err == nil {
		t.Error("nonsense is a key")
	}
	if _, err := GenerateKey(strings.NewReader("short")); err == nil {
		t.Error("a key from five bytes")
	}
}

func withSign(k PublicKey) PublicKey { k[31] |= 0x80; return k }

// The weak points are weak: a signature without any secret fits one message in
// eight or more. If the library itself refuses an encoding, so much the better.
func TestWeakPointsAreWeak(t *testing.T) {
	forged := make([]byte, ed25519.SignatureSize)
	forged[0] = 1 // R is the identity, S is 0
	for _, p := range weakPoints[:5] {
		fits := 0
		for i := range 200 {
			if ed25519.Verify(p[:], fmt.Appendf(nil, "%d", i), forged) {
				fits++
			}
		}
		if fits < 10 {
			t.Errorf("%x: only %d of 200 fit", p, fits)
		}
	}
}

// What ssh-keygen signs we verify, and what we sign ssh-keygen verifies.
func TestInteropWithOpenSSH(t *testing.T) {
	tool, err := exec.LookPath("ssh-keygen")
	if err != nil {
		t.Skip("no ssh-keygen here")
	}
	dir := t.TempDir()
	run := func(stdin string, args ...string) {
		t.Helper()
		cmd := exec.Command(tool, args...)
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("ssh-keygen %v: %v\n%s", args, err, out)
		}
	}
	read := func(name string) []byte {
		t.Helper()
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run("", "-q", "-t", "ed25519", "-N", "", "-C", "anna", "-f", "theirs")
	run("", "-q", "-t", "ed25519", "-N", "open sesame", "-f", "locked")
	run("", "-q", "-t", "ecdsa", "-N", "", "-f", "other")
	theirs, err := ParsePublicKey(string(read("theirs.pub")))
	if err != nil {
		t.Fatal(err)
	}
	if key, err := ParsePrivateKey(read("theirs"), ""); err != nil || key.Public() != theirs {
		t.Errorf("their private key: %v, %v", key, err)
	}
	if _, err := ParsePrivateKey(read("locked"), ""); !errors.Is(err, ErrPassphrase) {
		t.Errorf("a locked key: %v", err)
	}
	if _, err := ParsePrivateKey(read("locked"), "open sesame"); err != nil {
		t.Errorf("a locked key and its passphrase: %v", err)
	}
	if _, err := ParsePrivateKey(read("other"), ""); err == nil {
		t.Error("an ECDSA key is read")
	}

	sheet := "game: k7qx2mpa  \r\n133/XXII  2206-2306 # attack\n"
	for _, hash := range []string{"sha512", "sha256"} {
		write("orders.txt", sheet)
		os.Remove(filepath.Join(dir, "orders.txt.sig"))
		run("", "-q", "-Y", "sign", "-n", Namespace, "-O", "hashalg="+hash, "-f", "theirs", "orders.txt")
		sealed, err := VerifyDetached([]byte(sheet), string(read("orders.txt.sig")))
		if err != nil || sealed.Key != theirs || sealed.Text != orders.Canonical(sheet) {
			t.Errorf("%s: %+v, %v", hash, sealed, err)
		}
	}

	ours := testKey(t, 3)
	text := orders.Canonical(sheet)
	write("ours.sig", mustSign(t, ours, text))
	write("allowed", "bruno "+ours.Public().String()+"\n")
	run(text, "-q", "-Y", "verify", "-n", Namespace, "-f", "allowed", "-I", "bruno", "-s", "ours.sig")
	file, err := ours.Marshal("bruno")
	if err != nil {
		t.Fatal(err)
	}
	write("ours", string(file))
	write("again.txt", text)
	run("", "-q", "-Y", "sign", "-n", Namespace, "-f", "ours", "again.txt")
	if key, err := Verify([]byte(text), string(read("again.txt.sig")), Namespace); err != nil || key != ours.Public() {
		t.Errorf("ssh-keygen with our key: %v, %v", key, err)
	}
}
