package post

import "sync"

// Lanes let the Changes of several games be worked out side by side, and those of one
// game one after the other. What is of no single game takes all lanes. Two Changes that
// rest on one note, as on a limit that is shared, are told apart by the store: see
// store.Change.Reads. The zero value is ready.
type Lanes struct {
	all   sync.RWMutex // held for reading by whoever has a lane
	mu    sync.Mutex
	lanes map[string]*lane
}

// lane is that of a game.
type lane struct {
	sync.Mutex
	users int // who has it, and who waits for it
}

// Lock takes all lanes.
func (l *Lanes) Lock() { l.all.Lock() }

// Unlock gives all lanes back.
func (l *Lanes) Unlock() { l.all.Unlock() }

// Lane takes the lane of a game, all lanes for "". What it returns gives it back.
func (l *Lanes) Lane(game string) (leave func()) {
	if game == "" {
		l.Lock()
		return l.Unlock
	}
	l.all.RLock()
	l.mu.Lock()
	if l.lanes == nil {
		l.lanes = map[string]*lane{}
	}
	one := l.lanes[game]
	if one == nil {
		one = &lane{}
		l.lanes[game] = one
	}
	one.users++
	l.mu.Unlock()
	one.Lock()
	return func() {
		one.Unlock()
		l.mu.Lock()
		if one.users--; one.users == 0 {
			delete(l.lanes, game)
		}
		l.mu.Unlock()
		l.all.RUnlock()
	}
}
