package bolt

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"go.etcd.io/bbolt"

	"fieldpost/store"
)

// Check audits the whole store and returns everything that is wrong with it, nil
// when it is sound: the pages of the database; that steps and phases are
// numbered without gaps and every position matches its hash; that all which a
// Step names is there, and that nothing is there that no Step names; that every
// index agrees with what it indexes, both ways; and that every mail file that is
// referred to exists and matches its hash. It reads everything, so it takes a
// while, and it changes nothing; writers wait while the pages are looked through. A database whose inner pages are garbage can
// still end the process: bbolt trusts them.
func (db *DB) Check() []error {
	db.swap.RLock()
	defer db.swap.RUnlock()
	found := db.audited(func(a *audit) { a.err(a.pagesAlone()) })
	if len(found) == 0 { // else reading on could end the process
		found = db.walked()
	}
	for i, err := range found {
		found[i] = db.fail("checking", err)
	}
	return found
}

// audited is what an audit finds, that it ended early included.
func (db *DB) audited(look func(*audit)) []error {
	a := &audit{db: db}
	a.err(guard(func() error {
		look(a)
		return nil
	}))
	return a.found
}

// pages audits the pages of the file.
func (a *audit) pages(tx *bbolt.Tx) error {
	if err := whole(tx, a.db.path); err != nil {
		return err
	}
	for err := range tx.Check() {
		a.add("pages: %w", err)
	}
	return nil
}

// pagesAlone audits them while nobody writes: bbolt looks through its list of free pages, and a writer
// would change it meanwhile.
func (a *audit) pagesAlone() error {
	if !a.db.readOnly {
		writes, err := a.db.bolt.Begin(true)
		if err != nil {
			return err
		}
		defer writes.Rollback() // nothing is written
	}
	return a.db.bolt.View(a.pages)
}

// walked audits what the buckets hold, side by side, each look in a transaction of its own.
func (db *DB) walked() []error {
	inTx := func(look func(*audit)) []error {
		return db.audited(func(a *audit) {
			a.err(db.bolt.View(func(tx *bbolt.Tx) error {
				a.tx = tx
				look(a)
				return nil
			}))
		})
	}
	if missing := inTx((*audit).buckets); len(missing) > 0 {
		return missing
	}
	var found [len(looks)][]error
	var all sync.WaitGroup
	for i, look := range looks {
		all.Go(func() { found[i] = inTx(look) })
	}
	all.Wait()
	return slices.Concat(found[:]...)
}

// looks are what there is to audit in the buckets.
var looks = [...]func(*audit){(*audit).games, (*audit).outbox, (*audit).theRest}

// buckets checks that each is there.
func (a *audit) buckets() {
	for _, b := range buckets {
		if a.tx.Bucket(b) == nil {
			a.add("bucket %s is missing", b)
		}
	}
}

// outbox audits the mails, what finds them, and their files.
func (a *audit) outbox() {
	kept := a.mails()
	inFiles := a.files(kept) // meanwhile
	a.mailIndexes(kept)
	a.found = append(a.found, inFiles()...)
}

// theRest audits all values by themselves, what has come in, and the notes.
func (a *audit) theRest() {
	a.values()
	a.notes()
	a.handled()
	a.incoming()
	a.marks()
}

// values checks that every value has an encoding and, from format 3 on, matches
// its checksum.
func (a *audit) values() {
	for _, b := range buckets {
		if string(b) == string(bMeta) {
			continue
		}
		each(a.tx.Bucket(b), nil, func(k, v []byte) error {
			if _, _, err := unsealed(k, v); err != nil {
				a.add("bucket %s: %w", b, err)
			}
			return nil
		})
	}
}

// notes checks that none is lost. Format 1 and 2 did not count them.
func (a *audit) notes() {
	v := a.tx.Bucket(bMeta).Get([]byte("format"))
	if len(v) != 4 || binary.BigEndian.Uint32(v) < 3 {
		return
	}
	if n, want := a.count(bNotes, nil), a.tx.Bucket(bNotes).Sequence(); uint64(n) != want {
		a.add("there are %d notes, the bucket counts %d", n, want)
	}
}

// audit collects what is wrong.
type audit struct {
	db    *DB
	tx    *bbolt.Tx
	found []error
}

