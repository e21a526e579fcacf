package bolt

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"go.etcd.io/bbolt"

	"fieldpost/store"
)

// What is written in one transaction.
const (
	rowsAtOnce  = 20_000 // many, since keys of mails are in no order, and a page is written once for all
	bytesAtOnce = 16 << 20
)

// filling is an empty store that is being filled. Nothing is synced before the end.
type filling struct {
	db      *DB
	files   []string // that were written, by their paths
	waiting []waiting
	aside   store.Aside // writes those before them
	size    int         // of the rows that wait, in bytes
	numbers uint64      // of mails
	arrived uint64      // number of a mail to be handled
}

// waiting is a row whose file is written.
type waiting struct {
	store.Row
	mail *store.Mail // of a MailRow
}

// Fill begins to fill the store; see store.Movable.
func (db *DB) Fill() (store.Filling, error) {
	if err := store.Empty(db); err != nil {
		return nil, err
	}
	db.bolt.NoSync = true
	return &filling{db: db}, nil
}

// Put writes the file of a row at once, the row with others.
func (f *filling) Put(r store.Row) error {
	w, err := f.withoutFile(r)
	if err != nil {
		return f.db.fail("filling a store", err)
	}
	f.waiting = append(f.waiting, w)
	f.size += w.Size()
	if len(f.waiting) < rowsAtOnce && f.size < bytesAtOnce {
		return nil
	}
	return f.aside.Do(f.flush())
}

// withoutFile is a row of which the mail is in its file.
func (f *filling) withoutFile(r store.Row) (w waiting, err error) {
	w = waiting{Row: r}
	switch {
	case r.Kind == store.MailRow:
		m, err := store.Parsed[store.Mail](r.Text)
		if err != nil {
			return w, err
		}
		w.mail = &m
		return w, f.putMailFile(&w)
	case r.Kind != store.PhaseRow && r.Raw != nil:
		err = f.file(f.db.spool, store.Sum(r.Raw)+mailSuffix, r.Raw)
		w.Raw = nil
	}
	return w, err
}

// putMailFile writes the file of a mail that was sent or is to be sent.
func (f *filling) putMailFile(w *waiting) error {
	switch {
	case w.Packed != nil:
		file, err := thinWith(w.mail.SHA256, w.Packed.On, w.Packed.Bytes)
		if err != nil {
			return err
		}
		w.Packed = &store.Packed{On: w.Packed.On}
		return f.file(f.db.mails, w.mail.SHA256+thinSuffix, file)
	case w.Raw != nil:
		raw := w.Raw
		w.Raw = nil
		return f.file(f.db.mails, store.Sum(raw)+mailSuffix, raw)
	}
	return nil
}

// file writes one, unless it is there: two mails may have the same bytes.
func (f *filling) file(dir, name string, content []byte) error {
	path := filepath.Join(dir, name)
	out, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	f.files = append(f.files, path)
	_, err = out.Write(content)
	return errors.Join(err, out.Close())
}

// Rows are what was put; see store.Filling.
func (f *filling) Rows(each func(store.Row) error) error {
	if err := f.settle(); err != nil {
		return err
	}
	return f.db.Rows(each)
}

// End keeps everything.
func (f *filling) End() error {
	if err := f.settle(); err != nil {
		return err
	}
	f.GiveUp()
	return f.db.fail("filling a store", cmp.Or(onAll(syncedAtOnce, f.files, syncFile), syncDir(f.db.mails), syncDir(f.db.spool), f.db.bolt.Sync()))
}

// GiveUp has the store sync again what is written to it.
func (f *filling) GiveUp() {
	_ = f.aside.Wait()
	f.db.bolt.NoSync = false
}

// settle has all rows in the database.
func (f *filling) settle() error { return cmp.Or(f.aside.Do(f.flush()), f.aside.Wait()) }

// syncedAtOnce is how many files are synced side by side: the disk then writes them together.
const syncedAtOnce = 32

