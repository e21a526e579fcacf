// Package signers makes keys and signatures of every method, for tests. Its keys
// are worthless: they are made of a number.
package signers

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"math/big"
	chacha "math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/clearsign"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
	"github.com/smallstep/pkcs7"
	"golang.org/x/crypto/ssh"

	"fieldpost/orders"
	"fieldpost/orders/seal"
)

// Born is when the keys were made, Signed when they sign.
var (
	Born   = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	Signed = time.Date(2026, 11, 20, 11, 0, 0, 0, time.UTC)
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// SSH is a signer with a key of OpenSSH.
type SSH struct{ seal.PrivateKey }

// NewSSH makes the n-th one.
func NewSSH(n byte) SSH {
	return SSH{must(seal.GenerateKey(chacha.NewChaCha8([32]byte{n})))}
}

// Block is a sheet in a block.
func (s SSH) Block(sheet string) string {
	text := orders.Canonical(sheet)
	return seal.Block(text, s.Detached(text))
}

// Detached is the signature file of ssh-keygen.
func (s SSH) Detached(text string) string {
	return must(seal.Sign(s.PrivateKey, seal.Namespace, []byte(text)))
}

// FIDO is a signer with a security key (sk-ssh-ed25519 of OpenSSH).
type FIDO struct{ key ed25519.PrivateKey }

// NewFIDO makes the n-th one.
func NewFIDO(n byte) FIDO {
	return FIDO{ed25519.NewKeyFromSeed(bytes.Repeat([]byte{n}, ed25519.SeedSize))}
}

const application = "ssh:"

func (f FIDO) wire() []byte {
	return ssh.Marshal(struct {
		Type        string
		Key         []byte
		Application string
	}{ssh.KeyAlgoSKED25519, f.key.Public().(ed25519.PublicKey), application})
}

// Public is the line of the public key.
func (f FIDO) Public() string {
	return ssh.KeyAlgoSKED25519 + " " + base64.StdEncoding.EncodeToString(f.wire())
}

// Block is a sheet in a block. The key signs as PROTOCOL.u2f and PROTOCOL.sshsig of OpenSSH say.
func (f FIDO) Block(sheet string) string {
	const touched = "\x01\x00\x00\x00\x07" // by its owner, and the counter of its signatures
	text := orders.Canonical(sheet)
	hash := sha512.Sum512([]byte(text))
	statement := append([]byte("SSHSIG"), ssh.Marshal(struct {
		Namespace string
		Reserved  []byte
		Hash      string
		Digest    []byte
	}{seal.Namespace, nil, "sha512", hash[:]})...)
	app, digest := sha256.Sum256([]byte(application)), sha256.Sum256(statement)
	signed := slices.Concat(app[:], []byte(touched), digest[:])
	signature := append(ssh.Marshal(struct {
		Format string
		Blob   []byte
	}{ssh.KeyAlgoSKED25519, ed25519.Sign(f.key, signed)}), touched...)
	blob := append([]byte("SSHSIG"), ssh.Marshal(struct {
		Version   uint32
		PublicKey []byte
		Namespace string
		Reserved  []byte
		Hash      string
		Signature []byte
	}{1, f.wire(), seal.Namespace, nil, "sha512", signature})...)
	return seal.Block(text, "-----BEGIN SSH SIGNATURE-----\n"+strings.ReplaceAll(Base64(blob), "\r\n", "\n")+"-----END SSH SIGNATURE-----\n")
}

// PGP is a signer with an OpenPGP key.
type PGP struct{ Entity *openpgp.Entity }

// PGPConfig is how the keys sign.
var PGPConfig = &packet.Config{Algorithm: packet.PubKeyAlgoEdDSA, DefaultHash: crypto.SHA512, Time: func() time.Time { return Signed }}

// NewPGP makes the n-th one, with Ed25519.
func NewPGP(n byte) PGP {
	c := *PGPConfig
	c.Time, c.Rand = func() time.Time { return Born }, chacha.NewChaCha8([32]byte{n, 1})
	return NewPGPWith(&c)
}

// NewPGPWith makes one of any kind.
func NewPGPWith(c *packet.Config) PGP {
	return PGP{must(openpgp.NewEntity("Anna", "", "anna@fieldpost.test", c))}
}

// Public is the armoured public key.
func (p PGP) Public() string {
	var b bytes.Buffer
	w := must(armor.Encode(&b, openpgp.PublicKeyType, nil))
	check(p.Entity.Serialize(w))
	check(w.Close())
	return b.String() + "\n"
}

// Key is the public key as it is enrolled.
func (p PGP) Key() seal.Key { return must(seal.ParseKey(p.Public())) }

// Clearsigned is a clearsigned message.
func (p PGP) Clearsigned(text string) string {
	var b bytes.Buffer
	w := must(clearsign.Encode(&b, p.Entity.PrivateKey, PGPConfig))
	_ = must(w.Write([]byte(text)))
	check(w.Close())
	return b.String() + "\n"
}

// Detached is an armoured detached signature.
func (p PGP) Detached(text string) string {
	var b bytes.Buffer
	check(openpgp.ArmoredDetachSign(&b, p.Entity, strings.NewReader(text), PGPConfig))
	return b.String() + "\n"
}

// DetachedText is one in text mode, for which line ends do not matter.
func (p PGP) DetachedText(text string) string {
	var b bytes.Buffer
	check(openpgp.ArmoredDetachSignText(&b, p.Entity, strings.NewReader(text), PGPConfig))
	return b.String() + "\n"
}

// MIME is the header and body of a PGP/MIME message (RFC 3156) over a part with
// its own header.
func (p PGP) MIME(part string) string {
	return signedMIME("application/pgp-signature", "pgp-sha512", part,
		"Content-Type: application/pgp-signature; name=\"signature.asc\"\r\n\r\n"+p.Detached(crlf(part)))
}

// SMIME is a signer with a certificate that the signer issued.
type SMIME struct {
	Cert *x509.Certificate
	key  crypto.Signer
}

// NewSMIME makes one with P-256.
func NewSMIME(n byte) SMIME {
	return newSMIME(int64(n), must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader)), "Anna")
}

