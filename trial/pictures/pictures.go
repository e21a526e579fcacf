// Package pictures looks at the pictures that reports bring, of all scenarios and sides: what
// a player is mailed must be a map to play from.
package pictures

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/report"
	"fieldpost/trial"
	"fieldpost/umpire/scene"
)

// LeastScale is the least width of a hex, in pixels, of a map to play from.
const LeastScale = 36

// Tally counts what was looked at.
type Tally struct {
	Reports, Pictures, Units int
	Least                    float64 // the least width of a hex
	Faults                   []string
}

// Add counts what another tally counted.
func (t *Tally) Add(o Tally) {
	t.Reports, t.Pictures, t.Units = t.Reports+o.Reports, t.Pictures+o.Pictures, t.Units+o.Units
	if t.Least == 0 || o.Least > 0 && o.Least < t.Least {
		t.Least = o.Least
	}
	t.Faults = append(t.Faults, o.Faults...)
}

// Run looks at the pictures of all scenarios at their beginning and in the third turn of a
// game of the staff.
func Run(ctx context.Context, t *trial.Trial) error {
	fmt.Fprintln(t.Out, "| scenario | when | reports | pictures | units in close-ups | least hex, pixels | faults |\n| --- | --- | --- | --- | --- | --- | --- |")
	bad := 0
	var read Reading
	for _, id := range t.Scenarios {
		m, err := t.Match(id, t.Seed)
		if err != nil {
			return err
		}
		for _, turn := range []int{1, 3} {
			all, err := At(ctx, m.Game, m.Vocabulary, t.Seed, turn)
			if err != nil {
				return fmt.Errorf("%s: %w", id, err)
			}
			var n Tally
			for _, r := range all {
				n.Add(r.Look())
				if !t.OCR {
					continue
				}
				labels, err := r.Labels(fmt.Sprintf("%s %s, turn %d", id, r.Side, turn))
				if err != nil {
					return err
				}
				got, err := Read(ctx, labels)
				if err != nil {
					return err
				}
				read.Add(got)
			}
			fmt.Fprintf(t.Out, "| %s | turn %d | %d | %d | %d | %v | %d |\n", id, turn, n.Reports, n.Pictures, n.Units, n.Least, len(n.Faults))
			for _, fault := range n.Faults {
				fmt.Fprintln(t.Out, fault)
			}
			bad += len(n.Faults)
		}
	}
	for _, w := range read.Wrong {
		fmt.Fprintln(t.Out, w)
	}
	if t.OCR {
		fmt.Fprintf(t.Out, "read %d of %d names and numbers, %.1f %%\n", read.Read, read.Texts, read.Percent())
	}
	switch {
	case bad > 0:
		return fmt.Errorf("%d things are wrong with pictures", bad)
	case t.OCR && read.Percent() < LeastRead:
		return fmt.Errorf("%.1f %% of the names and numbers are read, %d should be", read.Percent(), LeastRead)
	}
	return nil
}

// Report is what the pictures of a report are drawn from.
type Report struct {
	Side  string
	View  *view.View
	Story report.Report
}

// At are the reports of all sides when a turn of a game of the staff ends, the scenario's
// first being turn 1; those of turn 1 are of its opening.
func At(ctx context.Context, game adjudicator.Game, words orders.Vocabulary, seed, turn int) ([]Report, error) {
	opening, err := game.Opening()
	if err != nil {
		return nil, err
	}
	first, err := game.At(opening)
	if err != nil {
		return nil, err
	}
	if turn == 1 {
		return reports(game, opening, nil)
	}
	turn += first.Turn - 1
	m := trial.NewMatch(game, words, seed)
	m.Turns = turn
	var events []view.Event
	var last []byte
	m.Each = func(before []byte, out adjudicator.Outcome) error {
		at, err := game.At(before)
		if err != nil || at.Turn < turn {
			return err
		}
		if at.Turn > turn {
			return errDone
		}
		events, last = append(events, out.Events...), out.Position
		return nil
	}
	if _, err = m.Play(ctx); err != nil && !errors.Is(err, errDone) {
		return nil, err
	}
	if last == nil {
		return nil, fmt.Errorf("the game has no turn %d", turn)
	}
	return reports(game, last, events)
}

// errDone ends a match of which all is known.
var errDone = errors.New("the turn has been played")

func reports(game adjudicator.Game, position []byte, events []view.Event) ([]Report, error) {
	var out []Report
	for _, side := range game.Sides() {
		v, err := game.View(position, side)
		if err != nil {
			return nil, err
		}
		v.Story = view.StoryOf(string(side), "", events)
		out = append(out, Report{Side: string(side), View: v, Story: report.Report{View: v, Wording: game.Wording()}})
	}
	return out, nil
}

// Room is what a mail has left for its pictures beside its text, in bytes.
const Room = scene.MailLimit - 100<<10

// Look draws the pictures of a report for every choice that a player has, and says what is
// wrong with them.
func (r Report) Look() Tally {
	t := Tally{Reports: 1}
	for _, want := range scene.Choices {
		for _, p := range scene.Plan(r.View, r.Story.Marks(), want, Room) {
			t.Pictures++
			if p.Scale > 0 { // the others are to find one's way
				r.LookAt(p, fmt.Sprintf("%s %s, %s, %s", r.View.Scenario, r.Side, want, p.Name), &t)
			}
		}
	}
	return t
}

// LookAt adds what a map to play from comes to. All but whole maps are close-ups.
func (r Report) LookAt(p scene.Planned, where string, t *Tally) {
	if t.Least == 0 || p.Scale < t.Least {
		t.Least = p.Scale
	}
	if p.Scale < LeastScale {
		t.Faults = append(t.Faults, fmt.Sprintf("%s: hexes are %v pixels wide", where, p.Scale))
	}
	if !p.Frame.Whole() || p.Scale >= scene.CloseUpScale {
		t.Units += r.named(p, func(fault string) { t.Faults = append(t.Faults, where+": "+fault) })
	}
}

// named looks whether a close-up names the own units in its frame, with nothing over them.
// It says how many they are.
func (r Report) named(p scene.Planned, fault func(string)) (units int) {
	pic := p.Draw()
	named := pic.Named()
	for _, u := range r.View.Units {
		if u.Hex == hex.None || !r.View.Board.Grid.Contains(u.Hex) || !p.Frame.Whole() && !p.Frame.Shows(r.View.Board, u.Hex) {
			continue
		}
		units++
		if i := slices.Index(named, u.Name); i >= 0 {
			named = slices.Delete(named, i, i+1) // each says a unit of its own
		} else {
			fault(fmt.Sprintf("%s in %v is not named", u.Name, u.Hex))
		}
	}
	for _, o := range pic.Overlaps() {
		fault(o)
	}
	return units
}
