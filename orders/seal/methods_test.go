package seal_test

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
	"golang.org/x/crypto/ssh"

	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/trial/signers"
)

const sheet = "GAME: K7QX2MPA\nSIDE: Soviet\nTURN: 3\nSERIAL: 2\nMOVE\n  133/XXII  2206-2306\nDONE\n"

var canonical = orders.Canonical(sheet)

func TestKeysOfEveryMethod(t *testing.T) {
	p, c := signers.NewPGP(1), signers.NewSMIME(1)
	for _, k := range []seal.Key{signers.NewSSH(1).Public(), p.Key(), c.Key()} {
		back, err := seal.ParseKey(k.String())
		if err != nil || back != k || back.ID() != k.ID() || back.IsZero() {
			t.Errorf("%s: reads back as %v, %v", k.ID(), back, err)
		}
		if words := strings.Fields(k.String()); words[0]+" "+words[1] != k.ID() {
			t.Errorf("%q does not begin with %q", k, k.ID())
		}
		if k.Method() == "" || len(k.Fingerprint()) < 14 || !strings.HasSuffix(seal.Signer(k), "("+string(k.Method())+")") {
			t.Errorf("%s: %s", k.ID(), seal.Signer(k))
		}
	}
	other := signers.NewPGP(2)
	swapped := strings.Replace(p.Key().String(), p.Key().ID(), other.Key().ID(), 1)
	var private bytes.Buffer
	if err := p.Entity.SerializePrivate(&private, nil); err != nil {
		t.Fatal(err)
	}
	revoked := signers.NewPGP(3)
	if err := revoked.Entity.RevokeKey(packet.KeyCompromised, "", signers.PGPConfig); err != nil {
		t.Fatal(err)
	}
	weak := signers.NewPGPWith(&packet.Config{RSABits: 2048, Time: func() time.Time { return signers.Born }})
	for name, text := range map[string]string{
		"nothing":                "",
		"words":                  "hello there",
		"another's fingerprint":  swapped,
		"two keys":               p.Public() + other.Public(),
		"a private key":          "-----BEGIN OPENSSH PRIVATE KEY-----\n",
		"a PGP block cut off":    p.Public()[:200],
		"a revoked key":          revoked.Public(),
		"a small RSA key":        weak.Public(),
		"a certificate cut off":  c.Public()[:100],
		"a small certificate":    signers.NewSMIMERSA(9, 1024).Public(),
		"a fingerprint cut off":  "S/MIME 0123",
		"another's certificate":  strings.Replace(c.Key().String(), c.Key().ID(), "S/MIME "+strings.Repeat("0", 64), 1),
		"an ECDSA key of P-384":  sshLine(t, mustKey(ecdsa.GenerateKey(elliptic.P384(), rand.Reader)).Public()),
		"a small RSA key of SSH": sshLine(t, mustKey(rsa.GenerateKey(rand.Reader, 2048)).Public()),
		"far too long":           p.Public() + strings.Repeat("\n", 64<<10),
	} {
		if k, err := seal.ParseKey(text); err == nil {
			t.Errorf("%s: read as %s", name, k.ID())
		}
	}
	bare, err := seal.ParseKey(strings.ToUpper(c.Key().ID()))
	if err != nil || bare.ID() != c.Key().ID() {
		t.Errorf("a bare fingerprint: %v, %v", bare, err)
	}
}

func mustKey[K crypto.Signer](k K, err error) K {
	if err != nil {
		panic(err)
	}
	return k
}

func sshLine(t *testing.T, pub crypto.PublicKey) string {
	t.Helper()
	k, err := ssh.NewPublicKey(pub)
	if err != nil {
		t.Fatal(err)
	}
	return string(ssh.MarshalAuthorizedKey(k))
}

// sshsig makes an SSH signature by hand, with any key and any fault.
func sshsig(wire []byte, signature []byte, namespace string) string {
	blob := append([]byte("SSHSIG"), ssh.Marshal(struct {
		Version   uint32
		Key       []byte
		Namespace string
		Reserved  []byte
		Hash      string
		Signature []byte
	}{1, wire, namespace, nil, "sha512", signature})...)
	return "-----BEGIN SSH SIGNATURE-----\n" + base64.StdEncoding.EncodeToString(blob) + "\n-----END SSH SIGNATURE-----\n"
}

