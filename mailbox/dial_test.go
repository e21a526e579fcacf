package mailbox

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// selfSigned is a certificate for 127.0.0.1 that no system knows, and the file
// that makes us trust it.
func selfSigned(t *testing.T) (cert tls.Certificate, caFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	caFile = filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(caFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, caFile
}

// token is a program that prints an access token.
func token(t *testing.T, prints string) []string {
	t.Helper()
	return []string{"/bin/sh", "-c", "printf '%s\\n' \"$1\"", "token", prints}
}

// Both servers over every kind of link and login, against a certificate that
// only the configuration knows.
func TestLinksAndLogins(t *testing.T) {
	cert, ca := selfSigned(t)
	for _, mode := range []string{TLS, StartTLS, NoTLS} {
		for _, auth := range []string{Password, OAuthBearer, XOAuth2} {
			t.Run(mode+" "+auth, func(t *testing.T) {
				office, config := startOfficeTLS(t, &tls.Config{Certificates: []tls.Certificate{cert}}, mode)
				office.Tokens(map[string]string{gm: "t0ken"})
				for _, s := range []*ServerConfig{&config.IMAP.ServerConfig, &config.SMTP.ServerConfig} {
					s.TLS, s.CAFile, s.Auth = mode, ca, auth
					if auth != Password {
						s.Password, s.TokenCommand = "", token(t, "t0ken")
					}
				}
				if err := config.Validate(); err != nil {
					t.Fatal(err)
				}
				deliver(t, office, letter("a"))
				var l ledger
				if err := newPoller(t, config, &l, quick).Poll(t.Context()); err != nil || l.subjects() != "a" {
					t.Errorf("IMAP: %q, %v", l.subjects(), err)
				}
				raw := compose(t, outgoing())
				if r := newSender(t, config).Send(t.Context(), Envelope{From: gm, To: anna}, raw); r.Outcome != Delivered {
					t.Errorf("SMTP: %+v", r)
				}
				if auth == Password && mode == NoTLS {
					return
				}
				wrong := config
				if auth != Password {
					wrong.IMAP.TokenCommand, wrong.SMTP.TokenCommand = token(t, "old"), token(t, "old")
				} else { // a certificate that nobody vouches for
					wrong.IMAP.CAFile, wrong.SMTP.CAFile = "", ""
				}
				err := newPoller(t, wrong, &l, quick).Poll(t.Context())
				if err == nil || auth != Password && !errors.Is(err, ErrLogin) {
					t.Errorf("IMAP, wrong: %v", err)
				}
				if r := newSender(t, wrong).Send(t.Context(), Envelope{From: gm, To: anna}, raw); r.Outcome != Misconfigured {
					t.Errorf("SMTP, wrong: %+v", r)
				}
			})
		}
	}
}

func TestTokenCommand(t *testing.T) {
	s := ServerConfig{Auth: XOAuth2, TokenCommand: []string{"/bin/sh", "-c", "echo no such account >&2; exit 3"}}
	if _, err := s.Secret(t.Context()); err == nil || !strings.Contains(err.Error(), "no such account") {
		t.Errorf("a command that fails: %v", err)
	}
	s.TokenCommand = []string{"/bin/sh", "-c", "echo a; echo b"}
	if _, err := s.Secret(t.Context()); err == nil {
		t.Error("two lines are taken for a token")
	}
	s.TokenCommand = []string{"/bin/sh", "-c", "true"}
	if _, err := s.Secret(t.Context()); err == nil {
		t.Error("nothing is taken for a token")
	}
}
