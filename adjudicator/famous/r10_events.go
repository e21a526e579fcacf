package famous

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// drawn is the chit that a side has drawn for an attack.
type drawn struct {
	side  Side
	event *Event
	off   bool   // it does not count
	why   string // because of this
}

// drop has the chit not count.
func (d *drawn) drop(why string) { d.off, d.why = true, why }

// events has both sides draw a chit, the attacker first, and works out what
// counts: black chits cancel first; then night, weather and anti-aircraft fire;
// then the chits that are left cancel each other, both at once.
//
// GD 10.1/7
// reading GD 10.3: a cancelled chit has neither modifier nor canceller; two chits that name each other both go.
func (b *battle) events() {
	s := b.s
	// GD 10.3/1: each side draws one for every attack
	// GD 10.3/2: blindly, and whether it wants to or not
	// GD 10.3/3: and never more
	for k, side := range [2]Side{b.side, s.sc.Other(b.side)} {
		b.chits[k] = drawn{side: side, event: s.sc.event(s.draw(b.r, side, b.target))}
	}
	for k := range b.chits {
		if b.chits[k].event.Colour == black {
			b.chits[k].drop("kept in hand") // GD 10.3/18
		}
	}
	for k := range b.chits {
		b.blacks(b.chits[k].side)
	}
	for k := range b.chits {
		b.ground(k)
	}
	b.cancelEachOther()
	for k := range b.chits {
		b.count(&b.chits[k])
	}
}

// ground has a chit not count at night, in weather or under fire that its aircraft cannot
// come through.
func (b *battle) ground(k int) {
	s, d := b.s, &b.chits[k]
	if d.off {
		return
	}
	aircraft := d.event.aircraft()
	switch {
	case d.event.NoNight && !s.part().Events:
		// GD 3.0/3: night stops some events
		// GD 10.3/9: those that are marked
		// GD 13.1/4: but not in the evening
		d.drop("not at night")
	case !aircraft:
	case !s.weather().Air:
		// GD 14.1/2: clouds stop aircraft
		// GD 14.1/5: rain
		// GD 14.1/11: a storm
		d.drop("not in this weather")
	case b.shotDown(k):
		d.drop("driven off by anti-aircraft fire")
	}
}

// cancelEachOther has each chit cancel the one that it names, both at once.
//
// GD 10.3/11
func (b *battle) cancelEachOther() {
	before := b.chits
	if before[0].off || before[1].off {
		return // GD 10.3/12: a cancelled chit does nothing
	}
	for k, d := range before {
		if other := before[1-k].event; other.Cancels == d.event.Name {
			b.chits[k].drop("cancelled by " + other.Name)
		}
	}
}

// count adds the modifier of a chit, lays it aside and tells of it. The enemy sees that a
// black chit was drawn, not which.
//
// GD 10.3/7: both chits count, whoever drew which colour
func (b *battle) count(d *drawn) {
	e := d.event
	if !d.off && e.DRM != 0 {
		// GD 10.3/5: blue chits subtract
		// GD 10.3/6: red chits add
		b.drms = append(b.drms, drm{e.Name, e.DRM})
	}
	told := view.Event{Kind: "event", Clause: "GD 10.3", Hexes: []hex.Hex{b.target},
		Facts: view.Pairs{"side", string(d.side), "event", e.Name, "colour", string(e.Colour), "drm", fmt.Sprintf("%+d", e.DRM), "why", d.why}}
	if e.Colour != black {
		// GD 10.3/13: what was drawn is discarded
		// GD 10.3/10: at night too, and not replaced
		b.s.discard(d.side, e.Name)
		b.say(told)
		return
	}
	told.To = []string{string(d.side)}
	b.say(told)
	b.say(view.Event{Kind: "event", Clause: "GD 10.3", To: []string{string(b.s.sc.Other(d.side))}, Hexes: []hex.Hex{b.target},
		Facts: view.Pairs{"side", string(d.side), "event", "a black chit", "colour", string(black), "drm", "", "why", "kept in hand"}})
}

