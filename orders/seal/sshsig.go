package seal

import (
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
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
	// PROTOCOL.sshsig, "Blob format": version, key, namespace, reserved, hash, signature.
	signature := wire(nil).text(keyType).bytes(ed25519.Sign(key.key, signed))
	blob := wire(magic).number(1).bytes(key.Public().blob()).text(namespace).text("").text(hashDefault).bytes(signature)
	return armor(blob), nil
}

// toSign is what the key signs (PROTOCOL.sshsig, "Signed Data").
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
	return wire(magic).text(namespace).bytes(reserved).text(hash).bytes(digest), nil
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
