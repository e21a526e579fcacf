package store

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
)

// Row is one record as it goes from a store into another: one of the pointers is set. With it
// go the bytes that JSON leaves out: a position, a mail.
type Row struct {
	Game    *Game       `json:"game,omitempty"`
	Of      string      `json:"of,omitempty"` // the game of a phase, an open phase or a step
	Phase   *Phase      `json:"phase,omitempty"`
	Open    *OpenPhase  `json:"open,omitempty"`
	Step    *Step       `json:"step,omitempty"`
	Sheet   *Sheet      `json:"sheet,omitempty"`
	Place   int         `json:"place,omitempty"` // of a sheet among those of its Change
	Mail    *Mail       `json:"mail,omitempty"`  // with Raw, unless it was pruned, and Recipe
	Handled *Handled    `json:"handled,omitempty"`
	Arrived *Incoming   `json:"arrived,omitempty"`
	Raw     []byte      `json:"-"` // of Handled, if it is Spooled, and of Arrived
	Message *MessageRow `json:"message,omitempty"`
	Mailbox *MailboxRow `json:"mailbox,omitempty"`
	Note    *NoteRow    `json:"note,omitempty"`
}

// MessageRow is the mark of a message.
type MessageRow struct {
	Mailbox  string  `json:"mailbox"`
	Validity uint32  `json:"validity"`
	UID      uint32  `json:"uid"`
	Mark     UIDMark `json:"mark"`
}

// MailboxRow is how far a mailbox is read.
type MailboxRow struct {
	Mailbox  string `json:"mailbox"`
	Validity uint32 `json:"validity"`
	Low      uint32 `json:"low"`
}

// NoteRow is a note.
type NoteRow struct {
	Name  string `json:"name"`
	Value []byte `json:"value"`
}

// Movable is a store whose records can be taken into another one.
type Movable interface {
	Store
	// Rows calls f for everything that is in the store, as it is at one moment: games first, and
	// what belongs to one in the order in which it came. A thin mail is made whole. One whose
	// pictures are drawn otherwise now is ErrUndrawn.
	Rows(f func(Row) error) error
	// Fill begins to fill an empty store; ErrExists if it is not empty.
	Fill() (Filling, error)
}

// Filling is an empty store that is being filled. If it is not ended what is in it is of no use.
type Filling interface {
	Put(Row) error
	End() error
}

// Move fills an empty store with everything that is in another one, and compares both. It
// tells how many records there are. Nobody else may use either meanwhile.
func Move(from, to Movable) (rows int, err error) {
	into, err := to.Fill()
	if err != nil {
		return 0, err
	}
	var sent digests
	if err := from.Rows(func(r Row) error {
		if err := sent.add(r); err != nil {
			return err
		}
		return into.Put(r)
	}); err != nil {
		return 0, err
	}
	if err := into.End(); err != nil {
		return 0, err
	}
	var arrived digests
	if err := to.Rows(arrived.add); err != nil {
		return 0, err
	}
	if err := sent.equal(arrived); err != nil {
		return 0, err
	}
	return len(sent), errors.Join(to.Check()...)
}

// digests are the hashes of rows.
type digests []rowDigest

type rowDigest struct {
	sum  [sha256.Size]byte
	name string
}

func (d *digests) add(r Row) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	h := sha256.New()
	put := func(b []byte) { fmt.Fprintf(h, "%d ", len(b)); h.Write(b) }
	put(text)
	put(r.Raw)
	if r.Phase != nil {
		put(r.Phase.Snapshot)
	}
	if r.Mail != nil {
		put(r.Mail.Raw)
		put(r.Mail.Recipe)
	}
	*d = append(*d, rowDigest{[sha256.Size]byte(h.Sum(nil)), string(text[:min(len(text), 120)])})
	return nil
}

// equal is ErrDamaged, with one of the differences, if the rows are not the same.
func (d digests) equal(o digests) error {
	there := map[[sha256.Size]byte]int{}
	for _, r := range o {
		there[r.sum]++
	}
	for _, r := range d {
		if there[r.sum]--; there[r.sum] < 0 {
			return fmt.Errorf("%w: what arrived is not what was sent, such as %s", ErrDamaged, r.name)
		}
	}
	if len(d) != len(o) {
		return fmt.Errorf("%w: %d records were sent, and %d arrived", ErrDamaged, len(d), len(o))
	}
	return nil
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
