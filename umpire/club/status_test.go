package club

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// The size of a data folder is that of all its files, however many there are.
func TestTheSizeOfADataFolder(t *testing.T) {
	dir := t.TempDir()
	mails := filepath.Join(dir, "mails")
	if err := os.Mkdir(mails, 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(name string, size int) {
		t.Helper()
		if err := os.WriteFile(name, make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(dir, "fieldpost.db"), 5000)
	for n := range 600 {
		write(filepath.Join(mails, fmt.Sprint(n)), 3)
	}
	if got := folder(dir); got != 6800 {
		t.Errorf("%d bytes, the files have 6800", got)
	}
	if got := folder(filepath.Join(dir, "no-such-folder")); got != 0 {
		t.Errorf("%d bytes of nothing", got)
	}
}
