package arena

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/report"
	"fieldpost/staff"
)

// teller writes a game out as its players have it: for each side a file of the reports that it gets and
// of the sheets that it answers, with what the officer weighed.
type teller struct {
	folder string
	game   adjudicator.Game
	story  map[adjudicator.Side][]view.Chapter // since the last sheet
	texts  map[adjudicator.Side]*strings.Builder
}

func newTeller(folder string, g adjudicator.Game) *teller {
	t := &teller{folder: folder, game: g, story: map[adjudicator.Side][]view.Chapter{}, texts: map[adjudicator.Side]*strings.Builder{}}
	for _, side := range g.Sides() {
		t.texts[side] = &strings.Builder{}
	}
	return t
}

// hear takes in what a phase tells each side.
func (t *teller) hear(before []byte, out adjudicator.Outcome) error {
	at, err := t.game.At(before)
	if err != nil {
		return err
	}
	for _, side := range t.game.Sides() {
		t.story[side] = append(t.story[side], view.StoryOf(string(side), at.Label, out.Events).Phases...)
	}
	return nil
}

// write adds a report and the sheet that was written on it. The View is not changed.
func (t *teller) write(v *view.View, th staff.Thought) error {
	side := adjudicator.Side(v.Side)
	told, b := *v, t.texts[side]
	told.Story = &view.Story{Phases: t.story[side]}
	t.story[side] = nil
	text, err := (&report.Report{View: &told, Wording: t.game.Wording()}).Text()
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "==== %s, turn %d\n\n%s\n---- the sheet", v.Side, v.Turn, text)
	for i, w := range append([]staff.Weighed{th.Plan}, th.Others...) {
		switch {
		case w.Name == "":
		case i == 0:
			fmt.Fprintf(b, ": %q %+d", w.Name, w.Worth)
		default:
			fmt.Fprintf(b, ", not %q %+d", w.Name, w.Worth)
		}
	}
	fmt.Fprintf(b, "\n\n%s\n", th.Sheet)
	return nil
}

// keep writes the files, one for each side.
func (t *teller) keep(name string) error {
	folder := filepath.Join(t.folder, name)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for side, b := range t.texts {
		if err := os.WriteFile(filepath.Join(folder, strings.ToLower(string(side))+".txt"), []byte(b.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
