package postgres

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"fieldpost/store"
)

// Stats counts what is in the store.
func (db *DB) Stats() (s store.Stats, err error) {
	s = store.Stats{Path: db.place(), Games: map[store.Status]int{}, Mails: map[store.MailState]int{}}
	err = db.read(func(t tx) error {
		if err := counts(t, s.Games, `select status, count(*) from games group by status`); err != nil {
			return err
		}
		if err := counts(t, s.Mails, `select state, count(*) from outgoing group by state`); err != nil {
			return err
		}
		return t.QueryRow(t.ctx, `select (select count(*) from phases),
			(select coalesce(sum(length(coalesce(raw, lean))), 0) from sent_bytes), (select coalesce(sum(length(raw)), 0) from received_bytes),
			pg_database_size(current_database()), (select count(*) from sent_bytes where raw is null)`).Scan(&s.Phases, &s.Kept, &s.Spooled, &s.File, &s.Thin)
	})
	return s, failed("counting", err)
}

// place is where the database is, without its password.
func (db *DB) place() string {
	c := db.pool.Config().ConnConfig
	return fmt.Sprintf("postgres://%s/%s", c.Host, c.Database)
}

func counts[K ~string](t tx, into map[K]int, query string) error {
	rows, err := t.Query(t.ctx, query)
	if err != nil {
		return err
	}
	var of string
	var n int
	_, err = pgx.ForEachRow(rows, []any{&of, &n}, func() error {
		into[K(of)] = n
		return nil
	})
	return err
}

// ended finds mails with which nothing more is tried.
const ended = `state not in ('queued', 'sending')`

// WholeMails are the mails with a fate whose pictures have not been looked at.
func (db *DB) WholeMails(before time.Time) ([]store.Mail, error) {
	return db.listed("listing the whole mails", `select document from outgoing where `+ended+` and unlooked and coalesce(changed, 0) < $1 order by number`,
		before.UnixMicro())
}

// over finds what belongs to no game or to one that is finished.
const over = `(game = '' or exists (select 1 from games g where g.id = game and g.status = 'finished'))`

// Prune removes the bytes of old mails.
func (db *DB) Prune(before, strangers time.Time) (p store.Pruned, err error) {
	err = db.write(func(t tx) error {
		p = store.Pruned{}
		old, err := t.oldMails(before)
		if err != nil {
			return err
		}
		w := &writing{tx: t}
		if err := w.dropAll(old, &p); err != nil {
			return err
		}
		received, err := all[store.Handled](t, `select document from handled where `+over)
		if err != nil {
			return err
		}
		for _, h := range received {
			isOld := h.Received.Before(before) || h.Stranger && h.Received.Before(strangers)
			if !isOld || !h.Spooled {
				continue
			}
			if err := w.unspool(h, &p); err != nil {
				return err
			}
		}
		return w.send()
	})
	return p, failed("removing old mails", err)
}

// oldMails are those whose bytes no younger mail shares.
func (t tx) oldMails(before time.Time) ([]store.Mail, error) {
	if before.IsZero() {
		return nil, nil
	}
	const old = ended + ` and coalesce(changed, 0) < $1 and ` + over
	return all[store.Mail](t, `select document from outgoing where `+old+` and sha256 in (select sha256 from sent_bytes)
		and sha256 not in (select sha256 from outgoing where not (`+old+`)) order by number`, before.UnixMicro())
}

// dropAll gathers the removal of the bytes of outgoing mails.
func (w *writing) dropAll(mails []store.Mail, p *store.Pruned) error {
	if len(mails) == 0 {
		return nil
	}
	var going []string
	for _, m := range mails {
		going = append(going, m.SHA256)
	}
	if err := w.letGo(going); err != nil {
		return err
	}
	for _, m := range mails {
		if err := w.drop(m, p); err != nil {
			return err
		}
	}
	return nil
}

// drop gathers the removal of the bytes of an outgoing mail, and counts it.
func (w *writing) drop(m store.Mail, p *store.Pruned) error {
	size, err := w.size(`select length(coalesce(raw, lean)) from sent_bytes where sha256 = $1`, m.SHA256)
	if err != nil {
		return err
	}
	m.Pruned = true
	p.Sent, p.Bytes = p.Sent+1, p.Bytes+size
	w.add(`delete from sent_bytes where sha256 = $1`, m.SHA256)
	w.add(`update outgoing set unlooked = false where id = $1`, m.ID)
	return w.update(m)
}

// unspool gathers the removal of the bytes of an incoming mail, and counts it.
func (w *writing) unspool(h store.Handled, p *store.Pruned) error {
	size, err := w.size(`select length(raw) from received_bytes where sha256 = $1`, h.SHA256)
	if err != nil {
		return err
	}
	h.Spooled = false
	p.Received, p.Bytes = p.Received+1, p.Bytes+size
	w.add(`delete from received_bytes where sha256 = $1`, h.SHA256)
	return w.put(h, `update handled set document = $2 where sha256 = $1`, h.SHA256)
}

// size is a number of bytes; 0 where there is nothing.
func (t tx) size(query, sha string) (int64, error) {
	sizes, err := column[int64](t, query, sha)
	if len(sizes) == 0 {
		return 0, err
	}
	return sizes[0], err
}

// Forget removes the bytes of the mails to and from an address.
func (db *DB) Forget(address string, received []string) (p store.Pruned, waiting int, err error) {
	err = db.write(func(t tx) error {
		p, waiting = store.Pruned{}, 0
		theirs, err := all[store.Mail](t, `select document from outgoing where recipient = $1 order by number`, strings.ToLower(address))
		if err != nil {
			return err
		}
		w := &writing{tx: t}
		var going []store.Mail
		for _, m := range theirs {
			if !m.Ended() {
				waiting++
				continue
			}
			m.To, m.Reply = "", ""
			going = append(going, m)
		}
		if err := w.dropAll(going, &p); err != nil {
			return err
		}
		marks, err := all[store.Handled](t, `select document from handled where sha256 = any($1)`, received)
		if err != nil {
			return err
		}
		for _, h := range marks {
			if err := w.unspool(h, &p); err != nil {
				return err
			}
		}
		return w.send()
	})
	return p, waiting, failed("forgetting an address", err)
}

// Refused is what the database said when it was last not to be had.
func (db *DB) Refused() error {
	if err := db.refusal.Load(); err != nil {
		return *err
	}
	return nil
}

// Prove tries whether the database keeps what it is given: whether it answers and can be written.
func (db *DB) Prove() error {
	resting, err := db.exists(context.Background(), `select pg_is_in_recovery()`)
	if err == nil && resting {
		err = fmt.Errorf("%w: the server is a standby", store.ErrReadOnly)
	}
	return failed("trying the database", db.note(named(err)))
}
