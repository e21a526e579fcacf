package famous

import (
	"fmt"
	"slices"
	"strconv"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
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
func (System) Version() int { return 8 }

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
	return newGame(sc), nil
}

// Game is a scenario under its rules.
type Game struct {
	*adjudicator.Positions[*State]
	sc     *Scenario
	choose bool // there is a turn 0 for the set-up
}

var (
	_ adjudicator.Game      = (*Game)(nil)
	_ adjudicator.Versioned = (*Game)(nil)
)

// AsOf implements adjudicator.Versioned: the versions since the second are played.
func (g *Game) AsOf(version string) (adjudicator.Game, bool) {
	v, err := strconv.Atoi(version)
	if err != nil || v < 2 || v >= (System{}).Version() {
		return nil, false
	}
	sc := *g.sc // its tables are never changed
	sc.asOf = v
	with := newGame(&sc)
	with.choose = g.choose
	return with, true
}

// before tells whether the game was begun under rules older than a version, and is decided
// as they did.
func (sc *Scenario) before(version int) bool { return sc.asOf != 0 && sc.asOf < version }

// tooNew refuses a word of a later version of the rules than the game was begun under.
func (sc *Scenario) tooNew(version int, word string) *rule.Violation {
	if !sc.before(version) {
		return nil
	}
	return phrase.TooNew(word, version, sc.asOf)
}

func newGame(sc *Scenario) *Game {
	decode := func(position []byte) (*State, error) { return decodeState(sc, position) }
	return &Game{Positions: engine.Over(decode), sc: sc}
}

// Title is the scenario's name for people.
func (g *Game) Title() string { return g.sc.Title }

// Sides lists the sides, the one that sets up first, first.
func (g *Game) Sides() []adjudicator.Side { return g.sc.Sides[:] }

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

func (s *State) phaseInfo() adjudicator.Phase {
	if s.Phase == setUpStep {
		n := b2i(s.HalfPlaced)
		return adjudicator.Phase{Number: n, Name: s.phaseName(), Label: fmt.Sprintf("turn 0 phase %d", n), Date: s.date(1)}
	}
	return adjudicator.Phase{Turn: s.Turn, Number: s.Phase, Name: s.phaseName(), Label: fmt.Sprintf("turn %d phase %d", s.Turn, s.Phase), Date: s.date(s.Turn), Over: s.Verdict != ""}
}

// engine plays its phases.
var engine = adjudicator.Engine[*State]{Info: (*State).phaseInfo, Run: phase, Clone: (*State).clone, CloneOver: (*State).cloneOver, View: (*State).shownTo, End: (*State).end, Dress: (*State).nameSides}

// shownTo is the View of a side. It is made from a copy, because it is searched.
func (s *State) shownTo(side Side) *view.View {
	now := s.clone()
	if s.Acting != nil {
		now.noteContacts() // which the end of the phase would do
	}
	return now.view(side)
}

// end notes a verdict that the players gave themselves.
func (s *State) end(winner Side, verdict string) { s.Winner, s.Verdict = winner, verdict }

// nameSides names the sides in events as people do.
func (s *State) nameSides(events []view.Event) {
	for i := range events {
		e := &events[i]
		if k := slices.Index(s.sc.Sides[:], Side(e.Facts.Get("side"))); k >= 0 {
			e.Facts = e.Facts.With("who", s.sc.Names[k])
		}
	}
}
