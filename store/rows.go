package store

import "fmt"

// Row is one record as it goes from a store into another: its document as it is kept, and with it the
// bytes that are kept beside it.
type Row struct {
	Kind RowKind
	Game string // of a phase, an open phase or a step
	// Name is that of a note or a mailbox, the ID of a mail, or the SHA-256 of a handled one.
	Name string
	// Number is that of a phase, the Seq of a step, the place of a sheet among those of its Change, the UID of a
	// message, or the low-water mark of a mailbox.
	Number   uint64
	Validity uint32 // of a message or a mailbox

	Text   []byte  // the document; of a note its value
	Raw    []byte  // a position, or a mail that is kept whole
	Packed *Packed // a position or a mail that is kept packed, in the place of Raw
	Recipe []byte  // of a mail that is kept whole
}

// Packed is a content as it is kept packed with zstd, see package packing: alone, or as its difference
// from another content of its kind.
type Packed struct {
	On    string // the SHA-256 of the mail, or the number of the phase, that it builds on; "" for none
	Bytes []byte
}

// RowKind is what a Row is.
type RowKind byte

// What there is in a store.
const (
	GameRow RowKind = iota + 1
	PhaseRow
	OpenRow
	StepRow
	SheetRow
	MailRow    // a mail that was sent or is to be sent
	HandledRow // one that was handled
	ArrivedRow // one that is to be handled
	MessageRow // the mark of a message
	MailboxRow // how far a mailbox is read
	NoteRow
)

func (k RowKind) String() string {
	return [...]string{GameRow: "game", PhaseRow: "phase", OpenRow: "open phase", StepRow: "step", SheetRow: "sheet", MailRow: "outgoing mail",
		HandledRow: "handled mail", ArrivedRow: "incoming mail", MessageRow: "message", MailboxRow: "mailbox", NoteRow: "note"}[k]
}

// Size is how many bytes go with it.
func (r Row) Size() int {
	n := len(r.Text) + len(r.Raw) + len(r.Recipe)
	if r.Packed != nil {
		n += len(r.Packed.Bytes)
	}
	return n
}

// String is its kind and the beginning of its document.
func (r Row) String() string { return fmt.Sprintf("%s %s", r.Kind, r.Text[:min(len(r.Text), 120)]) }

// Aside does one thing at a time beside its caller.
type Aside struct{ done chan error }

// Do begins something when what was begun before is done, and returns what that failed with.
func (a *Aside) Do(f func() error) error {
	if err := a.Wait(); err != nil {
		return err
	}
	a.done = make(chan error, 1)
	go func() { a.done <- f() }()
	return nil
}

// Wait waits until what was begun is done, and returns what it failed with.
func (a *Aside) Wait() (err error) {
	if a.done != nil {
		err, a.done = <-a.done, nil
	}
	return err
}

// Movable is a store whose records can be taken into another one.
type Movable interface {
	Store
	// Rows calls f for everything that is in the store, as it is at one moment and as it is kept: games
	// first, and what belongs to one in the order in which it came. f may keep what it is given.
	Rows(f func(Row) error) error
	// Fill begins to fill an empty store; ErrExists if it is not empty.
	Fill() (Filling, error)
}

// Filling is an empty store that is being filled. If it is not ended what is in it is of no use.
type Filling interface {
	Put(Row) error
	// Rows are as of a Movable, of what was put so far.
	Rows(f func(Row) error) error
	End() error
	// GiveUp ends what was not ended.
	GiveUp()
}

// Empty is ErrExists if there is a game, a mail or a note in a store.
func Empty(db Store) error {
	games, err := db.Games()
	if err != nil {
		return err
	}
	stats, err := db.Stats()
	if err != nil {
		return err
	}
	notes, err := db.Notes("")
	if err != nil {
		return err
	}
	records := len(games) + len(stats.Mails) + len(notes)
	if records > 0 {
		return fmt.Errorf("the store to fill is not empty: %w", ErrExists)
	}
	return nil
}
