package wb95

import (
	"slices"
)

// concentration lists a side's modifiers for units of one formation that fight
// together, wherever they stand. The guns that support (13.1.5) join here with
// chapter 6.
func (s *State) concentration(units []*Unit) []modifier {
	parents := s.room.names.Take(len(units))
	for _, u := range units {
		// WB-95 13.1.3: wherever they stand
		if s.concentrates(u.c) {
			parents = append(parents, u.c.Parent)
		}
	}
	slices.Sort(parents)
	var out []modifier
	for len(parents) > 0 {
		p, count := parents[0], 1
		for count < len(parents) && parents[count] == p {
			count++
		}
		parents = parents[count:]
		// WB-95 13.1.2: three of a division bring a modifier
		if n := count / 3; n > 0 {
			// WB-95 13.1.4: each further three another
			out = append(out, modifier{n, "concentration of " + p, "WB-95 13.1.2"})
		}
	}
	return out
}

// concentrates tells whether the counter belongs to a formation that can.
//
// WB-95 13.1.1
// reading WB-95 13.1.1: the divisions of the Germans' allies count as theirs do.
// Of the Soviets and the Poles beside them only corps that own armoured or
// mechanized brigades do.
func (s *State) concentrates(c *Counter) bool {
	if c.Parent == "" {
		return false
	}
	if c.Nation != "Soviet" && c.Nation != "Polish" {
		return true
	}
	return s.sc.register().armoured[corps{c.Side, c.Parent}]
}
