package postgres

import (
	"cmp"
	"strings"

	"github.com/jackc/pgx/v5"

	"fieldpost/store"
)

var _ store.Movable = (*DB)(nil)

// columns are what is read of a row of a table: of which game it is, or how it is named; its number, and
// whatever else counts; its document; bytes as they are, or packed, and what they build on.
type columns struct {
	name, recipe, on  string
	number, validity  int64
	text, raw, packed []byte
}

// table is how the rows of one table are read.
type table struct {
	kind  store.RowKind
	query string
	// extra are the columns raw, packed, on and recipe; "" for none of them.
	extra string
}

const (
	noBytes   = "null::bytea, null::bytea, '', ''"
	plainRaw  = "raw, null::bytea, '', ''"
	spooled   = "case when coalesce((document->>'spooled')::boolean, false) then raw end, null::bytea, '', ''"
	sentRaw   = "raw, lean, coalesce(builds_on, ''), case when raw is null then '' else coalesce(recipe::text, '') end"
	positions = "position, packed, coalesce(builds_on::text, ''), ''"
)

// tables are all that is kept, in the order of store.Movable.
var tables = []table{
	{store.GameRow, `select '', 0, 0, document::text, % from games order by id`, noBytes},
	{store.PhaseRow, `select game, number, 0, document::text, % from phases order by game, number`, positions},
	{store.OpenRow, `select game, 0, 0, document::text, % from open_phases order by game`, noBytes},
	{store.StepRow, `select game, seq, 0, document::text, % from steps order by game, seq`, noBytes},
	{store.SheetRow, `select '', place, 0, document::text, % from sheets order by game, seq, place`, noBytes},
	{store.MailRow, `select id, 0, 0, document::text, % from outgoing left join sent_bytes using (sha256) order by game, number`, sentRaw},
	{store.HandledRow, `select sha256, 0, 0, document::text, % from handled left join received_bytes using (sha256) order by sha256`, spooled},
	{store.ArrivedRow, `select '', 0, 0, document::text, % from incoming left join received_bytes using (sha256) order by received, number`, plainRaw},
	{store.MessageRow, `select mailbox, uid, validity, document::text, % from messages order by mailbox, validity, uid`, noBytes},
	{store.MailboxRow, `select mailbox, low, validity, null::bytea, % from mailboxes order by mailbox, validity`, noBytes},
	{store.NoteRow, `select name, 0, 0, value, % from notes order by name`, noBytes},
}

// row is what the columns say of a row.
func (t tx) row(kind store.RowKind, c *columns) (store.Row, error) {
	r := store.Row{Kind: kind, Name: c.name, Number: uint64(c.number), Validity: uint32(c.validity), Text: c.text, Raw: c.raw}
	switch kind {
	case store.GameRow:
		return r, t.openText(&r)
	case store.PhaseRow, store.OpenRow, store.StepRow:
		r.Game, r.Name = c.name, ""
	}
	if c.packed != nil {
		r.Packed = &store.Packed{On: c.on, Bytes: c.packed}
	}
	if c.recipe != "" {
		r.Recipe = []byte(c.recipe)
	}
	return r, nil
}

// openText opens the secrets in the document of a game.
func (t tx) openText(r *store.Row) error {
	g, err := store.Parsed[store.Game](r.Text)
	if err == nil {
		g, err = each(g, t.seals.open)
	}
	if err == nil {
		r.Text, err = store.Document(g)
	}
	return err
}

// Rows calls f for everything that is in the store; see store.Movable.
func (db *DB) Rows(f func(store.Row) error) error {
	return failed("reading everything", db.look(func(t tx) error { return t.everything(f) }))
}

// unhurried lifts the limits of statements and of pauses between them, for work that takes as long as it takes.
func (t tx) unhurried() error {
	return t.set(`statement_timeout = 0`, `idle_in_transaction_session_timeout = 0`)
}

// inOrder has the server read in an order by its indexes: what it sorts goes through its files.
func (t tx) inOrder() error {
	return t.set(`enable_sort = off`, `enable_hashjoin = off`, `enable_mergejoin = off`, `jit = off`)
}

// set makes settings for this transaction.
func (t tx) set(settings ...string) error {
	for _, s := range settings {
		if err := t.run(`set local ` + s); err != nil {
			return err
		}
	}
	return nil
}

// everything calls f for everything that is in the store.
func (t tx) everything(f func(store.Row) error) error {
	if err := cmp.Or(t.unhurried(), t.inOrder()); err != nil {
		return err
	}
	for _, table := range tables {
		rows, err := t.Query(t.ctx, strings.Replace(table.query, "%", table.extra, 1))
		if err != nil {
			return err
		}
		var c columns
		into := []any{&c.name, &c.number, &c.validity, &c.text, &c.raw, &c.packed, &c.on, &c.recipe}
		if _, err := pgx.ForEachRow(rows, into, func() error {
			row, err := t.row(table.kind, &c)
			if err != nil {
				return err
			}
			return f(row)
		}); err != nil {
			return err
		}
	}
	return nil
}
