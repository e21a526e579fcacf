package desk

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"fieldpost/desk/practice"
)

// called asks the desk as the page does.
func called[T any](t *testing.T, d *Desk, name string, asked any, file []byte) (out T) {
	t.Helper()
	q, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Value T
		Error string
	}
	if err := json.Unmarshal(d.Call(name, q, file), &answer); err != nil || answer.Error != "" {
		t.Fatalf("%s: %v %s", name, err, answer.Error)
	}
	return answer.Value
}

// stop plays a practice game on until it stops, and opens its report.
func stop(t *testing.T, d *Desk) *Opened {
	t.Helper()
	for range 200 {
		if called[Moved](t, d, "practice/next", map[string]any{}, nil).State != practice.Playing {
			return called[*Opened](t, d, "practice/report", map[string]any{}, nil)
		}
	}
	t.Fatal("the game does not stop")
	return nil
}

// The guided first turn can be followed to the letter: each order that it asks for is offered
// to the unit that it names, stands, and ends the step that asks for it and no other before it.
func TestTheGuidedTurnCanBeFollowed(t *testing.T) {
	var d Desk
	taught := 0
	for _, s := range called[[]Scenario](t, &d, "scenarios", map[string]any{}, nil) {
		if s.Taught == nil {
			continue
		}
		taught++
		called[any](t, &d, "practice/begin", map[string]any{"practice": s.Taught}, nil)
		o := stop(t, &d)
		if o.Practice == nil || len(o.Practice.Lesson) < 5 || len(o.Story) > 0 || o.Unjudged != "" {
			t.Fatalf("the game begins with %+v", o.Practice)
		}
		sheet := o.Blank
		for _, step := range o.Practice.Lesson {
			until := step.Until
			switch {
			case until.Chosen != "":
				if !slices.ContainsFunc(o.Units, func(u Unit) bool { return u.Name == until.Chosen && u.Hex == step.Hex }) {
					t.Errorf("%s: no %s stands in %v", step.Title, until.Chosen, step.Hex)
				}
			case until.Line != nil:
				if stands(t, &d, sheet, until.Line) {
					t.Errorf("%s: it is over before it begins", step.Title)
				}
				change, offered := offer(t, &d, sheet, until)
				if !offered {
					t.Fatalf("%s: %s is not offered %q after\n%s", step.Title, until.Actor, until.Line, sheet)
				}
				sheet = called[string](t, &d, "edit", merged(change, sheet), nil)
				if !stands(t, &d, sheet, until.Line) {
					t.Fatalf("%s: no line has %q on\n%s", step.Title, until.Line, sheet)
				}
			case until.Done:
				sheet = called[string](t, &d, "edit", map[string]any{"sheet": sheet, "done": true}, nil)
				if c := called[Checked](t, &d, "check", map[string]any{"sheet": sheet}, nil); !c.Done || c.Refused > 0 {
					t.Errorf("the sheet is not finished: %+v", c)
				}
			case until.Played:
				called[any](t, &d, "practice/file", map[string]any{"sheet": sheet}, nil)
				before := o.Turn
				if o = stop(t, &d); o.Turn != before+1 || o.Side != string(s.Taught.Side) {
					t.Errorf("after %d comes turn %d of %s", before, o.Turn, o.Side)
				}
				attacked := func(i Item) bool {
					return strings.Contains(i.Head, "2505: Soviets attacked Germans") && len(i.Marks) > 0
				}
				replied := func(i Item) bool {
					return slices.ContainsFunc(i.Marks, func(m Mark) bool { return m.Side == "GERMAN" && m.Kind == "move" })
				}
				if !slices.ContainsFunc(o.Story, attacked) || !slices.ContainsFunc(o.Story, replied) {
					t.Errorf("the report tells neither of the attack nor of the answer: %+v", o.Story)
				}
			}
		}
		again := Desk{}
		called[any](t, &again, "practice/resume", map[string]any{}, []byte(o.Practice.Kept))
		if r := stop(t, &again); r.Turn != o.Turn || len(r.Story) != len(o.Story) {
			t.Errorf("taken out again it stands in turn %d with %d items", r.Turn, len(r.Story))
		}
		if p := called[string](t, &d, "practice/proposal", map[string]any{}, nil); !strings.Contains(p, "\nMOVE\n") {
			t.Errorf("the staff proposes %s", p)
		}
	}
	if taught == 0 {
		t.Error("nothing is taught")
	}
}

// stands tells whether an order of the sheet that is accepted has all the words.
func stands(t *testing.T, d *Desk, sheet string, words []string) bool {
	t.Helper()
	return slices.ContainsFunc(called[Checked](t, d, "check", map[string]any{"sheet": sheet}, nil).Lines, func(l Line) bool {
		return l.Mark != "XX" && hasAll(l.Text, words)
	})
}

func hasAll(text string, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

// offer is the change by which the page writes the order that a step waits for.
func offer(t *testing.T, d *Desk, sheet string, until practice.Until) (Change, bool) {
	t.Helper()
	c := called[Choices](t, d, "choices", map[string]any{"sheet": sheet, "actor": until.Actor}, nil)
	for _, r := range c.Reach {
		for _, w := range r.Ways {
			if hasAll(w.Order, until.Line) {
				return Change{Actor: until.Actor, Section: w.Section, Order: w.Order}, true
			}
		}
	}
	for _, o := range c.Verbs {
		// What is offered is an attack of the unit alone, or one that it joins.
		if o.Refused == nil && o.Verb == "ATTACK" && hasAll(o.Order, []string{until.Line[0], until.Actor}) {
			return Change{Section: o.Section, Order: o.Order}, true
		}
	}
	return Change{}, false
}

func merged(c Change, sheet string) map[string]any {
	return map[string]any{"sheet": sheet, "actor": c.Actor, "section": c.Section, "order": c.Order}
}
