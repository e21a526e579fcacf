package wb95

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// viewOf is what a player may know of a position that others look at as well.
func (s *State) viewOf(player Side) *view.View {
	own := *s
	own.room = new(stocks)
	return own.view(player)
}

// view builds, from nothing, what a player may know of the position.
//
// Public (reading WB-95 16.1.1): which hexes hold units of which side,
// fortifications, bridges, control, points. Everything else of the enemy comes
// from contact reports (16.1.3, 16.1.4).
func (s *State) view(player Side) *view.View {
	sc := s.sc
	side := sc.camp(player)
	v := &view.View{
		Format: view.Format, System: "wb95", Scenario: sc.ID, Title: sc.Title, Side: string(player),
		Turn: s.Turn, Turns: sc.Turns, Date: sc.date(s.Turn), Phase: s.phaseName(), Mover: string(s.player()),
		Verdict: s.Verdict, Winner: string(s.Winner), Board: sc.Board,
	}
	if s.Phase == 0 {
		v.Turn, v.Mover, v.Choices = 0, "", s.setUpView(player)
	}
	v.Due = s.due(player)
	v.Air = s.airView(player)
	for _, t := range s.score() {
		v.Score = append(v.Score, view.Score{Side: string(t.Side), Points: t.Points})
	}
	for _, o := range sc.Objectives {
		v.Objectives = append(v.Objectives, view.Objective{Hex: o.Hex, Name: o.Name, Points: o.Points, Owner: string(s.controller(o.Hex))})
	}
	s.viewUnits(v, player)
	v.Enemy = s.enemyStacks(side)
	for _, f := range s.Forts {
		if s.knowsFort(side, f) {
			v.Forts = append(v.Forts, view.Fort{Hex: f.Hex, Kind: string(f.Kind), Side: string(s.chiefAt(f.Side, []hex.Hex{f.Hex}))})
		}
	}
	for _, b := range s.Bridges {
		v.Bridges = append(v.Bridges, view.Bridge{Edge: b.Edge, Stands: b.Stands, Side: string(b.Holder)})
	}
	v.Control = s.controlRows()
	v.Assets, v.Options, v.Crowded = s.assets(side), s.Options, s.ownCrowds(player)
	return v
}

// due lists what the game waits for in the player's sheet, as sections of a half turn: it
// holds all its phases, the barrage too (6.5.7).
func (s *State) due(player Side) []string {
	switch {
	case s.Phase == 0:
		return []string{"set-up"}
	case s.Verdict != "", s.player() != player:
		return nil
	}
	var out []string
	side, now := s.sc.camp(player), stageOf(s.Phase)
	if now == stageAir && player == side {
		out = append(out, "air")
	}
	if now <= stageBarrage && s.leave(side) != nil {
		out = append(out, "barrage")
	}
	if stepOf(s.Phase).decides {
		out = append(out, "movement", "attacks", "strategic movement")
	}
	return out
}

// viewUnits lists the player's units by where they are, and those of an ally on the map.
func (s *State) viewUnits(v *view.View, player Side) {
	side := s.sc.camp(player)
	v.Units = make([]view.Unit, 0, len(s.Units)/2)
	for i := range s.Units {
		u := &s.Units[i]
		own := s.sc.owner(u.c) == player
		switch {
		case u.c.Side != side:
		case own && u.Where == OnMap:
			v.Units = append(v.Units, s.ownUnit(u))
		case own && u.Where == Later:
			v.Arrivals = append(v.Arrivals, s.ownUnit(u))
		case own:
			v.Lost = append(v.Lost, s.ownUnit(u))
		case u.Where == OnMap:
			v.Allies = append(v.Allies, s.ownUnit(u))
		}
	}
}

