package famous

import (
	"sync"
	"sync/atomic"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/view"
)

// Side is a side of the game, in capitals.
type Side = adjudicator.Side

// Class is how a unit moves.
//
// GD 9.0/5
type Class uint8

// The movement classes.
const (
	Leg Class = iota
	Tracked
	Wheeled
)

var classNames = [3]string{"leg", "tracked", "wheeled"}

func (c Class) String() string { return classNames[c] }

// Cost is an amount of movement points in twelfths.
type Cost int32

// One is a whole movement point.
const One Cost = 12

// Price is what the terrain chart asks of a class: points, half or all of the
// printed allowance, or nothing that could be paid.
//
// GD 9.0/6
type Price struct {
	Points Cost
	Halves int8 // how many times half the printed allowance
	All    bool // all of it
	Closed bool // NA
}

// plus adds two prices.
func (p Price) plus(q Price) Price {
	return Price{p.Points + q.Points, p.Halves + q.Halves, p.All || q.All, p.Closed || q.Closed}
}

// dearer tells whether p is worse than q for a unit of any allowance.
func (p Price) dearer(q Price) bool {
	rank := func(p Price) int {
		switch {
		case p.Closed:
			return 1 << 20
		case p.All:
			return 1 << 19
		}
		return int(p.Halves)<<10 + int(p.Points)
	}
	return rank(p) > rank(q)
}

// Terrain is a line of the terrain chart.
type Terrain struct {
	Name   string
	Use    string // board.UseBase, UseWater, UseHexside or UseRoad
	Price  [3]Price
	DRM    int
	Blocks bool // the black triangle
}

// FortType is a line of the table of fortifications.
//
// GD 15.0/4
type FortType struct {
	Name  string
	DRM   int
	Extra [3]Price
	Sides int // hexsides that it faces, 6 all round
}

// Counter is what is printed on a unit's counter. It never changes.
//
// GD 2.3/2
type Counter struct {
	ID, Name  string
	Side      Side
	Battalion string // the colour: which headquarters activates it
	Kind      string // its line in kinds.tsv
	Size      string // "P" platoon, "C" company, "B" battalion, "D" division
	Class     Class
	Full      Values
	Reduced   Values // of the reverse; zero if there is one step
	TwoSteps  bool
	Artillery int // white triangle, 0 for none
	Direct    int // black triangle, 0 for none
	Command   int // activation range of a headquarters
	HQ        bool
	Division  bool
	Engineer  bool
	Raft      bool
	AA        int // dice of 10.7: 2, or 3 for light ones; 0 for none
	Flak      bool
	Ersatz    bool
	side      int8       // index in Scenario.Sides
	face      *view.Card // made once: every View shows it
	// upper is the name in capitals, base its part before the battalion.
	upper, base string
}

// Values are the three numbers of a side of a counter.
type Values struct{ Attack, Defence, Move int }

// Steps is the number of steps at full strength.
func (c *Counter) Steps() int {
	if c.TwoSteps {
		return 2
	}
	return 1
}

// Colour is that of an event chit.
type Colour string

// The colours.
const (
	blue  Colour = "blue"
	red   Colour = "red"
	black Colour = "black"
)

// Event is a kind of event chit.
//
// GD 10.3/4
type Event struct {
	Name    string
	Colour  Colour
	DRM     int
	Cancels string // an event, or a fortification
	NoNight bool
	Copies  int
}

// aircraft: the chit is an attack from the air.
func (e *Event) aircraft() bool { return e.Name == "Airstrike" || e.Name == "Strafing" }

// Weather is a line of the weather table.
//
// GD 14.0/2
// GD 14.1/1
type Weather struct {
	Name        string
	Half        bool
	DRM         int
	Fire        bool // direct fire is possible
	FireDie     int  // added to each of its dice
	Air         bool // Airstrike and Strafing count
	Pontoons    bool
	Replacement int
}

// DayPart is one of the four turns of a day.
//
// GD 3.0
type DayPart struct {
	Name    string
	Half    bool
	Dice    int
	DRM     int
	Fire    bool
	FireDie int
	Events  bool // chits marked No Night count
}

// TurnBox is a box of the turn track.
type TurnBox struct {
	Day     int
	Part    DayPart
	Weather int // added to the weather die
}

// Placement is a line of the set-up.
type Placement struct {
	Counter string
	Area    string    // as the book says it
	Hexes   []hex.Hex // where it may stand, ascending
	Default hex.Hex   // None: off the map
	Begins  beginning
}

// beginning is a state in which a unit begins; "" is none.
type beginning string

// The beginnings.
const (
	beginsDepleted beginning = "depleted"
	beginsOnRoad   beginning = "road" // with a Road Move marker
)

// Arrival is a reinforcement.
type Arrival struct {
	Counter   string
	Entry     []string // letters
	Together  bool     // one of them for all of the battalion
	Turn      int
	Condition string
}

// Objective is a place that makes points for the side that occupied it last.
type Objective struct {
	Name   string
	Hexes  []hex.Hex
	Points int
	Count  int  // so many hexes make the points; 0 for Each
	Each   bool // every hex makes them
	Enemy  bool // the enemy's occupation counts (and Points are negative)
}

// RoadPoints are points that need free roads: units led off the map (18.3), or
// units beside entry hexes (19.3).
type RoadPoints struct {
	Side    Side
	Zones   []string
	RoadsTo []string
	Points  int
}

