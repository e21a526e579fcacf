package postgres

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"fieldpost/store"
)

// What goes to the database at once.
const (
	rowsAtOnce  = 2000
	bytesAtOnce = 16 << 20
)

// filling is an empty store that is being filled, in one transaction: rows are gathered by their tables, and
// sent with COPY.
type filling struct {
	tx
	begun   pgx.Tx
	again   string // the statements that make the loose parts of the tables again
	rows    [bulks][][]any
	aside   store.Aside // sends those before them
	waiting int         // rows
	size    int         // their bytes
	// there are the bytes of mails that were put: two mails may have the same ones.
	there            map[string]bool
	numbers, arrived uint64 // of mails, and of mails to be handled
}

// bulk names a table that is filled.
type bulk int

// The tables, what others refer to first.
const (
	games bulk = iota
	seats
	phases
	openPhases
	steps
	sheets
	sentBytes
	outgoing
	receivedBytes
	handled
	incoming
	messages
	mailboxes
	notes
	bulks
)

// filled are the tables with their columns.
var filled = [bulks]struct{ name, columns string }{
	games:         {"games", "id seq phases status document"},
	seats:         {"seats", "of value game side"},
	phases:        {"phases", "game number position packed builds_on document"},
	openPhases:    {"open_phases", "game document"},
	steps:         {"steps", "game seq document"},
	sheets:        {"sheets", "game name side turn seq place document"},
	sentBytes:     {"sent_bytes", "sha256 raw lean builds_on"},
	outgoing:      {"outgoing", "recipe unlooked id number game message_id sha256 recipient state next changed document"},
	receivedBytes: {"received_bytes", "sha256 raw"},
	handled:       {"handled", "sha256 game document"},
	incoming:      {"incoming", "sha256 number lane received document"},
	messages:      {"messages", "mailbox validity uid final document"},
	mailboxes:     {"mailboxes", "mailbox validity low"},
	notes:         {"notes", "name value"},
}

// Fill begins to fill the store; see store.Movable.
func (db *DB) Fill() (store.Filling, error) {
	if err := store.Empty(db); err != nil {
		return nil, err
	}
	ctx := context.Background()
	begun, err := db.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead})
	if err != nil {
		return nil, failed("filling", err)
	}
	f := &filling{tx: tx{ctx, begun, db.seals}, begun: begun, there: map[string]bool{}}
	return f, failed("filling", cmp.Or(f.unhurried(), f.bare()))
}

// looseParts are what a table can be without while it is filled: indexes that nothing unique hangs on, and foreign
// keys. They are made in a fraction of the time once the rows are there. This asks for the statements that take all
// of them away, and for those that make them again.
const looseParts = `select coalesce(string_agg(away, ';'), ''), coalesce(string_agg(again, ';'), '') from (
	select format('alter table %s drop constraint %I', conrelid::regclass, conname) as away,
		format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as again
		from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace
	union all select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
		from pg_index join pg_class on oid = indexrelid where not indisunique and relnamespace = current_schema()::regnamespace) parts`

// bare takes the loose parts away. Who gives up has them back.
func (f *filling) bare() error {
	var away string
	if err := f.QueryRow(f.ctx, looseParts).Scan(&away, &f.again); err != nil {
		return err
	}
	return f.run(away)
}

// GiveUp leaves the store as empty as it was, unless it was ended.
func (f *filling) GiveUp() {
	_ = f.aside.Wait()
	_ = f.begun.Rollback(f.ctx)
}

// Put gathers a row.
func (f *filling) Put(r store.Row) error {
	if err := f.row(r); err != nil {
		return failed("filling", err)
	}
	f.waiting, f.size = f.waiting+1, f.size+r.Size()
	if f.waiting < rowsAtOnce && f.size < bytesAtOnce {
		return nil
	}
	return failed("filling", f.aside.Do(f.flush()))
}

// settle has all rows in the database, and the tables as they were.
func (f *filling) settle() error {
	if err := cmp.Or(f.aside.Do(f.flush()), f.aside.Wait()); err != nil {
		return failed("filling", err)
	}
	again := f.again
	f.again = ""
	return failed("filling", f.run(again))
}

// Rows are what was put; see store.Filling.
func (f *filling) Rows(each func(store.Row) error) error {
	if err := f.settle(); err != nil {
		return err
	}
	return failed("reading everything", f.everything(each))
}

// End keeps everything.
func (f *filling) End() error {
	err := f.settle()
	if err == nil && f.numbers > 0 {
		err = f.run(`select setval('outgoing_number', $1)`, f.numbers)
	}
	if err == nil && f.arrived > 0 {
		err = f.run(`select setval('incoming_number', $1)`, f.arrived)
	}
	if err == nil {
		err = f.begun.Commit(f.ctx)
	}
	return failed("filling", err)
}

