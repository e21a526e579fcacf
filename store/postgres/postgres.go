// Package postgres keeps a store in a PostgreSQL database, so that several daemons may stand before
// it: a third engine that promises what the others do.
//
// One Change is one serialisable transaction. What the database refuses because another one came
// first is tried again, and is store.ErrStale at last; a commit whose answer was lost is
// store.ErrUnknown, and store.Settle finds out. The statements keep to what PostgreSQL's
// distributed kin understand: no advisory locks, no LISTEN.
package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"fieldpost/store"
)

// DB is a store in a database of PostgreSQL.
type DB struct {
	pool  *pgxpool.Pool
	node  string // whose leases are ours
	knows int64  // up to which version of the tables this program knows them
	seals *seals

	drawer store.Drawer

	local func() time.Time // this machine's clock
	ahead atomic.Int64     // by how many nanoseconds the database's clock is ahead of it

	refusal atomic.Pointer[error] // what the database said when it was last not to be had
}

// Lease is how long a node that is heard of may be at sending a mail before others take it for
// lost: longer than any attempt.
const Lease = 10 * time.Minute

var _ store.Store = (*DB)(nil)

// Is tells whether a place is an address of a database, "postgres://HOST/NAME".
func Is(place string) bool {
	return strings.HasPrefix(place, "postgres://") || strings.HasPrefix(place, "postgresql://")
}

// What the server may do to a session that stopped working on what it began.
const (
	statementTimeout = time.Minute
	idleTimeout      = time.Minute
	connectTimeout   = 10 * time.Second
)

// Options are what a store is opened with.
type Options struct {
	// Node names who opens it: no two daemons at work may have one name.
	Node string
	// Identity is of the key by which the secrets of games are sealed, as age-keygen writes it into
	// a file; "" seals none.
	Identity string
}

// Open opens the store in the database at a URL, several hosts of which may stand in it. It writes nothing. A server that is away is
// waited for, half a minute: it may be failing over. The error is ErrNotFieldpost when the tables are not there (see Prepare),
// ErrNewer when a newer Fieldpost made them that admits this one no more.
func Open(url string, o Options) (*DB, error) {
	seals, err := sealsOf(o.Identity)
	if err != nil {
		return nil, failed("opening", err)
	}
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, failed("opening", fmt.Errorf("%w: %w", store.ErrInvalid, err))
	}
	config.ConnConfig.ConnectTimeout = connectTimeout
	config.ConnConfig.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite // a standby is behind: nothing is decided by it
	parameters := config.ConnConfig.RuntimeParams
	parameters["application_name"] = "fieldpost"
	parameters["default_transaction_isolation"] = "repeatable read" // of single questions: what writes says that it is serializable
	parameters["statement_timeout"] = fmt.Sprint(statementTimeout.Milliseconds())
	parameters["idle_in_transaction_session_timeout"] = fmt.Sprint(idleTimeout.Milliseconds())
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		return nil, failed("opening", err)
	}
	db := &DB{pool: pool, node: o.Node, seals: seals, local: time.Now}
	err = db.reached()
	if err == nil {
		err = patiently(db.setClock)
	}
	if err != nil {
		pool.Close()
		return nil, failed("opening "+config.ConnConfig.Database+" at "+config.ConnConfig.Host, err)
	}
	return db, nil
}

// patience is how long a server is waited for that is away.
const patience = 30 * time.Second

// reached is suits, as soon as the server answers.
func (db *DB) reached() error { return patiently(db.suits) }

// patiently asks until a server answers.
func patiently(ask func() error) error {
	for until := time.Now().Add(patience); ; time.Sleep(200 * time.Millisecond) {
		err := ask()
		if !away(err) || time.Now().After(until) {
			return err
		}
	}
}

// away tells whether a server could not be reached, or is starting or stopping.
func away(err error) bool {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return refused.Code == cannotConnectNow || refused.Code == adminShutdown || refused.Code == crashShutdown
	}
	var unreached *pgconn.ConnectError
	var network *net.OpError
	isCut := errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, store.ErrUnknown)
	return isCut || errors.As(err, &unreached) || errors.As(err, &network) || pgconn.SafeToRetry(err)
}

