package store

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Record names something in a store that a Change can be reckoned from.
type Record struct {
	Of   Family
	Name string
}

func (r Record) String() string { return fmt.Sprintf("%s %q", r.Of, r.Name) }

// Family is a kind of Records.
type Family string

// The families of Records, and what they are named by.
const (
	OfNote    Family = "note"    // its name
	OfNotes   Family = "notes"   // their prefix: all of them, and which there are
	OfGame    Family = "game"    // its identifier: the game, its phases, its sheets, what waits in it
	OfKey     Family = "key"     // a player's key: where it plays
	OfAddress Family = "address" // a player's address: where it plays
)

// Reads are what a Change was reckoned from: of each Record the version that was read.
type Reads map[Record]string

// Readings are what Reads are compared with.
type Readings interface {
	Game(id string) (Game, error)
	Seats(key string) ([]Seat, error)
	SeatsAt(address string) ([]Seat, error)
	Note(name string) ([]byte, error)
	Notes(prefix string) (map[string][]byte, error)
}

// Stale is ErrStale if a Record is not what it was when it was read. from tells what is there
// in the transaction of the Change.
func (r Reads) Stale(from Readings) error {
	for _, record := range slices.SortedFunc(maps.Keys(r), Record.before) {
		version, err := record.version(from)
		if err != nil {
			return err
		}
		if version != r[record] {
			return fmt.Errorf("%w: %s has changed", ErrStale, record)
		}
	}
	return nil
}

func (r Record) before(o Record) int {
	return cmp.Or(cmp.Compare(r.Of, o.Of), cmp.Compare(r.Name, o.Name))
}

// version is that of a Record as it is there.
func (r Record) version(from Readings) (string, error) {
	switch r.Of {
	case OfNote:
		value, err := from.Note(r.Name)
		return versionOfNote(value, err)
	case OfNotes:
		notes, err := from.Notes(r.Name)
		return versionOfNotes(notes, err)
	case OfGame:
		g, err := from.Game(r.Name)
		return versionOfGame(g, err)
	case OfKey:
		seats, err := from.Seats(r.Name)
		return versionOfSeats(seats, err)
	case OfAddress:
		seats, err := from.SeatsAt(r.Name)
		return versionOfSeats(seats, err)
	}
	return "", fmt.Errorf("%w record: %s", ErrInvalid, r)
}

// damagedVersion is that of what cannot be read: it is the same as long as nobody mends it.
const damagedVersion = "damaged"

// known makes one version of what is there, what is not there, and what is damaged. Any other
// error it hands back.
func known(version string, err error) (string, error) {
	switch {
	case err == nil:
		return version, nil
	case errors.Is(err, ErrNotFound):
		return "", nil
	case errors.Is(err, ErrDamaged), errors.Is(err, ErrNewer):
		return damagedVersion + version, nil
	}
	return "", err
}

func versionOfNote(value []byte, err error) (string, error) {
	if err != nil || value == nil {
		return known("", err)
	}
	return known(digest(value), nil)
}

func versionOfNotes(notes map[string][]byte, err error) (string, error) {
	var all [][]byte
	for _, name := range slices.Sorted(maps.Keys(notes)) {
		all = append(all, []byte(name), notes[name])
	}
	return known(digest(all...), err)
}

func versionOfGame(g Game, err error) (string, error) {
	return known(strconv.FormatUint(g.Seq, 10), err)
}

func versionOfSeats(seats []Seat, err error) (string, error) {
	var all [][]byte
	for _, s := range seats {
		all = append(all, []byte(s.Game), []byte(s.Side))
	}
	return known(digest(all...), err)
}

