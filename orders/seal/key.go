package seal

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
)

// keyType is the one key type accepted, as OpenSSH spells it (RFC 8709).
const keyType = "ssh-ed25519"

// maxKeyLine is the longest public key line read, in bytes. A real one has
// about 80 and a comment.
const maxKeyLine = 1024

// ErrPassphrase says that a private key file is locked and needs the
// passphrase given to it when it was made.
var ErrPassphrase = errors.New("the key file is locked with a passphrase")

// ErrWeakKey says that a public key is one of the few points on which anybody
// can make signatures. No key generator makes such a key.
var ErrWeakKey = errors.New("this key cannot protect anything: everybody can sign with it")

// PublicKey is an Ed25519 public key (RFC 8032, 32 bytes). Keys can be compared
// with == and used in maps. The zero value is no key.
type PublicKey [ed25519.PublicKeySize]byte

// ParsePublicKey reads a line "ssh-ed25519 AAAA... comment", as in an OpenSSH
// .pub file; the comment may be missing. Lines with options in front of the key
// type, other key types and weak keys (ErrWeakKey) are refused.
func ParsePublicKey(line string) (PublicKey, error) {
	if len(line) > maxKeyLine {
		return PublicKey{}, fmt.Errorf("a public key of %d characters: at most %d are read", len(line), maxKeyLine)
	}
	fields := strings.Fields(line)
	if len(fields) < 2 {
		return PublicKey{}, fmt.Errorf("%q is not a public key: expected \"%s AAAA...\"", strings.TrimSpace(line), keyType)
	}
	if fields[0] != keyType {
		return PublicKey{}, fmt.Errorf("a key of type %q: only %s is accepted", fields[0], keyType)
	}
	blob, err := base64.StdEncoding.Strict().DecodeString(fields[1])
	if err != nil {
		return PublicKey{}, fmt.Errorf("the key after %s is damaged, paste the whole line again: %w", keyType, err)
	}
	key, err := parseBlob(blob)
	if err != nil {
		return PublicKey{}, err
	}
	if key.weak() {
		return PublicKey{}, ErrWeakKey
	}
	return key, nil
}

// parseBlob reads the wire form of a key (RFC 4253 section 6.6, RFC 8709).
func parseBlob(blob []byte) (PublicKey, error) {
	u := &unwire{rest: blob}
	kind, key := u.text(), u.bytes()
	if err := u.whole(); err != nil {
		return PublicKey{}, fmt.Errorf("the public key is damaged: %w", err)
	}
	if kind != keyType {
		return PublicKey{}, fmt.Errorf("a key of type %q: only %s is accepted", kind, keyType)
	}
	if len(key) != ed25519.PublicKeySize {
		return PublicKey{}, fmt.Errorf("the public key has %d bytes, not %d", len(key), ed25519.PublicKeySize)
	}
	return PublicKey(key), nil
}

// blob is the wire form of the key.
func (k PublicKey) blob() []byte { return wire(nil).text(keyType).bytes(k[:]) }

// IsZero says that there is no key.
func (k PublicKey) IsZero() bool { return k == PublicKey{} }

// String is the key as a line "ssh-ed25519 AAAA...", without comment;
// ParsePublicKey reads it back.
func (k PublicKey) String() string {
	return keyType + " " + base64.StdEncoding.EncodeToString(k.blob())
}

// Fingerprint is a short name of the key for people to compare: the first 60
// bits of the SHA-256 of its wire form in base32, as in FQ3L-6ZTA-77PD. It is
// for reading only; programs compare keys.
func (k PublicKey) Fingerprint() string { return fingerprint(k.blob()) }

func fingerprint(wire []byte) string {
	sum := sha256.Sum256(wire)
	s := base32.StdEncoding.EncodeToString(sum[:])
	return s[:4] + "-" + s[4:8] + "-" + s[8:12]
}

// MarshalText writes String, or the empty text for no key.
func (k PublicKey) MarshalText() ([]byte, error) {
	if k.IsZero() {
		return nil, nil
	}
	return []byte(k.String()), nil
}

// UnmarshalText reads what MarshalText writes.
func (k *PublicKey) UnmarshalText(b []byte) error {
	if len(b) == 0 {
		*k = PublicKey{}
		return nil
	}
	v, err := ParsePublicKey(string(b))
	if err != nil {
		return err
	}
	*k = v
	return nil
}

// weakPoints are the encodings of the points of small order, the top bit (the
// sign of x) masked: y = 0, 1, -1, the two of order 8, and p and p+1, which are
// other spellings of 0 and 1.
var weakPoints = decodePoints(
	"0000000000000000000000000000000000000000000000000000000000000000",
	"0100000000000000000000000000000000000000000000000000000000000000",
	"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
	"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
	"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
)

func decodePoints(encoded ...string) []PublicKey {
	points := make([]PublicKey, len(encoded))
	for i, s := range encoded {
		if n, err := hex.Decode(points[i][:], []byte(s)); err != nil || n != len(points[i]) {
			panic("seal: bad point " + s)
		}
	}
	return points
}

func (k PublicKey) weak() bool {
	k[31] &= 0x7f
	for _, p := range weakPoints {
		if k == p {
			return true
		}
	}
	return false
}

// PrivateKey is an Ed25519 signing key. The zero value cannot sign. It prints
// as the fingerprint of its public half, never as itself.
type PrivateKey struct{ key ed25519.PrivateKey }

// GenerateKey makes a key from 32 bytes of randomness read from random. Equal
// bytes give equal keys; for real keys random must be crypto/rand.Reader.
func GenerateKey(random io.Reader) (PrivateKey, error) {
	seed := make([]byte, ed25519.SeedSize)
	if _, err := io.ReadFull(random, seed); err != nil {
		return PrivateKey{}, fmt.Errorf("reading randomness for a key: %w", err)
	}
	return PrivateKey{ed25519.NewKeyFromSeed(seed)}, nil
}

// Secret is key material for another purpose, 32 bytes: it tells nothing about
// the key, and nobody without the key can work it out.
func (k PrivateKey) Secret(purpose string) []byte {
	h := hmac.New(sha256.New, k.key)
	h.Write([]byte("fieldpost secret " + purpose))
	return h.Sum(nil)
}

// Public is the public half of the key, or no key for the zero value.
func (k PrivateKey) Public() PublicKey {
	if k.key == nil {
		return PublicKey{}
	}
	return PublicKey(k.key.Public().(ed25519.PublicKey))
}

// String is the fingerprint of the public half.
func (k PrivateKey) String() string { return "private key of " + k.Public().Fingerprint() }

// GoString keeps the key itself out of %#v.
func (k PrivateKey) GoString() string { return k.String() }
