package practice

import (
	"fmt"
	"slices"
	"strconv"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
)

// ID is what sheets and views of practice games call the game.
const ID = "PRACTICE"

// View is what the person knows where the game stands, as a report would bring it, with what
// happened since their last sheet.
func (g *Game) View() (*view.View, error) {
	at, err := g.rules.At(g.Position)
	if err != nil {
		return nil, err
	}
	v, err := g.rules.View(g.Position, g.Side)
	if err != nil {
		return nil, err
	}
	if asked := g.asked(); len(asked) > 0 {
		begun := v
		if v, err = g.rules.View(g.midst, g.Side); err != nil {
			return nil, err
		}
		begun.Board, v.Begun, v.Due, v.Asked = nil, begun, nil, questions(asked)
	}
	v.Game = ID
	may := adjudicator.AsksOf(g.system)
	v.Rules = &view.Rules{Program: "fieldpost", Version: strconv.Itoa(g.system.Version()), Scenario: g.hash}
	v.Reply = &view.Reply{Report: g.Reports + 1, Subject: fmt.Sprintf("[%s] orders for turn %d", ID, at.Turn), Turn: at.Turn, Serial: g.Seats[g.Side].Serial + 1,
		Modes: adjudicator.Modes(may), Asks: may}
	v.Story = &view.Story{Phases: slices.Clone(g.Told)}
	if g.partly != nil {
		v.Story.Phases = append(v.Story.Phases, *g.partly)
	}
	return v, nil
}

func questions(asked []adjudicator.Decision) (out []view.Question) {
	for _, d := range asked {
		q := view.Question{Label: d.Label, Kind: d.Kind, Clause: d.Clause, Proposal: d.Proposal, Source: d.Source, Why: d.Pause}
		for _, o := range d.Options {
			q.Options = append(q.Options, view.Option{Answer: o.Answer, Means: o.Means})
		}
		out = append(out, q)
	}
	return out
}

// Proposal is the sheet that a staff officer would hand in in the person's place.
func (g *Game) Proposal() (string, error) {
	v, err := g.View()
	if err != nil {
		return "", err
	}
	return g.officer(g.Side).Sheet(v, v.Reply.Serial)
}
