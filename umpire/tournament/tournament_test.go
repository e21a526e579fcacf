package tournament

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// Over random results nobody meets anybody twice, everybody plays in every round or is free once,
// and nobody has a side more than twice oftener than the other.
func TestRoundsAreFair(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for n := 2; n <= 24; n++ {
		for _, rounds := range []int{1, 3, 5, 7} {
			if rounds >= n+n%2 || rounds > n/2+1 && n > 2 {
				continue // a Swiss tournament has far fewer rounds than players
			}
			for range 20 {
				play(t, r, n, rounds)
			}
		}
	}
}

func play(t *testing.T, r *rand.Rand, n, rounds int) {
	t.Helper()
	c := Tournament{Rounds: rounds, Players: make([]Player, n)}
	met := map[[2]int]bool{}
	for range rounds {
		if !c.RoundOver() || c.Over() {
			t.Fatal("the round or all of it is not where it should be")
		}
		round := c.Pair()
		plays := map[int]int{}
		for i := range round {
			p := &round[i]
			plays[p.One]++
			if p.Other == Nobody {
				continue
			}
			plays[p.Other]++
			two := [2]int{min(p.One, p.Other), max(p.One, p.Other)}
			if met[two] {
				t.Errorf("%d players, %d rounds: %v meet again", n, rounds, two)
			}
			met[two] = true
			p.Ended, p.Score = true, []float64{0, 0.5, 1}[r.IntN(3)]
		}
		if len(plays) != n {
			t.Fatalf("%d of %d players are in the round", len(plays), n)
		}
		c.Paired = append(c.Paired, round)
	}
	if !c.Over() {
		t.Error("it is not over")
	}
	free, points := 0, 0.0
	for _, l := range c.Table() {
		if l.Played != rounds {
			t.Errorf("%d of %d rounds are played", l.Played, rounds)
		}
		if l.First > 2 || l.First < -2 {
			t.Errorf("%d players, %d rounds: one had a side %d times oftener", n, rounds, l.First)
		}
		if l.Free {
			free++
		}
		points += l.Points
	}
	if want := (n % 2) * rounds; free != want {
		t.Errorf("%d players, %d rounds: %d had a free round, want %d", n, rounds, free, want)
	}
	if want := float64(rounds*(n-n%2))/2 + float64(rounds*(n%2)); points != want {
		t.Errorf("%v points are given, want %v", points, want)
	}
}

// Winners meet winners, and the table goes by points, then by whom one has met.
func TestTheTable(t *testing.T) {
	c, err := Parse("spring kharkov-1942 3 deadline=3d; a@x.org Ann; b@x.org Bob\nc@x.org\nd@x.org Dora D")
	if err != nil || c.Name != "SPRING" || c.Players[2].Called() != "c" || len(c.Options) != 1 {
		t.Fatalf("%+v, %v", c, err)
	}
	win := func(winner int) {
		round := c.Pair()
		for i := range round {
			p := &round[i]
			p.Ended, p.Score = true, 0.5
			if p.One == winner {
				p.Score = 1
			} else if p.Other == winner {
				p.Score = 0
			}
		}
		c.Paired = append(c.Paired, round)
	}
	for range 3 {
		win(3)
	}
	var got []string
	for _, l := range c.Table() {
		got = append(got, fmt.Sprintf("%d %s %v %v", l.Rank, c.Players[l.Place].Called(), l.Points, l.Faced))
	}
	if want := "1 Dora D 3 3|2 Ann 1 5|2 Bob 1 5|2 c 1 5"; strings.Join(got, "|") != want {
		t.Errorf("%s, want %s", strings.Join(got, "|"), want)
	}
	for text, want := range map[string]string{
		"": "write NAME", "a b": "write NAME", "a/b kharkov-1942 1; a@x; b@x": "is not a name", "a s none; a@x; b@x": "number of rounds",
		"a s 1; a@x": "1 players", "a s 1; a@x; A@X": "twice", "a s 2; a@x; b@x": "after 1 rounds",
	} {
		if _, err := Parse(text); !errors.Is(err, ErrTournament) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
