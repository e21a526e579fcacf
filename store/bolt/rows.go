package bolt

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"go.etcd.io/bbolt"

	"fieldpost/store"
)

var _ store.Movable = (*DB)(nil)

// Rows calls f for everything that is in the store; see store.Movable.
func (db *DB) Rows(f func(store.Row) error) error {
	return db.view("reading everything", func(tx *bbolt.Tx) error {
		games, err := list[store.Game](tx.Bucket(bGames), nil)
		if err != nil {
			return err
		}
		for _, g := range games {
			if err := rowsOf(tx, g, f); err != nil {
				return err
			}
		}
		if err := db.mailRows(tx, f); err != nil {
			return err
		}
		return db.intakeRows(tx, f)
	})
}

// rowsOf are a game and what belongs to it, mails excepted.
func rowsOf(tx *bbolt.Tx, g store.Game, f func(store.Row) error) error {
	if err := f(store.Row{Game: &g}); err != nil {
		return err
	}
	for n := uint64(1); n <= g.Phases; n++ {
		p, err := phase(tx, g.ID, n)
		if err != nil {
			return err
		}
		if err := f(store.Row{Of: g.ID, Phase: &p}); err != nil {
			return err
		}
	}
	if open, waits, err := getJSON[store.OpenPhase](tx.Bucket(bOpen), []byte(g.ID)); err != nil {
		return err
	} else if waits {
		if err := f(store.Row{Of: g.ID, Open: &open}); err != nil {
			return err
		}
	}
	steps, err := list[store.Step](tx.Bucket(bSteps), under(g.ID))
	if err != nil {
		return err
	}
	for _, s := range steps {
		if err := f(store.Row{Of: g.ID, Step: &s}); err != nil {
			return err
		}
	}
	return each(tx.Bucket(bSheets), under(g.ID), func(k, v []byte) error {
		s, err := decode[store.Sheet](k, v)
		if err != nil {
			return err
		}
		return f(store.Row{Sheet: &s, Place: int(binary.BigEndian.Uint16(k[len(k)-2:]))})
	})
}

// mailRows are the outgoing mails, whole.
func (db *DB) mailRows(tx *bbolt.Tx, f func(store.Row) error) error {
	return each(tx.Bucket(bOutbox), nil, func(k, v []byte) error {
		m, err := decode[store.Mail](k, v)
		if err != nil {
			return err
		}
		if m.Pruned {
			return f(store.Row{Mail: &m})
		}
		if m.Raw, err = db.mailBytes(m.SHA256); err != nil {
			return fmt.Errorf("mail %s: %w", m.ID, err)
		}
		if m.Recipe, err = db.recipe(tx, m); err != nil {
			return err
		}
		return f(store.Row{Mail: &m})
	})
}

// recipe is what the pictures of a mail are drawn from; nil for none.
func (db *DB) recipe(tx *bbolt.Tx, m store.Mail) (json.RawMessage, error) {
	w, isWhole, err := getJSON[wholeMail](tx.Bucket(bRecipes), []byte(m.ID))
	if err != nil || isWhole {
		return w.Recipe, err
	}
	t, err := readThin(db.mails, m.SHA256)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	return t.Recipe, err
}

// intakeRows are the marks of incoming mails with the bytes that are kept, those of messages
// and mailboxes, and the notes.
func (db *DB) intakeRows(tx *bbolt.Tx, f func(store.Row) error) error {
	if err := each(tx.Bucket(bHandled), nil, func(k, v []byte) error {
		h, err := decode[store.Handled](k, v)
		row := store.Row{Handled: &h}
		if err == nil && h.Spooled {
			row.Raw, err = readFile(db.spool, h.SHA256)
		}
		if err != nil {
			return err
		}
		return f(row)
	}); err != nil {
		return err
	}
	if err := each(tx.Bucket(bIncoming), nil, func(k, v []byte) error {
		m, err := decode[store.Incoming](k, v)
		row := store.Row{Arrived: &m}
		if err == nil {
			row.Raw, err = readFile(db.spool, m.SHA256)
		}
		if err != nil {
			return err
		}
		return f(row)
	}); err != nil {
		return err
	}
	if err := each(tx.Bucket(bUIDs), nil, func(k, v []byte) error {
		mark, err := decode[store.UIDMark](k, v)
		if err != nil {
			return err
		}
		name, validity, rest := mailboxOf(k)
		return f(store.Row{Message: &store.MessageRow{Mailbox: name, Validity: validity, UID: binary.BigEndian.Uint32(rest), Mark: mark}})
	}); err != nil {
		return err
	}
	if err := each(tx.Bucket(bLow), nil, func(k, _ []byte) error {
		name, validity, _ := mailboxOf(k)
		low, err := getLow(tx, name, validity)
		if err != nil {
			return err
		}
		return f(store.Row{Mailbox: &store.MailboxRow{Mailbox: name, Validity: validity, Low: low}})
	}); err != nil {
		return err
	}
	return each(tx.Bucket(bNotes), nil, func(k, v []byte) error {
		value, err := payload(k, v)
		if err != nil {
			return err
		}
		return f(store.Row{Note: &store.NoteRow{Name: string(k), Value: append([]byte{}, value...)}})
	})
}

