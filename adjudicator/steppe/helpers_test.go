package steppe_test

import (
	"fmt"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/steppe"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/scenarios"
)

// These tests look at the rules from outside: positions as bytes, sheets as text, views.

// open loads a scenario with options.
func open(t *testing.T, id string, options map[string]string) *steppe.Game {
	t.Helper()
	src, err := scenarios.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	g, err := steppe.System{}.Load(src)
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := g.(*steppe.Game).With(options)
	if err != nil {
		t.Fatal(err)
	}
	return chosen.(*steppe.Game)
}

// table is a table at which a game is played: dice by label, else all ones; sheets by
// side; answers by label, else what is proposed. It keeps what was asked.
type table struct {
	dice    map[string][]int
	sheets  map[adjudicator.Side]string
	answers map[string]string
	asked   map[string]adjudicator.Decision
}

// Throw implements adjudicator.Dice.
func (p *table) Throw(label string, count, _ int) ([]int, []byte, error) {
	if d, ok := p.dice[label]; ok {
		if len(d) != count {
			return nil, nil, fmt.Errorf("%q throws %d dice, the test gives %d", label, count, len(d))
		}
		return d, nil, nil
	}
	out := make([]int, count)
	for i := range out {
		out[i] = 1
	}
	return out, nil, nil
}

// Answer implements adjudicator.Answerer.
func (p *table) Answer(d adjudicator.Decision) (string, string, bool) {
	if p.asked == nil {
		p.asked = map[string]adjudicator.Decision{}
	}
	p.asked[d.Label] = d
	if d.Turn {
		return p.sheets[d.Side], "sheet", true
	}
	if a, ok := p.answers[d.Label]; ok {
		return a, "test", true
	}
	return d.Proposal, d.Source, true
}

// next plays one phase.
func (p *table) next(t *testing.T, g *steppe.Game, position []byte) adjudicator.Outcome {
	t.Helper()
	out, err := g.Play(position, nil, p, p)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// opened is the position of a scenario before its first turn orders, with a die for the
// weather.
func opened(t *testing.T, g *steppe.Game, die int) []byte {
	t.Helper()
	position, err := g.Opening()
	if err != nil {
		t.Fatal(err)
	}
	p := &table{dice: map[string][]int{"weather": {die}}}
	return p.next(t, g, position).Position
}

// check judges a sheet of a side.
func check(t *testing.T, g *steppe.Game, position []byte, side adjudicator.Side, sheet string) *adjudicator.Filing {
	t.Helper()
	parsed, faults := orders.Parse(orders.Canonical(sheet), vocabulary)
	if len(faults) > 0 {
		t.Fatalf("%s: %v", sheet, faults[0])
	}
	return g.Check(see(t, g, position, side), parsed)
}

var vocabulary = steppe.System{}.Vocabulary()

// see is the view of a side.
func see(t *testing.T, g *steppe.Game, position []byte, side adjudicator.Side) *view.View {
	t.Helper()
	v, err := g.View(position, side)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// refusals are the refused lines of a filing: place, text and why.
func refusals(f *adjudicator.Filing) string {
	var out []string
	for _, l := range f.Lines {
		if l.Refused != nil {
			at := fmt.Sprintf("%d:%d", l.Pos.Line, l.Pos.Col)
			if l.Refused.Col > 0 {
				at += fmt.Sprintf(" (%d)", l.Refused.Col)
			}
			why := l.Refused.Why
			if l.Refused.Clause != "" {
				why = string(l.Refused.Clause) + ": " + why
			}
			out = append(out, fmt.Sprintf("%s %s: %s", at, l.Text, why))
		}
	}
	return strings.Join(out, " | ")
}
