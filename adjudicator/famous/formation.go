package famous

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// Orders to a formation.
const (
	verbAdvance  verb = "ADVANCE"
	verbWithdraw verb = "WITHDRAW"
)

// kindFormation is the decision that holds what the orders to a formation become when its chit is
// drawn. It is never waited for: the journal has the orders to units, and a repeat of the phase
// finds them there.
const kindFormation = "formation"

// formation is an order to all units of a chit. It is shorthand for orders to units, which it
// becomes when the chit is drawn, by what its side knows then.
type formation struct {
	verb    verb
	via     []hex.Hex
	goals   []hex.Hex // the first that can be come to in this turn, or the first
	letter  string    // of the entry hex for who comes on to the map; "" for the best
	road    bool
	cover   bool   // BY COVER
	of      string // SUPPORT: the battalion
	contact bool   // it may end in enemy zones of control
	keep    []keeping
	guard   string // its condition, as it stands
}

// keeping are units that do not go with their formation: they stay, or go to a hex of their own.
type keeping struct {
	units []*Unit
	at    hex.Hex
}

// ofFormation tells whether an order is to a formation.
func ofFormation(o phrase.Written) bool {
	words := o.Flat()
	if len(words) < 2 {
		return false
	}
	switch verb(words[0].Text) {
	case verbAdvance, verbWithdraw, verbCover:
		return true
	case verbSupport:
		return !slices.ContainsFunc(words, func(w orders.Word) bool { return w.Text == "WITH" }) // else it is to guns
	case verbEnter:
		return words[1].Text == "AT" // and names nobody
	}
	return false
}

// formationHelp is how orders to a formation are written.
const formationHelp = "Write ADVANCE TO 3332, ADVANCE TO 2138 OR 2237 VIA 2236 INTO CONTACT; KEEP I.G. AT 2531, ADVANCE TO 3332 BY COVER, WITHDRAW TO 2130, ENTER AT A, COVER 2135, SUPPORT 2Pz or SUPPORT 2135."

// formation reads ADVANCE TO 3332 OR 3331 BY ROAD INTO CONTACT; KEEP I.G. AT 2531.
func (p *parser) formation(o phrase.Written) (f formation, v *rule.Violation) {
	if o.Fault != nil {
		return f, o.Fault
	}
	for _, clause := range o.Order.Clauses {
		r := phrase.New(clause)
		for v == nil && !r.End() {
			v = p.formationClause(&f, &r)
		}
		if v != nil {
			return f, r.Blame(v)
		}
	}
	if len(f.goals) == 0 && f.verb != verbEnter && f.of == "" {
		v = &rule.Violation{Why: string(f.verb) + " needs TO and a hex", Instead: formationHelp}
	}
	if v == nil && f.cover && (f.verb != verbAdvance && f.verb != verbWithdraw || len(f.via) > 0) {
		v = &rule.Violation{Why: "BY COVER is the way of an ADVANCE or a WITHDRAW, without VIA", Instead: formationHelp}
	}
	return f, v
}

// waitsFor reads the hex behind COVER, and the hex or battalion behind SUPPORT.
func (p *parser) waitsFor(f *formation, r *phrase.Reader) (v *rule.Violation) {
	if f.verb == verbSupport && !phrase.IsNumber(r.Peek()) {
		f.of, v = p.battalion(phrase.Join(r.Take("KEEP", "IF", "UNLESS")))
		return v
	}
	h, v := p.place(r)
	f.goals = append(f.goals, h)
	return v
}

