// Package view is what one side may know of a game: the only thing that reports,
// maps, automatic players and the check of orders are made from. A system fills
// a View from nothing; nobody ever strips a position. Its JSON is the view.json
// that travels with every report. It knows no game.
package view

import (
	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
)

// Format is the version of the JSON layout, raised when a field changes its meaning.
const Format = 1

// View is a side's knowledge of a position.
type View struct {
	Format   int    `json:"format"`
	Game     string `json:"game,omitempty"` // set by the umpire
	System   string `json:"system"`
	Scenario string `json:"scenario"`
	Title    string `json:"title"`
	Side     string `json:"side"`

	Turn  int    `json:"turn"`  // from 1
	Turns int    `json:"turns"` // of the whole scenario
	Date  string `json:"date"`  // "14 May 1942"
	Phase string `json:"phase"` // the phase that comes next, in words
	Mover string `json:"mover"` // whose player-turn it is
	// Rules are those that the position stands under; set by the umpire.
	Rules *Rules `json:"rules,omitempty"`
	// Reply is what the umpire awaits from the side, and how it is answered; set by the umpire.
	Reply *Reply `json:"reply,omitempty"`
	// Story is what the report with the view tells; set by the umpire.
	Story *Story `json:"story,omitempty"`
	// Due names the turn decisions that wait for this side, "" entries never.
	Due []string `json:"due,omitempty"`
	// Asked are the questions that the game waits for this side to answer.
	Asked []Question `json:"asked,omitempty"`
	// Programmes are those that the side filed for its chits for the last turn, as sections of a sheet.
	Programmes []string `json:"programmes,omitempty"`
	// Begun is the position as the phase began in whose midst the side is asked: orders beside the
	// answers are judged by it. It has no Board of its own. Nil where nothing is asked.
	Begun *View `json:"begun,omitempty"`
	// Acting is the activation in whose midst the side is asked for the rest of its orders; nil
	// where it is not.
	Acting *Acting `json:"acting,omitempty"`
	// Midst is, of a position as a phase began by which a sheet is judged, the View in the midst of
	// the phase if that has such an activation: orders for the rest of it are judged by that one.
	Midst *View `json:"-"`
	// Verdict is empty while the game goes on.
	Verdict string `json:"verdict,omitempty"`
	Winner  string `json:"winner,omitempty"`
	// Air is the air war to come; nil where a game has none.
	Air *Air `json:"air,omitempty"`

	Score      []Score     `json:"score"`
	Objectives []Objective `json:"objectives"`
	Units      []Unit      `json:"units"`    // own, on the map
	Arrivals   []Unit      `json:"arrivals"` // own, not on the map yet
	Lost       []Unit      `json:"lost"`     // own, eliminated
	// Allies are units on the map whom another player of the same side orders.
	Allies  []Unit   `json:"allies,omitempty"`
	Enemy   []Stack  `json:"enemy"`
	Forts   []Fort   `json:"forts"`
	Bridges []Bridge `json:"bridges"`
	Assets  []Asset  `json:"assets,omitempty"` // own, to be spent
	// Crowded are own hexes with more steps than a hex may hold.
	Crowded []Crowd `json:"crowded,omitempty"`
	// Choices are what the side may choose in its set-up, before the first turn.
	Choices []Choice `json:"choices,omitempty"`
	// Options are the game's options that differ from the default.
	Options map[string]string `json:"options,omitempty"`
	// Pontoons are bridges that troops have laid.
	Pontoons []Pontoon `json:"pontoons,omitempty"`
	// Control holds one string a row of hexes like the board's Rows: the first
	// letter of the controlling side, "." for nobody, a blank off the map.
	Control []string `json:"control"`
	// Facts are what else both sides know of the moment: weather, ground, aircraft.
	Facts []Fact `json:"facts,omitempty"`
	// Chits is the cup of a game with activation chits.
	Chits *Chits `json:"chits,omitempty"`

	Board *board.Board `json:"board"`

	// Leads says, of an own unit by its id, under which other commander it is: an
	// order that names it is refused. Nil, or "": whoever wrote the sheet leads it.
	// Where a side has several commanders the umpire sets it to have a sheet checked.
	Leads func(unit string) string `json:"-"`
}

