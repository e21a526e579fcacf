package bolt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"sync"

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
	text, err := store.Document(g)
	if err == nil {
		err = f(store.Row{Kind: store.GameRow, Text: text})
	}
	if err != nil {
		return err
	}
	for n := uint64(1); n <= g.Phases; n++ {
		row, err := phaseRow(tx, g.ID, n)
		if err == nil {
			err = f(row)
		}
		if err != nil {
			return err
		}
	}
	if key := []byte(g.ID); tx.Bucket(bOpen).Get(key) != nil {
		text, err := getBytes(tx.Bucket(bOpen), key)
		if err == nil {
			err = f(store.Row{Kind: store.OpenRow, Game: g.ID, Text: text})
		}
		if err != nil {
			return err
		}
	}
	if err := texts(tx, bSteps, under(g.ID), func(k, text []byte) error {
		return f(store.Row{Kind: store.StepRow, Game: g.ID, Number: lastNumber(k), Text: text})
	}); err != nil {
		return err
	}
	return texts(tx, bSheets, under(g.ID), func(k, text []byte) error {
		return f(store.Row{Kind: store.SheetRow, Number: uint64(binary.BigEndian.Uint16(k[len(k)-2:])), Text: text})
	})
}

// texts calls f for the keys with a prefix and copies of their values.
func texts(tx *bbolt.Tx, bucket, prefix []byte, f func(key, text []byte) error) error {
	return each(tx.Bucket(bucket), prefix, func(k, v []byte) error {
		text, err := payload(k, v)
		if err != nil {
			return err
		}
		return f(k, bytes.Clone(text))
	})
}

// phaseRow is a phase with its position as it is kept.
func phaseRow(tx *bbolt.Tx, game string, number uint64) (row store.Row, err error) {
	key := numbered(game, number)
	row = store.Row{Kind: store.PhaseRow, Game: game, Number: number}
	if row.Text, err = getBytes(tx.Bucket(bPhases), key); err != nil {
		return row, err
	}
	v := tx.Bucket(bSnapshots).Get(key)
	encoding, kept, err := unsealed(key, v)
	switch {
	case err != nil:
		return row, err
	case encoding == plain:
		row.Raw = bytes.Clone(kept)
	case encoding == packed:
		row.Packed = &store.Packed{Bytes: bytes.Clone(kept)}
	case encoding == differs:
		base, difference, err := differing(key, v)
		if err != nil {
			return row, err
		}
		row.Packed = &store.Packed{On: strconv.FormatUint(base, 10), Bytes: bytes.Clone(difference)}
	default:
		return row, fmt.Errorf("%w: the value of %q has encoding %d", store.ErrNewer, key, encoding)
	}
	return row, nil
}

// mailRows are the outgoing mails: those of games game by game, then the others.
func (db *DB) mailRows(tx *bbolt.Tx, f func(store.Row) error) error {
	given, next := map[string]bool{}, mailsToRead{db: db, give: f}
	add := func(id, v []byte) error {
		given[string(id)] = true
		return next.add(tx, id, v)
	}
	all := tx.Bucket(bOutbox)
	if err := each(tx.Bucket(bGameMails), nil, func(k, v []byte) error {
		id, err := payload(k, v)
		if err != nil {
			return err
		}
		if mail := all.Get(id); mail != nil {
			return add(id, mail)
		}
		return fmt.Errorf("%w: mail %q of a game is not there", store.ErrDamaged, id)
	}); err != nil {
		return err
	}
	if err := each(all, nil, func(k, v []byte) error {
		if given[string(k)] {
			return nil
		}
		return add(k, v)
	}); err != nil {
		return err
	}
	return next.read()
}

// mailsToRead are mails whose files are read together, on all processors.
type mailsToRead struct {
	db    *DB
	give  func(store.Row) error
	mails []mailToRead
}

type mailToRead struct {
	row     store.Row // but for its bytes
	keeps   keeps
	isWhole bool
}

// keeps is what the document of a mail says of its bytes.
type keeps struct {
	SHA256 string
	Pruned bool
}

// readAtOnce is of how many mails the files are read together.
const readAtOnce = 128

