// Package umpire is the turn loop and the life of games. It is the only package
// that puts rules, mail, store and reports together.
//
// One incoming mail is one transaction: the mark that it is handled, the sheet,
// the journal, the new positions and every outgoing mail are committed together.
// Everything that takes time (rules, maps) happens before, outside of the
// writer's lock, and is thrown away if the game has moved on meanwhile.
package umpire

import (
	"errors"
	"log/slog"
	"sync"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/table"
	"fieldpost/internal/beacon"
	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/scenarios"
	"fieldpost/store"
)

// Umpire runs the games of a store. Its methods may be called by several
// goroutines; one of them writes at a time.
type Umpire struct {
	DB *store.DB
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
	// DKIM signs outgoing mail; nil does not.
	DKIM *mailbox.Signer
	// LookupTXT asks the DNS; nil is the system's.
	LookupTXT func(domain string) ([]string, error)
	// Key signs the daemon's mails.
	Key seal.PrivateKey
	// Now is the clock of mail headers and the outbox. No journal ever sees it.
	Now func() time.Time
	Log *slog.Logger
	// Moderators may carry out acts by signed mail.
	Moderators []Moderator
	// Shelf is the scenarios; nil is the built-in ones.
	Shelf *Shelf

	// Beacon is the public beacon of games that want one; nil is drand's Quicknet.
	Beacon *beacon.Chain

	mu      sync.Mutex
	alarms  alarms
	awaited map[string]uint64 // rounds of the beacon, by game
	// attending: staff officers are at work, and their sheets call for no others.
	attending bool

	// Draw tells whether a report has pictures; nil: all have. Long trials go without.
	Draw func(game, side string) bool
	// wake tells the sender that mail waits; nil where none is sent.
	wake chan struct{}

	aheadMu sync.Mutex
	ahead   map[[32]byte]*readAhead // by the SHA-256 of the mail
	reading chan struct{}           // holds as many as read ahead at once

	lost    sync.Map // damaged records that the log has told of
	tally   tally
	looking sync.Mutex
	looks   map[string]look // by game
	sized   time.Time       // when data was reckoned: what the data folder takes, in bytes
	data    int64
}

// ErrUnknownSystem says that a scenario belongs to a rules system that this
// program does not have.
var ErrUnknownSystem = errors.New("unknown rules system")

// builtin is the built-in scenarios.
var builtin Shelf

// shelf is where the umpire's scenarios are.
func (u *Umpire) shelf() *Shelf {
	if u.Shelf == nil {
		return &builtin
	}
	return u.Shelf
}

// scenario loads a scenario under its rules, once.
func (u *Umpire) scenario(id string) (adjudicator.Game, adjudicator.System, error) {
	return u.shelf().load(id)
}

// under is a game's scenario under its rules and options.
func (u *Umpire) under(g store.Game) (adjudicator.Game, adjudicator.System, error) {
	game, sys, err := u.scenario(g.Scenario)
	if err != nil {
		return nil, sys, err
	}
	game, err = adjudicator.Under(game, g.Options)
	return game, sys, err
}

// Scenario loads a built-in scenario for those who only want to look at it.
func Scenario(id string) (adjudicator.Game, error) {
	g, _, err := builtin.load(id)
	return g, err
}

var _ table.Source = (*scenarios.Pack)(nil)