func sshStatement(text, namespace string) []byte {
	digest := sha512.Sum512([]byte(text))
	return append([]byte("SSHSIG"), ssh.Marshal(struct {
		Namespace string
		Reserved  []byte
		Hash      string
		Digest    []byte
	}{namespace, nil, "sha512", digest[:]})...)
}

// fido signs as a security key does (PROTOCOL.u2f of OpenSSH).
func fido(t *testing.T, key ed25519.PrivateKey, application string, flags byte, text string) (line, armored string) {
	t.Helper()
	wire := ssh.Marshal(struct {
		Type        string
		Key         []byte
		Application string
	}{ssh.KeyAlgoSKED25519, key.Public().(ed25519.PublicKey), application})
	app, digest := sha256.Sum256([]byte(application)), sha256.Sum256(sshStatement(text, seal.Namespace))
	signed := append(append(append(app[:], flags), 0, 0, 0, 7), digest[:]...)
	sig := append(ssh.Marshal(struct {
		Format string
		Blob   []byte
	}{ssh.KeyAlgoSKED25519, ed25519.Sign(key, signed)}), flags, 0, 0, 0, 7)
	return ssh.KeyAlgoSKED25519 + " " + base64.StdEncoding.EncodeToString(wire), sshsig(wire, sig, seal.Namespace)
}

func TestSecurityKey(t *testing.T) {
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{5}, 32))
	line, armored := fido(t, key, "ssh:", 1, canonical)
	enrolled, err := seal.ParseKey(line + " a key on a chain")
	if err != nil {
		t.Fatal(err)
	}
	opened, err := seal.Open(seal.Block(canonical, armored))
	if err != nil || len(opened) != 1 || opened[0].Key != enrolled || opened[0].Text != canonical {
		t.Fatalf("%+v, %v", opened, err)
	}
	if _, err := seal.Verify([]byte(canonical+"X"), armored, seal.Namespace); !errors.Is(err, seal.ErrMismatch) {
		t.Errorf("another text: %v", err)
	}
	_, untouched := fido(t, key, "ssh:", 0, canonical)
	if _, err := seal.Verify([]byte(canonical), untouched, seal.Namespace); err == nil {
		t.Error("nobody touched the key and it counts")
	}
	plain := seal.PublicKey(key.Public().(ed25519.PublicKey))
	if enrolled.ID() == plain.ID() || enrolled == seal.Key(plain) {
		t.Error("the key passes for a plain one")
	}
}

// What ssh-keygen signs with ECDSA and RSA verifies; RSA with SHA-1 and bytes
// added to a signature do not.
func TestOtherSSHKeys(t *testing.T) {
	for name, private := range map[string]crypto.Signer{
		"ecdsa": mustKey(ecdsa.GenerateKey(elliptic.P256(), rand.Reader)),
		"rsa":   mustKey(rsa.GenerateKey(rand.Reader, 3072)),
	} {
		signer, err := ssh.NewSignerFromSigner(private)
		if err != nil {
			t.Fatal(err)
		}
		wire := signer.PublicKey().Marshal()
		algorithms := map[string]bool{signer.PublicKey().Type(): name == "ecdsa"}
		if name == "rsa" {
			algorithms = map[string]bool{ssh.KeyAlgoRSA: false, ssh.KeyAlgoRSASHA256: true, ssh.KeyAlgoRSASHA512: true}
		}
		for algorithm, good := range algorithms {
			sig, err := signer.(ssh.AlgorithmSigner).SignWithAlgorithm(rand.Reader, sshStatement(canonical, seal.Namespace), algorithm)
			if err != nil {
				t.Fatal(err)
			}
			key, err := seal.Verify([]byte(canonical), sshsig(wire, ssh.Marshal(sig), seal.Namespace), seal.Namespace)
			if good != (err == nil) {
				t.Errorf("%s: %v", algorithm, err)
			}
			if enrolled, bad := seal.ParseKey(sshLine(t, private.Public())); good && (bad != nil || enrolled != key) {
				t.Errorf("%s: %v, %v", algorithm, enrolled, bad)
			}
			if !good {
				continue
			}
			sig.Rest = []byte{0}
			if _, err := seal.Verify([]byte(canonical), sshsig(wire, ssh.Marshal(sig), seal.Namespace), seal.Namespace); err == nil {
				t.Errorf("%s: a byte was added", algorithm)
			}
		}
	}
}

