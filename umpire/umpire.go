// Package umpire is the daemon: it polls the mailbox, keeps time, sends the outbox and
// answers the moderator's commands. What a mail does is below it, in intake; how games
// go on, what is written to players and what can be looked at in turns, post and club.
package umpire

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"fieldpost/adjudicator/table"
	"fieldpost/dice/beacon"
	"fieldpost/orders/seal"
	"fieldpost/scenarios"
	"fieldpost/store"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/archive"
	"fieldpost/umpire/club"
	"fieldpost/umpire/door"
	"fieldpost/umpire/intake"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
	"fieldpost/umpire/share"
	"fieldpost/umpire/turns"
)

// Setup is what an Umpire is made of. Zero values that are not explained are none.
type Setup struct {
	DB store.Store
	// Library is where the scenarios are; nil holds the built-in ones.
	Library *match.Library
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
	// FirstMails is how many mails a day may go to addresses that never wrote to us; 0 sets
	// no bound.
	FirstMails int
	// Key signs the daemon's mails.
	Key seal.PrivateKey
	// Now is the clock; no journal ever sees it.
	Now func() time.Time
	Log *slog.Logger
	// Club is what the club says of itself in mails.
	Club post.Club
	// Moderators may carry out acts by signed mail.
	Moderators []acts.Moderator
	// Draw tells whether a report has pictures; nil: all have. Long trials go without.
	Draw func(game, side string) bool
	// Share is what the club has of the processors; nil is all of them.
	Share *share.Share
}

// New makes an Umpire. Nothing is read or written yet.
func New(s Setup) *Umpire {
	u := &Umpire{Handler: intake.NewHandler(), MaxMessage: s.MaxMessage, Local: time.Now}
	if s.DB != nil {
		s.DB.DrawWith(Redrawer(s.DB, s.Library, s.Share))
	}
	u.SignUp, u.Moderators = s.SignUp, s.Moderators
	u.Games = match.Games{DB: s.DB, Library: s.Library, Beacon: s.Beacon, Now: s.Now, Log: s.Log, Share: s.Share}
	u.Address, u.Name, u.Instance, u.Plain = s.Address, s.Name, s.Instance, s.Plain
	u.Key, u.Draw, u.FirstMails = s.Key, s.Draw, s.FirstMails
	u.Moderating, u.AboutClub = u.PersonOf, s.Club
	u.Staff, u.Filing = &u.Handler, &u.Handler
	u.Between = u.Tournaments
	u.observer = club.NewObserver(&u.Office)
	return u
}

// Redrawer makes again what is left out of mails that a store keeps thin: pictures, from the view
// beside them, and the archive of a game that is over, from the store itself.
func Redrawer(db store.Store, library *match.Library, in *share.Share) store.Drawer {
	games := &match.Games{DB: db, Library: library, Share: in, Now: time.Now, Log: slog.New(slog.DiscardHandler)}
	return func(mail, from []byte) ([][]byte, error) {
		var of turns.ArchiveRecipe
		if err := json.Unmarshal(from, &of); err != nil {
			return nil, fmt.Errorf("the recipe of a mail: %w", err)
		}
		if of.Archive == nil {
			return post.Redraw(in, mail, from)
		}
		raw, err := archive.Writer{Games: games}.Rewrite(*of.Archive)
		if err != nil {
			return nil, err
		}
		return [][]byte{store.Base64Lines(raw)}, nil
	}
}

// Umpire runs the games of a store. Its methods may be called by several
// goroutines; one of them writes at a time.
type Umpire struct {
	intake.Handler
	// MaxMessage is the largest message read, in bytes; 0 is no limit.
	MaxMessage int64
	// Local is this machine's clock; deadlines go by Now, which may be that of a database.
	Local func() time.Time

	// AtOnce is how many mails of the queue are handled at once; 0 is as many as there are processors.
	AtOnce int

	observer  *club.Observer
	guard     func(func() error) error // what handling a mail is called by; nil calls it
	unlock    atomic.Pointer[func()]
	told      time.Time  // the last look through the mailbox that other nodes heard of; the poller's
	unkept    time.Time  // since when the disk keeps nothing; held with Writing
	ingesting sync.Mutex // one message from a pipe at a time is in memory
}

var _ table.Source = (*scenarios.Pack)(nil)

// Archive writes a game as one file that proves itself; see archive.Writer.
func (u *Umpire) Archive(id string) ([]byte, error) {
	return archive.Writer{Games: &u.Games, Key: u.Key}.Write(id)
}

// Door is the door of the page.
func (u *Umpire) Door() *door.Door { return &door.Door{DB: u.DB, Log: u.Log} }

// StoreAnswers tells whether the store can be read.
func (u *Umpire) StoreAnswers() error { return u.observer.StoreAnswers() }

// Status is all games at one look, the worst first; see club.Observer.
func (u *Umpire) Status() (club.Status, error) { return u.observer.Status() }

// Club is the ladder and the results.
func (u *Umpire) Club() (club.Club, error) { return u.observer.Club() }

// TournamentTables are all tournaments with their tables.
func (u *Umpire) TournamentTables() ([]club.TournamentTable, error) {
	return u.observer.TournamentTables()
}

// Spectate tells of a game what everybody may know.
func (u *Umpire) Spectate(id string) (*club.Spectacle, error) { return u.observer.Spectate(id) }

// PublicMap draws what Spectate shows, as PNG so many pixels wide.
func (u *Umpire) PublicMap(id string, width int) ([]byte, error) {
	return u.observer.PublicMap(id, width)
}

// PlayedTurn tells of a turn of a game that is over.
func (u *Umpire) PlayedTurn(id string, turn int, drawn bool) (*club.PlayedTurn, error) {
	return u.observer.PlayedTurn(id, turn, drawn)
}

// Inside is what only a moderator may see of a game; InsideMap its position, OutgoingLetter and
// IncomingLetter its mails. See club.Observer.
func (u *Umpire) Inside(id string) (club.Inside, error) { return u.observer.Inside(id) }

func (u *Umpire) InsideMap(id, side string) ([]byte, error) { return u.observer.InsideMap(id, side) }

// EditedMap draws the position of a game as an edit would make it.
func (u *Umpire) EditedMap(id, edit string) ([]byte, error) { return u.observer.EditedMap(id, edit) }

func (u *Umpire) OutgoingLetter(game, id string) (club.Letter, error) {
	return u.observer.OutgoingLetter(game, id)
}

func (u *Umpire) IncomingLetter(game, sha string) (club.Letter, error) {
	return u.observer.IncomingLetter(game, sha)
}

// Album tells a game up to now: as a side knew it, or with both sides open.
func (u *Umpire) Album(id, side string) (*club.Album, error) { return u.observer.Album(id, side) }
