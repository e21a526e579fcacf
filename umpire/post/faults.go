package post

import (
	"encoding/json"
	"errors"

	"fieldpost/store"
)

// fault is what kind of thing an error is about. What is done about an error follows
// from its kind, and faultOf alone tells which that is.
type fault int

const (
	// unusable: the store cannot be read or written, or something is amiss that nobody
	// thought of. What was being done has not happened, and is done again later.
	unusable fault = iota
	// damaged: one record or one file is damaged or lost. Waiting mends nothing, but a
	// backup does. What hangs on it is set aside, and all else goes on.
	Damaged
	// policy: all can be read, and it says no: a sheet is refused, a mail held back.
	Policy
)

// KindOf is the kind of an error.
func KindOf(err error) fault {
	var refused *Refusal
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &refused), errors.Is(err, errSuspended), errors.Is(err, ErrMoved), errors.Is(err, store.ErrState), errors.Is(err, store.ErrUndrawn):
		return Policy
	case errors.Is(err, store.ErrDamaged), errors.Is(err, store.ErrNotFound), errors.As(err, &syntax), errors.As(err, &kind):
		return Damaged
	case errors.Is(err, store.ErrNewer): // a flipped bit: a store that is newer does not open
		return Damaged
	}
	return unusable
}

// Readable is the error of a list without the records that are damaged: those are told
// in the log, once each, and the list goes on without them.
func (o *Office) Readable(err error) error {
	var lost store.DamagedRecords
	if !errors.As(err, &lost) {
		return err
	}
	for _, d := range lost {
		if _, told := o.lost.LoadOrStore(d.String(), true); !told {
			o.Log.Error("a record is damaged; it is left out until it is repaired from a backup", d.What, d.ID, "error", d.Err)
		}
	}
	return nil
}

var (
	// errSuspended says that mail to all addresses of a player comes back.
	errSuspended = errors.New("mail to the player comes back; it waits until they write")
	ErrMoved     = errors.New("its recipient is not the player of that side any more")
)
