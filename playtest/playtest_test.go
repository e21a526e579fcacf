package playtest

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/wb95"
	"fieldpost/orders"
	"fieldpost/scenarios"
)

// load is a scenario of WB-95.
func load(t *testing.T, id string) (adjudicator.Game, orders.Vocabulary) {
	t.Helper()
	pack, err := scenarios.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	game, err := wb95.System{}.Load(pack)
	if err != nil {
		t.Fatal(err)
	}
	return game, wb95.System{}.Vocabulary()
}

func TestGames(t *testing.T) {
	game, words := load(t, "black-snow")
	a, err := One(context.Background(), game, words, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	b, err := One(context.Background(), game, words, 1, 2)
	c, err2 := One(context.Background(), game, words, 2, 2)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	sides := game.Sides()
	if Table(sides, []Result{a}) != Table(sides, []Result{b}) {
		t.Error("the same dice give another game")
	}
	if Table(sides, []Result{{Lost: a.Lost, Points: a.Points}}) == Table(sides, []Result{{Lost: c.Lost, Points: c.Points}}) {
		t.Error("other dice give the same game")
	}
	if a.Lost[0]+a.Lost[1] == 0 || a.Refused > 0 || a.Turn != 3 {
		t.Errorf("%+v", a)
	}
	a.Verdict, a.Winner = "strategic victory of nobody", "GERMAN"
	if got := Summary("Black Snow", sides, []Result{a, c}); !strings.HasPrefix(got, "| Black Snow | 2 | GERMAN 1, SOVIET 0 | 0 | 1 | 1 |") {
		t.Error(got)
	}
}

func TestCancelled(t *testing.T) {
	game, words := load(t, "black-snow")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := PlayAll(ctx, 2, func(n int) (Match, error) { return Match{Game: game, Vocabulary: words, Number: n}, nil }, nil); err == nil {
		t.Error("it plays on")
	}
}

// Of jobs side by side the first that fails ends the others, and no more begin.
func TestParallel(t *testing.T) {
	fault := errors.New("the third one fails")
	var begun atomic.Int32
	err := Parallel(context.Background(), 1000, func(ctx context.Context, i int) error {
		begun.Add(1)
		if i == 3 {
			return fault
		}
		if i > 3 {
			<-ctx.Done()
		}
		return ctx.Err()
	})
	if !errors.Is(err, fault) || begun.Load() > int32(4+runtime.GOMAXPROCS(0)) {
		t.Errorf("%v after %d jobs", err, begun.Load())
	}
	if err := Parallel(context.Background(), 5, func(context.Context, int) error { return nil }); err != nil {
		t.Error(err)
	}
}
