// Package store is what a daemon knows: games, the journal and
// the position after every phase, filed order sheets, pending decisions, the
// mails to be sent and which incoming mails were handled. It knows no rules and
// no mail protocol, and it never asks for the time: callers give it.
//
// One incoming mail is one Change and one transaction (Commit): all of it is
// kept when Commit returns nil, and nothing of it when Commit returns an
// error or the machine stops before.
package store

import (
	"fieldpost/store/backup"
	"time"
)

// Store keeps what a daemon knows. Its methods may be called by several goroutines at once.
// Every error is wrapped with what was being done and with what; see ErrStale and the others.
type Store interface {
	Reader
	Outbox
	Intake
	Upkeep

	// Commit keeps a Change, whole or not at all. When it returns nil all of it is kept.
	//
	// Errors are ErrStale, ErrHandled, ErrExists, ErrRewritten, ErrInvalid,
	// ErrNotFound (a mail without its bytes, or for an unknown game), ErrFull and
	// ErrReadOnly. After any of them nothing has changed but that the bytes of a mail may
	// be left over.
	//
	// The Change itself is not altered; the caller knows that the game's Seq is now
	// Expect+1.
	Commit(Change) error
	// Close ends the use of the store.
	Close() error
}

// Reader tells of games.
type Reader interface {
	// Games are all games, sorted by identifier; with DamagedRecords all but those.
	Games() ([]Game, error)
	// EachGame calls f for every game, sorted by identifier, without holding them all. f must
	// not use the store. Damaged games it leaves out, and names them at the end in DamagedRecords.
	EachGame(f func(Game) error) error
	// Game is one game; ErrNotFound when there is none.
	Game(id string) (Game, error)
	// Waiting is the phase of a game that waits for players, nil if none does.
	Waiting(id string) (*OpenPhase, error)
	// Load is one game with its position and what waits in it, all of one moment;
	// ErrNotFound when there is no such game.
	Load(id string) (Position, error)
	// Phase is one complete phase with its snapshot, by its number from 1. Errors
	// are ErrNotFound and ErrDamaged.
	Phase(game string, number uint64) (Phase, error)
	// Journal are all complete phases of a game in order, without their snapshots.
	Journal(game string) ([]Phase, error)
	// Steps are what every Change of a game brought, in order.
	Steps(game string) ([]Step, error)

	// Sheets are the sheets of a side for a turn in the order of their arrival.
	Sheets(game, side string, turn int) ([]Sheet, error)
	// AllSheets are the sheets of a game, by side, turn and arrival.
	AllSheets(game string) ([]Sheet, error)
	// FindSheet is the sheet of a game with that Name; false when it never came.
	FindSheet(game, name string) (Sheet, bool, error)

	// Seats are the places at which a public key plays, sorted by game and side. The
	// key is a line as in Player.Key; what KeyID leaves out does not matter. No key
	// plays nowhere.
	Seats(key string) ([]Seat, error)
	// SeatsAt are the places at which an enrolled mail address plays, sorted by game
	// and side. Capitals do not matter.
	SeatsAt(address string) ([]Seat, error)

	// Facts are the records, by name as their Kind has them. A note is nil when there is none;
	// Notes are all whose names begin with prefix, with DamagedRecords all but those.
	Facts
}

// Outbox are the outgoing mails.
type Outbox interface {
	// Mail is one outgoing mail, without Raw; ErrNotFound when there is none.
	Mail(id string) (Mail, error)
	// FindMessage is the outgoing mail with a Message-ID, in the notation in which
	// it was queued: for bounces and replies that name it. ErrNotFound when there is none.
	FindMessage(messageID string) (Mail, error)
	// Mails are all outgoing mails of a game, in the order in which they were queued; with
	// DamagedRecords all but those.
	Mails(game string) ([]Mail, error)
	// MailsSince are the mails of a game, the newest first, back to the last one that was marked
	// before a moment: those that were written since are all among them.
	MailsSince(game string, since time.Time) ([]Mail, error)

	// Queue are the mails whose time has come, the longest waiting first, at most limit of
	// them (0: all). With DamagedRecords it is all but those: they stay queued.
	Queue(now time.Time, limit int) ([]Mail, error)
	// NextAttempt is when the first queued mail that can be read may be sent; false when none
	// is queued. A sender may sleep until then.
	NextAttempt() (at time.Time, ok bool, err error)
	// MarkSending marks a queued mail before the first byte of it goes out, and returns it.
	// From a crash until the next mark its fate is unknown. The error is ErrState when it is
	// not queued, ErrNotFound when there is none.
	MarkSending(id string, now time.Time) (Mail, error)
	// MarkResult records what became of a mail. A mail that is being sent becomes
	// accepted, failed or queued for another attempt; a queued one may be put off
	// or failed; an accepted one may bounce; and from every end one may queue it
	// again. Anything else is ErrState.
	MarkResult(id string, r Result) error

	// MailBytes are the rendered bytes of an outgoing mail. Pictures that are not kept are
	// drawn again, which takes its time. Errors as Spooled, and ErrUndrawn when the mail
	// would not be the same: KeptMail then has what is kept of it.
	MailBytes(sha string) ([]byte, error)
	// KeptMail is what is kept of a mail, and how many of its pictures are not in it.
	KeptMail(sha string) (raw []byte, pictures int, err error)
	// DrawWith gives the store its Drawer, before the store is used. Without one no picture
	// is taken out of a mail, and a mail whose pictures are taken out is ErrUndrawn.
	DrawWith(Drawer)
}