func (a *audit) add(format string, args ...any) {
	a.found = append(a.found, fmt.Errorf(format, args...))
}

// err notes an error, if it is one, and tells whether all is well.
func (a *audit) err(err error) bool {
	if err != nil {
		a.found = append(a.found, err)
	}
	return err == nil
}

// all decodes every value with a prefix and notes the ones that cannot be.
func all[T any](a *audit, bucket, prefix []byte, f func(key []byte, v T)) {
	each(a.tx.Bucket(bucket), prefix, func(k, raw []byte) error {
		if v, err := decode[T](k, raw); a.err(err) {
			f(k, v)
		}
		return nil
	})
}

func (a *audit) has(bucket, key []byte) bool { return a.tx.Bucket(bucket).Get(key) != nil }

// count is the number of keys with a prefix.
func (a *audit) count(bucket, prefix []byte) (n int) {
	each(a.tx.Bucket(bucket), prefix, func(_, _ []byte) error { n++; return nil })
	return n
}

func (a *audit) games() {
	sums := map[string]int{} // of entries by bucket, to find those of no game
	all(a, bGames, nil, func(k []byte, g store.Game) {
		if g.ID != string(k) {
			a.add("game %q is stored as %q", g.ID, k)
			return
		}
		steps := a.steps(g)
		a.phases(g, steps)
		a.sheets(g, steps)
		for _, p := range g.Players {
			seen := map[string]bool{} // both addresses may be the same
			for _, k := range seatKeys(p, g.ID) {
				if seen[string(k.key)] {
					continue
				}
				seen[string(k.key)] = true
				sums[string(k.bucket)]++
				if !a.has(k.bucket, k.key) {
					a.add("game %s: side %s is not indexed in bucket %s", g.ID, p.Side, k.bucket)
				}
			}
		}
		for _, b := range [][]byte{bSteps, bPhases, bSnapshots, bSheets, bDigests} {
			sums[string(b)] += a.count(b, under(g.ID))
		}
		if a.has(bOpen, k) {
			sums[string(bOpen)]++
		}
	})
	for _, b := range [][]byte{bSeats, bAddresses, bSteps, bPhases, bSnapshots, bSheets, bDigests, bOpen} {
		if n := a.count(b, nil); n != sums[string(b)] {
			a.add("bucket %s has %d entries, the games account for %d", b, n, sums[string(b)])
		}
	}
	all(a, bOpen, nil, func(k []byte, o store.OpenPhase) {
		_, err := store.Entries(o.Journal)
		a.err(err)
	})
}

// steps checks the log of a game and what it names besides phases and sheets.
func (a *audit) steps(g store.Game) (steps []store.Step) {
	all(a, bSteps, under(g.ID), func(k []byte, s store.Step) {
		steps = append(steps, s)
		if n := uint64(len(steps)); s.Seq != n || lastNumber(k) != n {
			a.add("game %s: step %d is stored as number %d, expected %d", g.ID, s.Seq, lastNumber(k), n)
		}
		for _, id := range s.Mails {
			if !a.has(bOutbox, []byte(id)) {
				a.add("game %s: step %d: mail %s is missing", g.ID, s.Seq, id)
			}
		}
		if s.Handled == "" {
			return
		}
		key, err := store.SHAKey(s.Handled)
		if !a.err(err) {
			return
		}
		h, found, err := getJSON[store.Handled](a.tx.Bucket(bHandled), key)
		if a.err(err) && (!found || h.Game != g.ID || h.Seq != s.Seq) {
			a.add("game %s: step %d: the handled mail %s does not belong to it", g.ID, s.Seq, s.Handled)
		}
	})
	if uint64(len(steps)) != g.Seq {
		a.add("game %s is at %d, but has %d steps", g.ID, g.Seq, len(steps))
	}
	return steps
}

