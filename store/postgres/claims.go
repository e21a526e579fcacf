package postgres

import (
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"fieldpost/store"
)

var _ store.Shared = (*DB)(nil)

// Claim says that this node works at a thing; see store.Shared. The database's clock counts.
func (db *DB) Claim(name string) (ours bool, err error) {
	err = db.write(func(t tx) error {
		done, err := t.Exec(t.ctx, `insert into claims values ($1, $2, now() + $3::interval) on conflict (name) do update
			set node = excluded.node, until = excluded.until where claims.node = excluded.node or claims.until < now()`,
			name, db.node, store.ClaimTime)
		ours = done.RowsAffected() == 1
		return err
	})
	return ours, failed("claiming "+name, err)
}

// Release ends a claim of this node.
func (db *DB) Release(name string) error {
	return failed("letting go of "+name, db.write(func(t tx) error {
		return t.run(`delete from claims where name = $1 and node = $2`, name, db.node)
	}))
}

// Now is what the database's clock says, as of the last time that it was asked.
func (db *DB) Now() time.Time { return db.local().Add(time.Duration(db.ahead.Load())) }

// setClock asks the database what time it is. Half of the way there and back is reckoned in.
func (db *DB) setClock() error {
	asked := db.local()
	var now time.Time
	err := db.ask(func(t tx) error { return t.QueryRow(t.ctx, `select clock_timestamp()`).Scan(&now) })
	if err == nil {
		took := db.local().Sub(asked)
		db.ahead.Store(int64(now.Sub(asked.Add(took / 2))))
	}
	return err
}

// Alive says that this node is at work, and sets its clock.
func (db *DB) Alive(about string, roles []string) error {
	if err := db.setClock(); err != nil {
		return failed("asking for the time", err)
	}
	return failed("saying that this node is at work", db.write(func(t tx) error {
		if err := db.admitted(t); err != nil {
			return err
		}
		return t.run(`insert into nodes (name, about, since, seen, roles, knows) values ($1, $2, now(), now(), $4, $5) on conflict (name) do update set
			about = excluded.about, seen = excluded.seen, since = case when nodes.seen < now() - $3::interval then now() else nodes.since end,
			roles = excluded.roles, knows = excluded.knows`,
			db.node, about, store.Quiet, strings.Join(roles, ","), db.knows)
	}))
}

// Sweep says that all mail that had arrived by a moment is handled.
func (db *DB) Sweep(at time.Time) error {
	return failed("noting a look through the mailbox", db.write(func(t tx) error {
		return t.run(`insert into sweep (at) values ($1) on conflict (one) do update set at = greatest(sweep.at, excluded.at)`, at)
	}))
}

// Swept is the latest moment of a Sweep.
func (db *DB) Swept() (at time.Time, err error) {
	err = db.read(func(t tx) error {
		all, err := column[time.Time](t, `select at from sweep`)
		if len(all) > 0 {
			at = all[0]
		}
		return err
	})
	return at, failed("reading when the mailbox was looked through", err)
}

// Leave says that this node ends.
func (db *DB) Leave() error {
	return failed("leaving", db.write(func(t tx) error {
		if err := t.run(`delete from claims where node = $1`, db.node); err != nil {
			return err
		}
		return t.run(`delete from nodes where name = $1`, db.node)
	}))
}

// Nodes are those that have been heard of in the last day.
func (db *DB) Nodes() (nodes []store.Node, err error) {
	err = db.read(func(t tx) error {
		nodes = nil
		rows, err := t.Query(t.ctx, `select name, about, roles, since, extract(epoch from now() - seen)::float8,
			array(select c.name from claims c where c.node = n.name and c.until > now() and c.name not like 'mail/%' order by c.name)
			from nodes n where seen > now() - interval '1 day' order by name`)
		if err != nil {
			return err
		}
		var n store.Node
		var roles string
		var quiet float64
		_, err = pgx.ForEachRow(rows, []any{&n.Name, &n.About, &roles, &n.Since, &quiet, &n.Works}, func() error {
			n.Roles = strings.FieldsFunc(roles, func(r rune) bool { return r == ',' })
			n.Quiet = time.Duration(quiet * float64(time.Second)).Round(time.Second)
			nodes = append(nodes, n)
			n.Works = nil
			return nil
		})
		return err
	})
	return nodes, failed("reading the nodes", err)
}

// Standbys counts the servers that follow this one. Who may not see how far they are (the role
// pg_monitor may) is told -1.
func (db *DB) Standbys() (copies int, behind int64, err error) {
	err = db.read(func(t tx) error {
		return t.QueryRow(t.ctx, `select count(*), coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)), case when count(*) = 0 then 0 else -1 end)::bigint
			from pg_stat_replication`).Scan(&copies, &behind)
	})
	return copies, behind, failed("looking at the standbys", err)
}
