// Package law tries the law of acknowledgements in the games with chits: an order that the
// answer to its sheet called OK is carried out when its chit is drawn, unless the
// circumstances have changed by then, or the answer had warned of what happened.
package law

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/playtest"
	"fieldpost/trial"
	"fieldpost/trial/systems"
)

// Tally counts what became of orders.
type Tally struct {
	Sheets, Orders   int // orders whose chit was drawn
	Replies          int // orders for the rest of an activation that asked for them
	Refused          int // by the answer
	Changed          int // the answer, given again just before the chit, is another one
	Held             int // the programme was not chosen, or its headquarters has gone
	Kept             int // OK and done
	Dice             int // not done, after dice or a discovery in the same activation
	AsWarned, Spared int // warned: as told; done all the same
	Surprises        map[Kind][]string
}

func newTally() *Tally { return &Tally{Surprises: map[Kind][]string{}} }

func (t *Tally) add(o *Tally) {
	t.Sheets, t.Orders, t.Refused, t.Changed = t.Sheets+o.Sheets, t.Orders+o.Orders, t.Refused+o.Refused, t.Changed+o.Changed
	t.Held, t.Replies = t.Held+o.Held, t.Replies+o.Replies
	t.Kept, t.Dice, t.AsWarned, t.Spared = t.Kept+o.Kept, t.Dice+o.Dice, t.AsWarned+o.AsWarned, t.Spared+o.Spared
	for k, list := range o.Surprises {
		t.Surprises[k] = append(t.Surprises[k], list...)
	}
}

// String is the tally in words.
func (t *Tally) String() string {
	out := fmt.Sprintf("%d sheets and %d replies in the midst of an activation, %d orders whose chit was drawn: %d refused by the answer, %d of programmes that hold, %d under changed circumstances, %d not done after dice or a discovery of the same activation;\n%d done as answered, %d as warned, %d done in spite of a warning; surprises",
		t.Sheets, t.Replies, t.Orders, t.Refused, t.Held, t.Changed, t.Dice, t.Kept, t.AsWarned, t.Spared)
	for _, k := range slices.Concat(Kinds, []Kind{Other}) {
		out += fmt.Sprintf(" %s %d", k, len(t.Surprises[k]))
	}
	return out
}

// Broken are the surprises of the kinds that the law is about.
func (t *Tally) Broken() (out []string) {
	for _, k := range Kinds {
		for _, s := range t.Surprises[k] {
			out = append(out, string(k)+": "+s)
		}
	}
	return out
}

// Run tries so many sheets over the scenarios.
func Run(ctx context.Context, t *trial.Trial) error {
	sum, began := newTally(), time.Now()
	share := max(1, t.Count/len(t.Scenarios)/2)
	for number := t.Seed; sum.Sheets < t.Count; number++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		id := t.Scenario(number - t.Seed)
		m, err := t.Match(id, number)
		if err != nil {
			return err
		}
		m.Turns = t.Turns
		one, err := Play(m, min(share, t.Count-sum.Sheets))
		if err != nil {
			return fmt.Errorf("%s, --seed %d: %w", id, number, err)
		}
		fmt.Fprintf(t.Progress, "%s %d: %d sheets, %d orders, %d surprises\n", id, number, one.Sheets, one.Orders, len(one.Broken()))
		if one.Orders == 0 {
			return fmt.Errorf("%s, --seed %d: no order came to its chit", id, number)
		}
		sum.add(one)
	}
	fmt.Fprintf(t.Out, "%v (%v)\n", sum, time.Since(began).Round(time.Second))
	for _, k := range slices.Sorted(maps.Keys(sum.Surprises)) {
		list := sum.Surprises[k]
		for _, s := range list[:min(len(list), 12)] {
			fmt.Fprintf(t.Out, "%s: %s\n", k, s)
		}
	}
	if broken := sum.Broken(); len(broken) > 0 {
		return fmt.Errorf("%d orders came out otherwise than answered", len(broken))
	}
	return nil
}

// table is a game whose players write random sheets.
type table struct {
	match playtest.Match
	*Tally
	random  *rand.Rand
	pos     []byte
	at      adjudicator.Phase
	turn    int // for which the sheets are filed
	sheets  map[adjudicator.Side]*filed
	replies map[string]string // of the phase, by the labels of the questions
	err     error
}

// filed is a sheet and what was answered.
type filed struct {
	text    string
	parsed  *orders.Sheet
	answers map[string]string
	lines   map[place]adjudicator.Line
	heads   map[int]string // the sections of the orders, by their lines
}

// place is where an order stands: orders are told again by their words.
type place struct {
	chit, text string
}

// Play plays a game until so many sheets were tried, or to its end.
func Play(m playtest.Match, limit int) (*Tally, error) {
	t := &table{match: m, Tally: newTally(), random: rand.New(rand.NewPCG(uint64(m.Number), 24)), sheets: map[adjudicator.Side]*filed{}, turn: -1}
	pos, err := m.Game.Opening()
	if err != nil {
		return nil, err
	}
	for t.pos = pos; ; {
		if t.at, err = m.Game.At(t.pos); err != nil {
			return nil, err
		}
		ended := t.at.Over || m.Turns > 0 && t.at.Turn > m.Turns
		enough := t.Sheets >= limit && t.at.Turn != t.turn
		if ended || enough {
			return t.Tally, nil
		}
		if err := t.play(); err != nil {
			return nil, fmt.Errorf("%s: %w", t.at.Label, err)
		}
	}
}

