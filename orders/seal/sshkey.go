//go:build !js

package seal

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"encoding/base64"
	"fmt"
	"strings"

	"golang.org/x/crypto/ssh"
)

// minRSA is the size of the smallest RSA key of OpenSSH and OpenPGP accepted.
const minRSA = 3072

// Method is SSH.
func (k PublicKey) Method() Method { return SSH }

// ID is the key line without its comment.
func (k PublicKey) ID() string { return k.String() }

// sshKey is a key of OpenSSH that is not plain Ed25519: its wire form.
type sshKey struct{ wire string }

func (k sshKey) Method() Method { return SSH }
func (k sshKey) ID() string     { return k.String() }
func (k sshKey) IsZero() bool   { return k.wire == "" }

func (k sshKey) String() string {
	pub, err := ssh.ParsePublicKey([]byte(k.wire))
	if err != nil {
		return ""
	}
	return pub.Type() + " " + base64.StdEncoding.EncodeToString([]byte(k.wire))
}

func (k sshKey) Fingerprint() string { return fingerprint([]byte(k.wire)) }

// parseSSHKey reads a key line of one of the other types.
func parseSSHKey(line string) (Key, error) {
	fields := strings.Fields(line)
	if len(fields) < 2 || len(line) > 4*maxKeyLine {
		return nil, fmt.Errorf("%.60q is not a public key: an OpenSSH line \"ssh-ed25519 AAAA...\", an OpenPGP public key block or a certificate is expected", line)
	}
	wire, err := base64.StdEncoding.Strict().DecodeString(fields[1])
	if err != nil {
		return nil, fmt.Errorf("the key after %.30q is damaged, paste the whole line again: %w", fields[0], err)
	}
	key, _, err := parseWire(wire)
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(key.String(), fields[0]+" ") {
		return nil, fmt.Errorf("the line says %.40q, the key says something else", fields[0])
	}
	return key, nil
}

// parseWire reads any key of OpenSSH that is accepted. The second value checks
// its signatures; Ed25519 keys need none.
func parseWire(wire []byte) (Key, ssh.PublicKey, error) {
	pub, err := ssh.ParsePublicKey(wire)
	if err != nil {
		return nil, nil, fmt.Errorf("the public key is damaged: %w", err)
	}
	switch pub.Type() {
	case ssh.KeyAlgoED25519:
		key, err := parseBlob(wire)
		if err == nil && key.weak() {
			err = ErrWeakKey
		}
		if err != nil {
			return nil, nil, err
		}
		return key, nil, nil
	case ssh.KeyAlgoSKED25519:
		raw, ok := pub.(ssh.CryptoPublicKey).CryptoPublicKey().(ed25519.PublicKey)
		if !ok || len(raw) != ed25519.PublicKeySize {
			return nil, nil, fmt.Errorf("the public key is damaged: it has %d bytes", len(raw))
		}
		if PublicKey(raw).weak() {
			return nil, nil, ErrWeakKey
		}
	case ssh.KeyAlgoECDSA256:
		if _, ok := pub.(ssh.CryptoPublicKey).CryptoPublicKey().(*ecdsa.PublicKey); !ok {
			return nil, nil, fmt.Errorf("the public key is damaged")
		}
	case ssh.KeyAlgoRSA:
		key, ok := pub.(ssh.CryptoPublicKey).CryptoPublicKey().(*rsa.PublicKey)
		switch {
		case !ok, key.N.BitLen() < minRSA, key.N.BitLen() > 8192:
			return nil, nil, fmt.Errorf("an RSA key must have %d to 8192 bits", minRSA)
		}
	default:
		return nil, nil, fmt.Errorf("a key of type %q: ssh-ed25519, sk-ssh-ed25519, ecdsa-sha2-nistp256 and ssh-rsa are accepted", pub.Type())
	}
	// The wire form of a key is not unique; its printed form must be.
	return sshKey{string(pub.Marshal())}, pub, nil
}

// signatureFits reports whether an SSH signature of the given format belongs to
// a key type. RSA with SHA-1 is what is left out.
func signatureFits(keyType, format string) bool {
	if keyType == ssh.KeyAlgoRSA {
		return format == ssh.KeyAlgoRSASHA256 || format == ssh.KeyAlgoRSASHA512
	}
	return keyType == format
}
