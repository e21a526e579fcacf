package sim

import (
	"errors"
	"net"
	"time"
)

// server is one of the two that the daemon speaks to.
type server int

const (
	imapServer server = iota
	smtpServer
)

// manner is how a server does what it is asked.
type manner int

const (
	refuses        manner = iota // for now
	refusesForGood               // or so it says
	saysGoodbye                  // and is gone
	diesBefore                   // it has done anything
	diesAfter                    // it did it, and before it says so
	diesHalfway                  // through its answer
	stalls                       // and says nothing for longer than anybody waits
	killsUs                      // our own process dies while it waits
	manners
	servesWell
)

// ending is what becomes of the connection.
func (m manner) ending() ending {
	switch m {
	case diesBefore, diesAfter, saysGoodbye, killsUs:
		return hungUp
	case diesHalfway:
		return halfway
	case stalls:
		return silent
	}
	return goesOn
}

// verbs are the states of a session in which a server may fail.
var verbs = [2][]string{
	{"AUTHENTICATE", "LIST", "SELECT", "SEARCH", "FETCH", "FETCH"},
	{"EHLO", "AUTH", "MAIL", "RCPT", "DATA", "END", "END"},
}

// trouble is a server that fails at a verb until it is over.
type trouble struct {
	of    server
	verb  string
	how   manner
	times int // that are left; below 0: until it is over
	until time.Time
}

// serverFault is how a server does what it is asked now.
func (w *week) serverFault(of server, verb string) manner {
	if w.disk.isDead() {
		return diesBefore
	}
	for _, t := range w.troubles {
		if t.of != of || t.verb != verb || t.times == 0 || w.now.After(t.until) {
			continue
		}
		t.times--
		kind := IMAPOdd
		if of == smtpServer {
			kind = SMTPOdd
		}
		w.happened(kind)
		if t.how == killsUs {
			w.disk.kill()
		}
		return t.how
	}
	return servesWell
}

// reach is how the daemon reaches a server.
func (w *week) reach(of server) (net.Conn, error) {
	kind := IMAPOut
	if of == smtpServer {
		kind = SMTPOut
	}
	if w.disk.isDead() || w.now.Before(w.out[of]) {
		w.happened(kind)
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
	}
	if of == smtpServer {
		return connect(smtpGreeting, &smtpSession{w: w}), nil
	}
	return connect(imapGreeting, &imapSession{w: w}), nil
}
