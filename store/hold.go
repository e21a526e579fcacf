package store

import (
	"errors"
	"fmt"
	"time"
)

// Shared is a store over which several nodes work. A claim saves double work and nothing else: that
// nothing has two effects is for the laws of Commit.
type Shared interface {
	// Claim says that this node works at a thing, for ClaimTime by the store's clock. It is false if
	// another node has said so and its time is not over. Who has a claim may make it again.
	Claim(name string) (bool, error)
	// Release ends a claim of this node.
	Release(name string) error

	// Alive says that this node is at work; about is what program it runs, and roles what it does.
	// It sets Now by the store's clock. The error is ErrNewer when the store was brought to a
	// version that this program may not write.
	Alive(about string, roles []string) error
	// Now is what the store's clock says: nodes whose own clocks differ agree on deadlines by it.
	Now() time.Time
	// Sweep says that all mail that had arrived by a moment of the store's clock is handled, Swept
	// tells the latest such moment; zero for none.
	Sweep(at time.Time) error
	Swept() (time.Time, error)
	// Leave says that this node ends: its claims do, too.
	Leave() error
	// Nodes are the nodes that have been heard of in the last day, and have not left, by name.
	Nodes() ([]Node, error)
	// Standbys is how many copies of the store follow it, and by how many bytes the slowest of them
	// is behind; -1 where that is not for us to know.
	Standbys() (copies int, behind int64, err error)
}

// Node is one of several daemons over a store. Its times are by the store's clock.
type Node struct {
	Name  string        `json:"name"`
	About string        `json:"about"`           // what program it runs
	Roles []string      `json:"roles,omitempty"` // what it does
	Since time.Time     `json:"since"`
	Quiet time.Duration `json:"quiet"`           // how long ago it was last heard of
	Works []string      `json:"works,omitempty"` // what it claims
}

// Beat is how often a node says that it is at work.
const Beat = time.Second

// Quiet is how long a node may be quiet before others take it for gone, and send what it was sending.
const Quiet = 6 * Beat

// Gone tells whether a node has been quiet for so long that others do its work.
func (n Node) Gone() bool { return n.Quiet > Quiet }

// ClaimTime is how long a claim lasts that is not renewed: how long the work of a node that is gone
// waits for another one.
const ClaimTime = 4 * time.Second

// ErrElsewhere: another node works at this now.
var ErrElsewhere = errors.New("another node works at this")

// Hold claims a thing until it is let go, renewing the claim meanwhile. A store of one process has
// nothing to claim. The error is ErrElsewhere if another node has it.
func Hold(db Store, name string) (letGo func(), err error) {
	shared, is := db.(Shared)
	if !is {
		return func() {}, nil
	}
	ours, err := shared.Claim(name)
	if err != nil {
		return nil, err
	}
	if !ours {
		return nil, fmt.Errorf("%s: %w", name, ErrElsewhere)
	}
	return Renew(db, name), nil
}

// Renew renews a claim that this node has until it is let go.
func Renew(db Store, name string) (letGo func()) {
	shared, is := db.(Shared)
	if !is {
		return func() {}
	}
	done, renewed := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(renewed)
		for {
			select {
			case <-done:
				return
			case <-time.After(ClaimTime / 4):
				_, _ = shared.Claim(name) // what is lost meanwhile costs work, no more
			}
		}
	}()
	return func() {
		close(done)
		<-renewed
		_ = shared.Release(name) // it ends by itself
	}
}