// syncFile has a file on the disk.
func syncFile(path *string) error {
	file, err := os.OpenFile(*path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// flush takes the rows that wait, and returns what writes them.
func (f *filling) flush() func() error {
	rows := f.waiting
	f.waiting, f.size = nil, 0
	return func() error {
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
}

func (f *filling) put(tx *bbolt.Tx, r waiting) error {
	switch r.Kind {
	case store.GameRow:
		return putGame(tx, r.Text)
	case store.PhaseRow:
		if err := putBytes(tx.Bucket(bPhases), numbered(r.Game, r.Number), r.Text); err != nil {
			return err
		}
		return putKept(tx, r.Row)
	case store.OpenRow:
		return putBytes(tx.Bucket(bOpen), []byte(r.Game), r.Text)
	case store.StepRow:
		return putBytes(tx.Bucket(bSteps), numbered(r.Game, r.Number), r.Text)
	case store.SheetRow:
		s, err := store.Parsed[store.Sheet](r.Text)
		if err != nil {
			return err
		}
		key := sheetKey(s, int(r.Number))
		if err := putBytes(tx.Bucket(bSheets), key, r.Text); err != nil {
			return err
		}
		return putBytes(tx.Bucket(bDigests), append(under(s.Game), s.Name()...), key)
	case store.MailRow:
		return f.putMail(tx, r)
	case store.ArrivedRow:
		m, err := store.Parsed[store.Incoming](r.Text)
		if err != nil {
			return err
		}
		f.arrived = max(f.arrived, m.Number)
		if err := putIncoming(tx, m); err != nil {
			return err
		}
		return putBytes(tx.Bucket(bIncoming), waitingKey(m), r.Text)
	}
	return putIntake(tx, r.Row)
}

func putGame(tx *bbolt.Tx, text []byte) error {
	g, err := store.Parsed[store.Game](text)
	if err == nil {
		err = putSeats(tx, store.Game{}, g)
	}
	if err != nil {
		return err
	}
	return putBytes(tx.Bucket(bGames), []byte(g.ID), text)
}

// putKept keeps a position as it was kept.
func putKept(tx *bbolt.Tx, r store.Row) error {
	b, key := tx.Bucket(bSnapshots), numbered(r.Game, r.Number)
	switch {
	case r.Packed == nil:
		return put(b, key, plain, r.Raw)
	case r.Packed.On == "":
		return put(b, key, packed, r.Packed.Bytes)
	}
	base, err := strconv.ParseUint(r.Packed.On, 10, 64)
	if err != nil {
		return fmt.Errorf("%w: a position builds on %q", store.ErrInvalid, r.Packed.On)
	}
	return put(b, key, differs, append(binary.BigEndian.AppendUint64(nil, base), r.Packed.Bytes...))
}

// putMail writes a mail with its indexes, as it was.
func (f *filling) putMail(tx *bbolt.Tx, r waiting) error {
	m, id := *r.mail, []byte(r.mail.ID)
	f.numbers = max(f.numbers, m.Number)
	if m.Game != "" {
		if err := putBytes(tx.Bucket(bGameMails), numbered(m.Game, m.Number), id); err != nil {
			return err
		}
	}
	if m.MessageID != "" {
		if err := putBytes(tx.Bucket(bMessages), []byte(m.MessageID), id); err != nil {
			return err
		}
	}
	if !m.Pruned && r.Packed == nil {
		if err := putJSON(tx.Bucket(bRecipes), id, wholeMail{m.SHA256, r.Recipe}); err != nil {
			return err
		}
	}
	if err := indexMail(tx, store.Mail{}, m); err != nil {
		return err
	}
	return putBytes(tx.Bucket(bOutbox), id, r.Text)
}

func putIntake(tx *bbolt.Tx, r store.Row) error {
	switch r.Kind {
	case store.HandledRow:
		key, err := store.SHAKey(r.Name)
		if err != nil {
			return err
		}
		return putBytes(tx.Bucket(bHandled), key, r.Text)
	case store.MessageRow:
		return putBytes(tx.Bucket(bUIDs), uidKey(r.Name, r.Validity, uint32(r.Number)), r.Text)
	case store.MailboxRow:
		return putBytes(tx.Bucket(bLow), lowKey(r.Name, r.Validity), binary.BigEndian.AppendUint32(nil, uint32(r.Number)))
	case store.NoteRow:
		return putNote(tx, r.Name, append([]byte{}, r.Text...))
	}
	return fmt.Errorf("%w: a row of kind %d", store.ErrInvalid, r.Kind)
}
