// Package club is what can be looked at without changing anything: the state of all games,
// the spectators' view of one, the ladder, and the album of a game.
package club

import (
	"sync"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/umpire/post"
)

// Observer looks at games for moderators, spectators and the club, and changes none.
type Observer struct {
	*post.Office

	looking sync.Mutex
	looks   map[string]look       // by game
	results map[string]keptResult // by game
	sized   time.Time             // when data was reckoned: what the data folder takes, in bytes
	data    int64
}

// NewObserver looks at the games of an office.
func NewObserver(o *post.Office) *Observer { return &Observer{Office: o} }

// keptResult is how a game stands for the club, reckoned once for each of its Changes.
type keptResult struct {
	seq    uint64
	result Result
}

// look is what the position of a game says, read once for each of its Changes.
type look struct {
	seq uint64
	at  adjudicator.Phase
}