// flush takes the rows that wait, and returns what sends them.
func (f *filling) flush() func() error {
	gathered := f.rows
	f.rows, f.waiting, f.size = [bulks][][]any{}, 0, 0
	return func() error {
		for b, rows := range gathered {
			if len(rows) == 0 {
				continue
			}
			if _, err := f.begun.CopyFrom(f.ctx, pgx.Identifier{filled[b].name}, strings.Fields(filled[b].columns), pgx.CopyFromRows(rows)); err != nil {
				return named(err)
			}
		}
		return nil
	}
}

// add gathers a row of a table.
func (f *filling) add(to bulk, values ...any) { f.rows[to] = append(f.rows[to], values) }

func (f *filling) row(r store.Row) error {
	switch text := string(r.Text); r.Kind {
	case store.GameRow:
		return f.game(r)
	case store.PhaseRow:
		return f.phase(r)
	case store.OpenRow:
		f.add(openPhases, r.Game, text)
	case store.StepRow:
		f.add(steps, r.Game, r.Number, text)
	case store.SheetRow:
		s, err := store.Parsed[store.Sheet](r.Text)
		f.add(sheets, s.Game, s.Name(), s.Side, s.Turn, s.Seq, r.Number, text)
		return err
	case store.MailRow:
		return f.mail(r)
	case store.HandledRow:
		h, err := store.Parsed[store.Handled](r.Text)
		f.received(h.SHA256, r.Raw)
		f.add(handled, h.SHA256, h.Game, text)
		return err
	case store.ArrivedRow:
		m, err := store.Parsed[store.Incoming](r.Text)
		f.arrived = max(f.arrived, m.Number)
		f.received(m.SHA256, r.Raw)
		f.add(incoming, m.SHA256, m.Number, m.Lane, m.Moment(), text)
		return err
	case store.MessageRow:
		m, err := store.Parsed[store.UIDMark](r.Text)
		f.add(messages, r.Name, r.Validity, r.Number, m.Final(), text)
		return err
	case store.MailboxRow:
		f.add(mailboxes, r.Name, r.Validity, r.Number)
	case store.NoteRow:
		f.add(notes, r.Name, r.Text)
	default:
		return fmt.Errorf("%w: a row of kind %d", store.ErrInvalid, r.Kind)
	}
	return nil
}

// game gathers a game, with its seats.
func (f *filling) game(r store.Row) error {
	g, err := store.Parsed[store.Game](r.Text)
	if err != nil {
		return err
	}
	for _, s := range seatsOf(g) {
		f.add(seats, s.Of, s.Value, g.ID, s.Side)
	}
	closed, err := each(g, f.seals.seal)
	if err != nil {
		return err
	}
	text, err := document(closed)
	f.add(games, g.ID, g.Seq, g.Phases, string(g.Status), text)
	return err
}

func (f *filling) phase(r store.Row) error {
	if r.Packed == nil {
		f.add(phases, r.Game, r.Number, r.Raw, nil, nil, string(r.Text))
		return nil
	}
	var on *int64
	if r.Packed.On != "" {
		number, err := strconv.ParseInt(r.Packed.On, 10, 64)
		if err != nil {
			return fmt.Errorf("%w: a position builds on %q", store.ErrInvalid, r.Packed.On)
		}
		on = &number
	}
	f.add(phases, r.Game, r.Number, nil, r.Packed.Bytes, on, string(r.Text))
	return nil
}

func (f *filling) mail(r store.Row) error {
	m, err := store.Parsed[store.Mail](r.Text)
	if err != nil {
		return err
	}
	f.numbers = max(f.numbers, m.Number)
	isNew := !m.Pruned && !f.there[m.SHA256]
	f.there[m.SHA256] = f.there[m.SHA256] || isNew
	switch {
	case isNew && r.Packed != nil:
		f.add(sentBytes, m.SHA256, nil, r.Packed.Bytes, orNull(r.Packed.On))
	case isNew:
		f.add(sentBytes, m.SHA256, r.Raw, nil, nil)
	}
	isWhole := !m.Pruned && r.Packed == nil
	f.add(outgoing, append(append([]any{orNull(string(r.Recipe)), isWhole}, foundBy(m)...), string(r.Text))...)
	return nil
}

// orNull is a text, or nothing in the place of "".
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// received gathers the bytes of an incoming mail, if they are kept.
func (f *filling) received(sha string, raw []byte) {
	if raw == nil || f.there["received "+sha] {
		return
	}
	f.there["received "+sha] = true
	f.add(receivedBytes, sha, raw)
}
