package club

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// LadderTable is the ladder as rows of text, the head first.
func (c Club) LadderTable() [][]string {
	rows := [][]string{{"rank", "player", "rating", "give or take", "rated games", "points", "games", "won", "drawn", "lost", "running", "left", "turns", "late", "reliable"}}
	for i, s := range c.Ladder {
		row := []string{strconv.Itoa(i + 1), s.Name, s.Rating.String(), strconv.Itoa(s.Rating.GiveOrTake())}
		for _, n := range []int{s.Rated, s.Points, s.Games, s.Won, s.Drawn, s.Lost, s.Running, s.Left, s.Turns, s.Late} {
			row = append(row, strconv.Itoa(n))
		}
		rows = append(rows, append(row, strconv.Itoa(s.Reliable())+"%"))
	}
	return rows
}

// ResultsTable is the finished games as rows of text, the head first.
func (c Club) ResultsTable() [][]string {
	rows := [][]string{{"game", "scenario", "ended", "winner", "verdict", "players"}}
	for _, r := range c.Results {
		rows = append(rows, []string{r.Game, r.Scenario, r.Day(), r.Winner, r.Verdict, r.Played()})
	}
	return rows
}

// Day is when the game ended, as 2026-11-20; empty where that is not known.
func (r Result) Day() string {
	if r.Ended.IsZero() {
		return ""
	}
	return r.Ended.UTC().Format(time.DateOnly)
}

// Played is who played the game, side by side.
func (r Result) Played() string {
	var seats []string
	for _, s := range r.Seats {
		seat := fmt.Sprintf("%s: %s", s.Side, s.Name)
		if s.Left {
			seat += " (left)"
		}
		seats = append(seats, seat)
	}
	return strings.Join(seats, ", ")
}

// String is the rating as people read it, with a mark of interrogation while it says little.
func (r Rating) String() string {
	text := strconv.Itoa(int(math.Round(r.Value)))
	if r.Provisional() {
		text += "?"
	}
	return text
}

// GiveOrTake is how far the true strength lies from the rating at most, nineteen times of twenty.
func (r Rating) GiveOrTake() int { return int(math.Round(2 * r.Deviation)) }
