package wb95

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// The set-up is turn 0, before the first turn: where the book leaves a choice both
// sides make it in secret and at once. A game has it by the option set-up.

// setUpPhase takes the choices of both sides and sets the game up by them.
//
// WB-95 4.3.1
// reading WB-95 1.2/4: of several printed hexes each unit may begin on any, and the losses printed
// for an entry are spread as the owner likes; who chooses nothing begins as printed (option
// set-up).
func setUpPhase(r *adjudicator.Run, s *State) {
	var ask []adjudicator.Decision
	for _, side := range s.sc.players() {
		ask = append(ask, adjudicator.Decision{Label: "set-up " + string(side), Kind: kindSetUp, Side: side, Turn: true, Clause: "WB-95 4.3.1"})
	}
	for i, answer := range r.Ask(ask...) {
		side := ask[i].Side
		for _, o := range phrase.ReadAll(answer) {
			if _, v := s.setUp(side, o); v != nil {
				r.Tell(view.Event{Kind: "set-up-skipped", Clause: v.Clause, To: to(side), Facts: view.Pairs{"order", o.Text, "why", v.Why}})
			}
		}
		for _, v := range s.evenLosses(side) {
			r.Tell(view.Event{Kind: "set-up-skipped", Clause: v.Clause, To: to(side), Facts: view.Pairs{"order", "STEPS", "why", v.Why}})
		}
	}
	s.settleSetUp()
	s.Phase = 1
	r.Tell(view.Event{Kind: "set-up", Clause: "WB-95 4.3.1", Facts: view.Pairs{}})
}

// settleSetUp gives works, control and bridges to the units as they stand.
func (s *State) settleSetUp() {
	s.Forts = []Fort{}
	for _, p := range s.sc.Setup {
		if u := s.unit(p.Counter); p.Fort != "" && u.Where == OnMap {
			s.setFort(u.Hex, p.Fort, u.c.Side)
		}
	}
	s.firstControl()
	s.holdBridges()
	for _, side := range s.sc.Sides {
		s.camp(s.onMap(side))
	}
	s.noteCrowds()
	s.Contact = []Contact{}
	s.noteContacts()
}

// setUp carries out a line of the SETUP section:
//
//	UNITS AT 6211     one of the hexes that the book prints for them
//	UNITS STEPS 1     the steps it begins with, of what the book gives its entry
//	DAYS 1, 7, 11     the turns with air strength, where the side chooses them
func (s *State) setUp(side Side, w phrase.Written) (understood string, v *rule.Violation) {
	if days, ok := isAirDays(w.Text); ok {
		return s.chooseAirDays(side, days)
	}
	if w.Fault != nil {
		return "", w.Fault
	}
	rest := phrase.New(w.Flat())
	us, v := s.units(side, rest.Take("AT", "STEPS"))
	if v != nil {
		return "", v
	}
	verb, value := rest.Next(), rest.Next()
	if !rest.End() || value == "" {
		return "", &rule.Violation{Clause: "WB-95 4.3.1", Why: "a line of the set-up is not understood", Instead: "Write UNITS AT a hex, or UNIT STEPS a number."}
	}
	for _, u := range us {
		p := s.sc.placement(u.ID)
		switch {
		case p == nil:
			return "", &rule.Violation{Clause: "WB-95 11.1.1", Why: u.c.Name + " comes later"}
		case verb == "AT":
			v = s.beginAt(u, p, value)
		default:
			v = s.beginWith(u, value)
		}
		if v != nil {
			return "", v
		}
	}
	return fmt.Sprintf("%s: %s %s", names(us), strings.ToLower(verb), value), nil
}

func (sc *Scenario) placement(id string) *Placement {
	i := slices.IndexFunc(sc.Setup, func(p Placement) bool { return p.Counter == id })
	if i < 0 {
		return nil
	}
	return &sc.Setup[i]
}

// beginAt puts a unit on another of its printed hexes.
//
// reading WB-95 3.2.1: a choice may not make a stack too large that the book does not.
func (s *State) beginAt(u *Unit, p *Placement, text string) *rule.Violation {
	h, v := s.onBoard(text)
	if v != nil {
		return v
	}
	switch {
	case !slices.Contains(p.Hexes, h):
		return &rule.Violation{Clause: "WB-95 4.3.1", Why: fmt.Sprintf("%s does not begin on %v", u.c.Name, h), Instead: "It may begin on " + someOf(p.Hexes) + "."}
	case s.holder(h) != "" && s.holder(h) != u.c.Side:
		return &rule.Violation{Clause: "WB-95 3.1.8", Why: fmt.Sprintf("%v holds enemy units", h)}
	case h != u.Hex && s.stackSteps(h)+u.Steps > stackLimit:
		return &rule.Violation{Clause: "WB-95 3.2.1", Why: fmt.Sprintf("%v would hold %d steps, %d may", h, s.stackSteps(h)+u.Steps, stackLimit)}
	}
	s.put(u, h)
	return nil
}

