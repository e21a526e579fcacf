package store

import "errors"

// What can go wrong, for errors.Is. Every error of this package is wrapped with
// what was being done and with what.
var (
	// ErrLocked: another process has the database open.
	ErrLocked = errors.New("another process has the database open")
	// ErrNotDatabase: the file is no database of any kind, or damaged beyond reading.
	ErrNotDatabase = errors.New("not a database, or a damaged one")
	// ErrNotFieldpost: a database, but of another program.
	ErrNotFieldpost = errors.New("not a Fieldpost database")
	// ErrNewer: written by a newer Fieldpost than this one.
	ErrNewer = errors.New("written by a newer version of Fieldpost")
	// ErrAtWork: it is not for now, since daemons are at work over the store.
	ErrAtWork = errors.New("daemons are at work")
	// ErrFull: no room on the disk. Nothing of the Change was kept.
	ErrFull = errors.New("no room on the disk")
	// ErrReadOnly: the store was opened for reading, or the disk allows no writing.
	ErrReadOnly = errors.New("the store cannot be written")
	// ErrStale: the game has moved on since it was read; read it again.
	ErrStale = errors.New("the game has moved on")
	// ErrUnknown: the connection to the store was lost, and nobody knows whether the Change was
	// kept. See Settle.
	ErrUnknown = errors.New("nobody knows whether it was kept")
	// ErrAway: the store cannot be reached just now. Nothing of the Change was kept.
	ErrAway = errors.New("the store cannot be reached")
	// ErrHandled: this incoming mail was handled before.
	ErrHandled = errors.New("the mail was handled before")
	// ErrExists: a sheet with this digest was filed before in this game.
	ErrExists = errors.New("exists already")
	// ErrRewritten: a Change would shorten or alter a journal that may already
	// have been told to players.
	ErrRewritten = errors.New("a committed journal would be rewritten")
	// ErrNotFound: there is no such game, phase, mail or file.
	ErrNotFound = errors.New("not found")
	// ErrInvalid: a value that the store cannot keep, such as an empty name.
	ErrInvalid = errors.New("invalid")
	// ErrState: the mail is not in a state from which this step is possible.
	ErrState = errors.New("not possible in this state")
	// ErrDamaged: stored bytes do not match their hash or cannot be read.
	ErrDamaged = errors.New("damaged")
	// ErrUndrawn: a mail is kept without its pictures, and what is drawn now are other ones.
	ErrUndrawn = errors.New("the pictures cannot be drawn again as they were")
)
