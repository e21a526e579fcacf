package wb95

import (
	"fmt"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// entrench builds field fortifications under a unit: all that it does in this
// phase. The rest of its stack may still move.
//
// reading WB-95 7.1.4: who entrenches takes no step before it and none after it.
func (s *State) entrench(u *Unit, o *moveOrder, tell teller) (string, *rule.Violation) {
	side := u.c.Side
	f := s.fort(u.Hex)
	switch {
	case u.Where != OnMap:
		return "", &rule.Violation{Clause: "WB-95 7.1.2", Why: "it is not on the map"}
	case s.strategicNow():
		return "", &rule.Violation{Clause: "WB-95 7.1.2", Why: "fortifications are built in the Movement Phase only"}
	case f != nil && s.dugBy(u, o):
		return "joins in", nil
	// WB-95 7.1.9
	case s.inFixed(u.Hex):
		return "", &rule.Violation{Clause: "WB-95 7.1.9", Why: fmt.Sprintf("%v has fixed positions", u.Hex)}
	// WB-95 7.1.2: a regular unit builds them, if it did not retreat
	case !u.regular():
		return "", &rule.Violation{Clause: "WB-95 7.1.2", Why: "only regular units build field fortifications", Instead: "A regular unit on the hex can build them for all."}
	case f != nil:
		return "", &rule.Violation{Clause: "WB-95 7.1.1", Why: fmt.Sprintf("%v has %s already", u.Hex, fortName(f.Kind))}
	// WB-95 7.1.8
	case s.swamp(u.Hex):
		return "", &rule.Violation{Clause: "WB-95 7.1.8", Why: fmt.Sprintf("%v is swamp", u.Hex)}
	case u.Retreated && !s.pinned(u):
		return "", &rule.Violation{Clause: "WB-95 7.1.2", Why: "it retreated in the last Combat Phase", Instead: "A unit of the hex that did not retreat can build, or it next turn."}
	}
	// WB-95 7.1.4: and spends all its points on it
	u.Active = true
	// WB-95 7.1.7
	// WB-95 7.1.1: what is built are field fortifications
	s.setFort(u.Hex, FF, side)
	if s.sees(s.sc.Other(side), u.Hex) {
		tell.tell(view.Event{Kind: "fort-seen", Clause: "WB-95 7.1.1", To: to(s.sc.Other(side)), Hexes: []hex.Hex{u.Hex},
			Facts: view.Pairs{"hex", u.Hex.String()}})
	}
	return "builds field fortifications in " + u.Hex.String(), nil
}

// dugBy tells whether another unit of the same order has just built what is there.
func (s *State) dugBy(u *Unit, o *moveOrder) bool {
	for _, v := range o.units {
		if v == u {
			return false
		}
		if v.Where != OnMap || v.Hex != u.Hex {
			continue
		}
		if v.Active && v.regular() {
			return true
		}
	}
	return false
}

// pinned: in an enemy zone and without a legal step.
//
// WB-95 7.1.3
// reading WB-95 7.1.3: unable to leave means that no adjacent hex could be entered.
func (s *State) pinned(u *Unit) bool {
	if !s.inEnemyZone(u.Hex, u.c.Side) {
		return false
	}
	m := s.newMarch(u, true)
	i := s.sc.Board.Grid.Index(u.Hex)
	for d := range hex.Dir(6) {
		if m.bar(i, d) == "" && m.affords(m.total(i, d, 0)) {
			return false
		}
	}
	return true
}

// swamp tells whether the hex is swamp, frozen or not.
func (s *State) swamp(h hex.Hex) bool {
	return s.sc.Board.Is(h, "swamp") || s.sc.Board.Is(h, "swamps")
}

// sweepForts removes field fortifications without a unit of their side, at the
// end of every phase. Until then another unit may take them over.
//
// WB-95 7.1.5
func (s *State) sweepForts(tell teller) {
	for i := 0; i < len(s.Forts); {
		f := s.Forts[i]
		// WB-95 7.2.1
		if f.Kind != FF || s.holder(f.Hex) == f.Side {
			i++
			continue
		}
		s.setFort(f.Hex, "", "")
		tell.tell(view.Event{Kind: "fort-left", Clause: "WB-95 7.1.5", Hexes: []hex.Hex{f.Hex},
			Facts: view.Pairs{"hex", f.Hex.String()}})
	}
}

// seizeFort removes a fortification that the side's unit has just walked into.
//
// WB-95 7.1.6
// WB-95 7.2.1
func (s *State) seizeFort(h hex.Hex, side Side, tell teller) {
	f := s.fort(h)
	if f == nil || f.Side == side {
		return
	}
	kind := f.Kind
	s.setFort(h, "", "")
	tell.tell(view.Event{Kind: "fort-taken", Clause: "WB-95 7.1.6", Hexes: []hex.Hex{h},
		Facts: view.Pairs{"hex", h.String(), "fort", fortName(kind)}})
}

// fortCM is the combat modifiers that a fortification gives its side.
//
// reading WB-95 20.1.1: it overrules 7.1.10 in the Kursk book; a city is a town. The
// numbers are the profile's.
func (s *State) fortCM(f *Fort) int {
	// WB-95 7.2.1: improved fortifications give two
	if f.Kind == IF {
		return 2
	}
	// WB-95 7.1.10: field fortifications by the ground
	// WB-95 20.1.1: by numbers of its own in the Kursk book
	return s.fieldCM(f.Hex)
}

// fieldCM is what field fortifications give on the hex.
//
// WB-95 7.1.10
func (s *State) fieldCM(h hex.Hex) int {
	switch {
	case s.sc.Board.Is(h, "city"):
		return s.sc.Profile.FieldCity
	case s.sc.Board.Is(h, "town"):
		return s.sc.Profile.FieldTown
	}
	return s.sc.Profile.FieldElse
}

// fortified tells whether units of the side on the hex are in fortifications.
func (s *State) fortified(h hex.Hex, side Side) bool {
	f := s.fort(h)
	return f != nil && f.Side == side || s.inPosition(h, side)
}

// fortName is the kind in words.
func fortName(k FortKind) string {
	if k == IF {
		return "improved fortifications"
	}
	return "field fortifications"
}

// enter puts a unit on a hex and applies what entering does there. Whether it
// may is for the caller to know: enemies that are still in the hex can only be
// such as are ridden down.
func (s *State) enter(u *Unit, h hex.Hex, tell teller) {
	from := hex.None
	if u.Where == OnMap {
		from = u.Hex
	}
	s.rideDown(u, h, tell)
	s.put(u, h)
	s.noteStep(u, from, h)
	s.seizeFort(h, u.c.Side, tell)
}

// rideDown destroys the headquarters and guns that stand alone in the way.
//
// WB-95 6.1.7
// WB-95 9.1.5
func (s *State) rideDown(u *Unit, h hex.Hex, tell teller) {
	var names []string
	var victims []*Unit
	for _, v := range s.unitsAt(h) {
		if v.c.Side != u.c.Side {
			names, victims = append(names, v.c.Name), append(victims, v)
		}
	}
	if len(victims) == 0 {
		return
	}
	for _, v := range victims {
		s.remove(v)
	}
	tell.tell(view.Event{Kind: "overrun", Clause: "WB-95 6.1.7", Hexes: []hex.Hex{h}, Facts: view.Pairs{
		"hex", h.String(), "units", strings.Join(names, ", "), "side", s.sc.nameOf(u.c.Side)}})
}

// nameOf is the side's name in words.
func (sc *Scenario) nameOf(side Side) string {
	if sc.isPartner(side) {
		return sc.Partner.Name
	}
	if side == turncoats {
		return sc.Notes.Defection.Nation + " units"
	}
	for i, s := range sc.Sides {
		if s == side && sc.Names[i] != "" {
			return sc.Names[i]
		}
	}
	return string(side)
}
