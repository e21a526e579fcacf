package postoffice

import (
	"fmt"
	"net"
	"strings"
	"sync"
)

// memory is a port that is reached without the net.
type memory struct {
	port   int
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newMemory(port int) *memory {
	return &memory{port: port, conns: make(chan net.Conn), closed: make(chan struct{})}
}

// Accept waits for the next connection.
func (m *memory) Accept() (net.Conn, error) {
	select {
	case c := <-m.conns:
		return c, nil
	case <-m.closed:
		return nil, net.ErrClosed
	}
}

// Close ends the port.
func (m *memory) Close() error {
	m.once.Do(func() { close(m.closed) })
	return nil
}

// Addr is the port.
func (m *memory) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: m.port} }

func (m *memory) dial() (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case m.conns <- theirs:
		return ours, nil
	case <-m.closed:
		return nil, net.ErrClosed
	}
}

// Dial connects to one of the ports of an office in memory: 143 is IMAP, 25 SMTP.
func (o *Office) Dial(address string) (net.Conn, error) {
	for _, l := range []*listener{o.imapPort, o.smtpPort} {
		if m, ok := l.Listener.(*memory); ok && strings.HasSuffix(address, fmt.Sprintf(":%d", m.port)) {
			return m.dial()
		}
	}
	return nil, fmt.Errorf("the post office has no port %s in memory", address)
}
