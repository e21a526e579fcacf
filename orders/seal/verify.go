//go:build !js

package seal

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"strings"

	"golang.org/x/crypto/ssh"
)

// envelope is what is inside the armour (PROTOCOL.sshsig, "Blob format"),
// after the six bytes of the magic.
type envelope struct {
	Version   uint32
	PublicKey []byte
	Namespace string
	Reserved  []byte
	Hash      string
	Signature []byte
}

// Verify checks an armoured SSHSIG over message and returns the key that made
// it. The caller decides whether that key may sign: a good signature by an
// unknown key is no error here. Errors wrap ErrSignature or ErrMismatch, and
// the key is zero with each of them.
func Verify(message []byte, armored, namespace string) (Key, error) {
	s, err := parseSignature(armored)
	if err != nil {
		return PublicKey{}, err
	}
	return s.verify(message, namespace)
}

// signature is a signature that was read and not yet checked. Reading it once
// lets the candidates of one text be tried cheaply.
type signature struct {
	envelope
	key Key
	sig ssh.Signature
	// pub checks signatures of all key types but plain Ed25519.
	pub ssh.PublicKey
}

func parseSignature(armored string) (*signature, error) {
	blob, err := unarmor(armored)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSignature, err)
	}
	rest, ok := strings.CutPrefix(string(blob), magic)
	if !ok {
		return nil, fmt.Errorf("%w: it is not an SSH signature", ErrSignature)
	}
	s := new(signature)
	if err := ssh.Unmarshal([]byte(rest), &s.envelope); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSignature, err)
	}
	if s.Version != 1 {
		return nil, fmt.Errorf("%w: version %d is unknown", ErrSignature, s.Version)
	}
	if s.key, s.pub, err = parseWire(s.PublicKey); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSignature, err)
	}
	if err := ssh.Unmarshal(s.Signature, &s.sig); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSignature, err)
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	return s, nil
}

// check looks at the form of a signature: whether a key of that type signs like that.
func (s *signature) check() error {
	extra := len(s.sig.Rest) > 0 // the counter of a security key
	if s.pub == nil {
		switch {
		case s.sig.Format != keyType, len(s.sig.Blob) != ed25519.SignatureSize, extra:
			return fmt.Errorf("%w: it is not by an %s key", ErrSignature, keyType)
		}
		return nil
	}
	kind := s.pub.Type()
	mayHaveExtra := kind == ssh.KeyAlgoSKED25519
	if !signatureFits(kind, s.sig.Format) || extra && !mayHaveExtra {
		return fmt.Errorf("%w: an %s key signs as %q", ErrSignature, kind, s.sig.Format)
	}
	return nil
}

func (s *signature) verify(message []byte, namespace string) (Key, error) {
	if namespace == "" || s.Namespace != namespace {
		return PublicKey{}, fmt.Errorf("%w: it was made for %q, not for %q", ErrMismatch, s.Namespace, namespace)
	}
	signed, err := toSign(s.Namespace, s.Reserved, s.Hash, message)
	if err != nil {
		return PublicKey{}, err
	}
	if key, ok := s.key.(PublicKey); ok {
		if !ed25519.Verify(key[:], signed, s.sig.Blob) {
			return PublicKey{}, ErrMismatch
		}
	} else if err := s.pub.Verify(signed, &s.sig); err != nil {
		return PublicKey{}, fmt.Errorf("%w: %w", ErrMismatch, err)
	}
	return s.key, nil
}

// unarmor is the inverse of armor for any line width, with blanks and line
// ends anywhere in the base64 and around the markers. Text outside the markers
// is refused, so that one signature has one meaning.
func unarmor(armored string) ([]byte, error) {
	if len(armored) > MaxArmor {
		return nil, fmt.Errorf("it is longer than %d bytes", MaxArmor)
	}
	text, ok := strings.CutPrefix(strings.TrimSpace(armored), beginArmor)
	if !ok {
		return nil, fmt.Errorf("it does not start with %s", beginArmor)
	}
	text, ok = strings.CutSuffix(text, endArmor)
	if !ok {
		return nil, fmt.Errorf("it does not end with %s", endArmor)
	}
	blob, err := base64.StdEncoding.Strict().DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		return nil, fmt.Errorf("it was damaged on the way: %w", err)
	}
	return blob, nil
}
