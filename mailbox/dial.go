package mailbox

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/emersion/go-sasl"
)

// DialFunc opens a connection, as net.Dialer.DialContext does.
type DialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// connect opens the connection to a server, encrypted if that is how it begins.
func (s ServerConfig) connect(ctx context.Context, override *tls.Config, dial DialFunc) (net.Conn, error) {
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	conn, err := dial(ctx, "tcp", s.Addr())
	if err != nil || s.TLS != TLS {
		return conn, err
	}
	config, err := s.tlsFor(override)
	if err != nil {
		conn.Close()
		return nil, err
	}
	secured := tls.Client(conn, config)
	if err := secured.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, fmt.Errorf("securing the connection: %w", err)
	}
	return secured, nil
}

// tlsFor is how connections to the server are secured: its name is checked
// against the roots of the system and those of CAFile, or as override says.
func (s ServerConfig) tlsFor(override *tls.Config) (*tls.Config, error) {
	c := &tls.Config{}
	if override != nil {
		c = override.Clone()
	}
	if c.ServerName == "" {
		c.ServerName = s.Host
	}
	c.MinVersion = max(c.MinVersion, tls.VersionTLS12)
	if s.CAFile == "" || override != nil {
		return c, nil
	}
	pem, err := os.ReadFile(s.CAFile)
	if err != nil {
		return nil, err
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	if !roots.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s: there is no certificate in it", s.CAFile)
	}
	c.RootCAs = roots
	return c, nil
}

// tokenTimeout is the longest that a token command may take.
const tokenTimeout = 20 * time.Second

// Secret is the password, read from the password file if that is given, or the
// token that the token command prints.
func (s ServerConfig) Secret(ctx context.Context) (string, error) {
	var secret, source string
	switch {
	case len(s.TokenCommand) > 0:
		source = s.TokenCommand[0]
		ctx, cancel := context.WithTimeout(ctx, tokenTimeout)
		defer cancel()
		command := exec.CommandContext(ctx, s.TokenCommand[0], s.TokenCommand[1:]...)
		command.WaitDelay = time.Second
		out, err := command.Output()
		if err != nil {
			var exit *exec.ExitError
			if errors.As(err, &exit) {
				err = fmt.Errorf("%w: %s", err, strings.TrimSpace(string(exit.Stderr[:min(len(exit.Stderr), 500)])))
			}
			return "", fmt.Errorf("token_command %s: %w", source, err)
		}
		secret = strings.TrimSpace(string(out))
	case s.PasswordFile != "":
		source = s.PasswordFile
		b, err := os.ReadFile(s.PasswordFile)
		if err != nil {
			return "", err
		}
		secret = strings.TrimRight(string(b), "\r\n")
	default:
		return s.Password, nil
	}
	if secret == "" {
		return "", fmt.Errorf("%s: nothing is in it", source)
	}
	if len(s.TokenCommand) > 0 && strings.ContainsFunc(secret, isControl) {
		return "", fmt.Errorf("token_command %s prints more than one line", source)
	}
	return secret, nil
}

// token says that the login is by a token that a command prints.
func (s ServerConfig) token() bool { return s.Auth == OAuthBearer || s.Auth == XOAuth2 }

// mechanism is the way to log in with a secret.
func (s ServerConfig) mechanism(secret string) sasl.Client {
	switch s.Auth {
	case OAuthBearer:
		return sasl.NewOAuthBearerClient(&sasl.OAuthBearerOptions{Username: s.User, Token: secret, Host: s.Host, Port: s.Port})
	case XOAuth2:
		return &xoauth2{s.User, secret}
	}
	return sasl.NewPlainClient("", s.User, secret)
}

// xoauth2 is the mechanism that Google and Microsoft had before RFC 7628.
type xoauth2 struct{ user, token string }

// Start sends everything at once.
func (x *xoauth2) Start() (mechanism string, response []byte, err error) {
	return "XOAUTH2", []byte("user=" + x.user + "\x01auth=Bearer " + x.token + "\x01\x01"), nil
}

// Next answers the one challenge there is, the JSON of a refusal, with nothing:
// the server then says NO.
func (x *xoauth2) Next([]byte) ([]byte, error) { return []byte{}, nil }
