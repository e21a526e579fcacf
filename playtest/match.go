package playtest

import (
	"context"
	"fmt"

	"fieldpost/adjudicator"
	"fieldpost/orders"
	"fieldpost/staff"
	"fieldpost/staff/sandtable"
)

// Player is one side of a match. It sees its View and writes a sheet, nothing else.
type Player = sandtable.Player

// Chooser is a Player who answers questions about reactions.
type Chooser = sandtable.Chooser

// NoAnswer knows the answer to nothing: a phase that is played again from part of its
// journal stops where that ends.
type NoAnswer struct{}

// Answer implements adjudicator.Answerer.
func (NoAnswer) Answer(adjudicator.Decision) (string, string, bool) { return "", "", false }

// Match is one game between players on the engine alone.
type Match struct {
	Game       adjudicator.Game
	Vocabulary orders.Vocabulary
	Number     int // seed of the dice
	Turns      int // play to the end of this turn; 0: to the verdict
	// Mode is the MODE of the staff officers who play where Players names nobody. In
	// ASK they write the orders of a chit when it is drawn.
	Mode    string
	Players map[adjudicator.Side]Player
	// Each, if not nil, is told of each phase that was played; its error ends the match.
	Each  func(before []byte, out adjudicator.Outcome) error
	Asked func(adjudicator.Decision) // is told of every question; may be nil
	Ended func(Result)               // is told of the verdict; may be nil
}

// longest is the number of phases after which a game is called endless.
const longest = 5000

// Play plays the match.
func (m Match) Play(ctx context.Context) (Result, error) {
	r := Result{Number: m.Number}
	pos, err := m.Game.Opening()
	if err != nil {
		return r, err
	}
	began, err := r.steps(m.Game, pos)
	if err != nil {
		return r, err
	}
	t := sandtable.NewTable(m.Game, m.Vocabulary, m.seat)
	t.Asked = m.Asked
	for r.Phases = 0; ctx.Err() == nil; r.Phases++ {
		at, err := m.Game.At(pos)
		if err != nil {
			return r, err
		}
		if at.Over || m.Turns > 0 && at.Turn > m.Turns {
			r.Refused = t.Refused
			left, err := r.steps(m.Game, pos)
			for i := range left {
				r.Lost = append(r.Lost, began[i]-left[i])
			}
			if err == nil && m.Ended != nil {
				m.Ended(r)
			}
			return r, err
		}
		if r.Phases > longest {
			return r, fmt.Errorf("%s: the game does not end", at.Label)
		}
		out, err := t.Play(pos, at, Dice{m.Number, at.Label})
		if err != nil {
			return r, err
		}
		if m.Each != nil {
			if err := m.Each(pos, out); err != nil {
				return r, err
			}
		}
		pos = out.Position
	}
	return r, ctx.Err()
}

// seat is who plays a side: a staff officer where Players names nobody.
func (m Match) seat(side adjudicator.Side) Player {
	if p := m.Players[side]; p != nil {
		return p
	}
	return staff.Officer{Game: m.Game, Mode: m.Mode}
}
