// Package acts carries out what moderators do to games: the acts that change a game, and
// the seats of its players, whether a mail or a command asks for them.
package acts

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/store"
	"fieldpost/umpire/audit"
	"fieldpost/umpire/match"
	"fieldpost/umpire/turns"
)

// Executor carries out the acts of moderators.
type Executor struct {
	turns.Keeper
	// Filing files sheets that an act brings.
	Filing Filer
	// SignUp says that strangers are told how to join.
	SignUp bool
	// Moderators may carry out acts by signed mail.
	Moderators []Moderator
}

// NewExecutor makes an Executor without any settings. What it has of the process its copies share.
func NewExecutor() Executor { return Executor{Keeper: turns.NewKeeper()} }

// Over is the Executor over another store, such as a store.Reckoning.
func (hd *Executor) Over(db store.Store) *Executor {
	on := *hd
	on.Keeper = *hd.Keeper.Over(db)
	if hd.Filing != nil {
		on.Filing = hd.Filing.FilerOver(db)
	}
	return &on
}

// Anew takes all lanes and has a Change worked out and committed, again while it comes too
// late; see store.Anew.
func (hd *Executor) Anew(do func(on *Executor) error) error {
	hd.Writing.Lock()
	defer hd.Writing.Unlock()
	return store.Anew(hd.DB, func(db store.Store) error { return do(hd.Over(db)) })
}

// Moderator is somebody who may carry out acts by signed mail.
type Moderator struct {
	Name    string `toml:"name"`
	Address string `toml:"address"`
	// Key is a public key, or in the config the file that holds it.
	Key   string   `toml:"key"`
	Games []string `toml:"games"` // ids; none: all games
}

// Read checks the entry and reads the file of the key.
func (m *Moderator) Read(path func(string) string) error {
	var faults []error
	if m.Name == "" {
		faults = append(faults, errors.New("name is missing"))
	}
	if _, err := mailbox.PlainAddress(m.Address); err != nil {
		faults = append(faults, fmt.Errorf("address = %q: %w", m.Address, err))
	}
	if text, err := os.ReadFile(path(m.Key)); err == nil {
		m.Key = strings.TrimSpace(string(text))
	}
	if _, err := seal.ParseKey(m.Key); err != nil {
		faults = append(faults, fmt.Errorf("key = %q is neither a public key nor the file of one: %w", m.Key, err))
	}
	for i, id := range m.Games {
		m.Games[i] = strings.ToUpper(id)
	}
	return errors.Join(faults...)
}

// May tells whether the moderator has rights over a game.
func (m Moderator) May(game string) bool {
	return len(m.Games) == 0 || slices.ContainsFunc(m.Games, func(id string) bool { return strings.EqualFold(id, game) })
}

// Act is something that a moderator does to a game. By is their name; Side and
// Value are what the verb needs. With Dry nothing is done, and what would be is said.
type Act struct {
	By, Verb, Game, Side, Value string
	Dry                         bool
}

// Done is what an act led to.
type Done struct {
	Says []string // in words, for the moderator
}

// Errors of Moderate.
var (
	ErrVerb      = errors.New("no such act")
	ErrNotPaused = errors.New("the game is not paused")
	ErrNotNow    = errors.New("not possible now")
)

// ActLog is the log of moderators' acts.
func (hd *Executor) ActLog() audit.Log { return audit.Log{DB: hd.DB, Now: hd.Now} }

// Filer files sheets in a player's place. They count as a player's do, so whoever takes
// in sheets implements it.
type Filer interface {
	// FilerOver is the same over another store.
	FilerOver(db store.Store) Filer
	// FileFor files a sheet into a Change; one order that cannot stand and nothing is filed.
	FileFor(c *store.Change, pos store.Position, p store.Player, in StandIn) error
}

// StandIn is what is filed in a player's place: the sections of a sheet, and how they
// came about (match.ActFor, match.ActStaff). Late are the sides without whose orders the game goes
// on by it.
type StandIn struct {
	How, Sections string
	Late          []string
}

// waits is the phase of a running game that waits with a deadline.
func waits(pos store.Position) (*store.OpenPhase, []adjudicator.Decision, error) {
	if pos.Game.Status != store.StatusRunning || pos.Open == nil {
		return nil, nil, fmt.Errorf("%w: the game is %s and waits for nobody", ErrNotNow, pos.Game.Status)
	}
	if pos.Open.Closed > 0 {
		return nil, nil, fmt.Errorf("%w: the deadline has passed, no orders are taken, and the dice come from round %d of drand", ErrNotNow, pos.Open.Round)
	}
	pending, err := match.PendingOf(pos.Open)
	open := *pos.Open
	return &open, pending, err
}
