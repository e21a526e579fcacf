package mailbox

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/textproto"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-sasl"
	gomail "github.com/wneessen/go-mail"
	gosmtp "github.com/wneessen/go-mail/smtp"
)

// Outcome is what became of a mail handed to the server.
type Outcome int

const (
	// Temporary: try again later, with the same bytes.
	Temporary Outcome = iota
	// Delivered: the server has it and is responsible for it now.
	Delivered
	// Permanent: the server will never take this mail for this recipient.
	Permanent
	// Misconfigured: the server takes no mail from us at all (login, TLS,
	// sender address). Stop the queue and tell the operator; no mail is at fault.
	Misconfigured
)

// String is the name of the outcome in lower case.
func (o Outcome) String() string {
	names := []string{"temporary", "delivered", "permanent", "misconfigured"}
	if o < 0 || int(o) >= len(names) {
		return "unknown"
	}
	return names[o]
}

// Result is the outcome of one Send.
type Result struct {
	Outcome Outcome
	// Code is the SMTP reply code, 0 if there was no reply.
	Code int
	// Reply is the text of the server's last reply, as in "2.0.0 queued as 4B1".
	Reply string
	// Unknown is true if the connection was lost after the mail was handed over
	// and before the answer: it may have been delivered. The outcome is
	// Temporary then; a repeat of the same bytes does no harm.
	Unknown bool
	// Err is the cause, nil if delivered.
	Err error
}

// Envelope is where a mail goes and where its bounces go, independent of its headers.
type Envelope struct {
	// From gets the bounces; empty is the null sender <> (RFC 5321 section 4.5.5).
	From string
	// To is the one recipient.
	To string
}

// The rhythm of connections. OpenSMTPD takes 100 mails on one, Exim gets
// impatient earlier.
const (
	mailsPerConnection = 50
	idleConnection     = 20 * time.Second
	smtpTimeout        = 5 * time.Minute
	dialTimeout        = 30 * time.Second
)

// SenderOptions are for tests and special networks. The zero value is right otherwise.
type SenderOptions struct {
	// TLS is used for "tls" and "starttls"; nil checks the server's name
	// against the roots of the system.
	TLS *tls.Config
	// Timeout is the longest wait for one mail; 0 is 5 minutes.
	Timeout time.Duration
	// HELO is the name we greet with; empty is "localhost".
	HELO string
	// Dial opens the connection; nil is TCP.
	Dial DialFunc
	Log  *slog.Logger
}

// Sender sends rendered mail over SMTP, one at a time, and keeps the connection
// for the next one. Its methods may be called from any goroutine.
type Sender struct {
	config  SMTPConfig
	options SenderOptions

	mu     sync.Mutex
	client *gosmtp.Client // nil without a connection
	conn   net.Conn
	sent   int // mails on this connection
	last   time.Time
}

// NewSender checks the configuration; it does not connect yet.
func NewSender(config Config, options SenderOptions) (*Sender, error) {
	c := config.WithDefaults().SMTP
	if err := c.usable(); err != nil {
		return nil, fmt.Errorf("sending mail: %w", err)
	}
	if options.Timeout == 0 {
		options.Timeout = smtpTimeout
	}
	if options.HELO == "" {
		options.HELO = "localhost"
	}
	if options.Log == nil {
		options.Log = slog.New(slog.DiscardHandler)
	}
	return &Sender{config: c, options: options}, nil
}

