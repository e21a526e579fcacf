package mailbox

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Checkup tries a mail account as the daemon would use it, and says what it finds
// in plain words.
type Checkup struct {
	Config  Config
	Bounces Bounces
	// Out gets a line for each finding; those that are wrong begin with "WRONG".
	Out io.Writer
	// Wait is the longest wait for the mail to ourselves; 0 is two minutes.
	Wait time.Duration
	// Options are those of the poller.
	Options PollerOptions

	wrong int
	begun time.Time
	found *Raw
	id    string
}

// Run makes all examinations and returns how many things are wrong.
func (d *Checkup) Run(ctx context.Context) int {
	d.Config = d.Config.WithDefaults()
	if d.Wait == 0 {
		d.Wait = 2 * time.Minute
	}
	fetches := d.imap(ctx)
	sends := d.smtp(ctx)
	if fetches && sends {
		d.roundTrip(ctx)
	} else {
		d.say("the mail to ourselves is not tried before the rest is mended")
	}
	return d.wrong
}

func (d *Checkup) say(format string, args ...any) { fmt.Fprintf(d.Out, "   ok  "+format+"\n", args...) }

func (d *Checkup) note(format string, args ...any) {
	fmt.Fprintf(d.Out, " note  "+format+"\n", args...)
}

func (d *Checkup) fault(format string, args ...any) bool {
	d.wrong++
	fmt.Fprintf(d.Out, "WRONG  "+format+"\n", args...)
	return false
}

func (d *Checkup) imap(ctx context.Context) bool {
	c := d.Config.IMAP
	l, err := dialIMAP(ctx, d.Config, d.Options.withDefaults())
	if err != nil {
		return d.fault("IMAP, %s: %s", c.Addr(), plainly(err, c.ServerConfig))
	}
	defer l.close()
	d.say("IMAP: logged in to %s as %s, %s", c.Addr(), c.User, linkWords(c.TLS))
	var caps []string
	for name := range l.client.Caps() {
		caps = append(caps, string(name))
	}
	slices.Sort(caps)
	d.say("IMAP can do: %s", strings.Join(caps, " "))
	if !l.canIdle {
		d.note("the server has no IDLE: mail is seen at the next poll, every %v", time.Duration(c.Poll))
	}
	if _, err := l.selectBox(ctx, c.Mailbox); err != nil {
		return d.fault("the folder %q cannot be opened: %v; set mailbox in [mail.imap]", c.Mailbox, err)
	}
	uids, err := l.search(ctx, 0)
	if err != nil {
		return d.fault("the folder %q cannot be searched: %v", c.Mailbox, err)
	}
	d.say("folder %s: %d messages", c.Mailbox, len(uids))
	junk := c.Junk
	if junk == "" {
		if junk, err = l.junk(ctx); err != nil {
			return d.fault("the folders cannot be listed: %v; name the junk folder in [mail.imap] junk, or write \"none\"", err)
		}
	}
	switch {
	case junk == NoJunk:
		d.note("no junk folder is read, because the configuration says so: orders that land there are late")
	case junk == "":
		d.note("there is no junk folder: all mail is expected in %s", c.Mailbox)
	default:
		if _, err := l.selectBox(ctx, junk); err != nil {
			return d.fault("the junk folder %q cannot be opened: %v", junk, err)
		}
		d.say("folder %s is read too, as junk", junk)
	}
	return true
}

func linkWords(mode string) string {
	switch mode {
	case TLS:
		return "encrypted from the first byte"
	case StartTLS:
		return "encrypted by STARTTLS"
	}
	return "not encrypted, on this machine"
}

