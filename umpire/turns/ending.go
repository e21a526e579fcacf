package turns

import (
	"fmt"
	"slices"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/store"
	"fieldpost/umpire/match"
)

// ByPlayers is the source of an end that the players have agreed on.
const ByPlayers = "signed by the players"

// concessionEnds ends a game whose side had time to take back that it gives the game up.
// Mail that had arrived before counts, as for second thoughts.
func (k *Keeper) concessionEnds(pos store.Position, now, polled time.Time) (done bool, err error) {
	all, err := k.ConcessionsOf(pos.Game.ID)
	side, one := all.First()
	if err != nil || side == "" || one.Until.After(now) {
		return false, err
	}
	if k.mailMayCome(pos.Game.ID, one.Until, polled) {
		k.alarms.set(pos.Game.ID, now.Add(mailAgain))
		return true, nil
	}
	g := pos.Game
	c := store.Change{Game: &g, Expect: g.Seq}
	match.ConcessionRecords.Drop(&c, g.ID)
	m, err := k.Under(pos)
	if err != nil {
		return true, err
	}
	if err := k.Concede(&c, m, side); err != nil {
		return true, err
	}
	return true, k.Commit(c)
}

// Concede ends a game because a side gives it up.
func (k *Keeper) Concede(c *store.Change, m match.Match, side adjudicator.Side) error {
	winner, err := heir(m, side)
	if err != nil {
		return err
	}
	verdict := fmt.Sprintf("%s concedes the game", side)
	if winner != "" {
		verdict += " to " + string(winner)
	}
	return k.EndBy(c, m.Position, Ending{By: side, Winner: winner, Verdict: verdict, Source: ByPlayers})
}

// heir is who wins when a side concedes: of several others the one with most points,
// nobody if two of them have as many.
func heir(m match.Match, side adjudicator.Side) (winner adjudicator.Side, err error) {
	v, err := m.View(string(side))
	if err != nil {
		return "", err
	}
	points := func(s adjudicator.Side) int {
		i := slices.IndexFunc(v.Score, func(x view.Score) bool { return x.Side == string(s) })
		if i < 0 {
			return 0
		}
		return v.Score[i].Points
	}
	level := false
	for _, s := range m.Rules.Sides() {
		switch {
		case s == side:
		case winner == "" || points(s) > points(winner):
			winner, level = s, false
		case points(s) == points(winner):
			level = true
		}
	}
	if level {
		winner = ""
	}
	return winner, nil
}

// Ending is an end of a game that the rules did not bring: the side by whom it comes,
// "" for none, the winner, "" for nobody, the verdict, and whose word it is.
type Ending struct {
	By, Winner      adjudicator.Side
	Verdict, Source string
}

// EndBy ends a game with a verdict that the rules did not give.
func (k *Keeper) EndBy(c *store.Change, pos store.Position, end Ending) error {
	pos.Game = *c.Game
	m, err := k.Under(pos)
	if err != nil {
		return err
	}
	position, err := m.Rules.End(pos.Latest.Snapshot, end.Winner, end.Verdict)
	if err != nil {
		return err
	}
	phase, err := match.InterventionPhase(pos, adjudicator.Entry{Label: match.EndLabel, Side: end.By, Answer: string(end.Winner) + ": " + end.Verdict, Source: end.Source})
	if err != nil {
		return err
	}
	phase.Snapshot = position
	c.Phases = []store.Phase{phase}
	k.Finish(c)
	p := match.Progress{Position: position}
	if p.Events, err = k.Unreported(m); err != nil {
		return err
	}
	match.UnreportedRecords.Drop(c, m.Game.ID)
	if p.At, err = m.Rules.At(position); err != nil {
		return err
	}
	return k.Reports(c, m, p)
}
