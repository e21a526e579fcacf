//go:build !linux && !darwin

package club

// FreeSpace is not known here.
func FreeSpace(string) int64 { return -1 }
