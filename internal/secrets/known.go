package secrets

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
	"fieldpost/store"
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
// own, and of the enemy's the names of those that it fought; nobody knows the ids
// of others.
//
// WB-95 16.1.3
func (r *room) known() (own, fought knowledge, err error) {
	own, fought = knowledge{}, knowledge{}
	before, err := r.planted.Opening()
	if err != nil {
		return nil, nil, err
	}
	if _, err := r.stood(before, own, 0); err != nil {
		return nil, nil, err
	}
	phases, err := r.u.DB.Journal(r.id)
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
			out, err := r.planted.Play(before, journal[:stop.Entries], nil, nobody{})
			if err != nil {
				return nil, nil, fmt.Errorf("phase %s again: %w", p.Phase, err)
			}
			if err := r.told(before, out, own, fought, stop.Seq); err != nil {
				return nil, nil, err
			}
			if len(out.Pending) == 0 {
				before = out.Position
			}
		}
	}
	return own, fought, nil
}

// nobody has an answer: a phase that is played again stops where it stopped.
type nobody struct{}

// Answer implements adjudicator.Answerer.
func (nobody) Answer(adjudicator.Decision) (string, string, bool) { return "", "", false }

// told notes what a phase, or its part up to a question, lets the sides know.
func (r *room) told(before []byte, out adjudicator.Outcome, own, fought knowledge, seq uint64) error {
	stood, err := r.stood(before, own, seq)
	if err != nil {
		return err
	}
	for _, e := range out.Events {
		r.fight(e, stood, fought, seq)
	}
	_, err = r.stood(out.Position, own, seq) // units change sides
	return err
}

// fights are the kinds of events that tell of a fight, hand to hand, from afar or
// against guns and headquarters alone, which are ridden down.
var fights = map[string]bool{"combat": true, "overrun": true, "fire": true, "fire-nothing": true, "fire-bridge": true}

// fight notes who gets to know whom: in a combat every stack that takes part is
// looked at, whole (its hexes are in the event), and with it come the guns that
// support it; who fires from afar is named with his guns, and sees nobody.
func (r *room) fight(e view.Event, stood map[string]hex.Hex, fought knowledge, seq uint64) {
	if !fights[e.Kind] {
		return
	}
	for name, h := range stood {
		if e.Kind == "combat" && slices.Contains(e.Hexes, h) {
			r.toAll(fought, name, seq)
		}
	}
	for fact, text := range e.Facts {
		if !slices.Contains(namings, fact) {
			continue
		}
		for _, word := range marked.FindAllString(text, -1) {
			r.toAll(fought, strings.ToLower(word), seq)
		}
	}
}

// namings are the facts of a fight that name who fights.
var namings = []string{"units", "enemy", "guns", "gunsA", "gunsD"}

func (r *room) toAll(fought knowledge, name string, seq uint64) {
	for _, s := range r.seats {
		if r.marks[name].Name {
			fought.learn(s.side, name, seq)
		}
	}
}

// stood is where the units of both sides stand, by their planted names, and notes
// whose they are.
func (r *room) stood(position []byte, own knowledge, seq uint64) (map[string]hex.Hex, error) {
	out := map[string]hex.Hex{}
	for _, s := range r.seats {
		v, err := r.planted.View(position, adjudicator.Side(s.side))
		if err != nil {
			return nil, err
		}
		for _, u := range slices.Concat(v.Units, v.Arrivals, v.Lost) {
			own.learn(s.side, strings.ToLower(u.Name), seq)
			own.learn(s.side, strings.ToLower(u.ID), seq)
			if u.Hex != hex.None {
				out[strings.ToLower(u.Name)] = u.Hex
			}
		}
	}
	return out, nil
}
