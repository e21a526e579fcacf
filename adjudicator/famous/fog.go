package famous

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// inspects tells whether a unit on one hex sees what stands on another one: not
// in the hex of a fortification.
func (s *State) inspects(from, to int) bool {
	return !s.fortified(to) && s.sc.sees(from, to)
}

// watches tells whether any unit of a side can inspect a hex.
//
// GD 1.1/3
// GD 1.1/4: what shares its hex with a fortification is never inspected
// reading GD 1.1: every own unit looks, headquarters too, by day and night and in any weather.
func (s *State) watches(side Side, h hex.Hex) bool {
	t := s.sc.Board.Grid.Index(h)
	return !s.fortified(t) && s.seenBy(side, t)
}

// seenBy tells whether a line of sight joins any unit of a side with a hex.
func (s *State) seenBy(side Side, i int) bool {
	if s.unplaced(side) {
		return false
	}
	for u := range s.onMap(side) {
		if s.sc.sees(u.idx, i) {
			return true
		}
	}
	return false
}

// outlook is which hexes lines of sight join with any unit of a side: seenBy for all hexes.
func (s *State) outlook(side Side) hexes {
	out := make(hexes, (len(s.at)+63)/64)
	if s.unplaced(side) {
		return out
	}
	for u := range s.onMap(side) {
		if first := s.at[u.idx] == u.n; first {
			out.add(s.sc.view(u.idx))
		}
	}
	return out
}

// reveal shows units that fight to the other side.
//
// GD 1.1/5
func (s *State) reveal(to Side, us []*Unit) {
	for _, u := range us {
		if u.onMap() {
			s.learn(to, u)
		}
	}
}

// learn adds a unit to what a side knows of its hex.
func (s *State) learn(side Side, u *Unit) {
	k := s.contact(side, u.Hex)
	if k < 0 {
		k = s.note(side, u.Hex)
		s.Contacts[k].Units = []Seen{{u.ID, u.Steps}}
		return
	}
	units := slices.DeleteFunc(slices.Clone(s.Contacts[k].Units), func(x Seen) bool { return x.ID == u.ID })
	units = append(units, Seen{u.ID, u.Steps})
	slices.SortFunc(units, func(a, b Seen) int { return strings.Compare(a.ID, b.ID) })
	s.Contacts[k].Units, s.Contacts[k].Turn = units, s.Turn
}

// contact is the number of what a side remembers of a hex, -1 for nothing.
func (s *State) contact(side Side, h hex.Hex) int {
	if k, found := s.seekContact(side, h); found {
		return k
	}
	return -1
}

// seekContact is the place of what a side remembers of a hex in the list, which is in order
// of sides and hexes, and whether it is there.
func (s *State) seekContact(side Side, h hex.Hex) (k int, found bool) {
	return slices.BinarySearchFunc(s.Contacts, h, func(c Contact, h hex.Hex) int {
		if c.Side != side {
			return strings.Compare(string(c.Side), string(side))
		}
		return int(c.Hex) - int(h)
	})
}

// note begins to remember a hex, now, and returns the number of the contact.
func (s *State) note(side Side, h hex.Hex) int {
	k, _ := s.seekContact(side, h)
	s.Contacts = slices.Insert(s.Contacts, k, Contact{Side: side, Hex: h, Turn: s.Turn})
	return k
}

// noteContacts writes down what can be inspected now, and forgets hexes that the
// enemy has left for all to see.
func (s *State) noteContacts() {
	before := slices.Clone(s.Contacts)
	s.Contacts = slices.DeleteFunc(s.Contacts, func(c Contact) bool {
		left := s.holder(c.Hex) != s.sc.Other(c.Side)
		return left && s.overlooks(c.Side, c.Hex)
	})
	s.noteGround()
	for i := range s.Contacts {
		c := &s.Contacts[i]
		gone := func(x Seen) bool { return s.goneFrom(c, x) }
		if slices.ContainsFunc(c.Units, gone) {
			c.Units = slices.DeleteFunc(slices.Clone(c.Units), gone)
		}
	}
	for k, side := range s.sc.Sides {
		sight := s.outlook(side)
		for i := range s.at {
			if s.holds(i) != 1-k || s.fortified(i) {
				continue
			}
			if sight.has(i) {
				s.inspect(side, i, before)
			}
		}
	}
}

