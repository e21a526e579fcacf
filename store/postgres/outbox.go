package postgres

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"fieldpost/store"
)

// mails gathers the mails of a Change that are not there yet, and returns them by their IDs.
func (w *writing) mails(c *store.Change, seq uint64) (map[string]store.Mail, error) {
	queued := map[string]store.Mail{}
	if len(c.Mails) == 0 {
		return queued, nil
	}
	there, err := w.known(c.Mails)
	if err != nil {
		return nil, err
	}
	fresh := map[string]bool{}
	for _, m := range c.Mails {
		if !there.mails[m.ID] {
			fresh[m.ID] = true
		}
	}
	numbers, err := column[uint64](w.tx, `select nextval('outgoing_number') from generate_series(1, $1::int)`, len(fresh))
	if err != nil {
		return nil, err
	}
	for _, m := range c.Mails {
		if _, twice := queued[m.ID]; twice || there.mails[m.ID] {
			continue
		}
		if c.Game != nil && m.Game == c.Game.ID {
			m.Seq, there.games[m.Game] = seq, true
		}
		if m, err = there.admit(m); err != nil {
			return nil, err
		}
		m.Queue(numbers[len(queued)])
		queued[m.ID] = m
		if err := w.mailRow(m); err != nil {
			return nil, err
		}
	}
	return queued, nil
}

// mailRow gathers a new mail with its bytes.
func (w *writing) mailRow(m store.Mail) error {
	if m.Raw != nil {
		w.add(`insert into sent_bytes (sha256, raw) values ($1, $2) on conflict do nothing`, m.SHA256, m.Raw)
	}
	return w.put(m, `insert into outgoing (id, number, game, message_id, sha256, recipient, state, next, changed, recipe, document)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`, append(foundBy(m), orNull(string(m.Recipe)))...)
}

// surroundings are what mails of a Change refer to and is there.
type surroundings struct {
	mails, games, bytes map[string]bool
	messages            map[string]string // by Message-ID, the mail that has it
}

func (t tx) known(mails []store.Mail) (s surroundings, err error) {
	s = surroundings{mails: map[string]bool{}, games: map[string]bool{}, bytes: map[string]bool{}, messages: map[string]string{}}
	var ids, games, shas, messages []string
	for _, m := range mails {
		ids, games, shas, messages = append(ids, m.ID), append(games, m.Game), append(shas, m.SHA256), append(messages, m.MessageID)
	}
	rows, err := t.Query(t.ctx, `select 'mail', id, '' from outgoing where id = any($1) union all select 'game', id, '' from games where id = any($2)
		union all select 'bytes', sha256, '' from sent_bytes where sha256 = any($3)
		union all select 'message', message_id, id from outgoing where message_id = any($4)`, ids, games, shas, messages)
	if err != nil {
		return s, err
	}
	var what, name, id string
	_, err = pgx.ForEachRow(rows, []any{&what, &name, &id}, func() error {
		switch what {
		case "mail":
			s.mails[name] = true
		case "game":
			s.games[name] = true
		case "bytes":
			s.bytes[name] = true
		case "message":
			s.messages[name] = id
		}
		return nil
	})
	return s, err
}

// admit checks a new mail against what is there, names its bytes, and adds it.
func (s *surroundings) admit(m store.Mail) (store.Mail, error) {
	if m.Raw != nil {
		sha := store.Sum(m.Raw)
		if m.SHA256 != "" && m.SHA256 != sha {
			return m, fmt.Errorf("%w: mail %s has SHA-256 %s, not %s", store.ErrInvalid, m.ID, sha, m.SHA256)
		}
		m.SHA256, s.bytes[sha] = sha, true
	}
	if !s.bytes[m.SHA256] {
		return m, fmt.Errorf("mail %s: the bytes %q: %w", m.ID, m.SHA256, store.ErrNotFound)
	}
	if m.Game != "" && !s.games[m.Game] {
		return m, fmt.Errorf("mail %s: game %q: %w", m.ID, m.Game, store.ErrNotFound)
	}
	if m.MessageID == "" {
		return m, nil
	}
	if other, taken := s.messages[m.MessageID]; taken {
		return m, fmt.Errorf("%w mail %s: Message-ID %s belongs to mail %s", store.ErrInvalid, m.ID, m.MessageID, other)
	}
	s.messages[m.MessageID] = m.ID
	return m, nil
}

