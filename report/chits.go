package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/view"
)

// facts says what both sides know of the moment: weather, ground, aircraft.
func facts(v *view.View) string {
	var out []string
	for _, f := range v.Facts {
		if pool, isAir := strings.CutPrefix(f.Name, "air "); isAir {
			out = append(out, aircraft(pool, f))
			continue
		}
		out = append(out, Sentence(f.Name+": "+f.Text))
	}
	return strings.Join(out, " ")
}

// aircraft is a fact of the fighters and the close air support that a pool has, and how many of each can
// fly if that is known.
func aircraft(pool string, f view.Fact) string {
	says := proper(strings.ToUpper(pool)) + " aircraft: "
	switch n := f.Numbers; {
	case len(n) == 4 && n[2]+n[3] == 0:
		return fmt.Sprintf("%s%d fighters, %d for close air support; none of them can fly.", says, n[0], n[1])
	case len(n) == 4:
		return fmt.Sprintf("%s%d fighters, %d for close air support; %d and %d of them can fly.", says, n[0], n[1], n[2], n[3])
	}
	return says + Sentence(f.Text)
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

// drawn is a chit of the turn with what came of it.
type drawn struct {
	name, side string
	isOwn      bool
	fights     int // attacks that were fought
	steps      int // lost by either side
	isIdle     bool
}

// stepsLost are the kinds of events that tell of one step or unit lost.
var stepsLost = []string{"loss", "depleted", "replaced", "destroyed", "stalwart"}

// timeline are the chits of a story in the order in which they were drawn.
func timeline(v *view.View) []drawn {
	if v.Chits == nil {
		return nil
	}
	var all []drawn
	for _, e := range v.Story.Events() {
		if name := chitOf(e); name != "" {
			side := e.Facts.Get("side")
			all = append(all, drawn{name: name, side: side, isOwn: strings.EqualFold(side, v.Side), isIdle: true})
			continue
		}
		if len(all) == 0 {
			continue
		}
		last := &all[len(all)-1]
		isNothing := slices.Contains([]string{"pass", "skipped", "holds", "dropped"}, e.Kind)
		last.isIdle = last.isIdle && isNothing
		if e.Kind == "combat" {
			last.fights++
		}
		if slices.Contains(stepsLost, e.Kind) {
			last.steps++
		}
	}
	return all
}

// chitOf is the chit that an event draws, "" for other events.
func chitOf(e view.Event) string {
	if e.Kind != "chit" && e.Kind != "chit-wasted" {
		return ""
	}
	return cmp.Or(e.Facts.Get("chit"), e.Facts.Get("hq"))
}

// signs say what came of a chit: fights, steps lost, or nothing.
func (d drawn) signs() string {
	if d.isIdle {
		return "-"
	}
	var out []string
	if d.fights > 0 {
		out = append(out, "\u2694"+fmt.Sprint(d.fights))
	}
	if d.steps > 0 {
		out = append(out, "\u2020"+fmt.Sprint(d.steps))
	}
	return strings.Join(out, " ")
}

// htmlTimeline is a strip of the chits: own ones in square frames, the enemy's in round ones.
func (r *Report) htmlTimeline(m *markup) {
	all := timeline(r.View)
	if len(all) < 2 {
		return
	}
	m.WriteString("<p style=\"margin:4px 0;line-height:1.1;\">")
	for _, d := range all {
		frame := "border:2px solid #8a8373;border-radius:12px;"
		if d.isOwn {
			frame = "border:2px solid #a07a2c;font-weight:bold;"
		}
		if d.isIdle {
			frame += "opacity:0.6;"
		}
		fmt.Fprintf(m, "<span title=\"%s of %s\" style=\"display:inline-block;margin:2px;padding:2px 6px;text-align:center;font-size:12px;vertical-align:top;%s\">%s<br>"+
			"<span style=\"font-weight:normal;\">%s&nbsp;</span></span>", esc(d.name), esc(proper(d.side)), frame, esc(d.name), esc(d.signs()))
	}
	m.WriteString("</p>\n")
	m.tag("p", "margin:0 0 4px 0;font-size:12px;"+quietStyle, "Chits in the order in which they were drawn: ours square, theirs round; \u2694 attacks, \u2020 steps lost by either side, - nothing done.")
}
