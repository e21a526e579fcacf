// Package post is what goes out to the players: reports, notices and invitations, the
// outbox that sends them, and what comes back. It answers nothing that comes in.
package post

import (
	"sync"

	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/umpire/match"
)

// Office writes the mails of games to their players, and sends them. What it writes
// goes into the Change that it tells of; the caller commits both together.
type Office struct {
	match.Games
	// Address is the daemon's own mail address, Name what people call it.
	Address, Name string
	// Instance marks own mails, so that a loop ends at once.
	Instance string
	// Plain says that mail to Address with a plus-tag does not arrive here.
	Plain bool
	// DKIM signs outgoing mail; nil does not.
	DKIM *mailbox.Signer
	// Key signs the daemon's mails.
	Key seal.PrivateKey
	// AboutClub is what the club says of itself.
	AboutClub Club
	// Moderating is the person to whom the players of a game turn; nil is none.
	Moderating func(game string) Person
	// Draw tells whether a report has pictures; nil: all have. Long trials go without.
	Draw func(game, side string) bool

	// Writing is held by whoever works out a Change, until it is committed.
	Writing sync.Mutex
	// Wake tells the sender that mail waits; nil where none is sent.
	Wake  chan struct{}
	lost  sync.Map // damaged records that the log has told of
	Tally tally
}
