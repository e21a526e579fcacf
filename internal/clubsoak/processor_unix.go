//go:build unix

package clubsoak

import (
	"syscall"
	"time"
)

// processor is the processor time that this process has used.
func processor() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