// Send hands one mail to the server, over the open connection if there is one.
// It always comes back within the timeout, or at once when ctx ends.
func (s *Sender) Send(ctx context.Context, e Envelope, raw []byte) Result {
	if _, err := PlainAddress(e.To); err != nil {
		return Result{Outcome: Permanent, Err: fmt.Errorf("recipient: %w", err)}
	}
	if _, err := PlainAddress(e.From); err != nil && e.From != "" {
		return Result{Outcome: Misconfigured, Err: fmt.Errorf("sender: %w", err)}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client != nil && s.stale() {
		s.quit()
	}
	ctx, cancel := context.WithTimeout(ctx, s.options.Timeout)
	defer cancel()
	for {
		reused := s.client != nil
		if !reused {
			if result, ok := s.connect(ctx); !ok {
				return result
			}
		}
		result, began := s.transact(ctx, e, raw)
		s.last = time.Now()
		if result.Outcome == Delivered {
			s.sent++
			return result
		}
		// The server closed the old connection or wants no more mail on it.
		oldIsOver := reused && !began && result.Outcome == Temporary
		if oldIsOver && ctx.Err() == nil {
			s.drop()
			continue
		}
		if result.Code == 0 || result.Code == 421 || s.client.Reset() != nil {
			s.drop()
		}
		s.options.Log.Info("mail not delivered", "to", e.To, "outcome", result.Outcome.String(), "err", result.Err)
		return result
	}
}

// stale tells whether the connection has been used up, or has long been idle.
func (s *Sender) stale() bool {
	return s.sent >= mailsPerConnection || time.Since(s.last) > idleConnection
}

// Close ends the connection politely, if there is one. Call it when the queue is
// empty; Send opens a new one when needed.
func (s *Sender) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.quit()
	return nil
}

func (s *Sender) quit() {
	if s.client == nil {
		return
	}
	// The mails are with the server already; whether it says goodbye is of no interest.
	_ = s.client.UpdateDeadline(5 * time.Second)
	_ = s.client.Quit()
	s.drop()
}

func (s *Sender) drop() {
	if s.conn != nil {
		s.conn.Close()
	}
	s.client, s.conn, s.sent = nil, nil, 0
}

// connect dials, secures and logs in. On failure it returns the result and false.
func (s *Sender) connect(ctx context.Context) (Result, bool) {
	client, err := s.newClient(ctx)
	if err != nil {
		return Result{Outcome: Misconfigured, Err: fmt.Errorf("SMTP: %w", err)}, false
	}
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	// The library leaves the connection open when greeting or login fail, and
	// does not look at the context after dialling: both are done here.
	stop := func() bool { return true }
	dial := func(dialing context.Context, network, address string) (net.Conn, error) {
		conn, err := s.config.connect(dialing, s.options.TLS, s.options.Dial)
		if err == nil {
			s.conn = conn
			// Not the context of the library: that one ends with the dialling.
			stop = context.AfterFunc(ctx, func() { conn.Close() })
		}
		return conn, err
	}
	if err := gomail.WithDialContextFunc(dial)(client); err != nil {
		return Result{Outcome: Misconfigured, Err: fmt.Errorf("SMTP: %w", err)}, false
	}
	s.client, err = client.DialToSMTPClientWithContext(ctx)
	if !stop() && err == nil {
		err = ctx.Err() // closed at the last moment
	}
	if err != nil {
		s.drop()
		return connectResult(err), false
	}
	return Result{}, true
}

func (s *Sender) newClient(ctx context.Context) (*gomail.Client, error) {
	tlsConfig, err := s.config.tlsFor(s.options.TLS)
	if err != nil {
		return nil, err
	}
	options := []gomail.Option{
		gomail.WithPort(s.config.Port), gomail.WithTimeout(min(dialTimeout, s.options.Timeout)), gomail.WithHELO(s.options.HELO),
		gomail.WithoutNoop(), gomail.WithoutRset(), gomail.WithoutSMTPUTF8(), gomail.WithTLSConfig(tlsConfig),
	}
	if s.config.TLS == StartTLS {
		options = append(options, gomail.WithTLSPolicy(gomail.TLSMandatory))
	} else {
		options = append(options, gomail.WithTLSPolicy(gomail.NoTLS)) // encrypted by dial, or this machine
	}
	if s.config.User != "" {
		secret, err := s.config.Secret(ctx)
		if err != nil {
			return nil, err
		}
		options = append(options, gomail.WithUsername(s.config.User), gomail.WithPassword(secret))
		switch {
		case s.config.token():
			// The connection is encrypted or on this machine: usable and connect see to that.
			options = append(options, gomail.WithSMTPAuthCustom(authBy{s.config.mechanism(secret)}))
		case s.config.TLS == StartTLS:
			options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover))
		default:
			// The library does not see that the connection was encrypted from the start.
			options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthPlainNoEnc))
		}
	}
	return gomail.NewClient(s.config.Host, options...)
}

