package seal

import (
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/ssh"
)

// Namespace is the namespace of signed orders. A signature made for anything
// else (a commit, a login) does not count as orders and the other way round.
const Namespace = "orders@fieldpost"

// MaxArmor is the longest armoured signature read, in bytes. One by an Ed25519
// key has about 330.
const MaxArmor = 8 << 10

// The two failures of Verify. Both are the sender's: the first means a damaged
// or foreign signature, the second a text that is not what was signed.
var (
	ErrSignature = errors.New("the signature cannot be read")
	ErrMismatch  = errors.New("the signature does not fit the text")
)

const (
	magic       = "SSHSIG"
	beginArmor  = "-----BEGIN SSH SIGNATURE-----"
	endArmor    = "-----END SSH SIGNATURE-----"
	armorWidth  = 64
	hashDefault = "sha512"
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

// statement is what the key signs (PROTOCOL.sshsig, "Signed Data"), after the magic.
type statement struct {
	Namespace string
	Reserved  []byte
	Hash      string
	Digest    []byte
}

// Sign returns the armoured SSHSIG of message by key, its lines 64 wide and
// ended by LF. Equal input gives equal output (RFC 8032 is deterministic).
func Sign(key PrivateKey, namespace string, message []byte) (armored string, err error) {
	if key.key == nil {
		return "", errors.New("there is no key to sign with")
	}
	if namespace == "" {
		return "", errors.New("a signature needs a namespace")
	}
	signed, err := toSign(namespace, nil, hashDefault, message)
	if err != nil {
		return "", err
	}
	blob := ssh.Marshal(envelope{
		Version:   1,
		PublicKey: key.Public().blob(),
		Namespace: namespace,
		Hash:      hashDefault,
		Signature: ssh.Marshal(ssh.Signature{Format: keyType, Blob: ed25519.Sign(key.key, signed)}),
	})
	return armor(append([]byte(magic), blob...)), nil
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

func toSign(namespace string, reserved []byte, hash string, message []byte) ([]byte, error) {
	var digest []byte
	switch hash {
	case "sha512":
		sum := sha512.Sum512(message)
		digest = sum[:]
	case "sha256":
		sum := sha256.Sum256(message)
		digest = sum[:]
	default:
		return nil, fmt.Errorf("%w: hash %q is unknown", ErrSignature, hash)
	}
	return append([]byte(magic), ssh.Marshal(statement{namespace, reserved, hash, digest})...), nil
}

// armor wraps a signature as OpenSSH does, a little narrower so that quoting
// does not push lines over the 72 columns where mail programs break them.
func armor(blob []byte) string { return wrapArmor(base64.StdEncoding.EncodeToString(blob)) }

// wrapArmor puts base64 text between the markers.
func wrapArmor(text string) string {
	var b strings.Builder
	b.WriteString(beginArmor + "\n")
	for len(text) > armorWidth {
		b.WriteString(text[:armorWidth] + "\n")
		text = text[armorWidth:]
	}
	b.WriteString(text + "\n" + endArmor + "\n")
	return b.String()
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