// airView is what a side knows of the air war: the strength of both sides by day
// is printed (reading WB-95 16.1.1), missions are their own side's alone.
func (s *State) airView(side Side) *view.Air {
	if len(s.sc.Air) == 0 || s.sc.camp(side) != side {
		return nil
	}
	out := &view.Air{Phases: []view.AirPhase{}}
	for _, p := range s.airPhases() {
		p.Date, p.Left = s.sc.date(p.Turn), s.airLeft(side, p.Turn)
		ready, choice := s.airReady(side, p.Turn)
		for _, a := range ready {
			p.Ready, p.Choice = append(p.Ready, a.Name), choice
		}
		for _, sd := range s.sc.Sides {
			if s.knowsStrength(side, sd) {
				p.Strength = append(p.Strength, view.Score{Side: string(sd), Points: s.airStrength(sd, p.Turn)})
			}
		}
		out.Phases = append(out.Phases, p)
	}
	for _, m := range s.Missions {
		if m.Side != side || stageOf(s.Phase) == stageAir { // they end as the next Air Phase opens
			continue
		}
		f := view.Mission{Kind: m.Kind, Hex: m.Hex, Strength: m.SP, Counters: m.Counters, White: m.White}
		if m.Edge != (hex.Edge{}) {
			f.Edge = &m.Edge
		}
		out.Flown = append(out.Flown, f)
	}
	return out
}

// ownUnit is a unit as its owner knows it.
func (s *State) ownUnit(u *Unit) view.Unit {
	c := u.c
	out := view.Unit{
		ID: c.ID, Name: c.Name, Formation: c.Formation, Parent: c.Parent, Nation: c.Nation,
		Type: string(c.Type), Size: c.Size, Class: string(c.Class), Hex: u.Hex,
		Printed: c.Strength[len(c.Strength)-1], Moves: int(c.Moves / One), Steps: u.Steps, MaxSteps: c.Steps(),
		OutOfSupply: u.OoS, Disorganized: u.disorganized(), Retreated: u.Retreated, Silent: int(u.Barraged), Camp: u.Camp,
	}
	for _, w := range s.Works {
		if w.HQ == u.ID {
			out.Work = &w.Edge
		}
	}
	if u.Steps > 0 {
		out.Attack, out.Defence = c.Strength[u.Steps-1], c.Strength[u.Steps-1]
		if c.Defence != nil {
			out.Defence = c.Defence[u.Steps-1]
		}
	}
	for _, st := range c.Stars {
		out.Stars = append(out.Stars, string(st))
	}
	if c.hasSetup() {
		out.Gun = "transport"
		if u.Firing {
			out.Gun = "firing"
		}
	}
	switch {
	case u.Away:
		out.Note = "withdrawn"
	case u.Repair == underRepair:
		out.Note = "under repair"
	}
	if u.Where == Later {
		a := s.arrival(u)
		out.Entry, out.Ready, out.Turn, out.Left = a.Entry, s.dueNow(u, a) == nil, u.Due, u.Left
		switch {
		case u.Due > 0:
			out.Due = s.sc.date(u.Due)
		case u.Left != "":
			out.Due = "left the map through zone " + u.Left
		case a.When != "":
			out.Due = s.sc.condition(a.When).words()
		}
	}
	return out
}

// mayArrive tells whether an off-map unit may enter in this turn.
func (s *State) mayArrive(u *Unit) bool {
	a := s.arrival(u)
	switch {
	case u.Due > 0:
		return s.Turn >= u.Due
	case a.When == "":
		return false
	}
	switch c := s.sc.condition(a.When); {
	case c.Formation != "":
		return s.callsUp(c, u)
	case c.Lost != "" && !s.sc.before(2):
		return s.countLost(c)
	}
	opened, ok := s.Opened[a.When]
	return ok && s.Turn > opened
}

// arrival is the reinforcement line of a counter.
func (sc *Scenario) arrival(id string) Arrival {
	for _, a := range sc.Arrivals {
		if a.Counter == id {
			return a
		}
	}
	return Arrival{Counter: id}
}

// enemyStacks lists the hexes with enemy units and what is known of them; in a
// blind game those in sight and those that were reported, wherever the enemy is.
func (s *State) enemyStacks(side Side) []view.Stack {
	other := s.sc.Other(side)
	var out []view.Stack
	for _, h := range s.knownStacks(side) {
		st := view.Stack{Hex: h, Side: string(s.chiefAt(other, []hex.Hex{h})), Closer: s.inContact(h, side)}
		if f := s.fort(h); f != nil && s.knowsFort(side, *f) {
			st.Fort = string(f.Kind)
		}
		c := s.contact(side, h)
		if s.sc.Readings.Fog == adjudicator.FogOpen {
			c = &Contact{Turn: s.Turn, Units: s.wholeStack(h)}
		}
		if c != nil {
			st.Seen = s.sc.date(c.Turn)
			for _, g := range c.Units {
				st.Units = append(st.Units, view.Sight{Name: g.Name, Nation: g.Nation, Type: string(g.Type), Steps: g.Steps})
			}
		}
		out = append(out, st)
	}
	return out
}

