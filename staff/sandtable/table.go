// Package sandtable plays games between players without mail: it hands a game's questions
// to whoever writes sheets, and rehearses sheets on positions that agree with what a side
// knows. It knows games by adjudicator.Game only.
package sandtable

import (
	"fmt"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

// Player is one side of a game. It sees its View and writes a sheet, nothing else.
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

// Replier is a Player who may write the orders of a chit when it is drawn.
type Replier interface {
	Replies() bool
}

// GameID is what sheets and Views call a game that has no ID.
const GameID = "PLAYTEST"

// Table is where the players hand in what they write: it answers for all sides.
type Table struct {
	Game       adjudicator.Game
	Vocabulary orders.Vocabulary
	Seat       func(side adjudicator.Side) Player
	Asked      func(adjudicator.Decision) // is told of every question; may be nil
	// Plain has what is answered at chits taken as it is written, without a check. It makes the
	// answer of a section in canonical words, "" of one that answers no chit.
	Plain func(section string) string
	// Same keeps, by side, the sheet of a player whose sheets all say the same: it is written and judged once. Nil is
	// for others.
	Same map[adjudicator.Side]*adjudicator.Filing
	// Sheets is how many sheets are still written; one more, and the play stops there.
	// Negative: there is no limit.
	Sheets int

	Refused int // orders that the rules did not take
	Written int // sheets
	Replied int // orders for chits that were written when they were drawn

	view  func(adjudicator.Side) (*view.View, error) // of the position that is played
	at    adjudicator.Phase
	asked map[adjudicator.Side]int // the turn for which the side's last sheet was asked
	sheet map[adjudicator.Side]*adjudicator.Filing
	filed map[adjudicator.Side]map[string]string // what of earlier sheets still answers
	err   error
}

// NewTable is a table at which nothing has been handed in.
func NewTable(game adjudicator.Game, words orders.Vocabulary, seat func(adjudicator.Side) Player) *Table {
	return &Table{Game: game, Vocabulary: words, Seat: seat, Sheets: -1, asked: map[adjudicator.Side]int{},
		sheet: map[adjudicator.Side]*adjudicator.Filing{}, filed: map[adjudicator.Side]map[string]string{}}
}

// Play plays the phase that the position stands before. With something pending in the
// outcome the table has no more sheets to write.
func (t *Table) Play(position []byte, at adjudicator.Phase, dice adjudicator.Dice) (adjudicator.Outcome, error) {
	t.at = at
	t.view = func(side adjudicator.Side) (*view.View, error) { return t.Game.View(position, side) }
	out, err := t.Game.Play(position, nil, dice, t)
	switch spent := t.Sheets == 0; {
	case t.err != nil:
		return out, t.err
	case err != nil:
		return out, fmt.Errorf("%s: %w", at.Label, err)
	case len(out.Pending) > 0 && !spent:
		return out, fmt.Errorf("%s: nobody answers %q", at.Label, out.Pending[0].Label)
	}
	return out, nil
}

// Walk plays the next phase of a walk. It is not done where the table has no more sheets to
// write.
func (t *Table) Walk(w adjudicator.Walk, dice adjudicator.Dice) (done bool, err error) {
	t.at = w.At()
	t.view = func(side adjudicator.Side) (*view.View, error) { return w.View(side), nil }
	done, err = w.Play(dice, t)
	switch spent := t.Sheets == 0; {
	case t.err != nil:
		return false, t.err
	case err != nil:
		return false, fmt.Errorf("%s: %w", t.at.Label, err)
	case !done && !spent:
		return false, fmt.Errorf("%s: nobody answers", t.at.Label)
	}
	return done, nil
}

// HandIn files a sheet that was judged for a turn, as if its player had been asked for it.
func (t *Table) HandIn(side adjudicator.Side, turn int, f *adjudicator.Filing) {
	t.sheet[side], t.asked[side] = f, turn
	t.Stands(side, f)
}

// Stands has what a sheet of an earlier turn says to questions that never wait hold on.
func (t *Table) Stands(side adjudicator.Side, f *adjudicator.Filing) {
	if t.filed[side] == nil {
		t.filed[side] = map[string]string{}
	}
	for entry, answer := range f.Answers {
		t.filed[side][entry] = answer
	}
}

// Answer implements adjudicator.Answerer: a side is asked for a sheet when its
// first turn decision of a turn comes up.
func (t *Table) Answer(d adjudicator.Decision) (string, string, bool) {
	if t.Asked != nil {
		t.Asked(d)
	}
	switch {
	case d.Turn:
		if asked, ok := t.asked[d.Side]; !ok || asked != t.at.Turn {
			if t.Sheets == 0 {
				return "", "", false
			}
			if t.err = t.file(d.Side); t.err != nil {
				return "", "", false
			}
		}
		return t.sheet[d.Side].Answers[d.Answers()], "sheet", true
	case d.Filed:
		if answer, ok := t.filed[d.Side][d.Answers()]; ok {
			return answer, "sheet", true
		}
	}
	p := t.Seat(d.Side)
	if r, ok := p.(Replier); ok && d.Kind == adjudicator.KindActivation && r.Replies() {
		var answer string
		answer, t.err = t.reply(d)
		return answer, "reply", t.err == nil
	}
	if c, ok := p.(Chooser); ok && len(d.Options) > 0 {
		return c.Choose(d), "chosen", true
	}
	return adjudicator.Standing{}.Answer(d)
}

// file has a player write a sheet and hands it in.
func (t *Table) file(side adjudicator.Side) error {
	t.Sheets--
	t.Written++
	if f := t.Same[side]; f != nil {
		t.HandIn(side, t.at.Turn, f)
		return nil
	}
	v, err := t.view(side)
	if err != nil {
		return err
	}
	v.Game = GameID
	f, err := t.write(side, v)
	if err != nil {
		return err
	}
	if t.Same != nil {
		t.Same[side] = f
	}
	t.HandIn(side, t.at.Turn, f)
	return nil
}

// write has a player write a sheet on a View, and judges it.
func (t *Table) write(side adjudicator.Side, v *view.View) (*adjudicator.Filing, error) {
	p := t.Seat(side)
	text, err := p.Sheet(v, t.at.Turn)
	if err != nil {
		return nil, err
	}
	f, err := Judge(t.Game, t.Vocabulary, v, text)
	if err != nil {
		return nil, fmt.Errorf("the sheet of %s for %s: %w", side, t.at.Label, err)
	}
	_, refused := f.Accepted()
	t.Refused += refused
	if c, ok := p.(Counter); ok {
		c.Judged(f.Lines)
	}
	return f, nil
}

// Judge reads and judges a sheet; the error is of one that cannot be read.
func Judge(game adjudicator.Game, words orders.Vocabulary, v *view.View, text string) (*adjudicator.Filing, error) {
	sheet, faults := orders.Parse(orders.Canonical(text), words)
	if len(faults) > 0 {
		return nil, fmt.Errorf("%v", faults[0])
	}
	return game.Check(v, sheet), nil
}

// reply asks a player for the orders of a chit that was drawn, as the mail of
// a game in ASK does. What was filed holds if they write none.
func (t *Table) reply(d adjudicator.Decision) (string, error) {
	v, err := t.view(d.Side)
	if err != nil {
		return "", err
	}
	v.Game = GameID
	v.Asked = []view.Question{{Label: d.Label, Kind: d.Kind, Clause: d.Clause, Proposal: d.Proposal, Source: d.Source}}
	t.Replied++
	if t.Plain != nil {
		return t.plain(d, v)
	}
	f, err := t.write(d.Side, v)
	if err != nil {
		return "", err
	}
	if answer, ok := f.Answers[d.Answers()]; ok {
		return answer, nil
	}
	return d.Proposal, nil
}

// plain is what a player answers at a chit, as it is written.
func (t *Table) plain(d adjudicator.Decision, v *view.View) (string, error) {
	text, err := t.Seat(d.Side).Sheet(v, t.at.Turn)
	if err != nil {
		return "", err
	}
	text, _, _ = strings.Cut(orders.Canonical(text), "\nDONE")
	for _, section := range orders.Cut(text, t.Vocabulary) {
		if answer := t.Plain(section); answer != "" {
			return answer, nil
		}
	}
	return d.Proposal, nil
}
