//go:build !js

package seal

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/asn1"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/smallstep/pkcs7"
)

const beginCertificate = "-----BEGIN CERTIFICATE-----"

// minCertificateRSA is smaller than minRSA: it is what authorities issue for mail.
const minCertificateRSA = 2048

// certificate is an S/MIME key: the SHA-256 of its certificate in lower-case
// hex digits and, if it was handed in, the certificate (DER). Who issued it does
// not matter: it is this one or none.
type certificate struct{ id, der string }

func (k certificate) Method() Method      { return SMIME }
func (k certificate) ID() string          { return string(SMIME) + " " + k.id }
func (k certificate) IsZero() bool        { return k.id == "" }
func (k certificate) Fingerprint() string { return groups(k.id[:min(len(k.id), 32)]) }

func (k certificate) String() string {
	if k.der == "" {
		return k.ID()
	}
	return k.ID() + "\n" + string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: []byte(k.der)}))
}

// parseStoredCertificate reads what String printed, behind its first word, and a
// bare SHA-256.
func parseStoredCertificate(text string) (Key, error) {
	id, block, _ := strings.Cut(strings.TrimSpace(text), "\n")
	id = strings.ToLower(strings.NewReplacer(":", "", " ", "", "\r", "").Replace(id))
	if b, err := hex.DecodeString(id); err != nil || len(b) != sha256.Size {
		return nil, errors.New("after S/MIME the SHA-256 of a certificate is expected: 64 hexadecimal digits")
	}
	if block = strings.TrimSpace(block); block == "" {
		return certificate{id: id}, nil
	}
	key, err := parseCertificate(block)
	if err != nil {
		return nil, err
	}
	if key.ID() != string(SMIME)+" "+id {
		return nil, errors.New("the certificate is not the one that its first line names")
	}
	return key, nil
}

// parseCertificate reads the first certificate of a PEM text; a chain behind it
// does not matter.
func parseCertificate(text string) (Key, error) {
	block, _ := pem.Decode([]byte(text))
	if block == nil || block.Type != "CERTIFICATE" {
		return nil, errors.New("the certificate is damaged, paste the whole of it again")
	}
	cert, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("the certificate cannot be read: %w", err)
	}
	if err := fit(cert); err != nil {
		return nil, err
	}
	return certificate{pin(cert), string(cert.Raw)}, nil
}

func pin(cert *x509.Certificate) string {
	sum := sha256.Sum256(cert.Raw)
	return hex.EncodeToString(sum[:])
}

// fit refuses certificates with weak keys.
func fit(cert *x509.Certificate) error {
	switch pub := cert.PublicKey.(type) {
	case *rsa.PublicKey:
		if pub.N.BitLen() >= minCertificateRSA && pub.N.BitLen() <= 8192 {
			return nil
		}
		return fmt.Errorf("the certificate's RSA key has %d bits: %d to 8192 are accepted", pub.N.BitLen(), minCertificateRSA)
	case *ecdsa.PublicKey:
		return nil
	case ed25519.PublicKey:
		return errors.New("S/MIME signatures with Ed25519 cannot be checked here: use RSA or ECDSA")
	}
	return errors.New("the certificate's key is of no kind that is accepted: use RSA or ECDSA")
}

// cmsHashes are SHA-256, SHA-384 and SHA-512.
var cmsHashes = []asn1.ObjectIdentifier{pkcs7.OIDDigestAlgorithmSHA256, pkcs7.OIDDigestAlgorithmSHA384, pkcs7.OIDDigestAlgorithmSHA512}