// foundBy are the columns beside the document of a mail: id, number, game, message_id, sha256, recipient, state, next
// and changed.
func foundBy(m store.Mail) []any {
	var message *string
	if m.MessageID != "" {
		message = &m.MessageID
	}
	return []any{m.ID, m.Number, m.Game, message, m.SHA256, strings.ToLower(m.To), string(m.State), millis(m.Next), changed(m)}
}

// update gathers a mail that is there, as it is now.
func (w *writing) update(m store.Mail) error {
	return w.put(m, `update outgoing set number = $2, game = $3, message_id = $4, sha256 = $5, recipient = $6, state = $7, next = $8,
		changed = $9, document = $10 where id = $1`, foundBy(m)...)
}

// millis is a moment in the queue. The zero moment comes before all others.
func millis(at time.Time) int64 { return at.UnixMilli() }

// changed is when the fate of a mail was last marked; nil for never.
func changed(m store.Mail) *int64 {
	if m.Changed.IsZero() {
		return nil
	}
	at := m.Changed.UnixMicro()
	return &at
}

// replace takes mails out of the queue that others of the same Change make needless. fresh are
// those of the Change itself.
func (w *writing) replace(fresh map[string]store.Mail, replaces map[string]string) error {
	for _, by := range slices.Sorted(maps.Keys(replaces)) {
		m, isFresh := fresh[replaces[by]]
		if !isFresh {
			var err error
			if m, err = w.mail(replaces[by]); err != nil {
				return err
			}
		}
		if !m.Replace(by) {
			continue
		}
		if err := w.update(m); err != nil {
			return err
		}
	}
	return nil
}

func (t tx) mail(id string) (store.Mail, error) {
	m, there, err := one[store.Mail](t, `select document from outgoing where id = $1`, id)
	if err == nil && !there {
		err = fmt.Errorf("mail %q: %w", id, store.ErrNotFound)
	}
	return m, err
}

// Mail is one outgoing mail.
func (db *DB) Mail(id string) (m store.Mail, err error) {
	err = db.ask(func(t tx) (err error) { m, err = t.mail(id); return err })
	return m, failed("reading a mail", err)
}

// FindMessage is the outgoing mail with a Message-ID.
func (db *DB) FindMessage(messageID string) (m store.Mail, err error) {
	err = db.ask(func(t tx) (err error) {
		var there bool
		m, there, err = one[store.Mail](t, `select document from outgoing where message_id = $1`, messageID)
		if err == nil && !there {
			err = fmt.Errorf("Message-ID %q: %w", messageID, store.ErrNotFound)
		}
		return err
	})
	return m, failed("finding a mail", err)
}

// listed are the mails that a query finds.
func (db *DB) listed(doing, query string, args ...any) (mails []store.Mail, err error) {
	err = db.ask(func(t tx) (err error) { mails, err = all[store.Mail](t, query, args...); return err })
	return mails, failed(doing, err)
}

// Mails are all outgoing mails of a game.
func (db *DB) Mails(game string) ([]store.Mail, error) {
	return db.listed("reading the mails of a game", `select document from outgoing where game = $1 and game <> '' order by number`, game)
}

// MailsSince are the newest mails of a game.
func (db *DB) MailsSince(game string, since time.Time) ([]store.Mail, error) {
	return db.listed("reading the new mails of a game", `select document from outgoing where game = $1 and number >= coalesce((
		select max(number) from outgoing where game = $1 and changed < $2), 0) order by number desc`, game, since.UnixMicro())
}

// lost finds mails that a node was sending that has not been heard of since, or whose lease has run
// out: nobody knows how far it got, and another one sends them under the same Message-ID.
var lost = fmt.Sprintf(`state = 'sending' and (leased < now() or not exists (
	select 1 from nodes where name = outgoing.sender and seen > now() - interval '%d seconds'))`, int(store.Quiet.Seconds()))

// Queue are the mails whose time has come, with those that were lost.
func (db *DB) Queue(now time.Time, limit int) ([]store.Mail, error) {
	var most *int // nil is no limit
	if limit > 0 {
		most = &limit
	}
	mails, err := db.listed("reading the queue", `select document from outgoing where (state = 'queued' and next <= $1) or (`+lost+`)
		order by next, number limit $2`, millis(now), most)
	for i := range mails {
		mails[i].State = store.MailQueued
	}
	return slices.DeleteFunc(mails, func(m store.Mail) bool { return m.Next.After(now) }), err
}

