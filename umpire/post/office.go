// Package post is what goes out to the players: reports, notices and invitations, the
// outbox that sends them, and what comes back. It answers nothing that comes in.
package post

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"sync"

	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/store"
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
	// FirstMails is how many mails a day may go to addresses that never wrote to us; 0 sets
	// no bound.
	FirstMails int
	// Key signs the daemon's mails.
	Key seal.PrivateKey
	// AboutClub is what the club says of itself.
	AboutClub Club
	// Moderating is the person to whom the players of a game turn; nil is none.
	Moderating func(game string) Person
	// Draw tells whether a report has pictures; nil: all have. Long trials go without.
	Draw func(game, side string) bool

	// Writing is held by whoever works out a Change, until it is committed: the lane of a
	// game where the Change is of that game alone, otherwise the whole.
	Writing *Lanes
	// Wake tells the sender that mail waits; nil where none is sent.
	Wake  chan struct{}
	lost  *sync.Map               // damaged records that the log has told of
	owed  map[string]store.Result // what became of mails, which the disk did not keep; the sender's alone
	Tally *tally
	// Service is how mail comes and goes.
	Service *Service
}

// NewOffice makes an Office without any settings. What it has of the process its copies share.
func NewOffice() Office {
	return Office{Writing: &Lanes{}, lost: &sync.Map{}, owed: map[string]store.Result{}, Tally: &tally{}, Service: &Service{}}
}

// Over is the Office over another store, such as a store.Reckoning.
func (o *Office) Over(db store.Store) *Office {
	on := *o
	on.DB = db
	return &on
}

// Drawn tells whether a mail to a side has pictures.
func (o *Office) Drawn(game, side string) bool { return o.Draw == nil || o.Draw(game, side) }

// Person is somebody whom a player can write to.
type Person struct{ Name, Address string }

// Club is what the club that runs the games says of itself; all of it may be empty.
type Club struct {
	// Page tells about the games, Downloads is where the program is, Desk is where this
	// program's order desk can be reached, Contact an address.
	Page      string `toml:"page"`
	Downloads string `toml:"downloads"`
	Desk      string `toml:"desk"`
	Contact   string `toml:"contact"`
}

// isPage tells whether a text is the address of a page of the web.
func isPage(link string) bool {
	at, err := url.Parse(link)
	return err == nil && at.Host != "" && slices.Contains([]string{"http", "https"}, at.Scheme)
}

// Check says what is wrong with the settings.
func (c Club) Check() error {
	var faults []error
	for _, link := range []struct{ name, value string }{{"page", c.Page}, {"downloads", c.Downloads}, {"desk", c.Desk}} {
		if link.value != "" && !isPage(link.value) {
			faults = append(faults, fmt.Errorf("club.%s: %q is not the address of a page, such as https://club.example", link.name, link.value))
		}
	}
	if _, err := mailbox.PlainAddress(c.Contact); c.Contact != "" && err != nil {
		faults = append(faults, fmt.Errorf("club.contact = %q: %w", c.Contact, err))
	}
	return errors.Join(faults...)
}
