package soak

import (
	"context"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/umpire"
)

// fixture is a scenario and a turn of random orders in it.
func shelfGame(b testing.TB, id string) Match {
	b.Helper()
	game, words, err := new(umpire.Shelf).Game(id)
	if err != nil {
		b.Fatal(err)
	}
	return Match{Game: game, Vocabulary: words, Number: 1, Players: map[adjudicator.Side]Player{}}
}

// recorded is a finished match: the opening of every phase, its journal and its sheets.
type recorded struct {
	match    Match
	opening  []byte
	journals [][]adjudicator.Entry
	before   [][]byte
	actions  int
}

func record(b testing.TB, m Match) recorded {
	b.Helper()
	r := recorded{match: m}
	var err error
	if r.opening, err = m.Game.Opening(); err != nil {
		b.Fatal(err)
	}
	m.Each = func(before []byte, out adjudicator.Outcome) {
		r.before, r.journals = append(r.before, before), append(r.journals, out.Journal)
		for _, e := range out.Events {
			if e.Kind == "moved" || e.Kind == "combat" {
				r.actions++
			}
		}
	}
	if _, err := m.Play(context.Background()); err != nil {
		b.Fatal(err)
	}
	return r
}

// BenchmarkReplay derives a finished staff game of Kharkov 1942 again from its
// opening and its journals.
func BenchmarkReplay(b *testing.B) {
	r := record(b, shelfGame(b, "kharkov-1942"))
	b.ReportMetric(float64(len(r.journals)), "phases")
	for b.Loop() {
		pos := r.opening
		for _, j := range r.journals {
			out, err := r.match.Game.Play(pos, j, nil, nil)
			if err != nil {
				b.Fatal(err)
			}
			pos = out.Position
		}
	}
}

// BenchmarkRandomPlay repeats the phases of a game of random orders, and tells how
// many actions (moves of units, and combats) a second that makes.
func BenchmarkRandomPlay(b *testing.B) {
	m := shelfGame(b, "kharkov-1942")
	counts := map[string][2]int{}
	for _, side := range m.Game.Sides() {
		m.Players[side] = NewRandom(m.Game, 1, side, counts)
	}
	r := record(b, m)
	n := 0
	for b.Loop() {
		for i, j := range r.journals {
			if _, err := r.match.Game.Play(r.before[i], j, nil, nil); err != nil {
				b.Fatal(err)
			}
		}
		n += r.actions
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "actions/s")
}

// BenchmarkPlayerTurn plays a player-turn of two staffs in Kharkov 1942: the sheet
// is checked in the sender's fog and its six phases are played with fresh dice.
func BenchmarkPlayerTurn(b *testing.B) {
	m := shelfGame(b, "kharkov-1942")
	m.Turns = 3
	turns := 0
	for b.Loop() {
		if _, err := m.Play(context.Background()); err != nil {
			b.Fatal(err)
		}
		turns += 2 * m.Turns
	}
	b.ReportMetric(b.Elapsed().Seconds()*1000/float64(turns), "ms/player-turn")
}
