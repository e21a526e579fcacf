package phrase

import (
	"fmt"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
)

// Asking is where ASK stops a programme for a question to its owner: where it stands, or after attacks.
type Asking struct {
	After bool    // after attacks, wherever the line stands
	On    hex.Hex // after that on this hex alone; None for any
}

// AskReader reads what follows ASK.
type AskReader struct {
	Place     func(*Reader) (hex.Hex, *rule.Violation)
	Example   string // a hex for the advice
	Otherwise bool   // the line begins with OTHERWISE
}

// Read reads HERE, AFTER ATTACK and AFTER ATTACK 2036.
func (x AskReader) Read(r *Reader) (a Asking, v *rule.Violation) {
	word, v := OneOf(r, "HERE", "AFTER")
	if v != nil {
		v.Instead = "Write ASK HERE, ASK AFTER ATTACK, or ASK AFTER ATTACK " + x.Example + "."
		return a, v
	}
	if word == "AFTER" {
		a.After = true
		if _, v = OneOf(r, "ATTACK"); v == nil && !r.End() {
			a.On, v = x.Place(r)
		}
	}
	switch {
	case v != nil:
		return a, v
	case !r.End():
		return a, Unexpected(r.Peek(), "here")
	case a.After && x.Otherwise:
		return a, &rule.Violation{Why: "ASK AFTER ATTACK waits for an attack, whatever stands above it", Instead: "Write OTHERWISE ASK HERE."}
	}
	return a, nil
}

// Understood is what the answer to a sheet says of it.
func (a Asking) Understood() string {
	when := "here by mail"
	if a.After {
		when = "by mail when that is fought"
	}
	return "you are asked " + when + "; what is left of the programme is played if no answer comes in time"
}

// Never refuses ASK AFTER an attack that is not ordered before it.
func (a Asking) Never() *rule.Violation {
	attack := "no attack"
	if a.On != hex.None {
		attack += " on " + a.On.String()
	}
	return &rule.Violation{Why: attack + " stands above this line", Instead: "Put the attack above it, or write ASK HERE."}
}

// AskedAgain is the label of a question about the rest of an activation: that of the n-th within it.
func AskedAgain(label string, n int) string {
	if n < 2 {
		return label
	}
	ending := "th"
	switch {
	case n > 10 && n < 14:
	case n%10 == 1:
		ending = "st"
	case n%10 == 2:
		ending = "nd"
	case n%10 == 3:
		ending = "rd"
	}
	return fmt.Sprintf("%s (%d%s question)", label, n, ending)
}
