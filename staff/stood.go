package staff

import (
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// Stood is where the units of a side stood when its sheet of the turn before was written, by id:
// the person in the officer's place has it in the report that came with that turn. Nil for an
// officer who has no earlier report.
type Stood map[string]hex.Hex

// StoodOn is where the own units of a View stand, to be remembered in the next turn.
func StoodOn(v *view.View) Stood {
	out := Stood{}
	for _, u := range v.Units {
		if u.Hex != hex.None {
			out[u.ID] = u.Hex
		}
	}
	return out
}

// errand is what the last turn's march of a unit says of the plan that it is part of: where it came
// from. A plan is kept by going on, and given up by going back.
type errand struct {
	grid  *hex.Grid
	stood Stood
}

// way is where a unit came from, false if it did not march.
func (e errand) way(unit string, now hex.Hex) (from hex.Hex, marched bool) {
	from, marched = e.stood[unit]
	return from, marched && now != hex.None && from != now
}

// undone is how many hexes of its last march a unit takes back that goes to a hex.
func (e errand) undone(unit string, now, to hex.Hex) int {
	from, marched := e.way(unit, now)
	if !marched || to == now {
		return 0
	}
	return max(0, e.grid.Distance(from, now)-e.grid.Distance(from, to))
}

// farthest bounds what one march says of a unit's goal, in hexes.
const farthest = 4

// towards is how many hexes the last march has brought a unit nearer to a goal, below 0 if it has
// led away from it.
func (e errand) towards(unit string, now, goal hex.Hex) int {
	from, marched := e.way(unit, now)
	if !marched {
		return 0
	}
	n := e.grid.Distance(from, goal) - e.grid.Distance(now, goal)
	return min(farthest, max(-farthest, n))
}

// turnedBack counts the units that have taken back half of their last march or more: those that
// stood on hexes in one turn and another in the next, and are there now.
func (e errand) turnedBack(before Stood, units []view.Unit) (n int) {
	for _, u := range units {
		now, known := before[u.ID]
		if !known || u.Hex == hex.None {
			continue
		}
		from, marched := e.way(u.ID, now)
		if marched && 2*e.grid.Distance(from, u.Hex) <= e.grid.Distance(from, now) {
			n++
		}
	}
	return n
}
