package report

import (
	"strconv"

	"fieldpost/adjudicator/view"
	"fieldpost/report/chart"
)

// Marks are what the map shows of the events. Combats and fire carry the number of their
// item in the story.
func (r *Report) Marks() []chart.Mark {
	_, numbers, _ := r.told() // a missing word costs a number on the map only
	var out []chart.Mark
	for i, e := range r.View.Story.Events() {
		if len(e.Hexes) == 0 {
			continue
		}
		label := ""
		if numbers[i] > 0 {
			label = strconv.Itoa(numbers[i])
		}
		switch kind := chart.MarkKind(e.Mark); kind {
		case "":
		case chart.MarkCombat:
			out = append(out, chart.Mark{Kind: kind, To: e.Hexes[0], Side: e.Side, Label: label})
		case chart.MarkFire:
			out = append(out, fired(e, label)...)
		default:
			out = append(out, chart.Mark{Kind: kind, Hexes: e.Hexes, Side: e.Side})
		}
	}
	return out
}

// fired are the marks of fire: from each hex of guns that the event names behind its target
// to the target, or the target alone.
func fired(e view.Event, label string) []chart.Mark {
	at := chart.Mark{Kind: chart.MarkFire, To: e.Hexes[0], Side: e.Side, Label: label}
	if len(e.Hexes) == 1 {
		return []chart.Mark{at}
	}
	var out []chart.Mark
	for _, guns := range e.Hexes[1:] {
		at.From = guns
		out = append(out, at)
	}
	return out
}