func TestOpenPGP(t *testing.T) {
	p, other := signers.NewPGP(1), signers.NewPGP(2)
	ring := seal.NewRing(signers.Signed, signers.NewSSH(1).Public(), p.Key())
	text := "Dear umpire,\n\n" + sheet + "Anna\n"
	found, err := ring.Clearsigned("Hello\n" + p.Clearsigned(text) + "GAME: X\n")
	if err != nil || len(found) != 1 || found[0].Key != p.Key() || string(found[0].Content) != text {
		t.Fatalf("%q, %v", found, err)
	}
	if s, err := found[0].Sheet(string(found[0].Content)); err != nil || s.Text != canonical || s.Key != p.Key() {
		t.Errorf("%+v, %v", s, err)
	}
	forms := [][]byte{[]byte("x"), []byte(sheet)}
	v, err := ring.Detached(forms, []byte(p.Detached(sheet)))
	if err != nil || string(v.Content) != sheet || v.Key != p.Key() {
		t.Errorf("%+v, %v", v, err)
	}
	at := func(when time.Time, keys ...seal.Key) *seal.Ring { return seal.NewRing(when, keys...) }
	for _, c := range []struct {
		name string
		ring *seal.Ring
		text string
		want error
	}{
		{"another text", ring, "x", seal.ErrMismatch},
		{"an unknown key", at(signers.Signed, other.Key()), sheet, seal.ErrUnknownKey},
		{"no keys", nil, sheet, seal.ErrUnknownKey},
		{"signed two days ahead", at(signers.Signed.Add(-48*time.Hour), p.Key()), sheet, seal.ErrSignature},
		{"signed an hour ahead", at(signers.Signed.Add(-time.Hour), p.Key()), sheet, nil},
	} {
		if _, err := c.ring.Detached([][]byte{[]byte(c.text)}, []byte(p.Detached(sheet))); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	clear := p.Clearsigned(sheet)
	for name, c := range map[string]struct {
		text string
		want error
	}{
		"order changed":  {strings.Replace(clear, "2306", "2307", 1), seal.ErrMismatch},
		"line added":     {strings.Replace(clear, "DONE", "RETREAT\nDONE", 1), seal.ErrMismatch},
		"cut off":        {clear[:len(clear)-60], seal.ErrSignature},
		"a header added": {strings.Replace(clear, "\nHash: SHA512", "\nHash: SHA512\nGAME: X", 1), seal.ErrSignature},
		"no message":     {"hello", seal.ErrNoBlock},
	} {
		if found, err := ring.Clearsigned(c.text); !errors.Is(err, c.want) || len(found) > 0 {
			t.Errorf("%s: %q, %v", name, found, err)
		}
	}
	// Marks of a quotation on every line are no change.
	if found, err := ring.Clearsigned("> " + strings.ReplaceAll(strings.TrimSpace(clear), "\n", "\n> ")); err != nil || len(found) != 1 {
		t.Errorf("quoted: %v", err)
	}
	// Neither a weak hash nor a signature over a key counts.
	weak := *signers.PGPConfig
	weak.DefaultHash = crypto.SHA1
	var b bytes.Buffer
	if err := openpgp.DetachSign(&b, p.Entity, strings.NewReader(sheet), &weak); err == nil {
		if _, err := ring.Detached([][]byte{[]byte(sheet)}, b.Bytes()); err == nil {
			t.Error("SHA-1 counts")
		}
	}
	expiring := *signers.PGPConfig
	expiring.KeyLifetimeSecs, expiring.Time = 3600, func() time.Time { return signers.Signed.Add(-time.Minute) }
	short := signers.NewPGPWith(&expiring)
	sig := []byte(short.Detached(sheet))
	for hours, want := range map[int]error{0: nil, 2: seal.ErrExpired} {
		if _, err := at(signers.Signed.Add(time.Duration(hours)*time.Hour), short.Key()).Detached([][]byte{[]byte(sheet)}, sig); !errors.Is(err, want) {
			t.Errorf("after %d hours: %v", hours, err)
		}
	}
}

func TestSMIME(t *testing.T) {
	c, r := signers.NewSMIME(1), signers.NewSMIMERSA(2, 2048)
	twin := c.Twin()
	bare, err := seal.ParseKey(c.Key().ID())
	if err != nil {
		t.Fatal(err)
	}
	form := [][]byte{[]byte("x"), []byte(sheet)}
	for _, s := range []signers.SMIME{c, r} {
		// The twin of a certificate does not get in its way.
		ring := seal.NewRing(signers.Signed, twin.Key(), c.Key(), r.Key())
		v, err := ring.Detached(form, s.Detached(sheet))
		if err != nil || v.Key != s.Key() || string(v.Content) != sheet {
			t.Errorf("%+v, %v", v, err)
		}
		armored := pem.EncodeToMemory(&pem.Block{Type: "PKCS7", Bytes: s.Detached(sheet)})
		if v, err := ring.Detached(form, armored); err != nil || v.Key != s.Key() {
			t.Errorf("PEM: %+v, %v", v, err)
		}
		if v, err := ring.Detached(nil, s.Opaque(sheet)); err != nil || string(v.Content) != sheet {
			t.Errorf("opaque: %+v, %v", v, err)
		}
		// What is inside does not stand in for what is outside.
		if v, err := ring.Detached([][]byte{[]byte("x")}, s.Opaque(sheet)); !errors.Is(err, seal.ErrMismatch) {
			t.Errorf("opaque beside another text: %+v, %v", v, err)
		}
		if k := seal.CertificateOf(s.Detached("x")); k != s.Key() {
			t.Errorf("offered: %v", k)
		}
	}
	for _, x := range []struct {
		name string
		ring *seal.Ring
		text string
		want error
	}{
		{"another text", seal.NewRing(signers.Signed, c.Key()), "x", seal.ErrMismatch},
		{"the fingerprint alone", seal.NewRing(signers.Signed, bare), sheet, nil},
		{"the twin's", seal.NewRing(signers.Signed, twin.Key()), sheet, seal.ErrMismatch},
		{"nobody's", seal.NewRing(signers.Signed, r.Key()), sheet, seal.ErrUnknownKey},
		{"no ring", nil, sheet, seal.ErrUnknownKey},
		{"run out", seal.NewRing(signers.Born.AddDate(3, 0, 0), c.Key()), sheet, seal.ErrExpired},
		{"run out, over another text", seal.NewRing(signers.Born.AddDate(3, 0, 0), c.Key()), "x", seal.ErrMismatch},
		{"not valid yet", seal.NewRing(signers.Born.AddDate(0, 0, -3), c.Key()), sheet, seal.ErrSignature},
	} {
		if _, err := x.ring.Detached([][]byte{[]byte(x.text)}, c.Detached(sheet)); !errors.Is(err, x.want) {
			t.Errorf("%s: %v", x.name, err)
		}
	}
	ring := seal.NewRing(signers.Signed, c.Key())
	der := c.Detached(sheet)
	for i := range der {
		der[i] ^= 1
		// Bytes of the certificate that came along do not matter: the pinned one counts.
		if v, err := ring.Detached([][]byte{[]byte(sheet + "X")}, der); err == nil {
			t.Errorf("byte %d changed: %+v", i, v)
		}
		der[i] ^= 1
	}
}

func TestSheetInAText(t *testing.T) {
	v := seal.Verified{Key: signers.NewPGP(1).Key()}
	for name, c := range map[string]struct {
		text, want string
		err        error
	}{
		"alone":              {sheet, canonical, nil},
		"in a letter":        {"Hi,\n\n" + sheet + "\nBest, Anna\n", canonical, nil},
		"a name":             {strings.Replace(sheet, "DONE\n", "-- \nAnna", 1), strings.Replace(canonical, "DONE\n", "", 1), nil},
		"above a quotation":  {strings.Replace(sheet, "DONE\n", "> GAME: OLD\n> DONE\n", 1), strings.Replace(canonical, "DONE\n", "", 1), nil},
		"below a quotation":  {"> GAME: OLD\n> DONE\n" + sheet, canonical, nil},
		"done with a remark": {strings.Replace(sheet, "DONE\n", "done # for now\nRETREAT\n", 1), canonical, nil},
		"a statement":        {"GAME: X\nSIDE: Y\nROTATE: ssh-ed25519\nAAAA\n\nAnna\n", "GAME: X\nSIDE: Y\nROTATE: SSH-ED25519\nAAAA\n", nil},
		"blank lines within": {strings.ReplaceAll(sheet, "\n", "\n\n"), canonical, nil},
		"a statement in paragraphs": {"Dear all,\nhere I am:\n\nJOIN: abcde-fghij\n\nfor the game\n\nGAME: X\n\nSIDE: Y\nNONCE-SHA256: 01\n\nBest\nAnna\n",
			"JOIN: ABCDE-FGHIJ\nGAME: X\nSIDE: Y\nNONCE-SHA256: 01\n", nil},
		"a statement with space":           {"GAME: X\n\nSIDE: Y\n\nand now\nROTATE: ssh-ed25519\nAAAA\n\n-- \nAnna\n", "GAME: X\nSIDE: Y\nROTATE: SSH-ED25519\nAAAA\n", nil},
		"a statement, and orders below it": {sheet[:strings.Index(sheet, "DONE")] + "\nREVOKE\n\nDONE\n", canonical[:strings.Index(canonical, "DONE")] + "REVOKE\nDONE\n", nil},
		"a name below a head alone":        {"Hi,\n\nGAME: X\nSIDE: Y\n\nTURN: 2\nSERIAL: 3\nAWAY: NO\n\nAnna Nov\u00e1kov\u00e1\n", "GAME: X\nSIDE: Y\nTURN: 2\nSERIAL: 3\nAWAY: NO\n", nil},
		"a name below a command":           {"GAME: X\nSIDE: Y\nTURN: 2\nSERIAL: 3\nWITHDRAW\n\nJ. B. O'Neil\n\n", "GAME: X\nSIDE: Y\nTURN: 2\nSERIAL: 3\nWITHDRAW\n", nil},
		"a section below a head alone":     {"GAME: X\nSIDE: Y\nTURN: 2\nSERIAL: 3\n\nStanding\n", "GAME: X\nSIDE: Y\nTURN: 2\nSERIAL: 3\nSTANDING\n", nil},
		"a command below a head alone":     {"GAME: X\nSIDE: Y\nTURN: 2\nSERIAL: 3\n\nWithdraw\n", "GAME: X\nSIDE: Y\nTURN: 2\nSERIAL: 3\nWITHDRAW\n", nil},
		"an order below a head alone":      {"GAME: X\nSIDE: Y\nTURN: 2\nSERIAL: 3\n\nANNA\n", "GAME: X\nSIDE: Y\nTURN: 2\nSERIAL: 3\nANNA\n", nil},
		"a name in the line below":         {"GAME: X\nSIDE: Y\nTURN: 2\nSERIAL: 3\nAnna\n", "GAME: X\nSIDE: Y\nTURN: 2\nSERIAL: 3\nANNA\n", nil},
		"a name below orders":              {"GAME: X\nSIDE: Y\nTURN: 2\nSERIAL: 3\nMOVE\n\nAnna\n", "GAME: X\nSIDE: Y\nTURN: 2\nSERIAL: 3\nMOVE\nANNA\n", nil},
		"a word above that is none":        {"Join: see you at eight\n> yes\n" + sheet, canonical, nil},
		"no sheet":                         {"Hello\n", "", seal.ErrNoSheet},
		"quoted only":                      {"> " + sheet, "", seal.ErrNoSheet},
		"two":                              {sheet + "and\n" + sheet, "", seal.ErrTwoSheets},
	} {
		if s, err := v.Sheet(c.text); s.Text != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: %q, %v", name, s.Text, err)
		}
	}
}

