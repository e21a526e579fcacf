package mailbox

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"
)

func newSender(t *testing.T, c Config) *Sender {
	t.Helper()
	s, err := NewSender(c, SenderOptions{Timeout: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestSendOutcomes(t *testing.T) {
	office, config := startOffice(t)
	var delivered []string
	office.OnDelivery(func(rcpt, from string, raw []byte) {
		m, err := Read(raw)
		if err != nil {
			t.Error(err)
		}
		delivered = append(delivered, from+">"+rcpt+":"+m.Subject)
		if m.ReturnPath != from && (from != "" || m.ReturnPath != "<>") || m.Recipients[0] != rcpt || len(m.Header("Received")) != 1 {
			t.Errorf("delivered with %v %v", m.ReturnPath, m.Recipients)
		}
	})
	s := newSender(t, config)
	o := outgoing()
	o.Subject = "x"
	raw := compose(t, o)
	send := func(what string, to string, want Outcome, code int) Result {
		t.Helper()
		r := s.Send(t.Context(), Envelope{From: gm, To: to}, raw)
		if r.Outcome != want || r.Code != code || (r.Err == nil) != (want == Delivered) {
			t.Errorf("%s: %+v", what, r)
		}
		return r
	}
	if r := send("ordinary", anna, Delivered, 250); !strings.Contains(r.Reply, "OK") {
		t.Errorf("the reply is %q", r.Reply)
	}
	send("unknown user", "nobody@fieldpost.test", Permanent, 550)
	send("right after a refusal, on the same connection", anna, Delivered, 250)
	office.FailRcpt(anna, 451, "greylisted")
	send("greylisted", anna, Temporary, 451)
	office.FailRcpt(anna, 0, "")
	office.FailData(1, 452, "disk full")
	send("no room", anna, Temporary, 452)
	office.FailData(1, 552, "too big")
	send("refused after the dot", anna, Permanent, 552)
	office.FailMail(452, "too many messages on this connection")
	send("refused at MAIL on an old connection", anna, Delivered, 250)
	office.FailMail(550, "not your address")
	send("our address refused", anna, Misconfigured, 550)
	office.DropSMTP()
	send("connection lost between mails", anna, Delivered, 250)
	office.DropAfterData(1)
	if r := send("connection lost after the dot", anna, Temporary, 0); !r.Unknown {
		t.Error("and it does not say that it may have arrived")
	}
	send("the same again", anna, Delivered, 250)
	send("not an address", "anna", Permanent, 0)
	if r := s.Send(t.Context(), Envelope{To: anna}, raw); r.Outcome != Delivered {
		t.Errorf("null sender: %+v", r)
	}
	if n := len(delivered); n != 7 || delivered[0] != gm+">"+anna+":x" || delivered[n-1] != ">"+anna+":x" {
		t.Errorf("%d deliveries: %q", n, delivered)
	}
}

func TestSenderKeepsAndRenewsItsConnection(t *testing.T) {
	office, config := startOffice(t)
	s := newSender(t, config)
	raw := compose(t, outgoing())
	for i := range 2*mailsPerConnection + 5 {
		if r := s.Send(t.Context(), Envelope{gm, anna}, raw); r.Outcome != Delivered {
			t.Fatalf("mail %d: %+v", i, r)
		}
		if want := i%mailsPerConnection + 1; s.sent != want {
			t.Fatalf("mail %d is number %d of its connection", i, s.sent)
		}
	}
	s.Close()
	if office.DropSMTP() > 1 || s.client != nil {
		t.Error("the connection stays")
	}
	if n := office.Accepted(); n != 2*mailsPerConnection+5 {
		t.Errorf("%d arrived", n)
	}
}

func TestSendWithoutServer(t *testing.T) {
	_, config := startOffice(t)
	raw := compose(t, outgoing())
	wrong := config
	wrong.SMTP.Password = "wrong"
	if r := newSender(t, wrong).Send(t.Context(), Envelope{gm, anna}, raw); r.Outcome != Misconfigured || r.Code != 535 {
		t.Errorf("wrong password: %+v", r)
	}
	noTLS := config
	noTLS.SMTP.TLS = StartTLS
	if r := newSender(t, noTLS).Send(t.Context(), Envelope{gm, anna}, raw); r.Outcome != Misconfigured {
		t.Errorf("a server without STARTTLS: %+v", r)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	silent := config
	silent.SMTP.Port = listener.Addr().(*net.TCPAddr).Port
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	if r := newSender(t, silent).Send(ctx, Envelope{gm, anna}, raw); r.Outcome != Temporary || time.Since(start) > 2*time.Second {
		t.Errorf("a silent server: %+v after %v", r, time.Since(start))
	}
	listener.Close()
	if r := newSender(t, silent).Send(t.Context(), Envelope{gm, anna}, raw); r.Outcome != Temporary {
		t.Errorf("no server: %+v", r)
	}
}

func TestConfig(t *testing.T) {
	_, config := startOffice(t)
	for name, c := range map[string]struct {
		spoil func(*Config)
		want  string
	}{
		"plain to a stranger": {func(c *Config) { c.IMAP.Host = "mail.example.org" }, "imap.tls"},
		"plain SMTP":          {func(c *Config) { c.SMTP.Host = "192.0.2.1" }, "smtp.tls"},
		"unknown TLS mode":    {func(c *Config) { c.SMTP.TLS = "ssl" }, "smtp.tls"},
		"address with a tag":  {func(c *Config) { c.Address = "gm+x@a.test" }, "address"},
		"no address":          {func(c *Config) { c.Address = "" }, "address"},
		"line end in name":    {func(c *Config) { c.Name = "a\nb" }, "name"},
		"no IMAP user":        {func(c *Config) { c.IMAP.User = "" }, "imap.user"},
		"no password":         {func(c *Config) { c.IMAP.Password = "" }, "imap.password"},
		"two passwords":       {func(c *Config) { c.IMAP.PasswordFile = "/x" }, "imap.password"},
		"no password file":    {func(c *Config) { c.IMAP.Password, c.IMAP.PasswordFile = "", "/nowhere/x" }, "imap.password_file"},
		"slow poll":           {func(c *Config) { c.IMAP.Poll = Duration(time.Hour) }, "imap.poll"},
		"tiny messages":       {func(c *Config) { c.MaxMessage = 10 }, "max_message_bytes"},
		"bad port":            {func(c *Config) { c.SMTP.Port = 70000 }, "smtp.port"},
	} {
		bad := config
		c.spoil(&bad)
		if err := bad.Validate(); err == nil || !strings.HasPrefix(err.Error(), "mail."+c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := (Config{}).Validate(); err == nil || strings.Count(err.Error(), "\n") < 3 {
		t.Errorf("an empty configuration: %v", err)
	}
	stranger := config
	stranger.IMAP.Host, stranger.SMTP.Host = "mail.example.org", "mail.example.org"
	if _, err := NewPoller(stranger, nil, nil, quick); err == nil {
		t.Error("a poller that would send its password in the clear")
	}
	if _, err := NewSender(stranger, SenderOptions{}); err == nil {
		t.Error("a sender that would send its password in the clear")
	}
	var d Duration
	if d.UnmarshalText([]byte("90s")) != nil || time.Duration(d) != 90*time.Second || d.UnmarshalText([]byte("x")) == nil {
		t.Errorf("duration %v", d)
	}
	if c := (Config{SMTP: SMTPConfig{ServerConfig{TLS: StartTLS}}}).WithDefaults(); c.IMAP.Port != 993 || c.SMTP.Port != 587 || c.IMAP.Mailbox != "INBOX" {
		t.Errorf("%+v", c)
	}
}
