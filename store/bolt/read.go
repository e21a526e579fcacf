package bolt

import (
	"bytes"
	"fmt"
	"strings"

	"go.etcd.io/bbolt"

	"fieldpost/store"
)

// Games are all games, sorted by identifier; with DamagedRecords all but those.
func (db *DB) Games() (games []store.Game, err error) {
	err = db.EachGame(func(g store.Game) error {
		games = append(games, g)
		return nil
	})
	return games, err
}

// EachGame calls f for every game, sorted by identifier, without holding them all.
// f must not use the store. Damaged games it leaves out, and names them at the end in
// DamagedRecords.
func (db *DB) EachGame(f func(store.Game) error) error {
	return db.view("reading the games", func(tx *bbolt.Tx) error {
		var lost store.DamagedRecords
		err := each(tx.Bucket(bGames), nil, func(k, raw []byte) error {
			g, err := decode[store.Game](k, raw)
			if err != nil {
				return lost.Skip("game", string(k), err)
			}
			return f(g)
		})
		if err != nil {
			return err
		}
		return lost.Err()
	})
}

// Game is one game; ErrNotFound when there is none.
func (db *DB) Game(id string) (g store.Game, err error) {
	err = db.view("reading a game", func(tx *bbolt.Tx) error {
		g, err = gameByID(tx, id)
		return err
	})
	return g, err
}

func gameByID(tx *bbolt.Tx, id string) (store.Game, error) {
	return mustJSON[store.Game](tx.Bucket(bGames), []byte(id), "game %q", id)
}

// Waiting is the phase of a game that waits for players, nil if none does. It
// reads nothing else of the game.
func (db *DB) Waiting(id string) (open *store.OpenPhase, err error) {
	err = db.view("reading what a game waits for", func(tx *bbolt.Tx) error {
		o, found, err := getJSON[store.OpenPhase](tx.Bucket(bOpen), []byte(id))
		if found {
			open = &o
		}
		return err
	})
	return open, err
}

// Load is one game with its position and what waits in it, all of one moment;
// ErrNotFound when there is no such game.
func (db *DB) Load(id string) (p store.Position, err error) {
	err = db.view("loading a game", func(tx *bbolt.Tx) error {
		if p.Game, err = gameByID(tx, id); err != nil {
			return err
		}
		if p.Game.Phases > 0 {
			latest, err := phase(tx, id, p.Game.Phases)
			if err != nil {
				return err
			}
			p.Latest = &latest
		}
		open, found, err := getJSON[store.OpenPhase](tx.Bucket(bOpen), []byte(id))
		if found {
			p.Open = &open
		}
		return err
	})
	return p, err
}

// phase is a phase with its snapshot, checked against its hash: a damaged
// position must not be played on.
func phase(tx *bbolt.Tx, game string, number uint64) (store.Phase, error) {
	p, err := mustJSON[store.Phase](tx.Bucket(bPhases), numbered(game, number), "phase %d of game %q", number, game)
	if err != nil {
		return p, err
	}
	position, err := snapshot(tx, game, number)
	p.Snapshot = bytes.Clone(position)
	if err == nil && store.Sum(p.Snapshot) != p.Hash {
		err = fmt.Errorf("%w: the position after phase %d of game %s does not match its hash", store.ErrDamaged, number, game)
	}
	return p, err
}

// Phase is one complete phase with its snapshot, by its number from 1. Errors
// are ErrNotFound and ErrDamaged.
func (db *DB) Phase(game string, number uint64) (p store.Phase, err error) {
	err = db.view("reading a phase", func(tx *bbolt.Tx) error {
		p, err = phase(tx, game, number)
		return err
	})
	return p, err
}

// Journal are all complete phases of a game in order, without their snapshots.
func (db *DB) Journal(game string) (phases []store.Phase, err error) {
	err = db.view("reading a journal", func(tx *bbolt.Tx) error {
		phases, err = list[store.Phase](tx.Bucket(bPhases), under(game))
		return err
	})
	return phases, err
}

// Steps are what every Change of a game brought, in order.
func (db *DB) Steps(game string) (steps []store.Step, err error) {
	err = db.view("reading the steps of a game", func(tx *bbolt.Tx) error {
		steps, err = list[store.Step](tx.Bucket(bSteps), under(game))
		return err
	})
	return steps, err
}

