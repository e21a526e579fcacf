package postoffice

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// submission is one SMTP connection.
type submission struct {
	office *Office
	conn   *smtp.Conn
	from   string
	rcpts  []string
}

// AuthMechanisms lists what AUTH offers.
func (s *submission) AuthMechanisms() []string {
	return []string{sasl.Plain, sasl.OAuthBearer, "XOAUTH2"}
}

// Auth starts an AUTH command.
func (s *submission) Auth(mechanism string) (sasl.Server, error) {
	if server, ok := s.office.bearer(mechanism, func(string) error { return nil }); ok {
		return refusing{server}, nil
	}
	return sasl.NewPlainServer(func(_, username, password string) error {
		if err := s.office.failed("AUTH", s.conn); err != nil {
			return err
		}
		if s.office.refused() {
			return &smtp.SMTPError{Code: 454, EnhancedCode: smtp.EnhancedCode{4, 7, 0}, Message: "try again later"}
		}
		if want, ok := s.office.password[strings.ToLower(username)]; !ok || want != password {
			return &smtp.SMTPError{Code: 535, EnhancedCode: smtp.EnhancedCode{5, 7, 8}, Message: "wrong user name or password"}
		}
		return nil
	}), nil
}

// refusing gives a refused token the code that says so.
type refusing struct{ sasl.Server }

// Next reads the client's words.
func (r refusing) Next(response []byte) ([]byte, bool, error) {
	challenge, done, err := r.Server.Next(response)
	if err != nil {
		err = &smtp.SMTPError{Code: 535, EnhancedCode: smtp.EnhancedCode{5, 7, 8}, Message: err.Error()}
	}
	return challenge, done, err
}

// Mail is the MAIL command.
func (s *submission) Mail(from string, _ *smtp.MailOptions) error {
	if err := s.office.failed("MAIL", s.conn); err != nil {
		return err
	}
	s.office.mu.Lock()
	defer s.office.mu.Unlock()
	if err := s.office.faults.mail; err != nil {
		s.office.faults.mail = nil
		return err
	}
	s.from = from
	return nil
}

// Rcpt is the RCPT command.
func (s *submission) Rcpt(to string, _ *smtp.RcptOptions) error {
	if err := s.office.failed("RCPT", s.conn); err != nil {
		return err
	}
	s.office.mu.Lock()
	defer s.office.mu.Unlock()
	if err := s.office.faults.rcpt[local(to)]; err != nil {
		return err
	}
	if s.office.users[local(to)] == nil {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such user here"}
	}
	s.rcpts = append(s.rcpts, to)
	return nil
}

// Data is the DATA command.
func (s *submission) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	o := s.office
	if err := o.failed("DATA", s.conn); err != nil {
		return err
	}
	o.mu.Lock()
	f := &o.faults
	stall := f.wire.stallData
	f.dataSeen++
	refusal, drop := f.data[f.dataSeen], f.dropAfter[f.dataSeen]
	hook, now := o.hook, o.clock()
	if refusal == nil {
		o.accepted++
		o.serial++
	}
	serial := o.serial
	o.mu.Unlock()
	if refusal != nil {
		return refusal
	}
	for _, rcpt := range s.rcpts {
		delivered := s.trace(rcpt, raw, serial, now)
		if err := o.Deliver(rcpt, delivered); err != nil {
			return err
		}
		if hook != nil {
			hook(rcpt, s.from, delivered)
		}
	}
	time.Sleep(stall)
	if drop {
		s.conn.Conn().Close()
		return errors.New("the connection was cut on purpose")
	}
	return nil
}

// trace adds the lines of final delivery (RFC 5321 section 4.4).
func (s *submission) trace(rcpt string, raw []byte, serial int, now time.Time) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "Return-Path: <%s>\r\nDelivered-To: %s\r\n", s.from, rcpt)
	fmt.Fprintf(&b, "Received: from %s by %s with ESMTP id %06d\r\n for <%s>; %s\r\n",
		s.conn.Hostname(), Domain, serial, rcpt, now.Format(time.RFC1123Z))
	b.Write(raw)
	return b.Bytes()
}

// Reset forgets the message begun.
func (s *submission) Reset() { s.from, s.rcpts = "", nil }

// Logout ends the connection.
func (s *submission) Logout() error { return nil }
