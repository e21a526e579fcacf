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
	case errors.As(err, &refused):
		return policy
	case errors.Is(err, store.ErrDamaged), errors.Is(err, store.ErrNotFound), errors.As(err, &syntax), errors.As(err, &kind):
		return damaged
	}
	return unusable
}
