// Package systems is the register of the rules systems that this program plays.
package systems

import (
	"fieldpost/adjudicator"
	"fieldpost/adjudicator/famous"
	"fieldpost/adjudicator/steppe"
	"fieldpost/adjudicator/wb95"
)

// All is the systems, each in its folder below adjudicator and scenarios.
var All = []adjudicator.System{wb95.System{}, steppe.System{}, famous.System{}}

// Get is the system of an id such as "wb95".
func Get(id string) (adjudicator.System, bool) {
	for _, s := range All {
		if s.ID() == id {
			return s, true
		}
	}
	return nil, false
}

// IDs lists the systems.
func IDs() []string {
	var out []string
	for _, s := range All {
		out = append(out, s.ID())
	}
	return out
}
