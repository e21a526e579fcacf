package adjudicator

import (
	"bytes"
	"crypto/sha256"
	"sync"
)

// Memory keeps the positions that a game has read or written last, so that a phase
// that follows another, or a view of what it left, need not read them again. Only
// their bytes decide: what is kept is what reading them would give. What it holds is
// shared: it may be looked at, and whoever wants to change it takes a copy.
type Memory[S any] struct {
	mu   sync.Mutex
	list [8]remembered[S]
	next int
}

type remembered[S any] struct {
	bytes []byte
	state S
}

// Read is the position of the bytes, read with decode unless it is kept.
func (m *Memory[S]) Read(position []byte, decode func([]byte) (S, error)) (S, error) {
	if s, ok := m.Find(position); ok {
		return s, nil
	}
	s, err := decode(position)
	if err == nil {
		m.Keep(position, s)
	}
	return s, err
}

// Find is the position of the bytes, if it is kept.
func (m *Memory[S]) Find(position []byte) (s S, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.list {
		if r.bytes != nil && bytes.Equal(r.bytes, position) {
			return r.state, true
		}
	}
	return s, false
}

// Keep remembers a position that nobody will change any more.
func (m *Memory[S]) Keep(position []byte, s S) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.list[m.next] = remembered[S]{bytes.Clone(position), s}
	m.next = (m.next + 1) % len(m.list)
}

// phases remembers which phase a position stands before, by the SHA-256 of its bytes: every
// list of a game's phases asks for all of them, and a position is long to read.
type phases struct {
	mu sync.Mutex
	at map[[sha256.Size]byte]Phase
}

// mostPhases is how many are remembered: those of some long games.
const mostPhases = 4096

func (m *phases) find(sum [sha256.Size]byte) (at Phase, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at, ok = m.at[sum]
	return at, ok
}

func (m *phases) keep(sum [sha256.Size]byte, at Phase) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.at == nil || len(m.at) >= mostPhases {
		m.at = map[[sha256.Size]byte]Phase{}
	}
	m.at[sum] = at
}
