// Package tournament pairs the players of a tournament by the Swiss system and reckons its table. It
// knows no games: only who met whom on which side, and with what score.
package tournament

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Tournament is some rounds of one scenario, in each of which everybody plays one game.
type Tournament struct {
	Name     string      `json:"name"`
	By       string      `json:"by"` // who arranged it
	Scenario string      `json:"scenario"`
	Options  []string    `json:"options,omitempty"` // of its games, as name=value
	Sides    [2]string   `json:"sides"`
	Rounds   int         `json:"rounds"`
	Players  []Player    `json:"players"`
	Paired   [][]Pairing `json:"paired,omitempty"` // by round
}

// Player is somebody who takes part.
type Player struct {
	Address string `json:"address"`
	Name    string `json:"name,omitempty"`
}

// Called is the name that is shown: without one, what stands before the @ of the address.
func (p Player) Called() string {
	name, _, _ := strings.Cut(p.Address, "@")
	return cmp.Or(p.Name, name)
}

// Pairing is a game of a round: One plays the first of the Sides, Other the second. They are places in
// Players; Other is Nobody for a player who has no opponent in the round, which counts as a win.
type Pairing struct {
	One   int     `json:"one"`
	Other int     `json:"other"`
	Game  string  `json:"game,omitempty"` // its id, empty until it is made
	Ended bool    `json:"ended,omitempty"`
	Score float64 `json:"score,omitempty"` // of One: 1, 1/2 or 0
}

// Nobody is the opponent of a player who has none.
const Nobody = -1

const (
	fewestPlayers = 2
	mostPlayers   = 64
	mostRounds    = 12
)

// ErrTournament says what is wrong with how a tournament is described.
var ErrTournament = errors.New("no such tournament can be held")

// Describes is how a tournament is written.
const Describes = "NAME SCENARIO ROUNDS [OPTION=VALUE ...] ADDRESS [NAME] ADDRESS [NAME] ..."

var nameForm = regexp.MustCompile(`^[A-Z0-9][A-Z0-9-]{0,19}$`)

// Parse reads the description of a tournament: what it is, and from the first address on the players,
// each an address with the words of a name behind it. Commas, semicolons and ends of lines may stand
// between. Addresses and scenario are checked by whoever knows them.
func Parse(text string) (t Tournament, err error) {
	all := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == ';' })
	words := all
	if first := slices.IndexFunc(all, isAddress); first >= 0 {
		words, all = all[:first], all[first:]
	} else {
		all = nil
	}
	if len(words) < 3 {
		return t, fmt.Errorf("%w: write %s", ErrTournament, Describes)
	}
	t.Name, t.Scenario = strings.ToUpper(words[0]), strings.ToLower(words[1])
	if !nameForm.MatchString(t.Name) {
		return t, fmt.Errorf("%w: %q is not a name; one has up to 20 letters, digits and hyphens", ErrTournament, words[0])
	}
	if t.Rounds, err = strconv.Atoi(words[2]); err != nil || t.Rounds < 1 || t.Rounds > mostRounds {
		return t, fmt.Errorf("%w: %q is not a number of rounds; write 1 to %d", ErrTournament, words[2], mostRounds)
	}
	t.Options = words[3:]
	for _, word := range all {
		if !isAddress(word) {
			p := &t.Players[len(t.Players)-1]
			p.Name = strings.TrimSpace(p.Name + " " + word)
			continue
		}
		if slices.ContainsFunc(t.Players, func(p Player) bool { return strings.EqualFold(p.Address, word) }) {
			return t, fmt.Errorf("%w: %s stands there twice", ErrTournament, word)
		}
		t.Players = append(t.Players, Player{Address: word})
	}
	switch n := len(t.Players); {
	case n < fewestPlayers || n > mostPlayers:
		return t, fmt.Errorf("%w: %d players; there are %d to %d", ErrTournament, n, fewestPlayers, mostPlayers)
	case t.Rounds >= n+n%2:
		return t, fmt.Errorf("%w: with %d players everybody has met everybody after %d rounds", ErrTournament, n, n+n%2-1)
	}
	return t, nil
}

func isAddress(word string) bool { return strings.Contains(word, "@") }

// RoundOver tells whether all games of the last round have ended; before the first it is true.
func (t *Tournament) RoundOver() bool {
	if len(t.Paired) == 0 {
		return true
	}
	return !slices.ContainsFunc(t.Paired[len(t.Paired)-1], func(p Pairing) bool { return !p.Ended })
}

// Over tells whether all rounds have been played.
func (t *Tournament) Over() bool { return len(t.Paired) == t.Rounds && t.RoundOver() }

// Line is a line of the table.
type Line struct {
	Place  int     // in Players
	Rank   int     // from 1; who is level in points and opposition shares one
	Points float64 // 1 for a win or a round without an opponent, 1/2 for a draw
	Faced  float64 // the points of all opponents (Buchholz)
	First  int     // how often on the first side, less how often on the second
	Played int
	Free   bool // had a round without an opponent
	met    map[int]bool
}

// Table is how the players stand, the best first.
func (t *Tournament) Table() []Line {
	lines := make([]Line, len(t.Players))
	for i := range lines {
		lines[i] = Line{Place: i, met: map[int]bool{}}
	}
	for _, round := range t.Paired {
		for _, p := range round {
			lines[p.One].take(p)
			if p.Other != Nobody {
				lines[p.Other].take(p)
			}
		}
	}
	for i := range lines {
		for other := range lines[i].met {
			lines[i].Faced += lines[other].Points
		}
	}
	slices.SortStableFunc(lines, func(a, b Line) int { return a.against(b) })
	for i := range lines {
		lines[i].Rank = i + 1
		if i > 0 && lines[i].against(lines[i-1]) == 0 {
			lines[i].Rank = lines[i-1].Rank
		}
	}
	return lines
}

// against compares two lines of the table, the better first.
func (l Line) against(other Line) int {
	return cmp.Or(cmp.Compare(other.Points, l.Points), cmp.Compare(other.Faced, l.Faced))
}

// take enters a pairing of the player.
func (l *Line) take(p Pairing) {
	switch {
	case p.Other == Nobody:
		l.Free = true
	case p.One == l.Place:
		l.First++
		l.met[p.Other] = true
	default:
		l.First--
		l.met[p.One] = true
	}
	switch {
	case !p.Ended:
		return
	case p.One == l.Place:
		l.Points += p.Score
	default:
		l.Points += 1 - p.Score
	}
	l.Played++
}

// Lines is the table in words, a line for each player.
func (t *Tournament) Lines() (lines []string) {
	for _, l := range t.Table() {
		if l.Played == 0 {
			lines = append(lines, t.Players[l.Place].Called()+": has played nothing yet")
			continue
		}
		lines = append(lines, fmt.Sprintf("%d. %s: %s of %d, whose opponents have %s", l.Rank, t.Players[l.Place].Called(), halves(l.Points), l.Played, halves(l.Faced)))
	}
	return lines
}

// halves writes points, a half as ½.
func halves(points float64) string {
	whole := int(points)
	switch {
	case points == float64(whole):
		return strconv.Itoa(whole)
	case whole == 0:
		return "½"
	}
	return strconv.Itoa(whole) + "½"
}
