// Package audit is the log of moderators' acts: each entry holds the hash of the one
// before, so that none can be changed or taken out without a trace.
package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"fieldpost/store"
)

// Entry is one act of a moderator. Each holds the hash of the one before, so
// that none can be changed or taken out without a trace.
type Entry struct {
	Number int       `json:"n"`
	At     time.Time `json:"at"`
	By     string    `json:"by"`
	Verb   string    `json:"verb"`
	Game   string    `json:"game,omitempty"`
	Side   string    `json:"side,omitempty"`
	Value  string    `json:"value,omitempty"`
	Did    string    `json:"did"` // in words
	Seq    uint64    `json:"seq,omitempty"`
	Before string    `json:"before,omitempty"` // hash of the entry before
	Hash   string    `json:"hash"`             // of all the rest
}

func (e Entry) hash() string {
	e.Hash = ""
	text, _ := json.Marshal(e)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Log is the log of moderators' acts in a store.
type Log struct {
	DB  store.Store
	Now func() time.Time
}

// Records are the entries, by number; HeadRecord is number and hash of the last one.
var (
	Records = store.KindOf[Entry]("audit", store.Shape[int]{Form: "NUMBER",
		Words: func(n int) []string { return []string{fmt.Sprintf("%09d", n)} },
		Parse: func(words []string) (n int, ok bool) {
			n, err := strconv.Atoi(strings.Join(words, "/"))
			return n, err == nil
		},
		Game: func(int) string { return "" }})
	HeadRecord = store.OneOfHouse[Entry]("audit-head")
)

// ErrAltered says that the audit log was tampered with.
var ErrAltered = errors.New("the audit log is not as it was written")

// Add adds an entry to the log, in the Change that does what it tells.
func (l Log) Add(c *store.Change, e Entry) error {
	head, err := l.head()
	if err != nil {
		return err
	}
	e.Number, e.Before, e.At = head.Number+1, head.Hash, l.Now().UTC().Truncate(time.Millisecond)
	if c.Game != nil {
		e.Seq = c.Expect + 1
	}
	e.Hash = e.hash()
	Records.Put(c, e.Number, e)
	HeadRecord.Put(c, store.House{}, Entry{Number: e.Number, Hash: e.Hash})
	return nil
}

func (l Log) head() (head Entry, err error) {
	head, _, err = HeadRecord.Get(l.DB, store.House{})
	return head, err
}

// Read is the log, oldest first. Where it was altered or something is missing the
// error tells which entry, and the entries that could be read are returned all the same.
func (l Log) Read(game string) ([]Entry, error) {
	entries, err := Records.All(l.DB)
	var faults []error
	if err != nil && !errors.Is(err, store.ErrDamaged) {
		return nil, err
	} else if err != nil {
		faults = append(faults, fmt.Errorf("%w: %w", ErrAltered, err))
	}
	head, err := l.head()
	if err != nil {
		return nil, err
	}
	var all []Entry
	before, next := "", 1
	for _, number := range slices.Sorted(maps.Keys(entries)) {
		e := entries[number]
		switch {
		case e.Number != next, number != e.Number:
			faults = append(faults, fmt.Errorf("%w: entry %d is missing", ErrAltered, next))
		case e.Before != before:
			faults = append(faults, fmt.Errorf("%w: entry %d does not follow the one before it", ErrAltered, e.Number))
		case e.Hash != e.hash():
			faults = append(faults, fmt.Errorf("%w: entry %d was changed", ErrAltered, e.Number))
		}
		before, next = e.Hash, e.Number+1
		if game == "" || e.Game == game {
			all = append(all, e)
		}
	}
	if head.Number != next-1 || head.Hash != before {
		faults = append(faults, fmt.Errorf("%w: it ends at entry %d, and %d were written", ErrAltered, next-1, head.Number))
	}
	return all, errors.Join(faults...)
}
