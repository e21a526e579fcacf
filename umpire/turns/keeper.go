// Package turns lets games go on: it plays with what is filed, keeps deadlines and waits
// for the beacon, and commits what comes of it. It reads no mail.
package turns

import (
	"context"
	"sync/atomic"
	"time"

	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
)

// Keeper lets games go on: it plays on with what is filed, keeps their deadlines, waits
// for the beacon, and commits what comes of it.
type Keeper struct {
	post.Office
	// Staff plays for seats without a person at hand.
	Staff Staff
	// Steady is a clock that nobody can set: the time since some moment. Without one the
	// clock is believed.
	Steady func() time.Duration
	// Between is called after each look at the clock, when no game's deadline is being kept; nil
	// for nothing.
	Between func()

	looked *looked
	alarms *alarms
	// owesDisclosure: a game is over, and what to disclose of it could not be sent yet.
	owesDisclosure *atomic.Bool
}

// looked is what was seen of the clocks.
type looked struct {
	wall   time.Time // what the clocks said at the last look
	steady time.Duration
	marked time.Time    // the clock as it was noted last
	askAt  atomic.Int64 // from when on, by the steady clock, the mail server is asked for the time
}

// NewKeeper makes a Keeper without any settings. What it has of the process its copies share.
func NewKeeper() Keeper {
	return Keeper{Office: post.NewOffice(), looked: &looked{}, alarms: &alarms{}, owesDisclosure: &atomic.Bool{}}
}

// Over is the Keeper over another store, such as a store.Reckoning.
func (k *Keeper) Over(db store.Store) *Keeper {
	on := *k
	on.DB = db
	if k.Staff != nil {
		on.Staff = k.Staff.StaffOver(db)
	}
	return &on
}

// Anew takes all lanes and has a Change worked out and committed, again while it comes too
// late; see store.Anew.
func (k *Keeper) Anew(do func(on *Keeper) error) error {
	k.Writing.Lock()
	defer k.Writing.Unlock()
	return store.Anew(k.DB, func(db store.Store) error { return do(k.Over(db)) })
}

// Staff plays for seats without a person at hand. What a staff officer writes comes in
// as a player's sheet does, so whoever takes in sheets implements it.
type Staff interface {
	// StaffOver is the same over another store.
	StaffOver(db store.Store) Staff
	// Attend lets staff officers play as long as a game waits for one of them.
	Attend(ctx context.Context, game string)
	// ActForLate has a staff officer write the sheet of a side that is late. It reports
	// false if none could; then standing orders count.
	ActForLate(c *store.Change, pos store.Position, r match.Schedule, missing []string) (done bool, err error)
}
