//go:build !js

package seal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	pgparmor "github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
)

// ErrNoEncryption says that nothing can be encrypted to a key.
var ErrNoEncryption = errors.New("nothing can be encrypted to this key: it is not an OpenPGP key, has no subkey for encryption, or has run out")

// Envelope encrypts and signs mail with OpenPGP (RFC 9580).
type Envelope struct{ signer *openpgp.Entity }

// envelopeBorn is the date on every daemon's OpenPGP key.
var envelopeBorn = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// Envelope is the OpenPGP key that goes with a signing key: made of it, so that
// it is the same one at each start. The address is in its name.
func (k PrivateKey) Envelope(address string) (*Envelope, error) {
	config := &packet.Config{
		Rand:      rand.NewChaCha8([32]byte(k.Secret("openpgp"))),
		Time:      func() time.Time { return envelopeBorn },
		Algorithm: packet.PubKeyAlgoEdDSA,
	}
	signer, err := openpgp.NewEntity("Fieldpost", "", address, config)
	if err != nil {
		return nil, fmt.Errorf("making the OpenPGP key: %w", err)
	}
	return &Envelope{signer}, nil
}

// Public is the armoured public key, for players to check the signatures with.
func (e *Envelope) Public() (string, error) {
	var b strings.Builder
	w, err := pgparmor.Encode(&b, openpgp.PublicKeyType, nil)
	if err != nil {
		return "", err
	}
	if err := e.signer.Serialize(w); err != nil {
		return "", err
	}
	err = w.Close()
	return b.String() + "\n", err
}

// CanEncrypt says whether mail can be encrypted to a key at a time.
func CanEncrypt(key Key, now time.Time) bool {
	_, err := recipient(key, now)
	return err == nil
}

func recipient(key Key, now time.Time) (to *openpgp.Entity, err error) {
	defer func() {
		if p := recover(); p != nil {
			to, err = nil, fmt.Errorf("%w: %v", ErrNoEncryption, p)
		}
	}()
	k, ok := key.(pgpKey)
	if !ok {
		return nil, ErrNoEncryption
	}
	to, err = openpgp.ReadEntity(packet.NewReader(strings.NewReader(k.packets)))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoEncryption, err)
	}
	if _, ok := to.EncryptionKey(now); !ok {
		return nil, ErrNoEncryption
	}
	return to, nil
}

// Seal encrypts a text to a key and signs it inside. The error wraps
// ErrNoEncryption when the key is to blame.
func (e *Envelope) Seal(key Key, text []byte, now time.Time) (armored string, err error) {
	to, err := recipient(key, now)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	a, err := pgparmor.Encode(&b, "PGP MESSAGE", nil)
	if err != nil {
		return "", err
	}
	w, err := openpgp.Encrypt(a, []*openpgp.Entity{to}, e.signer, &openpgp.FileHints{IsBinary: true}, &packet.Config{Time: func() time.Time { return now },
		DefaultCompressionAlgo: packet.CompressionZLIB})
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNoEncryption, err)
	}
	if _, err := io.Copy(w, bytes.NewReader(text)); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	err = a.Close()
	return b.String() + "\n", err
}