// someOf lists up to twelve hexes and how many more there are.
func someOf(hs []hex.Hex) string {
	const most = 12
	if len(hs) <= most {
		return list(hs)
	}
	return fmt.Sprintf("%s or one of %d more, which your view.json lists under choices", list(hs[:most]), len(hs)-most)
}

// beginWith gives a unit other steps to begin with.
func (s *State) beginWith(u *Unit, text string) *rule.Violation {
	n, ok := numberIn(text, 1, u.c.Steps())
	if !ok {
		return &rule.Violation{Clause: "WB-95 1.2/3", Why: fmt.Sprintf("%s has 1 to %d steps", u.c.Name, u.c.Steps())}
	}
	u.Steps = n
	return nil
}

// evenLosses checks that the units of each entry have the steps of the book
// together, and gives them the printed ones where they have not.
func (s *State) evenLosses(side Side) []*rule.Violation {
	have, want := map[string]int{}, map[string]int{}
	own := s.placements(side)
	for _, p := range own {
		u := s.unit(p.Counter)
		have[s.entryOf(p)] += u.Steps
		want[s.entryOf(p)] += u.c.Steps() - p.Losses
	}
	var out []*rule.Violation
	for _, e := range slices.Sorted(maps.Keys(have)) {
		if have[e] == want[e] {
			continue
		}
		var of []*Unit
		for _, p := range own {
			if u := s.unit(p.Counter); s.entryOf(p) == e {
				u.Steps = u.c.Steps() - p.Losses
				of = append(of, u)
			}
		}
		out = append(out, &rule.Violation{Clause: "WB-95 1.2/3", Why: fmt.Sprintf("%s begin with %d steps together, not %d: they have the printed ones", names(of), want[e], have[e])})
	}
	return append(out, s.uncrowd(side)...)
}

// uncrowd takes choices back that together make a stack too large: the entries of the
// book that stand there begin as printed.
//
// reading WB-95 3.2.1: losses that are spread otherwise make no room for a ninth step.
func (s *State) uncrowd(side Side) (out []*rule.Violation) {
	printed := s.sc.opening()
	for {
		at := hex.None
		for h, us := range s.stacks() {
			if s.sc.owner(us[0].c) == side && s.stackSteps(h) > max(stackLimit, printed.stackSteps(h)) {
				at = h
				break
			}
		}
		if at == hex.None {
			return out
		}
		n, who := s.stackSteps(at), names(s.unitsAt(at))
		entries := map[string]bool{}
		for _, p := range s.placements(side) {
			if s.unit(p.Counter).Hex == at {
				entries[s.entryOf(p)] = true
			}
		}
		for _, p := range s.placements(side) {
			if u, was := s.unit(p.Counter), printed.unit(p.Counter); entries[s.entryOf(p)] {
				u.Steps = was.Steps
				s.put(u, was.Hex)
			}
		}
		out = append(out, &rule.Violation{Clause: "WB-95 3.2.1", Why: fmt.Sprintf("%s would make %d steps on %v, %d may end there: they begin as printed", who, n, at, stackLimit)})
	}
}

// placements are the lines of the set-up for a side's units.
func (s *State) placements(side Side) []Placement {
	return slices.DeleteFunc(slices.Clone(s.sc.Setup), func(p Placement) bool {
		u := s.unit(p.Counter)
		return u == nil || s.sc.owner(u.c) != side || u.Where != OnMap
	})
}

// entryOf is the entry of the book that a counter belongs to: counters of one
// formation and division with the same printed hexes.
func (s *State) entryOf(p Placement) string {
	c := s.unit(p.Counter).c
	return fmt.Sprintf("%s/%s/%v", c.Formation, c.Parent, sorted(p.Hexes))
}

// setUpView lists what a side may choose.
func (s *State) setUpView(side Side) []view.Choice {
	var out []view.Choice
	size, losses := map[string]int{}, map[string]int{}
	own := s.placements(side)
	for _, p := range own {
		size[s.entryOf(p)]++
		losses[s.entryOf(p)] += p.Losses
	}
	for _, p := range own {
		u, e := s.unit(p.Counter), s.entryOf(p)
		mayShare := losses[e] > 0 && size[e] > 1 && u.c.Steps() > 1
		if len(p.Hexes) > 1 || mayShare {
			out = append(out, view.Choice{Unit: u.c.Name, Hexes: slices.Clone(p.Hexes), Steps: u.Steps, Most: u.c.Steps()})
		}
	}
	return out
}