// draw takes a chit from a side's cup, blindly. An emptied cup is refilled from
// the pile of discarded chits first.
//
// GD 10.3/8
func (s *State) draw(r *adjudicator.Run, side Side, at hex.Hex) string {
	c := &s.Events[s.sc.number(side)] // GD 2.0/2
	if c.left() == 0 {
		c.Known, c.Discard = slices.Clone(c.Discard), nil // GD 10.3/14
	}
	k := r.Roll("GD 10.3", s.label("chit of the %s %v", side, at), 1, c.left())[0] - 1
	name := ""
	if k < len(c.Known) {
		name = c.Known[k]
		c.Known = slices.Delete(c.Known, k, k+1)
	} else {
		name = s.fromPool(r, side, c.take(k-len(c.Known)), at)
	}
	if s.sc.event(name).Colour == black {
		c.Drawn = insert(c.Drawn, name)
	}
	return name
}

// left is how many chits are in the cup.
func (c *EventCups) left() int { return c.Blue + c.Red + c.Black + len(c.Known) }

// take takes one of the chits of which only the colour is known, and says which colour.
func (c *EventCups) take(k int) Colour {
	switch {
	case k < c.Blue:
		c.Blue--
		return blue
	case k < c.Blue+c.Red:
		c.Red--
		return red
	}
	c.Black--
	return black
}

// fromPool finds out which chit of a colour it is.
func (s *State) fromPool(r *adjudicator.Run, side Side, colour Colour, at hex.Hex) string {
	total := 0
	for i, e := range s.sc.Events {
		if e.Colour == colour {
			total += s.Pool[i]
		}
	}
	k := r.Roll("GD 10.3", s.label("name of the chit of the %s %v", side, at), 1, total)[0]
	for i, e := range s.sc.Events {
		if e.Colour != colour {
			continue
		}
		if k -= s.Pool[i]; k <= 0 {
			s.Pool[i]--
			return e.Name
		}
	}
	panic("the pool of event chits is smaller than its sum")
}

// discard puts a chit on its side's pile.
func (s *State) discard(side Side, name string) {
	c := &s.Events[s.sc.number(side)]
	c.Discard = insert(c.Discard, name)
}

func insert(list []string, name string) []string {
	at, _ := slices.BinarySearch(list, name)
	return slices.Insert(list, at, name)
}

// blacks asks a side which of its black chits it plays: on either chit that was
// drawn, or on fortifications.
func (b *battle) blacks(side Side) {
	s := b.s
	c := &s.Events[s.sc.number(side)]
	var able []string
	for _, name := range slices.Concat(c.Hand, c.Drawn) {
		if !slices.Contains(able, name) && b.useful(name) {
			able = append(able, name)
		}
	}
	if len(able) == 0 {
		return
	}
	st := s.plan(b.r, side)
	var want []string
	for _, name := range able {
		if b.wants(side, name, st) {
			want = append(want, name)
		}
	}
	d := adjudicator.Decision{Label: s.label("black chits of the %s %v", side, b.target), Kind: kindBlack, Side: side, Clause: "GD 10.3", Proposal: "NONE", Source: st.source(len(st.black) > 0)}
	if len(want) > 0 {
		d.Proposal = strings.Join(want, ", ")
	}
	for _, name := range split(b.r.Ask(d)[0]) { // GD 10.3/17: none has to be played
		if slices.Contains(able, name) && b.useful(name) {
			c.spend(name)
			b.playBlack(side, name)
		}
	}
}

// spend takes a black chit out of the game.
//
// GD 10.3/19
func (c *EventCups) spend(name string) {
	for _, list := range []*[]string{&c.Hand, &c.Drawn} {
		if k := slices.Index(*list, name); k >= 0 {
			*list = slices.Delete(*list, k, k+1)
			return
		}
	}
}

// playBlack cancels what a black chit names. Nothing cancels the black chit.
//
// GD 10.3/20
func (b *battle) playBlack(side Side, name string) {
	target := b.s.sc.event(name).Cancels
	for k := range b.chits {
		if d := &b.chits[k]; d.is(target) {
			d.drop("cancelled by " + name) // GD 10.3/16: whoever drew it
		}
	}
	if k := b.s.sc.fortKind(target); k >= 0 {
		b.cancelled = append(b.cancelled, k) // GD 15.0/8: for this attack; it stays on the map
	}
	b.say(view.Event{Kind: "black", Clause: "GD 10.3", Hexes: []hex.Hex{b.target}, Facts: view.Pairs{"side", string(side), "event", name, "target", target}})
}

// is tells whether the chit has that name and still counts.
func (d *drawn) is(name string) bool { return d.event.Name == name && !d.off }

