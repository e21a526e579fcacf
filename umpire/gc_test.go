package umpire

import (
	"fmt"
	"os"
	"runtime/debug"
	"testing"

	"fieldpost/trial/ramdisk"
)

// The tests trade memory for time: what they make is short-lived.
var _ = debug.SetGCPercent(400)

func TestMain(m *testing.M) {
	os.Exit(ramdisk.Tests(func() int {
		code := m.Run()
		if shared.Server == nil {
			return code
		}
		if err := shared.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
		return code
	}))
}
