package desk

import (
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
	"fieldpost/report"
	"fieldpost/report/chart"
)

// Item is something that happened, as the page tells and draws it.
type Item struct {
	Number int      `json:"number"`
	Phase  string   `json:"phase,omitempty"`
	Head   string   `json:"head"`
	Detail []string `json:"detail,omitempty"`
	Marks  []Mark   `json:"marks,omitempty"`
}

// Mark is an arrow or a fight on the map.
type Mark struct {
	Kind  string    `json:"kind"` // combat, fire, move, retreat
	Side  string    `json:"side,omitempty"`
	Hexes []hex.Hex `json:"hexes"` // hex by hex; of fire from the guns to the target
}

// story are the items of what a view's report tells; nil where its rules are not known here.
func story(v *view.View) []Item {
	if v.Story == nil {
		return nil
	}
	game, _, err := builtin.Load(v.Scenario)
	if err != nil {
		return nil
	}
	items, _ := told(&report.Report{View: v, Wording: game.Wording()}) // an event without words has an item all the same
	return items
}

// told are the items of a report with what the map shows of each.
func told(r *report.Report) ([]Item, error) {
	items, err := r.Items()
	var out []Item
	for _, it := range items {
		one := Item{Number: it.Number, Phase: it.Event.Phase, Head: it.Head, Detail: it.Detail}
		for _, said := range it.Told {
			alone := &report.Report{View: &view.View{Story: view.StoryOf(r.View.Side, said.Event.Phase, []view.Event{said.Event})}, Wording: r.Wording}
			for _, m := range alone.Marks() {
				one.Marks = append(one.Marks, marked(m))
			}
		}
		out = append(out, one)
	}
	return out, err
}

func marked(m chart.Mark) Mark {
	out := Mark{Kind: string(m.Kind), Side: m.Side, Hexes: m.Hexes}
	if len(out.Hexes) == 0 && m.From != hex.None {
		out.Hexes = append(out.Hexes, m.From)
	}
	if len(m.Hexes) == 0 {
		out.Hexes = append(out.Hexes, m.To)
	}
	return out
}
