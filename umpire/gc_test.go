package umpire

import (
	"os"
	"runtime/debug"
	"testing"

	"fieldpost/store/postgres/server"
	"fieldpost/trial/ramdisk"
)

// The tests trade memory for time: what they make is short-lived.
var _ = debug.SetGCPercent(400)

func TestMain(m *testing.M) {
	os.Exit(ramdisk.Tests(func() int { return server.Tests(m.Run) }))
}
