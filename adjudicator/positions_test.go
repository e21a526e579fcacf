package adjudicator

import (
	"errors"
	"fmt"
	"testing"
)

// A list of a game's phases asks for the phase of each position again and again: each is read
// once, however many others were looked at since, and what cannot be read never comes to stand.
func TestThePhaseOfAPositionIsReadOnce(t *testing.T) {
	reads := 0
	whole := true
	p := Engine[string]{Info: func(s string) Phase { return Phase{Label: s} }}.Over(func(b []byte) (string, error) {
		if reads++; !whole {
			return "", errors.New("damaged")
		}
		return string(b), nil
	})
	whole = false
	if _, err := p.At([]byte("1")); err == nil {
		t.Error("a damaged position has a phase")
	}
	whole, reads = true, 0
	const many = 40 // more than Memory holds
	for range 3 {
		for n := range many {
			position := fmt.Sprint(n)
			if at, err := p.At([]byte(position)); err != nil || at.Label != position {
				t.Errorf("the phase of %s is %q, %v", position, at.Label, err)
			}
		}
	}
	if reads != many {
		t.Errorf("%d positions were read %d times", many, reads)
	}
}

// What is remembered of phases does not grow without end.
func TestRememberedPhasesAreBounded(t *testing.T) {
	var m phases
	for n := range 2*mostPhases + 1 {
		m.keep([32]byte{byte(n), byte(n >> 8), byte(n >> 16)}, Phase{Number: n})
		if at, ok := m.find([32]byte{byte(n), byte(n >> 8), byte(n >> 16)}); !ok || at.Number != n {
			t.Fatalf("phase %d is forgotten at once", n)
		}
	}
	if len(m.at) > mostPhases {
		t.Errorf("%d phases are remembered", len(m.at))
	}
}
