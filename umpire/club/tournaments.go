package club

import (
	"fmt"
	"maps"
	"slices"

	"fieldpost/umpire/match"
	"fieldpost/umpire/tournament"
)

// TournamentTable is a tournament for people: how its players stand, and who met whom.
type TournamentTable struct {
	Name, Scenario string
	Rounds         int
	Over           bool
	Table          []string
	Paired         []TournamentRound
}

// TournamentRound is a round, newest last.
type TournamentRound struct {
	Number int
	Games  []TournamentGame
}

// TournamentGame is a game of a round; Game is empty where somebody had no opponent, and until it is made.
type TournamentGame struct{ Game, Players, Result string }

// TournamentTables are all tournaments, by name.
func (o *Observer) TournamentTables() (all []TournamentTable, err error) {
	tournaments, err := match.TournamentRecords.All(o.DB)
	if err := o.Readable(err); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(tournaments)) {
		all = append(all, tableOf(tournaments[name]))
	}
	return all, nil
}

func tableOf(t tournament.Tournament) TournamentTable {
	table := TournamentTable{Name: t.Name, Scenario: t.Scenario, Rounds: t.Rounds, Over: t.Over(), Table: t.Lines()}
	for n, round := range t.Paired {
		r := TournamentRound{Number: n + 1}
		for _, p := range round {
			one := t.Players[p.One].Called()
			if p.Other == tournament.Nobody {
				r.Games = append(r.Games, TournamentGame{Players: one, Result: "has no opponent, which counts as a win"})
				continue
			}
			g := TournamentGame{Game: p.Game, Players: fmt.Sprintf("%s (%s) against %s (%s)", one, t.Sides[0], t.Players[p.Other].Called(), t.Sides[1])}
			if p.Ended {
				g.Result = map[float64]string{1: t.Sides[0] + " won", 0: t.Sides[1] + " won", 0.5: "a draw"}[p.Score]
			}
			r.Games = append(r.Games, g)
		}
		table.Paired = append(table.Paired, r)
	}
	return table
}
