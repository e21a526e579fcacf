package bolt

import (
	"fmt"
	"sync"

	"fieldpost/store"
)

// commits numbers what is committed, and remembers of each note in which it was changed
// last, as far back as room is.
type commits struct {
	mu     sync.Mutex
	begun  uint64            // the number of the last transaction that was begun
	done   uint64            // all up to this one are on disk, or were given up
	notes  map[string]uint64 // the last change of each
	forgot uint64            // what was changed in this one or before may be missing in notes
}

// mostRemembered is of how many notes it is known when they were changed.
const mostRemembered = 1 << 14

// Mark is a moment for Change.Since. Ask for it before the first reading that a Change is
// reckoned from.
func (db *DB) Mark() uint64 {
	db.commits.mu.Lock()
	defer db.commits.mu.Unlock()
	return db.commits.done + 1
}

// begin numbers the transaction of a Change. The error is ErrStale if one of its notes was
// changed after the Change's mark.
func (c *commits) begin(notes map[string][]byte, since uint64) (number uint64, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if since > 0 {
		if since <= c.forgot && len(notes) > 0 {
			return 0, fmt.Errorf("%w: it was reckoned too long ago", store.ErrStale)
		}
		for name := range notes {
			if c.notes[name] >= since {
				return 0, fmt.Errorf("%w: note %s has changed", store.ErrStale, name)
			}
		}
	}
	if len(c.notes) > mostRemembered {
		c.notes, c.forgot = nil, c.begun
	}
	if c.notes == nil {
		c.notes = map[string]uint64{}
	}
	c.begun++
	for name := range notes {
		c.notes[name] = c.begun
	}
	return c.begun, nil
}

// end tells that the transaction with the number has ended.
func (c *commits) end(number uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done = max(c.done, number)
}
