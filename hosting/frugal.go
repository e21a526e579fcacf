package hosting

import (
	"os"
	"runtime/debug"
)

// Frugal keeps the daemon's memory below 144 MiB, and 16 MiB for each club but the first, as long as
// what it needs allows it: near that it is tidied up more often. GOMEMLIMIT in the environment says
// otherwise.
func Frugal(clubs int) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(144<<20 + int64(clubs-1)*16<<20)
	}
}