// useful: there is something that the black chit would cancel.
func (b *battle) useful(name string) bool {
	target := b.s.sc.event(name).Cancels
	if b.chits[0].is(target) || b.chits[1].is(target) {
		return true
	}
	kind := b.s.sc.fortKind(target)
	if kind < 0 || slices.Contains(b.cancelled, kind) {
		return false
	}
	return slices.ContainsFunc(b.s.fortsOn(b.target), func(f Fort) bool { return f.Kind == kind })
}

// swing is how much a black chit would help a side: of the dice, in its favour.
func (b *battle) swing(side Side, name string) int {
	target := b.s.sc.event(name).Cancels
	n := 0
	for k := range b.chits {
		if b.chits[k].is(target) {
			n += b.chits[k].event.DRM
		}
	}
	if k := b.s.sc.fortKind(target); k >= 0 {
		cancelled := append(slices.Clone(b.cancelled), k)
		for _, f := range b.s.fortDRMs(b.target, b.from(), b.cancelled) {
			n += f
		}
		for _, f := range b.s.fortDRMs(b.target, b.from(), cancelled) {
			n -= f
		}
	}
	if side != b.side {
		n = -n
	}
	return n
}

// wants is what the doctrine says: a swing of 2 or more where much is at stake,
// any gain in the last two turns, or what the standing order asks for.
func (b *battle) wants(side Side, name string, st *standing) bool {
	n := b.swing(side, name)
	matters := b.s.key(b.target, st)
	if rule, ok := st.black[strings.ToUpper(name)]; ok {
		return rule.plays(n, matters)
	}
	if n >= 1 && b.s.Turn > len(b.s.sc.Track)-2 {
		return true
	}
	a, d := b.strengths()
	return n >= 2 && (matters || a+d >= 15)
}

// plays tells whether a standing order has a chit played for that swing.
func (r blackRule) plays(swing int, matters bool) bool {
	if r.never || r.key && !matters {
		return false
	}
	return swing >= max(1, r.swing)
}

// shotDown rolls the anti-aircraft units of the side that the aircraft hurt, the
// nearest first, until one drives them off.
//
// GD 10.7/1: they may drive it off
// GD 10.7/5: whenever such a chit is drawn
// reading GD 10.7: a blue chit always hurts the defender, who therefore rolls, whoever drew it; the
// text has the opponent of the drawer roll (switch drawn_by_opponent_aa).
func (b *battle) shotDown(k int) bool {
	side := b.s.sc.Other(b.side)
	if b.s.sc.Switches.DrawnByOpponent {
		side = b.chits[1-k].side
	}
	for _, u := range b.antiAircraft(side) {
		if b.drivesOff(u, b.chits[k].event) {
			return true
		}
	}
	return false
}

// antiAircraft are the units of a side whose dice may exceed the distance, the nearest first.
//
// GD 10.7/4: every such unit may try
func (b *battle) antiAircraft(side Side) (guns []*Unit) {
	for u := range b.s.onMap(side) {
		if b.distance(u) < 6*u.c.AA {
			guns = append(guns, u)
		}
	}
	slices.SortStableFunc(guns, func(x, y *Unit) int { return b.distance(x) - b.distance(y) })
	return guns
}

func (b *battle) distance(u *Unit) int { return b.s.sc.Board.Grid.Distance(u.Hex, b.target) }

// drivesOff rolls the dice of an anti-aircraft unit.
//
// GD 10.7/2: two dice, above the distance
// GD 10.7/3: three of a light one
func (b *battle) drivesOff(u *Unit, e *Event) bool {
	label := b.s.label("anti-aircraft %s %v", u.c.Name, b.target)
	dice := b.r.Roll("GD 10.7", label, u.c.AA, 6)
	sum := 0
	for _, n := range dice {
		sum += n
	}
	hit := sum > b.distance(u)
	b.say(view.Event{Kind: "flak", Clause: "GD 10.7", Hexes: []hex.Hex{b.target}, Rolls: []string{label},
		Facts: view.Pairs{"unit", u.c.Name, "event", e.Name, "dice", diceText(dice), "label", label, "distance", fmt.Sprint(b.distance(u)), "hit", yesNo(hit)}})
	return hit
}

func diceText(dice []int) string {
	var out []string
	for _, n := range dice {
		out = append(out, fmt.Sprint(n))
	}
	return strings.Join(out, " ")
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return ""
}
