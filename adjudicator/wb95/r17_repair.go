package wb95

import (
	"cmp"
	"slices"
	"strconv"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// noRepair is the answer of who keeps a marker back.
const noRepair = "NONE"

// spoilRepair ends the rest of a unit: it has moved, attacked or been attacked.
//
// WB-95 17.1.2
// reading WB-95 17.1.2: fire and aircraft attack a unit too.
func (s *State) spoilRepair(u *Unit) {
	if u.Repair != notInRepair {
		u.Repair = repairSpoiled
	}
}

// spoilRepairsBy ends the rest of those in whose reach a unit has come.
//
// WB-95 17.1.2
func (s *State) spoilRepairsBy(u *Unit) {
	if s.sc.Scorer == "" {
		return // nobody repairs in this scenario
	}
	for _, h := range s.beside(u.Hex) {
		for _, v := range s.unitsAt(h) {
			if v.Repair == notInRepair || v.c.Side == u.c.Side {
				continue
			}
			if s.zoneOf(u, h) {
				v.Repair = repairSpoiled
			}
		}
	}
}

// repairs takes the markers off, with what they have brought, and puts them on anew.
//
// WB-95 17.1.1
// WB-95 17.1.2
// reading WB-95 17.1.2: the marker lies open on the unit; a unit is supplied if this
// phase found a line to it, and what happens to the line later does not matter.
func (s *State) repairs(r *adjudicator.Run, side Side, wishes []standingOrder) {
	if side != s.sc.Scorer {
		return
	}
	for _, u := range s.onMap(side) {
		state := u.Repair
		u.Repair = notInRepair
		switch {
		case state == underRepair:
			u.Steps++
			s.tellRepair(r, "repaired", u, u.Hex)
		case state != notInRepair:
			s.tellRepair(r, "repair-spoiled", u, u.Hex)
		}
	}
	for _, f := range s.sc.fronts() {
		for i := range f.Repairs {
			s.placeRepair(r, side, f, f.label("repair "+strconv.Itoa(i+1)), wishes)
		}
	}
}

// placeRepair asks who gets a marker.
func (s *State) placeRepair(r *adjudicator.Run, side Side, f Front, label string, wishes []standingOrder) {
	us := slices.DeleteFunc(s.onMap(side), func(u *Unit) bool { return !f.holds(u.Hex) || !s.repairable(u) })
	if len(us) == 0 {
		return
	}
	d := adjudicator.Decision{Label: label, Kind: kindRepair, Side: side, Clause: "WB-95 17.1.2",
		Options: []adjudicator.Option{{Answer: noRepair, Means: "keep the marker"}}}
	for _, u := range us {
		d.Options = append(d.Options, adjudicator.Option{Answer: u.c.Name, Means: "repair " + u.c.Name + " in " + u.Hex.String()})
	}
	u, source := wished(wishes, verbRepair, us)
	if u == nil {
		// The published default: the strongest.
		u, source = slices.MaxFunc(us, func(a, b *Unit) int {
			return cmp.Or(a.c.Strength[len(a.c.Strength)-1]-b.c.Strength[len(b.c.Strength)-1], cmp.Compare(b.ID, a.ID))
		}), defaultSource
	}
	d.Proposal, d.Source = u.c.Name, source
	answer := r.Ask(d)[0]
	if i := slices.IndexFunc(us, func(u *Unit) bool { return u.c.Name == answer }); i >= 0 {
		us[i].Repair = underRepair
		s.tellRepair(r, "repair-placed", us[i], us[i].Hex)
	}
}

// repairable: tanks that have lost a step, are supplied and out of the enemy's reach.
//
// WB-95 17.1.2
// WB-95 17.1.3
// reading WB-95 17.1.2: armoured units are those of type ARM, not assault guns.
func (s *State) repairable(u *Unit) bool {
	switch {
	case u.c.Type != ARM, u.Steps >= u.c.Steps(), !u.Supplied, u.Repair != notInRepair:
		return false
	// WB-95 17.1.3: never these
	case u.c.Panther, u.c.Ferdinand:
		return false
	}
	return !s.inEnemyZone(u.Hex, u.c.Side)
}

// tellRepair tells the owner which unit it is, the enemy where the marker lies.
func (s *State) tellRepair(r *adjudicator.Run, kind string, u *Unit, h hex.Hex) {
	r.Tell(view.Event{Kind: kind, Clause: "WB-95 17.1.2", To: to(u.c.Side), Hexes: []hex.Hex{h},
		Facts: view.Pairs{"unit", u.c.Name, "hex", h.String(), "steps", strconv.Itoa(u.Steps)}})
	if kind == "repair-placed" {
		r.Tell(view.Event{Kind: "repair-seen", Clause: "WB-95 17.1.2", To: to(s.sc.Other(u.c.Side)), Hexes: []hex.Hex{h},
			Facts: view.Pairs{"hex", h.String(), "side", s.sc.nameOf(u.c.Side)}})
	}
}
