package report

import (
	"fmt"
	"strings"
)

// HTML is the report for a mail client that shows HTML: the same facts as the
// text part, with the map. The proofs of the dice stand in the text part only.
// It is complete also where the error tells of faults in the wording.
func (r *Report) HTML() (string, error) {
	items, err := r.Items()
	m := &markup{}
	m.open(r.Subject())
	r.htmlHead(m)
	r.htmlQuestions(m)
	r.htmlAnswered(m)
	r.htmlAfter(m)
	r.htmlStaff(m)
	whole := r.Pictures[:min(1, len(r.Pictures))]
	m.pictures(r.Pictures[len(whole):])
	r.htmlStory(m, items)
	m.pictures(whole)
	r.htmlArmy(m)
	r.htmlKnown(m)
	r.htmlAnsweredInFull(m)
	r.htmlAnswer(m)
	r.htmlSeals(m)
	m.close()
	return m.String(), err
}

func (r *Report) htmlHead(m *markup) {
	v := r.View
	m.tag("h1", titleStyle, v.Title)
	line := fmt.Sprintf("turn %d of %d", v.Turn, v.Turns)
	if v.Date != "" {
		line = v.Date + ", " + line
	}
	m.tag("p", "margin:0;"+quietStyle, fmt.Sprintf("%s. You are the %s side. Report %d of game %s.", line, proper(v.Side), r.Number, v.Game))
	fmt.Fprintf(m, `<div style="%s">`, dueStyle)
	for _, s := range r.Back.lines() {
		fmt.Fprintf(m, "<b>%s:</b> %s<br>", s[0], esc(s[1]))
	}
	switch {
	case v.Verdict != "":
		fmt.Fprintf(m, "<b>The game is over.</b> %s", esc(v.Verdict))
	case r.Due != "":
		fmt.Fprintf(m, "<b>Your turn:</b> %s", esc(r.Due))
		fmt.Fprintf(m, "<br><b>By:</b> %s", esc(r.deadline()))
		for _, s := range r.firstSteps() {
			fmt.Fprintf(m, "<br><b>%s:</b> %s", s[0], esc(s[1]))
		}
	default:
		fmt.Fprintf(m, "<b>Nothing to do now.</b> Next: %s", esc(v.Phase))
	}
	m.WriteString("</div>\n")
	if s := scores(v); s != "" {
		fmt.Fprintf(m, "<p style=\"margin:4px 0;\"><b>Score:</b> %s</p>\n", esc(s))
	}
	if s := assets(v); s != "" {
		fmt.Fprintf(m, "<p style=\"margin:4px 0;\"><b>To spend:</b> %s</p>\n", esc(s))
	}
	for _, s := range crowds(v) {
		fmt.Fprintf(m, "<p style=\"margin:4px 0;\"><b>Overfull:</b> %s</p>\n", esc(s))
	}
	if s := facts(v); s != "" {
		fmt.Fprintf(m, "<p style=\"margin:4px 0;\"><b>Conditions:</b> %s</p>\n", esc(s))
	}
	if all := r.chits(); len(all) > 0 {
		fmt.Fprintf(m, "<p style=\"margin:4px 0;\"><b>Chits:</b> %s</p>\n", esc(strings.Join(all, ". ")))
	}
	for _, g := range places(v) {
		fmt.Fprintf(m, "<p style=\"margin:2px 0;font-size:13px;\"><span style=\"%s\">Held by %s:</span> %s</p>\n",
			quietStyle, esc(proper(g.name)), esc(strings.Join(g.units, ", ")))
	}
	if s := airStrength(v); s != "" {
		fmt.Fprintf(m, "<p style=\"margin:4px 0;\"><b>Air strength:</b> %s</p>\n", esc(s))
	}
}

func (r *Report) htmlStory(m *markup, items []Item) {
	m.section("What happened")
	r.htmlTimeline(m)
	if len(items) == 0 {
		m.tag("p", "", r.nothingSeen())
	}
	if r.Brief == nil {
		htmlItems(m, items)
	} else {
		short := r.brief(items)
		for i := range short {
			short[i].Event.Phase = "" // the numbers say it
		}
		htmlItems(m, short)
		m.WriteString("<details><summary style=\"" + quietStyle + "\">The story in full, with all dice</summary>\n")
		htmlItems(m, items)
		m.WriteString("</details>\n")
	}
	if lines := acted(items); len(lines) > 0 {
		m.section("In your name")
		for _, l := range lines {
			m.tag("p", "margin:2px 0;", l)
		}
	}
	if len(r.Notes) > 0 {
		m.section("Remarks")
		for _, n := range r.Notes {
			m.tag("p", "margin:2px 0;", n)
		}
	}
}

// htmlItems are items by phases.
func htmlItems(m *markup, items []Item) {
	for _, c := range chapters(items) {
		if c.phase != "" {
			m.tag("p", phaseStyle, c.phase)
		}
		m.WriteString("<table role=\"presentation\" cellpadding=\"0\" cellspacing=\"0\" style=\"border-collapse:collapse;\">\n")
		for _, it := range c.items {
			fmt.Fprintf(m, "<tr><td align=\"right\" style=\"padding:2px 10px 2px 0;vertical-align:top;%s\">%d</td><td style=\"padding:2px 0;\">%s", quietStyle, it.Number, esc(it.Head))
			if len(it.Detail) > 0 {
				fmt.Fprintf(m, `<div style="font-size:13px;padding-left:10px;%s">`, quietStyle)
				for i, d := range it.Detail {
					if i > 0 {
						m.WriteString("<br>")
					}
					m.WriteString(esc(strings.TrimSpace(d)))
				}
				m.WriteString("</div>")
			}
			m.WriteString("</td></tr>\n")
		}
		m.WriteString("</table>\n")
	}
}

