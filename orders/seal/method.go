package seal

import "errors"

// Method is how a signature was made.
type Method string

// The methods. Each is a way to sign that many people have at hand already.
const (
	SSH     Method = "SSH"     // ssh-keygen -Y sign, our own program
	OpenPGP Method = "OpenPGP" // GnuPG, Thunderbird, Proton, OpenKeychain
	SMIME   Method = "S/MIME"  // Outlook, Apple Mail, openssl cms
	Code    Method = "code"    // no signature at all: a code from each report
)

// Key is a public key of any method. Keys can be compared with == and used in
// maps. The dynamic types are PublicKey, for Ed25519 keys of OpenSSH, and
// unexported ones of this package.
type Key interface {
	Method() Method
	// ID names the key for programs. It is two words and never changes: it stays
	// the same when the owner of an OpenPGP key adds an address or a subkey.
	ID() string
	// Fingerprint names the key for people, as the programs of its method do.
	Fingerprint() string
	// String is the form that is stored; ParseKey reads it. Its first two words
	// are the ID.
	String() string
	// IsZero says that there is no key.
	IsZero() bool
}

// ErrUnknownKey says that a signature was made by a key that is not in the
// ring, so that it cannot even be checked.
var ErrUnknownKey = errors.New("the signature is by a key that is not enrolled")

// Signer prints a key for a roster: fingerprint and method.
func Signer(k Key) string { return k.Fingerprint() + " (" + string(k.Method()) + ")" }

// Verified is content whose signature fits, byte by byte as it was signed.
type Verified struct {
	Content []byte
	Key     Key
}
