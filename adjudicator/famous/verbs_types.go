package famous

import (
	"cmp"
	"fmt"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/orders"
)

// Kinds of decisions. The first three are answered by the side's sheet for the turn.
const (
	kindSetUp       = "set-up" // turn decision of turn 0, if the game has one: the SETUP section
	kindTurn        = "turn"   // turn decision: SETUP, FIRST and SUPPLY sections, a line an order
	kindPlan        = "plan"   // turn decision: the programme of a chit
	kindActivation  = adjudicator.KindActivation
	kindStanding    = "standing"    // never waits: the STANDING section
	kindOpportunity = "opportunity" // reaction: whether a unit fires at a mover, and at whom
	kindArtillery   = "artillery"   // reaction: guns added to a defence
	kindBlack       = "black"       // reaction: black event chits
	kindLoss        = "loss"        // reaction: who suffers
	kindRetreat     = "retreat"     // reaction: by which way
	kindAdvance     = "advance"     // reaction: who follows into a vacated hex
	kindReplacement = "replacement" // reaction: whom to rebuild
)

// Vocabulary is the system's words for the sheet parser.
var Vocabulary = orders.Vocabulary{
	Sections: []string{"SETUP", "FIRST", "SUPPLY", "CHIT", "DIVISION", "EVERY", "STANDING"},
	Clauses:  []string{"ARTILLERY", "WITH", "MIN", "THEN", "VIA", "DROP", "STOP-IF", "IF-FIRED"},
	Open:     []string{"CHIT", "EVERY"},
}

// verb is the word that an order of a programme begins with.
type verb string

// The verbs.
const (
	verbMove     verb = "MOVE"
	verbEnter    verb = "ENTER"
	verbExit     verb = "EXIT"
	verbMount    verb = "MOUNT"
	verbDismount verb = "DISMOUNT"
	verbDebark   verb = "DEBARK"
	verbEmbark   verb = "EMBARK"
	verbClear    verb = "CLEAR"
	verbPontoon  verb = "PONTOON"
	verbBlow     verb = "BLOW"
	verbBarrage  verb = "BARRAGE"
	verbFire     verb = "FIRE"
	verbAttack   verb = "ATTACK"
	verbOverrun  verb = "OVERRUN"
	verbPass     verb = "PASS"
	verbHold     verb = "HOLD"
	verbStack    verb = "STACK"
	verbActivate verb = "ACTIVATE"
	verbPlace    verb = "PLACE" // in the set-up
)

// fights tells whether the order belongs to the fighting of an activation, which comes
// after all movement.
func (v verb) fights() bool {
	switch v {
	case verbBarrage, verbFire, verbAttack, verbOverrun, verbSupport:
		return true
	}
	return false
}

// instruction is one order of a programme.
type instruction struct {
	verb    verb
	text    string
	move    moveOrder
	attack  attackOrder
	barrage barrageOrder
	fire    fireOrder
	work    workOrder
	units   []*Unit
	tank    *Unit
	at      hex.Hex
	keptFor string // SUPPORT: the battalion for which guns are kept
	late    bool   // it belongs to the fighting
	condition
}

// movers are the units on the map that the order takes to another place.
func (i *instruction) movers() []*Unit {
	switch i.verb {
	case verbMove, verbDebark, verbExit:
		if i.move.goesOn() || i.move.leaves() {
			return i.move.units
		}
	case verbMount:
		if i.at != hex.None {
			return append(slices.Clone(i.units), i.tank)
		}
	}
	return nil
}

// goal is where the order takes them on the map, None if off it.
func (i *instruction) goal() hex.Hex {
	switch {
	case i.verb == verbMount:
		return i.at
	case i.move.leaves():
		return hex.None
	}
	return cmp.Or(i.move.to, lastOf(i.move.path))
}

// ofFighting tells of each order of a programme whether it belongs to the fighting of the
// activation: fire and attacks do, and demolitions that are written below one of them.
//
// GD 12.0/8
func ofFighting(list []phrase.Written) []bool {
	out, begun := make([]bool, len(list)), false
	for k, o := range list {
		v := verbOn(o)
		begun = begun || v.fights()
		switch v {
		case verbStop, verbSkip:
			out[k] = k > 0 && out[k-1]
		case verbAsk:
			isAfter := slices.ContainsFunc(o.Flat(), func(w orders.Word) bool { return w.Text == "AFTER" })
			out[k] = isAfter || k > 0 && out[k-1]
		default:
			out[k] = v.fights() || begun && v == verbBlow
		}
	}
	return out
}

// begins tells whether a clause behind a semicolon begins an order of its own, and is no part of the
// one before it.
func begins(c orders.Clause) bool {
	second := ""
	if len(c) > 1 {
		second = c[1].Text
	}
	switch verb(c[0].Text) {
	case verbAdvance, verbWithdraw:
		return second == "TO"
	case verbEnter:
		return second == "AT"
	case verbMove, verbMount, verbDismount, verbEmbark, verbClear, verbPontoon, verbBlow, verbBarrage, verbFire, verbAttack, verbPass, verbHold, verbStack, verbStop, verbAsk, otherwise:
		return true
	case verbOverrun:
		return len(c) > 1
	}
	return false
}

// begins tells the same under the rules of a game: of words that came later than it nothing begins.
func (sc *Scenario) begins(c orders.Clause) bool {
	isNew := verb(c[0].Text) == verbCover || verb(c[0].Text) == verbSupport
	return begins(c) || isNew && !sc.before(8)
}