// remembers tells whether a unit is among those that a side has contacts with.
func remembers(contacts []Contact, side Side, id string) bool {
	return slices.ContainsFunc(contacts, func(c Contact) bool { return c.Side == side && c.shows(id) })
}

// shows tells whether a unit is remembered on the hex of a contact.
func (c *Contact) shows(id string) bool {
	return slices.ContainsFunc(c.Units, func(x Seen) bool { return x.ID == id })
}

// goneFrom: the side sees that a unit which it remembers on a hex stands on another now.
func (s *State) goneFrom(c *Contact, x Seen) bool {
	there := s.each(s.sc.Board.Grid.Index(c.Hex))
	if anyOf(there, func(u *Unit) bool { return u.ID == x.ID }) {
		return false
	}
	u := s.unit(x.ID)
	return u.onMap() && s.watches(c.Side, u.Hex)
}

// inspect writes down what stands on a hex. Tanks that were not known before are news.
func (s *State) inspect(side Side, i int, before []Contact) {
	h := s.sc.Board.Grid.At(i)
	k := s.contact(side, h)
	if k < 0 {
		k = s.note(side, h)
	}
	c := &s.Contacts[k]
	for u := range s.each(i) {
		if u.c.Class != Tracked || c.shows(u.ID) {
			continue
		}
		if !remembers(before, side, u.ID) {
			s.news(side, newsTanks)
		}
	}
	c.Turn = s.Turn
	if !s.asSeen(i, c.Units) {
		c.Units = s.seenOn(i)
	}
}

// seenOn are the units on a hex as whoever looks at it sees them.
func (s *State) seenOn(i int) (out []Seen) {
	for u := range s.each(i) {
		out = append(out, Seen{u.ID, u.Steps})
	}
	return out
}

// asSeen tells whether the units on a hex are those of a list, and as they were.
func (s *State) asSeen(i int, list []Seen) bool {
	n := 0
	for u := range s.each(i) {
		if n == len(list) || list[n] != (Seen{u.ID, u.Steps}) {
			return false
		}
		n++
	}
	return n == len(list)
}

// tellEnemy tells the other side of a movement on the map: that a stack moved, and
// who, if it can be inspected where it has come to.
//
// reading GD 1.1: that counters stand on a hex everybody sees, for they lie on the map; not which
// (option fog; switch hide_presence).
func (s *State) tellEnemy(r *adjudicator.Run, kind string, us []*Unit, path []hex.Hex) {
	if len(path) < 2 {
		return
	}
	side := us[0].c.Side
	foe := s.sc.Other(side)
	who := "a stack of the " + s.sc.Names[s.sc.number(side)]
	if s.watches(foe, path[len(path)-1]) {
		who = names(us)
	}
	e := view.Event{Kind: kind, Clause: "GD 1.1", To: []string{string(foe)}, Hexes: slices.Clone(path), Mark: "move", Side: string(side), Facts: view.Pairs{"units", who}}
	// reading GD 1.1: in a blind game one sees the end of a march, as far back as the ground is
	// overlooked (option fog).
	k := len(path)
	for k > 0 && s.overlooks(foe, path[k-1]) {
		k--
	}
	switch seen := path[k:]; len(seen) {
	case 0:
		return
	case 1:
		e.Hexes, e.Mark, e.Facts = seen, "", e.Facts.With("path", "came to "+seen[0].String())
	default:
		e.Hexes, e.Facts = slices.Clone(seen), e.Facts.With("path", pathText([]hex.Hex{seen[0], seen[len(seen)-1]}))
	}
	r.Tell(e)
}

