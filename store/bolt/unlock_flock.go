//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package bolt

import (
	"os"
	"syscall"
)

// unlock frees the lock that bbolt took on its file.
func unlock(f *os.File) { syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
