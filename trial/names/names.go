// Package names tries whether orders take every name that is printed: of every unit of a
// scenario, in every style, at the set-up and when the staff has played for two turns.
package names

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/trial"
	"fieldpost/umpire/judge"
)

// Tally counts the names that were tried.
type Tally struct {
	Tried     int
	Taken     int // by the unit that was meant
	Lost      int // refused, for that very unit has left the game
	Ambiguous int // answered with a choice that has the unit, or short for another as well
	Faults    []string
}

func (t *Tally) add(u Tally) {
	t.Tried, t.Taken, t.Lost, t.Ambiguous = t.Tried+u.Tried, t.Taken+u.Taken, t.Lost+u.Lost, t.Ambiguous+u.Ambiguous
	t.Faults = append(t.Faults, u.Faults...)
}

// Run tries the names of all scenarios.
func Run(ctx context.Context, t *trial.Trial) error {
	fmt.Fprintln(t.Out, "| scenario | when | names | taken | of lost units | ambiguous | not taken |\n| --- | --- | --- | --- | --- | --- | --- |")
	bad := 0
	for _, id := range t.Scenarios {
		m, err := t.Match(id, t.Seed)
		if err != nil {
			return err
		}
		for _, turn := range []int{1, 3} {
			n, err := At(ctx, m.Game, m.Vocabulary, t.Seed, turn)
			if err != nil {
				return fmt.Errorf("%s: %w", id, err)
			}
			fmt.Fprintf(t.Out, "| %s | turn %d | %d | %d | %d | %d | %d |\n", id, turn, n.Tried, n.Taken, n.Lost, n.Ambiguous, len(n.Faults))
			for _, fault := range n.Faults {
				fmt.Fprintln(t.Out, fault)
			}
			bad += len(n.Faults)
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d names are not taken", bad)
	}
	return nil
}

// At tries the names of all sides when the first orders of a turn are written, the
// scenario's first being turn 1.
func At(ctx context.Context, game adjudicator.Game, words orders.Vocabulary, seed, turn int) (all Tally, err error) {
	m := trial.NewMatch(game, words, seed)
	opening, err := game.Opening()
	if err != nil {
		return all, err
	}
	first, err := game.At(opening)
	if err != nil {
		return all, err
	}
	turn += first.Turn - 1
	m.Turns = turn
	tried := map[adjudicator.Side]bool{}
	m.Each = func(before []byte, _ adjudicator.Outcome) error {
		at, err := game.At(before)
		if err != nil || at.Turn != turn {
			return err
		}
		for _, side := range game.Sides() {
			if tried[side] {
				continue
			}
			v, err := game.View(before, side)
			if err != nil {
				return err
			}
			a := asker{game: game, words: words, v: v}
			if tried[side] = a.reads(); tried[side] {
				all.add(a.units())
				all.add(a.formations())
				all.add(a.chits())
				all.add(a.places())
			}
		}
		for _, side := range game.Sides() {
			if !tried[side] {
				return nil
			}
		}
		return errDone
	}
	if _, err = m.Play(ctx); errors.Is(err, errDone) {
		err = nil
	}
	return all, err
}

// errDone ends a match in which all is tried.
var errDone = errors.New("all names are tried")

// asker has orders judged that name units.
type asker struct {
	game  adjudicator.Game
	words orders.Vocabulary
	v     *view.View
}

// perSheet is how many orders go on a sheet.
const perSheet = orders.MaxLines - 10

// head is what stands above the orders, and behind the names of each.
func (a asker) head() (head, verb string) {
	switch {
	case slices.Contains(a.words.Sections, "MOVE"):
		return "MOVE\n", ""
	case slices.Contains(a.words.Sections, "SOLO"):
		for _, u := range a.v.Units {
			if u.Range > 0 {
				return "CHIT " + u.Name + " MOVE THEN ATTACK\n", "MOVE "
			}
		}
	}
	for _, u := range a.v.Units {
		if u.Type == "HQ" {
			return "CHIT " + u.Formation + "\n", "MOVE "
		}
	}
	return "", ""
}

// judged are the refusals of orders for lists of units, in their order; nil for one
// that stands.
func (a asker) judged(lists []string) []*adjudicator.Line {
	to := hex.None
	if len(a.v.Units) > 0 {
		to = a.v.Units[0].Hex
	}
	var all []string
	for _, list := range lists {
		all = append(all, fmt.Sprintf("%s TO %v", list, to))
	}
	return a.refusals(all)
}

// judgedTo are the refusals of orders for a unit to go to places.
func (a asker) judgedTo(unit string, places []string) []*adjudicator.Line {
	var all []string
	for _, place := range places {
		all = append(all, unit+" TO "+place)
	}
	return a.refusals(all)
}

// refusals are those of moves, in their order; nil for one that stands.
func (a asker) refusals(moves []string) []*adjudicator.Line {
	head, verb := a.head()
	out := make([]*adjudicator.Line, len(moves))
	for from := 0; from < len(moves); from += perSheet {
		text := head
		for _, move := range moves[from:min(len(moves), from+perSheet)] {
			text += verb + move + "\n"
		}
		sheet, faults := orders.Parse(orders.Canonical(text), a.words)
		f := judge.Judged(a.game, a.v, sheet, faults)
		for i := range f.Lines {
			l := &f.Lines[i]
			if k := l.Pos.Line - 1 - strings.Count(head, "\n"); k >= 0 && l.Refused != nil {
				out[from+k] = l
			}
		}
	}
	return out
}

// nobody is a name that no unit has.
const nobody = "XQXQXQX"

// reads tells whether names are read in this position.
func (a asker) reads() bool {
	line := a.judged([]string{nobody})[0]
	return line != nil && strings.Contains(line.Refused.Why, "you have no unit "+nobody)
}

// formations tries the names of the side's formations: whoever they are, somebody is of
// them.
func (a asker) formations() (t Tally) {
	var all []string
	for _, u := range slices.Concat(a.v.Units, a.v.Arrivals) {
		for _, of := range u.Called(a.v.Side).Of {
			if !slices.Contains(all, of) {
				all = append(all, of)
			}
		}
	}
	for i, line := range a.judged(all) {
		t.count(a.v.Side+": "+all[i], line, "you have no unit ")
	}
	return t
}

// places tries the names of the map's places, with the number of their hex before or
// behind them.
func (a asker) places() (t Tally) {
	var all []string
	for _, p := range a.v.Board.Places {
		h := p.Hexes[0]
		all = append(all, fmt.Sprintf("%v (%s)", h, p.Name), fmt.Sprintf("%s (%v)", p.Name, h))
		if len(p.Hexes) == 1 {
			all = append(all, p.Name)
		}
	}
	for i, line := range a.judgedTo(a.v.Units[0].Name, all) {
		t.count(all[i], line, "neither a hex nor a place", "is no place", "is not on")
	}
	return t
}

// count notes an order that has a name in it as taken, unless it is refused in one of
// these words.
func (t *Tally) count(name string, line *adjudicator.Line, refused ...string) {
	t.Tried++
	for _, words := range refused {
		if line != nil && strings.Contains(line.Refused.Why, words) {
			t.Faults = append(t.Faults, name+": "+line.Refused.Why)
			return
		}
	}
	t.Taken++
}

// chits tries the names of headquarters, and of the chits that reports list, on the lines
// that open programmes.
func (a asker) chits() (t Tally) {
	if !slices.Contains(a.words.Sections, "CHIT") {
		return t
	}
	var all []string
	for _, u := range slices.Concat(a.v.Units, a.v.Arrivals) {
		if u.Type == "HQ" {
			all = append(all, printed(&u, a.v.Side)...)
		}
	}
	if a.v.Chits != nil {
		for _, g := range a.v.Chits.Groups {
			all = append(all, g.Own...)
		}
	}
	for _, text := range all {
		t.Tried++
		sheet, faults := orders.Parse(orders.Canonical("CHIT "+text+"\n"), a.words)
		why := ""
		for _, l := range judge.Judged(a.game, a.v, sheet, faults).Lines {
			if l.Refused != nil {
				why = l.Refused.Why
			}
		}
		if why != "" {
			t.Faults = append(t.Faults, fmt.Sprintf("%s: CHIT %q: %s", a.v.Side, text, why))
			continue
		}
		t.Taken++
	}
	return t
}

// name is a printed name.
type name struct {
	unit *view.Unit
	lost bool
	text string
	// abridged: names and beginnings that say more of another unit may be taken by that.
	abridged bool
}

// units tries all names of the side's units.
func (a asker) units() (t Tally) {
	var all []name
	add := func(list []view.Unit, lost bool) {
		for i := range list {
			u := &list[i]
			own := printed(u, a.v.Side)
			for _, text := range own {
				all = append(all, name{unit: u, lost: lost, text: text})
			}
			for _, style := range []phrase.Style{phrase.Untyped, phrase.Abridged} {
				if text := u.Called(a.v.Side).Form(style); text != "" && !slices.Contains(own, text) {
					all = append(all, name{u, lost, text, true})
				}
			}
		}
	}
	add(a.v.Units, false)
	add(a.v.Arrivals, false)
	add(a.v.Lost, true)
	var lists []string
	for _, n := range all {
		lists = append(lists, n.text+", "+n.unit.ID)
	}
	for i, line := range a.judged(lists) {
		t.Tried++
		n := all[i]
		why := ""
		if line != nil {
			why = line.Refused.Why
		}
		switch {
		case why == n.unit.Name+" is named twice":
			t.Taken++
		case strings.Contains(why, " could be ") && n.among(why):
			t.Ambiguous++
		case n.lost && strings.HasPrefix(why, n.unit.Name+" "):
			t.Lost++
		case n.abridged && !strings.Contains(why, "you have no unit "):
			t.Ambiguous++
		default:
			t.Faults = append(t.Faults, fmt.Sprintf("%s: %q is not %s (%s): %s", a.v.Side, n.text, n.unit.Name, n.unit.ID, why))
		}
	}
	return t
}

// among tells whether a choice has the unit, or so many that it names none.
func (n name) among(choice string) bool {
	return strings.Contains(choice, " units: ") || strings.Contains(choice, n.unit.Name) || strings.Contains(choice, n.unit.ID)
}

// printed are the forms of a unit that anything prints, and what players make of them.
func printed(u *view.Unit, side string) (out []string) {
	c := u.Called(side)
	add := func(text string) {
		if text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	for style := range phrase.Untyped {
		add(c.Form(style))
	}
	for _, style := range []phrase.Style{phrase.Named, phrase.Typed} {
		form := c.Form(style)
		if u.Hex != hex.None {
			add(fmt.Sprintf("%s (%v)", form, u.Hex))
			add(fmt.Sprintf("%s on %v", form, u.Hex))
		}
		add(strings.ToLower(form))
		add("the " + form)
		add(strings.ReplaceAll(form, ".", ""))
		add(strings.ReplaceAll(form, ".", ". "))
	}
	return out
}
