package famous

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// events has both sides draw a chit, the attacker first, and works out what
// counts: black chits cancel first; then night, weather and anti-aircraft fire;
// then the chits that are left cancel each other, both at once.
//
// GD 3.0/3
// GD 10.1/7
// GD 10.3/1
// GD 10.3/2
// GD 10.3/3
// GD 10.3/5
// GD 10.3/6
// GD 10.3/7
// GD 10.3/9
// GD 10.3/10
// GD 10.3/11
// GD 10.3/12
// GD 10.3/13
// GD 14.1/2
// GD 14.1/5
// GD 14.1/11
// reading GD 10.3: a cancelled chit has neither modifier nor canceller; two chits that name each other both go.
func (b *battle) events() {
	s := b.s
	sides := [2]Side{b.side, s.sc.Other(b.side)}
	for k, side := range sides {
		b.chits[k] = s.draw(b.r, side, b.target)
	}
	why := [2]string{}
	off := [2]bool{}
	for k := range b.chits {
		if s.sc.event(b.chits[k]).Colour == "black" {
			off[k], why[k] = true, "kept in hand"
		}
	}
	for _, side := range sides {
		b.blacks(side, &off, &why)
	}
	for k, name := range b.chits {
		e := s.sc.event(name)
		air := name == "Airstrike" || name == "Strafing"
		switch {
		case off[k]:
		case e.NoNight && !s.part().Events:
			off[k], why[k] = true, "not at night"
		case air && !s.weather().Air:
			off[k], why[k] = true, "not in this weather"
		case air && b.shotDown(k):
			off[k], why[k] = true, "driven off by anti-aircraft fire"
		}
	}
	left := off
	for k := range b.chits {
		if other := s.sc.event(b.chits[1-k]); !left[1-k] && !left[k] && other.Cancels == b.chits[k] {
			off[k], why[k] = true, "cancelled by "+other.Name
		}
	}
	for k, name := range b.chits {
		e := s.sc.event(name)
		if !off[k] && e.DRM != 0 {
			b.drms = append(b.drms, drm{name, e.DRM})
		}
		if e.Colour != "black" {
			s.discard(sides[k], name)
		}
		shown := name
		f := map[string]string{"side": string(sides[k]), "event": shown, "colour": e.Colour, "drm": fmt.Sprintf("%+d", e.DRM), "why": why[k]}
		ev := view.Event{Kind: "event", Clause: "GD 10.3", Hexes: []hex.Hex{b.target}, Facts: f}
		if e.Colour != "black" {
			b.say(ev)
			continue
		}
		ev.To = []string{string(sides[k])}
		b.say(ev)
		// The enemy sees that a black chit was drawn, not which.
		b.say(view.Event{Kind: "event", Clause: "GD 10.3", To: []string{string(sides[1-k])}, Hexes: []hex.Hex{b.target},
			Facts: map[string]string{"side": string(sides[k]), "event": "a black chit", "colour": "black", "drm": "", "why": "kept in hand"}})
	}
}

// draw takes a chit from a side's cup, blindly. An emptied cup is refilled from
// the pile of discarded chits first.
//
// GD 2.0/2
// GD 10.3/8
// GD 10.3/14
func (s *State) draw(r *adjudicator.Run, side Side, at hex.Hex) string {
	c := &s.Events[s.sc.number(side)]
	if c.Blue+c.Red+c.Black+len(c.Known) == 0 {
		c.Known, c.Discard = slices.Clone(c.Discard), nil
		slices.Sort(c.Known)
	}
	n := c.Blue + c.Red + c.Black + len(c.Known)
	k := r.Roll("GD 10.3", s.label("chit of the %s %v", side, at), 1, n)[0] - 1
	var name string
	switch {
	case k < len(c.Known):
		name = c.Known[k]
		c.Known = slices.Delete(c.Known, k, k+1)
	case k < len(c.Known)+c.Blue:
		c.Blue--
		name = s.fromPool(r, side, "blue", at)
	case k < len(c.Known)+c.Blue+c.Red:
		c.Red--
		name = s.fromPool(r, side, "red", at)
	default:
		c.Black--
		name = s.fromPool(r, side, "black", at)
	}
	if s.sc.event(name).Colour == "black" {
		c.Drawn = insert(c.Drawn, name)
	}
	return name
}

