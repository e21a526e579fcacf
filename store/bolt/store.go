// Package bolt keeps a store on one machine: in one file of the library bbolt and two folders
// beside it.
//
// # Files
//
// A store is one bbolt file and two folders beside it:
//
//	fieldpost.db           the database (any name; Database in data folders and backups)
//	mails/SHA256.eml       outgoing mails as rendered, named by their content
//	mails/SHA256.thin      the same without pictures that can be drawn again, see Thin; since
//	                       format 5 as what differs from another mail of its game, see thinBuilds
//	spool/SHA256.eml       incoming mails as received, named by their content
//
// A mail file is written under a temporary name, synced, renamed and its folder
// synced before the database refers to it. Files without a reference may be left
// over after a crash and do no harm.
//
// # Buckets
//
// In keys, u64, u32 and u16 are big-endian, 0 is a zero byte that ends the name
// before it, sha is 32 bytes. Every value starts with a byte that tells its
// encoding and, with all of 0xf8 set in it, u32 CRC-32C over that byte without
// 0xf8, the key and what follows. Encoding 1 is plain, 2 is zstd, 3 (snapshots) is the u64
// number of an earlier snapshot of the game and zstd with that one as dictionary.
// Decoded, it is what is named here, or nothing at all. Format 1 had only plain
// values, formats 1 and 2 no checksums; Compact brings old values up to date.
//
//	meta        "magic"                         "fieldpost store" (without encoding byte)
//	            "format"                        u32 (without encoding byte)
//	            "unkept"                        the last mail whose bytes are not kept (without encoding byte)
//	games       game                            Game as JSON
//	seats       sha(key) game 0 side            nothing: index of the players' keys, see KeyID
//	addresses   sha(address) game 0 side        nothing: index of the players' addresses, in lower case
//	steps       game 0 u64 seq                  Step as JSON: what each Change of a game brought
//	phases      game 0 u64 number               Phase as JSON, without its snapshot
//	snapshots   game 0 u64 number               the position after that phase, as the caller gave it
//	open        game                            OpenPhase as JSON
//	sheets      game 0 side 0 u32 turn u64 seq u16 n    Sheet as JSON, in the order of arrival
//	digests     game 0 digest                   the key in sheets
//	outbox      mail                            Mail as JSON
//	queue       u64 milliseconds u64 number     mail: index of the queued ones by next attempt
//	                                            (since 1970, the sign bit turned over)
//	sending     mail                            nothing: index of those being sent
//	gamemails   game 0 u64 number               mail: index of outbox
//	recipes     mail                            JSON: its file, and what its pictures are drawn from again;
//	                                            of the mails that are not yet thin (since format 4)
//	messages    Message-ID                      mail: index of outbox
//	handled     sha                             Handled as JSON
//	incoming    u64 microseconds u64 number lane    Incoming as JSON: the mails to be handled, in the order
//	                                            in which they arrived (as in queue; since format 6)
//	arrivals    sha                             the key in incoming
//	uids        mailbox 0 u32 validity u32 uid  UIDMark as JSON
//	low         mailbox 0 u32 validity          u32 uid
//	notes       name                            the caller's bytes; the bucket's sequence counts them
package bolt

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"fieldpost/store"
)

// Database is the name of the database in a data folder and in a backup.
const Database = "fieldpost.db"

// Format is the version of the buckets and keys that this package writes.
const Format = 6

const magic = "fieldpost store"

// The buckets. The order is that of the package comment.
var (
	bMeta      = []byte("meta")
	bGames     = []byte("games")
	bSeats     = []byte("seats")
	bAddresses = []byte("addresses")
	bSteps     = []byte("steps")
	bPhases    = []byte("phases")
	bSnapshots = []byte("snapshots")
	bOpen      = []byte("open")
	bSheets    = []byte("sheets")
	bDigests   = []byte("digests")
	bOutbox    = []byte("outbox")
	bQueue     = []byte("queue")
	bSending   = []byte("sending")
	bGameMails = []byte("gamemails")
	bMessages  = []byte("messages")
	bRecipes   = []byte("recipes")
	bHandled   = []byte("handled")
	bIncoming  = []byte("incoming")
	bArrivals  = []byte("arrivals")
	bUIDs      = []byte("uids")
	bLow       = []byte("low")
	bNotes     = []byte("notes")

	buckets = [][]byte{bMeta, bGames, bSeats, bAddresses, bSteps, bPhases, bSnapshots, bOpen, bSheets, bDigests,
		bOutbox, bQueue, bSending, bGameMails, bRecipes, bMessages, bHandled, bIncoming, bArrivals, bUIDs, bLow, bNotes}
)

