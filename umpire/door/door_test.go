package door

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"fieldpost/store"
	"fieldpost/store/bolt"
	"fieldpost/store/faulty"
	"fieldpost/store/memory"
	"fieldpost/store/postgres"
	"fieldpost/store/postgres/server"
)

func TestMain(m *testing.M) { os.Exit(server.Tests(m.Run)) }

// overEngines runs a test over two doors of one store, of every engine.
func overEngines(t *testing.T, test func(t *testing.T, one, other *Door)) {
	over := func(one, other store.Store) (*Door, *Door) {
		log := slog.New(slog.DiscardHandler)
		return &Door{one, log}, &Door{other, log}
	}
	t.Run("bolt", func(t *testing.T) {
		db, err := bolt.Open(filepath.Join(t.TempDir(), "x.db"), bolt.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		one, other := over(db, db)
		test(t, one, other)
	})
	t.Run("unsteady", func(t *testing.T) {
		db := memory.New()
		one, other := over(faulty.Over(db, faulty.Usual, 1), faulty.Over(db, faulty.Usual, 2))
		test(t, one, other)
	})
	t.Run("postgres", func(t *testing.T) {
		url := server.Store(t)
		if err := postgres.Prepare(url); err != nil {
			t.Fatal(err)
		}
		var dbs [2]store.Store
		for i := range dbs {
			db, err := postgres.Open(url, postgres.Options{Node: fmt.Sprint("node", i)})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { db.Close() })
			dbs[i] = db
		}
		one, other := over(dbs[0], dbs[1])
		test(t, one, other)
	})
}

var now = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)

// Whoever has a page of one daemon has it of the other, and of the next process.
func TestALoginHoldsForAllDaemons(t *testing.T) {
	overEngines(t, func(t *testing.T, one, other *Door) {
		cookie, err := one.Open("Anna", "here", now)
		if err != nil {
			t.Fatal(err)
		}
		v := other.Visit(cookie, now.Add(20*time.Minute), true)
		if v == nil || v.Name != "Anna" || v.Token == "" {
			t.Fatalf("the other daemon has %+v", v)
		}
		one.LetLook(cookie, "GAME", now.Add(time.Hour))
		if v := other.Visit(cookie, now.Add(25*time.Minute), false); v == nil || !v.Inside["GAME"].Equal(now.Add(time.Hour)) {
			t.Errorf("who may look inside a game by one daemon may not by the other: %+v", v)
		}
		if one.Visit(cookie, now.Add(49*time.Minute), false) == nil {
			t.Error("a click is not known to the other daemon")
		}
		if one.Visit(cookie, now.Add(51*time.Minute), false) != nil {
			t.Error("a login without a click does not end")
		}
		other.Shut(cookie)
		if one.Visit(cookie, now.Add(21*time.Minute), true) != nil {
			t.Error("who has logged out at one daemon is logged in at the other")
		}
		if one.Visit("another", now, true) != nil {
			t.Error("any cookie is a login")
		}
	})
}

func TestTheOldestLoginsEnd(t *testing.T) {
	db := memory.New()
	d := &Door{db, slog.New(slog.DiscardHandler)}
	var cookies []string
	for n := range MostVisits + 2 {
		cookie, err := d.Open("Anna", "here", now.Add(time.Duration(n)*time.Second))
		if err != nil {
			t.Fatal(err)
		}
		cookies = append(cookies, cookie)
	}
	at := now.Add(3 * time.Minute)
	if d.Visit(cookies[1], at, false) != nil || d.Visit(cookies[2], at, false) == nil {
		t.Error("of too many logins others than the oldest end")
	}
	if all, err := VisitRecords.All(db); len(all) != MostVisits || err != nil {
		t.Errorf("%d logins, %v", len(all), err)
	}
}

// Of many passwords that are tried at the same time at two daemons as many are admitted as at one.
func TestGuessesCountOnce(t *testing.T) {
	overEngines(t, func(t *testing.T, one, other *Door) {
		admitted := func(from func(n int) string, tries int) (n int) {
			var mu sync.Mutex
			var all sync.WaitGroup
			for i := range tries {
				all.Go(func() {
					d := []*Door{one, other}[i%2]
					for range 50 { // one that met too many others is tried again
						wait, err := d.Knock(from(i), now)
						if err != nil {
							continue
						}
						if mu.Lock(); wait == 0 {
							n++
						}
						mu.Unlock()
						return
					}
					t.Error("a password could not be tried at all")
				})
			}
			all.Wait()
			return n
		}
		if n := admitted(func(int) string { return "here" }, 12); n != freely+1 {
			t.Errorf("%d guesses of one client are admitted, want %d", n, freely+1)
		}
		if wait, err := other.Knock("here", now.Add(2*time.Second)); wait != 0 || err != nil {
			t.Errorf("after a while the client waits %v, %v", wait, err)
		}
		if wait, err := one.Knock("here", now.Add(3*time.Second)); wait <= 0 || err != nil {
			t.Errorf("the wait does not grow: %v, %v", wait, err)
		}
		one.Unlock()
		if n := admitted(func(n int) string { return fmt.Sprint("client ", n) }, MostEachMinute+10); n != MostEachMinute {
			t.Errorf("%d guesses of all clients are admitted in a minute, want %d", n, MostEachMinute)
		}
		if _, err := one.Open("Anna", "here", now); err != nil {
			t.Fatal(err)
		}
		if wait, err := other.Knock("here", now); wait != 0 || err != nil {
			t.Errorf("who gave the right password before waits %v, %v", wait, err)
		}
	})
}