// mailboxOf takes a key apart that begins with lowKey.
func mailboxOf(key []byte) (name string, validity uint32, rest []byte) {
	end := bytes.IndexByte(key, 0)
	return string(key[:end]), binary.BigEndian.Uint32(key[end+1:]), key[end+5:]
}

// rowsAtOnce is how many rows go into one transaction.
const rowsAtOnce = 500

// filling is an empty store that is being filled.
type filling struct {
	db      *DB
	waiting []store.Row
	numbers uint64 // of mails
	arrived uint64 // number of a mail to be handled
}

// Fill begins to fill the store; see store.Movable.
func (db *DB) Fill() (store.Filling, error) {
	if err := store.Empty(db); err != nil {
		return nil, err
	}
	return &filling{db: db}, nil
}

// Put keeps the files of a row at once, the row with others.
func (f *filling) Put(r store.Row) error {
	switch {
	case r.Mail != nil && r.Mail.Raw != nil:
		if err := f.db.writeFile(f.db.mails, r.Mail.SHA256, r.Mail.Raw); err != nil {
			return err
		}
	case r.Raw != nil:
		if err := f.db.writeFile(f.db.spool, store.Sum(r.Raw), r.Raw); err != nil {
			return err
		}
	}
	f.waiting = append(f.waiting, r)
	if len(f.waiting) < rowsAtOnce {
		return nil
	}
	return f.flush()
}

// End keeps what waits still.
func (f *filling) End() error { return f.flush() }

func (f *filling) flush() error {
	rows := f.waiting
	f.waiting = nil
	return f.db.update("filling a store", func(tx *bbolt.Tx) error {
		for _, r := range rows {
			if err := f.put(tx, r); err != nil {
				return err
			}
		}
		if err := tx.Bucket(bIncoming).SetSequence(f.arrived); err != nil {
			return err
		}
		return tx.Bucket(bOutbox).SetSequence(f.numbers)
	})
}

func (f *filling) put(tx *bbolt.Tx, r store.Row) error {
	switch {
	case r.Game != nil:
		if err := putSeats(tx, store.Game{}, *r.Game); err != nil {
			return err
		}
		return putJSON(tx.Bucket(bGames), []byte(r.Game.ID), r.Game)
	case r.Phase != nil:
		if err := putJSON(tx.Bucket(bPhases), numbered(r.Of, r.Phase.Number), r.Phase); err != nil {
			return err
		}
		return putSnapshot(tx, r.Of, r.Phase.Number, r.Phase.Snapshot)
	case r.Open != nil:
		return putJSON(tx.Bucket(bOpen), []byte(r.Of), r.Open)
	case r.Step != nil:
		return putJSON(tx.Bucket(bSteps), numbered(r.Of, r.Step.Seq), r.Step)
	case r.Sheet != nil:
		key := sheetKey(*r.Sheet, r.Place)
		if err := putJSON(tx.Bucket(bSheets), key, r.Sheet); err != nil {
			return err
		}
		return putBytes(tx.Bucket(bDigests), append(under(r.Sheet.Game), r.Sheet.Name()...), key)
	case r.Mail != nil:
		return f.putMail(tx, *r.Mail)
	case r.Arrived != nil:
		f.arrived = max(f.arrived, r.Arrived.Number)
		return putIncoming(tx, *r.Arrived)
	}
	return putIntake(tx, r)
}

// putMail writes a mail with its indexes, as it was.
func (f *filling) putMail(tx *bbolt.Tx, m store.Mail) error {
	f.numbers = max(f.numbers, m.Number)
	if m.Game != "" {
		if err := putBytes(tx.Bucket(bGameMails), numbered(m.Game, m.Number), []byte(m.ID)); err != nil {
			return err
		}
	}
	if m.MessageID != "" {
		if err := putBytes(tx.Bucket(bMessages), []byte(m.MessageID), []byte(m.ID)); err != nil {
			return err
		}
	}
	if !m.Pruned {
		if err := putJSON(tx.Bucket(bRecipes), []byte(m.ID), wholeMail{m.SHA256, m.Recipe}); err != nil {
			return err
		}
	}
	return putMail(tx, store.Mail{}, m)
}

func putIntake(tx *bbolt.Tx, r store.Row) error {
	switch {
	case r.Handled != nil:
		key, err := store.SHAKey(r.Handled.SHA256)
		if err != nil {
			return err
		}
		return putJSON(tx.Bucket(bHandled), key, r.Handled)
	case r.Message != nil:
		return putJSON(tx.Bucket(bUIDs), uidKey(r.Message.Mailbox, r.Message.Validity, r.Message.UID), r.Message.Mark)
	case r.Mailbox != nil:
		return putBytes(tx.Bucket(bLow), lowKey(r.Mailbox.Mailbox, r.Mailbox.Validity), binary.BigEndian.AppendUint32(nil, r.Mailbox.Low))
	case r.Note != nil:
		return putNote(tx, r.Note.Name, slices.Clone(r.Note.Value))
	}
	return fmt.Errorf("%w: an empty row", store.ErrInvalid)
}
