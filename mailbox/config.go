package mailbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"strings"
	"time"
)

// The TLS modes of a server.
const (
	TLS      = "tls"      // from the first byte: ports 993 and 465
	StartTLS = "starttls" // asked for on a plain connection and then required: 143 and 587
	NoTLS    = "none"     // never, allowed on this machine only
)

// The ways to log in. A password goes out by PLAIN or LOGIN.
const (
	Password    = "password"
	OAuthBearer = "oauthbearer" // RFC 7628
	XOAuth2     = "xoauth2"     // what Google and Microsoft call it
)

// NoJunk as the name of the junk folder says that none is read.
const NoJunk = "none"

// The defaults that Config fills in for empty fields.
const (
	DefaultMailbox    = "INBOX"
	DefaultPoll       = time.Minute
	DefaultMaxMessage = 5 << 20
)

// maxPoll is the longest poll interval: IDLE loses wake-ups, so a poll is what counts.
const maxPoll = 5 * time.Minute

// Duration is a time.Duration written as text: "30s", "5m".
type Duration time.Duration

// MarshalText writes the duration as time.Duration prints it.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText reads what time.ParseDuration reads.
func (d *Duration) UnmarshalText(b []byte) error {
	v, err := time.ParseDuration(string(b))
	*d = Duration(v)
	return err
}

// Config is the [mail] table of the configuration file.
type Config struct {
	// Address is where players write to, as in gm@example.org. Mail goes out
	// from it, and it may not have a plus-tag.
	Address string `toml:"address"`
	// Name is shown beside the address.
	Name string `toml:"name"`
	// Instance stands in configurations of earlier versions, and is not used: the daemon
	// knows its own mail by its signing key.
	Instance string `toml:"instance"`
	// MaxMessage is the largest message read, in bytes; empty is 5 MiB.
	MaxMessage int64 `toml:"max_message_bytes"`

	// PlainAddress says that the provider does not deliver mail to the address
	// with a plus-tag, as in gm+g7@example.org. Bounces are then harder to place.
	PlainAddress bool `toml:"plain_address"`
	// OpenSignUp has strangers told, once a day, which games wait for players.
	OpenSignUp bool `toml:"open_sign_up"`

	IMAP IMAPConfig `toml:"imap"`
	SMTP SMTPConfig `toml:"smtp"`
	DKIM DKIMConfig `toml:"dkim"`
}

// ServerConfig is what IMAP and SMTP servers have in common.
type ServerConfig struct {
	Host string `toml:"host"`
	// Port is 0 for the usual one of the TLS mode.
	Port int `toml:"port"`
	// TLS is "tls", "starttls" or "none"; empty is "tls".
	TLS      string `toml:"tls"`
	User     string `toml:"user"`
	Password string `toml:"password"`
	// PasswordFile is read instead of Password; its last line end does not count.
	PasswordFile string `toml:"password_file"`
	// Auth is "password", "oauthbearer" or "xoauth2"; empty is "password".
	Auth string `toml:"auth"`
	// TokenCommand prints the access token for the last two: a program and its
	// arguments. It is run for every login.
	TokenCommand []string `toml:"token_command"`
	// CAFile has certificates, in PEM, that may have signed the server's, beside
	// those that the system knows: for a server of one's own.
	CAFile string `toml:"ca_file"`
}

// IMAPConfig is where mail comes from.
type IMAPConfig struct {
	ServerConfig
	// Mailbox is the folder read; empty is INBOX.
	Mailbox string `toml:"mailbox"`
	// Junk is the folder where the provider puts what it takes for junk. It is
	// read too, for orders alone. Empty is whatever the server marks as such;
	// "none" is none.
	Junk string `toml:"junk"`
	// Poll is the longest time between two looks; empty is one minute, at most 5.
	Poll Duration `toml:"poll"`
}

// SMTPConfig is where mail goes to. No user means no login.
type SMTPConfig struct {
	ServerConfig
}

// WithDefaults fills in what was left empty. NewPoller and NewSender do it themselves.
func (c Config) WithDefaults() Config {
	if c.MaxMessage == 0 {
		c.MaxMessage = DefaultMaxMessage
	}
	if c.IMAP.Mailbox == "" {
		c.IMAP.Mailbox = DefaultMailbox
	}
	if c.IMAP.Poll == 0 {
		c.IMAP.Poll = Duration(DefaultPoll)
	}
	c.IMAP.ServerConfig = c.IMAP.withDefaults(993, 143)
	c.SMTP.ServerConfig = c.SMTP.withDefaults(465, 587)
	return c
}

func (s ServerConfig) withDefaults(tlsPort, plainPort int) ServerConfig {
	if s.TLS == "" {
		s.TLS = TLS
	}
	if s.Auth == "" {
		s.Auth = Password
	}
	if s.Port == 0 {
		s.Port = plainPort
		if s.TLS == TLS {
			s.Port = tlsPort
		}
	}
	return s
}

