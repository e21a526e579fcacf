// Package desk is the order desk's half in Go: it opens a report, tells what a unit may do
// after the orders given so far, judges the sheet and signs it, by the engine of the umpire.
// In a browser it runs as wasm, where the page asks it by Call; it needs no database, no
// network and no operating system, and knows nothing beyond the side's view.
package desk

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"sync"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/systems"
	"fieldpost/adjudicator/view"
	"fieldpost/desk/past"
	"fieldpost/desk/practice"
	"fieldpost/report/chart"
	"fieldpost/scenarios"
	"fieldpost/umpire/judge"
)

// Desk is a report that lies open. The zero Desk has none. It is not safe for concurrent use.
type Desk struct {
	view  *view.View
	bench *judge.Bench      // nil: the sheet cannot be judged here
	guide adjudicator.Guide // nil: nothing can be offered
	why   string            // why not, for people
	code  string            // of the report, "" for none
	// practice is the game against the staff, nil where a report of the umpire lies open.
	practice *practice.Game
	// past is the archive that lies open, nil for a report.
	past *past.Game

	stands string // the sheet after which the guide stands
	filing *adjudicator.Filing
	after  *view.View // where that leaves the units, nil until it is asked for
	// toPlace are the units whose place is chosen in the set-up, nil until that is asked for.
	toPlace []string
	// reckoned is of the view reckonedOf.
	reckoned   adjudicator.Reckoned
	reckonedOf *view.View
}

// Opened is what the page has to know of a report.
type Opened struct {
	Game   string   `json:"game"`
	Title  string   `json:"title"`
	System string   `json:"system"`
	Side   string   `json:"side"`
	Turn   int      `json:"turn"`
	Turns  int      `json:"turns"`
	Date   string   `json:"date"`
	Phase  string   `json:"phase"`
	Due    []string `json:"due"`
	Until  string   `json:"until,omitempty"`
	// Modes are what a line MODE: may say.
	Modes []string `json:"modes,omitempty"`
	// Asked are the questions that wait for an answer.
	Asked []view.Question `json:"asked,omitempty"`
	// Unjudged says why no verdict of this desk would be the umpire's; "" where it is.
	Unjudged string `json:"unjudged,omitempty"`
	// Blank is the sheet to begin with, Coded tells that the code of the report is in it.
	Blank string `json:"blank"`
	// SetUp tells that the sheet places units.
	SetUp bool   `json:"set_up,omitempty"`
	Coded bool   `json:"coded,omitempty"`
	Units []Unit `json:"units"`
	// Foes are what the side knows of hexes with enemies, by hex, in words.
	Foes   map[hex.Hex]string `json:"foes"`
	Ground map[hex.Hex]string `json:"places"`
	Map    Map                `json:"map"`
	// Verdict and Winner are of a game that is over.
	Verdict string `json:"verdict,omitempty"`
	Winner  string `json:"winner,omitempty"`
	// Story is what happened, in order.
	Story    []Item     `json:"story,omitempty"`
	Practice *Practiced `json:"practice,omitempty"`
	Past     *Past      `json:"past,omitempty"`
}

// Unit is an own unit as a list shows it.
type Unit struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	Hex      hex.Hex `json:"hex"`
	Type     string  `json:"type"`
	Strength string  `json:"strength"`
	Steps    string  `json:"steps"`
	Remarks  string  `json:"remarks,omitempty"`
}

// Map says where hexes lie on the pictures of Draw, as chart.Lattice does.
type Map struct {
	Width  int                    `json:"width"`
	Height int                    `json:"height"`
	Q      float64                `json:"q"`
	H      float64                `json:"h"`
	At     map[hex.Hex][2]float64 `json:"at"`
	Layers []Layer                `json:"layers"`
}

// Open reads a file: a view.json, packed or not, or the archive of a game; or a mail that brings one of
// them.
func (d *Desk) Open(file []byte) (*Opened, error) {
	if past.Is(file) {
		return d.openPast(file)
	}
	found, err := read(file)
	if err != nil {
		return nil, err
	}
	if found.view == nil {
		return d.openPast(found.archive)
	}
	*d = Desk{view: found.view, code: found.code}
	d.bench, d.guide, err = stand(found.view)
	if err != nil {
		d.why = err.Error()
	}
	return d.opened(), nil
}

// stand sets up what a view's sheets are judged and guided by.
func stand(v *view.View) (*judge.Bench, adjudicator.Guide, error) {
	bench, err := judge.For(&builtin, v)
	if err != nil {
		return nil, nil, err
	}
	guide, err := adjudicator.GuideOf(bench.Game, v)
	if err != nil {
		return bench, nil, nil // it is judged all the same
	}
	return bench, guide, nil
}

