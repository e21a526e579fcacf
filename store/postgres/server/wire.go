package server

import (
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// wire stands between programs and a server, and can be cut: neither end hears of it from the other.
type wire struct {
	at       string // the folder of its socket
	to       string // the server's socket
	listener net.Listener

	mu    sync.Mutex
	lines []*line
}

// line is one connection, through the wire.
type line struct{ program, server net.Conn }

func (l *line) cut() {
	l.program.Close()
	l.server.Close()
}

// socket is the name of a server's socket in its folder.
const socket = ".s.PGSQL.5432"

// wireTo makes one to the server with its socket in a folder.
func wireTo(folder string) (*wire, error) {
	w := &wire{at: filepath.Join(folder, "wire"), to: filepath.Join(folder, socket)}
	if err := os.Mkdir(w.at, 0o755); err != nil {
		return nil, err
	}
	var err error
	if w.listener, err = net.Listen("unix", filepath.Join(w.at, socket)); err != nil {
		return nil, err
	}
	go w.serve()
	return w, nil
}

// serve connects programs with the server until the wire is closed.
func (w *wire) serve() {
	for {
		program, err := w.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("unix", w.to)
		if err != nil {
			program.Close() // the server is lost
			continue
		}
		l := &line{program, server}
		w.mu.Lock()
		w.lines = append(w.lines, l)
		w.mu.Unlock()
		go w.carry(l, program, server)
		go w.carry(l, server, program)
	}
}

// carry takes what one end says to the other, until either is gone.
func (w *wire) carry(l *line, to, from net.Conn) {
	_, _ = io.Copy(to, from)
	l.cut()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lines = slices.DeleteFunc(w.lines, func(other *line) bool { return other == l })
}

// cut cuts one connection, any, and tells how many there were: one or none.
func (w *wire) cut(random *rand.Rand) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.lines) == 0 {
		return 0
	}
	w.lines[random.IntN(len(w.lines))].cut()
	return 1
}

func (w *wire) close() error {
	err := w.listener.Close()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, l := range w.lines {
		l.cut()
	}
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