// Rules says by what a sheet for the position is judged. Who has others cannot say what the
// umpire will answer.
type Rules struct {
	Program string `json:"program"` // that wrote the view
	Version string `json:"version"` // of the system's rules, as the game was begun
	// Scenario is the SHA-256 of the scenario's files, those of folders laid over it
	// included, in hexadecimal digits.
	Scenario string `json:"scenario"`
	// Options are the options of the game that its rules know, by name.
	Options map[string]string `json:"options,omitempty"`
}

// Reply says how the report with the view is answered.
type Reply struct {
	Report  int    `json:"report"`  // its number among the side's; 0 before the first
	To      string `json:"to"`      // the umpire's address
	Subject string `json:"subject"` // for a mail with a sheet
	Turn    int    `json:"turn"`    // of the side's next sheet
	Serial  int    `json:"serial"`  // the lowest that it may have
	// Modes are what the MODE line may begin with, Asks the kinds of questions that MODE: ASK
	// may name, nil where nothing is asked.
	Modes []string `json:"modes"`
	Asks  []string `json:"asks,omitempty"`
	// Until is when what is due must be there, in UTC as in RFC 3339; "" without a deadline.
	Until string `json:"until,omitempty"`
	// SecondLook tells that a finished sheet is held if something of it needs a second look.
	SecondLook bool `json:"second_look,omitempty"`
	// InPlay tells that the side's orders for the turn are being played: a sheet with others
	// is not filed, only answers and lines of the head count.
	InPlay bool `json:"in_play,omitempty"`
	// Round is that of the public beacon from which the dice of what is due come, unless the
	// deadline is moved; 0 in games without one.
	Round uint64 `json:"round,omitempty"`
}

// Question is a reaction that the side wants to decide itself. It is answered by
// a line "LABEL: ANSWER" in the ANSWER section of a signed sheet.
type Question struct {
	Label   string      `json:"label"`
	Kind    string      `json:"kind"`
	Clause  rule.Clause `json:"clause,omitempty"`
	Options []Option    `json:"options,omitempty"` // nil: the answer is an order section
	// Proposal is what holds without an answer, Source whose choice that is, Why
	// what a side that asks only then was waiting for.
	Proposal string `json:"proposal,omitempty"`
	Source   string `json:"source,omitempty"`
	Why      string `json:"why,omitempty"`
}

// Option is one legal answer and what it means.
type Option struct {
	Answer string `json:"answer"`
	Means  string `json:"means"`
}

// Now is the View by which orders are judged: that in the midst of a phase where the side is asked for
// the rest of an activation, with what its sender leads.
func (v *View) Now() *View {
	if v.Midst == nil || v.Midst.Acting == nil {
		return v
	}
	now := *v.Midst
	now.Leads, now.Midst = v.Leads, nil
	return &now
}

// Acting is the activation of a chit that waits for the rest of its orders, and what it has come to.
// What its units have done is said in words of the system's own.
type Acting struct {
	Side  string `json:"side"`
	Chit  string `json:"chit"`
	Label string `json:"label"`        // of the question
	HQ    string `json:"hq,omitempty"` // id of the headquarters that activates; "" for none
	// Over are the parts of it that are over: "movement", "attacks", "overruns"; AttackFirst tells
	// that its attacks come before its movement.
	Over        []string  `json:"over,omitempty"`
	AttackFirst bool      `json:"attack_first,omitempty"`
	Drawn       int       `json:"drawn,omitempty"` // how often the chit has been drawn in the turn
	Steps       int       `json:"steps,omitempty"` // that its side had as it began
	Lost        int       `json:"lost,omitempty"`  // that it has cost its side
	Took        []hex.Hex `json:"took,omitempty"`  // where its attacks have left nobody of the enemy
	Guns        int       `json:"guns,omitempty"`  // artillery markers that are left
	Units       []Deed    `json:"units,omitempty"` // those that it has to do with
}