// view builds, from nothing, what a side may know of the position. With side ""
// it is a map of the opening for everybody.
func (s *State) view(side Side) *view.View {
	sc := s.sc
	v := &view.View{
		Format: view.Format, System: "famous", Scenario: sc.ID, Title: sc.Title, Side: string(side), Turn: s.Turn, Turns: len(sc.Track),
		Date: s.date(s.Turn), Phase: s.phaseName(), Verdict: s.Verdict, Winner: string(s.Winner), Board: sc.Board, Options: maps.Clone(sc.chosen), Programmes: s.filedBy(side),
	}
	if s.Weather > 0 {
		v.Facts = append(v.Facts, view.Fact{Name: "weather", Text: s.weatherName()}, view.Fact{Name: "time", Text: s.part().Name})
	}
	if who := s.placedBy(); who != "" {
		v.Facts = append(v.Facts, view.Fact{Name: placedFact, Text: who})
	}
	over := s.Verdict != ""
	switch {
	case s.Phase == setUpStep:
		v.Turn = 0
		if side == s.settler() {
			v.Due = []string{"set-up"}
		}
	case s.next().decides == bothSides && !over:
		v.Due = []string{"orders for the turn"}
	}
	s.stakes(v)
	v.Units = slices.Grow(v.Units, s.unitsIn(side, OnMap, Beside))
	v.Arrivals = slices.Grow(v.Arrivals, s.unitsIn(side, Later))
	v.Lost = slices.Grow(v.Lost, s.unitsIn(side, Gone, Exited))
	for u := range s.army(side) {
		switch u.Where {
		case OnMap, Beside:
			v.Units = append(v.Units, s.ownUnit(u))
		case Later:
			v.Arrivals = append(v.Arrivals, s.ownUnit(u))
		default:
			v.Lost = append(v.Lost, s.ownUnit(u))
		}
	}
	v.Enemy = s.enemyStacks(side)
	s.ground(v, side)
	v.Control = s.controlRows(side)
	v.Chits = s.cup(side)
	s.assets(v, side)
	if a := s.Acting; a != nil && a.Side == string(side) {
		v.Acting = a
	}
	return v
}

// unitsIn counts the units of a side that are at some places.
func (s *State) unitsIn(side Side, at ...Where) (n int) {
	for u := range s.army(side) {
		if slices.Contains(at, u.Where) {
			n++
		}
	}
	return n
}

// placedBy says who has set up in turn 0, "" for nobody.
func (s *State) placedBy() string {
	first, second := s.sc.number(s.sc.SetupOrder[0]), s.sc.number(s.sc.SetupOrder[1])
	switch {
	case s.Placed:
		return fmt.Sprintf("the %s, then the %s", s.sc.Names[first], s.sc.Names[second])
	case s.HalfPlaced:
		return "the " + s.sc.Names[first]
	}
	return ""
}

// stakes are the points and what makes them.
func (s *State) stakes(v *view.View) {
	points, notes := s.score()
	for _, sd := range s.sc.Sides {
		x := view.Score{Side: string(sd)}
		if sd == s.sc.Scorer {
			x.Points, x.Note = points, strings.Join(notes, ", ")
		}
		v.Score = append(v.Score, x)
	}
	for _, o := range s.sc.Objectives {
		for i, h := range o.Hexes {
			points := o.Points
			if i > 0 && !o.Each {
				points = 0 // the place counts as a whole
			}
			v.Objectives = append(v.Objectives, view.Objective{Hex: h, Name: o.Name, Points: points, Owner: string(s.lastOn(h))})
		}
	}
}

// ground is what a side knows of fortifications, bridges and pontoons.
func (s *State) ground(v *view.View, side Side) {
	sc := s.sc
	for _, f := range s.Forts {
		if f.Side != side && s.unplaced(f.Side) {
			continue
		}
		v.Forts = append(v.Forts, view.Fort{Hex: f.Hex, Kind: sc.Forts[f.Kind].Name, Side: string(f.Side), Face: int(f.Face) + 1, Sides: sc.Forts[f.Kind].Sides})
	}
	for _, b := range sc.Board.Bridges {
		v.Bridges = append(v.Bridges, view.Bridge{Edge: b.Edge, Stands: !s.blown[b.Edge]})
	}
	for _, p := range s.Pontoons {
		if s.knowsOf(side, p) {
			v.Pontoons = append(v.Pontoons, view.Pontoon{Edge: p.Edge, Hex: p.Hex, Done: p.Done, Side: string(p.Side)})
		}
	}
}

// knowsOf tells whether a side knows of a pontoon bridge. Side "" is everybody at the opening.
func (s *State) knowsOf(side Side, p Pontoon) bool {
	switch side {
	case "", p.Side:
		return true
	}
	return slices.ContainsFunc(p.hexes(), func(h hex.Hex) bool { return s.overlooks(side, h) })
}

// placedFact names the fact that the game was set up in a turn of its own.
const placedFact = "set up by"

// The kinds of assets begin with these.
const (
	assetHand  = "black chit "
	assetDrawn = "drawn chit "
)

