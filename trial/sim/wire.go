package sim

import (
	"bytes"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// session is a server's side of one connection: it is given the client's lines as they come,
// and says what it answers. There is no goroutine behind it: it speaks while the client
// writes, so that the same seed is the same conversation.
type session interface {
	// hear takes one line, without its end.
	hear(line string) (answer string, end ending)
}

// ending is what becomes of a connection after an answer.
type ending int

const (
	goesOn  ending = iota
	hungUp         // the server is gone
	halfway        // it goes while it answers
	silent         // it says nothing any more: the client's patience ends
)

// wire is the client's end of a connection to a simulated server.
type wire struct {
	mu      sync.Mutex
	news    *sync.Cond
	server  session
	in, out bytes.Buffer
	err     error // what the client hears next
}

func connect(greeting string, server session) *wire {
	w := &wire{server: server}
	w.news = sync.NewCond(&w.mu)
	w.out.WriteString(greeting)
	return w
}

// Write is the client speaking.
func (w *wire) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return 0, w.err
	}
	defer w.news.Broadcast()
	w.in.Write(p)
	for w.err == nil {
		line, whole, found := w.line()
		if !found {
			break
		}
		w.in.Next(whole)
		answer, end := w.server.hear(line)
		switch end {
		case hungUp:
			w.err = io.EOF
		case halfway:
			answer, w.err = answer[:len(answer)/2], io.ErrUnexpectedEOF
		case silent:
			answer, w.err = "", os.ErrDeadlineExceeded
		}
		w.out.WriteString(answer)
	}
	return len(p), nil
}

// line is the next whole line, and how many bytes it has with its end.
func (w *wire) line() (text string, whole int, found bool) {
	b := w.in.Bytes()
	i := bytes.Index(b, []byte("\r\n"))
	if i < 0 {
		return "", 0, false
	}
	return string(b[:i]), i + 2, true
}

// Read is the client listening.
func (w *wire) Read(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.out.Len() == 0 && w.err == nil {
		w.news.Wait()
	}
	if w.out.Len() > 0 {
		return w.out.Read(p)
	}
	return 0, w.err
}

// Close ends it.
func (w *wire) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = net.ErrClosed
	}
	w.news.Broadcast()
	return nil
}

// The rest of a net.Conn. Nobody waits here by the real clock.

func (w *wire) LocalAddr() net.Addr              { return address{} }
func (w *wire) RemoteAddr() net.Addr             { return address{} }
func (w *wire) SetDeadline(time.Time) error      { return nil }
func (w *wire) SetReadDeadline(time.Time) error  { return nil }
func (w *wire) SetWriteDeadline(time.Time) error { return nil }

type address struct{}

func (address) Network() string { return "simulated" }
func (address) String() string  { return "simulated" }
