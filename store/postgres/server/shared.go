package server

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// shared is the server of all tests of one program.
var shared struct {
	sync.Once
	*Server
	err  error
	ends bool // Tests will stop it
}

// Shared is the server that all tests of one program share. The first test that asks starts it; it
// ends with Tests. Where PostgreSQL is not installed the test is left out, but never in CI.
func Shared(t testing.TB) *Server {
	t.Helper()
	if !shared.ends {
		t.Fatal("TestMain does not run the tests by server.Tests: the server would stay behind")
	}
	shared.Do(func() { shared.Server, shared.err = Start() })
	if errors.Is(shared.err, ErrMissing) && os.Getenv("CI") == "" {
		t.Skip(shared.err)
	}
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.Server
}

// Empty is a server as one has that was just installed: nobody has an account but its administrator, postgres, who
// needs no password; it listens on a port of this machine. It ends with the test.
func Empty(t testing.TB) *Server {
	t.Helper()
	Shared(t) // or PostgreSQL is missing
	s := &Server{bin: shared.bin}
	var err error
	if s.folder, err = os.MkdirTemp(everybodys(), "fieldpost-postgres-"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	if err := s.install(); err != nil {
		t.Fatal(err)
	}
	return s
}

// install makes a cluster and starts it on a port.
func (s *Server) install() error {
	var err error
	if s.owner, err = disown(s.folder); err != nil {
		return err
	}
	if err := s.run("initdb", "-D", s.data(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale", "C", "--no-sync"); err != nil {
		return err
	}
	const rules = "host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n"
	if err := os.WriteFile(filepath.Join(s.data(), "pg_hba.conf"), []byte(rules), 0o644); err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.Host = l.Addr().String()
	_, port, _ := net.SplitHostPort(s.Host)
	l.Close()
	options := fmt.Sprintf("-k %s -c listen_addresses=127.0.0.1 -p %s -c fsync=off", s.folder, port)
	return s.run("pg_ctl", "-D", s.data(), "-l", filepath.Join(s.folder, "log"), "-w", "-o", options, "start")
}

// Program is where a program of PostgreSQL is.
func (s *Server) Program(name string) string { return filepath.Join(s.bin, name) }

// Store is the address of an empty database of the shared server, without tables.
func Store(t testing.TB) string {
	t.Helper()
	url, err := Shared(t).Schema()
	if err != nil {
		t.Fatal(err)
	}
	return url
}

// Tests runs the tests of a program and stops the shared server, if one of them started it. It
// returns the code to exit with.
func Tests(run func() int) int {
	shared.ends = true
	code := run()
	if shared.Server == nil {
		return code
	}
	if err := shared.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}
