package cluster

import (
	"fmt"
	"os"
	"testing"
	"time"

	"fieldpost/store/postgres/server"
	"fieldpost/trial/ramdisk"
)

// The daemon of these trials is this test binary.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "-daemon" {
		if err := Serve(os.Args[2], os.Stderr); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(ramdisk.Tests(func() int { return server.Tests(m.Run) }))
}

// Three games under three daemons, with some faults of every kind: nothing is lost, doubled, misdirected
// or repeated with other bytes. "fieldpost-trial cluster" has twenty, and a thousand.
func TestGamesUnderFaults(t *testing.T) {
	server.Shared(t) // or PostgreSQL is missing
	tally, err := Play(t.Context(), Options{Games: 3, Daemons: 3, Turns: 2, Faults: 22, Pause: time.Second, Seed: 1, Daemon: []string{os.Args[0], "-daemon"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(tally)
	if len(tally.Wrong) > 0 {
		t.Error("something went wrong")
	}
	if tally.Sheets < 3*4 || tally.Mails < 3*10 {
		t.Error("too little was played to tell anything")
	}
}
