package umpire

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
	damaged
	// policy: all can be read, and it says no: a sheet is refused, a mail held back.
	policy
)

// faultOf is the kind of an error.
func faultOf(err error) fault {
	var refused *Refusal
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &refused), errors.Is(err, errSuspended), errors.Is(err, errMoved), errors.Is(err, store.ErrState):
		return policy
	case errors.Is(err, store.ErrDamaged), errors.Is(err, store.ErrNotFound), errors.As(err, &syntax), errors.As(err, &kind):
		return damaged
	case errors.Is(err, store.ErrNewer): // a flipped bit: a store that is newer does not open
		return damaged
	}
	return unusable
}

// readable is the error of a list without the records that are damaged: those are told
// in the log, once each, and the list goes on without them.
func (u *Umpire) readable(err error) error {
	var lost store.DamagedRecords
	if !errors.As(err, &lost) {
		return err
	}
	for _, d := range lost {
		if _, told := u.lost.LoadOrStore(d.String(), true); !told {
			u.Log.Error("a record is damaged; it is left out until it is repaired from a backup", d.What, d.ID, "error", d.Err)
		}
	}
	return nil
}
