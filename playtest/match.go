package playtest

import (
	"context"
	"fmt"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/staff"
)

// Player is one side of a match. It sees its View and writes a sheet, nothing else.
type Player interface {
	Sheet(v *view.View, serial int) (string, error)
}

// Chooser is a Player who answers questions about reactions. The others leave them to
// standing orders and doctrine.
type Chooser interface {
	Choose(d adjudicator.Decision) string
}

// Counter is a Player who is told what became of each line of a sheet.
type Counter interface {
	Judged(lines []adjudicator.Line)
}

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

// gameID is what sheets and Views of a match call the game, which has no ID.
const gameID = "PLAYTEST"

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
	t := &table{match: m, asked: map[adjudicator.Side]int{}, sheet: map[adjudicator.Side]*adjudicator.Filing{}, filed: map[adjudicator.Side]map[string]string{}}
	for r.Phases = 0; ctx.Err() == nil; r.Phases++ {
		at, err := m.Game.At(pos)
		if err != nil {
			return r, err
		}
		if at.Over || m.Turns > 0 && at.Turn > m.Turns {
			r.Refused = t.refused
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
		t.position, t.at = pos, at
		out, err := m.Game.Play(pos, nil, Dice{m.Number, at.Label}, t)
		switch {
		case t.err != nil:
			return r, t.err
		case err != nil:
			return r, fmt.Errorf("%s: %w", at.Label, err)
		case len(out.Pending) > 0:
			return r, fmt.Errorf("%s: nobody answers %q", at.Label, out.Pending[0].Label)
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

// table is where the players hand in what they write: it answers for all sides.
type table struct {
	match    Match
	position []byte
	at       adjudicator.Phase
	asked    map[adjudicator.Side]int // the turn for which the side's last sheet was asked
	sheet    map[adjudicator.Side]*adjudicator.Filing
	filed    map[adjudicator.Side]map[string]string // what of earlier sheets still answers
	refused  int
	err      error
}

// Answer implements adjudicator.Answerer: a side is asked for a sheet when its
// first turn decision of a turn comes up.
func (t *table) Answer(d adjudicator.Decision) (string, string, bool) {
	if t.match.Asked != nil {
		t.match.Asked(d)
	}
	switch {
	case d.Turn:
		if asked, ok := t.asked[d.Side]; !ok || asked != t.at.Turn {
			if t.err = t.file(d.Side); t.err != nil {
				return "", "", false
			}
			t.asked[d.Side] = t.at.Turn
		}
		return t.sheet[d.Side].Answers[d.Answers()], "sheet", true
	case d.Filed:
		if answer, ok := t.filed[d.Side][d.Answers()]; ok {
			return answer, "sheet", true
		}
	}
	if d.Kind == adjudicator.KindActivation && t.match.Mode == "ASK" && t.match.Players[d.Side] == nil {
		var answer string
		answer, t.err = t.reply(d)
		return answer, "reply", t.err == nil
	}
	if p, ok := t.match.Players[d.Side].(Chooser); ok && len(d.Options) > 0 {
		return p.Choose(d), "chosen", true
	}
	return adjudicator.Standing{}.Answer(d)
}

// file has a player write a sheet and hands it in.
func (t *table) file(side adjudicator.Side) error {
	v, err := t.match.Game.View(t.position, side)
	if err != nil {
		return err
	}
	v.Game = gameID
	f, err := t.write(side, v)
	if err != nil {
		return err
	}
	t.sheet[side] = f
	if t.filed[side] == nil {
		t.filed[side] = map[string]string{}
	}
	for entry, answer := range f.Answers {
		t.filed[side][entry] = answer
	}
	return nil
}

// write has a player write a sheet on a View, and judges it.
func (t *table) write(side adjudicator.Side, v *view.View) (*adjudicator.Filing, error) {
	p := t.match.Players[side]
	if p == nil {
		p = staff.Officer{Game: t.match.Game, Mode: t.match.Mode}
	}
	text, err := p.Sheet(v, t.at.Turn)
	if err != nil {
		return nil, err
	}
	sheet, faults := orders.Parse(orders.Canonical(text), t.match.Vocabulary)
	if len(faults) > 0 {
		return nil, fmt.Errorf("the sheet of %s for %s: %v", side, t.at.Label, faults[0])
	}
	f := t.match.Game.Check(v, sheet)
	_, refused := f.Accepted()
	t.refused += refused
	if c, ok := p.(Counter); ok {
		c.Judged(f.Lines)
	}
	return f, nil
}

// reply asks a staff officer for the orders of a chit that was drawn, as the mail of
// a game in ASK does. What was filed holds if they write none.
func (t *table) reply(d adjudicator.Decision) (string, error) {
	v, err := t.match.Game.View(t.position, d.Side)
	if err != nil {
		return "", err
	}
	v.Game = gameID
	v.Asked = []view.Question{{Label: d.Label, Kind: d.Kind, Clause: d.Clause, Proposal: d.Proposal, Source: d.Source}}
	f, err := t.write(d.Side, v)
	if err != nil {
		return "", err
	}
	if answer, ok := f.Answers[d.Answers()]; ok {
		return answer, nil
	}
	return d.Proposal, nil
}