// play plays a phase, and compares what became of the orders of a chit with what was
// answered.
func (t *table) play() error {
	again, err := t.again()
	if err != nil {
		return err
	}
	t.replies = map[string]string{}
	out, err := t.match.Game.Play(t.pos, nil, playtest.Dice{Game: t.match.Number, Phase: t.at.Label}, t)
	var replies []reply
	if t.err == nil && err == nil {
		out, replies, err = t.answered(out)
	}
	switch {
	case t.err != nil:
		return t.err
	case err != nil:
		return err
	case len(out.Pending) > 0:
		return fmt.Errorf("nobody answers %q", out.Pending[0].Label)
	}
	t.pos = out.Position
	if len(replies) > 0 {
		t.compareReplies(replies, out.Events)
		return nil
	}
	if chit, side, drawn := t.chitOf(out.Events); drawn && again[side] != nil {
		t.compare(hearing{chit: chit, side: side, before: t.sheets[side], now: again[side], events: out.Events})
	}
	return nil
}

// chitOf is the chit that a phase has drawn.
func (t *table) chitOf(told []view.Event) (chit string, side adjudicator.Side, drawn bool) {
	k := slices.IndexFunc(told, func(e view.Event) bool { return e.Kind == "chit" })
	if k < 0 {
		return "", "", false
	}
	return strings.ToUpper(told[k].Facts.Get("chit") + told[k].Facts.Get("hq")), adjudicator.Side(told[k].Side), true
}

// again are the sheets that are filed, judged once more on the position as it is now.
func (t *table) again() (map[adjudicator.Side]map[place]adjudicator.Line, error) {
	out := map[adjudicator.Side]map[place]adjudicator.Line{}
	for side, f := range t.sheets {
		if t.turn != t.at.Turn {
			break
		}
		v, err := t.view(side)
		if err != nil {
			return nil, err
		}
		out[side] = f.judged(t.match.Game.Check(v, f.parsed))
	}
	return out, nil
}

func (t *table) view(side adjudicator.Side) (*view.View, error) {
	v, err := t.match.Game.View(t.pos, side)
	if err == nil {
		v.Game = "LAW"
	}
	return v, err
}

// Answer implements adjudicator.Answerer.
func (t *table) Answer(d adjudicator.Decision) (string, string, bool) {
	if d.Turn && t.turn != t.at.Turn {
		t.turn = t.at.Turn
		for _, side := range t.match.Game.Sides() {
			if t.err = t.file(side); t.err != nil {
				return "", "", false
			}
		}
	}
	if d.Wanted {
		answer, said := t.replies[d.Label]
		return answer, "reply", said
	}
	f := t.sheets[d.Side]
	if f == nil {
		return adjudicator.Standing{}.Answer(d)
	}
	answer, said := f.answers[d.Answers()]
	if d.Turn || d.Filed && said {
		return answer, "sheet", true
	}
	return adjudicator.Standing{}.Answer(d)
}

// file has a side write a sheet for the turn.
func (t *table) file(side adjudicator.Side) error {
	v, err := t.view(side)
	if err != nil {
		return err
	}
	system, err := systems.Get(v.System)
	if err != nil {
		return err
	}
	list, err := system.Orders(t.match.Game, v, t.random)
	if err != nil {
		return err
	}
	list = t.vary(v, list)
	f := &filed{heads: map[int]string{}}
	var at map[int]systems.Order
	f.text, at = systems.Compose(v, t.at.Turn, list)
	for line, o := range at {
		isCondition := func(c systems.Order) bool { return c.Section == o.Section && strings.HasPrefix(c.Text, "IF ") }
		if !slices.ContainsFunc(list, isCondition) { // which of its variants is carried out is not told
			f.heads[line] = chitOn(o.Section)
		}
	}
	parsed, faults := orders.Parse(orders.Canonical(f.text), t.match.Vocabulary)
	if len(faults) > 0 {
		return fmt.Errorf("the sheet of %s: %v", side, faults[0])
	}
	f.parsed = parsed
	filing := t.match.Game.Check(v, f.parsed)
	f.answers, f.lines = filing.Answers, f.judged(filing)
	t.sheets[side] = f
	t.Sheets++
	return nil
}

// judged are the lines of an answer by the place of their orders. An order that stands twice
// under its chit is left out: what is told of one is told of the other.
func (f *filed) judged(filing *adjudicator.Filing) map[place]adjudicator.Line {
	out, twice := map[place]adjudicator.Line{}, map[place]bool{}
	for _, l := range filing.Lines {
		chit := f.heads[l.Pos.Line]
		if chit == "" {
			continue
		}
		at := place{chit, l.Text}
		_, before := out[at]
		twice[at] = twice[at] || before
		out[at] = l
	}
	for at := range twice {
		if twice[at] {
			delete(out, at)
		}
	}
	return out
}

// chitOn is the chit whose programme a section is; "" for other sections.
func chitOn(section string) string {
	name, ok := strings.CutPrefix(section, "CHIT ")
	if !ok {
		return ""
	}
	for _, mode := range []string{" MOVE THEN ATTACK", " ATTACK THEN MOVE", " HOLD "} {
		name, _, _ = strings.Cut(name, mode)
	}
	return strings.ToUpper(name)
}
