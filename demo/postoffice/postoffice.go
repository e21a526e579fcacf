// Package postoffice is a small mail provider in one process: an SMTP server
// that takes mail for local users and an IMAP server that shows it to them, on
// two loopback ports. Tests and the demonstration game talk to it through the
// real protocols. Nothing is kept when it closes.
//
// The IMAP server loses a wake-up now and then: mail that arrives between its
// answer to IDLE and the moment it begins to listen for changes is announced
// with the next mail only. Tests must not wait for IDLE; a poll always sees the mail.
package postoffice

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"
	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// Domain is the name by which the office calls itself in greetings and
// Received lines.
const Domain = "postoffice.invalid"

// maxMessage is the largest message that SMTP takes, in bytes.
const maxMessage = 32 << 20

// ErrUnknownUser is returned for mail to an address without a mailbox.
var ErrUnknownUser = errors.New("no mailbox here for this address")

// Office is a running pair of servers. Its methods may be called from any goroutine.
type Office struct {
	imap     *imapserver.Server
	smtp     *smtp.Server
	imapPort *listener
	smtpPort *listener
	serving  sync.WaitGroup
	users    map[string]*imapmemserver.User // by lower-case address
	password map[string]string
	tokens   map[string]string // access tokens, by lower-case address

	mu       sync.Mutex
	clock    func() time.Time
	serial   int
	hook     func(rcpt, from string, raw []byte)
	faults   faults
	accepted int // messages taken by SMTP
}

// Options are how an office is unlike the ordinary one.
type Options struct {
	// TLS is offered by STARTTLS, or with Implicit spoken from the first byte.
	TLS      *tls.Config
	Implicit bool
	// InMemory opens no ports: Dial connects, without the net.
	InMemory bool
}

// Start opens an office for users (address to password) on two free ports of
// 127.0.0.1. Each user gets an empty INBOX and a folder Junk.
func Start(users map[string]string) (*Office, error) { return StartWith(users, Options{}) }

// StartWith is Start with options.
func StartWith(users map[string]string, options Options) (*Office, error) {
	o := &Office{
		users:    map[string]*imapmemserver.User{},
		password: map[string]string{},
		clock:    time.Now,
	}
	memory := imapmemserver.New()
	for _, address := range slices.Sorted(maps.Keys(users)) {
		name := strings.ToLower(address)
		user := imapmemserver.NewUser(name, users[address])
		for _, box := range []string{"INBOX", "Junk"} {
			if err := user.Create(box, nil); err != nil {
				return nil, fmt.Errorf("mailbox of %s: %w", address, err)
			}
		}
		memory.AddUser(user)
		o.users[name], o.password[name] = user, users[address]
	}
	var err error
	if o.imapPort, err = listen(options.InMemory, 143); err != nil {
		return nil, err
	}
	o.imapPort.speak = o.nextOdd
	if o.smtpPort, err = listen(options.InMemory, 25); err != nil {
		o.imapPort.Close()
		return nil, err
	}
	quiet := log.New(io.Discard, "", 0)
	startTLS := options.TLS
	imapListener, smtpListener := net.Listener(o.imapPort), net.Listener(o.smtpPort)
	if options.Implicit {
		startTLS = nil
		imapListener, smtpListener = tls.NewListener(o.imapPort, options.TLS), tls.NewListener(o.smtpPort, options.TLS)
	}
	o.imap = imapserver.New(&imapserver.Options{
		NewSession: func(c *imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			inner, ok := memory.NewSession().(imapserver.SessionIMAP4rev2)
			if !ok {
				return nil, nil, errors.New("the memory server lost its extensions")
			}
			return &session{SessionIMAP4rev2: inner, office: o, conn: c.NetConn()}, nil, nil
		},
		Caps:         imap.CapSet{imap.CapIMAP4rev1: {}, imap.CapIdle: {}, imap.CapMove: {}, imap.CapUIDPlus: {}},
		Logger:       quiet,
		InsecureAuth: true,
		TLSConfig:    startTLS,
	})
	o.smtp = smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) {
		if err := o.failed("EHLO", c); err != nil {
			return nil, err
		}
		return &submission{office: o, conn: c}, nil
	}))
	o.smtp.Domain = Domain
	o.smtp.AllowInsecureAuth = true
	o.smtp.MaxMessageBytes = maxMessage
	o.smtp.MaxRecipients = 100
	o.smtp.ErrorLog = quiet
	o.smtp.TLSConfig = startTLS
	o.serving.Add(2)
	go func() { defer o.serving.Done(); _ = o.imap.Serve(imapListener) }()
	go func() { defer o.serving.Done(); _ = o.smtp.Serve(smtpListener) }()
	// A server can be closed safely only once it serves; its greeting says so.
	for _, l := range []*listener{o.imapPort, o.smtpPort} {
		if err := greeted(l, options); err != nil {
			o.Close()
			return nil, err
		}
	}
	return o, nil
}