func (p *parser) formationClause(f *formation, r *phrase.Reader) (v *rule.Violation) {
	switch w := r.Next(); w {
	case string(verbAdvance), string(verbWithdraw), string(verbEnter):
		f.verb = verb(w)
	case string(verbCover), string(verbSupport):
		f.verb = verb(w)
		v = cmp.Or(p.s.sc.tooNew(8, w), p.waitsFor(f, r))
	case "TO", "OR":
		var h hex.Hex
		h, v = p.place(r)
		f.goals = append(f.goals, h)
	case "VIA":
		if v = p.s.sc.tooNew(7, "VIA of a formation"); v != nil {
			return v
		}
		var h hex.Hex
		if h, v = p.place(r); v == nil && len(f.via) > 0 {
			v = &rule.Violation{Why: "a formation goes by one hex of VIA", Instead: "Order its units by MOVE, or leave one of the hexes out."}
		}
		f.via = append(f.via, h)
	case "AT":
		f.letter = r.Next()
		v = p.noEntryHex("GD 4.0", f.letter)
	case "BY":
		f.road = r.Skip("ROAD")
		if f.cover = !f.road && r.Skip("COVER"); f.cover {
			return p.s.sc.tooNew(8, "BY COVER")
		}
		if !f.road {
			v = &rule.Violation{Why: "BY ROAD and BY COVER are the only ways with BY", Instead: formationHelp}
		}
	case "INTO":
		if f.contact = r.Skip("CONTACT"); !f.contact {
			v = &rule.Violation{Why: "INTO CONTACT lets the formation end beside the enemy", Instead: formationHelp}
		}
	case "KEEP":
		var k keeping
		if k.units, v = p.units(r.Take("AT", "IF", "UNLESS")); v == nil && r.Skip("AT") {
			k.at, v = p.place(r)
		}
		f.keep = append(f.keep, k)
	case "IF", "UNLESS":
		words := append([]orders.Word{{Text: w}}, r.Words...)
		_, v = p.when(words)
		f.guard, r.Words = orders.Clause(words).String(), nil
	default:
		v = phrase.Unexpected(w, "in an order to a formation", "TO", "OR", "VIA", "AT", "BY ROAD", "INTO CONTACT", "KEEP")
		v.Instead = strings.TrimSpace(v.Instead + " " + formationHelp)
	}
	return v
}

// unfolded are the orders of a programme with those to units in the place of those to the
// formation, as they were when its chit was drawn.
//
// deviation GD 6.0: an order to a formation becomes orders to its units when its chit is drawn,
// by what its side knows then. Of names the orders: a battalion, or the rest of its programme.
func (s *State) unfolded(r *adjudicator.Run, p *parser, list []phrase.Written, of string) []phrase.Written {
	if !slices.ContainsFunc(list, ofFormation) {
		return list
	}
	var lines []string
	for _, part := range p.unfold(list) {
		for _, o := range part.orders {
			lines = append(lines, o.Text)
		}
	}
	d := adjudicator.Decision{Label: "units of " + of, Kind: kindFormation, Side: p.side, Clause: "GD 6.0", Filed: true, Entry: kindFormation + " " + of,
		Proposal: strings.Join(lines, "\n"), Source: "orders to the formation"}
	return phrase.ReadLines(phrase.Lines(r.Ask(d)[0]))
}

// unfoldedOrder is an order of a programme and what is done for it: itself, or the orders to
// units that an order to the formation becomes.
type unfoldedOrder struct {
	of     phrase.Written
	orders []phrase.Written
}

// unfold finds what the orders of a programme become if it is carried out now: one after the
// other, each after those before it.
func (p *parser) unfold(list []phrase.Written) (out []unfoldedOrder) {
	known := p.s.believed(p.side).clone()
	known.commander = p.s.commander
	x := &parser{s: known, side: p.side, bn: p.bn}
	for _, o := range list {
		f, v := formation{}, (*rule.Violation)(nil)
		is := ofFormation(o)
		if is {
			f, v = x.formation(o)
		}
		if !is || v != nil {
			x.rehearse(o)
			out = append(out, unfoldedOrder{o, []phrase.Written{o}})
			continue
		}
		out = append(out, unfoldedOrder{o, x.form(f, o.Pos())})
	}
	return out
}

