// Package rule names clauses of rulebooks and the violations of them. It knows
// no game.
package rule

// Clause names a numbered clause of a rulebook, such as "WB-95 3.1.8".
type Clause string

// Violation says why an order is refused: which clause forbids it, why in this
// position, and what would have been legal. The texts are for the player; they
// hold only what their side may know.
type Violation struct {
	Clause  Clause `json:"clause,omitempty"`
	Why     string `json:"why"`
	Instead string `json:"instead,omitempty"` // the nearest legal alternative
	// Col is where in the order's text the fault is, in characters from 1; 0 is the
	// whole order.
	Col int `json:"col,omitempty"`
	// Line is the line of the sheet that Col counts in, where the order was read off its
	// sheet word by word.
	Line int `json:"-"`
	// Led is who leads the unit, where an order is refused because that is another
	// commander of the side.
	Led string `json:"-"`
}

// NotYours refuses an order for a unit that another commander of the side leads.
func NotYours(unit, leader string) *Violation {
	return &Violation{Why: unit + " is under " + leader, Instead: "Ask them for it; the commander-in-chief may order every unit.", Led: leader}
}

func (v *Violation) Error() string {
	s := v.Why
	if v.Clause != "" {
		s = string(v.Clause) + ": " + s
	}
	if v.Instead != "" {
		s += ". " + v.Instead
	}
	return s
}