func (a *audit) phases(g store.Game, steps []store.Step) {
	var named []uint64
	for _, s := range steps {
		named = append(named, s.Phases...)
	}
	var n uint64
	history := snapshots{tx: a.tx, game: g.ID}
	defer history.Close()
	all(a, bPhases, under(g.ID), func(k []byte, p store.Phase) {
		n++
		inTurn := n <= uint64(len(named)) && named[n-1] == n
		switch {
		case p.Number != n, lastNumber(k) != n, !inTurn:
			a.add("game %s: phase %d is stored as number %d, expected %d", g.ID, p.Number, lastNumber(k), n)
		case !played(steps, p.Seq, n):
			a.add("game %s: phase %d does not belong to step %d", g.ID, n, p.Seq)
		}
		if position, err := history.next(lastNumber(k)); err != nil || store.Sum(position) != p.Hash {
			a.add("game %s: %w", g.ID, cmp.Or(err, fmt.Errorf("%w: the position after phase %d does not match its hash", store.ErrDamaged, p.Number)))
		}
		_, err := store.Entries(p.Journal)
		a.err(err)
	})
	positions := a.count(bSnapshots, under(g.ID))
	switch {
	case n != g.Phases, int(n) != len(named), positions != len(named):
		a.add("game %s counts %d phases, has %d, its steps name %d, and there are %d positions",
			g.ID, g.Phases, n, len(named), positions)
	}
}

// played tells whether a step of a game's log names a phase.
func played(steps []store.Step, seq, phase uint64) bool {
	if seq == 0 || seq > uint64(len(steps)) {
		return false
	}
	return slices.Contains(steps[seq-1].Phases, phase)
}

func (a *audit) sheets(g store.Game, steps []store.Step) {
	byName := map[string]uint64{}
	for _, s := range steps {
		for _, d := range s.Sheets {
			byName[d] = s.Seq
		}
	}
	n := 0
	all(a, bSheets, under(g.ID), func(k []byte, s store.Sheet) {
		n++
		name := s.Name()
		if _, ok := byName[name]; !ok {
			name = s.Digest // kept when parts had no names of their own
		}
		if s.Game != g.ID || byName[name] != s.Seq {
			a.add("game %s: sheet %s belongs to no step", g.ID, s.Digest)
		}
		key, err := getBytes(a.tx.Bucket(bDigests), append(under(g.ID), name...))
		if a.err(err) && !bytes.Equal(key, k) {
			a.add("game %s: sheet %s is not indexed", g.ID, s.Digest)
		}
	})
	if d := a.count(bDigests, under(g.ID)); n != len(byName) || n != d {
		a.add("game %s has %d sheets, its steps name %d, and %d are indexed", g.ID, n, len(byName), d)
	}
}

func (a *audit) handled() {
	read := map[string]bool{}
	all(a, bHandled, nil, func(k []byte, h store.Handled) {
		if hex.EncodeToString(k) != h.SHA256 {
			a.add("the handled mail %s is stored as %x", h.SHA256, k)
		}
		if h.Spooled {
			read[h.SHA256] = true
			if _, err := readFile(a.db.spool, h.SHA256); err != nil {
				a.add("the handled mail %s: %w", h.SHA256, err)
			}
		}
		if h.Game == "" {
			return
		}
		s, found, err := getJSON[store.Step](a.tx.Bucket(bSteps), numbered(h.Game, h.Seq))
		if a.err(err) && (!found || s.Handled != h.SHA256) {
			a.add("the handled mail %s is in no step of game %s", h.SHA256, h.Game)
		}
	})
	files, err := filepath.Glob(filepath.Join(a.db.spool, "*"+mailSuffix))
	a.err(err)
	for _, f := range files {
		sha := strings.TrimSuffix(filepath.Base(f), mailSuffix)
		if read[sha] {
			continue
		}
		if _, err := readFile(a.db.spool, sha); err != nil && !os.IsNotExist(err) {
			a.add("the spool: %w", err)
		}
	}
}

// marks checks the marks of messages: readable, and none pending below low water.
func (a *audit) marks() {
	all(a, bUIDs, nil, func(k []byte, m store.UIDMark) {
		if len(k) < 9 || !m.Known() {
			a.add("the mark %q of a message is wrong", k)
			return
		}
		mailbox, uid := k[:len(k)-4], k[len(k)-4:]
		low, err := getBytes(a.tx.Bucket(bLow), mailbox)
		if !a.err(err) || m.Final() {
			return
		}
		if bytes.Compare(uid, low) <= 0 { // never without a low-water mark
			a.add("the message %q is pending below the low-water mark", k)
		}
	})
}