// rehearse does an order to move on the position as it is known; one that cannot be done
// leaves no trace.
func (p *parser) rehearse(o phrase.Written) bool {
	in, v := p.parse(o)
	if v != nil || in.when != nil || in.verb.fights() {
		return false
	}
	keep := p.s.clone()
	keep.commander = p.s.commander
	if _, v := p.s.trial(p, in); v != nil {
		*p.s = *keep
		return false
	}
	return true
}

// form are the orders to units that an order to a formation becomes.
func (p *parser) form(f formation, at orders.Pos) (out []phrase.Written) {
	try := func(text string) bool {
		o := phrase.Read(text)
		if !p.rehearse(o) {
			return false
		}
		if f.guard != "" {
			o = phrase.Read(text + "; " + f.guard)
		}
		o.Sheet = orders.Order{Pos: at}
		out = append(out, o)
		return true
	}
	if f.verb == verbSupport {
		return p.supported(f, at)
	}
	kept := map[string]bool{}
	for _, k := range f.keep {
		for _, u := range k.units {
			kept[u.ID] = true
			if k.at != hex.None && k.at != u.Hex {
				try(fmt.Sprintf("MOVE %s TO %v", u.c.upper, k.at))
			}
		}
	}
	for _, id := range p.inOrder(f, kept) {
		u := p.s.unit(id)
		if !p.moves(u) {
			continue // with others
		}
		for _, text := range p.ways(f, u) {
			if try(text) {
				break
			}
		}
	}
	return out
}

// moves tells whether a unit can still go anywhere.
func (p *parser) moves(u *Unit) bool {
	if p.s.due(u) {
		return u.did.active
	}
	return u.onMap() && !u.rides() && p.s.mayMove(u) == nil
}

// inOrder are the units of a formation by when they move: of an advance who is nearest to its
// goal first, of a withdrawal those who touch the enemy last; tracks before feet before wheels,
// guns after the others, and the headquarters behind all of them.
func (p *parser) inOrder(f formation, kept map[string]bool) (ids []string) {
	s := p.s
	var us []*Unit
	for u := range s.battalion(p.side, p.bn) {
		isOfCover := f.verb != verbCover || u.onMap() && u.c.Direct > 0
		if !kept[u.ID] && isOfCover && p.moves(u) && (f.verb != verbEnter || !u.onMap()) {
			us = append(us, u)
		}
	}
	far := func(u *Unit) int {
		if len(f.goals) == 0 || !u.onMap() {
			return 0
		}
		return s.sc.Board.Grid.Distance(u.Hex, f.goals[0])
	}
	touching := func(u *Unit) int { return b2i(f.verb == verbWithdraw && u.onMap() && s.touches(u)) }
	slices.SortStableFunc(us, func(a, b *Unit) int {
		return cmp.Or(b2i(a.c.HQ)-b2i(b.c.HQ), touching(a)-touching(b), b2i(a.isGun())-b2i(b.isGun()), far(a)-far(b),
			slices.Index(firstToMove, a.class())-slices.Index(firstToMove, b.class()), strings.Compare(a.ID, b.ID))
	})
	for _, u := range us {
		ids = append(ids, u.ID)
	}
	return ids
}

// firstToMove are the classes by when they move.
var firstToMove = []Class{Tracked, Leg, Wheeled}

// mostTries are how many hexes are tried for a unit of a formation.
const mostTries = 6

