package intake

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"fieldpost/mailbox"
)

// What the DNS is asked: so long for one mail, so often in an hour for people who are not
// known here, and how long and how much of what it says is kept.
const (
	askFor        = 5 * time.Second
	asksPerHour   = 60
	dnsKeptFor    = 15 * time.Minute
	dnsKeptAtMost = 1000
)

// dnsAnswers are what the DNS said of late. Only askAhead asks it, while nobody is kept
// waiting; who works out a Change takes what is here.
type dnsAnswers struct {
	mu    sync.Mutex
	said  map[string]dnsAnswer
	hour  time.Time
	asked int // of strangers, since hour
}

type dnsAnswer struct {
	records []string
	err     error
	at      time.Time
}

// errNotAsked says that nobody asked the DNS for a name: the budget was used up.
var errNotAsked = errors.New("the DNS was not asked")

// lookupTXT is what the DNS has said.
func (hd *Handler) lookupTXT() func(string) ([]string, error) {
	return func(domain string) ([]string, error) {
		hd.dns.mu.Lock()
		defer hd.dns.mu.Unlock()
		if a, known := hd.dns.said[domain]; known {
			return a.records, a.err
		}
		return nil, fmt.Errorf("%s: %w", domain, errNotAsked)
	}
}

// mayBeVouchedFor tells whether a provider has signed a mail, be it well or not.
func mayBeVouchedFor(raw mailbox.Raw) bool {
	head := raw.Bytes[:min(len(raw.Bytes), 64<<10)]
	return !unreadable(raw) && bytes.Contains(bytes.ToLower(head), []byte("dkim-signature:"))
}

// askAhead asks the DNS what a mail's effect may hang on. The network is waited for here,
// before anything is locked, and not for long.
func (hd *Handler) askAhead(ctx context.Context, raw mailbox.Raw) {
	if !mayBeVouchedFor(raw) {
		return
	}
	m, err := mailbox.Read(raw.Bytes)
	if err != nil || m.From == "" || !hd.inBudget(m.From) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, askFor)
	defer cancel()
	// What it comes to is asked again where the mail has its effect.
	_ = mailbox.Vouched(raw.Bytes, m, func(domain string) ([]string, error) { return hd.askDNS(ctx, domain) })
}

// inBudget counts the mails of strangers that the DNS is asked about.
func (hd *Handler) inBudget(from string) bool {
	if _, _, known, err := hd.ByAddress(from); err == nil && known {
		return true
	}
	d := hd.dns
	d.mu.Lock()
	defer d.mu.Unlock()
	if now := hd.Now(); now.Sub(d.hour).Abs() >= time.Hour {
		d.hour, d.asked = now, 0
	}
	d.asked++
	return d.asked <= asksPerHour
}

// askDNS asks for the text records of a name, unless it was asked a moment ago.
func (hd *Handler) askDNS(ctx context.Context, domain string) ([]string, error) {
	d := hd.dns
	d.mu.Lock()
	a, known := d.said[domain]
	d.mu.Unlock()
	if now := hd.Now(); known && now.Sub(a.at).Abs() < dnsKeptFor {
		return a.records, a.err
	}
	if hd.LookupTXT != nil {
		a.records, a.err = hd.LookupTXT(domain)
	} else {
		a.records, a.err = net.DefaultResolver.LookupTXT(ctx, domain)
	}
	a.at = hd.Now()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.said == nil || len(d.said) >= dnsKeptAtMost {
		d.said = map[string]dnsAnswer{}
	}
	d.said[domain] = a
	return a.records, a.err
}