// greeted waits until a server has said hello.
func greeted(l *listener, options Options) error {
	if m, ok := l.Listener.(*memory); ok {
		c, err := m.dial()
		if err != nil {
			return err
		}
		defer c.Close()
		_, err = c.Read(make([]byte, 1))
		return err
	}
	c, err := net.DialTimeout("tcp", l.Addr().String(), 10*time.Second)
	if err == nil && options.Implicit {
		c = tls.Client(c, &tls.Config{InsecureSkipVerify: true}) // we know who it is
	}
	if err == nil {
		defer c.Close()
		_ = c.SetDeadline(time.Now().Add(10 * time.Second))
		_, err = c.Read(make([]byte, 1))
	}
	if err != nil {
		return fmt.Errorf("opening the post office: %w", err)
	}
	return nil
}

// Tokens gives users (by address) access tokens, for AUTHENTICATE OAUTHBEARER
// and XOAUTH2.
func (o *Office) Tokens(tokens map[string]string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.tokens = map[string]string{}
	for address, token := range tokens {
		o.tokens[strings.ToLower(address)] = token
	}
}

// bearer are the servers of the two token mechanisms. ok is called for whoever
// showed their token.
func (o *Office) bearer(mechanism string, ok func(user string) error) (sasl.Server, bool) {
	right := func(user, token string) error {
		o.mu.Lock()
		want := o.tokens[strings.ToLower(user)]
		o.mu.Unlock()
		if want == "" || want != token {
			return errBadToken
		}
		return ok(user)
	}
	switch strings.ToUpper(mechanism) {
	case sasl.OAuthBearer:
		return sasl.NewOAuthBearerServer(func(opts sasl.OAuthBearerOptions) *sasl.OAuthBearerError {
			if err := right(opts.Username, opts.Token); err != nil {
				return &sasl.OAuthBearerError{Status: "invalid_token", Schemes: "bearer"}
			}
			return nil
		}), true
	case "XOAUTH2":
		return &xoauth2{right: right}, true
	}
	return nil, false
}

var errBadToken = errors.New("the token is not accepted")

// xoauth2 is the server of XOAUTH2. A refusal is a challenge with the reason,
// which the client answers with nothing, and then the error.
type xoauth2 struct {
	right   func(user, token string) error
	refused error
}

// Next reads the client's words.
func (x *xoauth2) Next(response []byte) (challenge []byte, done bool, err error) {
	if x.refused != nil {
		return nil, false, x.refused
	}
	if response == nil {
		return []byte{}, false, nil
	}
	var user, token string
	for field := range strings.SplitSeq(string(response), "\x01") {
		if v, ok := strings.CutPrefix(field, "user="); ok {
			user = v
		}
		if v, ok := strings.CutPrefix(field, "auth=Bearer "); ok {
			token = v
		}
	}
	if x.refused = x.right(user, token); x.refused != nil {
		return []byte(`{"status":"400"}`), false, nil
	}
	return nil, true, nil
}

// IMAPAddr is the host:port of the IMAP server. It speaks without TLS.
func (o *Office) IMAPAddr() string { return o.imapPort.Addr().String() }

