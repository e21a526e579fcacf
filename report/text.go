package report

import (
	"fmt"
	"strconv"
	"strings"
)

// Text is the report as plain text. It is complete also where the error tells of
// faults in the wording.
func (r *Report) Text() (string, error) {
	items, err := r.Items()
	p := &page{}
	r.textHead(p)
	r.textQuestions(p)
	r.textAnswered(p)
	r.textAfter(p)
	r.textStaff(p)
	if r.Brief != nil {
		r.textBrief(p, items)
	} else {
		r.textStory(p, items)
		r.textStanding(p)
	}
	r.textAnswer(p)
	if r.View.Verdict == "" {
		p.line("")
	}
	for _, line := range r.Footer {
		p.line(line)
	}
	if len(r.Footer) > 0 {
		p.line("")
	}
	if r.Brief == nil {
		p.line(fold)
		p.line("")
	} else {
		p.line(foldInFull)
		p.line("")
		r.textAnsweredInFull(p)
		p.line("THE STORY IN FULL")
		textItems(p, items)
		p.line("")
		r.textStanding(p)
		r.textPlaces(p)
	}
	r.textDice(p)
	r.textSeals(p)
	return p.String(), err
}

// fold parts what a player reads from what only a check reads.
const fold = "---------------- below: proofs and hashes, for fieldpost verify ----------------"

// foldInFull is the same of a report that is told short.
const foldInFull = "---- below: all of it in full, then proofs and hashes for fieldpost verify ----"

// LinesToRead is how many lines of a report's text a player reads, those above its proofs.
func LinesToRead(text string) int {
	for i, line := range strings.Split(text, "\n") {
		switch strings.TrimSpace(line) {
		case fold, foldInFull:
			return i
		}
	}
	return strings.Count(text, "\n")
}

// headline names game, turn, date and reader.
func (r *Report) headline() string {
	v := r.View
	s := fmt.Sprintf("%s   turn %d of %d", strings.ToUpper(v.Title), v.Turn, v.Turns)
	if v.Date != "" {
		s += ", " + v.Date
	}
	return s + fmt.Sprintf("   you: %s   report %d", strings.ToUpper(v.Side), r.Number)
}

func (r *Report) textHead(p *page) {
	v := r.View
	p.line(r.headline())
	p.line("")
	for _, s := range r.Back.lines() {
		p.hang(pad(strings.ToUpper(s[0]), 15), s[1])
	}
	switch {
	case v.Verdict != "":
		p.hang("THE GAME IS OVER   ", v.Verdict)
	case r.Due != "":
		p.hang("YOUR TURN      ", r.Due)
		p.hang("BY             ", r.deadline())
		for _, s := range r.firstSteps() {
			p.hang(pad(strings.ToUpper(s[0]), 15), s[1])
		}
	default:
		p.hang("NOTHING TO DO NOW   ", v.Phase)
	}
	if s := scores(v); s != "" {
		p.hang("SCORE          ", s)
	}
	if s := assets(v); s != "" {
		p.hang("TO SPEND       ", s)
	}
	for _, s := range crowds(v) {
		p.hang("OVERFULL       ", s)
	}
	if s := facts(v); s != "" {
		p.hang("CONDITIONS     ", s)
	}
	if s := briefPlaces(v); s != "" && r.Brief != nil && r.Number > 1 {
		p.hang("PLACES         ", s)
	} else {
		r.textPlaces(p)
	}
	for i, s := range r.chits() {
		p.hang([]string{"CHITS          ", "               "}[min(i, 1)], s)
	}
	if s := airStrength(v); s != "" {
		p.hang("AIR STRENGTH   ", s)
	}
	p.line("")
}

// textPlaces says who holds each of the named objectives.
func (r *Report) textPlaces(p *page) {
	for _, g := range places(r.View) {
		p.hang("  held by "+pad(proper(g.name), 7), strings.Join(g.units, ", "))
	}
}

func (r *Report) textStory(p *page, items []Item) {
	p.line("WHAT HAPPENED")
	if len(items) == 0 {
		p.line("  " + r.nothingSeen())
	}
	textItems(p, items)
	p.line("")
	r.textRemarks(p, items)
}

// textItems are the items in full, by phases.
func textItems(p *page, items []Item) {
	for _, c := range chapters(items) {
		if c.phase != "" {
			p.line(" " + c.phase)
		}
		for _, it := range c.items {
			p.hang(fmt.Sprintf("%3d. ", it.Number), it.Head)
			for _, d := range it.Detail {
				p.kept("       ", d)
			}
		}
	}
}

// textStanding is how things stand, unit by unit.
func (r *Report) textStanding(p *page) {
	r.textArmy(p)
	r.textKnown(p)
	r.textSketches(p)
}

// textRemarks is what was done in the reader's name, and what there is to say of the run.
func (r *Report) textRemarks(p *page, items []Item) {
	if lines := acted(items); len(lines) > 0 {
		p.line("IN YOUR NAME")
		for _, l := range lines {
			p.hang("  - ", l)
		}
		p.line("")
	}
	if len(r.Notes) > 0 {
		p.line("REMARKS")
		for _, n := range r.Notes {
			p.hang("  - ", n)
		}
		p.line("")
	}
}

