package steppe

import (
	"fmt"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/view"
)

// Side is a side of the game, in capitals.
type Side = adjudicator.Side

// The sides.
const (
	German Side = "GERMAN"
	Soviet Side = "SOVIET"
)

// Command is a colour of counters: who may be activated and attack together.
//
// Steppe 2.3/2
type Command string

// The commands.
const (
	Army      Command = "army"
	SS        Command = "ss"
	Hungarian Command = "hungarian"
	Voronezh  Command = "voronezh"
	Southwest Command = "southwest"
)

var commandTitles = map[Command]string{Army: "German Army", SS: "SS", Hungarian: "Hungarian",
	Voronezh: "Voronezh Front", Southwest: "Southwest Front"}

// title is the command in words.
func (c Command) title() string {
	return commandTitles[c]
}

// pool is the group of chits and aircraft that the command draws from.
//
// Steppe 2.6/3
// Steppe 2.3/9
func (c Command) pool() string {
	switch c {
	case Voronezh:
		return poolVoronezh
	case Southwest:
		return poolSouthwest
	}
	return poolGerman
}

// The groups of chits and aircraft.
const (
	poolGerman    = string(German)
	poolVoronezh  = "VORONEZH"
	poolSouthwest = "SOUTHWEST"
)

// pools are they in their fixed order.
var pools = [3]string{poolGerman, poolVoronezh, poolSouthwest}

// poolSide is the side of a pool.
func poolSide(pool string) Side {
	if pool == poolGerman {
		return German
	}
	return Soviet
}

// Type is what a counter's symbol says.
type Type string

// The unit types.
const (
	INF  Type = "INF"
	SEC  Type = "SEC"
	SKI  Type = "SKI"
	ARM  Type = "ARM"
	MECH Type = "MECH"
	MOT  Type = "MOT"
	CAV  Type = "CAV" // armored cavalry
	HQ   Type = "HQ"
)

// Ratings are the figures on a side of a counter.
//
// Steppe 2.3/3
type Ratings struct{ Attack, Defence, Moves int }

// Counter is what is printed on a unit's counter. It never changes.
type Counter struct {
	ID      string
	Name    string // short name on map, report and in orders; unique in its side
	Printed string // number or word on the counter
	Side    Side
	Command Command
	Type    Type
	Size    string
	// Faces are the figures by steps left, Faces[0] with one step. Of a red-sash unit
	// the last Red faces are its own, those before its white-sash successor's.
	//
	// Steppe 7.2/1
	Faces     []Ratings
	Red       int
	Mech      bool // may overrun (9.3)
	Motorized bool // column of the terrain chart
	AT        bool // an anti-tank gun (13.0)
	KG        bool // a Kampfgruppe of the pool (14.0)
	Artillery int  // of a headquarters: support markers
	Range     int  // of a headquarters: activation range

	key   string     // the name, squeezed
	shown *view.Card // what is printed on it, which Views share
}

// Steps is the number of steps at full strength.
//
// Steppe 7.1/2
func (c *Counter) Steps() int { return len(c.Faces) }

// Terrain is a line of the terrain chart.
type Terrain struct {
	Name             string
	Motorized, Other int
	Shift            int // columns to the left
	Overrun          bool
}

// The lines of the terrain chart that the rules name.
const (
	clear       = "clear"
	heavyWoods  = "heavy-woods"
	marsh       = "marsh"
	town        = "town"
	city        = "city"
	minorRiver  = "minor-river"
	majorRiver  = "major-river"
	majorBridge = "major-bridge"
	minorBridge = "minor-bridge"
)

// Result is a cell of the Combat Results Table.
type Result struct {
	ALoss, DLoss int // steps
	Retreat      int // hexes, of the defender
	Text         string
}

// Placement is a line of the set-up.
type Placement struct {
	Counter string
	Hex     hex.Hex
	Steps   int
}

// Arrival is a reinforcement.
type Arrival struct {
	Counter string
	Turn    int
	Zone    string
	Steps   int
}

// AirArrival is air units that come on a turn; turn 0 is the set-up.
type AirArrival struct {
	Turn          int
	Pool          string
	Fighters, CAS int
}

// Objective is a Victory Point location.
//
// Steppe 16.0/3
type Objective struct {
	Hex   hex.Hex
	Name  string
	First Side // who controls it at the start
}

// Zone is an entry zone and source of supply.
type Zone struct {
	ID    string
	Side  Side
	Hexes []hex.Hex
}

// Switches settle where the book can be read in two ways.
type Switches struct {
	HQPoints              int  `toml:"hq_vp"`
	WikingUnderArmy       bool `toml:"wiking_under_army"`
	OverrunThenMove       bool `toml:"overrun_then_move"`
	DogfightNeedsBoth     bool `toml:"dogfight_needs_both"`
	TieUnescortedCASStays bool `toml:"tie_unescorted_cas_stays"`
}

// Scenario is everything that the files of a scenario say.
type Scenario struct {
	ID          string
	Title       string
	First, Last int // turns
	Winner      Side
	Margin      int    // points that it must be ahead by
	winBy       string // the option by which that is so, "" for none
	Note        string
	Dates       []string // by turn, from 1
	Board       *board.Board
	Terrain     map[string]Terrain
	Columns     []string // of the Combat Results Table
	Combat      [13][]Result
	Weather     [2][7]string     // turns 1-4 and 5-8, by die
	Chits       []map[string]int // by turn, from 1
	Counters    []Counter        // sorted by ID
	Setup       []Placement
	Arrivals    []Arrival
	Air         []AirArrival
	Objectives  []Objective
	Zones       []Zone
	Switches    Switches
	Fog         adjudicator.Fog // what the players agreed on; "" is the rulebook's: all is open
	AsOf        int             // the version of the rules that the game was begun under, 0 for the present one

	byID   map[string]*Counter
	byName map[Side]map[string]string // ids by squeezed name
	rolls  *phrase.Rolls              // the names that orders may call units by
	land   *land
}

// Sides of every scenario: the Soviets hold the initiative in name only, who
// begins is drawn.
//
// Steppe 17.2/1
// Steppe 17.9/1
// Steppe 17.16/1
func (sc *Scenario) sides() [2]Side { return [2]Side{Soviet, German} }

// other is the enemy of a side.
func other(s Side) Side {
	if s == German {
		return Soviet
	}
	return German
}

// sideIndex is 0 for the Soviets, 1 for the Germans.
func sideIndex(s Side) int {
	if s == Soviet {
		return 0
	}
	return 1
}

// date is the days of a turn.
func (sc *Scenario) date(turn int) string {
	if turn < 1 || turn > len(sc.Dates) {
		return fmt.Sprintf("turn %d", turn)
	}
	return sc.Dates[turn-1]
}