// cms checks a signature (RFC 5652) by the only certificate that counts: the
// pinned one. Without forms, it is the content inside the signature that counts.
func (r *Ring) cms(forms [][]byte, signature []byte) (Verified, error) {
	if block, _ := pem.Decode(signature); block != nil {
		signature = block.Bytes
	}
	p7, err := pkcs7.Parse(signature)
	if err != nil {
		return Verified{}, fmt.Errorf("%w: %w", ErrSignature, err)
	}
	if len(p7.Signers) != 1 {
		return Verified{}, fmt.Errorf("%w: it has %d signers", ErrSignature, len(p7.Signers))
	}
	if digest := p7.Signers[0].DigestAlgorithm.Algorithm; !slices.ContainsFunc(cmsHashes, digest.Equal) {
		return Verified{}, fmt.Errorf("%w: its hash %v is too weak", ErrSignature, digest)
	}
	if forms == nil && len(p7.Content) > 0 {
		forms = [][]byte{p7.Content}
	}
	err = ErrUnknownKey
	for _, c := range r.pinned(p7) {
		err = ErrMismatch
		p7.Certificates = []*x509.Certificate{c.atAnyTime()}
		for _, form := range forms {
			p7.Content = form
			if bad := p7.Verify(); bad != nil {
				err = fmt.Errorf("%w: %w", ErrMismatch, bad)
				continue
			}
			if end := c.cert.NotAfter; r.now.After(end) {
				return Verified{}, fmt.Errorf("%w: the certificate ran out on %s", ErrExpired, end.Format("2 January 2006"))
			}
			if begin := c.cert.NotBefore; r.now.Add(skew).Before(begin) {
				return Verified{}, fmt.Errorf("%w: the certificate is valid from %s on", ErrSignature, begin.Format("2 January 2006"))
			}
			return Verified{form, c.key}, nil
		}
	}
	return Verified{}, err
}

// pinnedCert is a key of the ring with its certificate.
type pinnedCert struct {
	key  Key
	cert *x509.Certificate
}

// atAnyTime is the certificate without its dates: those are looked at when the signature
// fits, so that who has let it run out is told that, and nobody else is.
func (c pinnedCert) atAnyTime() *x509.Certificate {
	ageless := *c.cert
	ageless.NotBefore, ageless.NotAfter = time.Time{}, time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	return &ageless
}

// pinned finds the keys of the ring that a signature may be of: it names issuer
// and number of a certificate, and anybody can issue one with the same.
func (r *Ring) pinned(p7 *pkcs7.PKCS7) (found []pinnedCert) {
	if r == nil {
		return nil
	}
	sent := p7.Certificates
	for _, k := range r.all() {
		key, ok := k.(certificate)
		if !ok {
			continue
		}
		var cert *x509.Certificate
		if key.der != "" {
			cert, _ = x509.ParseCertificate([]byte(key.der))
		} else if i := slices.IndexFunc(sent, func(c *x509.Certificate) bool { return pin(c) == key.id }); i >= 0 {
			cert = sent[i]
		}
		if cert == nil || fit(cert) != nil {
			continue
		}
		p7.Certificates = []*x509.Certificate{cert}
		if p7.GetOnlySigner() != nil {
			found = append(found, pinnedCert{key, cert})
		}
	}
	return found
}

// CertificateOf is the certificate that an S/MIME signature brings for its
// signer, or nil: an offer of a key, which proves nothing by itself.
func CertificateOf(signature []byte) (key Key) {
	defer func() {
		if recover() != nil {
			key = nil
		}
	}()
	if MethodOf(signature) != SMIME {
		return nil
	}
	if block, _ := pem.Decode(signature); block != nil {
		signature = block.Bytes
	}
	p7, err := pkcs7.Parse(signature)
	if err != nil {
		return nil
	}
	cert := p7.GetOnlySigner()
	if cert == nil || fit(cert) != nil {
		return nil
	}
	return certificate{pin(cert), string(cert.Raw)}
}

// isCMS tells a DER or BER file that begins like signed data (RFC 5652 section 4).
func isCMS(data []byte) bool {
	signedData := []byte{0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02}
	const sequence = 0x30
	if len(data) <= 20 || data[0] != sequence {
		return false
	}
	return bytes.Contains(data[:20], signedData)
}
