package postoffice

import (
	"net"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// faults are what the office was told to do wrong, each one until it has happened.
type faults struct {
	data      map[int]*smtp.SMTPError // by the number of the DATA command still to come
	dropAfter map[int]bool            // the same count
	dataSeen  int
	rcpt      map[string]*smtp.SMTPError // by address, for ever
	mail      *smtp.SMTPError
	logins    int           // still to refuse, on either server
	fetches   int           // body fetches still to break
	fetchUID  imap.UID      // only for this message, 0 for any
	stall     time.Duration // before every FETCH
	wire      wire
}

// FailData answers the n-th DATA command from now (1 is the next one) with the
// code after the final dot: 4xx and 5xx. The message is not delivered.
func (o *Office) FailData(n, code int, text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.faults.data == nil {
		o.faults.data = map[int]*smtp.SMTPError{}
	}
	o.faults.data[o.faults.dataSeen+n] = &smtp.SMTPError{Code: code, EnhancedCode: smtp.EnhancedCode{code / 100, 3, 0}, Message: text}
}

// DropAfterData cuts the connection of the n-th DATA command from now after the
// final dot: the message is delivered and its sender does not get to know it.
func (o *Office) DropAfterData(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.faults.dropAfter == nil {
		o.faults.dropAfter = map[int]bool{}
	}
	o.faults.dropAfter[o.faults.dataSeen+n] = true
}

// FailRcpt answers every RCPT for address with the code; code 0 ends that.
func (o *Office) FailRcpt(address string, code int, text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.faults.rcpt == nil {
		o.faults.rcpt = map[string]*smtp.SMTPError{}
	}
	delete(o.faults.rcpt, local(address))
	if code != 0 {
		o.faults.rcpt[local(address)] = &smtp.SMTPError{Code: code, EnhancedCode: smtp.EnhancedCode{code / 100, 7, 1}, Message: text}
	}
}

// FailMail answers the next MAIL command with the code.
func (o *Office) FailMail(code int, text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.faults.mail = &smtp.SMTPError{Code: code, EnhancedCode: smtp.EnhancedCode{code / 100, 5, 3}, Message: text}
}

// FailLogin refuses the next logins, IMAP and SMTP together, for now.
func (o *Office) FailLogin(times int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.faults.logins = times
}

// refused says whether this login is one to refuse.
func (o *Office) refused() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.faults.logins == 0 {
		return false
	}
	o.faults.logins--
	return true
}

// Login is the LOGIN command, and what AUTHENTICATE comes to.
func (s *session) Login(user, password string) error {
	if s.office.refused() {
		return &imap.Error{Type: imap.StatusResponseTypeNo, Code: imap.ResponseCodeUnavailable, Text: "try again later"}
	}
	return s.SessionIMAP4rev2.Login(user, password)
}

// BreakFetch cuts the connection at the next times that a client fetches a
// message body; uid 0 means any message, otherwise only that one.
func (o *Office) BreakFetch(times int, uid uint32) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.faults.fetches, o.faults.fetchUID = times, imap.UID(uid)
}

// StallFetch makes every FETCH wait first, as a dead server does; 0 ends that.
func (o *Office) StallFetch(d time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.faults.stall = d
}

// DropIMAP cuts all IMAP connections and returns how many there were.
func (o *Office) DropIMAP() int { return o.imapPort.drop() }

// DropSMTP cuts all SMTP connections and returns how many there were.
func (o *Office) DropSMTP() int { return o.smtpPort.drop() }

// session is an IMAP session with faults.
type session struct {
	imapserver.SessionIMAP4rev2
	office *Office
	conn   net.Conn
}

// AuthenticateMechanisms lists what AUTHENTICATE offers.
func (s *session) AuthenticateMechanisms() []string {
	return []string{sasl.Plain, sasl.OAuthBearer, "XOAUTH2"}
}

// Authenticate starts an AUTHENTICATE command.
func (s *session) Authenticate(mechanism string) (sasl.Server, error) {
	if server, ok := s.office.bearer(mechanism, func(user string) error {
		return s.Login(user, s.office.password[strings.ToLower(user)])
	}); ok {
		return server, nil
	}
	if mechanism != sasl.Plain {
		return nil, &imap.Error{Type: imap.StatusResponseTypeNo, Text: "unknown mechanism"}
	}
	return sasl.NewPlainServer(func(_, user, password string) error { return s.Login(user, password) }), nil
}

// Fetch is the FETCH command.
func (s *session) Fetch(w *imapserver.FetchWriter, set imap.NumSet, options *imap.FetchOptions) error {
	s.office.mu.Lock()
	f := &s.office.faults
	stall := f.stall
	hit := f.fetches > 0 && len(options.BodySection) > 0
	if uids, ok := set.(imap.UIDSet); hit && f.fetchUID != 0 {
		hit = ok && uids.Contains(f.fetchUID)
	}
	if hit {
		f.fetches--
	}
	s.office.mu.Unlock()
	time.Sleep(stall)
	if hit {
		return s.conn.Close()
	}
	return s.SessionIMAP4rev2.Fetch(w, s.office.beside(set, options), options)
}
