package wb95

import (
	"slices"
	"strings"
)

// register is what is asked of the counters of a scenario again and again. It is
// worked out once.
type register struct {
	named    map[string][]counterAt // by name, in capitals
	shared   map[string]bool        // names of counters of both sides
	armoured map[corps]bool         // formations with armoured or mechanized units (13.1.1)
}

// counterAt is a counter, and its place in order of id: that of its unit in the positions of a game.
type counterAt struct {
	id    string
	place int
}

// corps is a formation of a side.
type corps struct {
	side   Side
	parent string
}

// register is the scenario's.
func (sc *Scenario) register() *register {
	sc.registerOnce.Do(func() { sc.listed = newRegister(sc.Counters) })
	return sc.listed
}

func newRegister(counters []Counter) *register {
	ids := sortedIDs(counters)
	r := &register{named: map[string][]counterAt{}, shared: map[string]bool{}, armoured: map[corps]bool{}}
	owner := map[string]Side{}
	for _, c := range counters {
		name := strings.ToUpper(c.Name)
		place, _ := slices.BinarySearch(ids, c.ID)
		r.named[name] = append(r.named[name], counterAt{c.ID, place})
		if o, ok := owner[c.Name]; ok && o != c.Side {
			r.shared[c.Name] = true
		}
		owner[c.Name] = c.Side
		if c.Type == ARM || c.Type == MECH {
			r.armoured[corps{c.Side, c.Parent}] = true
		}
	}
	return r
}

func sortedIDs(counters []Counter) []string {
	ids := make([]string, 0, len(counters))
	for _, c := range counters {
		ids = append(ids, c.ID)
	}
	slices.Sort(ids)
	return ids
}
