package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	bolt "go.etcd.io/bbolt"
)

// Commit keeps a Change, whole or not at all. The files of its mails are on the
// disk before the transaction begins, and everything is when Commit returns nil.
//
// Errors are ErrStale, ErrHandled, ErrExists, ErrRewritten, ErrInvalid,
// ErrNotFound (a mail without its file, or for an unknown game), ErrFull and
// ErrReadOnly. After any of them nothing has changed but that a mail file may be
// left over.
//
// The Change itself is not altered; the caller knows that the game's Seq is now
// Expect+1.
func (db *DB) Commit(c Change) error {
	const doing = "committing a change"
	// Mail to nobody, as for a side that the program plays itself, is not kept.
	c.Mails = slices.DeleteFunc(slices.Clone(c.Mails), func(m Mail) bool { return m.ID == "" && m.To == "" })
	if err := c.valid(); err != nil {
		return db.fail(doing, err)
	}
	// A first look spares the files of a Change that comes too late.
	known := map[string]bool{}
	err := db.view(doing, func(tx *bolt.Tx) error {
		if db.readOnly {
			return ErrReadOnly
		}
		for _, m := range c.Mails {
			known[m.ID] = tx.Bucket(bOutbox).Get([]byte(m.ID)) != nil
		}
		return c.admit(tx)
	})
	if err != nil {
		return err
	}
	if c.Mails, err = db.keepAll(c.Mails, known); err != nil {
		return db.fail(doing, err)
	}
	if c.Handled != nil {
		h := *c.Handled
		if c.Unkept {
			if err := os.Remove(filepath.Join(db.spool, h.SHA256+mailSuffix)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return db.fail(doing, err)
			}
		}
		h.Spooled = haveFile(db.spool, h.SHA256)
		c.Handled = &h
	}
	var number uint64
	err = db.update(doing, func(tx *bolt.Tx) (err error) {
		if number, err = db.commits.begin(c.Notes, c.Since); err != nil {
			return err
		}
		return c.apply(tx)
	})
	db.commits.end(number)
	return err
}

// keepAll returns the mails with their files kept and their hashes set.
func (db *DB) keepAll(mails []Mail, known map[string]bool) ([]Mail, error) {
	mails = slices.Clone(mails)
	for i := range mails {
		m := &mails[i]
		if known[m.ID] {
			continue
		}
		if m.Raw != nil {
			sha := Sum(m.Raw)
			if m.SHA256 != "" && m.SHA256 != sha {
				return nil, fmt.Errorf("%w: mail %s has SHA-256 %s, not %s", ErrInvalid, m.ID, sha, m.SHA256)
			}
			m.SHA256 = sha
			if _, err := readThin(db.mails, sha); err == nil {
				continue // of another mail
			}
			if err := db.writeFile(db.mails, sha, m.Raw); err != nil {
				return nil, err
			}
		}
		if !db.haveMail(m.SHA256) {
			return nil, fmt.Errorf("mail %s: the file %q: %w", m.ID, m.SHA256, ErrNotFound)
		}
	}
	return mails, nil
}

// valid checks what can be checked without looking into the database.
func (c *Change) valid() error {
	if h := c.Handled; h != nil {
		if _, err := shaKey(h.SHA256); err != nil {
			return err
		}
		if h.Mailbox != "" {
			if err := named("mailbox", h.Mailbox); err != nil {
				return err
			}
		}
	}
	needsGame := c.Open != nil || len(c.Phases)+len(c.Sheets) > 0
	if needsGame && c.Game == nil {
		return fmt.Errorf("%w change: phases and sheets need a game", ErrInvalid)
	}
	if c.Game != nil {
		if err := c.validGame(); err != nil {
			return err
		}
	}
	for _, m := range c.Mails {
		if err := m.valid(); err != nil {
			return err
		}
	}
	for name := range c.Notes {
		if err := named("note", name); err != nil {
			return err
		}
	}
	return nil
}

