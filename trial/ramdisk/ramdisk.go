// Package ramdisk makes folders in memory, where there is room for some: what is tried in
// them is the program, and not how fast the disk says that it has written.
package ramdisk

import "os"

// parent is where the folders are made, "" for the system's folder of temporary files.
func parent() string {
	const memory = "/dev/shm"
	if _, err := os.Stat(memory); err != nil {
		return ""
	}
	return memory
}

// Folder makes a folder that is gone when the machine stops. Its maker removes it.
func Folder(name string) (string, error) { return os.MkdirTemp(parent(), "fieldpost-"+name) }

// Tests runs a package's tests with all their temporary files in memory, and returns their exit code.
func Tests(run func() int) int {
	folder, err := Folder("tests")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	if err := os.Setenv("TMPDIR", folder); err != nil {
		panic(err)
	}
	return run()
}
