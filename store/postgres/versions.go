package postgres

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"fieldpost/store"
)

//go:embed schema/*.sql
var schema embed.FS

// admits is the version of the tables that a program must know to work with those of this one. The
// last migration that older programs would trip over writes it into the table of the same name.
const admits = 7

// versions are those of the tables: what is there, and what this program works with.
func (db *DB) versions() (there, ours int64, err error) {
	steps, err := db.migrations()
	if err != nil {
		return 0, 0, err
	}
	for _, s := range steps.ListSources() {
		ours = max(ours, s.Version)
	}
	known, err := db.exists(context.Background(), `select to_regclass('goose_db_version') is not null`)
	if err != nil || !known {
		return 0, ours, err
	}
	there, err = steps.GetDBVersion(context.Background())
	return there, ours, err
}

func (db *DB) exists(ctx context.Context, question string) (yes bool, err error) {
	err = db.pool.QueryRow(ctx, question).Scan(&yes)
	return yes, err
}

func (db *DB) migrations() (*goose.Provider, error) {
	files, err := fs.Sub(schema, "schema")
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectPostgres, db.std(), files)
}

func (db *DB) std() *sql.DB { return stdlib.OpenDBFromPool(db.pool) }

func (db *DB) suits() error {
	there, ours, err := db.versions()
	if err != nil {
		return err
	}
	db.knows = ours
	switch {
	case there == 0:
		return fmt.Errorf("%w: it has no tables of Fieldpost; `fieldpost store prepare` makes them", store.ErrNotFieldpost)
	case there < ours:
		return fmt.Errorf("%w: its tables are of version %d, and %d is needed; `fieldpost store prepare` brings them up to it",
			store.ErrNotFieldpost, there, ours)
	case there > ours:
		return db.look(db.admitted)
	}
	return nil
}

// admitted says whether this program may work with the tables as they are: it is ErrNewer if they
// were changed so that it would trip over them.
func (db *DB) admitted(t tx) error {
	var least int64
	if err := t.QueryRow(t.ctx, `select version from admits`).Scan(&least); err != nil {
		return err
	}
	if least > db.knows {
		return fmt.Errorf("%w: its tables want a program that knows version %d of them, and this one knows %d", store.ErrNewer, least, db.knows)
	}
	return nil
}

// Prepare makes the tables in the database at a URL, or brings them up to date. A server that is away
// is waited for, as by Open. What is there
// already is left as it is. Daemons of an older program go on beside it where that is possible; where
// it is not, those that are at work must be stopped first: the error names them.
func Prepare(url string) error {
	pool, err := pgxpool.New(context.Background(), url)
	if err != nil {
		return failed("preparing", fmt.Errorf("%w: %w", store.ErrInvalid, err))
	}
	defer pool.Close()
	db := &DB{pool: pool}
	steps, err := db.migrations()
	if err != nil {
		return failed("preparing", err)
	}
	if err := patiently(func() error { return db.look(tooOld) }); err != nil {
		return failed("preparing", err)
	}
	_, err = steps.Up(context.Background())
	return failed("preparing", err)
}

// tooOld names the daemons at work that could not go on with the tables of this program. Those of
// before programs told what they know, know nothing.
func tooOld(t tx) error {
	var there bool
	if err := t.QueryRow(t.ctx, `select to_regclass('nodes') is not null`).Scan(&there); err != nil || !there {
		return err
	}
	names, err := column[string](t, `select name || ' (' || about || ')' from nodes
		where seen > now() - $1::interval and coalesce((to_jsonb(nodes) ->> 'knows')::bigint, 0) < $2 order by name`, store.Quiet, admits)
	if err == nil && len(names) > 0 {
		err = fmt.Errorf("%w that could not go on with the new tables: stop %s first", store.ErrAtWork, strings.Join(names, ", "))
	}
	return err
}
