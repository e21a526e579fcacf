// Package intake gives each incoming mail its effect: it decides what a mail is, who
// signed it and what of it counts, files and carries out, and answers.
//
// One mail is one transaction: the mark that it is handled, the sheet, the journal, the
// new positions and every outgoing mail are committed together.
package intake

import (
	"sync"

	"fieldpost/umpire/audit"
	"fieldpost/umpire/turns"
)

// Handler gives each incoming mail its effect: it reads, asks who signed, files, carries
// out, and answers. A moderator's acts come through it too, by mail or by command.
type Handler struct {
	turns.Keeper
	// SignUp says that strangers are told how to join.
	SignUp bool
	// LookupTXT asks the DNS; nil is the system's.
	LookupTXT func(domain string) ([]string, error)
	// Moderators may carry out acts by signed mail.
	Moderators []Moderator

	// attending: staff officers are at work, and their sheets call for no others.
	attending bool

	aheadMu   sync.Mutex
	ReadAhead map[[32]byte]*readAhead // by the SHA-256 of the mail
	reading   chan struct{}           // holds as many as read ahead at once
}

// ActLog is the log of moderators' acts.
func (hd *Handler) ActLog() audit.Log { return audit.Log{DB: hd.DB, Now: hd.Now} }