// Validate lists every fault of the configuration, one a line, each with the
// name of its field; nil if there is none. It does not touch the network, but
// looks whether a password file can be read.
func (c Config) Validate() error {
	c = c.WithDefaults()
	var faults []error
	fault := func(field, format string, args ...any) {
		faults = append(faults, fmt.Errorf("mail.%s: %s", field, fmt.Sprintf(format, args...)))
	}
	if _, err := PlainAddress(c.Address); err != nil {
		fault("address", "%v", err)
	} else if strings.Contains(c.Address, "+") {
		fault("address", "%q has a plus-tag: those are added for each game", c.Address)
	}
	if strings.ContainsFunc(c.Name, isControl) {
		fault("name", "has a control character in it")
	}
	if !within(c.MaxMessage, 64<<10, 64<<20) {
		fault("max_message_bytes", "%d is not between 65536 and %d", c.MaxMessage, 64<<20)
	}
	if p := time.Duration(c.IMAP.Poll); !within(p, 0, maxPoll) {
		fault("imap.poll", "%v is not between 0s and %v", p, maxPoll)
	}
	if strings.ContainsFunc(c.IMAP.Mailbox, isControl) {
		fault("imap.mailbox", "has a control character in it")
	}
	if strings.ContainsFunc(c.IMAP.Junk, isControl) {
		fault("imap.junk", "has a control character in it")
	}
	if _, err := NewSigner(c.DKIM); err != nil {
		fault("dkim", "%v", err)
	}
	c.IMAP.faults("imap", true, fault)
	c.SMTP.faults("smtp", false, fault)
	return errors.Join(faults...)
}

func isControl(r rune) bool { return r < ' ' || within(r, 0x7f, 0x9f) }

// within tells whether a value lies between two bounds, which belong to it.
func within[T cmp.Ordered](v, low, high T) bool { return low <= v && v <= high }

func (s ServerConfig) faults(table string, needsUser bool, fault func(field, format string, args ...any)) {
	if s.Host == "" || strings.ContainsAny(s.Host, " /@") {
		fault(table+".host", "%q is not the name of a server", s.Host)
	}
	if !within(s.Port, 1, 65535) {
		fault(table+".port", "%d is not a port", s.Port)
	}
	switch s.TLS {
	case TLS, StartTLS:
	case NoTLS:
		if !isLoopback(s.Host) {
			fault(table+".tls", "\"none\" would send password and orders in the clear to %q; only this machine may be talked to so", s.Host)
		}
	default:
		fault(table+".tls", "%q is not \"tls\", \"starttls\" or \"none\"", s.TLS)
	}
	if needsUser && s.User == "" {
		fault(table+".user", "is missing")
	}
	if _, err := s.tlsFor(nil); err != nil {
		fault(table+".ca_file", "%v", err)
	}
	if s.User == "" {
		if s.hasPassword() {
			fault(table+".user", "is missing, but there is a password")
		}
		return
	}
	switch s.Auth {
	case Password:
		s.passwordFaults(table, fault)
	case OAuthBearer, XOAuth2:
		if len(s.TokenCommand) == 0 || s.TokenCommand[0] == "" {
			fault(table+".token_command", "is missing: auth = %q needs the program that prints the token", s.Auth)
		}
		if s.hasPassword() {
			fault(table+".password", "is of no use with auth = %q", s.Auth)
		}
	default:
		fault(table+".auth", "%q is not \"password\", \"oauthbearer\" or \"xoauth2\"", s.Auth)
	}
}

// hasPassword tells whether a password is configured, there or in a file.
func (s ServerConfig) hasPassword() bool { return s.Password != "" || s.PasswordFile != "" }

func (s ServerConfig) passwordFaults(table string, fault func(field, format string, args ...any)) {
	switch {
	case len(s.TokenCommand) > 0:
		fault(table+".token_command", "is of no use with auth = \"password\"")
	case s.Password != "" && s.PasswordFile != "":
		fault(table+".password", "and password_file are both given")
	case !s.hasPassword():
		fault(table+".password", "or password_file is missing")
	default:
		if _, err := s.Secret(context.Background()); err != nil {
			fault(table+".password_file", "%v", err)
		}
	}
}

// Addr is host:port.
func (s ServerConfig) Addr() string { return net.JoinHostPort(s.Host, fmt.Sprint(s.Port)) }

// usable refuses what must never be tried, even by code that skipped Validate.
func (s ServerConfig) usable() error {
	switch s.TLS {
	case TLS, StartTLS:
		return nil
	case NoTLS:
		if isLoopback(s.Host) {
			return nil
		}
	}
	return fmt.Errorf("TLS mode %q is refused for %s", s.TLS, s.Host)
}

// isLoopback says whether a host is this machine without asking the network.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	return net.ParseIP(host).IsLoopback() // a name is no address, and nil is not loopback
}

// PlainAddress checks that s is one bare address, name@domain, that goes
// through SMTP without quoting (RFC 5321 dot-string), and returns it. Quoted
// local parts are legal and refused: they serve only to confuse programs.
func PlainAddress(s string) (string, error) {
	a, err := mail.ParseAddress(s)
	switch {
	case err != nil, a.Address != s, a.Name != "":
		return "", fmt.Errorf("%q is not a plain e-mail address", s)
	}
	for _, r := range s {
		visible := within(r, '!', '~')
		if !visible || strings.ContainsRune(`"(),:;<>[\]`, r) {
			return "", fmt.Errorf("%q: an e-mail address with %q in it is not taken", s, r)
		}
	}
	return s, nil
}

// Folders are those that are read, each with its account: whoever reads one of the same name reads
// the same mail.
func (c Config) Folders() []string {
	c = c.WithDefaults()
	if c.IMAP.Host == "" {
		return nil
	}
	account := fmt.Sprintf("%s at %s", c.IMAP.User, strings.ToLower(c.IMAP.Addr()))
	all := []string{c.IMAP.Mailbox + " of " + account}
	switch c.IMAP.Junk {
	case NoJunk:
	case "":
		all = append(all, "the junk of "+account)
	default:
		all = append(all, c.IMAP.Junk+" of "+account)
	}
	return all
}
