package bolt

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"time"

	"go.etcd.io/bbolt"

	"fieldpost/store"
)

// queueKey is the next attempt in milliseconds since 1970, with the sign bit
// turned over so that earlier times sort first, and the number of the mail.
// Rounding can only bring an entry to the front early; Queue looks at the exact
// time.
func queueKey(m store.Mail) []byte {
	ms := uint64(m.Next.UnixMilli()) ^ 1<<63
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, ms), m.Number)
}

// enqueue puts a new mail into the outbox. One whose ID is known is left as it is.
func enqueue(tx *bbolt.Tx, m store.Mail) error {
	b := tx.Bucket(bOutbox)
	if b.Get([]byte(m.ID)) != nil {
		return nil
	}
	n, err := b.NextSequence()
	if err != nil {
		return err
	}
	m.Queue(n)
	if m.Game != "" {
		if tx.Bucket(bGames).Get([]byte(m.Game)) == nil {
			return fmt.Errorf("mail %s: game %q: %w", m.ID, m.Game, store.ErrNotFound)
		}
		if err := putBytes(tx.Bucket(bGameMails), numbered(m.Game, n), []byte(m.ID)); err != nil {
			return err
		}
	}
	if m.MessageID != "" {
		ids := tx.Bucket(bMessages)
		if other, err := getBytes(ids, []byte(m.MessageID)); err != nil || other != nil {
			return cmp.Or(err, fmt.Errorf("%w mail %s: Message-ID %s belongs to mail %s", store.ErrInvalid, m.ID, m.MessageID, other))
		}
		if err := putBytes(ids, []byte(m.MessageID), []byte(m.ID)); err != nil {
			return err
		}
	}
	if err := putJSON(tx.Bucket(bRecipes), []byte(m.ID), wholeMail{m.SHA256, m.Recipe}); err != nil {
		return err
	}
	return putMail(tx, store.Mail{}, m)
}

// replace takes a mail out of the queue that another one of the same Change makes needless.
func replace(tx *bbolt.Tx, id string, by string) error {
	old, err := mailByID(tx, []byte(id))
	if err != nil {
		return err
	}
	m := old
	if !m.Replace(by) {
		return nil
	}
	return putMail(tx, old, m)
}

// putMail writes a mail and makes the indexes of its state follow.
func putMail(tx *bbolt.Tx, old, m store.Mail) error {
	if err := indexMail(tx, old, m); err != nil {
		return err
	}
	return putJSON(tx.Bucket(bOutbox), []byte(m.ID), m)
}

// indexMail makes the indexes of a mail's state follow.
func indexMail(tx *bbolt.Tx, old, m store.Mail) error {
	var err error
	switch old.State {
	case store.MailQueued:
		err = tx.Bucket(bQueue).Delete(queueKey(old))
	case store.MailSending:
		err = tx.Bucket(bSending).Delete([]byte(m.ID))
	}
	if err != nil {
		return err
	}
	switch m.State {
	case store.MailQueued:
		err = putBytes(tx.Bucket(bQueue), queueKey(m), []byte(m.ID))
	case store.MailSending:
		err = putBytes(tx.Bucket(bSending), []byte(m.ID), nil)
	}
	return err
}

// Queue are the mails whose time has come, the longest waiting first, at most
// limit of them (0: all). With DamagedRecords it is all but those: they stay queued.
func (db *DB) Queue(now time.Time, limit int) (mails []store.Mail, err error) {
	err = db.view("reading the queue", func(tx *bbolt.Tx) error {
		var lost store.DamagedRecords
		c := tx.Bucket(bQueue).Cursor()
		end := queueKey(store.Mail{Next: now, Number: ^uint64(0)})
		for k, v := c.First(); k != nil && string(k) <= string(end); k, v = c.Next() {
			if limit > 0 && len(mails) == limit {
				break
			}
			m, err := mailOf(tx, k, v, &lost)
			if err != nil {
				return err
			}
			if m.State == store.MailQueued && !m.Next.After(now) {
				mails = append(mails, m)
			}
		}
		return lost.Err()
	})
	return mails, err
}

// mailOf is the mail of an entry of the queue, or of the mails of a game; without an ID, and noted among the lost,
// if it or the entry is damaged.
func mailOf(tx *bbolt.Tx, k, v []byte, lost *store.DamagedRecords) (store.Mail, error) {
	id, err := payload(k, v)
	if err != nil {
		return store.Mail{}, lost.Skip("queue", fmt.Sprint(lastNumber(k)), err)
	}
	m, err := mailByID(tx, id)
	if err != nil {
		return store.Mail{}, lost.Skip("mail", string(id), err)
	}
	return m, nil
}

// NextAttempt is when the first queued mail that can be read may be sent; false when
// none is queued. A sender may sleep until then.
func (db *DB) NextAttempt() (at time.Time, ok bool, err error) {
	err = db.view("reading the queue", func(tx *bbolt.Tx) error {
		var lost store.DamagedRecords
		c := tx.Bucket(bQueue).Cursor()
		for k, v := c.First(); k != nil && !ok; k, v = c.Next() {
			m, err := mailOf(tx, k, v, &lost)
			if err != nil {
				return err
			}
			at, ok = m.Next, m.State == store.MailQueued
		}
		return nil
	})
	return at, ok, err
}

