package phrase

import (
	"slices"
	"strings"
	"sync"

	"fieldpost/orders"
)

// Roll is the names of an army: every form in which anything prints a unit of it, as it
// is looked up. It is made from the counters of a scenario, once, and never changes.
type Roll struct {
	called []Called
	names  map[string][]int // by folded name
	forms  map[string][]int // by the other forms that are a unit's own
	abrids map[string][]int // by what is left of a name
	groups map[string][]int // by the names of formations
	folded []string         // names, by place
	listed []string         // names with the type, by place
}

// NewRoll makes the roll of the units that a player may name.
func NewRoll(called []Called) *Roll {
	r := &Roll{called: called, names: map[string][]int{}, forms: map[string][]int{}, abrids: map[string][]int{}, groups: map[string][]int{}}
	for i, c := range called {
		for style := range endOfStyles {
			switch {
			case style == Named:
				enter(r.names, c.Form(style), i)
			case style < exact:
				enter(r.forms, c.Form(style), i)
			default:
				enter(r.abrids, c.Form(style), i)
			}
		}
		for _, of := range c.Of {
			enter(r.groups, of, i)
		}
		r.folded = append(r.folded, Fold(c.Name))
		r.listed = append(r.listed, Fold(c.Form(Typed)))
	}
	return r
}

// enter notes a form of the unit in a place.
func enter(at map[string][]int, form string, i int) {
	key := Fold(form)
	if key == "" || slices.Contains(at[key], i) {
		return
	}
	at[key] = append(at[key], i)
}

// Form is whom the unit of an id is called.
func (r *Roll) Form(id string, style Style) string {
	for _, c := range r.called {
		if c.ID == id {
			return c.Form(style)
		}
	}
	return id
}

// knows tells whether a folded text is a form of any unit or formation, or the beginning of
// a name.
func (r *Roll) knows(key string) bool {
	for _, forms := range [...]map[string][]int{r.forms, r.abrids, r.groups} {
		if len(forms[key]) > 0 {
			return true
		}
	}
	begins := func(name string) bool { return strings.HasPrefix(name, key) }
	return key != "" && (slices.ContainsFunc(r.folded, begins) || slices.ContainsFunc(r.listed, begins))
}

// beginnings are the units whose name, or failing that whose name with its type, begins
// with a text.
func (r *Roll) beginnings(key string) (names, listed []int) {
	if key == "" {
		return nil, nil
	}
	for i := range r.called {
		switch {
		case strings.HasPrefix(r.folded[i], key):
			names = append(names, i)
		case strings.HasPrefix(r.listed[i], key):
			listed = append(listed, i)
		}
	}
	return names, listed
}

// near are the units of some that a text may have been meant for that names none.
func (r *Roll) near(name string, among []int) (out []int) {
	var texts, forms []string
	words := strings.Fields(name)
	for n := len(words); n > 0; n-- {
		texts = append(texts, Fold(strings.Join(words[:n], " ")))
	}
	if len(texts) == 0 {
		return nil
	}
	for _, i := range among {
		forms = append(forms, r.folded[i], r.listed[i], Fold(r.called[i].Form(PartOf)), Fold(r.called[i].Form(Untyped)))
	}
	for _, k := range orders.Nearest(texts, forms) {
		if i := among[k/4]; !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	return out
}

// formation is the one that the unit of an id is of before all others, "" for none.
func (r *Roll) formation(id string) string {
	for _, c := range r.called {
		if c.ID == id && len(c.Of) > 0 {
			return c.Of[0]
		}
	}
	return ""
}

// Rolls are the rolls of a scenario's sides, each made when it is first asked for.
type Rolls struct {
	mu sync.Mutex
	of map[string]*Roll
}

// Of is the roll of a side, made from what its units are called.
func (r *Rolls) Of(side string, called func() []Called) *Roll {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of == nil {
		r.of = map[string]*Roll{}
	}
	if r.of[side] == nil {
		r.of[side] = NewRoll(called())
	}
	return r.of[side]
}
