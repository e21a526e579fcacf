// Package combats fights every combat of a game a second time, from the words of the reports
// that players are mailed and from nothing else: strengths, odds, shifts, modifiers, dice. It
// has the books' tables by themselves and shares no rule with the engine, only the map. Where
// a report and the table disagree one of them is wrong; where its words are not enough the
// report is.
package combats

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/table"
	"fieldpost/adjudicator/view"
	"fieldpost/report"
	"fieldpost/trial"
)

// Fault is a combat that does not come to what its report says.
type Fault struct {
	Turn       int
	Side, Line string // whose mail, and its line
	Says, Book string // what stands in it, and what the table has
}

// String is the fault in a line.
func (f Fault) String() string {
	return fmt.Sprintf("turn %d, mail of %s: %q: it says %s, by the book it is %s", f.Turn, f.Side, f.Line, f.Says, f.Book)
}

// Mail is what a side is told of a phase, and what its last report told it before.
type Mail struct {
	side  string
	turn  int
	known *view.View
	Items []report.Item
}

// Judge reads the mails of one side, phase by phase.
type Judge interface {
	// Read fights the combats of a mail again. It counts them.
	Read(m Mail) (combats int, faults []Fault)
}

// Tally is what has been judged.
type Tally struct {
	Games, Combats, Mails, Faults int
	Of                            map[string]int // combats by scenario
}

// Run plays games of the staff one after the other and judges all combats in the mails of
// both sides.
func Run(ctx context.Context, t *trial.Trial, open trial.Open) error {
	began := time.Now()
	sum := Tally{Of: map[string]int{}}
	for n := range t.Games {
		number := t.Seed + n
		id := t.Scenario(number)
		err := sum.play(ctx, t, number, open, func(f Fault) { fmt.Fprintf(t.Out, "%s --seed %d: %v\n", id, number, f) })
		if err != nil {
			return fmt.Errorf("%s --seed %d: %w", id, number, err)
		}
	}
	for _, id := range t.Scenarios {
		fmt.Fprintf(t.Out, "  %-16s %8d\n", id, sum.Of[id])
	}
	fmt.Fprintf(t.Out, "%d combats of %d games judged in the mails of both sides, %d tellings, seeds %d to %d: %d disagreements (%v)\n",
		sum.Combats, sum.Games, sum.Mails, t.Seed, t.Seed+t.Games-1, sum.Faults, time.Since(began).Round(time.Second))
	if sum.Faults > 0 {
		return fmt.Errorf("%d combats come to something else by the book", sum.Faults)
	}
	return nil
}

// play plays a game and judges its mails.
func (sum *Tally) play(ctx context.Context, t *trial.Trial, number int, open trial.Open, tell func(Fault)) error {
	id := t.Scenario(number)
	m, err := t.Variant(id, number)
	if err != nil {
		return err
	}
	m.Turns = t.Turns
	judges := map[adjudicator.Side]Judge{}
	for _, side := range m.Game.Sides() {
		system, src, err := open(id)
		if err != nil {
			return err
		}
		if judges[side], err = NewJudge(system, src); err != nil {
			return err
		}
	}
	m.Each = func(before []byte, out adjudicator.Outcome) error {
		fought := slices.IndexFunc(out.Events, func(e view.Event) bool { return e.Kind == CombatKind }) >= 0
		most := 0
		for side, j := range judges {
			read, err := Letter(m.Game, before, side, out.Events)
			if err != nil {
				return err
			}
			n, faults := j.Read(read)
			sum.Mails, sum.Faults, most = sum.Mails+n, sum.Faults+len(faults), max(most, n)
			for _, f := range faults {
				tell(f)
			}
		}
		if fought && most == 0 {
			return fmt.Errorf("a combat is told in no mail")
		}
		sum.Combats += most
		sum.Of[id] += most
		return nil
	}
	_, err = m.Play(ctx)
	sum.Games++
	return err
}

// CombatKind is the kind of the events that tell of a combat, in all systems.
const CombatKind = "combat"

// Letter is what a side is mailed of a phase.
func Letter(g adjudicator.Game, before []byte, side adjudicator.Side, events []view.Event) (Mail, error) {
	at, err := g.At(before)
	if err != nil {
		return Mail{}, err
	}
	known, err := g.View(before, side)
	if err != nil {
		return Mail{}, err
	}
	known.Story = view.StoryOf(string(side), at.Label, events)
	r := report.Report{View: known, Wording: g.Wording()}
	items, err := r.Items()
	return Mail{side: string(side), turn: at.Turn, known: known, Items: items}, err
}

// NewJudge is the judge of a system.
func NewJudge(system string, src table.Source) (Judge, error) {
	switch system {
	case "steppe":
		return newSteppe(src)
	case "wb95":
		return newWB95(src)
	case "famous":
		return newFamous(src)
	}
	return nil, fmt.Errorf("nobody judges the combats of %s", system)
}

// results reads a Combat Results Table as the book prints it: rows by the throw, columns by
// the odds.
func results(src table.Source) (columns []string, cells map[int]map[string]string, err error) {
	path, text, err := src.Read("combat.tsv")
	if err != nil {
		return nil, nil, err
	}
	cells = map[int]map[string]string{}
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		switch {
		case strings.HasPrefix(line, "#"):
		case f[0] == "roll":
			columns = slices.DeleteFunc(f[1:], func(c string) bool { return c == "source" })
		default:
			roll, err := strconv.Atoi(f[0])
			if err != nil || len(f) < len(columns)+1 {
				return nil, nil, fmt.Errorf("%s: %q is not a row", path, line)
			}
			cells[roll] = map[string]string{}
			for i, c := range columns {
				cells[roll][c] = f[i+1]
			}
		}
	}
	return columns, cells, nil
}

// worth is a unit in a list with what it is worth there.
type worth struct {
	name  string
	value int
}

// forces reads "LAH 12, 11 SS 3".
func forces(text string) (out []worth, sum int, ok bool) {
	for part := range strings.SplitSeq(text, ", ") {
		i := strings.LastIndex(part, " ")
		if i < 0 {
			return nil, 0, false
		}
		n, err := strconv.Atoi(part[i+1:])
		if err != nil {
			return nil, 0, false
		}
		out, sum = append(out, worth{part[:i], n}), sum+n
	}
	return out, sum, true
}

// lines are an item, its head first.
func lines(it report.Item) []string { return append([]string{it.Head}, it.Detail...) }

// dice reads "3 4".
func dice(text string) (sum int) {
	for w := range strings.FieldsSeq(text) {
		n, _ := strconv.Atoi(w)
		sum += n
	}
	return sum
}

// number reads digits and their sign, by a pattern.
func number(text string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(text, "+"))
	return n
}
