package postgres

import (
	"fmt"

	"github.com/jackc/pgx/v5"

	"fieldpost/store"
)

// faults are questions to which a sound store has no answer; each finds the names of what is wrong.
var faults = []struct{ query, wrong string }{
	{`select id from games g where seq <> (select count(*) from steps where game = id) or seq <> (select max(seq) from steps where game = id)`,
		"game %s has not one step for each of its changes"},
	{`select id from games g where phases <> (select count(*) from phases p where p.game = id)
		or phases <> coalesce((select max(number) from phases p where p.game = id), 0)`, "game %s has not the phases that it counts"},
	{`select s.game || ' ' || s.seq from steps s, json_array_elements_text(s.document->'mails') m where not exists (select 1 from outgoing where id = m)`,
		"step %s names a mail that there is not"},
	{`select s.game || ' ' || s.seq from steps s, json_array_elements_text(s.document->'sheets') n
		where not exists (select 1 from sheets t where t.game = s.game and t.name = n)`, "step %s names a sheet that there is not"},
	{`select t.game || ' ' || t.name from sheets t where not exists (select 1 from steps s, json_array_elements_text(s.document->'sheets') n
		where s.game = t.game and s.seq = t.seq and n = t.name)`, "sheet %s is named by no step"},
	{`select id from outgoing o where not coalesce((document->>'pruned')::boolean, false) and not exists (select 1 from sent_bytes b where b.sha256 = o.sha256)`,
		"mail %s has not its bytes"},
	{`select id from outgoing where state <> document->>'state' or number <> (document->>'number')::bigint or id <> document->>'id'`,
		"mail %s is not what it is found by"},
	{`select id from outgoing where game <> '' and not exists (select 1 from games g where g.id = game)`, "mail %s is of a game that there is not"},
	{`select sha256 from handled h where game <> '' and not exists (select 1 from steps s where s.game = h.game
		and s.seq = (h.document->>'seq')::bigint and s.document->>'handled' = sha256)`, "the handled mail %s is in no step of its game"},
	{`select sha256 from handled h where coalesce((document->>'spooled')::boolean, false) <> exists (select 1 from received_bytes b where b.sha256 = h.sha256)`,
		"the handled mail %s is kept, or not kept, otherwise than it says"},
	{`select sha256 from incoming where not exists (select 1 from received_bytes b where b.sha256 = incoming.sha256)`,
		"the incoming mail %s waits, and has not its bytes"},
	{`select sha256 from incoming join handled using (sha256)`, "the incoming mail %s waits, and is handled"},
	{`select m.mailbox || ' ' || m.uid from messages m join mailboxes b using (mailbox, validity) where not m.final and m.uid <= b.low`,
		"the mark of message %s below the low-water mark is pending"},
}

// Check audits the store: the numbers of steps and phases, what steps name, the outbox, and the
// hashes of positions and of all bytes of mails.
func (db *DB) Check() (wrong []error) {
	add := func(format string, args ...any) {
		wrong = append(wrong, failed("checking", fmt.Errorf(format, args...)))
	}
	err := db.read(func(t tx) error {
		wrong = nil
		for _, f := range faults {
			names, err := column[string](t, f.query)
			if err != nil {
				return err
			}
			for _, name := range names {
				add(f.wrong, name)
			}
		}
		return t.hashes(add)
	})
	if err != nil {
		add("%w", err)
	}
	return wrong
}

// hashes compares what is named by its hash with it.
func (t tx) hashes(add func(string, ...any)) error {
	for _, of := range []struct{ query, what string }{
		{`select game || ' ' || number, document->>'hash', position from phases`, "the position of phase"},
		{`select sha256, sha256, raw from sent_bytes where raw is not null`, "the outgoing mail"},
		{`select sha256, sha256, raw from received_bytes`, "the incoming mail"},
	} {
		rows, err := t.Query(t.ctx, of.query)
		if err != nil {
			return err
		}
		var name, hash string
		var raw []byte
		if _, err := pgx.ForEachRow(rows, []any{&name, &hash, &raw}, func() error {
			if store.Sum(raw) != hash {
				add("%s %s is not as its hash: %w", of.what, name, store.ErrDamaged)
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return t.leanOnes(add)
}

// leanOnes reads the mails that are kept without what can be drawn again; zstd compares a checksum.
func (t tx) leanOnes(add func(string, ...any)) error {
	rows, err := t.Query(t.ctx, `select sha256, lean from sent_bytes where raw is null`)
	if err != nil {
		return err
	}
	var name string
	var packed []byte
	_, err = pgx.ForEachRow(rows, []any{&name, &packed}, func() error {
		if _, err := leanOf(packed); err != nil {
			add("the outgoing mail %s is not as it was written: %w", name, err)
		}
		return nil
	})
	return err
}
