package umpire

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/store"
	"fieldpost/store/bolt"
	"fieldpost/umpire/match"
)

const idleStore = "FIELDPOST_IDLE_STORE"

// idleFigures are what the process with many idle games measures of itself.
type idleFigures struct {
	Start, Poll, Stranger, Player time.Duration
	Resident, Mapped              int64
}

// Many games that wait for their players: a daemon starts quickly, stays small,
// and looks for mail at little cost. The full figure, 10,000 games, is made by
//
//	FIELDPOST_SOAK=1 go test -timeout 30m -run Idle -v ./umpire
func TestIdleGames(t *testing.T) {
	if path := os.Getenv(idleStore); path != "" {
		idleDaemon(t, path)
		return
	}
	games := 100
	if soak {
		games = 10_000
	}
	path := filepath.Join(t.TempDir(), "fieldpost.db")
	fillWithGames(t, path, games)
	idleFigure(t, path, games, "as it grew")
	db, err := bolt.Open(path, bolt.Options{MustExist: true})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = db.Compact()
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	idleFigure(t, path, games, "compacted")
}

// idleFigure runs a daemon over the store and holds its figures against the limits.
func idleFigure(t *testing.T, path string, games int, how string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestIdleGames$", "-test.v")
	cmd.Env = append(os.Environ(), idleStore+"="+path)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var f idleFigures
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		if text, ok := strings.CutPrefix(lines.Text(), "figures "); ok {
			if err := json.Unmarshal([]byte(text), &f); err != nil {
				t.Fatal(err)
			}
		}
	}
	info, _ := os.Stat(path)
	t.Logf("%d idle games, %d MiB, %s: start %v, resident memory %d MiB (%d of them pages of the file), a look for mail %v, a stranger's mail %v, an unsigned mail of a player %v",
		games, info.Size()>>20, how, f.Start, f.Resident>>20, f.Mapped>>20, f.Poll, f.Stranger, f.Player)
	if f.Start == 0 || f.Start > 3*time.Second {
		t.Errorf("the start takes %v, at most 3 s are wanted", f.Start)
	}
	if f.Resident > 200<<20 {
		t.Errorf("%d MiB are resident, at most 200 are wanted", f.Resident>>20)
	}
	if f.Poll > 10*time.Millisecond {
		t.Errorf("a look for mail takes %v", f.Poll)
	}
}

// fillWithGames makes a store of games in their second turn, all alike but for
// their names, keys and players.
func fillWithGames(t *testing.T, path string, games int) {
	t.Helper()
	model := playOut(t, 1)
	g, c, err := model.u.RecordingOf(model.game)
	if err != nil {
		t.Fatal(err)
	}
	for i := range c.Phases {
		if c.Phases[i], err = model.u.DB.Phase(model.game, uint64(i)+1); err != nil {
			t.Fatal(err)
		}
		c.Phases[i].Hash = ""
	}
	filed, err := match.FilingRecords.All(model.u.DB, model.game)
	if err != nil {
		t.Fatal(err)
	}
	db, err := bolt.Open(path, bolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	random := rand.NewChaCha8([32]byte{9})
	for n := range games {
		x := g
		x.ID, x.Seq, x.Phases, x.DiceKey = fmt.Sprintf("IDLE%04d", n), 0, 0, make([]byte, 32)
		random.Read(x.DiceKey)
		x.Players = nil
		for i, p := range g.Players {
			key, err := seal.GenerateKey(random)
			if err != nil {
				t.Fatal(err)
			}
			p.Key, p.Address = key.Public().String(), fmt.Sprintf("player%d.%d@example.org", n, i)
			x.Players = append(x.Players, p)
		}
		change := store.Change{Game: &x, Phases: c.Phases, Open: c.Open}
		for key, f := range filed {
			key.Game = x.ID
			match.FilingRecords.Put(&change, key, f)
		}
		if err := db.Commit(change); err != nil {
			t.Fatal(err)
		}
	}
}

// idleDaemon does in a process of its own what a daemon does that has nothing to do.
func idleDaemon(t *testing.T, path string) {
	var f idleFigures
	begin := time.Now()
	db, err := bolt.Open(path, bolt.Options{MustExist: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	key, err := seal.GenerateKey(rand.NewChaCha8([32]byte{1}))
	if err != nil {
		t.Fatal(err)
	}
	u := New(Setup{DB: db, Address: "umpire@example.org", Name: "Fieldpost", Instance: "test", Key: key, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	if err := u.begun(); err != nil {
		t.Fatal(err)
	}
	f.Start = time.Since(begin)
	const rounds = 100
	begin = time.Now()
	for range rounds { // what the poller and the sender ask the store
		s := u.Inbox()
		s.Handled(mailbox.Key{Box: "INBOX", UIDValidity: 1, UID: s.Low("INBOX", 1) + 1})
		if _, err := db.Queue(u.Now(), 50); err != nil {
			t.Fatal(err)
		}
		if _, _, err := db.NextAttempt(); err != nil {
			t.Fatal(err)
		}
	}
	f.Poll = time.Since(begin) / rounds
	f.Stranger = receiveFrom(t, u, "stranger@example.org", 1)
	f.Player = receiveFrom(t, u, "Player50.1@example.org", 2)
	runtime.GC()
	f.Resident, f.Mapped = resident(t)
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("\nfigures %s\n", text)
}

func receiveFrom(t *testing.T, u *Umpire, from string, uid uint32) time.Duration {
	raw := fmt.Appendf(nil, "From: %s\r\nTo: umpire@example.org\r\nSubject: hello\r\nMessage-ID: <%d@example.org>\r\n\r\nno orders\r\n", from, uid)
	begin := time.Now()
	if err := u.Receive(context.Background(), mailbox.Raw{Key: mailbox.Key{Box: "INBOX", UIDValidity: 1, UID: uid}, Bytes: raw, Size: int64(len(raw))}); err != nil {
		t.Fatal(err)
	}
	return time.Since(begin)
}

// resident is the resident memory of this process, and how much of it are pages
// of files: the system maps the neighbours of every page that is read.
func resident(t *testing.T) (all, mapped int64) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Log("no figure for memory on this system")
		return 0, 0
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			fmt.Sscan(rest, &all)
		}
		if rest, ok := strings.CutPrefix(line, "RssFile:"); ok {
			fmt.Sscan(rest, &mapped)
		}
	}
	return all << 10, mapped << 10
}
