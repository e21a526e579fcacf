package desk

import (
	"errors"

	"fieldpost/adjudicator"
	"fieldpost/desk/practice"
	"fieldpost/scenarios"
)

// practiceCalls are those of a game against the staff.
var practiceCalls = map[string]func(d *Desk, q question, file []byte) (any, error){
	"scenarios":         func(*Desk, question, []byte) (any, error) { return Scenarios() },
	"sides":             func(_ *Desk, q question, _ []byte) (any, error) { return SidesOf(q.Practice.Scenario) },
	"practice/begin":    func(d *Desk, q question, _ []byte) (any, error) { return nil, d.Begin(q.Practice) },
	"practice/resume":   func(d *Desk, _ question, file []byte) (any, error) { return nil, d.Resume(file) },
	"practice/next":     func(d *Desk, _ question, _ []byte) (any, error) { return d.Next() },
	"practice/report":   func(d *Desk, _ question, _ []byte) (any, error) { return d.OpenPractice() },
	"practice/file":     func(d *Desk, q question, _ []byte) (any, error) { return nil, d.File(q.Sheet) },
	"practice/proposal": func(d *Desk, _ question, _ []byte) (any, error) { return d.Proposal() },
}

// Scenario is one that can be played against the staff.
type Scenario struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	System string `json:"system"`
	// Taught tells that it has a guided first turn, and how that begins.
	Taught *practice.Choice `json:"taught,omitempty"`
}

// Scenarios are those that the desk brings along.
func Scenarios() (out []Scenario, err error) {
	all, err := (&scenarios.Library{}).List()
	for _, s := range all {
		one := Scenario{ID: s.ID, Title: s.Title, System: s.System}
		if c, is := practice.Taught(s.ID); is {
			one.Taught = &c
		}
		out = append(out, one)
	}
	return out, err
}

// SidesOf are the sides of a scenario.
func SidesOf(id string) ([]adjudicator.Side, error) {
	game, _, err := builtin.Load(id)
	if err != nil {
		return nil, err
	}
	return game.Sides(), nil
}

// errNoPractice says that there is no practice game.
var errNoPractice = errors.New("no practice game is played")

// Begin sets up a practice game. Next plays it, OpenPractice opens its report.
func (d *Desk) Begin(c practice.Choice) error {
	g, err := practice.Begin(&builtin, c)
	if err != nil {
		return err
	}
	*d = Desk{practice: g}
	return nil
}

// Resume takes out a practice game that was kept.
func (d *Desk) Resume(text []byte) error {
	g, err := practice.Resume(&builtin, text)
	if err != nil {
		return err
	}
	*d = Desk{practice: g}
	return nil
}

// Moved is how far a practice game has come.
type Moved struct {
	State practice.State `json:"state"`
	// Next is the phase that comes next, or that waits, in words.
	Next string `json:"next"`
	Turn int    `json:"turn"`
}

// Next plays a phase of the practice game. The staff officers think in it.
func (d *Desk) Next() (*Moved, error) {
	if d.practice == nil {
		return nil, errNoPractice
	}
	state, at, err := d.practice.Next()
	return &Moved{State: state, Next: at.Name, Turn: at.Turn}, err
}

// Practiced is what the page has to know of a practice game beside its report.
type Practiced struct {
	practice.Choice
	Over   bool            `json:"over,omitempty"`
	Lesson []practice.Step `json:"lesson,omitempty"`
	// Kept is the game as it stands, for Resume.
	Kept string `json:"kept"`
}

// OpenPractice opens the report of the practice game where it waits, or has ended.
func (d *Desk) OpenPractice() (*Opened, error) {
	if d.practice == nil {
		return nil, errNoPractice
	}
	g := d.practice
	v, err := g.View()
	if err != nil {
		return nil, err
	}
	text, err := g.Save()
	if err != nil {
		return nil, err
	}
	*d = Desk{view: v, practice: g}
	d.bench, d.guide, err = stand(v)
	if err != nil {
		d.why = err.Error()
	}
	out := d.opened()
	out.Practice = &Practiced{Choice: g.Choice, Over: v.Verdict != "", Kept: string(text)}
	if g.Reports <= 1 {
		out.Practice.Lesson = practice.Lesson(g.Choice)
	}
	return out, nil
}

// File hands in a sheet of the practice game.
func (d *Desk) File(sheet string) error {
	if d.practice == nil {
		return errNoPractice
	}
	return d.practice.File(sheet)
}

// Proposal is the sheet that a staff officer would write.
func (d *Desk) Proposal() (string, error) {
	if d.practice == nil {
		return "", errNoPractice
	}
	return d.practice.Proposal()
}