// The marks of units.
const (
	markBeside    = "off map"
	markDebarked  = "debarked"
	markPinned    = "pinned"
	markFired     = "fired"
	markKept      = "kept for " // and a battalion
	markRoad      = "road move"
	markOverrun   = "overrun"
	markUsed      = "activated"
	markNominated = "automatic supply"
	markSilent    = "silent"
	markAboard    = "aboard"
	markExited    = "exited " // and the entry hex
)

// cup is the cup of activation chits: which battalions are in it is public as a
// number, by name to their owner.
func (s *State) cup(side Side) *view.Chits {
	out := &view.Chits{Groups: []view.ChitGroup{}}
	for _, sd := range s.sc.Sides {
		g := view.ChitGroup{Name: string(sd), Side: string(sd)}
		for _, k := range slices.Concat(s.First, s.Cup) {
			if owner, bn := cutKey(k); owner == sd {
				g.Left++
				if sd == side {
					g.Own = append(g.Own, bn)
				}
			}
		}
		slices.Sort(g.Own)
		g.Draws = g.Left
		out.Groups = append(out.Groups, g)
	}
	for _, k := range s.Done {
		owner, bn := cutKey(k)
		out.Played = append(out.Played, view.Chit{Name: bn, Side: string(owner)})
	}
	return out
}

// assets are the side's black chits. What the scenario gives the enemy is public too:
// a fact; what that side has drawn is not.
func (s *State) assets(v *view.View, side Side) {
	for k, sd := range s.sc.Sides {
		hand := s.Events[k].Hand
		if sd != side {
			if len(hand) > 0 {
				v.Facts = append(v.Facts, view.Fact{Name: "black chits of the " + s.sc.Names[k], Text: strings.Join(hand, ", ")})
			}
			continue
		}
		for _, name := range hand {
			v.Assets = append(v.Assets, view.Asset{Kind: assetHand + name, Name: name, Count: 1})
		}
		for _, name := range s.Events[k].Drawn {
			v.Assets = append(v.Assets, view.Asset{Kind: assetDrawn + name, Name: name, Count: 1})
		}
	}
}

// ownUnit is a unit as its owner knows it.
func (s *State) ownUnit(u *Unit) view.Unit {
	c := u.c
	out := view.Unit{ID: c.ID, Name: c.Name, Formation: c.Battalion, Parent: c.Battalion, Nation: nation(c.Side), Type: typeOf(c), Size: c.Size, Class: u.class().String(), Hex: u.Hex,
		Attack: u.attack(), Defence: u.defence(), Full: u.inFull(), Printed: c.Full.Attack, Moves: int(u.printed() / One), Steps: max(0, u.Steps), MaxSteps: c.Steps(),
		OutOfSupply: min(outOfSupply, u.Unsupplied), Aboard: u.Aboard, Card: c.face}
	out.Supply = supplyWords[out.OutOfSupply]
	mark := func(on bool, what string) {
		if on {
			out.Marks = append(out.Marks, what)
		}
	}
	mark(u.Where == Beside, markBeside)
	mark(u.Debarked, markDebarked)
	mark(u.Pinned, markPinned)
	mark(u.Fired, markFired)
	mark(u.KeptFor != "", markKept+u.KeptFor)
	mark(u.Road, markRoad)
	mark(u.Overrun, markOverrun)
	mark(u.Used, markUsed)
	mark(u.Nominated, markNominated)
	mark(slices.Contains(s.Quiet, u.key()), markSilent)
	out.Note = s.area(u.ID)
	switch u.Where {
	case Later:
		if n, ok := s.sc.arrival[u.ID]; ok {
			a := s.sc.Arrivals[n]
			out.Entry, out.Ready, out.Turn, out.Due = a.Entry, s.due(u), a.Turn, s.date(a.Turn)
			if u.Via != "" {
				out.Entry = []string{u.Via}
			}
			if a.Condition != "" && !s.Opened {
				out.Due, out.Waits = out.Due+" if "+s.sc.Condition.Text, true
			}
		}
	case Exited:
		out.Note, out.Left = "left the map at "+u.Left, u.Left
		mark(true, markExited+u.Left)
	}
	return out
}

// nation is what the people of a side are called on its counters.
func nation(side Side) string {
	switch side {
	case "GERMAN":
		return "German"
	case "SOVIET":
		return "Soviet"
	}
	return string(side)
}

