package view

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
)

// Story is what a report tells, as data. Its text, its page and the signs on its maps are
// made from it, and whoever checks its dice reads them here.
type Story struct {
	// Key is the game's public dice key, Root the root of its dice in hexadecimal digits:
	// what the proofs are checked with, beside the name of the game.
	Key  string `json:"key,omitempty"`
	Root string `json:"root,omitempty"`
	// Phases are those of which there is something to tell, in their order.
	Phases []Chapter `json:"phases,omitempty"`
}

// Chapter is what happened in a phase, as far as the reader may know it.
type Chapter struct {
	Phase  string  `json:"phase"` // names it in the proofs: "turn 3 phase 4"
	Events []Event `json:"events"`
	// Rolls are the dice that the events tell of, each once.
	Rolls []Roll `json:"rolls,omitempty"`
}

// Roll is the dice of a random event, and the proof that the game's key gives them and no others.
type Roll struct {
	Label string `json:"label"` // unique in its phase
	Dice  []int  `json:"dice"`
	Sides int    `json:"sides"` // of each die
	// Proof is that of RFC 9381. A story that repeats what was proved before has none.
	Proof Digits `json:"proof,omitempty"`
	// Round and Value are the public beacon's to which the dice are bound; none in games
	// without one.
	Round uint64 `json:"round,omitempty"`
	Value Digits `json:"value,omitempty"`
}

// StoryOf is what a side may know of the events of a phase, without their dice.
func StoryOf(side, phase string, events []Event) *Story {
	c := Chapter{Phase: phase}
	for _, e := range events {
		if e.For(side) {
			c.Events = append(c.Events, e.Known())
		}
	}
	return &Story{Phases: []Chapter{c}}
}

// Known is the event as a reader has it: who else knows of it is not theirs to know.
func (e Event) Known() Event {
	e.To = nil
	return e
}

// Events are all that the story tells, in order. A View without a story tells nothing.
func (s *Story) Events() (all []Event) {
	if s == nil {
		return nil
	}
	for _, c := range s.Phases {
		all = append(all, c.Events...)
	}
	return all
}

// LeaveProofs leaves the proofs away: for a story that repeats what was proved in its time.
func (s *Story) LeaveProofs() {
	for _, c := range s.Phases {
		for i := range c.Rolls {
			c.Rolls[i].Proof, c.Rolls[i].Value = nil, nil
		}
	}
}

// Loose says what of the dice does not belong together: an event with a roll that is not
// among those of its phase, a roll of which no event tells, or one that stands there twice.
func (c Chapter) Loose() (faults []error) {
	told := map[string]bool{}
	for _, e := range c.Events {
		for _, label := range e.Rolls {
			told[label] = true
		}
	}
	for label := range told {
		if !slices.ContainsFunc(c.Rolls, func(r Roll) bool { return r.Label == label }) {
			faults = append(faults, fmt.Errorf("%s: the story tells of %s, whose dice are missing", c.Phase, label))
		}
	}
	for i, r := range c.Rolls {
		switch twice := slices.ContainsFunc(c.Rolls[:i], func(o Roll) bool { return o.Label == r.Label }); {
		case twice:
			faults = append(faults, fmt.Errorf("%s: there are two rolls of %s", c.Phase, r.Label))
		case !told[r.Label]:
			faults = append(faults, fmt.Errorf("%s: no event tells of %s", c.Phase, r.Label))
		}
	}
	return faults
}

// Event is something that happened, as one audience may know it. The system's
// wording turns Kind and Facts into sentences; Facts never hold what the
// audience may not know.
type Event struct {
	Kind   string      `json:"kind"`
	Clause rule.Clause `json:"clause,omitempty"`
	Phase  string      `json:"phase,omitempty"` // set by the core
	To     []string    `json:"to,omitempty"`    // sides; empty: everybody
	Hexes  []hex.Hex   `json:"hexes,omitempty"` // where; the first one is where the map looks
	Facts  Pairs       `json:"facts,omitempty"`
	// Mark is what the map draws: "combat" at the first hex, "move", "retreat" or
	// "fire" along the hexes in the colour of Side, or nothing.
	Mark string `json:"mark,omitempty"`
	Side string `json:"side,omitempty"`
	// Rolls are the labels of the dice this event tells of; their proofs go to
	// the same audience.
	Rolls []string `json:"rolls,omitempty"`
}

// Pairs are names and their values in turn: {"unit", "3 INF", "hex", "1204"}. A name stands
// once. An inner loop tells thousands of them, so they are no map; as JSON they are an object.
type Pairs []string

// Find is the value of a name, and whether there is one.
func (p Pairs) Find(name string) (value string, ok bool) {
	for i := 0; i < len(p); i += 2 {
		if p[i] == name {
			return p[i+1], true
		}
	}
	return "", false
}

// Get is the value of a name, empty where there is none.
func (p Pairs) Get(name string) string {
	value, _ := p.Find(name)
	return value
}

// With are the pairs with another value of a name, which is written into the pairs themselves
// if the name is among them.
func (p Pairs) With(name, value string) Pairs {
	for i := 0; i < len(p); i += 2 {
		if p[i] == name {
			p[i+1] = value
			return p
		}
	}
	return append(p, name, value)
}

// All are the pairs in their order.
func (p Pairs) All() iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		for i := 0; i < len(p); i += 2 {
			if !yield(p[i], p[i+1]) {
				return
			}
		}
	}
}

// Map are the pairs as templates read them.
func (p Pairs) Map() map[string]string { return maps.Collect(p.All()) }

// MarshalJSON writes an object, its names in the order of the alphabet.
func (p Pairs) MarshalJSON() ([]byte, error) { return json.Marshal(p.Map()) }

// UnmarshalJSON reads an object.
func (p *Pairs) UnmarshalJSON(text []byte) error {
	var all map[string]string
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	*p = nil
	for _, name := range slices.Sorted(maps.Keys(all)) {
		*p = append(*p, name, all[name])
	}
	return nil
}

// For tells whether a side may know the event.
func (e Event) For(side string) bool {
	if len(e.To) == 0 {
		return true
	}
	for _, s := range e.To {
		if s == side {
			return true
		}
	}
	return false
}