// ways are the orders that could bring a unit to the goal of its formation, the best first.
func (p *parser) ways(f formation, u *Unit) (out []string) {
	if !u.onMap() {
		return p.waysIn(f, u)
	}
	if f.verb == verbCover {
		return p.coverWays(f, u)
	}
	who := u.c.upper
	if mate := p.mate(u); mate != nil {
		who += ", " + mate.c.upper
	}
	road := ""
	if f.road {
		road = " BY ROAD"
	}
	reach := p.s.search(u, u.idx, f.road)
	defer p.s.sc.done(reach)
	if passes := len(f.via) > 0 && u.Hex != f.via[0]; passes {
		for _, goal := range f.goals {
			out = append(out, fmt.Sprintf("MOVE %s TO %v VIA %v%s", u.c.upper, goal, f.via[0], road))
		}
		f.goals = f.via[:1]
	}
	if f.cover && !u.isGun() && !u.c.HQ {
		return p.coveredWays(f, u, who, reach)
	}
	for _, h := range p.stops(f, u, u.idx, reach) {
		out = append(out, fmt.Sprintf("MOVE %s TO %v%s", who, h, road))
		if who != u.c.upper {
			out = append(out, fmt.Sprintf("MOVE %s TO %v%s", u.c.upper, h, road))
		}
	}
	return out
}

// waysIn are the orders that could bring a reinforcement on to the map and to the goal.
func (p *parser) waysIn(f formation, u *Unit) (out []string) {
	letters := p.s.sc.Arrivals[p.s.sc.arrival[u.ID]].Entry
	if f.letter != "" {
		letters = []string{f.letter}
	}
	for _, letter := range letters {
		reach, at, v := p.s.entryField(u, letter)
		if v != nil {
			continue
		}
		enter := fmt.Sprintf("ENTER %s AT %s", u.c.upper, strings.ToUpper(letter))
		if reach != nil && len(f.goals) > 0 {
			for _, h := range p.stops(f, u, p.s.sc.Board.Grid.Index(at), reach) {
				out = append(out, fmt.Sprintf("%s TO %v", enter, h))
			}
		}
		out = append(out, enter)
		if reach != nil && len(f.goals) == 0 {
			for _, h := range p.besides(u, reach) {
				out = append(out, fmt.Sprintf("%s TO %v", enter, h))
			}
		}
	}
	return out
}

// besides are the cheapest hexes for a unit that comes on to the map where its entry hex is full.
func (p *parser) besides(u *Unit, reach *field) (out []hex.Hex) {
	for _, i := range reach.order {
		isFree := p.s.fits(i, u) && !p.s.threatened(i, u.c.side)
		if isFree && !reach.starts(i) {
			out = append(out, p.s.sc.Board.Grid.At(i))
		}
		if len(out) == mostTries {
			break
		}
	}
	return out
}

// mate is a unit that a stack of two is made with: one that stands beside it, is of its class and
// could go with it. Two are fired at like one, and may use a road.
func (p *parser) mate(u *Unit) *Unit {
	lonely := u.c.HQ || u.isGun() || p.s.rider(u) != nil
	if lonely {
		return nil
	}
	for _, m := range p.s.unitsAt(u.idx) {
		like := m != u && p.own(m) && m.class() == u.class() && !m.c.HQ && !m.isGun()
		if like && p.moves(m) && p.s.rider(m) == nil && p.s.left(m) == p.s.left(u) {
			return m
		}
	}
	return nil
}

// stops are the hexes on the way to the goal at which a unit may end in this turn, the best
// first.
func (p *parser) stops(f formation, u *Unit, from int, reach *field) (out []hex.Hex) {
	s, grid := p.s, &p.s.sc.Board.Grid
	var way []int
	for n, goal := range f.goals {
		long := s.wayTo(u, from, goal, !f.contact, nil)
		arrives := len(long) > 0 && reach.reached(long[len(long)-1])
		if n == 0 || arrives {
			way = long
		}
		if arrives {
			break
		}
	}
	for k := len(way) - 1; k >= 0; k-- {
		i := way[k]
		free := reach.reached(i) && s.fits(i, u) && (f.contact || !s.threatened(i, u.c.side))
		if !free || u.c.HQ && s.threatened(i, u.c.side) {
			continue
		}
		if h := grid.At(i); !u.isGun() || p.suitsGun(u, h) {
			out = append(out, h)
		}
	}
	switch {
	case u.isGun():
		out = p.forGun(u, f.goals[0], out)
	case u.c.HQ:
		out = p.forHQ(u, out)
	}
	return out[:min(len(out), mostTries)]
}

