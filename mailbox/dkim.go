package mailbox

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/emersion/go-msgauth/dkim"
	"golang.org/x/net/publicsuffix"
)

// ErrNotVouched says that no provider vouches for the sender of a message.
var ErrNotVouched = errors.New("no DKIM signature of the sender's domain")

// ErrNotSaid says that the DNS does not answer at the moment whether the signature of the sender's
// domain is good. It comes with ErrNotVouched.
var ErrNotSaid = errors.New("the DNS does not say whether the DKIM signature is good")

// Vouched checks that a message carries a DKIM signature (RFC 6376) by the
// organization of the domain in From. That proves the domain, not the person.
func Vouched(raw []byte, m *Message, lookupTXT func(domain string) ([]string, error)) error {
	_, domain, _ := strings.Cut(m.From, "@")
	if domain == "" {
		return ErrNotVouched
	}
	all, err := dkim.VerifyWithOptions(bytes.NewReader(raw), &dkim.VerifyOptions{LookupTXT: lookupTXT, MaxVerifications: 5})
	if err != nil && !errors.Is(err, dkim.ErrTooManySignatures) {
		return fmt.Errorf("%w: %w", ErrNotVouched, err)
	}
	notSaid := false
	for _, v := range all {
		if !sameOrganization(v.Domain, domain) {
			continue
		}
		if v.Err == nil {
			return nil
		}
		notSaid = notSaid || dkim.IsTempFail(v.Err)
	}
	if notSaid {
		return fmt.Errorf("%w: %w", ErrNotVouched, ErrNotSaid)
	}
	return ErrNotVouched
}

// sameOrganization is relaxed alignment (RFC 7489 section 3.1.1).
func sameOrganization(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	if a == b {
		return true
	}
	x, errA := publicsuffix.EffectiveTLDPlusOne(a)
	y, errB := publicsuffix.EffectiveTLDPlusOne(b)
	return errA == nil && errB == nil && x == y
}

// DKIMConfig is the [mail.dkim] table: sign what goes out, where the SMTP server
// does not. An empty Domain is no signing.
type DKIMConfig struct {
	Domain   string `toml:"domain"`
	Selector string `toml:"selector"`
	// KeyFile holds the private key in PEM: RSA or Ed25519.
	KeyFile string `toml:"key_file"`
}

// Signer signs outgoing mail; nil does not.
type Signer struct {
	config DKIMConfig
	key    crypto.Signer
}

// NewSigner reads the key; it returns nil where signing is not configured.
func NewSigner(c DKIMConfig) (*Signer, error) {
	if c == (DKIMConfig{}) {
		return nil, nil
	}
	if slices.Contains([]string{c.Domain, c.Selector, c.KeyFile}, "") {
		return nil, errors.New("domain, selector and key_file are all needed")
	}
	text, err := os.ReadFile(c.KeyFile)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, fmt.Errorf("%s: there is no PEM block in it", c.KeyFile)
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		if key, err = x509.ParsePKCS1PrivateKey(block.Bytes); err != nil {
			return nil, fmt.Errorf("%s: not an RSA or Ed25519 key: %w", c.KeyFile, err)
		}
	}
	switch key := key.(type) {
	case *rsa.PrivateKey:
		return &Signer{c, key}, nil
	case ed25519.PrivateKey:
		return &Signer{c, key}, nil
	}
	return nil, fmt.Errorf("%s: a key of type %T, not RSA or Ed25519", c.KeyFile, key)
}

// signedFields are covered by the signature. From stands twice, so that none can
// be added.
var signedFields = []string{"From", "From", "To", "Subject", "Date", "Message-ID", "Reply-To", "In-Reply-To", "References",
	"MIME-Version", "Content-Type", "Auto-Submitted", "List-Id"}

// Sign puts a DKIM signature before a rendered mail.
func (s *Signer) Sign(raw []byte) ([]byte, error) {
	if s == nil {
		return raw, nil
	}
	var out bytes.Buffer
	err := dkim.Sign(&out, bytes.NewReader(raw), &dkim.SignOptions{Domain: s.config.Domain, Selector: s.config.Selector, Signer: s.key,
		HeaderCanonicalization: dkim.CanonicalizationRelaxed, BodyCanonicalization: dkim.CanonicalizationRelaxed, HeaderKeys: signedFields})
	if err != nil {
		return nil, fmt.Errorf("signing for %s: %w", s.config.Domain, err)
	}
	return out.Bytes(), nil
}
