package report

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/view"
)

// brief are the items of a report as short as its game tells them, under the numbers that
// they have in full.
func (r *Report) brief(items []Item) []Item {
	var out []Item
	lists := map[string]int{}
	for _, it := range items {
		b := r.Brief(r.View, withoutLabels(it.Told))
		at, listed := lists[b.List]
		switch {
		case b.Head == "":
			it.Head = withoutLabel(it.Head)
			it.Detail = slices.Clone(it.Detail)
			for i, d := range it.Detail {
				it.Detail[i] = withoutLabel(d)
			}
		case b.List != "" && listed:
			out[at].Head += "; " + b.Head
			continue
		case b.List != "":
			lists[b.List] = len(out)
			it.Head, it.Detail = b.List+" "+b.Head, nil
		default:
			it.Head, it.Detail = b.Head, b.Detail
		}
		out = append(out, it)
	}
	return out
}

// withoutLabels are events whose words tell their dice without the labels, which the long
// form has.
func withoutLabels(told []view.Said) []view.Said {
	out := slices.Clone(told)
	for i := range out {
		out[i].Text = withoutLabel(strings.TrimSpace(out[i].Text))
	}
	return out
}

// withoutLabel is a text whose dice have no label: those that verify reads stand in the
// story in full.
func withoutLabel(text string) string {
	var b strings.Builder
	for {
		at := toldDice.FindStringIndex(text)
		if at == nil {
			break
		}
		n := closing(text[at[1]:])
		if n < 0 {
			break
		}
		b.WriteString(strings.TrimSuffix(text[:at[1]], " ("))
		text = text[at[1]+n+1:]
	}
	return b.String() + text
}

// textBrief is the report told short: what happened, and how things stand.
func (r *Report) textBrief(p *page, items []Item) {
	p.line("WHAT HAPPENED")
	if len(items) == 0 {
		p.line("  " + r.nothingSeen())
	}
	for _, it := range r.brief(items) {
		p.hang(fmt.Sprintf("%3d. ", it.Number), it.Head)
		for _, d := range it.Detail {
			p.hang("       ", strings.TrimSpace(d))
		}
	}
	p.line("")
	r.textRemarks(p, items)
	r.textBriefArmy(p)
	r.textBriefKnown(p)
	r.textBriefComing(p)
}

// textBriefArmy names the units that something is wrong with or that touch the enemy.
func (r *Report) textBriefArmy(p *page) {
	v := r.View
	bad, touching, _ := army(v)
	title := "YOUR ARMY   " + count(len(v.Units), "unit") + " on the map"
	if len(v.Lost) > 0 {
		title += fmt.Sprintf(", %d lost", len(v.Lost))
	}
	p.line(title + "; unit, hex, strength; the others below the line")
	var states phrase.Groups
	for _, t := range bad {
		states.Add(strings.Join(plight(t.u), ", "), fmt.Sprintf("%s %s %s", t.u.Name, standsAt(t.u), strengthNow(t.u)))
	}
	for state, us := range states.All() {
		p.item(state + ": " + strings.Join(us, ", "))
	}
	var hexes phrase.Groups
	for _, t := range touching {
		hexes.Add(t.u.Hex.String(), t.u.Name)
	}
	if all := byHex(&hexes); all != "" {
		p.item("in contact: " + all)
	}
	p.line("")
}

// item writes a text whose further lines are indented a little.
func (p *page) item(text string) {
	lead := "  "
	for _, l := range wrap(text, columns-4) {
		p.line(lead + l)
		lead = "    "
	}
}

// briefPlaces says who holds the named objectives: the greatest holder has all that is not
// named.
func briefPlaces(v *view.View) string {
	groups := places(v)
	if len(groups) == 0 {
		return ""
	}
	most := 0
	for i, g := range groups {
		if len(g.units) > len(groups[most].units) {
			most = i
		}
	}
	var out []string
	for i, g := range groups {
		if i != most {
			out = append(out, proper(g.name)+" "+strings.Join(g.units, ", "))
		}
	}
	if len(out) == 0 {
		return "all " + proper(groups[most].name)
	}
	return strings.Join(out, "; ") + "; all others " + proper(groups[most].name)
}

// strengthNow is what a unit's strength is now, without what it is in full.
func strengthNow(u *view.Unit) string {
	w := *u
	w.Full = ""
	return strength(&w)
}

// byHex lists what stands where: "2036 A, B; 2137 C".
func byHex(hexes *phrase.Groups) string {
	var out []string
	for h, names := range hexes.All() {
		out = append(out, h+" "+phrase.Together(names))
	}
	return strings.Join(out, "; ")
}

// textBriefKnown names the enemy's units that are known, by how fresh the news is.
func (r *Report) textBriefKnown(p *page) {
	known, blank := reported(r.View)
	if len(known)+len(blank) == 0 {
		return
	}
	p.line("CONTACTS   strengths below the line")
	beside := besideUs(r.View)
	var ages phrase.Groups
	for _, s := range known {
		text := s.Hex.String() + " " + phrase.Together(briefSights(s.Units))
		if s.Fort != "" {
			text += " in " + s.Fort
		}
		ages.Add(seen(s, beside), text)
	}
	for age, all := range ages.All() {
		p.item(age + ": " + strings.Join(all, "; "))
	}
	if len(blank) > 0 {
		p.item("stacks: " + hexList(blank))
	}
	p.line("")
}

// briefSights are units by name, else by kind; with a mark where less is left than the full.
func briefSights(us []view.Sight) []string {
	if slices.ContainsFunc(us, func(u view.Sight) bool { return u.Name == "" }) {
		return sightGroups(us)
	}
	var out []string
	for _, u := range us {
		text := u.Name
		if u.Full != "" {
			text += " (" + u.Values + " of " + u.Full + ")"
		}
		out = append(out, text)
	}
	return out
}

func hexList(hs []hex.Hex) string {
	var out []string
	for _, h := range hs {
		out = append(out, h.String())
	}
	return strings.Join(out, " ")
}

// soon is how many dates of arrivals are told with the names.
const soon = 2

// textBriefComing names who comes now and next; in the first report all.
func (r *Report) textBriefComing(p *page) {
	groups := coming(r.View)
	if len(groups) == 0 {
		return
	}
	p.line("COMING")
	later := 0
	for i, g := range groups {
		if i >= soon && r.Number > 1 {
			later += len(g.units)
			continue
		}
		p.item(g.name + ": " + strings.Join(g.units, "; "))
	}
	if later > 0 {
		p.line(fmt.Sprintf("  later: %s, below the line", count(later, "unit")))
	}
	p.line("")
}