// add reads what the database has of a mail, and with enough of them their files.
func (t *mailsToRead) add(tx *bbolt.Tx, id, v []byte) error {
	text, err := payload(id, v)
	if err != nil {
		return fmt.Errorf("mail %s: %w", id, err)
	}
	m := mailToRead{row: store.Row{Kind: store.MailRow, Name: string(id), Text: bytes.Clone(text)}}
	m.keeps, err = store.Parsed[keeps](text)
	if err == nil && !m.keeps.Pruned {
		var w wholeMail
		w, m.isWhole, err = getJSON[wholeMail](tx.Bucket(bRecipes), id)
		m.row.Recipe = w.Recipe
	}
	if err != nil {
		return fmt.Errorf("mail %s: %w", id, err)
	}
	if t.mails = append(t.mails, m); len(t.mails) < readAtOnce {
		return nil
	}
	return t.read()
}

// read reads the files of the mails, and gives these.
func (t *mailsToRead) read() error {
	if err := onAll(runtime.GOMAXPROCS(0), t.mails, func(m *mailToRead) error {
		if err := m.read(t.db.mails); err != nil {
			return fmt.Errorf("mail %s: %w", m.row.Name, err)
		}
		return nil
	}); err != nil {
		return err
	}
	for _, m := range t.mails {
		if err := t.give(m.row); err != nil {
			return err
		}
	}
	t.mails = t.mails[:0]
	return nil
}

// read reads the bytes of a mail as they are kept in a folder.
func (m *mailToRead) read(dir string) (err error) {
	if m.keeps.Pruned {
		return nil
	}
	if m.isWhole {
		m.row.Raw, err = readFile(dir, m.keeps.SHA256)
		if !errors.Is(err, store.ErrNotFound) {
			return err
		}
	}
	on, kept, err := openThin(dir, m.keeps.SHA256) // since a crash, or of another mail, if there is an entry
	m.row.Raw, m.row.Recipe, m.row.Packed = nil, nil, &store.Packed{On: on, Bytes: kept}
	return err
}

// onAll does something with all of a list, so many at a time. Each worker stops at its first error.
func onAll[T any](workers int, list []T, do func(*T) error) error {
	var all sync.WaitGroup
	errs := make([]error, workers)
	for first := range workers {
		all.Go(func() {
			for at := first; at < len(list) && errs[first] == nil; at += workers {
				errs[first] = do(&list[at])
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// intakeRows are the marks of incoming mails with the bytes that are kept, those of messages
// and mailboxes, and the notes.
func (db *DB) intakeRows(tx *bbolt.Tx, f func(store.Row) error) error {
	if err := each(tx.Bucket(bHandled), nil, func(k, v []byte) error {
		h, err := decode[store.Handled](k, v)
		row := store.Row{Kind: store.HandledRow, Name: h.SHA256}
		if err == nil && h.Spooled {
			row.Raw, err = readFile(db.spool, h.SHA256)
		}
		if err == nil {
			row.Text, err = getBytes(tx.Bucket(bHandled), k)
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
		row := store.Row{Kind: store.ArrivedRow}
		if err == nil {
			row.Raw, err = readFile(db.spool, m.SHA256)
		}
		if err == nil {
			row.Text, err = getBytes(tx.Bucket(bIncoming), k)
		}
		if err != nil {
			return err
		}
		return f(row)
	}); err != nil {
		return err
	}
	if err := texts(tx, bUIDs, nil, func(k, text []byte) error {
		name, validity, rest := mailboxOf(k)
		return f(store.Row{Kind: store.MessageRow, Name: name, Validity: validity, Number: uint64(binary.BigEndian.Uint32(rest)), Text: text})
	}); err != nil {
		return err
	}
	if err := each(tx.Bucket(bLow), nil, func(k, _ []byte) error {
		name, validity, _ := mailboxOf(k)
		low, err := getLow(tx, name, validity)
		if err != nil {
			return err
		}
		return f(store.Row{Kind: store.MailboxRow, Name: name, Validity: validity, Number: uint64(low)})
	}); err != nil {
		return err
	}
	return texts(tx, bNotes, nil, func(k, text []byte) error {
		return f(store.Row{Kind: store.NoteRow, Name: string(k), Text: text})
	})
}

// mailboxOf takes a key apart that begins with lowKey.
func mailboxOf(key []byte) (name string, validity uint32, rest []byte) {
	end := bytes.IndexByte(key, 0)
	return string(key[:end]), binary.BigEndian.Uint32(key[end+1:]), key[end+5:]
}
