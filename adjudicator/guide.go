package adjudicator

import (
	"fmt"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

// Guiding is a Game that can tell what may be ordered.
type Guiding interface {
	Guide(v *view.View) (Guide, error)
}

// GuideOf is the guide of a game on a view; the error says if its system has none.
func GuideOf(g Game, v *view.View) (Guide, error) {
	guiding, ok := g.(Guiding)
	if !ok {
		return nil, fmt.Errorf("the rules of %s have no guide", g.Title())
	}
	return guiding.Guide(v)
}

// Guide answers what may be ordered on a View, after the orders already given. It knows
// what the View says and nothing else, and judges by the game's own code: what it offers
// the check of the sheet accepts. It is not safe for concurrent use.
type Guide interface {
	// Rehearse judges a sheet as [Game.Check] does, and the guide then stands after it.
	Rehearse(sheet *orders.Sheet) *Filing
	// Actors are the units, chits and other things of the side that can be given orders.
	Actors() []Actor
	// Verbs are the orders that an actor could be given besides a way: those that stand,
	// and those that do not, with what forbids them.
	Verbs(actor string) ([]Offer, error)
	// Reach is where an actor can be ordered to go, in ascending order of hexes. A manner is
	// one of those that the actor's Ways name. The error wraps a *rule.Violation where a rule
	// keeps the actor from going anywhere.
	Reach(actor, manner string) ([]Way, error)
	// Usual are the lines of a sheet to fill in, section by section: one for every unit and
	// chit that can act and for every duty, with what it comes to or what forbids it now.
	Usual() []Offer
	// Weigh says what an attack, barrage, ranged fire or air mission comes to as ordered.
	Weigh(section, order string) (*Forecast, error)
}

// Actor is something that can be given orders.
type Actor struct {
	Name string `json:"name"` // as orders write it
	ID   string `json:"id,omitempty"`
	Kind string `json:"kind"` // "unit", "chit", "air"
	// Hex is where it stands after the orders given so far; none: it is not on the map.
	Hex hex.Hex `json:"hex,omitempty"`
	// Ways are the manners in which it may be sent somewhere: "" for the plain one,
	// "STRATEGIC", "ENTER R"; where programmes are written, the sections for it.
	Ways []string `json:"ways,omitempty"`
	// InRange are the units that a chit would activate if it came now.
	InRange []string `json:"in_range,omitempty"`
	// Ordered tells that the orders given so far move it already.
	Ordered bool `json:"ordered,omitempty"`
}

// Offer is an order as a line of a sheet.
type Offer struct {
	// Section is the line that opens its section: "MOVE", "AIR 1", "CHIT 6A MOVE THEN ATTACK".
	Section string `json:"section"`
	Order   string `json:"order,omitempty"` // empty: the section is one line
	Verb    string `json:"verb"`
	// Understood is how the check reads it, Warning what should be looked at.
	Understood string `json:"understood,omitempty"`
	Warning    string `json:"warning,omitempty"`
	// Refused says what forbids it; nil: it stands.
	Refused *rule.Violation `json:"refused,omitempty"`
}

// Way is a hex that an actor can be ordered to go to.
type Way struct {
	Hex     hex.Hex   `json:"hex"`
	Section string    `json:"section"`
	Order   string    `json:"order"`
	Cost    string    `json:"cost"` // in points as the rules print them: "2 1/2"
	Of      string    `json:"of,omitempty"`
	Path    []hex.Hex `json:"path"`
	// Room is how many more steps the hex takes when the unit is there; below 0 too many.
	Room int `json:"room"`
	// Meets is what there is to look at: zones, missions against movement, roads.
	Meets []string `json:"meets,omitempty"`
}

// Forecast is what an attack or fire comes to before the dice.
type Forecast struct {
	Order   string   `json:"order"`
	Text    string   `json:"text"` // as the acknowledgement says it
	Attack  int      `json:"attack"`
	Defence int      `json:"defence,omitempty"`
	First   string   `json:"first,omitempty"` // column before the shifts
	Column  string   `json:"column"`          // column of the table that is rolled on
	Shifts  []Shift  `json:"shifts,omitempty"`
	Dice    int      `json:"dice,omitempty"` // added to the roll
	Results []Result `json:"results"`
}

// Shift is one reason why the column is another one.
type Shift struct {
	What   string      `json:"what"`
	By     int         `json:"by"` // to the right, in the attacker's favour
	Clause rule.Clause `json:"clause,omitempty"`
}

// Result is one row of the table, and in how many of the ways that the dice can fall.
type Result struct {
	Roll       int    `json:"roll"` // as thrown
	Ways       int    `json:"ways"`
	Of         int    `json:"of"`
	Text       string `json:"text"`
	OurLoss    int    `json:"our_loss"` // steps, by the table
	TheirLoss  int    `json:"their_loss"`
	OurHexes   int    `json:"our_hexes,omitempty"` // of retreat
	TheirHexes int    `json:"their_hexes,omitempty"`
}

// Sum counts the ways of the results that are so.
func (f *Forecast) Sum(is func(Result) bool) (ways, of int) {
	for _, r := range f.Results {
		of = r.Of
		if is(r) {
			ways += r.Ways
		}
	}
	return ways, of
}