func (d *Checkup) smtp(ctx context.Context) bool {
	c := d.Config.SMTP
	s, err := NewSender(d.Config, SenderOptions{TLS: d.Options.TLS, Dial: d.Options.Dial, Timeout: time.Minute})
	if err != nil {
		return d.fault("SMTP: %v", err)
	}
	defer s.Close()
	if result, ok := s.connect(ctx); !ok {
		return d.fault("SMTP, %s: %s", c.Addr(), plainly(result.Err, c.ServerConfig))
	}
	who := "without a login"
	if c.User != "" {
		who = "as " + c.User
	}
	d.say("SMTP: connected to %s %s, %s", c.Addr(), who, linkWords(c.TLS))
	var can []string
	for _, name := range []string{"SIZE", "8BITMIME", "DSN", "PIPELINING", "SMTPUTF8"} {
		if ok, value := s.client.Extension(name); ok {
			can = append(can, strings.TrimSpace(name+" "+value))
		}
	}
	d.say("SMTP can do: %s", strings.Join(can, ", "))
	if ok, _ := s.client.Extension("DSN"); !ok {
		d.note("the server has no DSN: bounces may be slower and less clear")
	}
	return true
}

// roundTrip sends a mail to ourselves and waits for it.
func (d *Checkup) roundTrip(ctx context.Context) {
	c := d.Config
	ctx, cancel := context.WithTimeout(ctx, d.Wait)
	defer cancel()
	low := map[string]uint32{}
	if err := d.newest(ctx, low); err != nil {
		d.fault("the folders cannot be read: %v", err)
		return
	}
	d.begun = time.Now()
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", c.Address, d.begun.UnixNano()))
	tag := hex.EncodeToString(sum[:8])
	local, domain, _ := strings.Cut(c.Address, "@")
	d.id = "doctor." + tag + "@" + domain
	to, from := c.Address, c.Address
	if !c.PlainAddress {
		to, from = local+"+doctor@"+domain, d.Bounces.From("doctor"+tag)
	}
	raw, err := Compose(Outgoing{Kind: Report, From: c.Address, FromName: c.Name, To: to, Subject: "Fieldpost looks whether mail arrives", Date: d.begun,
		MessageID: d.id, Instance: tag, Text: "This mail was sent by \"fieldpost doctor\" to itself. It may be deleted.\n"})
	if err != nil {
		d.fault("a mail cannot be made: %v", err)
		return
	}
	s, err := NewSender(c, SenderOptions{TLS: d.Options.TLS, Dial: d.Options.Dial})
	if err != nil {
		d.fault("SMTP: %v", err)
		return
	}
	defer s.Close()
	if r := s.Send(ctx, Envelope{From: from, To: to}, raw); r.Outcome != Delivered {
		d.fault("the server does not take a mail from us to %s: %v", to, r.Err)
		if r.Outcome == Permanent && !c.PlainAddress {
			d.note("if your provider has no plus-addresses, write plain_address = true in [mail]")
		}
		return
	}
	d.say("a mail to %s was taken by the server", to)
	for d.found == nil && ctx.Err() == nil {
		if err := d.newest(ctx, low); err != nil && ctx.Err() == nil {
			d.note("looking for it: %v", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(min(2*time.Second, d.Wait/20)):
		}
	}
	if d.found == nil {
		d.fault("it did not arrive within %v", d.Wait)
		if !c.PlainAddress {
			d.note("if mail to %s does arrive, your provider has no plus-addresses: write plain_address = true in [mail]", c.Address)
		}
		return
	}
	d.arrived(from, to)
}

// newest looks at what came since it looked last.
func (d *Checkup) newest(ctx context.Context, low map[string]uint32) error {
	l, err := dialIMAP(ctx, d.Config, d.Options.withDefaults())
	if err != nil {
		return err
	}
	defer l.close()
	boxes := []string{d.Config.IMAP.Mailbox}
	junk := d.Config.IMAP.Junk
	if junk == "" {
		if junk, err = l.junk(ctx); err != nil {
			return err
		}
	}
	if junk != "" && junk != NoJunk {
		boxes = append(boxes, junk)
	}
	for _, box := range boxes {
		validity, err := l.selectBox(ctx, box)
		if err != nil {
			return err
		}
		uids, err := l.search(ctx, low[box])
		if err != nil {
			return err
		}
		for _, uid := range uids {
			low[box] = uid
			if d.id == "" {
				continue // before the mail was sent
			}
			raw, err := l.fetch(ctx, Key{box, validity, uid}, d.Config.MaxMessage)
			if err != nil {
				return err
			}
			if strings.Contains(string(raw.Bytes), d.id) {
				d.found = &raw
				return nil
			}
		}
	}
	return nil
}

// skewed is the difference of clocks that is worth a word: deadlines go by the
// server's.
const skewed = 2 * time.Minute

func (d *Checkup) arrived(from, to string) {
	took := time.Since(d.begun)
	d.say("it arrived in %s after %v", d.found.Box, took.Round(100*time.Millisecond))
	if d.found.Box != d.Config.IMAP.Mailbox {
		d.note("the provider takes our mail for junk: players' providers may do so too; look at SPF and DKIM of %s", d.Config.Address)
	}
	skew := d.found.InternalDate.Sub(d.begun)
	switch {
	case !within(skew, -skewed, took+skewed):
		d.fault("the clocks of the server and of this machine are %v apart: set this machine's by NTP", skew.Round(time.Second))
	default:
		d.say("the clocks of the server and of this machine agree")
	}
	m, err := Read(d.found.Bytes)
	if err != nil {
		d.fault("the mail came changed, so that it cannot be read: %v", err)
		return
	}
	switch {
	case from == d.Config.Address:
	case m.ReturnPath == "":
		d.note("the server does not note the envelope sender: bounces are known by their form alone")
	case strings.EqualFold(m.ReturnPath, from):
		d.say("the envelope sender came through: bounces find their mail")
	default:
		d.note("the server wrote %s for our envelope sender: bounces are known by the Message-ID that they quote", m.ReturnPath)
	}
	if m.MessageID != d.id {
		d.note("the server wrote a Message-ID of its own: answers are known by their address")
	}
	if len(m.Recipients) == 0 && to != d.Config.Address {
		d.note("the server does not note the address that a mail came to; that is no loss")
	}
}

// plainly says what an error of connecting most likely means.
func plainly(err error, s ServerConfig) string {
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	var expired x509.CertificateInvalidError
	var record tls.RecordHeaderError
	var dns *net.DNSError
	var timeout net.Error
	hint := ""
	switch {
	case errors.Is(err, ErrLogin):
		hint = "user name or password are wrong, or the provider wants an app password or a token (auth, token_command)"
	case errors.As(err, &unknown):
		hint = "nobody this machine trusts has signed the server's certificate; if the server is your own, name its certificate in ca_file"
	case errors.As(err, &name):
		hint = "the certificate is for another name; host must be the name in it"
	case errors.As(err, &expired):
		hint = "the certificate is not valid now: has it run out, or is this machine's clock wrong?"
	case errors.As(err, &record):
		hint = fmt.Sprintf("the server does not speak TLS on port %d from the first byte; try tls = \"starttls\", or another port", s.Port)
	case errors.As(err, &dns):
		hint = fmt.Sprintf("there is no machine %q in the DNS; is host spelled right?", s.Host)
	case errors.Is(err, syscall.ECONNREFUSED):
		hint = fmt.Sprintf("nobody listens on port %d; the usual ones are 993 (IMAP, tls), 143 (IMAP, starttls), 465 (SMTP, tls) and 587 (SMTP, starttls)", s.Port)
	case errors.As(err, &timeout) && timeout.Timeout(), errors.Is(err, context.DeadlineExceeded):
		hint = "no answer came; is a firewall in between, or tls = \"tls\" on a port that begins in the open?"
	case strings.Contains(err.Error(), "SMTP AUTH"):
		hint = "the server wants no login here, or only after STARTTLS; leave user and password out of [mail.smtp], or try tls = \"starttls\""
	case strings.Contains(err.Error(), "STARTTLS"):
		hint = "the server does not offer STARTTLS here; try tls = \"tls\" and its port"
	}
	if hint == "" {
		return err.Error()
	}
	return hint + " (" + err.Error() + ")"
}