// singly are orders with each of those that stand on one line by itself.
func (sc *Scenario) singly(list []orders.Order) (out []orders.Order) {
	for _, o := range list {
		out = append(out, orders.Order{Pos: o.Pos, Label: o.Label, Clauses: o.Clauses[:1:1]})
		for _, c := range o.Clauses[1:] {
			if sc.begins(c) {
				out = append(out, orders.Order{Pos: c[0].Pos, Clauses: []orders.Clause{c}})
				continue
			}
			last := &out[len(out)-1]
			last.Clauses = append(last.Clauses, c)
		}
	}
	return out
}

// withInline are the orders of a section of which the first may stand on its opening line. By the rules
// before the seventh version it is the only one there, and other lines have one order each, too.
func (sc *Scenario) withInline(inline []orders.Word, list []orders.Order) []orders.Order {
	switch {
	case sc.before(7) && len(inline) == 0:
		return list
	case sc.before(7):
		return append([]orders.Order{{Pos: inline[0].Pos, Clauses: []orders.Clause{inline}}}, list...)
	case len(inline) == 0:
		return sc.singly(list)
	}
	first := orders.Order{Pos: inline[0].Pos, Clauses: []orders.Clause{inline}}
	if goesOn := len(list) > 0 && list[0].Pos.Line == inline[0].Pos.Line; goesOn {
		first.Clauses = append(first.Clauses, list[0].Clauses...)
		list = list[1:]
	}
	return sc.singly(append([]orders.Order{first}, list...))
}

// spotting is what a march stops for when it comes into sight.
type spotting string

// The kinds of spotting; "" is none.
const (
	spotAny  spotting = "ANY"
	spotTank spotting = "TANK"
)

// preference is the class of targets that fire prefers, in the words of orders; "" is none.
type preference string

// The preferences.
const (
	preferTracked preference = "TRACKED"
	preferTank    preference = "TANK"
	preferTanks   preference = "TANKS"
	preferLeg     preference = "LEG"
	preferWheeled preference = "WHEELED"
)

// moveOrder moves a stack.
type moveOrder struct {
	text    string
	units   []*Unit
	path    []hex.Hex // hex by hex; it may begin with the hex they stand on
	to      hex.Hex   // or the goal of the cheapest way
	via     []hex.Hex
	road    bool   // BY ROAD: nothing but road steps
	enter   string // reinforcements: the letter of the entry hex
	exit    string // off the map at its end, by this entry hex
	drops   []dropOff
	stopIf  spotting
	ifFired bool // IF-FIRED STOP
	debark  bool // on foot at its end
}

// enters: it brings reinforcements on to the map.
func (o *moveOrder) enters() bool { return o.enter != "" }

// leaves: it ends off the map.
func (o *moveOrder) leaves() bool { return o.exit != "" }

// goesOn: it says where to on the map.
func (o *moveOrder) goesOn() bool { return o.to != hex.None || len(o.path) > 0 }

// onlyEnters: it brings reinforcements on and says no more.
func (o *moveOrder) onlyEnters() bool { return o.enters() && !o.goesOn() }

// stays: it says nothing that could be done.
func (o *moveOrder) stays() bool {
	switch {
	case o.goesOn(), o.enters(), o.leaves(), o.debark:
		return false
	}
	return true
}

// dropOff leaves units of a stack behind on its way.
type dropOff struct {
	units []*Unit
	at    hex.Hex
}

// attackOrder is an attack.
type attackOrder struct {
	text       string
	atWill     bool // wherever there are odds of min
	target     hex.Hex
	units      []*Unit
	all        bool // WITH ALL: those of the chit that are beside the target and free
	guns       []*Unit
	auto       int // ARTILLERY KEY or ANY: at most so many guns of the engine's choice
	min        int // lowest column, -1 for any
	overrun    bool
	advanceSet bool
	advances   []advance
	then       *moveOrder // of an overrun
}

// wantsGuns: it asks for artillery in support.
func (o *attackOrder) wantsGuns() bool { return len(o.guns) > 0 || o.auto > 0 }

// barrageOrder is barrages of guns at a hex.
type barrageOrder struct {
	text   string
	target hex.Hex
	guns   []*Unit
	all    bool // WITH ALL: those of the chit that reach the target
}

// fireOrder is direct fire of units at a hex.
type fireOrder struct {
	text   string
	units  []*Unit
	target hex.Hex
	prefer preference
	// anywhere: every unit of the activation that can, at whom it has the best chance to harm
	anywhere bool
}

// workOrder is work of an engineer on a bridge.
type workOrder struct {
	unit *Unit
	edge hex.Edge
	hex  hex.Hex // of a major river, None for a hexside
}

func (o workOrder) where() string {
	if o.hex != hex.None {
		return o.hex.String()
	}
	return o.edge.String()
}

// supplyOrders are a side's choices of the Supply Phase.
type supplyOrders struct {
	division string             // battalion that the division headquarters supplies
	stacks   map[string]hex.Hex // stacks in automatic supply, by battalion
	keepers  map[string]string  // with which unit that supply stays, by battalion
}

func (s *State) describeHex(h hex.Hex) string {
	if p := s.sc.Board.Place(h); p != nil {
		return fmt.Sprintf("%v (%s)", h, p.Name)
	}
	return h.String()
}