// MarkSending marks a queued mail before the first byte of it goes out, and
// returns it. From a crash until the next mark its fate is unknown, and Open
// queues it again. The error is ErrState when it is not queued, ErrNotFound when
// there is none.
func (db *DB) MarkSending(id string, now time.Time) (m store.Mail, err error) {
	err = db.update("sending a mail", func(tx *bbolt.Tx) error {
		old, err := mailByID(tx, []byte(id))
		if err != nil {
			return err
		}
		m = old
		if err := m.Send(now); err != nil {
			return err
		}
		return putMail(tx, old, m)
	})
	return m, err
}

// MarkResult records what became of a mail; see store.Mail.Take.
func (db *DB) MarkResult(id string, r store.Result) error {
	return db.update("recording the fate of a mail", func(tx *bbolt.Tx) error {
		old, err := mailByID(tx, []byte(id))
		if err != nil {
			return err
		}
		m := old
		if err := m.Take(r); err != nil {
			return err
		}
		return putMail(tx, old, m)
	})
}

// Requeue queues again what was being sent when the last process stopped: nobody knows how far
// it got. It tells how many mails there were. Files that it had not finished writing are removed.
func (db *DB) Requeue() (n int, err error) {
	db.sweep()
	none := false
	err = db.view("looking for interrupted mails", func(tx *bbolt.Tx) error {
		k, _ := tx.Bucket(bSending).Cursor().First()
		none = k == nil
		return nil
	})
	if err != nil || none {
		return 0, err
	}
	err = db.update("queueing interrupted mails", func(tx *bbolt.Tx) error {
		n, err = requeueInterrupted(tx)
		return err
	})
	return n, err
}

// requeueInterrupted queues what was being sent when the process stopped. The
// server may have taken it; the same Message-ID then shows the second as the
// same mail, and a lost report would be worse. A damaged one stays where it is until
// it can be read.
func requeueInterrupted(tx *bbolt.Tx) (n int, err error) {
	var ids []string
	each(tx.Bucket(bSending), nil, func(k, _ []byte) error {
		ids = append(ids, string(k))
		return nil
	})
	var lost store.DamagedRecords
	for _, id := range ids {
		old, err := mailByID(tx, []byte(id))
		if err != nil {
			if err := lost.Skip("mail", id, err); err != nil {
				return n, err
			}
			continue
		}
		if err := tx.Bucket(bSending).Delete([]byte(id)); err != nil {
			return n, err
		}
		if old.State != store.MailSending && old.State != store.MailQueued {
			continue // its record was repaired, and says how it ended
		}
		m := old
		m.State = store.MailQueued
		if err := putMail(tx, old, m); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

func mailByID(tx *bbolt.Tx, id []byte) (store.Mail, error) {
	return mustJSON[store.Mail](tx.Bucket(bOutbox), id, "mail %q", id)
}

// Mail is one outgoing mail, without Raw; ErrNotFound when there is none.
func (db *DB) Mail(id string) (m store.Mail, err error) {
	err = db.view("reading a mail", func(tx *bbolt.Tx) error {
		m, err = mailByID(tx, []byte(id))
		return err
	})
	return m, err
}

// FindMessage is the outgoing mail with a Message-ID, in the notation in which
// it was queued: for bounces and replies that name it. ErrNotFound when there is
// none.
func (db *DB) FindMessage(messageID string) (m store.Mail, err error) {
	err = db.view("finding a mail", func(tx *bbolt.Tx) error {
		if messageID == "" {
			return store.ErrNotFound
		}
		id, err := getBytes(tx.Bucket(bMessages), []byte(messageID))
		if err != nil {
			return err
		}
		if id == nil {
			return fmt.Errorf("Message-ID %q: %w", messageID, store.ErrNotFound)
		}
		m, err = mailByID(tx, id)
		return err
	})
	return m, err
}

// Mails are all outgoing mails of a game, in the order in which they were queued; with
// DamagedRecords all but those.
func (db *DB) Mails(game string) (mails []store.Mail, err error) {
	err = db.view("reading the mails of a game", func(tx *bbolt.Tx) error {
		var lost store.DamagedRecords
		err := each(tx.Bucket(bGameMails), under(game), func(k, v []byte) error {
			m, err := mailOf(tx, k, v, &lost)
			if m.ID != "" {
				mails = append(mails, m)
			}
			return err
		})
		if err != nil {
			return err
		}
		return lost.Err()
	})
	return mails, err
}

// MailsSince are the mails of a game, the newest first, back to the last one that was marked before
// a moment: those that were written since are all among them.
func (db *DB) MailsSince(game string, since time.Time) (mails []store.Mail, err error) {
	err = db.view("reading the newest mails of a game", func(tx *bbolt.Tx) error {
		var lost store.DamagedRecords
		err := eachBack(tx.Bucket(bGameMails), under(game), func(k, v []byte) (more bool, err error) {
			m, err := mailOf(tx, k, v, &lost)
			if m.ID == "" {
				return true, err
			}
			mails = append(mails, m)
			return m.Changed.IsZero() || !m.Changed.Before(since), err
		})
		if err != nil {
			return err
		}
		return lost.Err()
	})
	return mails, err
}
