package postgres

import (
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"fieldpost/store"
	"fieldpost/store/packing"
)

// Games are all games; see store.Reader, as of all that follows.
func (db *DB) Games() (games []store.Game, err error) {
	err = db.ask(func(t tx) (err error) {
		games, err = t.opened(all[store.Game](t, `select document from games order by id`))
		return err
	})
	return games, failed("reading the games", err)
}

// page is how many games are read at once.
const page = 100

// EachGame calls f for every game.
func (db *DB) EachGame(f func(store.Game) error) error {
	for after, more := "", true; more; {
		var games []store.Game
		err := db.ask(func(t tx) (err error) {
			games, err = t.opened(all[store.Game](t, `select document from games where id > $1 order by id limit $2`, after, page))
			return err
		})
		if err != nil {
			return failed("reading the games", err)
		}
		for _, g := range games {
			if err := f(g); err != nil {
				return failed("reading the games", err)
			}
			after = g.ID
		}
		more = len(games) == page
	}
	return nil
}

// Game is one game.
func (db *DB) Game(id string) (g store.Game, err error) {
	err = db.ask(func(t tx) (err error) { g, err = t.Game(id); return err })
	return g, failed("reading a game", err)
}

// Waiting is the phase of a game that waits for players.
func (db *DB) Waiting(id string) (open *store.OpenPhase, err error) {
	err = db.ask(func(t tx) (err error) { open, err = t.waiting(id); return err })
	return open, failed("reading what waits", err)
}

func (t tx) waiting(id string) (*store.OpenPhase, error) {
	open, waits, err := one[store.OpenPhase](t, `select document from open_phases where game = $1`, id)
	if err != nil || !waits {
		return nil, err
	}
	return &open, nil
}

// Load is one game with its position and what waits in it.
func (db *DB) Load(id string) (p store.Position, err error) {
	err = db.read(func(t tx) (err error) {
		if p.Game, err = t.Game(id); err != nil {
			return err
		}
		if p.Open, err = t.waiting(id); err != nil || p.Game.Phases == 0 {
			return err
		}
		latest, err := t.phase(id, p.Game.Phases)
		p.Latest = &latest
		return err
	})
	return p, failed("loading a game", err)
}

// phase is a phase with its position, by its number from 1.
func (t tx) phase(game string, number uint64) (p store.Phase, err error) {
	var text string
	var position, packed, base, packedBase []byte
	err = t.QueryRow(t.ctx, `select p.document, p.position, p.packed, b.position, b.packed
		from phases p left join phases b on b.game = p.game and b.number = p.builds_on where p.game = $1 and p.number = $2`,
		game, number).Scan(&text, &position, &packed, &base, &packedBase)
	if errors.Is(err, pgx.ErrNoRows) {
		return p, fmt.Errorf("phase %d of game %q: %w", number, game, store.ErrNotFound)
	}
	if err != nil {
		return p, err
	}
	if p, err = parsed[store.Phase](text); err != nil {
		return p, err
	}
	switch {
	case packed == nil:
		p.Snapshot = position
	case base != nil:
		p.Snapshot, err = packing.UnpackOn(base, packed)
	default:
		p.Snapshot, err = unpacked(packed, packedBase)
	}
	if err == nil && store.Sum(p.Snapshot) != p.Hash {
		err = store.ErrDamaged
	}
	if err != nil {
		return p, fmt.Errorf("phase %d of game %q: %w", number, game, err)
	}
	return p, nil
}

// Phase is one complete phase with its snapshot.
func (db *DB) Phase(game string, number uint64) (p store.Phase, err error) {
	err = db.ask(func(t tx) (err error) { p, err = t.phase(game, number); return err })
	return p, failed("reading a phase", err)
}

// Journal are all complete phases of a game, without their snapshots.
func (db *DB) Journal(game string) (phases []store.Phase, err error) {
	err = db.ask(func(t tx) (err error) {
		phases, err = all[store.Phase](t, `select document from phases where game = $1 order by number`, game)
		return err
	})
	return phases, failed("reading a journal", err)
}

// Steps are what every Change of a game brought.
func (db *DB) Steps(game string) (steps []store.Step, err error) {
	err = db.ask(func(t tx) (err error) {
		steps, err = all[store.Step](t, `select document from steps where game = $1 order by seq`, game)
		return err
	})
	return steps, failed("reading steps", err)
}

func (db *DB) sheets(query string, args ...any) (sheets []store.Sheet, err error) {
	err = db.ask(func(t tx) (err error) { sheets, err = all[store.Sheet](t, query, args...); return err })
	return sheets, failed("reading sheets", err)
}

// AllSheets are the sheets of a game.
func (db *DB) AllSheets(game string) ([]store.Sheet, error) {
	return db.sheets(`select document from sheets where game = $1 order by side, turn, seq, place`, game)
}

// Sheets are the sheets of a side for a turn.
func (db *DB) Sheets(game, side string, turn int) ([]store.Sheet, error) {
	return db.sheets(`select document from sheets where game = $1 and side = $2 and turn = $3 order by seq, place`, game, side, turn)
}

// FindSheet is the sheet of a game with that Name.
func (db *DB) FindSheet(game, name string) (store.Sheet, bool, error) {
	found, err := db.sheets(`select document from sheets where game = $1 and name = $2`, game, name)
	if err != nil || len(found) == 0 {
		return store.Sheet{}, false, err
	}
	return found[0], true, nil
}

// Seats are the places at which a public key plays.
func (db *DB) Seats(key string) (seats []store.Seat, err error) {
	err = db.ask(func(t tx) (err error) { seats, err = t.Seats(key); return err })
	return seats, failed("looking for a key", err)
}

// SeatsAt are the places at which an enrolled mail address plays.
func (db *DB) SeatsAt(address string) (seats []store.Seat, err error) {
	err = db.ask(func(t tx) (err error) { seats, err = t.SeatsAt(address); return err })
	return seats, failed("looking for an address", err)
}

// Note is a note by its name.
func (db *DB) Note(name string) (value []byte, err error) {
	err = db.ask(func(t tx) (err error) { value, err = t.Note(name); return err })
	return value, failed("reading a note", err)
}

// Notes are all notes whose names begin with prefix.
func (db *DB) Notes(prefix string) (notes map[string][]byte, err error) {
	err = db.ask(func(t tx) (err error) { notes, err = t.Notes(prefix); return err })
	return notes, failed("reading notes", err)
}
