package samples

import (
	"errors"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"fieldpost/demo/world"
	"fieldpost/trial/full"
	"fieldpost/umpire/post"
	"fieldpost/umpire/records"

	"crypto/rand"
	"time"
)

// A disk that is really full: the mail is refused and comes again, status says why at once,
// and when there is room all goes on. "fieldpost-trial full" does it to running daemons.
func TestDiskIsFull(t *testing.T) {
	disk, err := full.Mount()
	if errors.Is(err, full.ErrNoDisk) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { disk.Close() })
	w, err := world.Open(disk.Folder, world.Options{Address: "umpire@mail.test", Instance: "full", Random: rand.Reader, Now: time.Now, Draw: func(string, string) bool { return false }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	_, seats, err := w.Begin("prokhorovka", nil, func(side string) (string, string) { return "", side + "@mail.test" })
	if err != nil {
		t.Fatal(err)
	}
	complains := func() bool {
		st, err := w.Umpire.Status()
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(st.Troubles, func(t post.Trouble) bool { return t.Of == post.Keeping })
	}
	for serial := 1; serial <= 3; serial++ {
		if err := disk.Fill(); err != nil {
			t.Fatal(err)
		}
		_, raw := full.Sheet(seats, serial)
		if err := w.Receive(t.Context(), raw); !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("a mail on a full disk: %v", err)
		}
		if !complains() {
			t.Error("status says nothing")
		}
		if err := disk.Empty(); err != nil {
			t.Fatal(err)
		}
		if err := w.Umpire.Complain(); err != nil || complains() {
			t.Errorf("there is room, and status does not say so: %v", err)
		}
		if err := w.Receive(t.Context(), raw); err != nil {
			t.Error(err)
		}
	}
	filed, err := w.Umpire.DB.AllSheets(seats[0].Game)
	if err != nil || len(filed) != 3 {
		t.Errorf("%d sheets are filed, %v", len(filed), err)
	}
	left, _ := filepath.Glob(filepath.Join(disk.Folder, "*", "*.tmp"))
	if bad := records.Check(w.Umpire.DB); len(bad) > 0 || len(left) > 0 {
		t.Error(bad, left)
	}
}

// A daemon without mail finds out as well.
func TestDiskIsFullAndNobodyWrites(t *testing.T) {
	disk, err := full.Mount()
	if errors.Is(err, full.ErrNoDisk) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { disk.Close() })
	w, err := world.Open(disk.Folder, world.Options{Address: "umpire@mail.test", Instance: "full", Random: rand.Reader, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	for _, filled := range []bool{false, true, false} {
		if filled {
			err = disk.Fill()
		} else {
			_ = disk.Empty() // it may be so already
		}
		if err != nil {
			t.Fatal(err)
		}
		_ = w.Umpire.Complain()
		if got := len(w.Umpire.Service.Troubles(time.Now())) > 0; got != filled {
			t.Errorf("the disk is full: %v, status says so: %v", filled, got)
		}
	}
}
