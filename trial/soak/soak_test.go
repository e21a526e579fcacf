package soak

import (
	"context"
	"strings"
	"testing"

	"fieldpost/umpire/match"
)

func TestGames(t *testing.T) {
	game, words, err := new(match.Shelf).Game("black-snow")
	if err != nil {
		t.Fatal(err)
	}
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
	game, words, err := new(match.Shelf).Game("black-snow")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := PlayAll(ctx, 2, func(n int) Match { return Match{Game: game, Vocabulary: words, Number: n} }, nil); err == nil {
		t.Error("it plays on")
	}
}
