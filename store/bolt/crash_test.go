package bolt

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"fieldpost/store"
	"fieldpost/trial/ramdisk"
)

// crashEnv names the database for a child process that commits until it is killed,
// pointEnv a point and how often it is passed before the child kills itself there.
const (
	crashEnv = "FIELDPOST_STORE_CRASH_TEST"
	pointEnv = "FIELDPOST_STORE_CRASH_POINT"
)

// killedAt is a hook that kills the process at the nth time of a point.
func killedAt(point string, n int) func(string) error {
	return func(p string) error {
		if p == point {
			if n--; n == 0 {
				syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
		}
		return nil
	}
}

func TestMain(m *testing.M) {
	if path := os.Getenv(crashEnv); path != "" {
		fmt.Fprintln(os.Stderr, commitForEver(path))
		os.Exit(1)
	}
	os.Exit(ramdisk.Tests(m.Run))
}

// commitForEver does what a daemon does, without an end, and prints the number
// of every Change once Commit has returned.
func commitForEver(path string) error {
	o := Options{}
	if point, times, ok := strings.Cut(os.Getenv(pointEnv), "/"); ok {
		n, err := strconv.Atoi(times)
		if err != nil {
			return err
		}
		o.At = killedAt(point, n)
	}
	db, err := Open(path, o)
	if err != nil {
		return err
	}
	db.DrawWith(drawStripes)
	g := newGame("g1")
	n := uint64(0)
	if old, err := db.Game("g1"); err == nil {
		n = old.Seq
	}
	for ; ; n++ {
		if err := arrives(db, n+1); err != nil {
			return err
		}
		fmt.Println("arrived", n+1)
		c := full(g, n)
		for i, m := range c.Mails {
			c.Mails[i] = pictured(m.ID, "g1", 2)
		}
		c.Phases[1].Snapshot = fmt.Appendf(make([]byte, 20_000), "position %d.2", n+1)
		c.Open = &store.OpenPhase{Phase: fmt.Sprintf("%d.1 movement", n+2), Journal: []byte(`[{"kind":"roll","dice":[6]}]`)}
		if err := db.Commit(c); err != nil {
			return err
		}
		fmt.Println("committed", n+1)
		queue, err := db.Queue(noon, 1)
		if err != nil || len(queue) == 0 {
			return fmt.Errorf("queue: %v, %w", queue, err)
		}
		m, err := db.MarkSending(queue[0].ID, noon)
		if err != nil {
			return err
		}
		fmt.Println("sending", m.Number)
		if err := db.MarkResult(m.ID, store.Result{State: store.MailAccepted, At: noon}); err != nil {
			return err
		}
		fmt.Println("accepted", m.Number)
		if err := thinAll(db); err != nil {
			return err
		}
		if n%3 == 2 {
			if _, _, err := db.Compact(); err != nil {
				return err
			}
		}
	}
}

// arrives lets a mail arrive that a Change will handle.
func arrives(db *DB, n uint64) error {
	sha, err := db.Spool(fmt.Appendf(nil, "mail %d of g1", n))
	if err != nil {
		return err
	}
	return db.Arrived(store.Look{Mailbox: "INBOX", UIDValidity: 7, Low: uint32(n), Listed: []uint32{uint32(n)},
		Mails: []store.Incoming{{SHA256: sha, UID: uint32(n), Lane: "g1", Received: noon}}})
}

// The child is killed at a random moment, again and again, on the same database.
// After each time the store is sound, has every Change that was acknowledged and
// at most one more, and that whole.
func TestKilledWhileCommitting(t *testing.T) {
	kills := 25
	if testing.Short() {
		kills = 5
	}
	if s, err := strconv.Atoi(os.Getenv("FIELDPOST_STORE_KILLS")); err == nil {
		kills = s
	}
	path := filepath.Join(t.TempDir(), "fieldpost.db")
	rnd := rand.New(rand.NewPCG(5, 6))
	var total uint64
	interrupted := 0
	for range kills {
		committed := killChild(t, path, rnd.IntN(4) == 0, time.Duration(rnd.IntN(40_000))*time.Microsecond)
		db, err := Open(path, Options{})
		must(t, err)
		sound(t, db)
		n, err := db.Requeue()
		must(t, err)
		interrupted += n
		total = audited(t, db, max(committed, total))
		must(t, db.Close())
		if t.Failed() {
			return
		}
	}
	if total == 0 {
		t.Error("not one Change was committed: the test proves nothing")
	}
	t.Logf("%d kills, %d changes, %d mails interrupted", kills, total, interrupted)
}

// The child ends at every named point, the first time and later ones, one after
// the other on the same database.
func TestKilledAtEveryPoint(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fieldpost.db")
	var total uint64
	for _, point := range Points {
		for _, times := range []int{1, 2, 5} {
			if testing.Short() && times > 1 {
				continue
			}
			t.Setenv(pointEnv, fmt.Sprintf("%s/%d", point, times))
			committed := killChild(t, path, true, time.Minute)
			db, err := Open(path, Options{})
			must(t, err)
			_, err = db.Requeue()
			must(t, err)
			sound(t, db)
			total = audited(t, db, max(committed, total))
			must(t, db.Close())
			if t.Failed() {
				t.Fatalf("after the end at %q, the time number %d", point, times)
			}
		}
	}
	want := uint64(20)
	if testing.Short() {
		want = 5 // each point once: most end the child at its first Change
	}
	if total < want {
		t.Errorf("only %d Changes were committed", total)
	}
}

// killChild runs the child for a while, counted from its start (it may still be
// opening the store) or from its first word, and returns the last Change that it
// acknowledged.
func killChild(t *testing.T, path string, early bool, after time.Duration) (committed uint64) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), crashEnv+"="+path)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	timer := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	defer timer.Stop()
	if early {
		timer.Reset(after)
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if !early {
			early = true
			timer.Reset(after)
		}
		var word string
		var n uint64
		if k, _ := fmt.Sscan(lines.Text(), &word, &n); k == 2 && word == "committed" {
			committed = n
		}
	}
	err = cmd.Wait()
	if cmd.ProcessState.ExitCode() != -1 {
		t.Fatalf("the child ended by itself: %v", err)
	}
	return committed
}