// Deed is what a unit has done in an activation.
type Deed struct {
	Unit  string   `json:"unit"`            // its id
	Spent int      `json:"spent,omitempty"` // of its movement allowance
	Did   []string `json:"did,omitempty"`
	Begun hex.Hex  `json:"begun,omitempty"` // where it stood as the movement began
	Stood hex.Hex  `json:"stood,omitempty"` // and as the fighting did,
	Foes  int      `json:"foes,omitempty"`  // with enemies beside it in these directions, as bits
}

// Crowd is an own hex with more steps than a hex may hold.
type Crowd struct {
	Hex   hex.Hex `json:"hex"`
	Steps int     `json:"steps"`
	// MayStay is how many of them may stay while nobody comes in: all, where the set-up
	// has the stack so large.
	MayStay int `json:"may_stay"`
	// Loses names who loses steps if nobody leaves, a name for each step.
	Loses []string `json:"loses,omitempty"`
}

// Fact is a public circumstance.
type Fact struct {
	Name string `json:"name"` // a key in small letters: "weather"
	Text string `json:"text"`
	// Numbers are the figures that the text says, in the order that its name has in the rules.
	Numbers []int `json:"numbers,omitempty"`
}

// Figures are the figures of a public circumstance, nil if there is none of the name.
func (v *View) Figures(name string) []int {
	for _, f := range v.Facts {
		if f.Name == name {
			return f.Numbers
		}
	}
	return nil
}

// Fact is the text of a public circumstance, "" if there is none of the name.
func (v *View) Fact(name string) string {
	for _, f := range v.Facts {
		if f.Name == name {
			return f.Text
		}
	}
	return ""
}

// Chits is the cup of activation chits as a side knows it.
type Chits struct {
	Groups []ChitGroup `json:"groups"`
	Played []Chit      `json:"played,omitempty"` // in this turn, in order
}

// ChitGroup is the chits of a side or a front.
type ChitGroup struct {
	Name string `json:"name"`
	Side string `json:"side"`
	// Draws is how many are drawn in the turn, Left how many of them are to come.
	Draws int `json:"draws"`
	Left  int `json:"left"`
	// Own lists the chits that may go in, or once they are in those in the cup; only
	// of the side's own groups.
	Own []string `json:"own,omitempty"`
}

// Chit is a chit that was drawn: whose headquarters it names.
type Chit struct {
	Name string `json:"name"`
	Side string `json:"side"`
}

// Air is what a side knows of the air war.
type Air struct {
	Phases []AirPhase `json:"phases"`          // the next ones, in order
	Flown  []Mission  `json:"flown,omitempty"` // own missions that still last
}

// AirPhase is a phase in which both sides send their aircraft.
type AirPhase struct {
	Turn  int    `json:"turn"`
	Phase int    `json:"phase"`
	Date  string `json:"date"`
	// Strength is the strength of the sides on that day, Left what of our own is
	// not used yet.
	Strength []Score `json:"strength"`
	Left     int     `json:"left"`
	// Ready are the own air counters of which Choice may still fly on that day.
	Ready  []string `json:"ready,omitempty"`
	Choice int      `json:"choice,omitempty"`
}

// Choice is a unit whose beginning the book leaves to its owner: one of the hexes,
// the first if they say nothing, and of the steps of its entry some.
type Choice struct {
	Unit  string    `json:"unit"`
	Hexes []hex.Hex `json:"hexes"`
	Steps int       `json:"steps"` // as printed
	Most  int       `json:"most"`
}

// Mission is an air mission of the side.
type Mission struct {
	Kind     string    `json:"kind"`
	Hex      hex.Hex   `json:"hex"`
	Edge     *hex.Edge `json:"edge,omitempty"` // the bridge that it is for
	Strength int       `json:"strength"`
	Counters string    `json:"counters,omitempty"` // the air counters that fly it, parted by commas
	White    int       `json:"white,omitempty"`    // how many of them have a white star
}

// Score is a side's victory points at this moment.
type Score struct {
	Side   string `json:"side"`
	Points int    `json:"points"`
	Note   string `json:"note,omitempty"`
}