// knownStacks lists the hexes where the side knows of enemy stacks, in ascending order.
func (s *State) knownStacks(side Side) []hex.Hex {
	at := s.hexesOf(s.sc.Other(side))
	if s.sc.Readings.Fog != adjudicator.FogBlind {
		return at
	}
	at = slices.DeleteFunc(at, func(h hex.Hex) bool { return !s.sees(side, h) })
	for _, c := range s.Contact {
		if c.Side == side && s.holder(c.Hex) != side {
			at = append(at, c.Hex)
		}
	}
	return sorted(at)
}

// hexesOf lists the hexes that hold units of a side, in ascending order.
func (s *State) hexesOf(side Side) []hex.Hex {
	out := make([]hex.Hex, 0, len(s.stack))
	for h, us := range s.stacks() {
		if us[0].c.Side == side {
			out = append(out, h)
		}
	}
	return out
}

// inContact tells whether a unit of the side stands next to the hex.
func (s *State) inContact(h hex.Hex, side Side) bool {
	i, ok := s.sc.Board.Grid.Find(h)
	return ok && s.isBeside(i, side)
}

// isBeside tells whether units of a side are next to a hex, by its grid index.
func (s *State) isBeside(i int, side Side) bool {
	for _, n := range s.sc.network().next[i] {
		if n < 0 {
			continue
		}
		if us := s.stack[s.stackOn[n]]; len(us) > 0 && us[0].c.Side == side {
			return true
		}
	}
	return false
}

func (s *State) contact(side Side, h hex.Hex) *Contact {
	if i, ok := s.findContact(side, h); ok {
		return &s.Contact[i]
	}
	return nil
}

// findContact is where the note of a side on a hex stands, or belongs.
func (s *State) findContact(side Side, h hex.Hex) (int, bool) {
	low, high := 0, len(s.Contact)
	for low < high {
		middle := (low + high) / 2
		switch c := &s.Contact[middle]; {
		case c.Side == side && c.Hex == h:
			return middle, true
		case c.Side < side, c.Side == side && c.Hex < h:
			low = middle + 1
		default:
			high = middle
		}
	}
	return low, false
}

// noteContacts writes down what neighbours must tell each other, and forgets
// notes on hexes that the enemy has left for all to see.
func (s *State) noteContacts() {
	s.Contact = slices.DeleteFunc(s.Contact, func(c Contact) bool {
		return s.holder(c.Hex) != s.sc.Other(c.Side) && s.sees(c.Side, c.Hex)
	})
	whose := s.whose()
	for i, us := range s.stacksByIndex() {
		h, side := us[0].Hex, s.sc.Other(us[0].c.Side)
		switch {
		case s.besideOneOf(i, s.sc.place(side), whose):
			s.noteStack(side, us)
		case s.sc.Readings.Fog == adjudicator.FogBlind && s.sees(side, h) && s.contact(side, h) == nil:
			s.note(side, h, nil) // a stack is there; of what is not known
		}
	}
}

// whose are the sides of the lists in s.stack, as places; nobody's is -2.
func (s *State) whose() []int8 {
	out := make([]int8, len(s.stack))
	for k, us := range s.stack {
		out[k] = -2
		if len(us) > 0 {
			out[k] = s.sc.place(us[0].c.Side)
		}
	}
	return out
}

// besideOneOf tells whether a list of the side at a place is that of a hex next to this one, by its grid index.
func (s *State) besideOneOf(i int, side int8, whose []int8) bool {
	for _, n := range s.sc.network().next[i] {
		if n >= 0 && whose[s.stackOn[n]] == side {
			return true
		}
	}
	return false
}

// meet notes what a unit and the enemies beside it tell each other when it comes
// to a hex, in the middle of a movement too.
//
// reading WB-95 16.1.4: contact is told when it arises, and kept as a dated note.
func (s *State) meet(u *Unit) {
	side := u.c.Side
	other := s.sc.Other(side)
	met := false
	for _, us := range s.stacksBeside(u.Hex) {
		if us[0].c.Side != other {
			continue
		}
		s.noteStack(side, us)
		met = true
	}
	if met {
		s.noteStack(other, s.unitsAt(u.Hex))
	}
}

