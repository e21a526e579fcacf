package report

import (
	"fmt"
	"strings"

	"fieldpost/adjudicator/view"
)

// facts says what both sides know of the moment: weather, ground, aircraft.
func facts(v *view.View) string {
	var out []string
	for _, f := range v.Facts {
		out = append(out, f.Name+" "+f.Text)
	}
	return strings.Join(out, "; ")
}

// chits are those of the turn in words; in a short report before the first is drawn how many
// there are: whose they are is the list of battalions, which the reader has.
func (r *Report) chits() []string {
	v := r.View
	if r.Brief == nil || v.Chits == nil || len(v.Chits.Played) > 0 || r.Number <= 1 {
		return chits(v)
	}
	var out []string
	for _, g := range v.Chits.Groups {
		if g.Draws > 0 {
			out = append(out, fmt.Sprintf("%s %d", proper(g.Name), g.Draws))
		}
	}
	if len(out) == 0 {
		return nil
	}
	return []string{"in this turn: " + strings.Join(out, ", ")}
}

// chits says for each side and front how many chits are drawn in the turn and how many
// are left, which of the own are to come, and what has been played.
func chits(v *view.View) []string {
	if v.Chits == nil {
		return nil
	}
	var out []string
	for _, g := range v.Chits.Groups {
		if g.Draws == 0 {
			continue
		}
		t := fmt.Sprintf("%s: %s in this turn", proper(g.Name), count(g.Draws, "draw"))
		if len(v.Chits.Played) > 0 {
			t += fmt.Sprintf(", %d left", g.Left)
		}
		if len(g.Own) > 0 {
			t += "; yours: " + strings.Join(g.Own, ", ")
		}
		out = append(out, t)
	}
	if len(v.Chits.Played) > 0 {
		var played []string
		for _, c := range v.Chits.Played {
			played = append(played, fmt.Sprintf("%s (%s)", c.Name, proper(c.Side)))
		}
		out = append(out, "played: "+strings.Join(played, ", "))
	}
	return out
}
