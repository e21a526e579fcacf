package turns

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"

	"fieldpost/umpire/match"
)

// alarms are the moments at which time alone moves games, and the rounds of the beacon
// that games wait for. Several games may go on at once.
type alarms struct {
	mu      sync.Mutex
	at      map[string]time.Time
	awaited map[string]uint64 // rounds of the beacon
}

// clear forgets all.
func (a *alarms) clear() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.at, a.awaited = nil, nil
}

// remove takes the alarm of a game away.
func (a *alarms) remove(game string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.at, game)
	delete(a.awaited, game)
}

// set gives a game its next moment.
func (a *alarms) set(game string, at time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.put(game, at)
}

func (a *alarms) put(game string, at time.Time) {
	if a.at == nil {
		a.at = map[string]time.Time{}
	}
	a.at[game] = at
}

// bringForward gives a game an earlier moment, if this one is earlier.
func (a *alarms) bringForward(game string, at time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if next := match.Sooner(a.at[game], at); !next.IsZero() {
		a.put(game, next)
	}
}

// await has a game wait for a round, which comes at a moment.
func (a *alarms) await(game string, round uint64, at time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.awaited == nil {
		a.awaited = map[string]uint64{}
	}
	a.awaited[game] = round
	a.put(game, at)
}

// wanted tells whether a game other than the one named waits for a round.
func (a *alarms) wanted(round uint64, but string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for game, r := range a.awaited {
		if r == round && game != but {
			return true
		}
	}
	return false
}

// rounds are those that games wait for, ascending.
func (a *alarms) rounds() []uint64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Compact(slices.Sorted(maps.Values(a.awaited)))
}

// wakeFor moves the games that wait for a round to a moment.
func (a *alarms) wakeFor(round uint64, at time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for game, r := range a.awaited {
		if r == round {
			a.put(game, at)
		}
	}
}

// due are the games whose moment has come, who waits longest first.
func (a *alarms) due(now time.Time) []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var out []string
	for game, at := range a.at {
		if !at.After(now) {
			out = append(out, game)
		}
	}
	slices.SortFunc(out, func(x, y string) int { return cmp.Or(a.at[x].Compare(a.at[y]), cmp.Compare(x, y)) })
	return out
}

// next is the first moment of all, zero for none.
func (a *alarms) next() (next time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, at := range a.at {
		next = match.Sooner(next, at)
	}
	return next
}