// note remembers that the database is not to be had, or that it is again.
func (db *DB) note(err error) error {
	switch {
	case err == nil:
		db.refusal.Store(nil)
	case away(err), errors.Is(err, store.ErrFull), errors.Is(err, store.ErrReadOnly):
		db.refusal.Store(&err)
	}
	return err
}

// Close ends the use of the store.
func (db *DB) Close() error {
	db.pool.Close()
	return nil
}

func failed(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("store in PostgreSQL: %s: %w", doing, err)
}

// attempts is how often a transaction is tried that others overtake.
const attempts = 8

// firstPause is the longest pause behind the first attempt. It doubles with each.
const firstPause = 2 * time.Millisecond

// write runs a transaction, anew while others come first or the connection is lost before it is
// committed. The error is ErrStale if others always come first, ErrUnknown if the connection was
// lost while it was committed.
func (db *DB) write(f func(tx) error) error {
	err := again(func() error { return db.once(f) })
	if overtaken(err) {
		err = fmt.Errorf("%w: %w", store.ErrStale, err)
	}
	return db.note(named(err))
}

// again runs what changes nothing unless it succeeds, up to attempts times.
func again(f func() error) (err error) {
	for attempt := range attempts {
		err = f()
		isUnkept := overtaken(err) || away(err) && !errors.Is(err, store.ErrUnknown)
		if !isUnkept {
			return err
		}
		time.Sleep(rand.N(firstPause << attempt)) // at random: who met once shall not meet again
	}
	return err
}

func (db *DB) once(f func(tx) error) error {
	ctx := context.Background()
	begun, err := db.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.Serializable})
	if err != nil {
		return err
	}
	defer begun.Rollback(ctx)
	if err := f(tx{ctx, begun, db.seals}); err != nil {
		return err
	}
	err = begun.Commit(ctx)
	if err != nil && !isRefused(err) {
		return fmt.Errorf("%w: %w", store.ErrUnknown, err)
	}
	return err
}

// isRefused tells whether an error of a commit says that nothing was committed. A server that ends
// the session says so behind a commit, too, that it has made.
func isRefused(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && refused.Code != adminShutdown && refused.Code != crashShutdown
}

// read runs f over one moment of the database, from its beginning if the connection is lost.
func (db *DB) read(f func(tx) error) error {
	return db.note(named(again(func() error { return db.look(f) })))
}

// ask runs f, which asks one question: a statement is a moment by itself, and goes to the database and back once.
func (db *DB) ask(f func(tx) error) error {
	return db.note(named(again(func() error { return f(tx{context.Background(), db.pool, db.seals}) })))
}

// look runs f once over one moment of the database.
func (db *DB) look(f func(tx) error) error {
	ctx := context.Background()
	return pgx.BeginTxFunc(ctx, db.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly},
		func(begun pgx.Tx) error { return f(tx{ctx, begun, db.seals}) })
}

// The codes of errors that matter here (PostgreSQL, appendix A).
const (
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
	uniqueViolation      = "23505"
	foreignKeyViolation  = "23503"
	diskFull             = "53100"
	readOnly             = "25006"
	completionUnknown    = "08007"
	adminShutdown        = "57P01"
	crashShutdown        = "57P02"
	cannotConnectNow     = "57P03"
	dataException        = "22"
)

// overtaken tells whether a transaction failed because another one came first: the next attempt
// sees what that one did.
func overtaken(err error) bool {
	var refused *pgconn.PgError
	if !errors.As(err, &refused) {
		return false
	}
	switch refused.Code {
	case serializationFailure, deadlockDetected, uniqueViolation, foreignKeyViolation:
		return true
	}
	return false
}

// named gives errors of the database the names that callers know.
func named(err error) error {
	var refused *pgconn.PgError
	isAway := away(err) && !errors.Is(err, store.ErrUnknown)
	switch {
	case isAway:
		return fmt.Errorf("%w: %w", store.ErrAway, err)
	case !errors.As(err, &refused):
		return err
	case refused.Code == diskFull:
		return fmt.Errorf("%w: %w", store.ErrFull, err)
	case refused.Code == readOnly:
		return fmt.Errorf("%w: %w", store.ErrReadOnly, err)
	case refused.Code == completionUnknown:
		return fmt.Errorf("%w: %w", store.ErrUnknown, err)
	case strings.HasPrefix(refused.Code, dataException):
		return fmt.Errorf("%w value: %w", store.ErrInvalid, err)
	}
	return err
}