// Intake is the incoming mail: its bytes, what became of it, and how far mailboxes are read.
type Intake interface {
	// Spool keeps the raw bytes of an incoming mail and returns their SHA-256 as 64
	// hex digits. When it returns they are kept. Spooling the same bytes again changes nothing.
	Spool(raw []byte) (sha string, err error)
	// Spooled reads an incoming mail back. It is ErrNotFound when it is not there
	// and ErrDamaged when its bytes are no longer those of its name.
	Spooled(sha string) ([]byte, error)
	// SpoolKept lists the incoming mails whose bytes are kept.
	SpoolKept() ([]Handled, error)
	// Handled is the mark of an incoming mail by the SHA-256 of its raw bytes; false
	// when it has not been handled.
	Handled(sha string) (Handled, bool, error)

	// MarkUID records what became of a message that has no effect of its own (one
	// that has is marked by Arrived and Commit), or with UIDPending that reading it is tried. A
	// final mark stays as it is.
	MarkUID(mailbox string, validity, uid uint32, m UIDMark) error
	// UID is the mark of a message; false when there is none.
	UID(mailbox string, validity, uid uint32) (UIDMark, bool, error)
	// Low is the low-water mark of a mailbox: every message up to and including it
	// is final or does not exist. It is 0 for a mailbox, or a UIDVALIDITY, that was never seen.
	Low(mailbox string, validity uint32) (uint32, error)

	// Arrived keeps what a look into a mailbox has found, whole or not at all: its mails are in
	// the queue of those to be handled, their messages marked, and the low-water mark is raised. A
	// mail that is in the queue already, or was handled, marks its message a duplicate and nothing
	// else; a message with a final mark is left alone. It is ErrNotFound when a mail's bytes are
	// not spooled, and ErrState when a message up to Low is pending; one that is pending and not
	// listed is gone. A low-water mark is never lowered.
	Arrived(Look) error
	// Next is the mail that arrived first of those of which nobody handles what they are about;
	// false when there is none. It is the caller's until Commit takes it out of the queue, or it is
	// put off; in a Shared store also until the claim of it, ClaimOfMail, runs out. That saves double
	// work and nothing else.
	Next(now time.Time) (Incoming, bool, error)
	// PutOff gives a mail of Next back for a while.
	PutOff(sha string, p Pause) error
	// Unhandled tells whether a mail that had arrived by a moment is still in the queue and about a
	// game, or may be.
	Unhandled(game string, by time.Time) (bool, error)
	// Backlog is what is in the queue.
	Backlog() (Backlog, error)

	// ForgetUIDs removes the marks up to the low-water mark of messages that are no longer in a
	// mailbox, of which listed has every UID.
	ForgetUIDs(mailbox string, validity uint32, listed []uint32) (forgotten int, err error)
}

// Upkeep is what keeps a store sound and small.
type Upkeep interface {
	// Check audits the whole store and returns everything that is wrong with it.
	Check() []error
	// Stats counts what is in the store.
	Stats() (Stats, error)
	// WholeMails are the mails with pictures that can be left out, whose fate has been known
	// since before a moment; Thin leaves them out of one.
	WholeMails(before time.Time) ([]Mail, error)
	Thin(id string) (Thinned, error)
	// Prune removes the bytes of mails that are older than a moment, and of strangers' mails
	// older than another; a zero moment removes nothing. What belongs to a game that is not
	// finished stays.
	Prune(before, strangers time.Time) (Pruned, error)
	// Forget removes the bytes of the mails that were sent to an address, and its name from the
	// outbox, and the bytes of the incoming mails that received names. Mails that are still on
	// their way are left alone: it counts them as waiting.
	Forget(address string, received []string) (p Pruned, waiting int, err error)
	// Requeue queues again what was being sent when the last process stopped: nobody knows how
	// far it got. It tells how many mails there were. Until then nothing of that is sent.
	Requeue() (mails int, err error)
	// Refused is what the disk said when it last refused to keep something; nil if Prove has
	// found since that it keeps what it is given, or if it always did. Prove tries it.
	Refused() error
	Prove() error
}

// File is a Store that is one file with folders beside it.
type File interface {
	Store
	// Path is the path of the database.
	Path() string
	// Compact writes the database anew without what it does not need, and returns its size in
	// bytes before and after.
	Compact() (before, after int64, err error)
	// Copy writes the database alone, as it is at one moment, to a new file.
	Copy(path string) (size int64, err error)
	// Backup writes the whole store, as it is at one moment, to a new file; BackupFor encrypts
	// it to a recipient in the notation of age.
	Backup(path string) (size int64, err error)
	BackupFor(path, recipient string) (size int64, err error)
	// BackupTo adds a backup of a moment to a folder of them, encrypted unless the recipient is
	// empty: only what the one before has not is written.
	BackupTo(folder, recipient string, at time.Time) (backup.Written, error)
}
