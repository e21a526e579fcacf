// Package practice plays a game between a person and staff officers on the engine alone: no
// umpire, no mail, dice of a plain seed that proves nothing. The person gets the reports and
// writes the sheets of a game by mail.
package practice

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/playtest"
	"fieldpost/staff"
	"fieldpost/umpire/judge"
)

// Choice is what makes one practice game: equal choices and equal sheets give equal games.
type Choice struct {
	Scenario string           `json:"scenario"`
	Side     adjudicator.Side `json:"side"`
	Seed     int              `json:"seed"` // of the dice
	// Strength is that of the staff officers, of the one who proposes sheets as well: a cadet's if it is
	// "". Units bounds their work on a sheet, if it is not 0, as in [staff.Officer].
	Strength staff.Strength `json:"strength,omitempty"`
	Units    int            `json:"units,omitempty"`
}

// Game is a practice game. It is not safe for concurrent use.
type Game struct {
	Choice
	kept
	rules  adjudicator.Game
	system adjudicator.System
	hash   string // of the scenario's files
	// Of a phase that waits: what is asked, how it stands in its midst, what it has told.
	pending []adjudicator.Decision
	midst   []byte
	partly  *view.Chapter
}

// kept is what of a game has to be kept from one day to the next.
type kept struct {
	Position []byte                     `json:"position"`
	Journal  []adjudicator.Entry        `json:"journal,omitempty"` // of the phase that waits
	Seats    map[adjudicator.Side]*seat `json:"seats"`
	// Told is what the person may know of what happened since their last sheet.
	Told    []view.Chapter `json:"told,omitempty"`
	Reports int            `json:"reports"`
}

// Begin sets up a game. Nothing is played yet.
func Begin(scenarios judge.Library, c Choice) (*Game, error) {
	g := &Game{Choice: c}
	strength, err := staff.ParseStrength(string(c.Strength))
	if err != nil {
		return nil, err
	}
	if c.Strength != "" {
		g.Strength = strength
	}
	if err := g.load(scenarios); err != nil {
		return nil, err
	}
	if !slices.Contains(g.rules.Sides(), c.Side) {
		return nil, fmt.Errorf("%s has no side %q: its sides are %v", g.rules.Title(), c.Side, g.rules.Sides())
	}
	g.Seats = map[adjudicator.Side]*seat{}
	for _, side := range g.rules.Sides() {
		g.Seats[side] = &seat{}
	}
	g.Position, err = g.rules.Opening()
	return g, err
}

func (g *Game) load(scenarios judge.Library) (err error) {
	if g.rules, g.system, err = scenarios.Load(g.Scenario); err != nil {
		return err
	}
	g.hash, err = scenarios.Hash(g.Scenario)
	return err
}

// saved is a game as Save writes it. The hash of the scenario's files is that under which it
// was begun: by others it cannot be gone on with.
type saved struct {
	Choice
	kept
	Hash    string `json:"hash"`
	Version int    `json:"version"` // of the rules
}

// Save is the game as text, for Resume.
func (g *Game) Save() ([]byte, error) {
	return json.Marshal(saved{Choice: g.Choice, kept: g.kept, Hash: g.hash, Version: g.system.Version()})
}

// ErrOtherRules says that a game that was kept was begun under other rules or files.
var ErrOtherRules = errors.New("this practice game was begun under other rules or scenario files than are here now: begin a new one")

// Resume is the game that Save wrote, and stands where it stood.
func Resume(scenarios judge.Library, text []byte) (*Game, error) {
	var s saved
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("the practice game that was kept here cannot be read: %w", err)
	}
	g := &Game{Choice: s.Choice, kept: s.kept}
	if err := g.load(scenarios); err != nil {
		return nil, err
	}
	if s.Hash != g.hash || s.Version != g.system.Version() {
		return nil, ErrOtherRules
	}
	for _, side := range g.rules.Sides() {
		if g.Seats[side] == nil {
			return nil, errors.New("the practice game that was kept here is damaged")
		}
	}
	return g, nil
}

// State is whether a game goes on.
type State string

// The states of a game.
const (
	Playing State = "playing" // the next phase can be played
	Waiting State = "waiting" // for the person's sheet or answer
	Over    State = "over"
)

// Next plays a phase, unless it waits for the person or the game is over. It tells which phase
// comes then.
func (g *Game) Next() (State, adjudicator.Phase, error) {
	at, err := g.rules.At(g.Position)
	if err != nil || at.Over {
		return Over, at, err
	}
	t := &table{game: g, at: at}
	out, err := g.rules.Play(g.Position, g.Journal, playtest.Dice{Game: g.Seed, Phase: at.Label}, t)
	if err = errors.Join(t.err, err); err != nil {
		return Playing, at, fmt.Errorf("%s: %w", at.Label, err)
	}
	if len(out.Pending) > 0 {
		g.Journal, g.pending, g.midst, g.partly = out.Journal, out.Pending, out.Position, g.chapter(at, out)
		return Waiting, at, nil
	}
	g.Position, g.Journal = out.Position, nil
	g.pending, g.midst, g.partly = nil, nil, nil
	if told := g.chapter(at, out); told != nil {
		g.Told = append(g.Told, *told)
	}
	at, err = g.rules.At(g.Position)
	if at.Over {
		return Over, at, err
	}
	return Playing, at, err
}

// chapter is what the person may know of a phase, with its dice; nil if that is nothing.
func (g *Game) chapter(at adjudicator.Phase, out adjudicator.Outcome) *view.Chapter {
	c := view.StoryOf(string(g.Side), at.Label, out.Events).Phases[0]
	if len(c.Events) == 0 {
		return nil
	}
	told := map[string]bool{}
	for _, e := range c.Events {
		for _, label := range e.Rolls {
			told[label] = true
		}
	}
	for _, e := range out.Journal {
		if e.Kind == adjudicator.EntryRoll && told[e.Label] {
			c.Rolls = append(c.Rolls, view.Roll{Label: e.Label, Dice: e.Dice, Sides: e.Sides})
		}
	}
	return &c
}

// File hands in the person's sheet. What of it is refused does not count, as by mail.
func (g *Game) File(text string) error {
	sheet, faults := orders.Parse(orders.Canonical(text), g.system.Vocabulary())
	bare := sheet.Bare() && len(sheet.Orders(orders.AnswerSection)) > 0
	if !sheet.Done && !bare {
		return errors.New("the sheet has no DONE: say first that these are all your orders")
	}
	v, err := g.View()
	if err != nil {
		return err
	}
	if v.Begun != nil {
		begun := *v.Begun
		begun.Board = v.Board
		if v.Acting != nil {
			begun.Midst = v
		}
		v = &begun
	}
	at, err := g.rules.At(g.Position)
	if err != nil {
		return err
	}
	filed := judge.Judged(g.rules, v, sheet, faults)
	if err := g.Seats[g.Side].file(sheet, filed, at, adjudicator.AsksOf(g.system)); err != nil {
		return err
	}
	if len(g.asked()) == 0 {
		g.Told = nil
		g.remember(g.Side, v)
	}
	g.Reports++
	return nil
}

// asked are the reactions that wait for the person.
func (g *Game) asked() (out []adjudicator.Decision) {
	for _, d := range g.pending {
		if d.Side == g.Side && !d.Turn {
			out = append(out, d)
		}
	}
	return out
}
