//go:build !js

package seal

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// maxKeyText is the longest public key read, in bytes. OpenPGP keys with many
// signatures of other people are longer: gpg --export-options export-minimal.
const maxKeyText = 64 << 10

// ParseKey reads a public key: an OpenSSH line (ssh-ed25519, sk-ssh-ed25519,
// ecdsa-sha2-nistp256, ssh-rsa from 3072 bits on), an OpenPGP public key block,
// a PEM certificate, "S/MIME" and the SHA-256 of a certificate, or what String
// printed.
func ParseKey(text string) (Key, error) {
	if len(text) > maxKeyText {
		return nil, fmt.Errorf("a public key of %d characters: at most %d are read", len(text), maxKeyText)
	}
	text = strings.TrimSpace(text)
	first, rest, _ := strings.Cut(text, " ")
	switch {
	case first == string(Code):
		return parseCodeKey(rest)
	case first == string(SMIME):
		return parseStoredCertificate(rest)
	case first == string(OpenPGP):
		return parseStoredOpenPGP(rest)
	case strings.HasPrefix(text, beginPGPKey):
		return parseOpenPGP(text)
	case strings.HasPrefix(text, beginCertificate):
		return parseCertificate(text)
	case strings.HasPrefix(text, "-----BEGIN ") && strings.Contains(text, "PRIVATE KEY"):
		return nil, errors.New("this is a private key: keep it to yourself and hand in the public one")
	case first == keyType:
		return ParsePublicKey(text)
	}
	return parseSSHKey(text)
}

// Ring is the keys that signatures which do not carry their key are checked
// with, and the time at which they must be valid. A nil Ring has no keys.
type Ring struct {
	now  time.Time
	keys []Key
	load func() []Key // brings the keys when the first is looked for; may be nil
	pgp  []entity     // read when the first OpenPGP signature comes
	read bool
}

// NewRing makes a ring. A key with the ID of an earlier one is left out.
func NewRing(now time.Time, keys ...Key) *Ring {
	return LazyRing(now, func() []Key { return keys })
}

// LazyRing is NewRing with keys that are fetched when one is looked for: most
// signatures carry their own.
func LazyRing(now time.Time, load func() []Key) *Ring { return &Ring{now: now, load: load} }

// all are the keys, each ID once.
func (r *Ring) all() []Key {
	if r.load == nil {
		return r.keys
	}
	seen := map[string]bool{}
	for _, k := range r.load() {
		if k.IsZero() || seen[k.ID()] {
			continue
		}
		seen[k.ID()] = true
		r.keys = append(r.keys, k)
	}
	r.load = nil
	return r.keys
}

// MethodOf says what kind of detached signature a file is, by its content: the
// names and types of such files vary. It is "" for anything else.
func MethodOf(data []byte) Method {
	if len(data) > maxSignature {
		return ""
	}
	text := strings.TrimSpace(string(data[:min(len(data), 200)]))
	switch {
	case strings.HasPrefix(text, beginArmor):
		return SSH
	case strings.HasPrefix(text, beginPGPSignature), isPGPSignature(data):
		return OpenPGP
	case strings.HasPrefix(text, "-----BEGIN PKCS7-----"), strings.HasPrefix(text, "-----BEGIN CMS-----"), isCMS(data):
		return SMIME
	}
	return ""
}

// maxSignature is the longest detached signature read, in bytes. One of S/MIME
// carries a chain of certificates, some 6 KiB; reading hostile ones takes time
// that grows with the square of their length, 50 ms for this one.
const maxSignature = 24 << 10

// Detached checks an OpenPGP or S/MIME signature over some content. The forms
// are what the signed bytes may have been; the one that fits is returned.
// Errors wrap ErrSignature, ErrMismatch or ErrUnknownKey.
func (r *Ring) Detached(forms [][]byte, signature []byte) (v Verified, err error) {
	defer func() {
		// Both libraries read foreign bytes of some depth.
		if p := recover(); p != nil {
			v, err = Verified{}, fmt.Errorf("%w: reading it broke the reader: %v", ErrSignature, p)
		}
	}()
	switch MethodOf(signature) {
	case OpenPGP:
		return r.openPGP(forms, signature)
	case SMIME:
		return r.cms(forms, signature)
	}
	return Verified{}, fmt.Errorf("%w: it is neither OpenPGP nor S/MIME", ErrSignature)
}

// groups prints hexadecimal digits in fours, capitals, as GnuPG does.
func groups(digits string) string {
	var b strings.Builder
	for i := 0; i < len(digits); i += 4 {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strings.ToUpper(digits[i:min(i+4, len(digits))]))
	}
	return b.String()
}
