package report

import (
	"fmt"
	"strconv"
	"strings"

	"fieldpost/adjudicator/view"
)

// Moment is how a game stood at the end of a turn.
type Moment struct {
	Turn  int
	Date  string
	Score []view.Score
	// Steps are the steps on the map of each side, and Lost its units lost so far,
	// both in the order of Score.
	Steps, Lost []int
	// Taken are the places that changed hands in the turn, in words.
	Taken []string
}

// Taken says which objectives have another owner than before: "Izjum to the Germans".
func Taken(before, now []view.Objective) []string {
	var out []string
	for i, o := range now {
		if i >= len(before) || before[i].Owner == o.Owner {
			continue
		}
		who := proper(o.Owner)
		if o.Owner == "" {
			who = "nobody"
		}
		out = append(out, fmt.Sprintf("%s %v to %s", o.Name, o.Hex, who))
	}
	return out
}

// after are the rows of the after-action table: a turn each.
func (r *Report) after() (head []string, rows [][]string) {
	if len(r.History) == 0 {
		return nil, nil
	}
	head = []string{"date", "points", "steps", "units lost", "places that changed hands"}
	for _, m := range r.History {
		var points []string
		for _, s := range m.Score {
			points = append(points, strconv.Itoa(s.Points))
		}
		rows = append(rows, []string{m.Date, strings.Join(points, " : "), numbersBy(m.Steps), numbersBy(m.Lost), strings.Join(m.Taken, ", ")})
	}
	return head, rows
}

// summary says in a few sentences how the game went.
func (r *Report) summary() []string {
	if len(r.History) == 0 {
		return nil
	}
	first, last := r.History[0], r.History[len(r.History)-1]
	var out []string
	for i, s := range last.Score {
		out = append(out, fmt.Sprintf("%s: %s, from %d; %s lost; %s on the map, %d when it began.",
			proper(s.Side), count(s.Points, "point"), first.Score[i].Points, count(last.Lost[i], "unit"), count(last.Steps[i], "step"), first.Steps[i]))
	}
	worst, at, side := 0, "", ""
	for i := 1; i < len(r.History); i++ {
		for k := range last.Score {
			if n := r.History[i].Lost[k] - r.History[i-1].Lost[k]; n > worst {
				worst, at, side = n, r.History[i].Date, proper(last.Score[k].Side)
			}
		}
	}
	if worst > 0 {
		out = append(out, fmt.Sprintf("The bloodiest turn: %s, when the %s side lost %s.", at, side, count(worst, "unit")))
	}
	return out
}

func numbersBy(ns []int) string {
	out := make([]string, len(ns))
	for i, n := range ns {
		out[i] = strconv.Itoa(n)
	}
	return strings.Join(out, " : ")
}

// sidesOf names the columns of the table: "Soviet : German".
func (r *Report) sidesOf() string {
	var out []string
	for _, s := range r.History[0].Score {
		out = append(out, proper(s.Side))
	}
	return strings.Join(out, " : ")
}

func (r *Report) textAfter(p *page) {
	head, rows := r.after()
	if head == nil {
		return
	}
	p.line("AFTER-ACTION SUMMARY   " + r.sidesOf())
	for _, s := range r.summary() {
		p.hang("  ", s)
	}
	p.line("")
	p.table("  ", head, rows)
	p.line("")
}

func (r *Report) htmlAfter(m *markup) {
	head, rows := r.after()
	if head == nil {
		return
	}
	m.section("After-action summary: " + r.sidesOf())
	for _, s := range r.summary() {
		m.tag("p", "margin:2px 0;", s)
	}
	var cs [][]cell
	for _, row := range rows {
		cs = append(cs, cells(row...))
	}
	m.table(head, cs)
}