// Options say how to open a store. The zero value opens it for reading and
// writing and makes it when it is not there.
type Options struct {
	// ReadOnly changes nothing, on the disk or in the database. Several readers
	// can share a store, but not with a writer: the answer is then ErrLocked.
	ReadOnly bool
	// MustExist refuses to make a new store.
	MustExist bool
	// Timeout is how long to wait for another process: at most one second,
	// which is also what zero means.
	Timeout time.Duration
	// Files is the folder of mails and spool, if it is not that of the database.
	Files string
	// At, for tests, is called at every named point (see Points) with its name. A
	// test may end the process there. An error of it stands for what the disk
	// says; at the points before a transaction is committed it undoes it.
	At func(point string) error
	// Opened, for tests, is given the database as the library has opened it, before
	// anything is read or written.
	Opened func(*bbolt.DB)

	maxSize int // of the database in bytes, for tests
}

var _ store.File = (*DB)(nil)

// DB is an open store. It may be used by several goroutines at once; one writes
// at a time.

type DB struct {
	bolt     *bbolt.DB
	swap     sync.RWMutex // held while bolt is used; Compact exchanges it
	path     string
	mails    string
	spool    string
	readOnly bool
	hook     func(point string) error
	opened   func(*bbolt.DB)
	drawer   store.Drawer
	leases   store.Leases // of the mails to be handled
	refused  refusals
	unsure   atomic.Bool // a transaction failed, and nobody knows what of it is on the disk
	files    sync.Mutex  // held while files of mails are replaced or removed
}

// Close ends the use of the store and frees it for other processes. It waits
// for transactions that are under way.
func (db *DB) Close() error {
	db.swap.Lock()
	defer db.swap.Unlock()
	if err := db.bolt.Close(); err != nil {
		return db.fail("closing", err)
	}
	return nil
}

// Path is the path of the database.
func (db *DB) Path() string { return db.path }

// fail wraps an error with what was being done, and tells a full disk and one
// that cannot be written apart from the rest.
func (db *DB) fail(doing string, err error) error {
	if err == nil {
		return nil
	}
	is := func(targets ...error) bool {
		return slices.ContainsFunc(targets, func(t error) bool { return errors.Is(err, t) })
	}
	var kind error
	switch {
	case is(berrors.ErrTimeout):
		kind = store.ErrLocked
	case is(berrors.ErrInvalid, berrors.ErrChecksum, berrors.ErrVersionMismatch), strings.Contains(err.Error(), "file size too small"):
		kind = store.ErrNotDatabase
	case is(syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, berrors.ErrMaxSizeReached), noRoomToGrow(err):
		kind = store.ErrFull
	case is(syscall.EROFS, fs.ErrPermission, berrors.ErrDatabaseReadOnly):
		kind = store.ErrReadOnly
	}
	if kind == nil || errors.Is(err, kind) {
		return fmt.Errorf("store %s: %s: %w", db.path, doing, err)
	}
	return fmt.Errorf("store %s: %s: %w: %w", db.path, doing, kind, err)
}

// noRoomToGrow tells that bbolt could not make its file longer: of that error it
// keeps only the text.
func noRoomToGrow(err error) bool {
	text := err.Error()
	if !strings.Contains(text, "file resize error") {
		return false
	}
	for _, e := range []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG} {
		if strings.Contains(text, e.Error()) {
			return true
		}
	}
	return false
}

// view runs f in a reading transaction.
func (db *DB) view(doing string, f func(*bbolt.Tx) error) error {
	db.swap.RLock()
	defer db.swap.RUnlock()
	return db.fail(doing, guard(func() error { return db.bolt.View(f) }))
}

// update runs f in a writing transaction.
func (db *DB) update(doing string, f func(*bbolt.Tx) error) error {
	db.swap.RLock()
	defer db.swap.RUnlock()
	err := guard(func() error {
		if err := db.at(PointBegin); err != nil {
			return err
		}
		if err := db.rewriteMeta(); err != nil {
			return err
		}
		return db.bolt.Update(func(tx *bbolt.Tx) error {
			if err := f(tx); err != nil {
				return err
			}
			return db.at(PointCommit)
		})
	})
	if err == nil {
		_ = db.at(PointCommitted) // too late for an error
	}
	err = db.fail(doing, err)
	db.refused.note(err)
	if ofDisk(err) {
		db.unsure.Store(true)
	}
	return err
}