func (d *Desk) opened() *Opened {
	v := d.view
	out := &Opened{Game: v.Game, Title: v.Title, System: v.System, Side: v.Side, Turn: v.Turn, Turns: v.Turns, Date: v.Date, Phase: v.Phase, Asked: v.Asked,
		Unjudged: d.why, Blank: d.blank(), Coded: d.code != "", Verdict: v.Verdict, Winner: v.Winner, Story: story(v), Foes: map[hex.Hex]string{}, Ground: map[hex.Hex]string{}}
	if d.bench != nil {
		out.SetUp = setsUp(v, d.bench.System.Vocabulary())
	}
	for _, due := range v.Due {
		if due != "" {
			out.Due = append(out.Due, due)
		}
	}
	if v.Reply != nil {
		out.Until, out.Modes = v.Reply.Until, v.Reply.Modes
	}
	for _, u := range v.Units {
		out.Units = append(out.Units, unitOf(u))
	}
	for _, s := range v.Enemy {
		out.Foes[s.Hex] = foe(s)
	}
	for _, p := range v.Board.Places {
		for _, h := range p.Hexes {
			out.Ground[h] = p.Name
		}
	}
	pic := picture(v, chart.Options{})
	l := pic.Lattice()
	out.Map = Map{Q: l.Q, H: l.H, At: l.At, Layers: d.layers()}
	out.Map.Width, out.Map.Height = pic.Size()
	return out
}

func unitOf(u view.Unit) Unit {
	out := Unit{ID: u.ID, Name: u.Name, Hex: u.Hex, Type: u.Type, Strength: fmt.Sprintf("%d-%d-%d", u.Attack, u.Defence, u.Moves)}
	if u.MaxSteps > 0 {
		out.Steps = fmt.Sprintf("%d/%d", u.Steps, u.MaxSteps)
	}
	remarks := append([]string{u.Supply}, u.Marks...)
	if u.Disorganized {
		remarks = append(remarks, "disorganized")
	}
	out.Remarks = strings.Trim(strings.Join(remarks, ", "), ", ")
	return out
}

// foe says in words what is known of an enemy stack.
func foe(s view.Stack) string {
	var known []string
	for _, u := range s.Units {
		known = append(known, cmp.Or(u.Name, u.Type, "unknown"))
	}
	return cmp.Or(strings.Join(known, ", "), "enemy units")
}

// blank is the head of a sheet for the view's side.
func (d *Desk) blank() string {
	turn, serial := d.view.Turn, 1
	if r := d.view.Reply; r != nil {
		turn, serial = r.Turn, r.Serial
	}
	head := fmt.Sprintf("GAME: %s\nSIDE: %s\nTURN: %d\nSERIAL: %d\n", d.view.Game, d.view.Side, turn, serial)
	if d.code != "" {
		head += "CODE: " + d.code + "\n"
	}
	return head
}

// errNothing says that there is no report yet.
var errNothing = errors.New("no report is open")

// judged is the bench, or why there is none.
func (d *Desk) judged() (*judge.Bench, error) {
	switch {
	case d.view == nil:
		return nil, errNothing
	case d.bench == nil:
		return nil, errors.New(d.why)
	}
	return d.bench, nil
}

// builtin is the scenarios that the desk brings along.
var builtin library

// library is the built-in scenarios under their rules, each loaded once.
type library struct {
	mu    sync.Mutex
	games map[string]adjudicator.Game
}

// Load is a scenario's game and rules.
func (l *library) Load(id string) (adjudicator.Game, adjudicator.System, error) {
	pack, err := scenarios.Open(id)
	if err != nil {
		return nil, nil, err
	}
	system, ok := systems.Get(pack.System)
	if !ok {
		return nil, nil, fmt.Errorf("the rules system %q is not known here", pack.System)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.games[id] != nil {
		return l.games[id], system, nil
	}
	game, err := system.Load(pack)
	if err != nil {
		return nil, system, err
	}
	if l.games == nil {
		l.games = map[string]adjudicator.Game{}
	}
	l.games[id] = game
	return game, system, nil
}

// Hash is of a scenario's files.
func (l *library) Hash(id string) (string, error) {
	pack, err := scenarios.Open(id)
	if err != nil {
		return "", err
	}
	return pack.Hash()
}

// scale is the width of a hex on the desk's map in pixels: counters then have names.
const scale = 60

// picture is the map with a view's units on it.
func picture(v *view.View, o chart.Options) *chart.Picture {
	o.Scale, o.Bare = scale, true
	return chart.Render(v, o)
}