// noteStack notes what the neighbour of a stack is told of it.
//
// WB-95 16.1.4
func (s *State) noteStack(side Side, us []*Unit) {
	known := s.noteOf(side, us[0].Hex)
	if known == nil {
		return
	}
	// What a combat of this turn has shown is not forgotten while the stack stands as it was.
	if !s.shownWhole(known) || !sameUnits(us, known.Units) {
		known.Units = s.contactReport(us)
	}
	known.Turn = s.Turn
}

// contactReport is what the neighbour of a stack is told: of units in works not how strong.
func (s *State) contactReport(us []*Unit) []Sight {
	out := s.room.sights.Take(len(us))
	hidden := s.fortified(us[0].Hex, us[0].c.Side)
	for _, u := range us {
		g := Sight{Type: u.c.Type}
		if !hidden {
			g.Steps = u.Steps
		}
		out = append(out, g)
	}
	if len(out) > 1 {
		slices.SortStableFunc(out, func(a, b Sight) int { return strings.Compare(string(a.Type), string(b.Type)) })
	}
	return out
}

// shownWhole tells whether the note is one of a stack that was met in a combat of this turn.
func (s *State) shownWhole(known *Contact) bool {
	return known.Turn == s.Turn && len(known.Units) > 0 && known.Units[0].Name != ""
}

// sameUnits tells whether the units are those that were seen, with the same steps.
func sameUnits(us []*Unit, seen []Sight) bool {
	if len(seen) != len(us) {
		return false
	}
	for _, u := range us {
		if !slices.ContainsFunc(seen, func(g Sight) bool { return g.Name == u.c.Name && g.Steps == u.Steps }) {
			return false
		}
	}
	return true
}

// noteCombatContact shows a side the whole stack that it fights.
//
// WB-95 16.1.3
func (s *State) noteCombatContact(side Side, h hex.Hex) {
	if s.holder(h) != side {
		s.note(side, h, s.wholeStack(h))
	}
}

// wholeStack is a stack as one sees it who sees everything.
func (s *State) wholeStack(h hex.Hex) []Sight {
	us := s.unitsAt(h)
	out := s.room.sights.Take(len(us))
	for _, u := range us {
		out = append(out, Sight{Name: u.c.Name, Nation: u.c.Nation, Type: u.c.Type, Steps: u.Steps})
	}
	return out
}

// note writes down what a side knows of a hex.
func (s *State) note(side Side, h hex.Hex, units []Sight) {
	if c := s.noteOf(side, h); c != nil {
		c.Turn, c.Units = s.Turn, units
	}
}

// noteOf is the note of a side on a hex, an empty one if there was none; nil where nobody
// reads what the side sees.
func (s *State) noteOf(side Side, h hex.Hex) *Contact {
	if side == turncoats {
		return nil
	}
	i, known := s.findContact(side, h)
	if !known {
		s.Contact = slices.Insert(s.Contact, i, Contact{Side: side, Hex: h})
	}
	return &s.Contact[i]
}

// controlRows writes control as rows of the map, the first letter of each side.
func (s *State) controlRows() []string {
	return s.sc.Board.Paint(func(h hex.Hex) byte {
		if side := s.controller(h); side != "" {
			return s.takerOf(h, side)[0]
		}
		return '.'
	})
}

var months = []struct {
	name string
	days int
}{{"January", 31}, {"February", 28}, {"March", 31}, {"April", 30}, {"May", 31}, {"June", 30},
	{"July", 31}, {"August", 31}, {"September", 30}, {"October", 31}, {"November", 30}, {"December", 31}}

// date is the day of a turn: one turn is one day (2.1.6). None of the games
// crosses a 29 February.
//
// WB-95 2.1.6
func (sc *Scenario) date(turn int) string {
	d, m, y := sc.Day+turn-1, sc.Month, sc.Year
	for d > months[m-1].days {
		d -= months[m-1].days
		if m++; m > 12 {
			m, y = 1, y+1
		}
	}
	return fmt.Sprintf("%d %s %d", d, months[m-1].name, y)
}
