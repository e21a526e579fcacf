package report

import (
	"fmt"
	"slices"
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
	" rehearsals against likely replies."

// planMeanings say what a plan of a name does, wherever its main effort is.
var planMeanings = map[string]string{
	"as the cadet":        "the orders that come to mind first",
	"hold":                "no attacks but those that are a duty",
	"careful":             "attacks for larger gains only, own losses count more",
	"bold":                "attacks for smaller gains, too, own losses count less",
	"eager":               "attacks for smaller gains, too, own losses count less, fire as much as usual",
	"sparing":             "own losses count more",
	"unsparing":           "own losses and fire count less",
	"delay":               "out of the enemy's reach, and no ground is held at any price",
	"attack and stay":     "all stay who do not attack",
	"strike and give way": "attacks for large gains, all others out of the enemy's reach",
	"supple":              "no ground is held at any price",
	"stubborn":            "all ground is held at any price",
	"turned":              "roles are turned: the side that has to take places waits, the other one attacks",
	"turned, careful":     "roles are turned: the side that has to take places waits, the other one attacks, for larger gains only",
	"turned, bold":        "roles are turned: the side that has to take places waits, the other one attacks, for smaller gains, too",
	"main effort":         "strength is drawn to one place",
	"careful main effort": "strength is drawn to one place, attacks for larger gains only",
}

// PlanMeaning is a plan's name without a place, and what it says of the plan; "" for a name that says nothing.
func PlanMeaning(plan string) (name, means string) {
	name, _, _ = strings.Cut(plan, " at ")
	return name, planMeanings[name]
}

// meanings explain the names of a side's plans, in the order in which they come up.
func (of StaffPlans) meanings() (lines []string) {
	for _, t := range of.Turns {
		for _, w := range append([]Weighed{t.Plan}, t.Others...) {
			name, means := PlanMeaning(w.Name)
			line := strconv.Quote(name) + ": " + means + "."
			if means != "" && !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

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
		for _, line := range of.meanings() {
			p.hang("  ", line)
		}
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
		for _, line := range of.meanings() {
			m.tag("p", "margin:2px 0;", line)
		}
	}
}
