package systems

import (
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// setUp chooses at random what the book leaves to the owner: for some units another
// of their hexes, for some the steps that they begin with.
func (w *wb95Random) setUp() {
	for _, a := range w.v.Assets {
		if w.in(2) {
			continue
		}
		var days []string
		for _, d := range w.r.Perm(w.v.Turns)[:a.Count] {
			days = append(days, strconv.Itoa(d+1))
		}
		w.add("SETUP", "days with air strength", "DAYS %s", strings.Join(days, ", "))
	}
	for _, c := range w.v.Choices {
		switch {
		case w.in(2):
		case len(c.Hexes) > 1 && !w.in(3):
			w.add("SETUP", "set-up on a hex", "%s AT %v", c.Unit, pick(w, c.Hexes))
		case c.Most > 1:
			w.add("SETUP", "set-up with steps", "%s STEPS %d", c.Unit, 1+w.r.IntN(c.Most))
		}
	}
}

// stackMost is how many steps a hex holds (3.2.1).
const stackMost = 8

// wb95SetUpMutants break the set-up of a game that begins with its choices, turn 0,
// and choose again when it is over.
var wb95SetUpMutants = []Mutation{
	setUpMutant("SETUP", "a hex that is not printed", "WB-95 4.3.1", func(s *scene) (string, []string) {
		c, ok := one(s, s.v.Choices, func(view.Choice) bool { return true })
		h, found := s.hexAt(func(h hex.Hex) bool { return !slices.Contains(c.Hexes, h) })
		if ok && found {
			return text("%s AT %v", c.Unit, h)
		}
		return no()
	}),
	setUpMutant("SETUP", "a hex for a unit without a choice", "WB-95 4.3.1", func(s *scene) (string, []string) {
		u, ok := s.unit(func(u view.Unit) bool {
			return !slices.ContainsFunc(s.v.Choices, func(c view.Choice) bool { return c.Unit == u.Name })
		})
		h, found := s.hexAt(func(h hex.Hex) bool { return h != u.Hex })
		if ok && found {
			return text("%s AT %v", u.Name, h)
		}
		return no()
	}),
	setUpMutant("SETUP", "a stack too large", "WB-95 3.2.1", crowd),
	setUpMutant("SETUP", "more steps than the counter has", "WB-95 1.2/3", func(s *scene) (string, []string) {
		if c, ok := one(s, s.v.Choices, func(view.Choice) bool { return true }); ok {
			return text("%s STEPS %d", c.Unit, c.Most+1+s.r.IntN(3))
		}
		return no()
	}),
	setUpMutant("SETUP", "a unit without steps", "WB-95 1.2/3", func(s *scene) (string, []string) {
		if c, ok := one(s, s.v.Choices, func(view.Choice) bool { return true }); ok {
			return text("%s STEPS 0", c.Unit)
		}
		return no()
	}),
	setUpMutant("SETUP", "a unit that comes later", "WB-95 11.1.1", func(s *scene) (string, []string) {
		u, ok := s.arrival(anyUnit)
		h, found := s.hexAt(s.clear)
		if ok && found {
			return text("%s AT %v", u.Name, h)
		}
		return no()
	}),
	setUpMutant("MOVE", "a move before the set-up", "WB-95 2.1.2", func(s *scene) (string, []string) {
		if u, ok := s.unit(able); ok {
			return text("%s TO %v", u.Name, s.anyBeside(u.Hex))
		}
		return no()
	}),
	setUpMutant("ATTACK", "an attack before the set-up", "WB-95 2.1.2", func(s *scene) (string, []string) {
		if u, foe, ok := s.touching(able); ok {
			return text("%v WITH %s", foe, u.Name)
		}
		return no()
	}),
	mutant("SETUP", "a set-up after the first turn began", "WB-95 4.3.1", order(anyUnit, "%s STEPS 1")),
}

// crowd sends units onto a hex that is printed for them, one after the other, until
// the next one is too many.
func crowd(s *scene) (string, []string) {
	first, ok := one(s, s.v.Choices, func(c view.Choice) bool { return len(c.Hexes) > 1 })
	if !ok {
		return no()
	}
	target, load := first.Hexes[s.r.IntN(len(first.Hexes))], 0
	for _, u := range s.v.Units {
		if u.Hex == target {
			load += u.Steps
		}
	}
	var with []string
	for _, c := range s.v.Choices {
		i := slices.IndexFunc(s.v.Units, func(u view.Unit) bool { return u.Name == c.Unit })
		if i < 0 || s.v.Units[i].Hex == target || !slices.Contains(c.Hexes, target) {
			continue
		}
		order, _ := text("%s AT %v", c.Unit, target)
		if load += s.v.Units[i].Steps; load > stackMost {
			return order, with
		}
		with = append(with, order)
	}
	return no()
}
