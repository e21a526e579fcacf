package wb95

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/table"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

// System is WB-95.
type System struct{}

// ID is the system's folder name.
func (System) ID() string { return "wb95" }

// Version is that of the rules: raised whenever a running game would be decided
// otherwise. Scenario.before tells where versions differ.
func (System) Version() int { return 4 }

// Vocabulary is the words of an order sheet.
func (System) Vocabulary() orders.Vocabulary { return Vocabulary }

// Template is the sections of a blank sheet.
func (System) Template() []string { return []string{"AIR", "MOVE", "ATTACK", "STANDING"} }

// Asks is the kinds of reactions that a side may want to be asked about.
func (System) Asks() []string {
	return []string{kindLoss, kindRetreat, kindPursuit, kindSupport, kindStars, kindFU, kindMarks, kindPontoon, kindDefector, kindRepair, kindWithdrawal}
}

// Load reads a scenario; the error lists every fault in its files.
func (System) Load(src table.Source) (adjudicator.Game, error) {
	sc, err := Load(src)
	if err != nil {
		return nil, err
	}
	g := newGame(sc)
	g.src, g.plain, g.variants = src, sc, &sync.Map{}
	return g, nil
}

// Game is a WB-95 scenario under its rules.
type Game struct {
	*adjudicator.Positions[*State]
	sc     *Scenario         // under the options chosen
	chosen map[string]string // those that differ from the default
	asOf   int               // the version of the rules, 0 for the present one

	opening func() []byte // the position before the first phase, reckoned once

	src      table.Source
	plain    *Scenario // with all options at their default
	variants *sync.Map // other scenarios and all openings, by the options chosen
}

var (
	_ adjudicator.Game      = (*Game)(nil)
	_ adjudicator.Versioned = (*Game)(nil)
	_ adjudicator.Migrator  = (*Game)(nil)
)

// AsOf implements adjudicator.Versioned: all versions since the first are played.
func (g *Game) AsOf(version string) (adjudicator.Game, bool) {
	v, err := strconv.Atoi(version)
	if err != nil || v < 1 || v >= (System{}).Version() || g.src == nil {
		return nil, false
	}
	asked := *g
	asked.asOf = v
	sc, err := asked.under(g.chosen)
	if err != nil {
		return nil, false
	}
	earlier := newGame(sc)
	earlier.chosen, earlier.asOf, earlier.src, earlier.plain, earlier.variants = g.chosen, v, g.src, g.plain, g.variants
	earlier.opening = earlier.openingOnce()
	return earlier, true
}

// Migrate implements adjudicator.Migrator: what stands over the limit when a game comes
// from the first version may stay, and reinforcements that the scenario did not have then
// wait for their day.
func (g *Game) Migrate(position []byte, _ string) ([]byte, error) {
	s, err := g.decode(position)
	if err != nil {
		return nil, err
	}
	for _, u := range s.sc.opening().Units {
		if s.unit(u.ID) == nil && u.Where == Later {
			i, _ := slices.BinarySearchFunc(s.Units, u.ID, func(v Unit, id string) int { return strings.Compare(v.ID, id) })
			s.Units = slices.Insert(s.Units, i, u)
		}
	}
	s.index()
	s.noteCrowds()
	return s.encode(), nil
}

func newGame(sc *Scenario) *Game {
	g := &Game{sc: sc}
	g.Positions = engine.Over(g.decode)
	g.opening = sync.OnceValue(func() []byte { return sc.laidOut(nil).encode() })
	return g
}

// Title is the scenario's name for people.
func (g *Game) Title() string { return g.sc.Title }

// Sides lists the sides, the one with the initiative first.
func (g *Game) Sides() []adjudicator.Side { return g.sc.players() }

// Unplayed says what this version does not play yet.
func (g *Game) Unplayed() []string { return g.sc.Unplayed }

// Wording is how WB-95 says its events.
func (g *Game) Wording() view.Wording {
	w := view.Wording{"verdict": "The game is over: {{.verdict}}"}
	maps.Copy(w, wordingMove)
	maps.Copy(w, wordingCombat)
	maps.Copy(w, wordingNysa)
	maps.Copy(w, wordingFire)
	maps.Copy(w, wordingSpecial)
	maps.Copy(w, wordingAir)
	maps.Copy(w, wordingKursk)
	return w
}

