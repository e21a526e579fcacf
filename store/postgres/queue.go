package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"fieldpost/store"
)

// Arrived keeps what a look into a mailbox has found; see store.Intake.
func (db *DB) Arrived(l store.Look) error {
	const doing = "keeping what has arrived"
	if err := l.Valid(); err != nil {
		return failed(doing, err)
	}
	return failed(doing, db.write(func(t tx) error {
		w := &writing{tx: t}
		if err := w.arrive(&l); err != nil {
			return err
		}
		if err := w.raiseLow(&l); err != nil {
			return err
		}
		return w.send()
	}))
}

// arrive gathers the mails of a look, but for those that are in the queue or were handled, and the
// marks of their messages.
func (w *writing) arrive(l *store.Look) error {
	var shas []string
	for _, m := range l.Mails {
		shas = append(shas, m.SHA256)
	}
	kept, err := w.these(`select sha256 from received_bytes where sha256 = any($1)`, shas)
	if err != nil {
		return err
	}
	known, err := w.these(`select sha256 from handled where sha256 = any($1) union select sha256 from incoming where sha256 = any($1)`, shas)
	if err != nil {
		return err
	}
	numbers, err := column[int64](w.tx, `select nextval('incoming_number') from generate_series(1, $1::int)`, len(shas))
	if err != nil {
		return err
	}
	for i, m := range l.Mails {
		if !kept[m.SHA256] {
			return fmt.Errorf("mail %s: its bytes: %w", m.SHA256, store.ErrNotFound)
		}
		at := message{l.Mailbox, l.UIDValidity, m.UID}
		mark, _, err := w.marked(at)
		if err != nil {
			return err
		}
		if mark.Final() {
			continue
		}
		state := store.UIDDuplicate
		if !known[m.SHA256] {
			known[m.SHA256], state = true, store.UIDArrived
			if err := w.incomingRow(l.In(m, uint64(numbers[i]))); err != nil {
				return err
			}
		}
		if err := w.markRow(at, store.UIDMark{State: state, SHA256: m.SHA256, Tries: mark.Tries}); err != nil {
			return err
		}
	}
	return nil
}

// these are the texts that a query finds.
func (t tx) these(query string, args ...any) (map[string]bool, error) {
	found, err := column[string](t, query, args...)
	is := map[string]bool{}
	for _, text := range found {
		is[text] = true
	}
	return is, err
}

func (w *writing) incomingRow(m store.Incoming) error {
	return w.put(m, `insert into incoming (sha256, number, lane, received, document) values ($1, $2, $3, $4, $5)`,
		m.SHA256, int64(m.Number), m.Lane, m.Moment())
}

// raiseLow gathers a raised low-water mark, and the marks of messages that it passes over.
func (w *writing) raiseLow(l *store.Look) error {
	was, err := w.low(l.Mailbox, l.UIDValidity)
	if err != nil || int64(l.Low) <= was {
		return err
	}
	pending, err := column[int64](w.tx, `select uid from messages where mailbox = $1 and validity = $2 and uid between $3 and $4 and not final
		order by uid`, l.Mailbox, int64(l.UIDValidity), was, int64(l.Low))
	if err != nil {
		return err
	}
	there, arrives := numbers(l.Listed), map[int64]bool{}
	for _, m := range l.Mails {
		arrives[int64(m.UID)] = true
	}
	for _, uid := range pending {
		switch {
		case arrives[uid]:
			continue
		case there[uid]:
			return fmt.Errorf("UID %d of %s is pending: %w", uid, l.Mailbox, store.ErrState)
		}
		if err := w.mark(message{l.Mailbox, l.UIDValidity, uint32(uid)}, store.UIDMark{State: store.UIDGone}); err != nil {
			return err
		}
	}
	w.lowRow(l.Mailbox, l.UIDValidity, l.Low)
	return nil
}

