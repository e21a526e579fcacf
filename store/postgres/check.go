package postgres

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"

	"fieldpost/store"
	"fieldpost/store/lean"
	"fieldpost/store/packing"
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
	{`select sha256 from sent_bytes s where builds_on is not null and not exists (select 1 from sent_bytes b
		where b.sha256 = s.builds_on and b.lean is not null and b.builds_on is null)`, "the outgoing mail %s builds on one that there is not"},
	{`select game || ' ' || number from phases p where builds_on is not null and not exists (select 1 from phases b
		where b.game = p.game and b.number = p.builds_on and b.builds_on is null)`, "the position of phase %s builds on one that there is not"},
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
// hashes of positions and of all bytes of mails. These are looked at side by side, each at a moment of its own.
func (db *DB) Check() (wrong []error) {
	looks := []func(tx, func(string, ...any)) error{tx.relations, tx.wholeOnes, tx.positions, tx.leanOnes}
	found := make([][]error, len(looks))
	var all sync.WaitGroup
	for i, look := range looks {
		add := func(format string, args ...any) {
			found[i] = append(found[i], failed("checking", fmt.Errorf(format, args...)))
		}
		all.Go(func() {
			if err := db.read(func(t tx) error {
				found[i] = nil
				return cmp.Or(t.unhurried(), look(t, add))
			}); err != nil {
				add("%w", err)
			}
		})
	}
	all.Wait()
	return slices.Concat(found...)
}

// relations asks what has no answer in a sound store.
func (t tx) relations(add func(string, ...any)) error {
	for _, f := range faults {
		names, err := column[string](t, f.query)
		if err != nil {
			return err
		}
		for _, name := range names {
			add(f.wrong, name)
		}
	}
	return nil
}

// wholeOnes compares mails that are kept whole with their hashes.
func (t tx) wholeOnes(add func(string, ...any)) error {
	for _, of := range []struct{ query, what string }{
		{`select sha256, raw from sent_bytes where raw is not null`, "the outgoing mail"},
		{`select sha256, raw from received_bytes`, "the incoming mail"},
	} {
		rows, err := t.Query(t.ctx, of.query)
		if err != nil {
			return err
		}
		var sha string
		var raw []byte
		if _, err := pgx.ForEachRow(rows, []any{&sha, &raw}, func() error {
			if store.Sum(raw) != sha {
				add("%s %s is not as its hash: %w", of.what, sha, store.ErrDamaged)
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// keptAs is a content as it is kept, plain or packed, with its name, and that of what it builds on.
type keptAs struct {
	name, on      string
	plain, packed []byte
}

// unpacking unpacks what stands behind what it builds on.
type unpacking struct {
	of    string            // a game
	bases map[string][]byte // contents in it that stand for themselves
	packing.Reader
}

// next is the content of the next one, which is of a game. It is good until the next call.
func (u *unpacking) next(of string, k keptAs) (content []byte, err error) {
	if u.bases == nil || of != u.of {
		u.of, u.bases = of, map[string][]byte{}
	}
	switch base := u.bases[k.on]; {
	case k.plain != nil:
		content = k.plain
	case k.on == "":
		content, err = packing.Unpack(k.packed)
	case base == nil:
		return nil, fmt.Errorf("%w: it builds on %s, which does not stand before it", store.ErrDamaged, k.on)
	default:
		return u.Unpack(base, k.packed)
	}
	u.bases[k.name] = content
	return content, err
}

// positions compares those of phases with their hashes.
func (t tx) positions(add func(string, ...any)) error {
	if err := t.inOrder(); err != nil {
		return err
	}
	rows, err := t.Query(t.ctx, `select game, number::text, document->>'hash', position, packed, coalesce(builds_on::text, '')
		from phases order by game, phases.number`)
	if err != nil {
		return err
	}
	var game, hash string
	var k keptAs
	var u unpacking
	defer u.Close()
	_, err = pgx.ForEachRow(rows, []any{&game, &k.name, &hash, &k.plain, &k.packed, &k.on}, func() error {
		position, err := u.next(game, k)
		if err == nil && store.Sum(position) != hash {
			err = store.ErrDamaged
		}
		if err != nil {
			add("the position of phase %s %s is not as its hash: %w", game, k.name, err)
		}
		return nil
	})
	return err
}

// leanOnes reads the mails that are kept without what can be drawn again, and unpacks them game by game on all
// processors; zstd compares a checksum.
func (t tx) leanOnes(add func(string, ...any)) error {
	if err := t.inOrder(); err != nil {
		return err
	}
	rows, err := t.Query(t.ctx, `select game, sha256, coalesce(builds_on, ''), lean from outgoing join sent_bytes using (sha256) where raw is null
		order by game, builds_on is not null`)
	if err != nil {
		return err
	}
	games := make(chan []keptAs)
	var all sync.WaitGroup
	var adding sync.Mutex
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for mails := range games {
				unpackAll(mails, func(name string, err error) {
					adding.Lock()
					defer adding.Unlock()
					add("the outgoing mail %s is not as it was written: %w", name, err)
				})
			}
		})
	}
	var of, game string
	var k keptAs
	var mails []keptAs
	_, err = pgx.ForEachRow(rows, []any{&of, &k.name, &k.on, &k.packed}, func() error {
		full := game == "" && len(mails) == mostOfNoGame
		if of != game || full {
			games <- mails
			game, mails = of, nil
		}
		mails = append(mails, k)
		return nil
	})
	games <- mails
	close(games)
	all.Wait()
	return err
}

// mostOfNoGame is how many mails that are of no game are unpacked together: none of them builds on another.
const mostOfNoGame = 500

// unpackAll tells of the mails of a game that cannot be unpacked to what they should be.
func unpackAll(mails []keptAs, wrong func(name string, err error)) {
	var u unpacking
	defer u.Close()
	for _, k := range mails {
		content, err := u.next("", k)
		if err == nil {
			err = lean.Check(content)
		}
		if err != nil {
			wrong(k.name, err)
		}
	}
}
