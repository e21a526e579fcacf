package wb95

import (
	"fmt"
	"slices"
	"strconv"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// The notes of Two Stars, each switched on by the data of a scenario (load_notes.go).

// Groups of allies that are no friends.
const (
	noGroup = iota
	firstGroup
	secondGroup
)

// group is the group of allies that a counter belongs to. Who changed sides is of
// their new friends' group.
func (sc *Scenario) group(c *Counter) int {
	a := sc.Notes.Apart
	if a == nil {
		return noGroup
	}
	nation := c.Nation
	if d := sc.Notes.Defection; d != nil && d.tookIn(c) {
		nation = d.Host
	}
	switch {
	case slices.Contains(a.First, nation):
		return firstGroup
	case slices.Contains(a.Second, nation):
		return secondGroup
	}
	return noGroup
}

// tookIn tells whether the counter is of the nation that changes sides, and has done so.
func (d *Defection) tookIn(c *Counter) bool { return c.Nation == d.Nation && c.Side == d.To }

// strangers: of different groups, so that they cannot share a hex.
//
// reading WB-95 3.2.1: a hex that Americans and Germans share against the notes is to be left again
// by the end of the phase, like one with too many steps.
func (sc *Scenario) strangers(a, b *Counter) bool {
	g := sc.group(a)
	return g != noGroup && g != sc.group(b)
}

// mixedAt tells whether a hex holds both groups.
func (s *State) mixedAt(h hex.Hex) bool {
	if s.sc.Notes.Apart == nil {
		return false
	}
	us := s.unitsAt(h)
	return len(us) > 1 && slices.ContainsFunc(us[1:], func(u *Unit) bool { return s.sc.strangers(us[0].c, u.c) })
}

// strangersAt tells whether allies stand on a hex that the unit cannot share it with.
func (s *State) strangersAt(u *Unit, h hex.Hex) bool {
	return slices.ContainsFunc(s.unitsAt(h), func(v *Unit) bool { return v != u && s.sc.strangers(u.c, v.c) })
}

// blockedBy tells whether allies keep the counter out of a hex: the second group
// never enters a hex of the first.
//
// reading WB-95 3.1.8: Germans enter no hex of Americans, in retreat and pursuit neither.
func (s *State) blockedBy(c *Counter, h hex.Hex) bool {
	if s.sc.group(c) != secondGroup {
		return false
	}
	return slices.ContainsFunc(s.unitsAt(h), func(u *Unit) bool { return s.sc.group(u.c) == firstGroup })
}

// jointPenalty is what an attack of both groups together loses.
//
// WB-95 1.6/2
// reading WB-95 1.6/2: the penalty for a joint attack of Americans and Germans is summed with the
// attacker's modifiers before the table's edge counts; guns and aircraft that support the attack do
// not make it a joint one.
func (s *State) jointPenalty(units []*Unit) []modifier {
	seen := map[int]bool{}
	for _, u := range units {
		seen[s.sc.group(u.c)] = true
	}
	switch {
	case !seen[firstGroup], !seen[secondGroup], s.sc.Notes.Apart.Penalty == 0:
		return nil
	}
	return []modifier{{-s.sc.Notes.Apart.Penalty, s.sc.Notes.Apart.Text, "WB-95 1.6"}}
}

// ofOneGroup keeps of the units those of the first one's group, so that attacks
// made by the rules are joint ones only where there is no other way.
func (s *State) ofOneGroup(us []*Unit) []*Unit {
	if s.sc.Notes.Apart == nil || len(us) == 0 {
		return us
	}
	lead := us[0].c
	return slices.DeleteFunc(us, func(u *Unit) bool { return s.sc.strangers(lead, u.c) })
}

// inTurn puts orders of movement in the order in which they are carried out: those of
// the second group after all others.
//
// reading WB-95 3.1.3: Americans act before Germans, whatever the sequence on the sheet; within a
// group it is kept.
func (s *State) inTurn(list []phrase.Written) []phrase.Written {
	if s.sc.Notes.Apart == nil {
		return list
	}
	var now, later []phrase.Written
	for _, o := range list {
		if s.ofSecondGroup(o) {
			later = append(later, o)
		} else {
			now = append(now, o)
		}
	}
	return append(now, later...)
}

// ofSecondGroup tells whether an order of movement is for units of the second group.
func (s *State) ofSecondGroup(w phrase.Written) bool {
	o, v := s.parseMove(s.player(), w)
	return v == nil && slices.ContainsFunc(o.units, func(u *Unit) bool { return s.sc.group(u.c) == secondGroup })
}

// bothGroups refuses an order to units of both groups.
func (s *State) bothGroups(us []*Unit) *rule.Violation {
	for _, u := range us {
		if s.sc.strangers(us[0].c, u.c) {
			return &rule.Violation{Clause: "WB-95 3.1.3", Why: fmt.Sprintf("%s and %s do not move together", us[0].c.Name, u.c.Name), Instead: "Give each nation an order of its own."}
		}
	}
	return nil
}

// turned is the counter of a unit that has changed sides.
func (sc *Scenario) turned(c *Counter) *Counter {
	cp := *c
	cp.Side = sc.Other(c.Side)
	return &cp
}

// supplyNation is the nation by whose lines the unit is supplied.
//
// reading WB-95 10.1.4: who changed sides is supplied like those who took them in.
func (s *State) supplyNation(u *Unit) string {
	if u.Turned {
		return s.sc.Notes.Defection.Host
	}
	return u.c.Nation
}

// defect rolls before the first phase of the game for the units that may change sides.
//
// reading WB-95 2.1.1: defectors throw a die for each counter, headquarters and guns too: on 1 and
// 2 it changes sides, on 2 and 3 it loses a step, on 4 it is disorganized. The last step is never
// lost this way.
func (s *State) defect(r *adjudicator.Run) {
	d := s.sc.Notes.Defection
	if d == nil || s.Turn != 1 || s.Phase != 1 {
		return
	}
	for i := range s.Units {
		u := &s.Units[i]
		if u.Where == OnMap && u.c.Nation == d.Nation {
			s.rollForDefection(r, u)
		}
	}
}

// rollForDefection throws the die for a unit that may change sides.
func (s *State) rollForDefection(r *adjudicator.Run, u *Unit) {
	d, name := s.sc.Notes.Defection, "defection "+s.labelName(u)
	roll, from, owner := r.Roll("WB-95 2.1.1", name, 1, 6)[0], u.Hex, u.c.Side
	loseOne := func() { u.Steps = max(1, u.Steps-1) }
	joins, fate := false, "stays"
	switch roll {
	case 1:
		joins = true
	case 2:
		joins = true
		loseOne()
	case 3:
		fate = "loses a step"
		loseOne()
	case 4:
		fate = "is disorganized"
		u.Disorganized = s.now()
	}
	audience := to(owner)
	if joins {
		fate = "joins the " + s.sc.nameOf(d.To)
		s.changeSides(r, u)
		audience = []string{string(owner), string(d.To)}
	}
	r.Tell(view.Event{Kind: "defection", Clause: "WB-95 2.1.1", To: audience, Hexes: []hex.Hex{from}, Rolls: []string{name},
		Facts: view.Pairs{"unit", u.c.Name, "hex", from.String(), "fate", fate, "dice", strconv.Itoa(roll), "label", name}})
}

// changeSides puts a unit with a headquarters of its new side, as the owner of that chooses.
//
// reading WB-95 3.2.1: whom the stack of the defectors' headquarters leaves no room goes to the
// nearest hex with room, of equally near ones to the one with the lowest number.
func (s *State) changeSides(r *adjudicator.Run, u *Unit) {
	d, name := s.sc.Notes.Defection, s.labelName(u)
	s.lift(u)
	u.Where, u.Turned, u.c, u.Supplied = Later, true, s.sc.turned(u.c), true
	ask := adjudicator.Decision{Label: "defector " + name, Kind: kindDefector, Side: d.To, Clause: "WB-95 2.1.1", Source: defaultSource}
	for _, hq := range s.onMap(d.To) {
		if hq.c.Type == HQ && hq.c.Nation == d.Host {
			ask.Options = append(ask.Options, adjudicator.Option{Answer: hq.Hex.String(), Means: "with " + hq.c.Name})
		}
	}
	room := hex.None
	if len(ask.Options) > 0 {
		ask.Proposal = ask.Options[0].Answer
		with, _ := hex.Parse(r.Ask(ask)[0])
		room = s.nearestRoom(u, with)
	}
	if room == hex.None {
		s.remove(u)
		return
	}
	s.put(u, room)
}

// nearestRoom is the hex nearest to another where the unit could be put.
func (s *State) nearestRoom(u *Unit, near hex.Hex) hex.Hex {
	g, best, least := s.sc.Board.Grid, hex.None, s.sc.Board.Grid.Len()
	for i := range g.Len() {
		h := g.At(i)
		n := g.Distance(near, h)
		if n >= least || !s.hasRoom(u, h) {
			continue
		}
		if n == 0 || !s.inEnemyZone(h, u.c.Side) {
			best, least = h, n
		}
	}
	return best
}

// hasRoom tells whether the unit could stand on the hex: ground and stacking allow it.
func (s *State) hasRoom(u *Unit, h hex.Hex) bool {
	if !s.sc.Board.On(h) || s.sc.groundPrice(rowOf(u.c), h) == Closed {
		return false
	}
	return s.roomFor(h, u)
}

// savedAir is what a side keeps of its air strength when the turn ends.
//
// WB-95 8.1.5
// reading WB-95 8.1.5: what is flown comes off the day's strength first; of what is
// left of a day so many points are kept, and never more in all than may be used in a day.
func (a SavedAir) after(saved, strength, flown int) int {
	return min(a.Most, saved-max(0, flown-strength)+min(a.Keep, max(0, strength-flown)))
}

// savedBy is what a side has at hand in a turn from the days before.
func (s *State) savedBy(side Side, turn int) int {
	a := s.sc.Notes.Saved
	switch {
	case a == nil, a.Side != side, turn < s.Turn:
		return 0
	}
	saved, k := s.Saved, s.sc.number(side)
	for t := s.Turn; t < turn; t++ {
		flown := 0
		if t == s.Turn {
			flown = s.Flown[k]
		}
		saved = a.after(saved, s.airStrength(side, t), flown)
	}
	return saved
}

// endAirDay keeps what the next turn may use.
func (s *State) endAirDay() {
	if a := s.sc.Notes.Saved; a != nil {
		s.Saved = s.savedBy(a.Side, s.Turn+1)
	}
}
