package wb95

import (
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// Kinds of decisions of WB-95. The first four are answered by the side's sheet.
const (
	kindAir       = "air"       // missions of an Air Phase; waits for the side on move only
	kindMove      = "move"      // turn decision: the MOVE section, a line an order
	kindAttack    = "attack"    // turn decision: the ATTACK section
	kindStrategic = "strategic" // turn decision: the MOVE orders marked STRATEGIC
	kindSetUp     = "set-up"    // turn 0: the SETUP section
	kindStanding  = "standing"  // never waits: the side's STANDING section, or ""
	kindLoss      = "loss"      // reaction: which unit loses a step
	kindRetreat   = "retreat"   // reaction: how far and where
	kindPontoon   = "pontoon"   // turn decision: lines PONTOON of the ATTACK section; then a reaction for each army
	kindDefector  = "defector"  // reaction: with which headquarters
	kindPursuit   = "pursuit"   // reaction: who goes how far
	kindSupport   = "support"   // reaction: the guns that support a defence
	kindStars     = "stars"     // reaction: the defender's stars
	kindFU        = "fu"        // reaction: the ability of fortification units
	kindMarks     = "hqcm"      // reaction: modifiers for a lost headquarters
	kindBarrage   = "barrage"   // turn decision: the BARRAGE section
)

// moveOrder is one order of the MOVE section. What it asks for is tried in the
// order of the fields.
type moveOrder struct {
	text  string  // canonical
	units []*Unit // whom, in the order written
	enter string  // ENTER: zone letter, place name or hex number of a reinforcement, "" for units on the map
	// path is a walk written hex by hex; it may begin with the hex the units
	// stand on. Empty if the order gives only a goal.
	path []hex.Hex
	to   hex.Hex   // TO: the goal, the engine finds the cheapest way
	via  []hex.Hex // VIA: hexes to touch on the way, in order
	// full pays an out-of-supply level for the full allowance (10.2.3).
	full      bool
	exit      string // EXIT: the zone by which it leaves the map, "" for none
	entrench  bool   // ENTRENCH: build field fortifications (7.1.2)
	bridge    bridgeOrder
	strategic bool // STRATEGIC: kept for the Strategic Movement Phase (12.1)
	// reinforce: REINFORCE, the infantry that takes a step from the Volkssturm (15.3.3).
	reinforce *Unit
	limber    bool        // LIMBER: guns change to transport set-up before they move (6.2.4)
	unlimber  bool        // UNLIMBER: guns change to combat set-up at the end
	when      []condition // IF, UNLESS
}

// attackOrder is one order of the ATTACK section.
type attackOrder struct {
	text    string
	label   string // its number on the sheet, as other orders refer to it
	targets []hex.Hex
	units   []*Unit
	min     string      // MIN 2:1: the lowest final column at which it is made; "" for any
	when    []condition // IF, UNLESS
	full    bool        // pay an out-of-supply level for full strength, where it applies
	fire    *fireOrder  // FIRE: it is no attack in contact but a ranged attack (6.4)
	art     []*Unit     // ART: guns that support it (6.3)
	stars   string      // STARS: "YES", "NO", colours, "" for all
	hqcm    int         // HQCM: modifiers for a lost headquarters (9.1.6)
	how     doctrine    // for the attackers' own losses, retreat and pursuit
}

// What orders and the answers to questions say of whether.
const (
	answerYes = "YES"
	answerNo  = "NO"
)

// How far units fall back and follow, where it is no number of hexes.
const (
	retreatFull  = "FULL" // all the hexes of the result
	retreatHold  = "HOLD" // stay, and pay in steps
	pursueFull   = "FULL"
	pursueOccupy = "OCCUPY" // the emptied hex only
	pursueNo     = answerNo
)

// Which units lose steps first, where it is not a list of them.
const (
	lossWeakest   = "WEAKEST"
	lossStrongest = "STRONGEST"
)

// Which guns support a defence.
const (
	gunsDefend = "DEFENCE" // as few as bring the column as low as all would
	gunsAll    = "ALL"
	gunsSilent = answerNo
)

// doctrine answers reactions. A zero field leaves the choice to the next source:
// the sheet's order, then the most special standing order, then the default.
type doctrine struct {
	source string   // in words: "order 2", "standing order AT 2609"
	losses []string // names of units to lose steps first, lossWeakest or lossStrongest
	// retreat is retreatFull, retreatHold or a number of hexes.
	retreat string
	pay     *int    // most steps to pay for staying
	toward  hex.Hex // retreat or pursue towards
	pursue  string  // pursueNo, pursueOccupy, pursueFull or a number of hexes
	with    []string
	advance bool   // ADVANCE: use the second step of 5.4.10
	vital   bool   // VITAL: the hex is to be held where the defaults have a choice
	stars   string // STARS in defence: "YES", "NO" or colours
	fu      string // FU: "YES" or "NO" (15.4.2)
	hqcm    *int   // HQCM in defence: at most so many in a combat
}

// standingOrder is one line of the STANDING section.
type standingOrder struct {
	text string
	by   Side // the player who gives it
	// One of these is the scope; all zero means every unit of the side.
	at   hex.Hex
	unit string
	how  doctrine
	// verb, if set, is REPAIR, MINES or WITHDRAW, names what it names.
	verb  string
	names []string
	// guns is the line on artillery: ART SUPPORT ...
	guns *gunOrder
	// until is the last turn for which it stands, 0 for all.
	until int
	// when are its conditions, looked at each time that it could speak.
	when []condition
}

// gunOrder says how guns support the defence without being told for each combat.
type gunOrder struct {
	support string  // gunsDefend as the default does, gunsAll, gunsSilent
	within  int     // only hexes that are attacked so near to ...; -1 anywhere
	of      hex.Hex // ... this hex; None: a vital one
	keep    int     // guns that stay silent for a hex that is not vital
}

// teller receives events; nil when an order is only tried.
type teller func(view.Event)

func (t teller) tell(e view.Event) {
	if t != nil {
		t(e)
	}
}

// Words are the verbs and clause words of the system, each once, for those who
// check that all are described.
func Words() []string {
	out := slices.Concat(Vocabulary.Sections, airVerb, moveVerb, attackVerb, howVerb, standVerb,
		[]string{"WITH", "AT", "ALL", "FIRE", "KEEP", "WITHIN", "FOR", "WON", pontoonVerb, verbRepair, verbMines, verbWithdraw, airDaysVerb}, hexIs, []string{isLost, isStands, isBroken})
	slices.Sort(out)
	return slices.Compact(out)
}
