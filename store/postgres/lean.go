package postgres

import (
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"fieldpost/store"
	"fieldpost/store/lean"
	"fieldpost/store/packing"
)

// DrawWith gives the store its Drawer.
func (db *DB) DrawWith(d store.Drawer) { db.drawer = d }

// sent reads a mail as it is kept: whole, or lean.
func (db *DB) sent(sha string) (raw []byte, m lean.Mail, err error) {
	if _, err := store.SHAKey(sha); err != nil {
		return nil, m, err
	}
	var packed, base []byte
	err = db.ask(func(t tx) error {
		err := t.QueryRow(t.ctx, `select s.raw, s.lean, b.lean from sent_bytes s left join sent_bytes b on b.sha256 = s.builds_on
			where s.sha256 = $1`, sha).Scan(&raw, &packed, &base)
		if errors.Is(err, pgx.ErrNoRows) {
			return fmt.Errorf("%s: %w", sha, store.ErrNotFound)
		}
		return err
	})
	if err != nil || raw != nil {
		return raw, m, err
	}
	content, err := unpacked(packed, base)
	if err == nil {
		m, err = lean.Read(content)
	}
	if err != nil {
		err = fmt.Errorf("mail %s: %w", sha, err)
	}
	return nil, m, err
}

// unpacked is a content that is packed, of a mail or a position; base is that on which it builds, as it is
// kept, nil for none.
func unpacked(packed, base []byte) ([]byte, error) {
	if base == nil {
		return packing.Unpack(packed)
	}
	from, err := packing.Unpack(base)
	if err != nil {
		return nil, err
	}
	return packing.UnpackOn(from, packed)
}

// MailBytes are the rendered bytes of an outgoing mail. What is left out of it is drawn again.
func (db *DB) MailBytes(sha string) ([]byte, error) {
	const doing = "reading a mail"
	raw, m, err := db.sent(sha)
	if err != nil {
		return nil, failed(doing, err)
	}
	mismatch := store.ErrDamaged
	if raw == nil {
		mismatch = store.ErrUndrawn
		if raw, err = m.Whole(db.drawer); err != nil {
			return nil, failed(doing, fmt.Errorf("mail %s: %w", sha, err))
		}
	}
	if store.Sum(raw) != sha {
		return nil, failed(doing, fmt.Errorf("mail %s: %w", sha, mismatch))
	}
	return raw, nil
}

// KeptMail is what is kept of a mail, without drawing anything.
func (db *DB) KeptMail(sha string) (raw []byte, pictures int, err error) {
	raw, m, err := db.sent(sha)
	if raw == nil {
		raw = m.Rest
	}
	return raw, len(m.Gaps), failed("reading a mail", err)
}

// Thin keeps a mail whose fate is known packed and without what can be drawn again. It is drawn
// here first, while no transaction is open.
func (db *DB) Thin(id string) (t store.Thinned, err error) {
	const doing = "making a mail thin"
	m, recipe, err := db.recipeOf(id)
	if err != nil {
		return t, failed(doing, err)
	}
	if !m.Ended() {
		return t, failed(doing, fmt.Errorf("mail %s is %s: %w", id, m.State, store.ErrState))
	}
	raw, kept, err := db.sent(m.SHA256)
	if err != nil {
		return t, failed(doing, err)
	}
	if raw == nil { // another mail has the same bytes
		return store.Thinned{Mails: 1, Pictures: len(kept.Gaps)}, failed(doing, db.looked(id))
	}
	slim, drawn, undrawn := lean.Of(raw, recipe, db.drawer)
	content, err := slim.Content()
	if err != nil {
		return t, failed(doing, err)
	}
	packed := packing.Alone(packing.Better, content)
	err = db.write(func(t tx) error {
		if err := t.run(`update sent_bytes set raw = null, lean = $2 where sha256 = $1`, m.SHA256, packed); err != nil {
			return err
		}
		return t.run(`update outgoing set unlooked = false where id = $1`, id)
	})
	if err != nil {
		return t, failed(doing, err)
	}
	t = store.Thinned{Mails: 1, Pictures: len(slim.Gaps), Differ: drawn - len(slim.Gaps), Bytes: int64(len(raw) - len(packed))}
	return t, failed(doing, undrawn) // with all its pictures, but packed
}

// looked notes that there is nothing more to leave out of a mail.
func (db *DB) looked(id string) error {
	return db.write(func(t tx) error { return t.run(`update outgoing set unlooked = false where id = $1`, id) })
}

// recipeOf is a mail with its recipe.
func (db *DB) recipeOf(id string) (m store.Mail, recipe []byte, err error) {
	err = db.read(func(t tx) (err error) {
		if m, err = t.mail(id); err != nil {
			return err
		}
		return t.QueryRow(t.ctx, `select recipe from outgoing where id = $1`, id).Scan(&recipe)
	})
	return m, recipe, err
}

// letGo has the mails that build on those that go stand for themselves.
func (w *writing) letGo(going []string) error {
	rows, err := w.Query(w.ctx, `select s.sha256, s.lean, b.lean from sent_bytes s join sent_bytes b on b.sha256 = s.builds_on
		where s.builds_on = any($1) and s.sha256 <> all($1)`, going)
	if err != nil {
		return err
	}
	var sha string
	var packed, base []byte
	_, err = pgx.ForEachRow(rows, []any{&sha, &packed, &base}, func() error {
		content, err := unpacked(packed, base)
		if err != nil {
			return fmt.Errorf("mail %s: %w", sha, err)
		}
		w.add(`update sent_bytes set lean = $2, builds_on = null where sha256 = $1`, sha, packing.Alone(packing.Better, content))
		return nil
	})
	return err
}
