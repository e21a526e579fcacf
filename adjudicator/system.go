package adjudicator

import (
	"fieldpost/adjudicator/casebook"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/table"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

// System is a rules system: WB-95, Duel on the Steppe, Famous Divisions. The example of
// this package is a fourth one, whole.
//
// A system may also be a [Rulebook], which brings "rules coverage"; a [Linter] and a
// [Lister], which check a scenario's files; an [OddsTeller], whose combat table can be
// asked; [Asking], with reactions in the midst of a phase; and [Joining], so that several
// commanders of a side can write its sheet together. What it is not is left out; nothing else asks
// which system it has.
type System interface {
	// ID is the system's folder name, "wb95".
	ID() string
	// Version is that of its rules. A running game keeps the version it began with.
	Version() int
	// Vocabulary is the words of its order sheets, Template the sections of a blank one.
	Vocabulary() orders.Vocabulary
	Template() []string
	// Load reads a scenario's files; the error lists every fault in them.
	Load(src table.Source) (Game, error)
}

// Rulebook is a System that can show its book.
type Rulebook interface {
	Book() Book
}

// Book is a rulebook with what plays and asserts it.
type Book struct {
	Name      string // as comments in the code cite it: "WB-95"
	Clauses   string // the index of its clauses
	Citations string // the index of the comments that cite them
	Cases     func() ([]casebook.Case, error)
	// Idle lists the citations that no case comes through; "" where that is not
	// measured.
	Idle string
	// Edition tells which rulebook a case is played by, where a system has several. It
	// opens scenarios by their id. Nil: there is one book.
	Edition func(k casebook.Case, open func(id string) (table.Source, error)) (string, error)
}

// Game is a scenario under its rules. It is immutable and may be shared;
// positions travel through it as bytes in the system's canonical encoding.
//
// A game may also be [Optional]: it has options; [Zoner], [Observer] and
// [Supplier]: maps draw its zones of control, lines of sight and of supply; [Partial]: it does not play all of its book;
// [Repeater]: whole games are repeated faster; [Charter]: its tables and units are printed;
// [Guiding]: it says what may be ordered; [Lasting]: orders outlast the sheet that has them;
// [Storyteller]: its reports are told short; [Drawer]: a whole position is drawn from what a side
// knows; [Walker]: phases are played one after the other in memory;
// [Editable]: a moderator can mend its positions; [Versioned] and [Migrator]: games begun
// under earlier versions of the rules go on under those, or are taken over to the present.
type Game interface {
	// Title is the scenario's name for people.
	Title() string
	// Sides lists the sides, the one with the initiative first.
	Sides() []Side
	// Wording is how the system says its events.
	Wording() view.Wording
	// Opening is the position before the first phase.
	Opening() ([]byte, error)
	// At tells which phase the position stands before.
	At(position []byte) (Phase, error)
	// Play runs that phase over its journal. With an empty Pending the
	// outcome's Position is the one before the next phase.
	Play(position []byte, journal []Entry, dice Dice, answers Answerer) (Outcome, error)
	// View is what a side may know of a position.
	View(position []byte, side Side) (*view.View, error)
	// End is the position with a verdict that the players gave themselves: one
	// conceded to winner, or both agreed on a draw ("").
	End(position []byte, winner Side, verdict string) ([]byte, error)
	// Check judges a sheet in the sender's own fog: it sees nothing but the View.
	Check(v *view.View, sheet *orders.Sheet) *Filing
}

// Asking is a System that has reactions: decisions in the midst of a phase.
type Asking interface {
	// Asks is the kinds of reactions that a side may want to be asked about.
	// KindActivation among them makes it a game of drawn chits: its MODE lines are
	// PLOT, PAUSE-IF and ASK.
	Asks() []string
}

// AsksOf is the kinds of reactions of a system.
func AsksOf(s System) []string {
	if a, ok := s.(Asking); ok {
		return a.Asks()
	}
	return nil
}

// Partial is a Game that does not play all rules of its book yet.
type Partial interface {
	// Unplayed says in words which are left out.
	Unplayed() []string
}

// UnplayedOf says in words which rules of its book a game leaves out.
func UnplayedOf(g Game) []string {
	if p, ok := g.(Partial); ok {
		return p.Unplayed()
	}
	return nil
}

// Lasting is a Game some of whose orders, beside standing orders, hold on under a later
// sheet that says nothing to them: those for the other side's phases.
type Lasting interface {
	// Lasts tells it of a side's orders, by the name of the answer in a [Filing].
	Lasts(side Side, answer string) bool
}

// Falling are the orders of a side's filed answers that a sheet in their place drops unless
// it repeats them.
func Falling(g Game, side Side, answers map[string]string) []string {
	falling := []string{}
	for name, answer := range answers {
		if l, ok := g.(Lasting); ok && l.Lasts(side, name) {
			continue
		}
		falling = append(falling, answer)
	}
	return falling
}

// Zoner is a Game that can say which hexes lie in zones of control, from what a
// View's reader knows.
type Zoner interface {
	Zones(v *view.View) ([]view.Zone, error)
}

// Observer is a Game with lines of sight, which can say what the reader of a View
// looks at.
type Observer interface {
	Lookout(v *view.View) (*view.Lookout, error)
}

// Supplier is a Game with lines of supply, which can say to which hexes those of a View's side
// lead, as its reader may reckon them. The hexes ascend.
type Supplier interface {
	Supply(v *view.View) ([]hex.Hex, error)
}

// Storyteller is a Game whose reports are told short: an item with all that it tells of, as
// the reader of a View may know it, in a line or a few. The long form stays below the proofs'
// line.
type Storyteller interface {
	Brief(v *view.View, told []view.Said) view.Brief
}

// Phase is a step of the sequence of play.
type Phase struct {
	Turn   int    // from 1
	Number int    // within the turn, from 1
	Name   string // "Movement of the Soviets"
	Label  string // "turn 3 phase 4": names the phase in dice and journal
	Side   Side   // whose phase it is; "" if both sides'
	Date   string // "14 May 1942"
	Over   bool   // the game has ended; there is no such phase
}

// Outcome is what a pass over a phase produced.
type Outcome struct {
	// Position is the one after the phase. With Pending it is as the questions find
	// it, in the midst of the phase: for views only, never to go on from.
	Position []byte
	Journal  []Entry
	Events   []view.Event
	Pending  []Decision
}

// Filing is a checked sheet: what stands and what does not.
type Filing struct {
	Lines []Line
	// Answers holds, for each kind of turn decision and of filed decision (or the
	// entry that a decision names), the accepted orders as the answer to it. An
	// entry that is there and empty says "nothing"; one that is missing says nothing.
	Answers map[string]string
	// Done tells that the sheet ends the side's turn.
	Done bool
	// Notes say in sentences how the sheet as a whole was judged.
	Notes []string
	// Preview draws up the sender's View with their units where the moves would leave
	// them; nil where there is none. Few sheets are looked at that way.
	Preview func() *view.View `json:"-"`
}

// NewFiling is that of a sheet of which no order is judged yet.
func NewFiling(sheet *orders.Sheet) *Filing {
	return &Filing{Answers: map[string]string{}, Done: sheet.Done}
}

// Accept notes an order that stands.
func (f *Filing) Accept(o orders.Order, understood, warning string) {
	f.Lines = append(f.Lines, Line{Pos: o.Pos, Text: o.String(), Understood: understood, Warning: warning})
}

// Refuse notes an order that does not stand, and at which of its words.
func (f *Filing) Refuse(o orders.Order, v *rule.Violation) {
	f.Lines = append(f.Lines, Line{Pos: o.Pos, At: o.Place(v.Col), Text: o.String(), Refused: v})
}

// Line is the verdict on one order of a sheet.
type Line struct {
	Pos        orders.Pos
	Part       int        // from 1: of the orders that the line stands for
	At         orders.Pos // of a refusal: the word that is at fault, or Pos
	Text       string     // as the player wrote it, canonical
	Understood string     // how it was read, with cost and path
	Refused    *rule.Violation
	Warning    string // it stands, but the player should look
	// Asks tells that the order is for a question in the midst of orders, which a game may not put.
	Asks bool
	// Doubt tells that the warning is of a duty left open or of units that will be lost: a
	// finished sheet with it waits until its writer has looked.
	Doubt bool
}

// Accepted counts the orders that stand and those that do not.
func (f *Filing) Accepted() (stand, refused int) {
	for _, l := range f.Lines {
		if l.Refused != nil {
			refused++
		} else {
			stand++
		}
	}
	return stand, refused
}