// Sheets are the sheets of a side for a turn in the order of their arrival.
func (db *DB) Sheets(game, side string, turn int) (sheets []store.Sheet, err error) {
	err = db.view("reading sheets", func(tx *bbolt.Tx) error {
		k := sheetKey(store.Sheet{Game: game, Side: side, Turn: turn}, 0)
		sheets, err = list[store.Sheet](tx.Bucket(bSheets), k[:len(k)-10])
		return err
	})
	return sheets, err
}

// AllSheets are the sheets of a game, by side, turn and arrival.
func (db *DB) AllSheets(game string) (sheets []store.Sheet, err error) {
	err = db.view("reading sheets", func(tx *bbolt.Tx) error {
		sheets, err = list[store.Sheet](tx.Bucket(bSheets), under(game))
		return err
	})
	return sheets, err
}

// FindSheet is the sheet of a game with that Name; false when it never came.
func (db *DB) FindSheet(game, name string) (s store.Sheet, ok bool, err error) {
	err = db.view("finding a sheet", func(tx *bbolt.Tx) error {
		key, err := getBytes(tx.Bucket(bDigests), append(under(game), name...))
		if err != nil || key == nil {
			return err
		}
		s, ok, err = getJSON[store.Sheet](tx.Bucket(bSheets), key)
		return err
	})
	return s, ok, err
}

// Seats are the places at which a public key plays, sorted by game and side. The
// key is a line as in Player.Key; what KeyID leaves out does not matter. No key
// plays nowhere.
func (db *DB) Seats(key string) (seats []store.Seat, err error) {
	return db.seats("finding a key", func(r readings) ([]store.Seat, error) { return r.Seats(key) })
}

// SeatsAt are the places at which an enrolled mail address plays, sorted by game
// and side. Capitals do not matter.
func (db *DB) SeatsAt(address string) ([]store.Seat, error) {
	return db.seats("finding an address", func(r readings) ([]store.Seat, error) { return r.SeatsAt(address) })
}

func (db *DB) seats(doing string, read func(readings) ([]store.Seat, error)) (seats []store.Seat, err error) {
	err = db.view(doing, func(tx *bbolt.Tx) error {
		seats, err = read(readings{tx})
		return err
	})
	return seats, err
}

// Note is a note by its name; nil when there is none.
func (db *DB) Note(name string) (value []byte, err error) {
	err = db.view("reading a note", func(tx *bbolt.Tx) error {
		value, err = readings{tx}.Note(name)
		return err
	})
	return value, err
}

// Notes are all notes whose names begin with prefix; with DamagedRecords all but those.
func (db *DB) Notes(prefix string) (notes map[string][]byte, err error) {
	err = db.view("reading notes", func(tx *bbolt.Tx) error {
		notes, err = readings{tx}.Notes(prefix)
		return err
	})
	return notes, err
}

// readings are what is read in one transaction.
type readings struct{ tx *bbolt.Tx }

func (r readings) Game(id string) (store.Game, error) { return gameByID(r.tx, id) }

func (r readings) Seats(key string) ([]store.Seat, error) {
	if store.KeyID(key) == "" {
		return nil, nil
	}
	return r.seats(bSeats, seatKey(key, "", "")[:32])
}

func (r readings) SeatsAt(address string) ([]store.Seat, error) {
	if address == "" {
		return nil, nil
	}
	return r.seats(bAddresses, addressKey(address, "", "")[:32])
}

func (r readings) seats(bucket, prefix []byte) (seats []store.Seat, err error) {
	err = each(r.tx.Bucket(bucket), prefix, func(k, _ []byte) error {
		game, side, _ := strings.Cut(string(k[len(prefix):]), "\x00")
		seats = append(seats, store.Seat{Game: game, Side: side})
		return nil
	})
	return seats, err
}

func (r readings) Note(name string) ([]byte, error) {
	return getBytes(r.tx.Bucket(bNotes), []byte(name))
}

func (r readings) Notes(prefix string) (map[string][]byte, error) {
	notes := map[string][]byte{}
	var lost store.DamagedRecords
	err := each(r.tx.Bucket(bNotes), []byte(prefix), func(k, v []byte) error {
		p, err := payload(k, v)
		if err != nil {
			return lost.Skip("note", string(k), err)
		}
		notes[string(k)] = append([]byte{}, p...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return notes, lost.Err()
}