// SMTPAddr is the host:port of the SMTP server. It speaks without TLS and
// offers AUTH PLAIN with the users' passwords, without asking for it.
func (o *Office) SMTPAddr() string { return o.smtpPort.Addr().String() }

// Close ends all connections and waits for the servers.
func (o *Office) Close() error {
	// The ports first, by our own hand, so that nobody comes in any more.
	o.imapPort.Close()
	o.smtpPort.Close()
	err := errors.Join(ignoreClosed(o.imap.Close()), ignoreClosed(o.smtp.Close()))
	o.imapPort.drop()
	o.smtpPort.drop()
	o.serving.Wait()
	return err
}

func ignoreClosed(err error) error {
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// SetClock replaces the clock that dates Received lines and arrivals.
func (o *Office) SetClock(now func() time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.clock = now
}

// OnDelivery has f called for every message that came by SMTP, once for each
// recipient, after it is in the mailbox and before the sender has an answer.
// raw is the message as delivered; f must not change it.
func (o *Office) OnDelivery(f func(rcpt, from string, raw []byte)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.hook = f
}

// Accepted is the number of messages that SMTP has taken so far, those included
// whose sender did not get to know it.
func (o *Office) Accepted() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.accepted
}

// Deliver puts a message into the INBOX of address exactly as it is, without
// SMTP and without the lines that SMTP delivery adds. Plus-tags are ignored.
func (o *Office) Deliver(address string, raw []byte) error {
	return o.DeliverTo("INBOX", address, raw)
}

// DeliverTo is Deliver into a named mailbox: INBOX or Junk.
func (o *Office) DeliverTo(box, address string, raw []byte) error {
	user := o.users[local(address)]
	if user == nil {
		return fmt.Errorf("%s: %w", address, ErrUnknownUser)
	}
	literal := literal{bytes.NewReader(raw)}
	if _, err := user.Append(box, literal, &imap.AppendOptions{Time: o.now()}); err != nil {
		return fmt.Errorf("delivering to %s: %w", address, err)
	}
	return nil
}

// Renumber gives the INBOX of address a new UIDVALIDITY and empties it, as
// some providers do after a repair.
func (o *Office) Renumber(address string) error {
	user := o.users[local(address)]
	if user == nil {
		return fmt.Errorf("%s: %w", address, ErrUnknownUser)
	}
	o.imapPort.drop()
	return errors.Join(user.Delete("INBOX"), user.Create("INBOX", nil))
}

func (o *Office) now() time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.clock()
}

// local is the key of the mailbox that an address belongs to: lower case, the
// plus-tag (RFC 5233) taken off.
func local(address string) string {
	name, domain, _ := strings.Cut(strings.ToLower(address), "@")
	name, _, _ = strings.Cut(name, "+")
	return name + "@" + domain
}

// literal is a message in memory as APPEND wants it.
type literal struct{ *bytes.Reader }

func (l literal) Size() int64 { return l.Reader.Size() }

// listener remembers its connections, so that tests can cut them.
type listener struct {
	net.Listener
	speak func() string // see conn

	mu    sync.Mutex
	conns map[net.Conn]bool
}

func listen(inMemory bool, port int) (*listener, error) {
	if inMemory {
		return &listener{Listener: newMemory(port), conns: map[net.Conn]bool{}}, nil
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("opening the post office: %w", err)
	}
	return &listener{Listener: l, conns: map[net.Conn]bool{}}, nil
}

// Accept waits for the next connection.
func (l *listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	tracked := &conn{Conn: c, from: l, speak: l.speak}
	l.conns[tracked] = true
	return tracked, nil
}

// drop closes every open connection and returns how many there were.
func (l *listener) drop() int {
	l.mu.Lock()
	conns := slices.Collect(maps.Keys(l.conns))
	l.mu.Unlock()
	for _, c := range conns {
		c.Close()
	}
	return len(conns)
}

// Close ends the connection.
func (c *conn) Close() error {
	c.from.mu.Lock()
	delete(c.from.conns, c)
	c.from.mu.Unlock()
	return c.Conn.Close()
}
