package staff

import (
	"fmt"
	"hash/fnv"
	"strings"
	"sync"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/systems"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/scenarios"
)

// hashDice throws dice that depend on the label, the phase and a seed only.
type hashDice struct {
	seed  int
	phase string
}

func (d hashDice) Throw(label string, count, sides int) ([]int, []byte, error) {
	out := make([]int, count)
	for i := range out {
		h := fnv.New64a()
		fmt.Fprintf(h, "%d|%s|%s|%d", d.seed, d.phase, label, i)
		x := h.Sum64()
		x ^= x >> 33
		x *= 0xff51afd7ed558ccd
		x ^= x >> 33
		out[i] = int(x%uint64(sides)) + 1
	}
	return out, nil, nil
}

// loaded keeps the scenarios that were read: tests share them.
var loaded sync.Map

// load reads a built-in scenario of whatever system.
func load(t testing.TB, id string) adjudicator.Game {
	t.Helper()
	if g, ok := loaded.Load(id); ok {
		return g.(adjudicator.Game)
	}
	pack, err := scenarios.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	g, err := systemOf(t, id).Load(pack)
	if err != nil {
		t.Fatal(err)
	}
	loaded.Store(id, g)
	return g
}

// systemOf is the system of a built-in scenario.
func systemOf(t testing.TB, id string) adjudicator.System {
	t.Helper()
	for _, info := range scenarios.List() {
		if sys, ok := systems.Get(info.System); ok && info.ID == id {
			return sys
		}
	}
	t.Fatalf("no system plays %s", id)
	return nil
}

// sitting is one occasion on which an officer wrote a sheet: what they saw, what they wrote
// and how it was judged.
type sitting struct {
	label  string // "kharkov-1942 SOVIET 1"
	game   adjudicator.Game
	view   *view.View
	mode   string
	text   string
	sheet  *orders.Sheet
	filing *adjudicator.Filing
}

// table is a game between officers. It answers for both sides.
type table struct {
	t      testing.TB
	id     string
	mode   string
	game   adjudicator.Game
	vocab  orders.Vocabulary
	pos    []byte
	at     adjudicator.Phase
	wrote  map[adjudicator.Side]int // the turn of a side's last sheet
	filed  map[adjudicator.Side]map[string]string
	record []*sitting
}

// sat keeps the games that were played for sittings: tests look at them for many things.
var sat sync.Map

// sittings plays the first turns of a scenario between two officers and returns all occasions
// on which they wrote. Tests may not change what they get.
func sittings(t testing.TB, id, mode string, turns int) []*sitting {
	t.Helper()
	key := fmt.Sprint(id, mode, turns)
	if kept, ok := sat.Load(key); ok {
		return kept.([]*sitting)
	}
	record := seat(t, id, mode, turns)
	sat.Store(key, record)
	return record
}

func seat(t testing.TB, id, mode string, turns int) []*sitting {
	t.Helper()
	g := load(t, id)
	pos, err := g.Opening()
	if err != nil {
		t.Fatal(err)
	}
	b := &table{t: t, id: id, mode: mode, game: g, vocab: systemOf(t, id).Vocabulary(), pos: pos,
		wrote: map[adjudicator.Side]int{}, filed: map[adjudicator.Side]map[string]string{}}
	for _, side := range g.Sides() {
		b.wrote[side], b.filed[side] = -1, map[string]string{}
	}
	last := -1
	for {
		if b.at, err = g.At(b.pos); err != nil {
			t.Fatal(err)
		}
		if last < 0 {
			last = max(1, b.at.Turn) + turns - 1
		}
		if b.at.Over || b.at.Turn > last {
			return b.record
		}
		out, err := g.Play(b.pos, nil, hashDice{1, b.at.Label}, b)
		if err != nil || len(out.Pending) > 0 {
			t.Fatalf("%s, %s: %v, asked %v", id, b.at.Label, err, out.Pending)
		}
		b.pos = out.Position
	}
}

// Answer implements adjudicator.Answerer: a side writes when its first turn decision of a
// turn comes up, and in ASK when a chit of its own is drawn.
func (b *table) Answer(d adjudicator.Decision) (answer, source string, known bool) {
	switch {
	case d.Turn:
		if b.wrote[d.Side] != b.at.Turn {
			b.wrote[d.Side] = b.at.Turn
			b.write(d.Side, nil)
		}
		return b.filed[d.Side][d.Answers()], "sheet", true
	case d.Filed:
		if answer, ok := b.filed[d.Side][d.Answers()]; ok {
			return answer, "sheet", true
		}
	case d.Kind == adjudicator.KindActivation && b.mode == "ASK":
		f := b.write(d.Side, []view.Question{{Label: d.Label, Kind: d.Kind, Clause: d.Clause, Proposal: d.Proposal, Source: d.Source}})
		if answer, ok := f.Answers[d.Answers()]; ok {
			return answer, "reply", true
		}
	}
	return adjudicator.Standing{}.Answer(d)
}

// write has a side's officer write a sheet, or answer questions, and files it.
func (b *table) write(side adjudicator.Side, asked []view.Question) *adjudicator.Filing {
	b.t.Helper()
	v, err := b.game.View(b.pos, side)
	if err != nil {
		b.t.Fatal(err)
	}
	v.Game, v.Asked = "TESTGAME", asked
	text, err := Officer{Game: b.game, Mode: b.mode}.Sheet(v, v.Turn)
	if err != nil {
		b.t.Fatal(err)
	}
	sheet, faults := orders.Parse(orders.Canonical(text), b.vocab)
	if len(faults) > 0 {
		b.t.Fatalf("%s of %s: %v\n%s", side, b.at.Label, faults, text)
	}
	label := strings.TrimSpace(fmt.Sprintf("%s %s %d %s", b.id, side, v.Turn, b.mode))
	if len(asked) > 0 {
		label += ", " + b.at.Label + ", " + asked[0].Label
	}
	s := &sitting{label: label, game: b.game, view: v, mode: b.mode, text: text, sheet: sheet, filing: b.game.Check(v, sheet)}
	b.record = append(b.record, s)
	if asked == nil {
		for entry, answer := range s.filing.Answers {
			b.filed[side][entry] = answer
		}
	}
	return s.filing
}
