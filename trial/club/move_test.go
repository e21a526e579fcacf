package club

import (
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"fieldpost/demo/world"
	"fieldpost/store"
	"fieldpost/store/bolt"
	"fieldpost/store/postgres"
	"fieldpost/store/postgres/server"
	"fieldpost/trial/guide"
	"fieldpost/trial/processor"
	"fieldpost/umpire/match"
)

// BenchmarkMove moves the year of a small club, with pictures in every report and its mails thin, from a file into
// PostgreSQL and back. It tells how many games a second that are, compared in full, and the processor time of each, the
// server's included. Nothing waits for a disk: the file is in memory, and the server does not sync.
func BenchmarkMove(b *testing.B) {
	s := server.Shared(b) // or PostgreSQL is missing
	from, games := aYear(b)
	var there, back spent
	for b.Loop() {
		b.StopTimer()
		url, err := s.Schema()
		if err == nil {
			err = postgres.Prepare(url)
		}
		if err != nil {
			b.Fatal(err)
		}
		db, err := postgres.Open(url, postgres.Options{Node: "move"})
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		there.add(b, s, func() error { _, err := store.Move(from, db); return err })
		back.add(b, s, func() error { _, err := bolt.MoveInto(filepath.Join(b.TempDir(), "back"), db); return err })
		db.Close()
	}
	for way, spent := range map[string]spent{"there": there, "back": back} {
		b.ReportMetric(float64(b.N*games)/spent.clock.Seconds(), way+"/s")
		b.ReportMetric(float64(spent.processor.Milliseconds())/float64(b.N*games), "cpu-ms/"+way)
	}
	b.ReportMetric(0, "ns/op")
}

// spent is time by the clock, and of the processor here and in the server.
type spent struct{ clock, processor time.Duration }

// add adds what something takes.
func (t *spent) add(b *testing.B, s *server.Server, do func() error) {
	used := func() time.Duration {
		u, err := s.Used(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		return u.Processor
	}
	theirs, ours, begun := used(), processor.Time(), time.Now()
	if err := do(); err != nil {
		b.Fatal(err)
	}
	t.clock += time.Since(begun)
	t.processor += processor.Time() - ours
	t.processor += used() - theirs
}

// aYear is the store of a club of five games at once after a year, and how many were begun in it.
func aYear(b *testing.B) (store.Movable, int) {
	dir := b.TempDir()
	if _, err := guide.Write("../../docs/SCENARIOS.md", dir); err != nil {
		b.Fatal(err)
	}
	library, err := match.NewLibrary(dir)
	if err != nil {
		b.Fatal(err)
	}
	d := &Daemon{folder: b.TempDir()}
	if d.World, err = world.Open(d.folder, world.Options{Address: desk, Instance: "club", Random: rand.NewChaCha8([32]byte{77}), Library: library,
		Now: func() time.Time { return d.now }}); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { d.World.Close() })
	t, err := play(b.Context(), Options{Library: library, Small: "lipowka", Games: 5, Days: 365, Seed: 1}, func(q Request) (r Reply, err error) {
		err = d.Do(q, &r)
		return r, err
	})
	if err == nil {
		_, err = d.Umpire.Desk().Thin()
	}
	if err != nil {
		b.Fatal(err)
	}
	return d.Umpire.DB.(store.Movable), t.Games
}
