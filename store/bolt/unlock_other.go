//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package bolt

import "os"

// unlock does nothing: here the lock ends with the process.
func unlock(*os.File) {}
