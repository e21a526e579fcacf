package report

import (
	"fmt"
	"strconv"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/report/chart"
)

// Marks are what the map shows of the events. Combats and fire carry the number of their
// item in the story.
func (r *Report) Marks() []chart.Mark {
	items, numbers, _ := r.told() // a missing word costs a number on the map only
	parts := r.activations(items)
	var out []chart.Mark
	for i, e := range r.View.Story.Events() {
		if len(e.Hexes) == 0 {
			continue
		}
		label := ""
		if numbers[i] > 0 {
			label = strconv.Itoa(numbers[i])
		}
		m := chart.Mark{Kind: chart.MarkKind(e.Mark), Side: e.Side, Part: parts[e.Phase]}
		switch m.Kind {
		case "":
		case chart.MarkCombat:
			m.To, m.Label = e.Hexes[0], label
			out = append(out, m)
		case chart.MarkFire:
			m.To, m.Label = e.Hexes[0], label
			out = append(out, fired(m, e.Hexes[1:])...)
		default:
			m.Hexes = e.Hexes
			out = append(out, m)
		}
	}
	return out
}

// activations are the titles of the phases in which chits are played: "Activation 3, item 7:
// Chit 6A of the Soviets".
func (r *Report) activations(items []Item) map[string]string {
	if r.View.Chits == nil {
		return nil
	}
	titles := map[string]string{}
	for _, it := range items {
		phase := it.Event.Phase
		if !strings.HasPrefix(phase, activationPhase) {
			continue
		}
		head, _, _ := strings.Cut(strings.TrimSuffix(it.Head, "."), ",")
		if titles[phase] == "" || strings.HasPrefix(head, "Chit") { // not how it was drawn
			titles[phase] = fmt.Sprintf("%s, item %d: %s", phase, it.Number, head)
		}
	}
	return titles
}

// activationPhase begins the names of the phases in which chits are played.
const activationPhase = "Activation "

// fired are the marks of fire at a target: from each hex of guns, or the target alone.
func fired(at chart.Mark, from []hex.Hex) []chart.Mark {
	if len(from) == 0 {
		return []chart.Mark{at}
	}
	var out []chart.Mark
	for _, guns := range from {
		at.From = guns
		out = append(out, at)
	}
	return out
}
