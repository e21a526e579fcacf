package server

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
)

// shared is the server of all tests of one program.
var shared struct {
	sync.Once
	*Server
	err error
}

// Shared is the server that all tests of one program share. The first test that asks starts it; it
// ends with Tests. Where PostgreSQL is not installed the test is left out, but never in CI.
func Shared(t testing.TB) *Server {
	t.Helper()
	shared.Do(func() { shared.Server, shared.err = Start() })
	if errors.Is(shared.err, ErrMissing) && os.Getenv("CI") == "" {
		t.Skip(shared.err)
	}
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.Server
}

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