// candidates are the mails that may be handled at a moment, in the order in which they arrived: the
// first of its lane, unless one of no game stands before it or it is of none itself and not the first of all.
const candidates = `with live as (select sha256, number, lane, received, put_off, row_number() over (partition by lane order by received, number) as place
		from incoming where put_off is null or holds or put_off <= $1),
	first as (select * from live where place = 1)
	select sha256 from first f where (put_off is null or put_off <= $1)
		and not exists (select 1 from first e where (e.received, e.number) < (f.received, f.number) and (e.lane = '' or f.lane = ''))
		and not exists (select 1 from claims c where c.name = 'mail/' || f.sha256 and c.until > now())
	order by received, number`

// Next is the mail to be handled next; see store.Intake. What it claims is for efficiency alone, so
// the transaction is not serialisable: it would stand in the way of those that are.
func (db *DB) Next(now time.Time) (m store.Incoming, some bool, err error) {
	err = again(func() error {
		return pgx.BeginTxFunc(context.Background(), db.pool, pgx.TxOptions{IsoLevel: pgx.ReadCommitted}, func(begun pgx.Tx) error {
			m, some, err = tx{context.Background(), begun, db.seals}.next(now, db.node)
			return err
		})
	})
	return m, some, failed("looking for mail to be handled", db.note(named(err)))
}

func (t tx) next(now time.Time, node string) (m store.Incoming, some bool, err error) {
	shas, err := column[string](t, candidates, now)
	if err != nil {
		return m, false, err
	}
	for _, sha := range shas {
		var text, why string
		var tries int
		err := t.QueryRow(t.ctx, `select document, tries, why from incoming where sha256 = $1 for update skip locked`, sha).Scan(&text, &tries, &why)
		if errors.Is(err, pgx.ErrNoRows) {
			continue // another one is just taking it, or has handled it
		}
		if err != nil {
			return m, false, err
		}
		claimed, err := t.Exec(t.ctx, `insert into claims values ($1, $2, now() + $3::interval) on conflict (name) do update
			set node = excluded.node, until = excluded.until where claims.until < now()`, store.ClaimOfMail(sha), node, store.ClaimTime)
		if err != nil {
			return m, false, err
		}
		if claimed.RowsAffected() == 0 {
			continue
		}
		m, err = parsed[store.Incoming](text)
		m.Tries, m.Why = tries, why
		return m, err == nil, err
	}
	return m, false, nil
}

// PutOff gives a mail back for a while.
func (db *DB) PutOff(sha string, p store.Pause) error {
	return failed("putting a mail off", db.write(func(t tx) error {
		if err := t.run(`update incoming set put_off = $2, holds = $3, tries = tries + $4, why = case when $4 = 0 then why else $5 end where sha256 = $1`,
			sha, p.Until, p.Holds, failures(p), p.Why); err != nil {
			return err
		}
		return t.run(`delete from claims where name = $1 and node = $2`, store.ClaimOfMail(sha), db.node)
	}))
}

func failures(p store.Pause) int {
	if p.Why == "" {
		return 0
	}
	return 1
}

// Unhandled tells whether a mail of a game that had arrived by a moment waits still.
func (db *DB) Unhandled(game string, by time.Time) (waits bool, err error) {
	err = db.ask(func(t tx) (err error) {
		waits, err = t.is(`select 1 from incoming where lane in ('', $1) and received <= $2`, game, by.UnixMicro())
		return err
	})
	return waits, failed("looking for mail to be handled", err)
}

// Backlog is what is in the queue.
func (db *DB) Backlog() (b store.Backlog, err error) {
	err = db.read(func(t tx) error {
		b = store.Backlog{}
		if err := t.QueryRow(t.ctx, `select count(*) from incoming`).Scan(&b.Mails); err != nil || b.Mails == 0 {
			return err
		}
		var text string
		var tries int
		var why string
		err := t.QueryRow(t.ctx, `select document, tries, why from incoming order by received, number limit 1`).Scan(&text, &tries, &why)
		if err != nil {
			return err
		}
		b.First, err = parsed[store.Incoming](text)
		b.First.Tries, b.First.Why = tries, why
		return err
	})
	return b, failed("counting the mails to be handled", err)
}
