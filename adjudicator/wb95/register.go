package wb95

import "strings"

// register is what is asked of the counters of a scenario again and again. It is
// worked out once.
type register struct {
	named    map[string][]string // ids by name, in capitals
	shared   map[string]bool     // names of counters of both sides
	armoured map[corps]bool      // formations with armoured or mechanized units (13.1.1)
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
	r := &register{named: map[string][]string{}, shared: map[string]bool{}, armoured: map[corps]bool{}}
	owner := map[string]Side{}
	for _, c := range counters {
		name := strings.ToUpper(c.Name)
		r.named[name] = append(r.named[name], c.ID)
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
