package report

import (
	"fmt"
	"strconv"
	"strings"
)

// StaffPlans are what a staff officer thought of a side's turns, for the report that ends the game.
type StaffPlans struct {
	Side  string
	Turns []StaffPlan // in order
}

// StaffPlan is the plan of a turn and those that were weighed with it, the best first.
type StaffPlan struct {
	Turn   int
	Plan   Weighed
	Others []Weighed
}

// Weighed is a plan, and what it was expected to bring in hundredths of a victory point.
type Weighed struct {
	Name  string
	Worth int
}

func (w Weighed) String() string {
	return fmt.Sprintf("%s %s", w.Name, expected(w.Worth))
}

// expected writes hundredths of a point as "+1.2".
func expected(hundredths int) string { return fmt.Sprintf("%+.1f", float64(hundredths)/100) }

// staffHead is the heading of a side's plans.
func staffHead(of StaffPlans) string {
	return "What the staff of the " + proper(of.Side) + " side thought"
}

// staffWords explain the table.
const staffWords = "The figure beside a plan is how many victory points better off the staff expected the side to be with it a turn or two later, in" +
	" rehearsals against likely replies. A plan's name says how it differs from the orders that come to mind first, which are a cadet's."

// staffRows are a side's plans, a turn each.
func (r *Report) staffRows(of StaffPlans) (head []string, rows [][]string) {
	for _, p := range of.Turns {
		var others []string
		for _, w := range p.Others {
			others = append(others, r.withPlaces(w.String()))
		}
		rows = append(rows, []string{strconv.Itoa(p.Turn), r.withPlaces(p.Plan.Name), expected(p.Plan.Worth), strings.Join(others, ", ")})
	}
	return []string{"turn", "plan", "expected", "weighed as well"}, rows
}

// withPlaces has the names of places before their hexes.
func (r *Report) withPlaces(text string) string {
	for _, o := range r.View.Objectives {
		at := " at " + o.Hex.String()
		if o.Name != "" {
			text = strings.ReplaceAll(text, at, " at "+o.Name+" "+o.Hex.String())
		}
	}
	return text
}

func (r *Report) textStaff(p *page) {
	for _, of := range r.Staff {
		p.line(strings.ToUpper(staffHead(of)))
		p.hang("  ", staffWords)
		p.line("")
		head, rows := r.staffRows(of)
		p.table("  ", head, rows)
		p.line("")
	}
}

func (r *Report) htmlStaff(m *markup) {
	for _, of := range r.Staff {
		m.section(staffHead(of))
		m.tag("p", "margin:2px 0;", staffWords)
		head, rows := r.staffRows(of)
		var cs [][]cell
		for _, row := range rows {
			cs = append(cs, cells(row...))
		}
		m.table(head, cs)
	}
}