// authBy logs in to SMTP by a SASL mechanism.
type authBy struct{ mechanism sasl.Client }

// Start is the AUTH command.
func (a authBy) Start(*gosmtp.ServerInfo) (string, []byte, error) { return a.mechanism.Start() }

// Next answers a challenge.
func (a authBy) Next(challenge []byte, more bool) ([]byte, error) {
	if !more {
		return nil, nil
	}
	return a.mechanism.Next(challenge)
}

// transact sends one mail over the connection. began is true once the server
// has accepted MAIL: before that, another connection may do better.
func (s *Sender) transact(ctx context.Context, e Envelope, raw []byte) (result Result, began bool) {
	conn := s.conn
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	if err := s.client.UpdateDeadline(s.options.Timeout); err != nil {
		return failure("connection", err), false
	}
	if ok, limit := s.client.Extension("SIZE"); ok {
		if n, _ := strconv.Atoi(limit); n > 0 && len(raw) > n {
			return Result{Outcome: Permanent, Code: 552, Err: fmt.Errorf("the mail has %d bytes, the server takes %d", len(raw), n)}, true
		}
	}
	if ok, _ := s.client.Extension("DSN"); ok {
		s.client.SetDSNMailReturnOption("HDRS")
		s.client.SetDSNRcptNotifyOption("FAILURE,DELAY")
	}
	err := s.client.Mail("<" + e.From + ">")
	tagged := e.From != "" && untagged(e.From) != strings.ToLower(e.From)
	refused := err != nil && failure("", err).Outcome == Permanent
	if refused && tagged {
		// A server that lets us be nobody but the address that logs in. The
		// bounces then come without their tag.
		err = s.client.Mail("<" + untagged(e.From) + ">")
	}
	if err != nil {
		r := failure("MAIL FROM", err)
		if r.Outcome == Permanent {
			r.Outcome = Misconfigured // it is the sender address that is refused
		}
		return r, false
	}
	if err := s.client.Rcpt("<" + e.To + ">"); err != nil {
		return failure("RCPT TO", err), true
	}
	w, err := s.client.Data()
	if err != nil {
		return failure("DATA", err), true
	}
	if _, err := w.Write(raw); err != nil {
		s.drop() // never let the final dot follow half a mail
		return failure("sending", err), true
	}
	if err := w.Close(); err != nil {
		r := failure("after sending", err)
		r.Unknown = r.Code == 0
		return r, true
	}
	r := Result{Outcome: Delivered, Code: 250}
	if d, ok := w.(*gosmtp.DataCloser); ok {
		r.Reply = d.ServerResponse()
	}
	return r, true
}

// failure sorts an error by its reply code (RFC 5321 section 4.2.1). No code
// means that the connection broke, which is nobody's fault.
func failure(step string, err error) Result {
	r := Result{Outcome: Temporary, Err: fmt.Errorf("SMTP %s: %w", step, err)}
	var reply *textproto.Error
	if errors.As(err, &reply) {
		r.Code, r.Reply = reply.Code, reply.Msg
		if within(reply.Code, 500, 599) {
			r.Outcome = Permanent
		}
	}
	return r
}

// connectResult sorts the errors before the first mail: a refusal or a bad
// certificate is for the operator, a server that is away will come back.
func connectResult(err error) Result {
	r := failure("connection", err)
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var network net.Error
	switch {
	case r.Outcome == Permanent, errors.As(err, &certificate), errors.As(err, &authority):
		r.Outcome = Misconfigured
	case r.Code != 0, errors.As(err, &network), isClosed(err):
		r.Outcome = Temporary
	default:
		r.Outcome = Misconfigured // no STARTTLS, no AUTH, and the like
	}
	return r
}
