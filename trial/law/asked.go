package law

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/playtest"
	"fieldpost/trial/systems"
)

// asks has programmes stop for a question somewhere.
func (t *table) asks(list []systems.Order) (out []systems.Order) {
	for _, o := range list {
		out = append(out, o)
		if chitOn(o.Section) != "" && o.Text != "" && t.in(8) {
			out = append(out, systems.Order{Section: o.Section, Text: "ASK HERE"})
		}
	}
	return out
}

// reply is what a side has answered for the rest of an activation: the orders that were left, as
// they were or in another order.
type reply struct {
	chit   string
	side   adjudicator.Side
	filed  *filed
	events int // told before
}

// answered answers what programmes ask in a phase, question by question, and plays on.
func (t *table) answered(out adjudicator.Outcome) (adjudicator.Outcome, []reply, error) {
	var all []reply
	for len(out.Pending) > 0 && out.Pending[0].Wanted {
		d := out.Pending[0]
		one, err := t.reply(d, out)
		if err != nil {
			return out, nil, err
		}
		all = append(all, one)
		t.replies[d.Label] = one.filed.answers[d.Answers()]
		if out, err = t.match.Game.Play(t.pos, out.Journal, playtest.Dice{Game: t.match.Number, Phase: t.at.Label}, t); err != nil {
			return out, nil, err
		}
	}
	return out, all, nil
}

// reply writes orders for the rest of an activation, and has them judged as they will be.
func (t *table) reply(d adjudicator.Decision, out adjudicator.Outcome) (reply, error) {
	v, err := t.view(d.Side)
	if err != nil {
		return reply{}, err
	}
	if v.Midst, err = t.match.Game.View(out.Position, d.Side); err != nil {
		return reply{}, err
	}
	acting := v.Midst.Acting
	if acting == nil {
		return reply{}, fmt.Errorf("the view does not tell the activation that %q is about", d.Label)
	}
	left := strings.Split(d.Proposal, "\n")
	if t.in(2) {
		t.random.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
	}
	f := &filed{heads: map[int]string{}}
	head := fmt.Sprintf("GAME: LAW SIDE: %s TURN: %d SERIAL: 2\nCHIT %s\n", d.Side, t.at.Turn, acting.Chit)
	f.text = head + strings.Join(left, "\n") + "\nDONE\n"
	parsed, faults := orders.Parse(orders.Canonical(f.text), t.match.Vocabulary)
	if len(faults) > 0 {
		return reply{}, fmt.Errorf("the reply of %s: %v", d.Side, faults[0])
	}
	chit := strings.ToUpper(acting.Chit)
	for i := range left {
		f.heads[i+3] = chit
	}
	f.parsed = parsed
	filing := t.match.Game.Check(v, parsed)
	f.answers, f.lines = filing.Answers, f.judged(filing)
	return reply{chit: chit, side: d.Side, filed: f, events: len(out.Events)}, nil
}

// compareReplies compares what became of replies with what was answered to them; where a programme
// asked more than once the last one counts.
func (t *table) compareReplies(all []reply, events []view.Event) {
	last := all[len(all)-1]
	t.Replies += len(all)
	t.compare(hearing{chit: last.chit, side: last.side, before: last.filed, now: last.filed.lines, events: slices.Clone(events[last.events:])})
}
