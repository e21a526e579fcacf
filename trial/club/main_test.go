package club

import (
	"os"
	"testing"

	"fieldpost/store/postgres/server"
	"fieldpost/trial/ramdisk"
)

func TestMain(m *testing.M) { os.Exit(ramdisk.Tests(func() int { return server.Tests(m.Run) })) }
