package umpire

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"fieldpost/store"
)

// AuditEntry is one act of a moderator. Each holds the hash of the one before, so
// that none can be changed or taken out without a trace.
type AuditEntry struct {
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

func (e AuditEntry) hash() string {
	e.Hash = ""
	text, _ := json.Marshal(e)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

const auditHead = "audit-head"

func auditNote(n int) string { return fmt.Sprintf("audit/%09d", n) }

// ErrAudit says that the audit log was tampered with.
var ErrAudit = errors.New("the audit log is not as it was written")

// audit adds an entry to the log, in the Change that does what it tells.
func (u *Umpire) audit(c *store.Change, e AuditEntry) error {
	head, err := u.auditHead()
	if err != nil {
		return err
	}
	e.Number, e.Before, e.At = head.Number+1, head.Hash, u.Now().UTC().Truncate(time.Millisecond)
	if c.Game != nil {
		e.Seq = c.Expect + 1
	}
	e.Hash = e.hash()
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if c.Notes == nil {
		c.Notes = map[string][]byte{}
	}
	short, err := json.Marshal(AuditEntry{Number: e.Number, Hash: e.Hash})
	c.Notes[auditNote(e.Number)], c.Notes[auditHead] = text, short
	return err
}

func (u *Umpire) auditHead() (head AuditEntry, err error) {
	text, err := u.DB.Note(auditHead)
	if err != nil || text == nil {
		return head, err
	}
	return head, json.Unmarshal(text, &head)
}

// Audit is the log, oldest first. Where it was altered or something is missing the
// error tells which entry, and the entries that could be read are returned all the same.
func (u *Umpire) Audit(game string) ([]AuditEntry, error) {
	notes, err := u.DB.Notes("audit/")
	if err != nil {
		return nil, err
	}
	head, err := u.auditHead()
	if err != nil {
		return nil, err
	}
	var all []AuditEntry
	var faults []error
	before, next := "", 1
	for _, name := range slices.Sorted(maps.Keys(notes)) {
		var e AuditEntry
		if err := json.Unmarshal(notes[name], &e); err != nil {
			faults = append(faults, fmt.Errorf("%w: %s: %w", ErrAudit, name, err))
			continue
		}
		switch {
		case e.Number != next || name != auditNote(e.Number):
			faults = append(faults, fmt.Errorf("%w: entry %d is missing", ErrAudit, next))
		case e.Before != before:
			faults = append(faults, fmt.Errorf("%w: entry %d does not follow the one before it", ErrAudit, e.Number))
		case e.Hash != e.hash():
			faults = append(faults, fmt.Errorf("%w: entry %d was changed", ErrAudit, e.Number))
		}
		before, next = e.Hash, e.Number+1
		if game == "" || e.Game == game {
			all = append(all, e)
		}
	}
	if head.Number != next-1 || head.Hash != before {
		faults = append(faults, fmt.Errorf("%w: it ends at entry %d, and %d were written", ErrAudit, next-1, head.Number))
	}
	return all, errors.Join(faults...)
}

// auditLog is Audit with the fault in words.
func (u *Umpire) auditLog(game string) (l Log, err error) {
	if l.Entries, err = u.Audit(strings.ToUpper(game)); errors.Is(err, ErrAudit) {
		l.Fault, err = err.Error(), nil
	}
	return l, err
}
