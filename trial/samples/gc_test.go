package samples

import (
	"os"
	"runtime/debug"
	"testing"

	"fieldpost/trial/ramdisk"
)

// The tests trade memory for time: what they make is short-lived.
var _ = debug.SetGCPercent(400)

func TestMain(m *testing.M) { os.Exit(ramdisk.Tests(m.Run)) }