func (r *Report) htmlArmy(m *markup) {
	bad, touching, rest := army(r.View)
	title := "Your army: " + count(len(r.View.Units), "unit") + " on the map"
	if n := len(r.View.Lost); n > 0 {
		title += fmt.Sprintf(", %d lost", n)
	}
	m.section(title)
	if len(bad) > 0 {
		m.tag("p", phaseStyle, "In trouble")
		m.table(narrowHead, narrowRows(bad))
	}
	if len(touching) > 0 {
		m.tag("p", phaseStyle, "In contact with the enemy")
		m.table(narrowHead[:4], narrowRows(touching))
	}
	if len(rest) > 0 {
		m.tag("p", phaseStyle, "The rest (unit, hex, strength-moves)")
		var rows [][]cell
		for _, g := range formations(rest) {
			rows = append(rows, []cell{{g.name, "font-weight:bold;"}, {strings.Join(g.units, "; "), ""}})
		}
		m.table(nil, rows)
	}
	if all := standing(r.View); all != "" {
		m.tag("p", phaseStyle, "By hex")
		m.tag("p", "margin:2px 0;font-size:13px;", all)
	}
	if len(r.View.Lost) > 0 {
		var names []string
		for i := range r.View.Lost {
			names = append(names, label(&r.View.Lost[i]))
		}
		m.tag("p", phaseStyle, "Lost")
		m.tag("p", "margin:2px 0;", strings.Join(names, ", "))
	}
	if allies := alliesOf(r.View); len(allies) > 0 {
		m.tag("p", phaseStyle, "Allies, who have a player of their own (unit, hex, strength-moves)")
		var rows [][]cell
		for _, g := range formations(allies) {
			rows = append(rows, []cell{{g.name, "font-weight:bold;"}, {strings.Join(g.units, "; "), ""}})
		}
		m.table(nil, rows)
	}
}

// narrowHead are the columns of the table of units where a telephone shows it.
var narrowHead = []string{"unit", "hex", "strength-moves", "steps", "state"}

// narrowRows mark what is wrong. Units that are only in contact have no state to tell.
func narrowRows(ts []trouble) [][]cell {
	var out [][]cell
	for _, t := range ts {
		u := t.u
		row := []cell{
			{label(u), "font-weight:bold;"},
			{standsAt(u), ""},
			{fmt.Sprintf("%s-%d", strength(u), u.Moves), ""},
			{fmt.Sprintf("%d/%d", u.Steps, u.MaxSteps), ""},
		}
		if u.Steps < u.MaxSteps {
			row[3].style = badStyle
		}
		if urgency(u) > 0 {
			row = append(row, cell{strings.Join(t.state, ", "), badStyle})
		}
		out = append(out, row)
	}
	return out
}

func (r *Report) htmlKnown(m *markup) {
	known, blank := reported(r.View)
	if len(known)+len(blank) > 0 {
		m.section("Contacts")
		beside := besideUs(r.View)
		var rows [][]cell
		for _, s := range known {
			style := quietStyle
			if s.Closer {
				style = ""
			}
			at := cell{s.Hex.String(), "font-weight:bold;"}
			rows = append(rows, []cell{at, {sighting(s), ""}, {seen(s, beside), style}})
		}
		if len(rows) > 0 {
			m.table(nil, rows)
		}
		if len(blank) > 0 {
			var hs []string
			for _, h := range blank {
				hs = append(hs, h.String())
			}
			m.tag("p", "margin:4px 0;font-size:13px;"+quietStyle, "Unknown stacks at "+strings.Join(hs, " "))
		}
	}
	if groups := coming(r.View); len(groups) > 0 {
		m.section("Coming")
		var rows [][]cell
		for _, g := range groups {
			rows = append(rows, []cell{{g.name, "font-weight:bold;"}, {strings.Join(g.units, "; "), ""}})
		}
		m.table(nil, rows)
	}
}

func (r *Report) htmlSeals(m *markup) {
	m.WriteString("<details style=\"margin-top:18px;\"><summary style=\"" + quietStyle + "\">Proofs and hashes, for fieldpost verify</summary>\n")
	defer m.WriteString("</details>\n")
	if n := len(Proofs(r.View.Story)); n > 0 {
		m.section("Dice of this report")
		m.tag("p", "margin:4px 0;font-size:13px;", count(n, "event")+"; proofs in view.json, for fieldpost verify")
	}
	m.section("Seals")
	var rows [][]cell
	add := func(name, value string) {
		if value != "" {
			rows = append(rows, []cell{{name, "white-space:nowrap;"}, {value, monoStyle}})
		}
	}
	add("this view", spaced(r.ViewHash))
	add("state commitment", spaced(r.Commitment))
	for _, p := range r.Roster {
		add(proper(p.Side), p.Key)
	}
	m.table(nil, rows)
}

func (r *Report) htmlAnswer(m *markup) {
	if r.View.Verdict != "" {
		m.tag("p", "margin-top:18px;", "Thank you for playing.")
		return
	}
	m.section("How to answer")
	m.tag("p", "margin:4px 0;", r.howToAnswer())
	m.pre(r.sheet())
}
