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
	r.htmlMap(m)
	r.htmlStory(m, items)
	r.htmlArmy(m)
	r.htmlKnown(m)
	r.htmlSeals(m)
	r.htmlAnswer(m)
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
	switch {
	case v.Verdict != "":
		fmt.Fprintf(m, "<b>The game is over.</b> %s", esc(v.Verdict))
	case r.Due != "":
		fmt.Fprintf(m, "<b>Due from you:</b> %s", esc(r.Due))
		if r.By != "" {
			fmt.Fprintf(m, "<br><b>By:</b> %s", esc(r.By))
		}
	default:
		fmt.Fprintf(m, "<b>Nothing is due from you now.</b> Next: %s", esc(v.Phase))
	}
	m.WriteString("</div>\n")
	if s := scores(v); s != "" {
		fmt.Fprintf(m, "<p style=\"margin:4px 0;\"><b>Score:</b> %s</p>\n", esc(s))
	}
	if s := assets(v); s != "" {
		fmt.Fprintf(m, "<p style=\"margin:4px 0;\"><b>To spend:</b> %s</p>\n", esc(s))
	}
	for _, g := range places(v) {
		fmt.Fprintf(m, "<p style=\"margin:2px 0;font-size:13px;\"><span style=\"%s\">Held by %s:</span> %s</p>\n", quietStyle, esc(proper(g.name)), esc(strings.Join(g.units, ", ")))
	}
	if s := airStrength(v); s != "" {
		fmt.Fprintf(m, "<p style=\"margin:4px 0;\"><b>Air strength:</b> %s</p>\n", esc(s))
	}
}

func (r *Report) htmlMap(m *markup) {
	pics := r.More
	if r.Map != "" {
		pics = append([]Picture{{CID: r.Map, Title: "The map as your side knows it"}}, pics...)
	}
	for _, p := range pics {
		m.picture(p.CID, p.Title)
	}
}

func (r *Report) htmlStory(m *markup, items []Item) {
	m.section("What happened")
	if len(items) == 0 {
		m.tag("p", "", "Nothing that you could see.")
	}
	for _, c := range chapters(items) {
		if c.phase != "" {
			m.tag("p", phaseStyle, c.phase)
		}
		m.WriteString("<table role=\"presentation\" cellpadding=\"0\" cellspacing=\"0\" style=\"border-collapse:collapse;\">\n")
		for _, it := range c.items {
			fmt.Fprintf(m, "<tr><td align=\"right\" style=\"padding:2px 10px 2px 0;vertical-align:top;%s\">%d</td><td style=\"padding:2px 0;\">%s", quietStyle, it.Number, esc(it.Head))
			for _, d := range it.Detail {
				fmt.Fprintf(m, "<br><span style=\"font-size:13px;%s\">&nbsp;&nbsp;%s</span>", quietStyle, esc(d))
			}
			m.WriteString("</td></tr>\n")
		}
		m.WriteString("</table>\n")
	}
	if len(r.Notes) > 0 {
		m.section("Remarks")
		for _, n := range r.Notes {
			m.tag("p", "margin:2px 0;", n)
		}
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
		m.table(armyHead, styled(armyRows(bad)))
	}
	if len(touching) > 0 {
		m.tag("p", phaseStyle, "In contact with the enemy")
		m.table(armyHead[:6], styled(cut(armyRows(touching), 6)))
	}
	if len(rest) > 0 {
		m.tag("p", phaseStyle, "The rest (unit, hex, strength-moves)")
		var rows [][]cell
		for _, g := range formations(rest) {
			rows = append(rows, []cell{{g.name, "white-space:nowrap;font-weight:bold;"}, {strings.Join(g.units, "; "), ""}})
		}
		m.table(nil, rows)
	}
	if len(r.View.Lost) > 0 {
		var names []string
		for i := range r.View.Lost {
			names = append(names, label(&r.View.Lost[i]))
		}
		m.tag("p", phaseStyle, "Lost")
		m.tag("p", "margin:2px 0;", strings.Join(names, ", "))
	}
}

// styled marks what is wrong in the rows of the army's table.
func styled(rows [][]string) [][]cell {
	var out [][]cell
	for _, r := range rows {
		cs := cells(r...)
		cs[0].style = "font-weight:bold;white-space:nowrap;"
		for i := range cs {
			if i == 5 && cs[i].text != "in" || i == 6 {
				cs[i].style = badStyle
			}
		}
		if n := r[4]; len(n) > 2 && n[:len(n)/2] != n[len(n)/2+1:] {
			cs[4].style = badStyle
		}
		out = append(out, cs)
	}
	return out
}

func (r *Report) htmlKnown(m *markup) {
	known, blank := reported(r.View)
	if len(known)+len(blank) > 0 {
		m.section("Contacts")
		var rows [][]cell
		for _, s := range known {
			style := quietStyle
			if s.Closer {
				style = ""
			}
			rows = append(rows, []cell{{s.Hex.String(), "font-weight:bold;"}, {sighting(s), ""}, {seen(s.Seen, s.Closer), style}})
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
			rows = append(rows, []cell{{g.name, "white-space:nowrap;font-weight:bold;"}, {strings.Join(g.units, "; "), ""}})
		}
		m.table(nil, rows)
	}
}

func (r *Report) htmlSeals(m *markup) {
	if len(r.Dice) > 0 {
		m.section("Dice of this report")
		var rows [][]cell
		for _, d := range r.Dice {
			rows = append(rows, []cell{{d.Label, ""}, {numbers(d.Dice), "font-weight:bold;"}, {d.Phase, quietStyle}})
		}
		m.table(nil, rows)
		m.tag("p", "margin:4px 0;font-size:13px;"+quietStyle, "The proofs are in the text part; check with: fieldpost verify this-mail.eml")
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
	m.tag("p", "margin:4px 0;", "Fill in the sheet, sign it with fieldpost sign and reply to this mail. A later sheet with a higher SERIAL replaces it.")
	m.pre(r.sheet())
}