// armyHead are the columns of the table of units.
var armyHead = []string{"unit", "hex", "strength", "moves", "steps", "supply", "state"}

func armyRows(ts []trouble) [][]string {
	var rows [][]string
	for _, t := range ts {
		u := t.u
		rows = append(rows, []string{label(u), standsAt(u), strength(u), strconv.Itoa(u.Moves),
			fmt.Sprintf("%d/%d", u.Steps, u.MaxSteps), supply(u), strings.Join(t.state, ", ")})
	}
	return rows
}

func (r *Report) textArmy(p *page) {
	v := r.View
	bad, touching, rest := army(v)
	title := "YOUR ARMY   " + count(len(v.Units), "unit") + " on the map"
	if len(v.Lost) > 0 {
		title += fmt.Sprintf(", %d lost", len(v.Lost))
	}
	p.line(title)
	if len(bad) > 0 {
		p.line(" In trouble")
		p.table("  ", armyHead, armyRows(bad))
	}
	if len(touching) > 0 {
		p.line(" In contact with the enemy")
		p.table("  ", armyHead[:6], cut(armyRows(touching), 6))
	}
	if len(rest) > 0 {
		p.line(" The rest (unit, hex, strength-moves)")
		var rows [][]string
		for _, g := range formations(rest) {
			rows = append(rows, []string{g.name, strings.Join(g.units, "; ")})
		}
		p.table("  ", []string{"", ""}, rows)
	}
	if all := standing(v); all != "" {
		p.hang(" By hex  ", all)
	}
	if len(v.Lost) > 0 {
		var names []string
		for i := range v.Lost {
			names = append(names, label(&v.Lost[i]))
		}
		p.hang(" Lost  ", strings.Join(names, ", "))
	}
	if allies := alliesOf(v); len(allies) > 0 {
		p.line(" Allies, who have a player of their own (unit, hex, strength-moves)")
		var rows [][]string
		for _, g := range formations(allies) {
			rows = append(rows, []string{g.name, strings.Join(g.units, "; ")})
		}
		p.table("  ", []string{"", ""}, rows)
	}
	p.line("")
}

// cut keeps the first n columns of rows.
func cut(rows [][]string, n int) [][]string {
	for i := range rows {
		rows[i] = rows[i][:n]
	}
	return rows
}

func (r *Report) textKnown(p *page) {
	known, blank := reported(r.View)
	if len(known)+len(blank) > 0 {
		p.line("CONTACTS   what your outposts report")
		beside := besideUs(r.View)
		var rows [][]string
		for _, s := range known {
			rows = append(rows, []string{s.Hex.String(), seen(s, beside), sighting(s)})
		}
		p.table("  ", []string{"", "", ""}, rows)
		if len(blank) > 0 {
			var hs []string
			for _, h := range blank {
				hs = append(hs, h.String())
			}
			p.hang("  unknown stacks at  ", strings.Join(hs, " "))
		}
		p.line("")
	}
	if groups := coming(r.View); len(groups) > 0 {
		p.line("COMING")
		var rows [][]string
		for _, g := range groups {
			rows = append(rows, []string{g.name, strings.Join(g.units, "; ")})
		}
		p.table("  ", []string{"", ""}, rows)
		p.line("")
	}
}

// textDice says what the dice of the report are checked with, and where their proofs are.
func (r *Report) textDice(p *page) {
	story := r.View.Story
	if story == nil {
		return
	}
	p.line(fmt.Sprintf("%s   %s; proofs in view.json, for fieldpost verify", diceTitle, count(len(Proofs(story)), "event")))
	p.line("  game " + r.View.Game)
	if kind, digits, ok := strings.Cut(story.Key, ":"); ok {
		p.line("  key " + kind + ":")
		p.line("    " + digits)
	} else {
		p.line("  key " + story.Key)
	}
	p.line("  root " + story.Root)
	p.line("")
}

// textSeals lists what binds the report: hashes, keys and the other parts.
func (r *Report) textSeals(p *page) {
	p.line("SEALS")
	if r.ViewHash != "" {
		p.hang("  this view         ", spaced(r.ViewHash))
	}
	if r.Commitment != "" {
		p.hang("  state commitment  ", spaced(r.Commitment))
	}
	for _, pl := range r.Roster {
		p.line("  " + pad(proper(pl.Side), 18) + pl.Key)
	}
	r.textAnsweredSeals(p)
	p.line("")
	if len(r.Files) > 0 {
		p.line("FILES   SHA-256 of every other part of this mail")
		for _, f := range r.Files {
			p.line("  " + f.SHA256 + "  " + f.Name)
		}
		p.line("")
	}
}

func (r *Report) textAnswer(p *page) {
	if r.View.Verdict != "" {
		p.line("The game is over. Thank you for playing.")
		return
	}
	p.line("HOW TO ANSWER")
	p.hang("  ", r.howToAnswer())
	p.line("")
	sheet := r.sheet()
	if r.Brief != nil { // the sheet with room to write in is attached
		sheet = strings.ReplaceAll(sheet, "\n\n\n", "\n\n")
	}
	p.WriteString(sheet)
}