// tool runs a program in a folder, or skips the test where it is missing.
func tool(t *testing.T, dir, name string) func(args ...string) []byte {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skip("no " + name + " here")
	}
	return func(args ...string) []byte {
		t.Helper()
		cmd := exec.Command(path, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GNUPGHOME="+dir)
		out, err := cmd.Output()
		if err != nil {
			var failed *exec.ExitError
			errors.As(err, &failed)
			t.Fatalf("%s %v: %v\n%s", name, args, err, failed.Stderr)
		}
		return out
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, dir, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// gpgHome is a folder for gpg, short enough for the socket of its agent.
func gpgHome(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "fp")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if path, err := exec.LookPath("gpgconf"); err == nil {
			cmd := exec.Command(path, "--kill", "all")
			cmd.Env = append(os.Environ(), "GNUPGHOME="+dir)
			_ = cmd.Run()
		}
		os.RemoveAll(dir)
	})
	return dir
}

func TestInteropWithGnuPG(t *testing.T) {
	dir := gpgHome(t)
	gpg := tool(t, dir, "gpg")
	for _, algorithm := range []string{"ed25519", "rsa3072", "nistp256"} {
		uid := algorithm + "@fieldpost.test"
		gpg("--batch", "--quiet", "--passphrase", "", "--quick-gen-key", uid, algorithm, "default", "1y")
		key, err := seal.ParseKey(string(gpg("--armor", "--export", uid)))
		if err != nil {
			t.Fatalf("%s: %v", algorithm, err)
		}
		if listed := string(gpg("--with-colons", "--list-keys", uid)); !strings.Contains(listed, strings.TrimPrefix(key.ID(), "OpenPGP ")) {
			t.Errorf("%s is not in\n%s", key.ID(), listed)
		}
		ring := seal.NewRing(time.Now(), key)
		write(t, dir, "orders.txt", sheet)
		sign := func(args ...string) []byte {
			return gpg(append(append([]string{"--batch", "--quiet", "--local-user", uid, "--output", "-"}, args...), "orders.txt")...)
		}
		found, err := ring.Clearsigned(string(sign("--clearsign")))
		if err != nil || len(found) != 1 || found[0].Key != key {
			t.Errorf("%s, clearsigned: %v", algorithm, err)
		} else if s, err := found[0].Sheet(string(found[0].Content)); err != nil || s.Text != canonical {
			t.Errorf("%s, clearsigned: %+v, %v", algorithm, s, err)
		}
		for _, args := range [][]string{{"--armor", "--detach-sign"}, {"--detach-sign"}, {"--textmode", "--armor", "--detach-sign"}} {
			v, err := ring.Detached(seal.TextForms([]byte(strings.ReplaceAll(sheet, "\n", "\r\n"))), sign(args...))
			if err != nil || v.Key != key {
				t.Errorf("%s, %v: %v", algorithm, args, err)
			}
		}
		if algorithm != "rsa3072" {
			continue // gpg refuses a short hash for a curve
		}
		if _, err := ring.Detached([][]byte{[]byte(sheet)}, sign("--digest-algo", "SHA1", "--detach-sign")); err == nil {
			t.Errorf("%s: SHA-1 counts", algorithm)
		}
	}
}

