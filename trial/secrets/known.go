package secrets

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/playtest"
	"fieldpost/store"
	"fieldpost/trial/systems"
)

// knowledge is from which Change of the game on a side may know a planted string.
type knowledge map[string]map[string]uint64 // by side and text

func (k knowledge) learn(side, text string, seq uint64) {
	if k[side] == nil {
		k[side] = map[string]uint64{}
	}
	if _, ok := k[side][text]; !ok {
		k[side][text] = seq
	}
}

func (k knowledge) has(side, text string, seq uint64) bool {
	since, ok := k[side][text]
	return ok && seq >= since
}

// known goes through the game once more and notes what each side may know. It is
// judged by where the units of both sides truly stood (what each knows of its own)
// and by what fights there were, not by what the fog lets through: a side knows its
// own, and of the enemy's the names that the law of its system gives it; nobody
// knows the ids of others.
func (r *room) known() (own, met knowledge, err error) {
	own, met = knowledge{}, knowledge{}
	before, err := r.planted.Opening()
	if err != nil {
		return nil, nil, err
	}
	if _, err := r.stood(before, own, 0); err != nil {
		return nil, nil, err
	}
	phases, err := r.Umpire.DB.Journal(r.id)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range phases[1:] { // the first one is the opening
		var journal []adjudicator.Entry
		if len(p.Journal) > 0 {
			if err := json.Unmarshal(p.Journal, &journal); err != nil {
				return nil, nil, err
			}
		}
		// What came to light before a question was known when it was mailed.
		for _, stop := range append(slices.Clone(p.Stops), store.Stop{Seq: p.Seq, Entries: len(journal)}) {
			out, err := r.planted.Play(before, journal[:stop.Entries], nil, playtest.NoAnswer{})
			if err != nil {
				return nil, nil, fmt.Errorf("phase %s again: %w", p.Phase, err)
			}
			if err := r.told(before, out, own, met, stop.Seq); err != nil {
				return nil, nil, err
			}
			if len(out.Pending) == 0 {
				before = out.Position
			}
		}
	}
	return own, met, nil
}

// told notes what a phase, or its part up to a question, lets the sides know.
func (r *room) told(before []byte, out adjudicator.Outcome, own, met knowledge, seq uint64) error {
	stood, err := r.stood(before, own, seq)
	if err != nil {
		return err
	}
	after, err := r.stood(out.Position, own, seq) // units change sides
	if err != nil {
		return err
	}
	m := systems.Moment{Before: stood, After: after, Events: out.Events, Grid: r.grid, Words: words}
	for _, s := range r.seats {
		m.Sides = append(m.Sides, s.Side)
	}
	m.Owns = func(side, name string) bool { return own.has(side, name, seq) }
	m.Knows = func(side, name string) bool { return own.has(side, name, seq) || met.has(side, name, seq) }
	m.Meet = func(side string, names ...string) {
		for _, name := range names {
			if r.marks[name].Name { // nobody may know the ids of others
				met.learn(side, name, seq)
			}
		}
	}
	r.system.Law(m)
	return nil
}

// words are the planted strings in a text.
func words(text string) (out []string) {
	for _, w := range marked.FindAllString(text, -1) {
		out = append(out, strings.ToLower(w))
	}
	return out
}

// stood is where the units of both sides stand, by their planted names, and notes
// whose they are.
func (r *room) stood(position []byte, own knowledge, seq uint64) (map[string]hex.Hex, error) {
	out := map[string]hex.Hex{}
	for _, s := range r.seats {
		v, err := r.planted.View(position, adjudicator.Side(s.Side))
		if err != nil {
			return nil, err
		}
		r.grid = v.Board.Grid
		for _, u := range slices.Concat(v.Units, v.Arrivals, v.Lost) {
			own.learn(s.Side, word(u.Name), seq)
			own.learn(s.Side, word(u.ID), seq)
			if u.Hex != hex.None {
				out[word(u.Name)] = u.Hex
			}
		}
	}
	return out, nil
}

// word is the planted string in a name.
func word(name string) string { return marked.FindString(strings.ToLower(name)) }
