package famous

import (
	"fmt"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
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
	Sections: []string{"SETUP", "FIRST", "SUPPLY", "CHIT", "DIVISION", "STANDING"},
	Clauses:  []string{"ARTILLERY", "WITH", "MIN", "THEN", "VIA", "DROP", "STOP-IF", "IF-FIRED"},
}

// instruction is one order of a programme.
type instruction struct {
	verb    string
	text    string
	move    moveOrder
	attack  attackOrder
	barrage barrageOrder
	fire    fireOrder
	work    workOrder
	units   []*Unit
	tank    *Unit
	at      hex.Hex
}

// moves tells whether the order belongs to the movement of an activation, which
// comes before all fighting.
func (i *instruction) moves() bool {
	switch i.verb {
	case "BARRAGE", "FIRE", "ATTACK", "OVERRUN":
		return false
	}
	return true
}

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
	stopIf  string // STOP-IF SPOT: "ANY" or "TANK"
	ifFired bool   // IF-FIRED STOP
	debark  bool   // on foot at its end
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
	guns       []*Unit
	auto       int // ARTILLERY KEY or ANY: at most so many guns of the engine's choice
	min        int // lowest column, -1 for any
	overrun    bool
	advanceSet bool
	advances   []advance
	then       *moveOrder // of an overrun
}

// barrageOrder is barrages of guns at a hex.
type barrageOrder struct {
	text   string
	target hex.Hex
	guns   []*Unit
}

// fireOrder is direct fire of units at a hex.
type fireOrder struct {
	text   string
	units  []*Unit
	target hex.Hex
	prefer string
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
}

// guard is a condition of a programme.
type guard struct {
	unless bool
	kind   string // "holds", "played", "turn"
	side   Side
	at     hex.Hex
	n      int
}

// holds tells whether the condition is met, by what its owner may see: who stands
// where is public.
func (g guard) holds(s *State, own Side) bool {
	ok := false
	switch g.kind {
	case "holds":
		ok = s.holder(g.at) == g.side
	case "empty":
		ok = s.holder(g.at) == ""
	case "played":
		n := 0
		for _, k := range s.Done {
			if sd, _ := cutKey(k); sd == own {
				n++
			}
		}
		ok = n >= g.n
	case "turn":
		ok = s.Turn >= g.n
	}
	return ok != g.unless
}

func (s *State) describeHex(h hex.Hex) string {
	if p := s.sc.Board.Place(h); p != nil {
		return fmt.Sprintf("%v (%s)", h, p.Name)
	}
	return h.String()
}
