package wb95

import (
	"bytes"
	"sync"
)

// memory keeps the positions that a game has read or written last, so that a phase
// that follows another, or a view of what it left, need not read them again. Only
// their bytes decide: what is kept is what reading them would give.
type memory struct {
	mu   sync.Mutex
	list [8]remembered
	next int
}

type remembered struct {
	bytes []byte
	state *State // nobody changes it: who wants to plays on a clone
}

// find is the position of the bytes, nil if it is not kept.
func (m *memory) find(position []byte) *State {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.list {
		if r.state != nil && bytes.Equal(r.bytes, position) {
			return r.state
		}
	}
	return nil
}

func (m *memory) keep(position []byte, s *State) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.list[m.next] = remembered{bytes.Clone(position), s}
	m.next = (m.next + 1) % len(m.list)
}

// position reads a position. What it returns may be looked at, not changed.
func (g *Game) position(position []byte) (*State, error) {
	if s := g.read.find(position); s != nil {
		return s, nil
	}
	s, err := g.decode(position)
	if err == nil {
		g.read.keep(position, s)
	}
	return s, err
}
