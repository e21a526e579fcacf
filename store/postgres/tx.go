package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"fieldpost/store"
)

// tx is a transaction at work, or statements each of which is one of its own. It is what Reads are compared with.
type tx struct {
	ctx context.Context
	session
	seals *seals
}

// session is what takes statements: a transaction of pgx, or a pool.
type session interface {
	Exec(ctx context.Context, statement string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, query string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, query string, args ...any) pgx.Row
	SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults
}

// document is a record as it is kept.
func document(v any) (string, error) {
	text, err := store.Document(v)
	return string(text), err
}

// parsed is a record from its document.
func parsed[T any](text string) (T, error) { return store.Parsed[T]([]byte(text)) }

// one reads one document; false when there is none.
func one[T any](t tx, query string, args ...any) (v T, there bool, err error) {
	var text string
	err = t.QueryRow(t.ctx, query, args...).Scan(&text)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return v, false, nil
	case err != nil:
		return v, false, err
	}
	v, err = parsed[T](text)
	return v, true, err
}

// all reads documents; nil for none.
func all[T any](t tx, query string, args ...any) (list []T, err error) {
	texts, err := column[string](t, query, args...)
	for _, text := range texts {
		v, err := parsed[T](text)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, err
}

// column reads the values of one column; nil for none.
func column[T any](t tx, query string, args ...any) ([]T, error) {
	rows, err := t.Query(t.ctx, query, args...)
	if err != nil {
		return nil, err
	}
	values, err := pgx.CollectRows(rows, pgx.RowTo[T])
	if len(values) == 0 {
		values = nil
	}
	return values, err
}

// is answers a question with yes or no.
func (t tx) is(question string, args ...any) (yes bool, err error) {
	err = t.QueryRow(t.ctx, "select exists ("+question+")", args...).Scan(&yes)
	return yes, err
}

func (t tx) run(statement string, args ...any) error {
	_, err := t.Exec(t.ctx, statement, args...)
	return err
}

// Game is as of a Reader.
func (t tx) Game(id string) (store.Game, error) {
	g, there, err := one[store.Game](t, `select document from games where id = $1`, id)
	if err == nil && !there {
		err = fmt.Errorf("game %q: %w", id, store.ErrNotFound)
	}
	if err != nil {
		return g, err
	}
	return each(g, t.seals.open)
}

// Seats is as of a Reader.
func (t tx) Seats(key string) ([]store.Seat, error) { return t.seats(ofKey, store.KeyID(key)) }

// SeatsAt is as of a Reader.
func (t tx) SeatsAt(address string) ([]store.Seat, error) {
	return t.seats(ofAddress, strings.ToLower(address))
}

// What seats are found by.
const (
	ofKey     = "key"
	ofAddress = "address"
)

func (t tx) seats(of, value string) ([]store.Seat, error) {
	if value == "" {
		return nil, nil
	}
	rows, err := t.Query(t.ctx, `select game, side from seats where of = $1 and value = $2 order by game, side`, of, value)
	if err != nil {
		return nil, err
	}
	seats, err := pgx.CollectRows(rows, pgx.RowToStructByPos[store.Seat])
	if len(seats) == 0 {
		seats = nil
	}
	return seats, err
}

// Note is as of a Reader.
func (t tx) Note(name string) (value []byte, err error) {
	err = t.QueryRow(t.ctx, `select value from notes where name = $1`, name).Scan(&value)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return value, err
}

// Notes is as of a Reader.
func (t tx) Notes(prefix string) (map[string][]byte, error) {
	return t.notes(`select name, value from notes where starts_with(name, $1)`, prefix)
}

// notes are those that a query finds.
func (t tx) notes(query string, args ...any) (map[string][]byte, error) {
	rows, err := t.Query(t.ctx, query, args...)
	if err != nil {
		return nil, err
	}
	notes := map[string][]byte{}
	var name string
	var value []byte
	_, err = pgx.ForEachRow(rows, []any{&name, &value}, func() error {
		notes[name] = bytes.Clone(value)
		return nil
	})
	return notes, err
}
