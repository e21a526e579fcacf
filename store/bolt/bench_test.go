package bolt

import (
	"fmt"
	"testing"
)

// One mail's Change: two mail files, two phases, a sheet, and all synced.
func BenchmarkCommit(b *testing.B) {
	db := newStore(b)
	g, n := newGame("g1"), uint64(0)
	for b.Loop() {
		must(b, db.Commit(full(g, n)))
		n++
	}
}

// The same without files of mails: the price of the transaction alone.
func BenchmarkCommitWithoutMails(b *testing.B) {
	db := newStore(b)
	g, n := newGame("g1"), uint64(0)
	for b.Loop() {
		c := full(g, n)
		c.Mails = nil
		must(b, db.Commit(c))
		n++
	}
}

func BenchmarkSpool(b *testing.B) {
	db := newStore(b)
	n := 0
	for b.Loop() {
		_, err := db.Spool(fmt.Appendf(make([]byte, 10_000), "%d", n))
		must(b, err)
		n++
	}
}

func BenchmarkLoad(b *testing.B) {
	db := newStore(b)
	c := full(newGame("g1"), 0)
	c.Phases[1].Snapshot = make([]byte, 100_000)
	must(b, db.Commit(c))
	for b.Loop() {
		if _, err := db.Load("g1"); err != nil {
			b.Fatal(err)
		}
	}
}
