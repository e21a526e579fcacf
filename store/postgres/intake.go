package postgres

import (
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"fieldpost/store"
)

const keepReceived = `insert into received_bytes values ($1, $2) on conflict do nothing`

// Spool keeps the raw bytes of an incoming mail.
func (db *DB) Spool(raw []byte) (string, error) {
	sha := store.Sum(raw)
	if err := db.ask(func(t tx) error { return t.run(keepReceived, sha, raw) }); err != nil { // twice is as good as once
		return "", failed("keeping an incoming mail", err)
	}
	return sha, nil
}

// Spooled reads an incoming mail back.
func (db *DB) Spooled(sha string) ([]byte, error) {
	return db.bytesOf("reading an incoming mail", `select raw from received_bytes where sha256 = $1`, sha)
}

// SpoolKept lists the incoming mails whose bytes are kept.
func (db *DB) SpoolKept() (kept []store.Handled, err error) {
	err = db.ask(func(t tx) error {
		kept, err = all[store.Handled](t, `select h.document from handled h join received_bytes b using (sha256) order by sha256`)
		return err
	})
	return kept, failed("listing the incoming mails", err)
}

// Handled is the mark of an incoming mail.
func (db *DB) Handled(sha string) (h store.Handled, ok bool, err error) {
	const doing = "looking for a handled mail"
	if _, err := store.SHAKey(sha); err != nil {
		return h, false, failed(doing, err)
	}
	err = db.ask(func(t tx) (err error) {
		h, ok, err = one[store.Handled](t, `select document from handled where sha256 = $1`, sha)
		return err
	})
	return h, ok, failed(doing, err)
}

// message names a message in a mailbox.
type message struct {
	mailbox       string
	validity, uid uint32
}

// mark gathers the mark of a message. One that is final stays as it is.
func (w *writing) mark(at message, m store.UIDMark) error {
	old, there, err := w.marked(at)
	if err != nil || there && old.Stays() {
		return err
	}
	m.Tries = max(m.Tries, old.Tries)
	return w.markRow(at, m)
}

func (w *writing) markRow(at message, m store.UIDMark) error {
	return w.put(m, `insert into messages values ($1, $2, $3, $4, $5) on conflict (mailbox, validity, uid) do update
		set final = excluded.final, document = excluded.document`, at.mailbox, int64(at.validity), int64(at.uid), m.Final())
}

func (t tx) marked(at message) (store.UIDMark, bool, error) {
	return one[store.UIDMark](t, `select document from messages where mailbox = $1 and validity = $2 and uid = $3`,
		at.mailbox, int64(at.validity), int64(at.uid))
}

// MarkUID records what became of a message.
func (db *DB) MarkUID(mailbox string, validity, uid uint32, m store.UIDMark) error {
	const doing = "marking a message"
	if err := store.Named("mailbox", mailbox); err != nil {
		return failed(doing, err)
	}
	if uid == 0 || !m.Known() {
		return failed(doing, fmt.Errorf("%w mark %q of UID %d", store.ErrInvalid, m.State, uid))
	}
	return failed(doing, db.write(func(t tx) error {
		w := &writing{tx: t}
		if err := w.mark(message{mailbox, validity, uid}, m); err != nil {
			return err
		}
		return w.send()
	}))
}

// UID is the mark of a message.
func (db *DB) UID(mailbox string, validity, uid uint32) (m store.UIDMark, ok bool, err error) {
	err = db.ask(func(t tx) (err error) { m, ok, err = t.marked(message{mailbox, validity, uid}); return err })
	return m, ok, failed("reading the mark of a message", err)
}

// low is the low-water mark of a mailbox; 0 if it was never seen.
func (t tx) low(mailbox string, validity uint32) (low int64, err error) {
	err = t.QueryRow(t.ctx, `select low from mailboxes where mailbox = $1 and validity = $2`, mailbox, int64(validity)).Scan(&low)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	return low, err
}

// Low is the low-water mark of a mailbox.
func (db *DB) Low(mailbox string, validity uint32) (uint32, error) {
	var low int64
	err := db.ask(func(t tx) (err error) { low, err = t.low(mailbox, validity); return err })
	return uint32(low), failed("reading a low-water mark", err)
}

func (w *writing) lowRow(mailbox string, validity, low uint32) {
	w.add(`insert into mailboxes values ($1, $2, $3) on conflict (mailbox, validity) do update set low = excluded.low`,
		mailbox, int64(validity), int64(low))
}

func numbers(uids []uint32) map[int64]bool {
	is := map[int64]bool{}
	for _, uid := range uids {
		is[int64(uid)] = true
	}
	return is
}

// ForgetUIDs removes the marks of messages that are gone.
func (db *DB) ForgetUIDs(mailbox string, validity uint32, listed []uint32) (forgotten int, err error) {
	stay := make([]int64, 0, len(listed))
	for _, uid := range listed {
		stay = append(stay, int64(uid))
	}
	err = db.write(func(t tx) error {
		low, err := t.low(mailbox, validity)
		if err != nil {
			return err
		}
		done, err := t.Exec(t.ctx, `delete from messages where mailbox = $1 and validity = $2 and uid <= $3 and uid <> all($4)`,
			mailbox, int64(validity), low, stay)
		forgotten = int(done.RowsAffected())
		return err
	})
	return forgotten, failed("forgetting the marks of messages", err)
}