// Asset is something that a side may spend.
type Asset struct {
	Kind  string  `json:"kind"`           // in words: "ammunition units"
	Name  string  `json:"name,omitempty"` // of one that has a name of its own, which Kind says too
	Hex   hex.Hex `json:"hex,omitempty"`
	Count int     `json:"count"`
	// Left is in how many phases of its kind it may still be used, 0 where that
	// does not end; Turn and Phase are when it was won.
	Left  int `json:"left,omitempty"`
	Turn  int `json:"turn,omitempty"`
	Phase int `json:"phase,omitempty"`
}

// Objective is a hex that the victory conditions name.
type Objective struct {
	Hex    hex.Hex `json:"hex"`
	Name   string  `json:"name"`
	Points int     `json:"points"`
	Owner  string  `json:"owner"` // side, or "" for nobody
}

// Unit is everything its owner knows of a unit of their own. Strengths are in
// strength points as the unit stands now; Moves is its full allowance.
type Unit struct {
	ID        string  `json:"id"`
	Name      string  `json:"name"` // the short name on map, report and in orders
	Formation string  `json:"formation,omitempty"`
	Parent    string  `json:"parent,omitempty"`
	Nation    string  `json:"nation"`
	Type      string  `json:"type"`  // INF, ARM ...
	Size      string  `json:"size"`  // D, BR, R, B, C, CORPS or -
	Class     string  `json:"class"` // foot, trucked, tracked
	Hex       hex.Hex `json:"hex,omitempty"`
	Attack    int     `json:"attack"`
	Defence   int     `json:"defence"`
	Printed   int     `json:"printed"` // strength points of the counter's full side
	Moves     int     `json:"moves"`
	Steps     int     `json:"steps"`
	MaxSteps  int     `json:"max_steps"`
	// OutOfSupply is the level, 0 in supply.
	OutOfSupply int `json:"oos,omitempty"`
	// Supply is the system's word for that level, empty where it has none.
	Supply string `json:"supply,omitempty"`
	// Full is the strengths in supply, such as 9/7, where less counts now.
	Full         string `json:"full,omitempty"`
	Disorganized bool   `json:"disorganized,omitempty"`
	Retreated    bool   `json:"retreated,omitempty"`
	// Due and Entry tell of an arrival: the date in words, and the zones, place or hex.
	Due   string   `json:"due,omitempty"`
	Turn  int      `json:"due_turn,omitempty"` // of that date; 0 if conditional
	Ready bool     `json:"ready,omitempty"`    // may enter in the next own movement
	Entry []string `json:"entry,omitempty"`
	// Waits tells that the date counts only when a condition is met, which Due says; Left is
	// the zone or hex by which the unit has left the map.
	Waits bool   `json:"waits,omitempty"`
	Left  string `json:"left,omitempty"`
	// Note is a remark for the owner ("not played yet in this version").
	Note string `json:"note,omitempty"`
	// Marks are the markers on it ("pinned", "debarked"), Aboard the id of the unit
	// that carries it.
	Marks  []string `json:"marks,omitempty"`
	Aboard string   `json:"aboard,omitempty"`
	Stars  []string `json:"stars,omitempty"`
	// Gun is the set-up of a towed gun: "firing" or "transport".
	Gun string `json:"gun,omitempty"`
	// Silent is for how many Combat Phases a gun does not fire after a barrage.
	Silent int `json:"silent,omitempty"`
	// Camp and Work are of a headquarters: where it stood when its last supply
	// phase ended, and the bridge that it builds.
	Camp hex.Hex `json:"camp,omitempty"`
	// Range is the activation range of a headquarters; Support its artillery markers.
	Range   int `json:"range,omitempty"`
	Support int `json:"support,omitempty"`
	// Activated: has acted in this turn of a game with chits.
	Activated bool `json:"activated,omitempty"`
	// Card is what is printed on the counter, in games with unit cards.
	Card *Card     `json:"card,omitempty"`
	Work *hex.Edge `json:"work,omitempty"`
}