// NewSMIMERSA makes one with RSA.
func NewSMIMERSA(n byte, bits int) SMIME {
	return newSMIME(int64(n), must(rsa.GenerateKey(rand.Reader, bits)), "Anna")
}

// Twin makes another certificate with the same names and number and another key.
func (s SMIME) Twin() SMIME {
	return newSMIME(s.Cert.SerialNumber.Int64(), must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader)), s.Cert.Subject.CommonName)
}

func newSMIME(number int64, key crypto.Signer, name string) SMIME {
	c := &x509.Certificate{SerialNumber: big.NewInt(number), Subject: pkix.Name{CommonName: name}, NotBefore: Born, NotAfter: Born.AddDate(2, 0, 0)}
	der := must(x509.CreateCertificate(rand.Reader, c, c, key.Public(), key))
	return SMIME{must(x509.ParseCertificate(der)), key}
}

// Public is the certificate in PEM.
func (s SMIME) Public() string {
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Cert.Raw}))
}

// Key is the certificate as it is enrolled.
func (s SMIME) Key() seal.Key { return must(seal.ParseKey(s.Public())) }

// Detached is a detached signature (DER).
func (s SMIME) Detached(text string) []byte {
	data := s.data(text)
	data.Detach()
	return must(data.Finish())
}

// Opaque is a signature that holds what it signs.
func (s SMIME) Opaque(text string) []byte { return must(s.data(text).Finish()) }

func (s SMIME) data(text string) *pkcs7.SignedData {
	data := must(pkcs7.NewSignedData([]byte(text)))
	data.SetDigestAlgorithm(pkcs7.OIDDigestAlgorithmSHA256)
	check(data.AddSigner(s.Cert, s.key, pkcs7.SignerInfoConfig{}))
	return data
}

// MIME is the header and body of an S/MIME message over a part with its own header.
func (s SMIME) MIME(part string) string {
	return signedMIME("application/pkcs7-signature", "sha-256", part,
		"Content-Type: application/pkcs7-signature; name=\"smime.p7s\"\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename=\"smime.p7s\"\r\n\r\n"+Base64(s.Detached(crlf(part))))
}

func signedMIME(protocol, micalg, part, signature string) string {
	return fmt.Sprintf("Content-Type: multipart/signed; micalg=%s;\r\n protocol=\"%s\"; boundary=\"=_signed\"\r\n\r\nThis is a signed message.\r\n--=_signed\r\n%s\r\n--=_signed\r\n%s\r\n--=_signed--\r\n",
		micalg, protocol, crlf(part), crlf(signature))
}

// Base64 is wrapped as in mail.
func Base64(b []byte) string {
	text := base64.StdEncoding.EncodeToString(b)
	var out strings.Builder
	for len(text) > 76 {
		out.WriteString(text[:76] + "\r\n")
		text = text[76:]
	}
	return out.String() + text + "\r\n"
}

func crlf(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\n", "\r\n")
}
