package bolt

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"fieldpost/store"
)

// Whatever the disk says at whatever point: the error is told, nothing of the
// Change is there, and when the disk is well again the same Change goes in.
func TestFaultsAtEveryPoint(t *testing.T) {
	for _, fault := range []struct{ err, kind error }{
		{syscall.ENOSPC, store.ErrFull}, {syscall.EDQUOT, store.ErrFull}, {syscall.EROFS, store.ErrReadOnly}, {syscall.EIO, syscall.EIO}, {io.ErrShortWrite, io.ErrShortWrite},
	} {
		for _, point := range Points {
			for times := range 3 {
				faulty(t, point, times, fault.err, fault.kind)
			}
		}
	}
}

func faulty(t *testing.T, point string, times int, fault, kind error) {
	t.Helper()
	broken, left := false, 0
	path := filepath.Join(t.TempDir(), "fieldpost.db")
	db, err := Open(path, Options{At: func(p string) error {
		if !broken || p != point {
			return nil
		}
		if left--; left >= 0 {
			return nil
		}
		return &os.PathError{Op: "write", Path: path, Err: fault}
	}})
	must(t, err)
	db.bolt.NoSync = true // it is not about crashes here
	defer func() { db.Close() }()
	must(t, db.Commit(full(newGame("g1"), 0)))
	before := dump(t, db)
	what := fmt.Sprintf("%v at %q, time %d", fault, point, times+1)
	broken, left = true, times
	_, errSpool := db.Spool([]byte("mail 2 of g1"))
	errCommit := db.Commit(full(newGame("g1"), 1))
	_, _, errCompact := db.Compact()
	failed := errors.Join(errSpool, errCommit, errCompact)
	broken = false
	if failed != nil {
		wantErr(t, what, failed, kind)
	}
	if errCompact != nil && (point == PointCompactFolder) { // the file has its new name, but perhaps not for long
		if err := db.Commit(full(newGame("g1"), 2)); err == nil {
			t.Errorf("%s: it writes on", what)
		}
		must(t, db.Close())
		db, err = Open(path, Options{})
		must(t, err)
	}
	if errCommit != nil {
		if after := dump(t, db); !maps.Equal(before, after) {
			t.Errorf("%s: the Change was refused, and something is there", what)
		}
		must(t, db.Commit(full(newGame("g1"), 1)))
	}
	_, err = db.Spool([]byte("mail 2 of g1"))
	must(t, err)
	sound(t, db)
	if g, err := db.Game("g1"); err != nil || g.Seq != 2 {
		t.Errorf("%s: %+v, %v", what, g, err)
	}
}

// A disk without room, made by the system: no file may grow beyond a size. What is
// written is cut short in the middle of a mail or of the database.
func TestNoFileMayGrow(t *testing.T) {
	const child = "FIELDPOST_STORE_NO_ROOM"
	if os.Getenv(child) == "" { // a process of its own: the limit holds for all that it writes
		cmd := exec.Command(os.Args[0], "-test.run=^TestNoFileMayGrow$", "-test.v")
		cmd.Env = append(os.Environ(), child+"=1")
		out, err := cmd.CombinedOutput()
		t.Logf("%s", out)
		must(t, err)
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	var was syscall.Rlimit
	must(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was))
	limit := func(n uint64) {
		must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: was.Max}))
	}
	defer syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was)
	for _, size := range []uint64{100 << 10, 300 << 10, 1 << 20} {
		limit(was.Cur)
		db := newStore(t)
		g, n := newGame("g1"), uint64(0)
		must(t, db.Commit(full(g, n)))
		big := noise(int(size)+5000, 1)
		limit(size)
		_, err := db.Spool(big)
		wantErr(t, "a mail larger than the room", err, store.ErrFull)
		before := dump(t, db)
		for n = 1; n < 200; n++ {
			c := full(g, n)
			c.Phases[1].Snapshot = noise(40_000, n)
			before = dump(t, db)
			if err = db.Commit(c); err != nil {
				break
			}
		}
		wantErr(t, "the last Change", err, store.ErrFull)
		if !maps.Equal(before, dump(t, db)) {
			t.Error("something of the last Change is there")
		}
		sound(t, db)
		left, _ := filepath.Glob(filepath.Join(filepath.Dir(db.Path()), "*", "*"+tmpSuffix))
		if len(left) > 0 {
			t.Errorf("left over: %v", left)
		}
		limit(was.Cur)
		_, err = db.Spool(big)
		must(t, err)
		must(t, db.Commit(full(g, n)))
		db = reopen(t, db)
		sound(t, db)
		t.Logf("limit %d KiB: full after %d Changes", size>>10, n)
	}
}
