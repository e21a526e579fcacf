package soak

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/staff"
)

// Player is one side of a match. It sees its View and writes a sheet, nothing else.
type Player interface {
	Sheet(v *view.View, serial int) (string, error)
}

// chooser is a player who answers reactions himself. The others leave them to
// standing orders and doctrine.
type chooser interface {
	Choose(d adjudicator.Decision) string
}

// counter is a player who keeps count of the orders that stood, by kind.
type counter interface {
	Stood(lines []adjudicator.Line)
}

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
	// Audit checks after every phase what must hold, and that the journal repeats
	// to the same position.
	Audit bool
	// Each, if not nil, is told of each phase that was played.
	Each  func(before []byte, out adjudicator.Outcome)
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
	audit, err := m.auditor(pos)
	if err != nil {
		return r, err
	}
	t := &table{match: m, turn: map[adjudicator.Side]string{}, sheet: map[adjudicator.Side]*adjudicator.Filing{}, filed: map[adjudicator.Side]map[string]string{}}
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
		out, err := m.Game.Play(pos, nil, dice{m.Number, at.Label}, t)
		switch {
		case t.err != nil:
			return r, t.err
		case err != nil:
			return r, fmt.Errorf("%s: %w", at.Label, err)
		case len(out.Pending) > 0:
			return r, fmt.Errorf("%s: nobody answers %q", at.Label, out.Pending[0].Label)
		}
		if m.Audit {
			if faults := audit(pos, out); len(faults) > 0 {
				return r, fmt.Errorf("%s, %s: %q", at.Label, at.Name, faults)
			}
		}
		if m.Each != nil {
			m.Each(pos, out)
		}
		pos = out.Position
	}
	return r, ctx.Err()
}

// auditor checks a phase: what the system says must hold, and that its journal
// repeats to the same position, events included.
func (m Match) auditor(opening []byte) (func(before []byte, out adjudicator.Outcome) []string, error) {
	look := func([]byte, []view.Event) []string { return nil }
	if a, ok := m.Game.(adjudicator.Auditor); ok && m.Audit {
		var err error
		if look, err = a.Auditor(opening); err != nil {
			return nil, err
		}
	}
	return func(before []byte, out adjudicator.Outcome) []string {
		faults := look(out.Position, out.Events)
		again, err := m.Game.Play(before, out.Journal, nil, nil)
		switch {
		case err != nil:
			faults = append(faults, "the journal does not repeat: "+err.Error())
		case !bytes.Equal(again.Position, out.Position) || len(again.Events) != len(out.Events):
			faults = append(faults, "the journal repeats to another position")
		}
		return faults
	}, nil
}

// table is where the players hand in what they write: it answers for all sides.
type table struct {
	match    Match
	position []byte
	at       adjudicator.Phase
	turn     map[adjudicator.Side]string // for which half turn the side's last sheet was asked
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
		if now := fmt.Sprint(t.at.Turn); t.turn[d.Side] != now {
			if t.err = t.file(d.Side); t.err != nil {
				return "", "", false
			}
			t.turn[d.Side] = now
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
	if p, ok := t.match.Players[d.Side].(chooser); ok && len(d.Options) > 0 {
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
	v.Game = "SOAK"
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
	if c, ok := p.(counter); ok {
		c.Stood(f.Lines)
	}
	return f, nil
}

// reply asks a staff officer for the orders of a chit that was drawn, as the mail of
// a game in ASK does. What was filed holds if he writes none.
func (t *table) reply(d adjudicator.Decision) (string, error) {
	v, err := t.match.Game.View(t.position, d.Side)
	if err != nil {
		return "", err
	}
	v.Game = "SOAK"
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

// Passive is a player who does nothing at all.
type Passive struct{}

// Sheet implements Player.
func (Passive) Sheet(v *view.View, serial int) (string, error) {
	text, _ := compose(v, serial, nil)
	return text, nil
}

// Order is one order of a sheet that a player writes for the soak.
type Order struct {
	Section string // with its argument: "AIR 1"
	Text    string
	Kind    string // what the counts call it
}

// compose writes a sheet, section by section in the order of their first orders.
// At tells which order stands on a line.
func compose(v *view.View, serial int, list []Order) (text string, at map[int]Order) {
	var b bytes.Buffer
	at = map[int]Order{}
	fmt.Fprintf(&b, "GAME: %s\nSIDE: %s\nTURN: %d\nSERIAL: %d\n", v.Game, v.Side, v.Turn, serial)
	line := 4
	var sections []string
	for _, o := range list {
		if !slices.Contains(sections, o.Section) {
			sections = append(sections, o.Section)
		}
	}
	for _, s := range sections {
		b.WriteString(s + "\n")
		line++
		for _, o := range list {
			if o.Section != s || line >= orders.MaxLines-len(sections)-2 || len(o.Text) > orders.MaxLine {
				continue
			}
			b.WriteString(o.Text + "\n")
			line++
			at[line] = o
		}
	}
	b.WriteString("DONE\n")
	return b.String(), at
}
