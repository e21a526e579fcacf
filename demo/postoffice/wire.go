package postoffice

import (
	"bytes"
	"net"
	"sync/atomic"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-smtp"
)

// wire are the faults that are nearer to the wire than one command.
type wire struct {
	verbs     map[string]*refusal
	odd       []string // lines that the IMAP server is still to say out of turn
	wrong     int      // body fetches still to answer with another message
	stallData time.Duration
}

// refusal is what a verb of SMTP is answered with, so many times.
type refusal struct {
	times  int
	err    *smtp.SMTPError
	hangUp bool
}

// FailVerb refuses the next times that SMTP hears a verb: EHLO (HELO counts), AUTH,
// MAIL, RCPT or DATA, the last after the final dot. hangUp closes the connection
// behind the answer, as servers do with 421.
func (o *Office) FailVerb(verb string, times, code int, text string, hangUp bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.faults.wire.verbs == nil {
		o.faults.wire.verbs = map[string]*refusal{}
	}
	o.faults.wire.verbs[verb] = &refusal{times, &smtp.SMTPError{Code: code, EnhancedCode: smtp.EnhancedCode{code / 100, 7, 1}, Message: text}, hangUp}
}

// failed is what a verb is to be refused with now, nil for nothing.
func (o *Office) failed(verb string, c *smtp.Conn) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	r := o.faults.wire.verbs[verb]
	if r == nil || r.times == 0 {
		return nil
	}
	r.times--
	if tracked, ok := c.Conn().(*conn); ok && r.hangUp {
		tracked.last.Store(true)
	}
	return r.err
}

// OddLines has the IMAP server say each line once, out of turn, before an untagged
// answer of its own: things that nobody asked for, or that are no IMAP at all.
func (o *Office) OddLines(lines ...string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.faults.wire.odd = append(o.faults.wire.odd, lines...)
}

// WrongUID answers the next times that a client fetches a body by UID with the
// message beside it.
func (o *Office) WrongUID(times int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.faults.wire.wrong = times
}

// StallData makes SMTP wait after the final dot, the mail being delivered, before
// it says so; 0 ends that.
func (o *Office) StallData(d time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.faults.wire.stallData = d
}

// beside is the set with the UIDs of the neighbours, if this fetch is one to answer
// wrongly.
func (o *Office) beside(set imap.NumSet, options *imap.FetchOptions) imap.NumSet {
	uids, ok := set.(imap.UIDSet)
	o.mu.Lock()
	defer o.mu.Unlock()
	if !ok || o.faults.wire.wrong == 0 || len(options.BodySection) == 0 {
		return set
	}
	o.faults.wire.wrong--
	nums, _ := uids.Nums()
	var others imap.UIDSet
	for _, n := range nums {
		others.AddNum(n + 1)
		if n > 1 {
			others.AddNum(n - 1)
		}
	}
	return others
}

// conn is a connection of ours. last closes it behind the next write; speak, of
// IMAP only, is what the server says out of turn.
type conn struct {
	net.Conn
	from  *listener
	last  atomic.Bool
	speak func() (line string)
	ended bool // the last write ended a line, and no literal follows
}

// Write sends bytes, and the odd line before them where one fits.
func (c *conn) Write(p []byte) (int, error) {
	if c.speak != nil && c.ended && bytes.HasPrefix(p, []byte("* ")) {
		if line := c.speak(); line != "" {
			if _, err := c.Conn.Write([]byte(line + "\r\n")); err != nil {
				return 0, err
			}
		}
	}
	n, err := c.Conn.Write(p)
	c.ended = bytes.HasSuffix(p, []byte("\r\n")) && !bytes.HasSuffix(p, []byte("}\r\n"))
	if c.last.Load() {
		c.Close()
	}
	return n, err
}

// nextOdd is the next line to say out of turn, "" for none.
func (o *Office) nextOdd() (line string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if odd := o.faults.wire.odd; len(odd) > 0 {
		line, o.faults.wire.odd = odd[0], odd[1:]
	}
	return line
}
