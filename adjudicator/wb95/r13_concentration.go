package wb95

import (
	"slices"
	"strings"
)

// concentration lists a side's modifiers for units of one formation that fight
// together, wherever they stand. The guns that support (13.1.5) join here with
// chapter 6.
func (s *State) concentration(units []*Unit) []modifier {
	count := map[string]int{}
	var parents []string
	for _, u := range units {
		p := u.c.Parent
		if u.c.Type == HQ || !s.concentrates(u.c) {
			continue
		}
		if count[p] == 0 {
			parents = append(parents, p)
		}
		// WB-95 13.1.3: wherever they stand
		count[p]++
	}
	slices.SortFunc(parents, strings.Compare)
	var out []modifier
	for _, p := range parents {
		// WB-95 13.1.2: three of a division bring a modifier
		if n := count[p] / 3; n > 0 {
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
