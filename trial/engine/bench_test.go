package engine

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"testing"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/playtest"
	"fieldpost/staff"
	"fieldpost/trial"
	"fieldpost/trial/processor"
	"fieldpost/umpire/match"
)

// newMatch is a match of a scenario without players: both sides are staffs.
func newMatch(b testing.TB, id string) playtest.Match {
	b.Helper()
	game, words, err := new(match.Library).Game(id)
	if err != nil {
		b.Fatal(err)
	}
	return trial.NewMatch(game, words, 1)
}

// recorded is a finished match: the opening of every phase, its journal and its sheets.
type recorded struct {
	match    playtest.Match
	opening  []byte
	journals [][]adjudicator.Entry
}

func record(b testing.TB, m playtest.Match) recorded {
	b.Helper()
	r := recorded{match: m}
	var err error
	if r.opening, err = m.Game.Opening(); err != nil {
		b.Fatal(err)
	}
	m.Each = func(_ []byte, out adjudicator.Outcome) error {
		r.journals = append(r.journals, out.Journal)
		return nil
	}
	if _, err := m.Play(context.Background()); err != nil {
		b.Fatal(err)
	}
	return r
}

// BenchmarkReplay derives a finished staff game of Kharkov 1942 again from its
// opening and its journals.
func BenchmarkReplay(b *testing.B) {
	r := record(b, newMatch(b, "kharkov-1942"))
	began, n := processor.Time(), 0
	for b.Loop() {
		n++
		pos := r.opening
		for _, j := range r.journals {
			out, err := r.match.Game.Play(pos, j, nil, nil)
			if err != nil {
				b.Fatal(err)
			}
			pos = out.Position
		}
	}
	b.ReportMetric((processor.Time()-began).Seconds()*1000/float64(n), "cpu-ms/game")
	b.ReportMetric(float64(len(r.journals)), "phases")
}

// BenchmarkReplayFloor only looks at what a replay must look at: the journals and
// the hashes of the states that they lead to.
func BenchmarkReplayFloor(b *testing.B) {
	var states [][]byte
	m := newMatch(b, "kharkov-1942")
	var journals [][]byte
	m.Each = func(_ []byte, out adjudicator.Outcome) error {
		text, err := json.Marshal(out.Journal)
		journals, states = append(journals, text), append(states, out.Position)
		return err
	}
	if _, err := m.Play(context.Background()); err != nil {
		b.Fatal(err)
	}
	began, n := processor.Time(), 0
	for b.Loop() {
		n++
		for i, text := range journals {
			var entries []adjudicator.Entry
			if err := json.Unmarshal(text, &entries); err != nil {
				b.Fatal(err)
			}
			sha256.Sum256(states[i])
		}
	}
	b.ReportMetric((processor.Time()-began).Seconds()*1000/float64(n), "cpu-ms/game")
}

// BenchmarkPlayerTurn plays player-turns of two staffs in Kharkov 1942 without
// reports: of each, the sheet is checked in the sender's fog and the six phases are
// played with fresh dice. The thinking of the staffs, which write the sheets, is
// counted beside it.
func BenchmarkPlayerTurn(b *testing.B) {
	m := newMatch(b, "kharkov-1942")
	m.Turns = 5
	thought := time.Duration(0)
	for _, side := range m.Game.Sides() {
		m.Players[side] = thinker{staff.Officer{Game: m.Game}, &thought}
	}
	turns, began := 0, processor.Time()
	for b.Loop() {
		if _, err := m.Play(context.Background()); err != nil {
			b.Fatal(err)
		}
		turns += 2 * m.Turns
	}
	ms := func(d time.Duration) float64 { return d.Seconds() * 1000 / float64(turns) }
	b.ReportMetric(ms(processor.Time()-began-thought), "cpu-ms/player-turn")
	b.ReportMetric(ms(thought), "cpu-ms-thinking/player-turn")
}

// thinker is a staff officer whose time is taken.
type thinker struct {
	staff.Officer
	took *time.Duration
}

func (t thinker) Sheet(v *view.View, serial int) (string, error) {
	began := processor.Time()
	defer func() { *t.took += processor.Time() - began }()
	return t.Officer.Sheet(v, serial)
}