// Opening is the position before the first phase.
func (g *Game) Opening() ([]byte, error) { return bytes.Clone(g.opening()), nil }

// openingOnce is the opening of a game with options, reckoned once for all games that
// choose the same.
func (g *Game) openingOnce() func() []byte {
	sc, chosen := g.sc, g.chosen
	once := sync.OnceValue(func() []byte { return sc.laidOut(chosen).encode() })
	kept, _ := g.variants.LoadOrStore("opening "+g.variant(chosen), once)
	return kept.(func() []byte)
}

// laidOut is the position before the first phase, under the options chosen.
func (sc *Scenario) laidOut(chosen map[string]string) *State {
	s := sc.opening()
	s.Options = chosen
	if sc.Readings.ChooseSetUp && slices.ContainsFunc(sc.players(), s.mayChoose) {
		s.Phase = 0
	}
	s.noteCrowds()
	s.noteContacts()
	return s
}

func (s *State) phaseInfo() adjudicator.Phase {
	if s.Phase == 0 {
		return adjudicator.Phase{Name: s.phaseName(), Label: "turn 0 phase 0", Date: s.sc.date(1)}
	}
	return adjudicator.Phase{Turn: s.Turn, Number: s.Phase, Name: s.phaseName(), Label: fmt.Sprintf("turn %d phase %d", s.Turn, s.Phase),
		Side: s.player(), Date: s.sc.date(s.Turn), Over: s.Verdict != ""}
}

// engine plays its phases.
var engine = adjudicator.Engine[*State]{Info: (*State).phaseInfo, Run: phase, Clone: (*State).clone, View: (*State).viewOf, End: (*State).end}

// end notes a verdict that the players gave themselves.
func (s *State) end(winner Side, verdict string) { s.Winner, s.Verdict = winner, verdict }

// Check judges a sheet in the sender's own fog.
func (g *Game) Check(v *view.View, sheet *orders.Sheet) *adjudicator.Filing {
	return g.rehearse(v, sheet, wholeSheet).filing
}

// extent is how far into a sheet a rehearsal of it goes.
type extent int

const (
	wholeSheet extent = iota
	firstMoves        // of the moves those that are made before the second group's
	beforeMoves
)

// rehearse judges a sheet, and stands after it. Where the view cannot be believed it has
// no position.
func (g *Game) rehearse(v *view.View, sheet *orders.Sheet, upTo extent) *check {
	c := &check{by: Side(v.Side), upTo: upTo, filing: adjudicator.NewFiling(sheet), answers: map[string][]string{}}
	s, err := g.believe(v)
	if err != nil {
		c.filing.Lines = append(c.filing.Lines, adjudicator.Line{Refused: &rule.Violation{Why: err.Error()}})
		return c
	}
	c.s, c.side = s, s.sc.camp(c.by)
	c.air(v, sheet.Sections)
	if s.Phase == 0 {
		c.setUpSheet(sheet)
		return c
	}
	for _, o := range sheet.Orders("SETUP") {
		c.refuse(phrase.OnSheet(o), &rule.Violation{Clause: "WB-95 4.3.1", Why: "the game is set up already", Instead: "Orders to move stand under MOVE."})
	}
	s.finishBridges(c.side, nil)
	// Movement comes before the attacks, in whatever order the sheet has them.
	for _, name := range c.sections() {
		for _, sec := range sheet.Sections {
			if sec.Name == name {
				c.section(sec)
			}
		}
		switch name {
		case "MOVE":
			c.overfull()
		case "ATTACK":
			c.duties()
		}
	}
	c.airEnd()
	c.sort()
	c.collect()
	c.filing.Preview = func() *view.View { return c.preview(v) }
	return c
}

// sections are those that the rehearsal goes through, in the order of play.
func (c *check) sections() []string {
	all := []string{"BARRAGE", "MOVE", "ATTACK", "STANDING"}
	switch c.upTo {
	case beforeMoves:
		return all[:1]
	case firstMoves:
		return all[:2]
	}
	return all
}

// collect puts the lines that stand into the filing, by kind.
func (c *check) collect() {
	for kind, list := range c.answers {
		c.filing.Answers[kind] = strings.Join(list, "\n")
	}
}

// answer adds a line to the answer of a kind of decision.
func (c *check) answer(kind, text string) { c.answers[kind] = append(c.answers[kind], text) }
