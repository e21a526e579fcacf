package postgres

import "fieldpost/store"

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