// typeOf is the symbol of a counter, as maps draw it.
func typeOf(c *Counter) string {
	switch {
	case c.HQ:
		return "HQ"
	case c.Artillery > 0:
		return "ART"
	case c.AA > 0:
		return "AA"
	}
	switch c.Kind {
	case "eng", "eng_company", "eng_recon", "pioneer", "raft", "jager", "flame":
		return "ENG"
	case "recon", "halftrack", "heavy_recon":
		return "REC"
	case "mot":
		return "MOT"
	case "at_gun", "gun76", "su85":
		return "AT"
	case "assault_gun", "brummbar", "spg":
		return "AG"
	}
	if c.Class == Tracked {
		return "ARM"
	}
	return "INF"
}

// enemyStacks lists the hexes with enemy units and what is known of them; in a
// blind game those in sight and those that were reported, wherever the enemy is.
func (s *State) enemyStacks(side Side) []view.Stack {
	if side == "" || s.unplaced(s.sc.Other(side)) {
		return nil
	}
	var out []view.Stack
	own := s.sc.number(side)
	known := s.remembers(side)
	for i, first := range s.at {
		var was *Contact
		if len(known) > 0 && s.sc.Board.Grid.Index(known[0].Hex) == i {
			was, known = &known[0], known[1:]
		}
		held := first != noOne
		switch {
		case !held && was == nil, held && s.holds(i) == own:
			continue
		}
		if st, ok := s.enemyStack(side, i, held, was); ok {
			out = append(out, st)
		}
	}
	return out
}

// remembers is what a side remembers of hexes, in their order, which is that of the hexes of the map.
func (s *State) remembers(side Side) []Contact {
	is := func(c Contact) bool { return c.Side == side }
	from := slices.IndexFunc(s.Contacts, is)
	if from < 0 {
		return nil
	}
	known := s.Contacts[from:]
	if to := slices.IndexFunc(known, func(c Contact) bool { return !is(c) }); to >= 0 {
		return known[:to]
	}
	return known
}

// enemyStack is what a side knows of the enemy on a hex, whether they hold it and what the side remembers of it, if
// anything; not ok for nothing.
func (s *State) enemyStack(side Side, i int, held bool, was *Contact) (st view.Stack, ok bool) {
	h := s.sc.Board.Grid.At(i)
	now := held && s.makesOut(side, h)
	var seen []Seen
	switch {
	case now:
		st.Seen, seen = s.date(s.Turn), s.seenOn(i)
	case was != nil:
		st.Seen, seen = s.date(was.Turn), was.Units
	case !s.overlooks(side, h):
		return st, false
	}
	st.Hex, st.Side, st.Closer = h, string(s.sc.Other(side)), now
	st.Units = slices.Grow(st.Units, len(seen))
	for _, f := range s.fortsOn(h) {
		st.Fort = s.sc.Forts[f.Kind].Name
	}
	for _, x := range seen {
		st.Units = append(st.Units, s.sighted(x, now))
	}
	return st, true
}

// makesOut tells whether a side knows which units stand on a hex now.
func (s *State) makesOut(side Side, h hex.Hex) bool {
	return s.sc.Fog == adjudicator.FogOpen || s.watches(side, h)
}

// sighted is an enemy unit as it was seen, with the markers on it if that is now.
func (s *State) sighted(x Seen, now bool) view.Sight {
	c := s.sc.counter(x.ID)
	g := view.Sight{Name: c.Name, Nation: nation(c.Side), Type: typeOf(c), Size: c.Size, Steps: x.Steps, Card: c.face}
	if u := s.unit(x.ID); now {
		if u.Debarked {
			g.Marks = append(g.Marks, markDebarked)
		}
		if u.rides() {
			g.Marks = append(g.Marks, markAboard)
		}
	}
	return g
}

// controlRows writes who occupied each hex last, the first letter of each side.
func (s *State) controlRows(who Side) []string {
	known := s.knownLast(who)
	letters := [256]byte{}
	for k, side := range s.sc.Sides {
		letters[sideMarks[k]] = side[0]
	}
	return s.sc.Board.Paint(func(h hex.Hex) byte {
		return cmp.Or(letters[known[s.sc.Board.Grid.Index(h)]], '.')
	})
}
