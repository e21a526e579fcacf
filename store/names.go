package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// MaxName is the length of the longest name, in bytes.
const MaxName = 128

// Named checks names that become part of a key. A zero byte would end them early: the error is ErrInvalid.
func Named(what string, names ...string) error {
	for _, n := range names {
		if n == "" || len(n) > MaxName {
			return fmt.Errorf("%w %s %.20q: 1 to %d bytes", ErrInvalid, what, n, MaxName)
		}
		for i := range len(n) {
			if n[i] < 0x20 || n[i] == 0x7f {
				return fmt.Errorf("%w %s %q: a control character", ErrInvalid, what, n)
			}
		}
	}
	return nil
}

// SHAKey turns 64 lower-case hex digits into 32 bytes; ErrInvalid if they are not.
func SHAKey(sha string) ([]byte, error) {
	b, err := hex.DecodeString(sha)
	switch {
	case err != nil, len(b) != sha256.Size, strings.ToLower(sha) != sha:
		return nil, fmt.Errorf("%w SHA-256 %.70q: 64 lower-case hex digits", ErrInvalid, sha)
	}
	return b, nil
}

// Sum is the SHA-256 of bytes in 64 lower-case hexadecimal digits: how positions,
// mails and files are named everywhere.
func Sum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// KeyID is what makes two public keys the same key: the first two words of their
// text. What stands behind them, a comment or the key's material, does not count.
// An armoured block does not begin with a name of the key, so the whole of it
// counts.
func KeyID(key string) string {
	f := strings.Fields(key)
	if len(f) > 0 && strings.HasPrefix(f[0], "-----") {
		return strings.Join(f, " ")
	}
	return strings.Join(f[:min(2, len(f))], " ")
}