// fromPool finds out which chit of a colour it is.
func (s *State) fromPool(r *adjudicator.Run, side Side, colour string, at hex.Hex) string {
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
// drawn, or on fortifications. A played chit is gone for good.
//
// GD 10.3/15
// GD 10.3/16
// GD 10.3/17
// GD 10.3/18
// GD 10.3/19
// GD 10.3/20
// GD 15.0/8
func (b *battle) blacks(side Side, off *[2]bool, why *[2]string) {
	s := b.s
	c := &s.Events[s.sc.number(side)]
	var able []string
	for _, name := range slices.Concat(c.Hand, c.Drawn) {
		if !slices.Contains(able, name) && b.useful(name, *off) {
			able = append(able, name)
		}
	}
	if len(able) == 0 {
		return
	}
	st := s.plan(b.r, side)
	var want []string
	for _, name := range able {
		if b.wants(side, name, *off, st) {
			want = append(want, name)
		}
	}
	d := adjudicator.Decision{Label: s.label("black chits of the %s %v", side, b.target), Kind: kindBlack, Side: side, Clause: "GD 10.3", Proposal: "NONE", Source: st.source(len(st.black) > 0)}
	if len(want) > 0 {
		d.Proposal = strings.Join(want, ", ")
	}
	for _, name := range split(b.r.Ask(d)[0]) {
		if !slices.Contains(able, name) || !b.useful(name, *off) {
			continue
		}
		if k := slices.Index(c.Hand, name); k >= 0 {
			c.Hand = slices.Delete(c.Hand, k, k+1)
		} else if k := slices.Index(c.Drawn, name); k >= 0 {
			c.Drawn = slices.Delete(c.Drawn, k, k+1)
		}
		target := s.sc.event(name).Cancels
		for k := range b.chits {
			if b.chits[k] == target && !off[k] {
				off[k], why[k] = true, "cancelled by "+name
			}
		}
		if k := s.sc.fortKind(target); k >= 0 {
			b.cancelled = append(b.cancelled, k)
		}
		b.say(view.Event{Kind: "black", Clause: "GD 10.3", Hexes: []hex.Hex{b.target}, Facts: map[string]string{"side": string(side), "event": name, "target": target}})
	}
}

// useful: there is something that the black chit would cancel.
func (b *battle) useful(name string, off [2]bool) bool {
	target := b.s.sc.event(name).Cancels
	for k := range b.chits {
		if b.chits[k] == target && !off[k] {
			return true
		}
	}
	k := b.s.sc.fortKind(target)
	return k >= 0 && !slices.Contains(b.cancelled, k) && slices.ContainsFunc(b.s.fortsOn(b.target), func(f Fort) bool { return f.Kind == k })
}

// swing is how much a black chit would help a side: of the dice, in its favour.
func (b *battle) swing(side Side, name string, off [2]bool) int {
	target := b.s.sc.event(name).Cancels
	n := 0
	for k := range b.chits {
		if b.chits[k] == target && !off[k] {
			n += b.s.sc.event(target).DRM
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
func (b *battle) wants(side Side, name string, off [2]bool, st *standing) bool {
	n := b.swing(side, name, off)
	if rule, ok := st.black[strings.ToUpper(name)]; ok {
		return !rule.never && n >= max(1, rule.swing) && (!rule.key || b.s.key(b.target, st))
	}
	a, d := b.strengths()
	stake := b.s.key(b.target, st) || a+d >= 15
	return n >= 2 && stake || n >= 1 && b.s.Turn > len(b.s.sc.Track)-2
}

// shotDown rolls the anti-aircraft units of the side that the aircraft hurt, the
// nearest first, until one drives them off.
//
// GD 10.7/1
// GD 10.7/2
// GD 10.7/3
// GD 10.7/4
// GD 10.7/5
// reading GD 10.7: a blue chit always hurts the defender, so he rolls, whoever drew it.
func (b *battle) shotDown(k int) bool {
	s := b.s
	side := s.sc.Other(b.side)
	if s.sc.Switches.DrawnByOpponent {
		side = [2]Side{s.sc.Other(b.side), b.side}[k]
	}
	type gun struct {
		u *Unit
		d int
	}
	var guns []gun
	for i := range s.Units {
		if u := &s.Units[i]; u.c.AA > 0 && u.c.Side == side && u.Where == OnMap {
			if d := s.sc.Board.Grid.Distance(u.Hex, b.target); d < 6*u.c.AA {
				guns = append(guns, gun{u, d})
			}
		}
	}
	slices.SortStableFunc(guns, func(x, y gun) int { return x.d - y.d })
	for _, g := range guns {
		label := s.label("anti-aircraft %s %v", g.u.c.Name, b.target)
		dice := b.r.Roll("GD 10.7", label, g.u.c.AA, 6)
		sum := 0
		for _, n := range dice {
			sum += n
		}
		hit := sum > g.d
		b.say(view.Event{Kind: "flak", Clause: "GD 10.7", Hexes: []hex.Hex{b.target}, Rolls: []string{label},
			Facts: map[string]string{"unit": g.u.c.Name, "event": b.chits[k], "dice": diceText(dice), "label": label, "distance": fmt.Sprint(g.d), "hit": yesNo(hit)}})
		if hit {
			return true
		}
	}
	return false
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
