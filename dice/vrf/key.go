package vrf

import (
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"filippo.io/edwards25519"
)

// ErrKey says that bytes or text are no usable public key: no point of the
// curve, not in canonical form, or a point of small order, with which a proof
// would say nothing (RFC 9381, 5.4.5).
var ErrKey = errors.New("vrf: not a valid public key")

// keyPrefix stands before the hex digits of a public key in its text form, so
// that nobody takes a dice key for a signing key.
const keyPrefix = "ecvrf-ed25519:"

// PublicKey checks the dice of one game. It is the encoded point Y of RFC 9381
// (RFC 8032, 5.1.2): 32 bytes. Its text form is "ecvrf-ed25519:" and 64 hex
// digits.
type PublicKey [32]byte

// ParsePublicKey reads the text form of a public key. White space around it,
// upper case and a missing prefix are forgiven, because people copy it out of
// mails. Anything else is ErrKey.
func ParsePublicKey(text string) (PublicKey, error) {
	var p PublicKey
	digits := strings.TrimPrefix(strings.ToLower(strings.TrimSpace(text)), keyPrefix)
	b, err := hex.DecodeString(digits)
	if err != nil || len(b) != len(p) {
		return p, fmt.Errorf("%w: want %q and 64 hex digits", ErrKey, keyPrefix)
	}
	copy(p[:], b)
	if _, err := p.point(); err != nil {
		return PublicKey{}, err
	}
	return p, nil
}

// String is the text form.
func (p PublicKey) String() string { return keyPrefix + hex.EncodeToString(p[:]) }

// MarshalText is the text form, for JSON and TOML.
func (p PublicKey) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText is ParsePublicKey.
func (p *PublicKey) UnmarshalText(text []byte) (err error) {
	*p, err = ParsePublicKey(string(text))
	return err
}

// point decodes and validates the key (RFC 9381, 5.4.5). Without the validation
// the holder of a crafted key could prove several outputs for one input.
func (p PublicKey) point() (*edwards25519.Point, error) {
	y, err := decodePoint(p[:])
	if err != nil {
		return nil, ErrKey
	}
	if isIdentity(new(edwards25519.Point).MultByCofactor(y)) {
		return nil, fmt.Errorf("%w: a point of small order", ErrKey)
	}
	return y, nil
}

// Key is the private dice key of one game. It is never changed during a game.
// Printing it shows its public half only. It is safe for concurrent use.
type Key struct {
	seed   [32]byte
	x      *edwards25519.Scalar // the secret scalar
	prefix [32]byte             // second half of the hashed seed, for nonces
	public PublicKey
}

// NewKey makes the key that belongs to a seed of 32 random bytes: the SK of
// RFC 9381 (5.5), hashed and clamped as in RFC 8032, 5.1.5.
func NewKey(seed [32]byte) *Key {
	h := sha512.Sum512(seed[:])
	x, err := edwards25519.NewScalar().SetBytesWithClamping(h[:32])
	if err != nil {
		panic(err) // only for a length other than 32
	}
	k := &Key{seed: seed, x: x}
	copy(k.prefix[:], h[32:])
	copy(k.public[:], new(edwards25519.Point).ScalarBaseMult(x).Bytes())
	return k
}

// GenerateKey makes a key from 32 bytes of rand, which must be a cryptographic
// source (crypto/rand.Reader). It fails when rand does.
func GenerateKey(rand io.Reader) (*Key, error) {
	var seed [32]byte
	if _, err := io.ReadFull(rand, seed[:]); err != nil {
		return nil, fmt.Errorf("vrf: making a key: %w", err)
	}
	return NewKey(seed), nil
}

// Seed is what NewKey took: the secret to be stored.
func (k *Key) Seed() [32]byte { return k.seed }

// PublicKey is what goes into the invitation to the game.
func (k *Key) PublicKey() PublicKey { return k.public }

// Format prints no secret, whatever the verb, so that a key in a log line or in
// an error does no harm.
func (k *Key) Format(s fmt.State, _ rune) { fmt.Fprintf(s, "private key of %s", k.public) }
