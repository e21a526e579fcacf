package umpire

import (
	"testing"
	"time"

	"fieldpost/dice/beacon/fakedrand"
	"fieldpost/store"
	"fieldpost/umpire/records"
	"fieldpost/umpire/turns"
)

// overEngines runs a test over a file, over a store in memory behind an unsteady connection and, where
// there is one, over PostgreSQL.
func overEngines(t *testing.T, test func(t *testing.T)) {
	if storeOf != "" {
		t.Run(storeOf, test)
		return
	}
	for _, engine := range []string{"", "memory", "postgres"} {
		t.Run("over "+engine, func(t *testing.T) {
			storeOf = engine
			defer func() { storeOf = "" }()
			test(t)
		})
	}
}

// A process that never saw a game begin keeps its deadline by what is in the store, and of two that
// keep it one does.
func TestADeadlineIsKeptOnceByWhomever(t *testing.T) {
	overEngines(t, func(t *testing.T) {
		g := newTable(t, "deadline=3d", "remind=1d")
		g.seat("SOVIET")
		g.seat("GERMAN")
		open, err := g.u.DB.Waiting(g.game)
		if err != nil {
			t.Fatal(err)
		}
		processes := []*Umpire{New(g.setup), New(g.setup)}
		tick := func(at time.Time) {
			g.clock = at
			for _, u := range processes {
				if err := u.ReadAlarms(); err != nil {
					t.Fatal(err)
				}
			}
			for _, u := range processes {
				u.Tick(at)
			}
		}
		mails := func(kind string) (n int) {
			all, err := g.u.DB.Mails(g.game)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range all {
				if m.Side == "SOVIET" && m.Kind == kind {
					n++
				}
			}
			return n
		}
		tick(open.Deadline.Add(-25 * time.Hour))
		if n := mails("reminder"); n != 0 {
			t.Errorf("%d reminders before their time", n)
		}
		tick(open.Deadline.Add(-24 * time.Hour))
		if n := mails("reminder"); n != 1 {
			t.Errorf("%d reminders, want 1", n)
		}
		tick(open.Deadline.Add(time.Second))
		pos, err := g.u.DB.Load(g.game)
		if err != nil {
			t.Fatal(err)
		}
		if late := pos.Game.Players[0].LateTurns; late != 1 {
			t.Errorf("the deadline has passed %d times", late)
		}
		if at, there, err := turns.WakeRecords.Get(g.u.DB, g.game); err != nil || !there || !at.After(g.clock) {
			t.Errorf("time moves the game next at %v (%v), %v", at, there, err)
		}
		g.act("pause", "", "")
		if _, there, err := turns.WakeRecords.Get(g.u.DB, g.game); there || err != nil {
			t.Errorf("time moves a game that is paused: %v", err)
		}
	})
}

// A store that an earlier program kept has no such records: the start makes them, once.
func TestWakesAreMadeAtTheStart(t *testing.T) {
	overEngines(t, func(t *testing.T) {
		g := newTable(t, "deadline=3d")
		g.seat("SOVIET")
		g.seat("GERMAN")
		was, _, err := turns.WakeRecords.Get(g.u.DB, g.game)
		if err != nil || was.IsZero() {
			t.Fatal(was, err)
		}
		var c store.Change
		turns.WakeRecords.Drop(&c, g.game)
		g.commit(c)
		u := New(g.setup)
		if err := u.begun(); err != nil {
			t.Fatal(err)
		}
		if is, _, err := turns.WakeRecords.Get(g.u.DB, g.game); err != nil || !is.Equal(was) {
			t.Errorf("%v, want %v; %v", is, was, err)
		}
	})
}

// The value of a round stays as long as any game waits for the round, also one that another machine
// has only just had wait.
func TestAValueIsKeptAsLongAsAGameWaitsForIt(t *testing.T) {
	overEngines(t, func(t *testing.T) {
		g, d := beaconTable(t)
		round := g.round()
		waits := turns.AwaitKey{Round: round, Game: g.game}
		if _, there, err := turns.AwaitRecords.Get(g.u.DB, waits); !there || err != nil {
			t.Fatalf("that the game waits is not in the store: %v", err)
		}
		g.clock = d.Chain.Time(round).Add(time.Minute)
		g.receive(g.mail("STRANGER", d.Value(round).String()+"\n"))
		another := turns.AwaitKey{Round: round, Game: "ANOTHER"}
		this := g.setup
		joins := &interleaved{Store: g.setup.DB, other: func() {
			var c store.Change
			turns.AwaitRecords.Put(&c, another, store.Mark{})
			g.commit(c)
		}}
		this.DB = joins
		u := drawing(New(this), d)
		if err := u.ReadAlarms(); err != nil {
			t.Fatal(err)
		}
		u.Tick(g.clock)
		if g.round() != 0 || joins.other != nil {
			t.Fatal("the game has not drawn its dice")
		}
		if _, there, err := turns.AwaitRecords.Get(g.u.DB, waits); there || err != nil {
			t.Errorf("the game still waits: %v", err)
		}
		if _, kept, err := turns.BeaconRecords.Get(g.u.DB, round); !kept || err != nil {
			t.Errorf("the value is gone that another game waits for: %v", err)
		}
		var c store.Change
		turns.AwaitRecords.Drop(&c, another)
		turns.BeaconRecords.Drop(&c, round)
		g.commit(c)
		if wrong := records.All.Check(g.u.DB); len(wrong) > 0 {
			t.Error(wrong)
		}
	})
}

// drawing has a process know the beacon of a test.
func drawing(u *Umpire, d *fakedrand.Drand) *Umpire {
	u.Beacon, u.Draw = d.Chain, unillustrated
	return u
}