// Grade is the winner from so many points up.
type Grade struct {
	Points int
	Winner Side // "" for a draw
}

// FortGrant is fortification chits that a side sets up.
type FortGrant struct {
	Side    Side
	Kind    int      // index in Scenario.Forts
	With    []string // names of units, one of which must be in the hex; nil for any
	Default []hex.Hex
	Face    hex.Dir
}

// Switches say how the rules are read where the text leaves a choice.
type Switches struct {
	BridgeThreeDice  bool `toml:"bridge_three_dice"`
	APMinimumOne     bool `toml:"ap_minimum_one"`
	DrawnByOpponent  bool `toml:"drawn_by_opponent_aa"`
	OutRoundUp       bool `toml:"out_of_supply_round_up"`
	HidePresence     bool `toml:"hide_presence"`
	NightGunAdjacent bool `toml:"night_barrage_gun_adjacent"`
	ErsatzExtra      bool `toml:"ersatz_extra"`
	BrummbarEngineer bool `toml:"brummbar_engineer"`
	RidersStack      bool `toml:"riders_stack"`
}

// OffMap is artillery that stands beside the map.
//
// GD 18.4/5
type OffMap struct {
	Battalion string
	Side      Side
	Hex       hex.Hex // from which its range is counted
	Shorter   int
}

// Scenario is everything that the files of a scenario say.
type Scenario struct {
	ID, Title   string
	Year, Month int
	Sides       [2]Side // the one that sets up first, first
	Names       [2]string
	SetupOrder  [2]Side
	FirstSide   Side
	FirstChits  int
	Scorer      Side
	Board       *board.Board
	Terrain     map[string]*Terrain
	Forts       []FortType
	Combat      [13][8]result // by net dice and column
	WeatherBy   [7]Weather    // by die
	Track       []TurnBox     // of turn 1 first
	Events      []Event
	Hand        [2][]string // black chits from the start, by side
	Cup         [2]CupSize
	Counters    []Counter // sorted by ID
	Setup       []Placement
	Arrivals    []Arrival
	Grants      []FortGrant
	Objectives  []Objective
	Exits       []RoadPoints
	Beside      []RoadPoints
	Grades      []Grade
	Condition   struct{ Key, Text string }
	Off         OffMap
	Silent      map[Side]string // battalion whose guns do not fire before their first activation
	Switches    Switches
	chosen      map[string]string // options of the game that differ from the default
	asOf        int               // the version of the rules that the game was begun under, 0 for the present one
	Fog         adjudicator.Fog   // what the players agreed on; "" is the rulebook's

	byID    map[string]int          // of Counters
	named   [2]map[string]*Counter  // by side and whole name
	written [2]map[string]*Counter  // by side and name as it stands on the counter
	rolls   *phrase.Rolls           // the names that orders may call units by
	arrival map[string]int          // of Arrivals, by counter
	ground  []ground                // by hex index
	edges   []side                  // by hex index*6+direction
	clear   *Terrain                // open ground
	cubes   []cube                  // where each hex lies, by hex index
	sight   []atomic.Pointer[hexes] // what is seen from each hex, by hex index; drawn when asked for
	fields  *sync.Pool              // of *field, cleared: searches that are over
}

// CupSize is how many chits of each colour begin in a side's cup.
type CupSize struct{ Blue, Red, Black int }

// ground is what the chart says of a hex.
type ground struct {
	on, major, blocks, peak, city bool
	price                         [3]Price
	drms                          []int // of each kind of terrain that has one
}

// side is what the chart says of a hexside, from one of its hexes.
type side struct {
	to      int // index of the hex beyond, -1 off the map
	water   *Terrain
	barrier barrier // what kind of water it is
	road    *Terrain
	bridge  bool
	major   bool // one of the hexes is a major river
}

// barrier is what lies along a hexside, as far as it matters how it is crossed.
type barrier uint8

// The barriers.
const (
	noBarrier    barrier = iota
	stream               // water that wheels may cross
	river                // water closed to wheels: rivers and canals
	dragonsTeeth         // printed works, no water
)

// barrierOf is the kind of barrier that a line of the chart makes.
func barrierOf(t *Terrain) barrier {
	switch {
	case t == nil:
		return noBarrier
	case t.Name == "dragon's teeth":
		return dragonsTeeth
	case t.Price[Wheeled].Closed:
		return river
	}
	return stream
}

// closedToWheels tells whether the chart closes the hexside to wheels.
func (e *side) closedToWheels() bool {
	return e.water != nil && e.water.Price[Wheeled].Closed
}

// Other is the side that is not s.
func (sc *Scenario) Other(s Side) Side {
	if s == sc.Sides[0] {
		return sc.Sides[1]
	}
	return sc.Sides[0]
}

// number is the index of a side.
func (sc *Scenario) number(s Side) int {
	if s == sc.Sides[0] {
		return 0
	}
	return 1
}

// counter is the counter with that id, or nil.
func (sc *Scenario) counter(id string) *Counter {
	if i, ok := sc.byID[id]; ok {
		return &sc.Counters[i]
	}
	return nil
}

// event is the kind of event chit of that name, or nil.
func (sc *Scenario) event(name string) *Event {
	for i := range sc.Events {
		if sc.Events[i].Name == name {
			return &sc.Events[i]
		}
	}
	return nil
}

// columns are those of the Combat Results Table.
var columns = [8]string{"1-4", "1-3", "1-2", "1-1", "2-1", "3-1", "4-1", "5-1"}