// NextAttempt is when the first queued mail may be sent, or one that is being sent is lost.
func (db *DB) NextAttempt() (at time.Time, ok bool, err error) {
	first, err := db.listed("reading the queue", `select document from outgoing where state = 'queued' order by next, number limit 1`)
	if err != nil {
		return at, false, err
	}
	if len(first) > 0 {
		return first[0].Next, true, nil
	}
	err = db.read(func(t tx) error {
		leased, err := column[time.Time](t, `select least(leased, coalesce(seen, now()) + $1::interval) from outgoing
			left join nodes on name = sender where state = 'sending' order by 1 limit 1`, store.Quiet)
		if len(leased) > 0 {
			at, ok = leased[0], true
		}
		return err
	})
	return at, ok, failed("reading the leases", err)
}

// alter changes one mail.
func (db *DB) alter(doing, id string, f func(m *store.Mail) error) (m store.Mail, err error) {
	err = db.write(func(t tx) error {
		var err error
		if m, err = t.mail(id); err != nil {
			return err
		}
		if err := f(&m); err != nil {
			return err
		}
		w := &writing{tx: t}
		if err := w.update(m); err != nil {
			return err
		}
		return w.send()
	})
	if err != nil {
		return store.Mail{}, failed(doing, err)
	}
	return m, nil
}

// MarkSending marks a queued mail before the first byte of it goes out: it is leased to this node.
func (db *DB) MarkSending(id string, now time.Time) (m store.Mail, err error) {
	err = db.write(func(t tx) error {
		var err error
		if m, err = t.mail(id); err != nil {
			return err
		}
		if m.State == store.MailSending { // only then: who reads the nodes is overtaken by every beat of theirs
			isLost, err := t.is(`select 1 from outgoing where id = $1 and `+lost, id)
			if err != nil {
				return err
			}
			if isLost {
				m.State = store.MailQueued
			}
		}
		if err := m.Send(now); err != nil {
			return err
		}
		w := &writing{tx: t}
		if err := w.update(m); err != nil {
			return err
		}
		w.add(`update outgoing set sender = $2, leased = now() + $3::interval where id = $1`, id, db.node, Lease)
		w.add(`insert into nodes (name, about, since, seen, knows) values ($1, '', now(), now(), $2) on conflict (name) do update set seen = excluded.seen`, db.node, db.knows)
		return w.send()
	})
	if err != nil {
		return store.Mail{}, failed("sending a mail", err)
	}
	return m, nil
}

// MarkResult records what became of a mail.
func (db *DB) MarkResult(id string, r store.Result) error {
	_, err := db.alter("recording the fate of a mail", id, func(m *store.Mail) error { return m.Take(r) })
	return err
}

// Requeue queues what this node was sending when its last process stopped. What others are
// sending is theirs, as long as their leases last.
func (db *DB) Requeue() (mails int, err error) {
	const doing = "queueing again"
	sending, err := db.listed(doing, `select document from outgoing where state = 'sending' and sender = $1 order by number`, db.node)
	if err != nil {
		return 0, err
	}
	// One by one: who looks through all of the outbox and writes into it is overtaken by every mail that others send.
	for _, m := range sending {
		isOurs := false
		err := db.write(func(t tx) (err error) {
			isOurs, err = t.is(`select 1 from outgoing where id = $1 and state = 'sending' and sender = $2`, m.ID, db.node)
			if err != nil || !isOurs {
				return err
			}
			if m, err = t.mail(m.ID); err != nil {
				return err
			}
			m.State = store.MailQueued
			w := &writing{tx: t}
			if err := w.update(m); err != nil {
				return err
			}
			return w.send()
		})
		if err != nil {
			return mails, failed(doing, err)
		}
		if isOurs {
			mails++
		}
	}
	return mails, nil
}

// bytesOf reads the bytes of a mail by their SHA-256 out of a table.
func (db *DB) bytesOf(doing, query, sha string) (raw []byte, err error) {
	if _, err := store.SHAKey(sha); err != nil {
		return nil, failed(doing, err)
	}
	err = db.read(func(t tx) error {
		err := t.QueryRow(t.ctx, query, sha).Scan(&raw)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return fmt.Errorf("%s: %w", sha, store.ErrNotFound)
		case err == nil && store.Sum(raw) != sha:
			return fmt.Errorf("%s: %w", sha, store.ErrDamaged)
		}
		return err
	})
	if err != nil {
		return nil, failed(doing, err)
	}
	return raw, nil
}