func TestInteropWithOpenSSL(t *testing.T) {
	dir := t.TempDir()
	openssl := tool(t, dir, "openssl")
	write(t, dir, "orders.txt", sheet)
	for _, kind := range [][]string{{"rsa:3072"}, {"ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"}} {
		openssl(append([]string{"req", "-x509", "-nodes", "-subj", "/CN=Anna", "-days", "30", "-keyout", "key.pem", "-out", "cert.pem", "-newkey"}, kind...)...)
		key, err := seal.ParseKey(string(read(t, dir, "cert.pem")))
		if err != nil {
			t.Fatal(err)
		}
		sum := string(openssl("x509", "-in", "cert.pem", "-noout", "-fingerprint", "-sha256"))
		_, sum, _ = strings.Cut(strings.TrimSpace(sum), "=")
		if bare, err := seal.ParseKey("S/MIME " + sum); err != nil || bare.ID() != key.ID() {
			t.Errorf("%s is not %s, %v", sum, key.ID(), err)
		}
		ring := seal.NewRing(time.Now(), key)
		sign := []string{"cms", "-sign", "-signer", "cert.pem", "-inkey", "key.pem", "-in", "orders.txt"}
		for _, args := range [][]string{{"-outform", "DER", "-binary"}, {"-outform", "DER"}, {"-outform", "PEM"}, {"-outform", "DER", "-nocerts"}, {"-outform", "DER", "-noattr"}} {
			v, err := ring.Detached(seal.TextForms([]byte(sheet)), openssl(append(sign, args...)...))
			if err != nil || v.Key != key {
				t.Errorf("%v, %v: %v", kind, args, err)
			}
		}
		if v, err := ring.Detached(nil, openssl(append(sign, "-nodetach", "-outform", "DER")...)); err != nil || v.Key != key {
			t.Errorf("opaque: %v", err)
		}
		if _, err := ring.Detached([][]byte{[]byte(sheet)}, openssl(append(sign, "-binary", "-md", "sha1", "-outform", "DER")...)); err == nil {
			t.Error("SHA-1 counts")
		}
	}
}