// Stack is what the side knows of the enemy in one hex.
type Stack struct {
	Hex    hex.Hex `json:"hex"`
	Side   string  `json:"side"`
	Fort   string  `json:"fort,omitempty"`   // FF, IF, FP as visible on the map
	Seen   string  `json:"seen,omitempty"`   // date of the last contact report
	Units  []Sight `json:"units,omitempty"`  // what that report said
	Closer bool    `json:"closer,omitempty"` // in contact now: the report is of this moment
}

// Sight is one enemy unit as a contact report describes it. Steps is 0 and
// Name empty where they are not told.
type Sight struct {
	Name   string `json:"name,omitempty"`
	Nation string `json:"nation,omitempty"`
	Type   string `json:"type"`
	Size   string `json:"size,omitempty"` // where the rules show it
	Steps  int    `json:"steps,omitempty"`
	// Values are the figures on its counter as it stands, such as 5/6-5, where they are told.
	Values string `json:"values,omitempty"`
	// OutOfSupply is the level where that is public, Supply the system's word for it.
	OutOfSupply int    `json:"oos,omitempty"`
	Supply      string `json:"supply,omitempty"`
	// Full is the strengths in supply, such as 9/7, where Values shows less, which counts.
	Full string `json:"full,omitempty"`
	// Marks are the markers on it that can be seen.
	Marks []string `json:"marks,omitempty"`
	// Card is what is printed on the counter, where it is known which one it is.
	Card *Card `json:"card,omitempty"`
}

// Card is what is printed on a counter, whatever has become of its unit. Ranges are in hexes, 0
// for none.
type Card struct {
	Faces     []string `json:"faces"`               // attack-defence-moves by steps left, the full side first
	Kind      string   `json:"kind,omitempty"`      // of unit, in words
	Moves     string   `json:"class,omitempty"`     // the column of the terrain chart by which it moves
	Direct    int      `json:"direct,omitempty"`    // range of direct fire
	Artillery int      `json:"artillery,omitempty"` // range of guns
	Activates int      `json:"activates,omitempty"` // within how many hexes a headquarters activates
	Support   int      `json:"support,omitempty"`   // artillery markers of a headquarters
	Flak      int      `json:"flak,omitempty"`      // dice against aircraft
	Marks     []string `json:"marks,omitempty"`     // what else it shows
}

// Fort is a fortification that stands on the map.
type Fort struct {
	Hex  hex.Hex `json:"hex"`
	Kind string  `json:"kind"` // FF, IF ...
	Side string  `json:"side"`
	// Face is the hexside in the middle of its front, 1 to 6 clockwise from the top, and
	// Sides how many hexsides the front has; 0 or 6: all round.
	Face  int `json:"face,omitempty"`
	Sides int `json:"sides,omitempty"`
}

// Pontoon is a pontoon bridge on a hexside, or in a river hex.
type Pontoon struct {
	Edge hex.Edge `json:"edge,omitzero"`
	Hex  hex.Hex  `json:"hex,omitempty"`
	Done bool     `json:"done,omitempty"` // else under construction
	Side string   `json:"side"`
}

// Bridge is a bridge that exists or existed.
type Bridge struct {
	Edge   hex.Edge `json:"edge"`
	Stands bool     `json:"stands"`
	Side   string   `json:"side,omitempty"` // who controls it
}

// Zone is the zone of control of a side, as the reader of a View may reckon it.
type Zone struct {
	Side  string    `json:"side"`
	Hexes []hex.Hex `json:"hexes"`
}

// Lookout is what a side looks at: the hexes in a line of sight of its units, and its
// lines to the enemy, as the reader of a View may reckon them.
type Lookout struct {
	Side  string
	Hexes []hex.Hex
	Lines []SightLine
}

// SightLine leads from an own unit's hex to an enemy stack's.
type SightLine struct {
	From, To hex.Hex
	Clear    bool // else the stack is not seen as it stands: something is in the way
}

// Wording is how a system says its events: a text/template for each Kind, with
// the facts as fields ({{.unit}}). A line that begins with two blanks is detail
// below the headline; an event whose text begins so is told below the one before
// it. A kind with an entry KIND:all is told as a list behind that heading. Dice are told as "dice 4 1 (LABEL)", which verify reads.
type Wording map[string]string
