package umpire

import (
	"errors"
	"strings"

	"fieldpost/umpire/audit"
)

// Audit reads the log of moderators' acts in a game, or with "" in all; see Audit.Read.
func (u *Umpire) Audit(game string) ([]audit.Entry, error) { return u.ActLog().Read(game) }

// auditLog is Audit with the fault in words.
func (u *Umpire) auditLog(game string) (l Log, err error) {
	if l.Entries, err = u.Audit(strings.ToUpper(game)); errors.Is(err, audit.ErrAltered) {
		l.Fault, err = err.Error(), nil
	}
	return l, err
}