func (c *Change) validGame() error {
	g := c.Game
	if err := named("game", g.ID); err != nil {
		return err
	}
	if err := named("side", g.Sides...); err != nil {
		return err
	}
	switch g.Status {
	case StatusOpen, StatusRunning, StatusFinished, StatusFrozen, StatusPaused:
	default:
		return fmt.Errorf("%w status %q of game %s", ErrInvalid, g.Status, g.ID)
	}
	for _, p := range g.Players {
		if !slices.Contains(g.Sides, p.Side) {
			return fmt.Errorf("%w player of game %s: there is no side %q", ErrInvalid, g.ID, p.Side)
		}
	}
	for _, p := range c.Phases {
		if len(p.Snapshot) == 0 || p.Phase == "" {
			return fmt.Errorf("%w phase %q of game %s: without a name or a position", ErrInvalid, p.Phase, g.ID)
		}
		if sha := Sum(p.Snapshot); p.Hash != "" && p.Hash != sha {
			return fmt.Errorf("%w phase %q of game %s: the position has hash %s, not %s", ErrInvalid, p.Phase, g.ID, sha, p.Hash)
		}
	}
	if err := c.validJournals(); err != nil {
		return fmt.Errorf("game %s: %w", g.ID, err)
	}
	if len(c.Sheets) > 1<<16 {
		return fmt.Errorf("%w change: %d sheets", ErrInvalid, len(c.Sheets))
	}
	for _, s := range c.Sheets {
		if err := named("side or digest of a sheet", s.Side, s.Digest); err != nil {
			return err
		}
		switch {
		case !slices.Contains(g.Sides, s.Side), s.Turn < 0, int64(s.Turn) > 1<<31, s.Serial < 0, s.Serial > MaxSerial:
			return fmt.Errorf("%w sheet of game %s: side %q, turn %d, serial %d", ErrInvalid, g.ID, s.Side, s.Turn, s.Serial)
		}
	}
	return nil
}

func (c *Change) validJournals() error {
	for _, p := range c.Phases {
		if _, err := entries(p.Journal); err != nil {
			return err
		}
	}
	if c.Open == nil {
		return nil
	}
	_, err := entries(c.Open.Journal)
	return err
}

// admit checks that the Change fits to what is there.
func (c *Change) admit(tx *bolt.Tx) error {
	if h := c.Handled; h != nil {
		sha, _ := shaKey(h.SHA256)
		if tx.Bucket(bHandled).Get(sha) != nil {
			return fmt.Errorf("mail %s: %w", h.SHA256, ErrHandled)
		}
	}
	if c.Game == nil {
		return nil
	}
	old, found, err := getJSON[Game](tx.Bucket(bGames), []byte(c.Game.ID))
	if err != nil {
		return err
	}
	if old.Seq != c.Expect {
		return fmt.Errorf("game %s: %w: it is at %d, expected at %d", c.Game.ID, ErrStale, old.Seq, c.Expect)
	}
	if found {
		err = c.extendsJournal(tx)
	}
	if err != nil {
		return err
	}
	for _, s := range c.Sheets {
		if tx.Bucket(bDigests).Get(append(under(c.Game.ID), s.Name()...)) != nil {
			return fmt.Errorf("game %s: sheet %s: %w", c.Game.ID, s.Name(), ErrExists)
		}
	}
	return nil
}

// opens is the name of the phase that the change leaves open, "" for none.
func (c *Change) opens() string {
	if c.Open == nil {
		return ""
	}
	return c.Open.Phase
}

// extendsJournal checks that what was rolled in the open phase stays as it is: a
// lost entry would be a second throw. Only a Change without phases that removes
// the open phase by name may drop it.
func (c *Change) extendsJournal(tx *bolt.Tx) error {
	open, found, err := getJSON[OpenPhase](tx.Bucket(bOpen), []byte(c.Game.ID))
	if err != nil || !found {
		return err
	}
	var phase string
	var journal json.RawMessage
	next := c.Phases
	if len(next) > 0 && strings.HasPrefix(next[0].Phase, Migration) {
		if next = next[1:]; len(next) == 0 && c.opens() == "" {
			return fmt.Errorf("game %s: %w: phase %q would be lost in a migration", c.Game.ID, ErrRewritten, open.Phase)
		}
	}
	switch {
	case len(next) > 0:
		phase, journal = next[0].Phase, next[0].Journal
	case c.opens() == "":
		return nil
	default:
		phase, journal = c.Open.Phase, c.Open.Journal
	}
	if phase != open.Phase {
		return fmt.Errorf("game %s: %w: phase %q is open, not %q", c.Game.ID, ErrRewritten, open.Phase, phase)
	}
	was, err := entries(open.Journal)
	if err != nil {
		return err
	}
	is, err := entries(journal)
	if err != nil {
		return err
	}
	if len(is) < len(was) || !slices.EqualFunc(was, is[:len(was)], bytes.Equal) {
		return fmt.Errorf("game %s: %w: the first %d entries of phase %q differ", c.Game.ID, ErrRewritten, len(was), phase)
	}
	return nil
}

// entries are the elements of a JSON array, without white space.
func entries(journal json.RawMessage) (list [][]byte, err error) {
	if len(journal) == 0 {
		return nil, nil
	}
	var raw []json.RawMessage
	if err := json.Unmarshal(journal, &raw); err != nil {
		return nil, fmt.Errorf("%w journal: %w", ErrInvalid, err)
	}
	for _, r := range raw {
		var b bytes.Buffer
		if err := json.Compact(&b, r); err != nil {
			return nil, fmt.Errorf("%w journal: %w", ErrInvalid, err)
		}
		list = append(list, b.Bytes())
	}
	return list, nil
}