func TestInteropWithOtherOpenSSHKeys(t *testing.T) {
	dir := t.TempDir()
	keygen := tool(t, dir, "ssh-keygen")
	for name, args := range map[string][]string{"ecdsa": {"-t", "ecdsa", "-b", "256"}, "rsa": {"-t", "rsa", "-b", "3072"}} {
		keygen(append([]string{"-q", "-N", "", "-f", name}, args...)...)
		key, err := seal.ParseKey(string(read(t, dir, name+".pub")))
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, name+".txt", sheet)
		keygen("-q", "-Y", "sign", "-n", seal.Namespace, "-f", name, name+".txt")
		sealed, err := seal.VerifyDetached([]byte(sheet), string(read(t, dir, name+".txt.sig")))
		if err != nil || sealed.Key != key || sealed.Text != canonical {
			t.Errorf("%s: %+v, %v", name, sealed, err)
		}
	}
}

func FuzzClearsigned(f *testing.F) {
	p := signers.NewPGP(1)
	ring := seal.NewRing(signers.Signed, p.Key())
	good := p.Clearsigned(sheet)
	f.Add(good)
	f.Add("> " + strings.ReplaceAll(good, "\n", "\n> "))
	f.Add(strings.Replace(good, "Hash: SHA512", "Hash: SHA1", 1))
	f.Add(good[:200] + good)
	f.Fuzz(func(t *testing.T, text string) {
		found, _ := ring.Clearsigned(text)
		for _, v := range found {
			if string(v.Content) != sheet {
				t.Fatalf("forged: %q", v.Content)
			}
		}
	})
}