// digest is a hash over texts, each with its length.
func digest(texts ...[]byte) string {
	h := sha256.New()
	for _, t := range texts {
		h.Write(binary.AppendUvarint(nil, uint64(len(t))))
		h.Write(t)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// Reckoning is a Store as a Change is reckoned from it: it remembers what was read, and what
// is committed is committed only if all of that is still so. Make a new one for every attempt.
// What is listed of all games at once is not remembered.
type Reckoning struct {
	Store
	within *Reckoning // nil for none
	mu     sync.Mutex
	reads  Reads
	// notes are those that were read: what has changed since is no ground for a Change any more.
	notes map[string][]byte
}

// Reckon begins a Reckoning over a Store, or over that of another Reckoning.
func Reckon(over Store) *Reckoning {
	within, is := over.(*Reckoning)
	if is {
		over = within.Store
	}
	return &Reckoning{Store: over, within: within, reads: Reads{}, notes: map[string][]byte{}}
}

// Reads are what was read up to now.
func (r *Reckoning) Reads() Reads {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.reads)
}

// remember keeps the version of what was read for the first time.
func (r *Reckoning) remember(of Family, name string, version string, err error) {
	if err != nil {
		return // nothing was read, and nothing can be reckoned from it
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, before := r.reads[Record{of, name}]; !before {
		r.reads[Record{of, name}] = version
	}
}

// Note is as of a Reader.
func (r *Reckoning) Note(name string) ([]byte, error) {
	r.mu.Lock()
	value, isRead := r.notes[name]
	r.mu.Unlock()
	if isRead {
		return bytes.Clone(value), nil
	}
	value, err := r.Store.Note(name)
	version, unread := versionOfNote(value, err)
	r.remember(OfNote, name, version, unread)
	if err == nil {
		r.mu.Lock()
		r.notes[name] = bytes.Clone(value)
		r.mu.Unlock()
	}
	return value, err
}

// Notes is as of a Reader.
func (r *Reckoning) Notes(prefix string) (map[string][]byte, error) {
	notes, err := r.Store.Notes(prefix)
	version, unread := versionOfNotes(notes, err)
	r.remember(OfNotes, prefix, version, unread)
	return notes, err
}

// Game is as of a Reader.
func (r *Reckoning) Game(id string) (Game, error) {
	g, err := r.Store.Game(id)
	version, unread := versionOfGame(g, err)
	r.remember(OfGame, id, version, unread)
	return g, err
}

// Load is as of a Reader.
func (r *Reckoning) Load(id string) (Position, error) {
	p, err := r.Store.Load(id)
	if err == nil || errors.Is(err, ErrNotFound) {
		version, unread := versionOfGame(p.Game, err)
		r.remember(OfGame, id, version, unread)
	}
	return p, err
}

// Seats is as of a Reader.
func (r *Reckoning) Seats(key string) ([]Seat, error) {
	seats, err := r.Store.Seats(key)
	version, unread := versionOfSeats(seats, err)
	r.remember(OfKey, KeyID(key), version, unread)
	return seats, err
}

// SeatsAt is as of a Reader.
func (r *Reckoning) SeatsAt(address string) ([]Seat, error) {
	seats, err := r.Store.SeatsAt(address)
	version, unread := versionOfSeats(seats, err)
	r.remember(OfAddress, address, version, unread)
	return seats, err
}

// Commit is as of a Store, for a Change that was reckoned from what was read.
func (r *Reckoning) Commit(c Change) error {
	c.Reads = r.Reads()
	if err := Settle(r.Store, c); err != nil {
		return err
	}
	r.overtake(c)
	return nil
}

// overtake forgets what a Change of one's own has changed since it was read.
func (r *Reckoning) overtake(c Change) {
	r.mu.Lock()
	maps.DeleteFunc(r.reads, func(record Record, _ string) bool { return c.changes(record) })
	r.mu.Unlock()
	for ; r != nil; r = r.within {
		r.mu.Lock()
		for name := range c.Notes {
			delete(r.notes, name)
		}
		r.mu.Unlock()
	}
}

// changes tells whether a Change may change a Record.
func (c *Change) changes(r Record) bool {
	switch r.Of {
	case OfNote:
		_, does := c.Notes[r.Name]
		return does
	case OfNotes:
		for name := range c.Notes {
			if strings.HasPrefix(name, r.Name) {
				return true
			}
		}
		return false
	case OfGame:
		return c.Game != nil && c.Game.ID == r.Name
	}
	return c.Game != nil
}

// attempts is how often a Change is reckoned before it is given up for now.
const attempts = 5

// Anew has a Change reckoned and committed, and again a few times while it comes too late:
// while the error is ErrStale. Nothing of an attempt may be left for the next one.
func Anew(over Store, attempt func(db Store) error) (err error) {
	for range attempts {
		if err = attempt(Reckon(over)); !errors.Is(err, ErrStale) {
			return err
		}
	}
	return err
}
