package wb95

import (
	"slices"
	"sync"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
)

// Side is a side of the game, in capitals.
type Side = adjudicator.Side

// Class is how a unit moves.
//
// WB-95 1.3/1
type Class string

// The movement classes. Towed guns and headquarters are trucked (1.3).
const (
	Foot    Class = "foot"
	Trucked Class = "trucked"
	Tracked Class = "tracked"
)

// Cost is an amount of movement points in twelfths: 1/4, 1/3, 1/2 and 2.5 are exact.
type Cost int

// One is a whole movement point; Closed marks terrain that a class may not enter.
const (
	One    Cost = 12
	Closed Cost = -1
)

// Type is what a counter's symbol says.
type Type string

// The unit types of the orders of battle.
const (
	INF  Type = "INF"
	ARM  Type = "ARM"
	MOT  Type = "MOT"
	MECH Type = "MECH"
	CAV  Type = "CAV"
	ART  Type = "ART"
	HQ   Type = "HQ"
	AG   Type = "AG"
	AT   Type = "AT"
	AA   Type = "AA"
	RG   Type = "RG"
	FU   Type = "FU"
	VS   Type = "VS"
	ENG  Type = "ENG"
	REC  Type = "REC"
)

// Counter is what is printed on a unit's counter. It never changes.
//
// WB-95 1.2/2
type Counter struct {
	ID        string // stable: side, formation and number
	Name      string // short name on map, report and in orders; unique in its side
	Side      Side
	Nation    string // German, Romanian, Soviet ...: morale, HQ range, supply allowance
	Formation string // the heading it is printed under
	Parent    string // the division or corps that tactical concentration counts (13.1)
	Type      Type
	Size      string // D, BR, R, B, C, CORPS or -
	Class     Class
	// Strength holds the strength points by steps left: Strength[0] with one
	// step, Strength[1] with two. For guns it is the strength in attack.
	Strength []int
	// Defence holds the strength in defence by steps left where it differs
	// from Strength (guns: "two values"); nil otherwise.
	Defence []int
	Moves   Cost // full allowance
	Morale  int  // limit of 5.6.2: a roll at or above it disorganizes
	Guards  bool // Soviet guards
	SelfPro bool // self-propelled artillery (6.1.1)
	NoZone  bool // a gun that is no regular unit, by option gun-zones
	// Panther and Ferdinand: not to be repaired (17.1.3), Panthers roll for losses (22).
	Panther, Ferdinand bool
	Stars              []Star // 15.1, one for each star
}

// Star is a coloured star of 15.1.2.
type Star string

// The colours.
const (
	Black  Star = "black"
	White  Star = "white"
	Yellow Star = "yellow"
	Blue   Star = "blue"
)

// Steps is the number of steps at full strength.
//
// WB-95 1.2/3
func (c *Counter) Steps() int { return len(c.Strength) }

// Terrain is a line of the terrain table.
type Terrain struct {
	Name string
	// Use is "base" (the price of the hex), "added" (on top of it), "road"
	// (price of a step along it) or "hexside".
	Use  string
	Cost map[Class]Cost // Closed where the class may not go
	CM   int            // combat modifiers of the defender
	Half bool           // the attacker's strength is halved (swamp)
	Big  bool           // a big river (4.1.3, 5.3.5, 14.3)
}

// CombatResult is a cell of the Combat Table: what each side suffers.
type CombatResult struct {
	ARetreat, DRetreat int  // hexes
	ALoss, DLoss       int  // steps
	ADisorg, DDisorg   bool // printed D: disorganized
	ATest              bool // the dot: the attacker tests for disorganization
	Text               string
}

// CombatTable is the Combat Table: rows 2 to 12, columns 1:4 to 10:1.
type CombatTable struct {
	Columns []string // "1:4" ... "10:1"
	Cells   [13][]CombatResult
	Decimal bool // ratios of weaker attacks are rounded as they are, by option weak-odds
}

// Profile holds what differs between the three rulebooks under one number.
type Profile struct {
	Book        string // "KH", "NY", "KU"
	FieldCity   int    // combat modifiers of field fortifications in a city (7.1.10)
	FieldTown   int    // in a town
	FieldElse   int
	SideRoadFor []Class // classes with the side road bonus
	DisruptSP   int     // strength points of a mission against movement (8.2.12)
	DisruptRing int     // hexes around its own that it covers
	DisruptMost int     // missions that count on a hex, 0 for any number; with two units roll for losses
}

// Readings are those that a game settled otherwise than published, by its options or by
// the version of the rules that it was begun under.
type Readings struct {
	AsOf           int             // that version, 0 for the present one
	ReturnDuties   bool            // a sheet with duties open is not finished (duties)
	TieForAttacker bool            // of equal hexes the one that gives less decides (decisive-tie)
	SupplyTick     bool            // time alone raises the out-of-supply level (supply-tick)
	ChooseSetUp    bool            // the set-up is turn 0 (set-up)
	Fog            adjudicator.Fog // who sees what (fog)
	EachGroup      bool            // every resilience group gives a modifier (resilience)
}

// Barrage is leave to fire a barrage (6.5.1).
type Barrage struct {
	Side     Side
	From, To int // turns
	Ammo     int // ammunition units for all of them (6.5.7)
}

// Placement is a line of the set-up.
type Placement struct {
	Counter string
	Hexes   []hex.Hex // the hexes it may stand on; the first is the default
	Fort    FortKind  // "" for none
	Losses  int       // steps it begins without
}

