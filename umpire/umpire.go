// Package umpire is the turn loop and the life of games. It is the only package
// that puts rules, mail, store and reports together.
//
// One incoming mail is one transaction: the mark that it is handled, the sheet,
// the journal, the new positions and every outgoing mail are committed together.
// Everything that takes time (rules, maps) happens before, outside of the
// writer's lock, and is thrown away if the game has moved on meanwhile.
package umpire

import (
	"log/slog"
	"sync"
	"time"

	"fieldpost/adjudicator/table"
	"fieldpost/dice/beacon"
	"fieldpost/orders/seal"
	"fieldpost/scenarios"
	"fieldpost/store"
	"fieldpost/umpire/archive"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
)

// Setup is what an Umpire is made of. Zero values that are not explained are none.
type Setup struct {
	DB *store.DB
	// Shelf is the scenarios; nil is the built-in ones.
	Shelf *match.Shelf
	// Beacon is the public beacon of games that want one; nil is drand's Quicknet.
	Beacon *beacon.Chain
	// Address is the daemon's own mail address, Name what people call it.
	Address, Name string
	// Instance marks own mails, so that a loop ends at once.
	Instance string
	// Plain says that mail to Address with a plus-tag does not arrive here.
	Plain bool
	// MaxMessage is the largest message read, in bytes; 0 is no limit.
	MaxMessage int64
	// SignUp says that strangers are told how to join.
	SignUp bool
	// Key signs the daemon's mails.
	Key seal.PrivateKey
	// Now is the clock; no journal ever sees it.
	Now func() time.Time
	Log *slog.Logger
	// Moderators may carry out acts by signed mail.
	Moderators []Moderator
	// Draw tells whether a report has pictures; nil: all have. Long trials go without.
	Draw func(game, side string) bool
}

// New makes an Umpire. Nothing is read or written yet.
func New(s Setup) *Umpire {
	return &Umpire{
		Office: post.Office{
			Games:   match.Games{DB: s.DB, Shelf: s.Shelf, Beacon: s.Beacon, Now: s.Now, Log: s.Log},
			Address: s.Address, Name: s.Name, Instance: s.Instance, Plain: s.Plain, Key: s.Key, Draw: s.Draw,
		},
		MaxMessage: s.MaxMessage, SignUp: s.SignUp, Moderators: s.Moderators,
	}
}

// Umpire runs the games of a store. Its methods may be called by several
// goroutines; one of them writes at a time.
type Umpire struct {
	post.Office
	// MaxMessage is the largest message read, in bytes; 0 is no limit.
	MaxMessage int64
	// SignUp says that strangers are told how to join.
	SignUp bool
	// LookupTXT asks the DNS; nil is the system's.
	LookupTXT func(domain string) ([]string, error)
	// Moderators may carry out acts by signed mail.
	Moderators []Moderator

	alarms  alarms
	awaited map[string]uint64 // rounds of the beacon, by game
	// attending: staff officers are at work, and their sheets call for no others.
	attending bool

	aheadMu sync.Mutex
	ahead   map[[32]byte]*readAhead // by the SHA-256 of the mail
	reading chan struct{}           // holds as many as read ahead at once

	looking sync.Mutex
	looks   map[string]look // by game
	sized   time.Time       // when data was reckoned: what the data folder takes, in bytes
	data    int64
}

var _ table.Source = (*scenarios.Pack)(nil)

// Archive writes a game as one file that proves itself; see archive.Writer.
func (u *Umpire) Archive(id string) ([]byte, error) {
	return archive.Writer{Games: &u.Games, Key: u.Key}.Write(id)
}
