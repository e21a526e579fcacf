package report

import (
	"strconv"

	"fieldpost/report/chart"
)

// Marks are what the map shows of the events. A combat carries the number of its
// item in the story.
func (r *Report) Marks() []chart.Mark {
	items, _ := r.Items() // a missing word costs a number on the map only
	var numbers []string
	for _, it := range items {
		if it.Event.Mark == string(chart.MarkCombat) {
			numbers = append(numbers, strconv.Itoa(it.Number))
		}
	}
	var out []chart.Mark
	for _, e := range r.Events {
		switch kind := chart.MarkKind(e.Mark); {
		case kind == "" || len(e.Hexes) == 0:
		case kind == chart.MarkCombat:
			m := chart.Mark{Kind: kind, To: e.Hexes[0], Side: e.Side}
			if len(numbers) > 0 {
				m.Label, numbers = numbers[0], numbers[1:]
			}
			out = append(out, m)
		default:
			out = append(out, chart.Mark{Kind: kind, Hexes: e.Hexes, Side: e.Side})
		}
	}
	return out
}