// safeForGuns is how far from known enemies the guns of a formation stay.
const safeForGuns = 3

// suitsGun tells whether a gun may end on a hex: not near an enemy.
func (p *parser) suitsGun(u *Unit, h hex.Hex) bool {
	for e := range p.s.onMap(p.s.sc.Other(p.side)) {
		if p.s.sc.Board.Grid.Distance(e.Hex, h) < safeForGuns {
			return false
		}
	}
	return true
}

// forGun are the hexes for a gun, the best first: those from which it reaches the goal, the
// nearest to where it stands of them. One that reaches the goal stays.
func (p *parser) forGun(u *Unit, goal hex.Hex, stops []hex.Hex) (out []hex.Hex) {
	within := func(h hex.Hex) bool { return p.s.sc.Board.Grid.Distance(h, goal) <= u.c.Artillery }
	if u.onMap() && within(u.Hex) {
		return nil
	}
	for k := len(stops) - 1; k >= 0; k-- {
		if within(stops[k]) {
			out = append(out, stops[k])
		}
	}
	if out == nil {
		return stops
	}
	return out
}

// forHQ are the hexes for the headquarters, the best first: those from which it reaches most of
// its units, the nearest to the goal of them.
func (p *parser) forHQ(hq *Unit, stops []hex.Hex) []hex.Hex {
	reached := func(h hex.Hex) (n int) {
		for u := range p.s.battalion(p.side, hq.c.Battalion) {
			n += b2i(u != hq && u.onMap() && p.s.sc.Board.Grid.Distance(h, u.Hex) <= hq.c.Command)
		}
		return n
	}
	out := slices.Clone(stops)
	slices.SortStableFunc(out, func(a, b hex.Hex) int { return reached(b) - reached(a) })
	if hq.onMap() {
		here := reached(hq.Hex)
		out = slices.DeleteFunc(out, func(h hex.Hex) bool { return reached(h) < here })
	}
	return out
}

// wayTo is the cheapest way of a unit to a hex however many turns it takes, or to one beside it
// if the enemy holds it: hexes by their index, the goal last; nil if there is none. A wary unit
// shuns enemy zones of control; seen has the hexes that are shunned as well, nil for none.
func (s *State) wayTo(u *Unit, from int, goal hex.Hex, wary bool, seen []int8) (way []int) {
	grid := &s.sc.Board.Grid
	held := s.holder(goal) == s.sc.Other(u.c.Side)
	ends := func(i int) bool {
		at := grid.At(i)
		return at == goal || held && grid.Adjacent(at, goal)
	}
	f := s.sc.fields.Get().(*field)
	defer s.sc.done(f)
	g := s.gaitOf(u)
	f.reach(from, 0, startHere)
	for len(f.heap) > 0 {
		c, i := f.heap.pop()
		if c != f.spent[i] {
			continue
		}
		if ends(i) {
			for ; !f.starts(i); i = int(f.from[i]) {
				way = append(way, i)
			}
			slices.Reverse(way)
			return way
		}
		g.leaving = s.threatened(i, g.side)
		for d := hex.N; d <= hex.NW; d++ {
			j := s.sc.edges[i*6+int(d)].to
			if j < 0 || s.enemyOn(j, g.side) {
				continue
			}
			p, _ := s.step(g, i, d)
			if p.Closed {
				continue
			}
			spent := c + p.Points + Cost(p.Halves)*u.printed()/2
			if p.All {
				spent += u.printed()
			}
			if wary && s.threatened(j, g.side) {
				spent += u.printed() // whoever comes there stops
			}
			if seen != nil {
				spent += Cost(seen[j]) * u.printed()
			}
			if f.cheaper(spent, j) {
				f.reach(j, spent, int32(i))
			}
		}
	}
	return nil
}
