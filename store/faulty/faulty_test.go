package faulty

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fieldpost/store"
	"fieldpost/store/bolt"
	"fieldpost/store/memory"
)

// Four machines count, spend codes and move games on one store behind an unsteady connection:
// nothing that was acknowledged is lost, nothing counts twice, whatever the faults.
// FIELDPOST_STORE_FAULTS says how many faults there are to be.
func TestNothingIsLostOrDoubled(t *testing.T) {
	most := 300
	if n, err := strconv.Atoi(os.Getenv("FIELDPOST_STORE_FAULTS")); err == nil {
		most = n
	}
	for name, open := range map[string]func() (store.Store, error){
		"memory": func() (store.Store, error) { return memory.New(), nil },
		"bolt":   func() (store.Store, error) { return bolt.Open(t.TempDir()+"/fieldpost.db", bolt.Options{}) },
	} {
		t.Run(name, func(t *testing.T) {
			total := 0
			for round := uint64(0); total < most; round++ {
				db, err := open()
				if err != nil {
					t.Fatal(err)
				}
				total += machines(t, db, round)
				if err := db.Close(); err != nil || t.Failed() {
					t.Fatalf("round %d, %v", round, err)
				}
			}
			t.Logf("%d faults", total)
		})
	}
}

// machines work on a store for a while; it tells how many faults there were.
func machines(t *testing.T, db store.Store, seed uint64) (faults int) {
	const codes = 20
	connection := Over(db, Faults{Stale: 100, Unknown: 150, Late: 50, Delay: 200}, seed)
	games := []string{"G1", "G2"}
	for _, id := range games {
		if err := db.Commit(store.Change{Game: &store.Game{ID: id, Status: store.StatusRunning, Sides: []string{"A"}}}); err != nil {
			t.Fatal(err)
		}
	}
	var counted, moved atomic.Int64
	var spent [codes]atomic.Int64
	var all sync.WaitGroup
	for machine := range 4 {
		all.Go(func() {
			for n := range codes {
				mine := fmt.Sprintf("%d of machine %d", n, machine)
				if err := store.Anew(connection, func(on store.Store) error { return count(on, mine) }); err == nil {
					counted.Add(1)
				}
				if did, err := spend(connection, n, mine); err == nil && did {
					spent[n].Add(1)
				}
				if err := store.Anew(connection, func(on store.Store) error { return move(on, games[n%2], mine) }); err == nil {
					moved.Add(1)
				}
				arrive(t, connection, uint32(n+1), games[n%2])
				handleNext(t, connection)
			}
		})
	}
	all.Wait()
	connection.Settle()
	for handleNext(t, connection) {
		connection.Settle()
	}
	if b, err := db.Backlog(); err != nil || b.Mails > 0 {
		t.Errorf("%+v waits, %v", b, err)
	}
	if effects, _ := db.Notes("effect/"); len(effects) != codes {
		t.Errorf("%d mails that all machines found had %d effects", codes, len(effects))
	}
	text, _ := db.Note("count")
	if n, _ := strconv.ParseInt(string(text), 10, 64); n < counted.Load() {
		t.Errorf("%d are counted, %d were acknowledged", n, counted.Load())
	} else if there, _ := db.Notes("counted/"); int64(len(there)) != n {
		t.Errorf("%d are counted, of %d", n, len(there))
	}
	for n := range codes {
		if times := spent[n].Load(); times > 1 {
			t.Errorf("code %d was spent %d times", n, times)
		}
	}
	var steps int64
	for _, id := range games {
		g, err := db.Game(id)
		if err != nil {
			t.Fatal(err)
		}
		steps += int64(g.Seq) - 1
	}
	if mails, _ := db.Notes("moved/"); steps < moved.Load() || int64(len(mails)) != steps {
		t.Errorf("%d steps of games, %d were acknowledged, %d told of", steps, moved.Load(), len(mails))
	}
	for _, err := range db.Check() {
		t.Error(err)
	}
	for _, n := range connection.Happened() {
		faults += n
	}
	return faults
}

// arrive has a look find a mail that every machine finds, until it is kept.
func arrive(t *testing.T, db store.Store, uid uint32, game string) {
	for {
		sha, err := db.Spool(fmt.Appendf(nil, "mail %d", uid))
		if err != nil {
			t.Error(err)
			return
		}
		err = db.Arrived(store.Look{Mailbox: "INBOX", UIDValidity: 7, Mails: []store.Incoming{{SHA256: sha, UID: uid, Lane: game}}})
		if !errors.Is(err, store.ErrUnknown) {
			if err != nil {
				t.Error(err)
			}
			return
		}
	}
}

// handleNext gives the next mail its effect, which must be its only one.
func handleNext(t *testing.T, db store.Store) (some bool) {
	m, some, err := db.Next(time.Time{})
	if err != nil {
		t.Error(err)
	}
	if !some {
		return false
	}
	err = store.Anew(db, func(on store.Store) error {
		name := "effect/" + m.SHA256
		had, err := on.Note(name)
		if _, handled, _ := on.Handled(m.SHA256); handled || err != nil {
			return err // it came late
		}
		if had != nil {
			t.Errorf("mail %d had its effect and is not handled", m.UID)
		}
		return on.Commit(store.Change{Handled: &store.Handled{SHA256: m.SHA256}, Notes: map[string][]byte{name: []byte("1")}})
	})
	if err == nil {
		return true
	}
	if err := db.PutOff(m.SHA256, store.Pause{Why: err.Error()}); err != nil {
		t.Error(err)
	}
	return true
}

// count counts one up, and says for whom.
func count(on store.Store, whom string) error {
	text, err := on.Note("count")
	if err != nil {
		return err
	}
	if before, err := on.Note("counted/" + whom); err != nil || before != nil {
		return err // it came late, and is counted
	}
	n, _ := strconv.Atoi(string(text))
	return on.Commit(store.Change{Notes: map[string][]byte{"count": []byte(strconv.Itoa(n + 1)), "counted/" + whom: []byte("1")}})
}

// spend spends a code if nobody has.
func spend(db store.Store, code int, by string) (did bool, err error) {
	name := fmt.Sprintf("spent/%d", code)
	err = store.Anew(db, func(on store.Store) error {
		was, err := on.Note(name)
		if did = string(was) == by; err != nil || was != nil {
			return err
		}
		did = true
		return on.Commit(store.Change{Notes: map[string][]byte{name: []byte(by)}})
	})
	return did, err
}

// move takes a game a step on.
func move(on store.Store, id, by string) error {
	g, err := on.Game(id)
	if err != nil {
		return err
	}
	if before, err := on.Note("moved/" + by); err != nil || before != nil {
		return err // it came late, and is done
	}
	return on.Commit(store.Change{Game: &g, Expect: g.Seq, Notes: map[string][]byte{"moved/" + by: []byte("1")}})
}
