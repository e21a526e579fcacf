//go:build linux || darwin

package club

import "syscall"

// FreeSpace is what the disk of a folder has left, in bytes; -1 if that is not known.
func FreeSpace(dir string) int64 {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return -1
	}
	return int64(s.Bavail) * int64(s.Bsize)
}