// audited counts what the last Change should have brought in all its parts.
func audited(t *testing.T, db *DB, acknowledged uint64) uint64 {
	t.Helper()
	g, err := db.Game("g1")
	if err != nil {
		if acknowledged > 0 {
			t.Errorf("%d changes were acknowledged: %v", acknowledged, err)
		}
		return 0
	}
	if g.Seq < acknowledged {
		t.Errorf("change %d was acknowledged, the game is at %d", acknowledged, g.Seq)
	}
	js, err := db.Journal("g1")
	must(t, err)
	sheets, err := db.AllSheets("g1")
	must(t, err)
	mails, err := db.Mails("g1")
	must(t, err)
	note, err := db.Note("last/g1")
	must(t, err)
	n := int(g.Seq)
	if len(js) != 2*n || len(sheets) != n || len(mails) != 2*n || string(note) != fmt.Sprint(n) {
		t.Errorf("change %d: %d phases, %d sheets, %d mails, note %s", n, len(js), len(sheets), len(mails), note)
	}
	for i := range n {
		h, ok, err := db.Handled(store.Sum(fmt.Appendf(nil, "mail %d of g1", i+1)))
		if err != nil || !ok || h.Seq != uint64(i+1) || !h.Spooled {
			t.Errorf("mail %d: %+v, %v, %v", i+1, h, ok, err)
		}
	}
	if _, ok, _ := db.Handled(store.Sum(fmt.Appendf(nil, "mail %d of g1", n+1))); ok {
		t.Errorf("mail %d is handled, the game is at %d", n+1, n)
	}
	arrived, err := db.Low("INBOX", 7)
	must(t, err)
	b, err := db.Backlog()
	must(t, err)
	if waits := int(arrived) - n; waits < 0 || waits > 1 || b.Mails != waits {
		t.Errorf("%d mails have arrived, the game is at %d, and %+v waits", arrived, n, b)
	}
	p, err := db.Load("g1")
	must(t, err)
	if p.Open == nil || p.Open.Phase != fmt.Sprintf("%d.1 movement", n+1) {
		t.Errorf("after change %d the open phase is %+v", n, p.Open)
	}
	db.DrawWith(drawStripes)
	for _, m := range mails {
		raw, err := db.MailBytes(m.SHA256)
		must(t, err)
		if string(raw) != string(pictured(m.ID, "g1", 2).Raw) {
			t.Errorf("mail %s has other bytes", m.ID)
		}
		if m.State != store.MailQueued && m.State != store.MailAccepted {
			t.Errorf("mail %s is %s", m.ID, m.State)
		}
	}
	return g.Seq
}
