package postgres

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"fieldpost/store"
)

var _ store.Movable = (*DB)(nil)

// table is how the rows of one table become records: its query's columns are a game or nothing, a
// document, and bytes.
type table struct {
	query string
	row   func(of, document string, raw []byte) (store.Row, error)
}

// typed makes rows of documents.
func typed[T any](query string, row func(of string, v *T, raw []byte) store.Row) table {
	return table{query, func(of, document string, raw []byte) (store.Row, error) {
		v, err := parsed[T](document)
		return row(of, &v, raw), err
	}}
}

// tables are all that is kept, but for outgoing mails, in the order of store.Movable.
var tables = []table{
	typed(`select '', document::text, null::bytea from games order by id`, func(_ string, g *store.Game, _ []byte) store.Row { return store.Row{Game: g} }),
	typed(`select game, document::text, position from phases order by game, number`, func(of string, p *store.Phase, position []byte) store.Row {
		p.Snapshot = position
		return store.Row{Of: of, Phase: p}
	}),
	typed(`select game, document::text, null::bytea from open_phases order by game`,
		func(of string, open *store.OpenPhase, _ []byte) store.Row { return store.Row{Of: of, Open: open} }),
	typed(`select game, document::text, null::bytea from steps order by game, seq`,
		func(of string, s *store.Step, _ []byte) store.Row { return store.Row{Of: of, Step: s} }),
	typed(`select place::text, document::text, null::bytea from sheets order by game, seq, place`, func(place string, s *store.Sheet, _ []byte) store.Row {
		row := store.Row{Sheet: s}
		fmt.Sscan(place, &row.Place)
		return row
	}),
	typed(`select coalesce(recipe::text, ''), document::text, raw from outgoing left join sent_bytes using (sha256) order by number`,
		func(recipe string, m *store.Mail, raw []byte) store.Row {
			if !m.Pruned {
				m.Raw, m.Recipe = raw, nil
			}
			if recipe != "" && !m.Pruned {
				m.Recipe = json.RawMessage(recipe)
			}
			return store.Row{Mail: m}
		}),
	typed(`select '', document::text, raw from handled left join received_bytes using (sha256) order by sha256`,
		func(_ string, h *store.Handled, raw []byte) store.Row {
			if !h.Spooled {
				raw = nil
			}
			return store.Row{Handled: h, Raw: raw}
		}),
	typed(`select '', document::text, raw from incoming left join received_bytes using (sha256) order by received, number`,
		func(_ string, m *store.Incoming, raw []byte) store.Row { return store.Row{Arrived: m, Raw: raw} }),
	typed(`select '', json_build_object('mailbox', mailbox, 'validity', validity, 'uid', uid, 'mark', document)::text, null::bytea from messages
		order by mailbox, validity, uid`, func(_ string, m *store.MessageRow, _ []byte) store.Row { return store.Row{Message: m} }),
	typed(`select '', json_build_object('mailbox', mailbox, 'validity', validity, 'low', low)::text, null::bytea from mailboxes order by mailbox, validity`,
		func(_ string, m *store.MailboxRow, _ []byte) store.Row { return store.Row{Mailbox: m} }),
	{`select name, '', value from notes order by name`, func(name, _ string, value []byte) (store.Row, error) {
		return store.Row{Note: &store.NoteRow{Name: name, Value: value}}, nil
	}},
}

// Rows calls f for everything that is in the store; see store.Movable.
func (db *DB) Rows(f func(store.Row) error) error {
	return failed("reading everything", db.look(func(t tx) error {
		for _, table := range tables {
			rows, err := t.Query(t.ctx, table.query)
			if err != nil {
				return err
			}
			var of, document string
			var raw []byte
			if _, err := pgx.ForEachRow(rows, []any{&of, &document, &raw}, func() error {
				row, err := table.row(of, document, bytes.Clone(raw))
				if err == nil && row.Game != nil {
					*row.Game, err = each(*row.Game, t.seals.open)
				}
				if err == nil && row.Mail != nil && row.Mail.Raw == nil && !row.Mail.Pruned {
					row.Mail.Raw, err = db.MailBytes(row.Mail.SHA256) // it is kept lean
				}
				if err != nil {
					return err
				}
				return f(row)
			}); err != nil {
				return err
			}
		}
		return nil
	}))
}

// rowsAtOnce is how many rows go to the database in one batch.
const rowsAtOnce = 500

// filling is an empty store that is being filled, in one transaction.
type filling struct {
	writing
	numbers uint64 // of mails
	arrived uint64 // number of a mail to be handled
}

// Fill begins to fill the store; see store.Movable.
func (db *DB) Fill() (store.Filling, error) {
	if err := store.Empty(db); err != nil {
		return nil, err
	}
	ctx := context.Background()
	begun, err := db.pool.Begin(ctx)
	if err != nil {
		return nil, failed("filling", err)
	}
	return &filling{writing: writing{tx: tx{ctx, begun, db.seals}}}, nil
}

// Put gathers a row.
func (f *filling) Put(r store.Row) error {
	if err := f.row(r); err != nil {
		return failed("filling", err)
	}
	if f.batch.Len() < rowsAtOnce {
		return nil
	}
	return failed("filling", f.flush())
}

func (f *filling) flush() error {
	err := f.send()
	f.batch = pgx.Batch{}
	return named(err)
}

// End keeps everything.
func (f *filling) End() error {
	if f.numbers > 0 {
		f.add(`select setval('outgoing_number', $1)`, f.numbers)
	}
	if f.arrived > 0 {
		f.add(`select setval('incoming_number', $1)`, f.arrived)
	}
	if err := f.flush(); err != nil {
		return failed("filling", err)
	}
	return failed("filling", f.Commit(f.ctx))
}

func (f *filling) row(r store.Row) error {
	switch {
	case r.Game != nil:
		return f.gameRow(*r.Game)
	case r.Phase != nil:
		return f.phaseRow(r.Of, *r.Phase)
	case r.Open != nil:
		return f.openRow(r.Of, *r.Open)
	case r.Step != nil:
		return f.stepRow(r.Of, *r.Step)
	case r.Sheet != nil:
		return f.sheetRow(*r.Sheet, r.Place)
	case r.Mail != nil:
		f.numbers = max(f.numbers, r.Mail.Number)
		return f.mailRow(*r.Mail)
	case r.Handled != nil:
		if r.Raw != nil {
			f.add(keepReceived, r.Handled.SHA256, r.Raw)
		}
		return f.handledRow(*r.Handled)
	case r.Arrived != nil:
		f.arrived = max(f.arrived, r.Arrived.Number)
		f.add(keepReceived, r.Arrived.SHA256, r.Raw)
		return f.incomingRow(*r.Arrived)
	case r.Message != nil:
		return f.markRow(message{r.Message.Mailbox, r.Message.Validity, r.Message.UID}, r.Message.Mark)
	case r.Mailbox != nil:
		f.lowRow(r.Mailbox.Mailbox, r.Mailbox.Validity, r.Mailbox.Low)
	case r.Note != nil:
		f.noteRow(r.Note.Name, r.Note.Value)
	default:
		return fmt.Errorf("%w: an empty row", store.ErrInvalid)
	}
	return nil
}
