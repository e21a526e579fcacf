package store

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
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
		h.Spooled = haveFile(db.spool, h.SHA256)
		c.Handled = &h
	}
	return db.update(doing, c.apply)
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
			sha := shaHex(m.Raw)
			if m.SHA256 != "" && m.SHA256 != sha {
				return nil, fmt.Errorf("%w: mail %s has SHA-256 %s, not %s", ErrInvalid, m.ID, sha, m.SHA256)
			}
			if err := db.writeFile(db.mails, sha, m.Raw); err != nil {
				return nil, err
			}
			m.SHA256 = sha
		}
		if !haveFile(db.mails, m.SHA256) {
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
	if c.Game == nil && (len(c.Phases) > 0 || c.Open != nil || len(c.Sheets) > 0) {
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
	case StatusOpen, StatusRunning, StatusFinished, StatusFrozen:
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
		if sha := shaHex(p.Snapshot); p.Hash != "" && p.Hash != sha {
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
		if !slices.Contains(g.Sides, s.Side) || s.Turn < 0 || int64(s.Turn) > 1<<31 || s.Serial < 0 {
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
		if tx.Bucket(bDigests).Get(append(under(c.Game.ID), s.Digest...)) != nil {
			return fmt.Errorf("game %s: sheet %s: %w", c.Game.ID, s.Digest, ErrExists)
		}
	}
	return nil
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
		if next = next[1:]; len(next) == 0 && (c.Open == nil || c.Open.Phase == "") {
			return fmt.Errorf("game %s: %w: phase %q would be lost in a migration", c.Game.ID, ErrRewritten, open.Phase)
		}
	}
	switch {
	case len(next) > 0:
		phase, journal = next[0].Phase, next[0].Journal
	case c.Open == nil || c.Open.Phase == "":
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

// apply writes the Change.
func (c *Change) apply(tx *bolt.Tx) error {
	if err := c.admit(tx); err != nil {
		return err
	}
	var step Step
	var err error
	if c.Game != nil {
		if step, err = c.applyGame(tx); err != nil {
			return err
		}
	}
	for _, m := range c.Mails {
		if c.Game != nil && m.Game == c.Game.ID {
			m.Seq = step.Seq
		}
		if err := enqueue(tx, m); err != nil {
			return err
		}
		step.Mails = append(step.Mails, m.ID)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Notes)) {
		step.Notes = append(step.Notes, name)
		if err = putNote(tx, name, c.Notes[name]); err != nil {
			return err
		}
	}
	if c.Handled != nil {
		h := *c.Handled
		h.Game, h.Seq, step.Handled = "", step.Seq, h.SHA256
		if c.Game != nil {
			h.Game = c.Game.ID
		}
		if err := putHandled(tx, h); err != nil {
			return err
		}
	}
	if c.Game == nil {
		return nil
	}
	return putJSON(tx.Bucket(bSteps), numbered(c.Game.ID, step.Seq), step)
}

// putNote writes a note or, with nil, removes it. The bucket's sequence counts the
// notes: nothing else would miss one that is lost.
func putNote(tx *bolt.Tx, name string, value []byte) error {
	b, key := tx.Bucket(bNotes), []byte(name)
	was := b.Get(key) != nil
	n := b.Sequence()
	var err error
	switch {
	case value == nil:
		if was {
			n--
		}
		err = b.Delete(key)
	default:
		if !was {
			n++
		}
		err = putBytes(b, key, value)
	}
	if err != nil {
		return err
	}
	return b.SetSequence(n)
}

// applyGame writes the game, its phases and its sheets, and starts the Step.
func (c *Change) applyGame(tx *bolt.Tx) (step Step, err error) {
	old, _, err := getJSON[Game](tx.Bucket(bGames), []byte(c.Game.ID))
	if err != nil {
		return step, err
	}
	g := *c.Game
	g.Seq = old.Seq + 1
	g.Phases = old.Phases
	step.Seq = g.Seq
	for _, b := range [][]byte{bPhases, bSnapshots, bSteps} {
		tx.Bucket(b).FillPercent = 0.9 // they only grow at their ends
	}
	for _, p := range c.Phases {
		g.Phases++
		p.Number, p.Seq, p.Hash = g.Phases, g.Seq, shaHex(p.Snapshot)
		step.Phases = append(step.Phases, p.Number)
		if err := putJSON(tx.Bucket(bPhases), numbered(g.ID, p.Number), p); err != nil {
			return step, err
		}
		if err := putSnapshot(tx, g.ID, p.Number, p.Snapshot); err != nil {
			return step, err
		}
	}
	if err := c.applyOpen(tx); err != nil {
		return step, err
	}
	for i, s := range c.Sheets {
		s.Game, s.Seq = g.ID, g.Seq
		step.Sheets = append(step.Sheets, s.Digest)
		digest := append(under(g.ID), s.Digest...)
		if tx.Bucket(bDigests).Get(digest) != nil { // twice in this Change
			return step, fmt.Errorf("game %s: sheet %s: %w", g.ID, s.Digest, ErrExists)
		}
		key := sheetKey(s, i)
		if err := putJSON(tx.Bucket(bSheets), key, s); err != nil {
			return step, err
		}
		if err := putBytes(tx.Bucket(bDigests), digest, key); err != nil {
			return step, err
		}
	}
	if err := putSeats(tx, old, g); err != nil {
		return step, err
	}
	return step, putJSON(tx.Bucket(bGames), []byte(g.ID), g)
}

func sheetKey(s Sheet, n int) []byte {
	k := append(under(s.Game), under(s.Side)...)
	k = binary.BigEndian.AppendUint32(k, uint32(s.Turn))
	k = binary.BigEndian.AppendUint64(k, s.Seq)
	return binary.BigEndian.AppendUint16(k, uint16(n))
}

func (c *Change) applyOpen(tx *bolt.Tx) error {
	b, key := tx.Bucket(bOpen), []byte(c.Game.ID)
	switch {
	case c.Open != nil && c.Open.Phase != "":
		return putJSON(b, key, c.Open)
	case c.Open != nil || len(c.Phases) > 0:
		return b.Delete(key)
	}
	return nil
}

// putSeats makes the indexes of keys and addresses follow the players of a game.
func putSeats(tx *bolt.Tx, old, g Game) error {
	for _, p := range old.Players {
		for _, k := range seatKeys(p, g.ID) {
			if err := tx.Bucket(k.bucket).Delete(k.key); err != nil {
				return err
			}
		}
	}
	for _, p := range g.Players {
		for _, k := range seatKeys(p, g.ID) {
			if err := putBytes(tx.Bucket(k.bucket), k.key, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// indexed is a key in the bucket of an index.
type indexed struct{ bucket, key []byte }

// seatKeys are a player's keys in the indexes.
func seatKeys(p Player, game string) (keys []indexed) {
	if KeyID(p.Key) != "" {
		keys = append(keys, indexed{bSeats, seatKey(p.Key, game, p.Side)})
	}
	for _, address := range []string{p.Address, p.Second} {
		if address != "" {
			keys = append(keys, indexed{bAddresses, addressKey(address, game, p.Side)})
		}
	}
	return keys
}

// indexAddresses fills the index of addresses from the games.
func indexAddresses(tx *bolt.Tx) error {
	return each(tx.Bucket(bGames), nil, func(k, raw []byte) error {
		g, err := decode[Game](k, raw)
		if err != nil {
			return err
		}
		for _, p := range g.Players {
			if p.Address != "" {
				if err := putBytes(tx.Bucket(bAddresses), addressKey(p.Address, g.ID, p.Side), nil); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