// Arrival is a reinforcement.
type Arrival struct {
	Counter string
	Turn    int      // first turn it may enter; 0 if conditional
	Losses  int      // steps it comes without
	Entry   []string // zone letters, place names or hex numbers, any of them
	When    string   // condition of a conditional arrival, a key of the scenario ("izjum"); "" otherwise
}

// Supply is where a side's lines of supply begin.
type Supply struct {
	Edges  []string  // "west", "south" ...
	Places []string  // towns while controlled
	Hexes  []hex.Hex // single hexes, such as those of entry zones
}

// Objective is a hex of the tactical victory, with its points.
type Objective struct {
	Hex    hex.Hex
	Name   string
	Points int
	// All holds the hexes of a place that counts once, for the side that controls
	// all of them; Hex is the first. Nil: the hex counts by itself.
	All []hex.Hex
	// Side is the only side that it counts for, "" for both; Nations the troops of
	// that side that must have taken it, nil for any.
	Side    Side
	Nations []string
}

// Strategic is a strategic victory condition.
type Strategic struct {
	Side  Side
	Kind  string // winHold, winClear or winExit
	Hexes []hex.Hex
	Count int
	// Zone and Types are of winExit: its name in orders, and the unit types that count.
	Zone  string
	Types []Type
	When  string // whenMoment, whenTurn, whenEnd or whenEnemySupply
	Text  string // in words, for players
}

// Condition is an event that lets conditional arrivals in: from the turn after
// Side controls all of Hexes, one unit a turn.
//
// With Lost it is another: from the turn after Side has lost a unit of that type all come.
//
// With a Formation it is another: for every unit of it that has reached Hexes one
// of the same type may come, and the headquarters with the first.
type Condition struct {
	Key       string
	Side      Side
	Hexes     []hex.Hex
	Formation string
	Lost      Type
	Text      string // in words, what lets the units in; "" for the loss of Hexes
}

// Scenario is everything that the files of a scenario say.
type Scenario struct {
	ID         string
	Title      string
	Year       int
	Month      int
	Day        int // of turn 1
	Turns      int
	Sides      [2]Side // the one with the initiative (player A) first
	Names      [2]string
	Board      *board.Board
	Terrain    []Terrain // in table order; use terrain() to look up
	Combat     CombatTable
	Fire       FireTable // Artillery Fire (6.4)
	Barrages   []Barrage // what the scenario allows of 6.5
	Profile    Profile
	Counters   []Counter // sorted by ID
	Setup      []Placement
	Arrivals   []Arrival
	Supply     map[Side]Supply
	ByNation   map[string]Supply // for nations with lines of their own instead
	Bridges    []hex.Edge        // extra bridges of the scenario
	Control    map[hex.Hex]Side  // overrides of the first control (C-9)
	Objectives []Objective       // tactical victory
	Strategic  []Strategic       // strategic victories, checked in this order
	Scorer     Side              // the only side that scores; "" for both
	Awards     []Award           // points of other kinds
	Scale      []Grade           // what points are worth; nil: the side with more wins
	Broken     []hex.Edge        // bridges that are down at the start
	Slow       map[string]Slow   // by counter: units that are held back for a time
	Fortified  []FortifiedSide   // Soviet Fortified Lines (19)
	Fixed      []FixedSide       // fixed positions (7.3)
	AirUnits   []AirUnit         // air counters (21)
	AirChoice  map[Side]int      // how many of them a side chooses each day
	Notes      Notes             // what the scenario adds to the rules
	Special    Special           // chapters 17 and 18
	Halved     map[Side]bool     // sides whose points count half, rounded down
	Conditions []Condition       // for conditional arrivals
	HQRange    map[string]int    // by nation (9.2.2)
	Allowance  map[string]Cost   // supply movement points by nation (10.1.7)
	Air        map[Side][]int    // strength points by turn (8.1.1)
	AirKinds   map[Side][]string // missions that a side may fly, if not all
	AirAttack  StrikeTable
	Objects    StrikeTable
	Third      *Partner           // the third player that the scenario can have
	Partner    *Partner           // the third player, in a game for three
	Unplayed   []string           // what this version does not play yet, in words
	Warnings   []string           // what an owner may want to look at: set-up stacks over the limit (S-2)
	terrain    map[string]Terrain // by name

	Readings    Readings
	StandIns    []string     // counters whose arrival was invented
	Withdrawals []Withdrawal // divisions that leave
	Bans        []Ban        // rivers closed to a formation

	registerOnce sync.Once
	rolls        phrase.Rolls // the names that orders may call units by
	listed       *register    // the counters by name and formation; ask register()
	netOnce      sync.Once
	net          *network // the map as prices of steps; ask network()
}

// Other is the side on the map that is the enemy of s, a side or a player.
func (sc *Scenario) Other(s Side) Side {
	if s == turncoats {
		return sc.Notes.Defection.To
	}
	if s == sc.Sides[1] {
		return sc.Sides[0]
	}
	return sc.Sides[1]
}

// place is where a side stands among those of the scenario, -1 for one that has left its own.
func (sc *Scenario) place(s Side) int8 { return int8(slices.Index(sc.Sides[:], s)) }

// known is the side as the scenario has it: names in one place of memory are equal at a glance.
func (sc *Scenario) known(s Side) Side {
	if at := sc.place(s); at >= 0 {
		return sc.Sides[at]
	}
	return s
}

// terrainOf is the line of the terrain table with that name.
//
// WB-95 1.1/3
func (sc *Scenario) terrainOf(name string) Terrain { return sc.terrain[name] }
