package famous

import (
	"fmt"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/table"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

// System is Famous Divisions: Grossdeutschland.
type System struct{}

// ID is the system's folder name.
func (System) ID() string { return "famous" }

// Version is that of the rules: raised whenever a running game would be decided
// otherwise.
func (System) Version() int { return 2 }

// Vocabulary is the words of an order sheet.
func (System) Vocabulary() orders.Vocabulary { return Vocabulary }

// Template is the sections of a blank sheet.
func (System) Template() []string { return []string{"CHIT", "STANDING"} }

// Asks is the kinds of reactions that a side may want to be asked about: its own
// chits, never the doctrine.
func (System) Asks() []string { return []string{kindActivation} }

// Load reads a scenario; the error lists every fault in its files.
func (System) Load(src table.Source) (adjudicator.Game, error) {
	sc, err := Load(src)
	if err != nil {
		return nil, err
	}
	return &Game{sc: sc}, nil
}

// Game is a scenario under its rules.
type Game struct {
	sc     *Scenario
	choose bool // there is a turn 0 for the set-up

	read adjudicator.Memory[*State] // of positions that were read lately
}

var _ adjudicator.Game = (*Game)(nil)

// Title is the scenario's name for people.
func (g *Game) Title() string { return g.sc.Title }

// Sides lists the sides, the one that sets up first, first.
func (g *Game) Sides() []adjudicator.Side { return g.sc.Sides[:] }

// Unplayed says what this version does not play.
func (g *Game) Unplayed() []string { return nil }

// Opening is the position before the first phase.
func (g *Game) Opening() ([]byte, error) {
	s := g.sc.opening()
	if g.choose {
		s.Phase = setUpStep
		s.noteGround()
	} else {
		s.noteContacts()
	}
	return s.encode(), nil
}

func (g *Game) decode(position []byte) (*State, error) { return decodeState(g.sc, position) }

// position reads a position. What it returns may be looked at, not changed.
func (g *Game) position(position []byte) (*State, error) { return g.read.Read(position, g.decode) }

// At tells which phase the position stands before.
func (g *Game) At(position []byte) (adjudicator.Phase, error) {
	s, err := g.position(position)
	if err != nil {
		return adjudicator.Phase{}, err
	}
	return s.phaseInfo(), nil
}

func (s *State) phaseInfo() adjudicator.Phase {
	if s.Phase == setUpStep {
		n := b2i(s.HalfPlaced)
		return adjudicator.Phase{Number: n, Name: s.phaseName(), Label: fmt.Sprintf("turn 0 phase %d", n), Date: s.date(1)}
	}
	return adjudicator.Phase{Turn: s.Turn, Number: s.Phase, Name: s.phaseName(), Label: fmt.Sprintf("turn %d phase %d", s.Turn, s.Phase), Date: s.date(s.Turn), Over: s.Verdict != ""}
}

// engine plays its phases.
var engine = adjudicator.Engine[*State]{Info: (*State).phaseInfo, Run: phase, Clone: (*State).clone, Encode: (*State).encode, Dress: (*State).nameSides}

// nameSides names the sides in events as people do.
func (s *State) nameSides(events []view.Event) {
	for _, e := range events {
		if k := slices.Index(s.sc.Sides[:], Side(e.Facts["side"])); k >= 0 {
			e.Facts["who"] = s.sc.Names[k]
		}
	}
}

// Play runs the phase that the position stands before.
func (g *Game) Play(position []byte, journal []adjudicator.Entry, dice adjudicator.Dice, answers adjudicator.Answerer) (adjudicator.Outcome, error) {
	return engine.PlayAt(g.read.At(position, g.decode), journal, dice, answers)
}

// Course runs phase after phase from a position.
func (g *Game) Course(position []byte) (adjudicator.Runner, error) {
	return engine.CourseAt(g.read.At(position, g.decode))
}

// View is what a side may know of a position.
func (g *Game) View(position []byte, side adjudicator.Side) (*view.View, error) {
	s, err := decodeState(g.sc, position)
	if err != nil {
		return nil, err
	}
	return s.view(side), nil
}

// End is the position with a verdict that the players gave themselves.
func (g *Game) End(position []byte, winner adjudicator.Side, verdict string) ([]byte, error) {
	s, err := decodeState(g.sc, position)
	if err != nil {
		return nil, err
	}
	if s.Verdict != "" {
		return nil, adjudicator.ErrOver
	}
	s.Winner, s.Verdict = winner, verdict
	return s.encode(), nil
}
