package mailbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"sync/atomic"
	"syscall"
)

// errBudget says that a server sent more than an operation can need. There is
// no such answer from a sane server.
var errBudget = errors.New("the server sends without end")

// meter is a connection that reads no more than a budget allows, so that no
// server can fill the memory: the IMAP library has no limit of its own.
type meter struct {
	net.Conn
	left atomic.Int64
}

func newMeter(c net.Conn, budget int64) *meter {
	m := &meter{Conn: c}
	m.left.Store(budget)
	return m
}

// allow sets what may be read from now on, in bytes.
func (m *meter) allow(budget int64) { m.left.Store(budget) }

// Read reads within the budget.
func (m *meter) Read(p []byte) (int, error) {
	left := m.left.Load()
	if left <= 0 {
		return 0, errBudget
	}
	if int64(len(p)) > left {
		p = p[:left]
	}
	n, err := m.Conn.Read(p)
	m.left.Add(-int64(n))
	return n, err
}

// isClosed says whether an error means that the connection is gone.
func isClosed(err error) bool {
	var op *net.OpError
	if errors.As(err, &op) {
		return true
	}
	gone := []error{io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, syscall.ECONNRESET, syscall.EPIPE}
	return slices.ContainsFunc(gone, func(e error) bool { return errors.Is(err, e) })
}

// guarded runs f and closes the connection when ctx ends before: nothing else
// unblocks the IMAP library. A panic in f becomes an error.
func guarded(ctx context.Context, c net.Conn, f func() error) (err error) {
	stop := context.AfterFunc(ctx, func() { c.Close() })
	defer stop()
	defer func() {
		if r := recover(); r != nil {
			c.Close()
			err = fmt.Errorf("the IMAP library broke: %v", r)
		}
	}()
	if err := f(); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return err
	}
	return nil
}