func FuzzDetached(f *testing.F) {
	p, c := signers.NewPGP(1), signers.NewSMIME(1)
	ring := seal.NewRing(signers.Signed, p.Key(), c.Key())
	f.Add([]byte(sheet), []byte(p.Detached(sheet)))
	f.Add([]byte(sheet), c.Detached(sheet))
	f.Add([]byte(""), c.Opaque(sheet))
	f.Add([]byte("x"), pem.EncodeToMemory(&pem.Block{Type: "PKCS7", Bytes: c.Detached(sheet)}))
	f.Fuzz(func(t *testing.T, content, signature []byte) {
		v, err := ring.Detached([][]byte{content}, signature)
		if err == nil && string(v.Content) != sheet {
			t.Fatalf("forged: %q", v.Content)
		}
		seal.CertificateOf(signature)
		if v, err := ring.Detached(nil, signature); err == nil && string(v.Content) != sheet {
			t.Fatalf("forged: %q", v.Content)
		}
	})
}

func FuzzParseKey(f *testing.F) {
	f.Add(signers.NewPGP(1).Public())
	f.Add(signers.NewSMIME(1).Public())
	f.Add(signers.NewSSH(1).Public().String())
	f.Add(signers.NewPGP(1).Key().String())
	f.Fuzz(func(t *testing.T, text string) {
		k, err := seal.ParseKey(text)
		if err != nil {
			return
		}
		back, err := seal.ParseKey(k.String())
		if err != nil || back.ID() != k.ID() {
			t.Fatalf("%q reads back as %v, %v", k, back, err)
		}
	})
}
