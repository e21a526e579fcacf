package staff

import (
	"fmt"
	"strings"

	"fieldpost/adjudicator/view"
)

// Strength is how far a staff officer looks ahead.
type Strength string

// The strengths. The zero value is the cadet, who writes what comes to mind first and
// rehearses nothing; their sheets never change.
const (
	Cadet   Strength = "cadet"
	Captain Strength = "officer"
	Chief   Strength = "chief"
)

// Strengths lists them, the weakest first.
var Strengths = []Strength{Cadet, Captain, Chief}

// ParseStrength reads the name of a strength in any letters; "" is the cadet.
func ParseStrength(text string) (Strength, error) {
	if text == "" {
		return Cadet, nil
	}
	var names []string
	for _, s := range Strengths {
		if strings.EqualFold(text, string(s)) {
			return s, nil
		}
		names = append(names, string(s))
	}
	return "", fmt.Errorf("%q is not a strength of a staff officer: write %s", text, strings.Join(names, ", "))
}

// Units bounds the work on a sheet, in units of which a machine of today does some ten thousand
// a second on one core: so many for each sheet that is written and each phase that is played in
// rehearsals, whatever time that takes, so that equal views give equal sheets everywhere.
func (s Strength) Units() int {
	switch s {
	case Captain:
		return 8_000
	case Chief:
		return 80_000
	}
	return 0
}

// prices are what pieces of work on a sheet count in units, for a system: a sheet for ten of the
// units and stacks that its writer sees, a phase that is played, a position that is drawn, orders
// for a chit on as many units and stacks as a sheet.
type prices struct{ sheet, phase, draw, reply int }

// sheetOn is the price of a sheet on a View.
func (p prices) sheetOn(v *view.View) int { return p.sheet * (len(v.Units) + len(v.Enemy)) / 10 }

// replyOn is the price of orders for a chit on a View.
func (p prices) replyOn(v *view.View) int { return p.reply * (len(v.Units) + len(v.Enemy)) / 30 }

// depth is how many own turns rehearsals go through. Where it is dear to write a
// sheet, many short rehearsals tell more than a few long ones.
func (s Strength) depth(system string) int {
	if s == Chief && system == "steppe" {
		return 2
	}
	return 1
}
