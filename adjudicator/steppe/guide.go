package steppe

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

// guide answers what may be ordered: it puts an order into the programme of its chit as the
// sheet has it, and reads that as the check does.
type guide struct {
	g     *Game
	v     *view.View
	s     *State
	side  Side
	sheet *orders.Sheet
	given *turnOrders
	// shared are the lines of the sections that several headquarters have in common.
	shared map[*Unit]string
}

// Guide implements adjudicator.Guiding.
func (g *Game) Guide(v *view.View) (adjudicator.Guide, error) {
	v = v.Now()
	s, err := g.sc.believe(v)
	if err != nil {
		return nil, err
	}
	a := &guide{g: g, v: v, s: s, side: Side(v.Side)}
	a.Rehearse(&orders.Sheet{})
	return a, nil
}

// Rehearse implements adjudicator.Guide.
func (a *guide) Rehearse(sheet *orders.Sheet) *adjudicator.Filing {
	a.sheet = sheet
	x := &sheetReader{s: a.s, side: a.side, judge: true}
	repeated, _ := x.asLastTurn(a.v.Programmes, sheet.Sections)
	a.given = x.read(x.everyChit(x.ofEachChit(repeated)))
	a.shared = x.lines
	return a.g.Check(a.v, sheet)
}

// chitVerb opens the section of a chit, soloVerb that of the individual hex.
const (
	chitVerb = "CHIT "
	soloVerb = "SOLO HEX "
)

// Actors implements adjudicator.Guide.
func (a *guide) Actors() (out []adjudicator.Actor) {
	for i := range a.s.Units {
		u := &a.s.Units[i]
		if u.c.Side != a.side || !a.comes(u) {
			continue
		}
		x := adjudicator.Actor{Name: u.c.Name, ID: u.ID, Kind: "unit", Ways: a.sections(u), Ordered: a.isOrdered(u)}
		if u.Where == OnMap {
			x.Hex = u.Hex
		}
		if !u.combat() {
			x.Kind, x.InRange = "chit", a.inRange(u)
		}
		out = append(out, x)
	}
	return out
}

// comes tells whether a unit is on the map or may come on to it in this turn.
func (a *guide) comes(u *Unit) bool {
	return u.Where == OnMap || a.s.due(u) || u.Where == Later && u.Back && !u.combat()
}

// isOrdered tells whether a programme of the sheet names the unit.
func (a *guide) isOrdered(u *Unit) bool {
	for _, p := range slices.Concat(a.given.programmes, a.given.solo) {
		if slices.ContainsFunc(p.steps, func(in instruction) bool { return in.isFor(u) }) {
			return true
		}
	}
	return false
}

// inRange are the units that a headquarters would activate if its chit came now.
func (a *guide) inRange(hq *Unit) (out []string) {
	for u := range a.s.onMap() {
		if a.s.mayActivate(hq, u) && a.s.inRange(hq, u.Hex) {
			out = append(out, u.c.Name)
		}
	}
	return out
}

// sections are the sections of the sheet in which the unit can be given orders, as their
// lines stand on it: its headquarters in range first.
func (a *guide) sections(u *Unit) []string {
	var near, far []string
	for i := range a.s.Units {
		hq := &a.s.Units[i]
		if hq.c.Side != a.side || hq.combat() || hq.Where == Gone {
			continue
		}
		switch obeys := hq == u || a.s.mayActivate(hq, u); {
		case !obeys:
		case u.Where != OnMap || hq == u || a.s.inRange(hq, u.Hex):
			near = append(near, a.head(hq))
		default:
			far = append(far, a.head(hq))
		}
	}
	if len(near) == 0 {
		near = far
	}
	if u.Where == OnMap {
		near = append(near, soloVerb+u.Hex.String())
	}
	return near
}

// head is the line of the section of a chit: that of the sheet, if it has one.
func (a *guide) head(hq *Unit) string {
	if line, has := a.shared[hq]; has {
		return line
	}
	for _, p := range a.given.programmes {
		if p.hq == hq && p.head != "" {
			return p.head
		}
	}
	return chitVerb + hq.c.Name
}

// isUnder tells whether a programme stands under the line of a section.
func (a *guide) isUnder(p *programme, section string) bool {
	return p.head == section || p.head != "" && p.hq != nil && a.shared[p.hq] == section
}

// leader is the headquarters of a section's chit, nil for the individual hex.
func (a *guide) leader(section string) *Unit {
	for i := range a.s.Units {
		if hq := &a.s.Units[i]; hq.c.Side == a.side && !hq.combat() && a.head(hq) == section {
			return hq
		}
	}
	return nil
}

// find is the own unit of a name as orders write it, or of an id; also CHIT and a name.
func (a *guide) find(name string) (*Unit, error) {
	if u := a.s.unit(name); u != nil && u.c.Side == a.side {
		return u, nil
	}
	name, _ = strings.CutPrefix(strings.ToUpper(name), chitVerb)
	u, v := a.s.named(a.side, phrase.Read(name).Flat())
	if v != nil {
		return nil, v
	}
	return u, nil
}

// Verbs implements adjudicator.Guide.
func (a *guide) Verbs(actor string) ([]adjudicator.Offer, error) {
	u, err := a.find(actor)
	if err != nil {
		return nil, err
	}
	var out []adjudicator.Offer
	for _, section := range a.sections(u) {
		for _, o := range a.verbs(section, u) {
			out = append(out, a.try(o))
		}
	}
	if !u.combat() {
		out = append(out, a.headlines(u)...)
	}
	return out, nil
}

// verbs are the orders that a unit may be given in a section besides a way.
func (a *guide) verbs(section string, u *Unit) (out []adjudicator.Offer) {
	say := func(v verb, format string, args ...any) {
		out = append(out, adjudicator.Offer{Section: section, Verb: verbs[v], Order: verbs[v] + " " + fmt.Sprintf(format, args...)})
	}
	name := u.c.Name
	switch {
	case u.Where == Later:
		for _, h := range a.s.zoneOf(u).Hexes {
			say(verbEnter, "%s %v", name, h)
		}
		for _, town := range a.towns() {
			say(verbRail, "%s TO %v", name, town)
		}
		return out
	case !u.combat():
		for _, h := range a.entriesOf(section, u) {
			say(verbEnter, "ALL %v", h)
		}
		return out
	}
	say(verbUnits, "%s", name)
	g := &a.s.sc.land.grid
	from := a.standsIn(section, u)
	for _, h := range g.Neighbours(from) {
		if !g.Contains(h) || a.s.holder(h) != other(a.side) {
			continue
		}
		say(verbAttack, "%v WITH %s", h, name)
		if u.c.Mech {
			say(verbAttack, "%v WITH %s OVERRUN", h, name)
		}
	}
	for _, k := range g.Neighbours(u.Hex) {
		if e := hex.Between(u.Hex, k); a.s.sc.Board.Bridge(e) {
			say(verbBlow, "%v BY %s", e, name)
		}
	}
	for i := range a.s.Units {
		kg := &a.s.Units[i]
		if !kg.c.KG || kg.c.Side != a.side || likeKG(kg.c, u.c) != nil {
			continue
		}
		if kg.Where == OnMap {
			say(verbMerge, "%s INTO %s", kg.c.Name, name)
			continue
		}
		say(verbKG, "%s FROM %s", strings.TrimPrefix(kg.c.Name, "KG "), name)
	}
	return out
}

// entriesOf are, for the section of a chit, the first hexes of the zones by which reinforcements of a headquarters are due.
func (a *guide) entriesOf(section string, hq *Unit) (out []hex.Hex) {
	if a.s.sc.before(6) || strings.HasPrefix(section, soloVerb) {
		return nil
	}
	for i := range a.s.Units {
		u := &a.s.Units[i]
		comes := a.s.due(u) && u != hq && a.s.mayActivate(hq, u)
		if !comes {
			continue
		}
		if h := a.s.zoneOf(u).Hexes[0]; !slices.Contains(out, h) {
			out = append(out, h)
		}
	}
	return out
}

// towns are the own towns that reinforcements may be railed to, a few of them.
func (a *guide) towns() (out []hex.Hex) {
	const most = 4
	for i, is := range a.s.sc.land.place {
		h := a.s.hexAt(i)
		if is && a.s.controller(h) == a.side && len(out) < most {
			out = append(out, h)
		}
	}
	return out
}

// standsIn is where a unit stands when the attacks of a section begin.
func (a *guide) standsIn(section string, u *Unit) hex.Hex {
	for _, p := range slices.Concat(a.given.programmes, a.given.solo) {
		if a.isUnder(p, section) {
			return a.s.prospect(a.side, a.given, p).stands(u)
		}
	}
	return u.Hex
}

// headlines are the sections of one line that name a headquarters.
func (a *guide) headlines(hq *Unit) (out []adjudicator.Offer) {
	lines := []adjudicator.Offer{{Section: "CHITS " + hq.c.Name, Verb: "CHITS"}}
	if hq.Back {
		lines = nil
		for _, h := range slices.Compact(slices.Sorted(slices.Values(a.s.backHexes(hq)))) {
			lines = append(lines, adjudicator.Offer{Section: fmt.Sprintf("HQBACK %s %v", hq.c.Name, h), Verb: "HQBACK"})
		}
	}
	for _, o := range lines {
		out = append(out, a.try(o))
	}
	return out
}

// read puts an order into its section as the sheet has it, and reads that section. Its
// programme and its last step are what came of it.
func (a *guide) read(section, order string) (x *sheetReader, v *rule.Violation) {
	text := orders.Canonical(section + "\n" + order + "\n")
	sheet, faults := orders.Parse(text, Vocabulary)
	if len(faults) > 0 || len(sheet.Sections) == 0 {
		return nil, &rule.Violation{Why: fmt.Sprintf("%s %s is not an order", section, order)}
	}
	sec := sheet.Sections[0]
	for _, given := range a.sheet.Sections {
		if headText(given.Name, given.Args) == headText(sec.Name, sec.Args) {
			given.Orders = append(slices.Clip(given.Orders), sec.Orders...)
			sec = given
			break
		}
	}
	// Of a section of several chits it is read for the first whose units can do it.
	copies := &sheetReader{s: a.s, side: a.side}
	repeated, _ := copies.asLastTurn(a.v.Programmes, []orders.Section{sec})
	for _, one := range copies.ofEachChit(repeated) {
		x, v = &sheetReader{s: a.s, side: a.side, judge: true}, nil
		x.tell = func(_ orders.Pos, _ string, refused *rule.Violation) { v = refused }
		if x.read([]orders.Section{one}); v == nil {
			break
		}
	}
	return x, v
}

// step is the order that was read last, and the rehearsal of its programme.
func (x *sheetReader) step() (*rehearsal, instruction) {
	all := slices.Concat(x.out.programmes, x.out.solo)
	for _, p := range slices.Backward(all) {
		if n := len(p.steps); n > 0 {
			return x.s.prospect(x.side, &x.out, p).rehearse(), p.steps[n-1]
		}
	}
	return nil, instruction{}
}

// try judges an order.
func (a *guide) try(o adjudicator.Offer) adjudicator.Offer {
	x, v := a.read(o.Section, o.Order)
	if o.Refused = v; v != nil || o.Order == "" {
		return o
	}
	if p, in := x.step(); p != nil {
		o.Understood, o.Warning = p.outlook(in)
	}
	return o
}

// Reach implements adjudicator.Guide. A manner is a section of the sheet, "" for the first in
// which the unit can be given orders. What happens before the chit comes may change it all.
func (a *guide) Reach(actor, manner string) ([]adjudicator.Way, error) {
	u, err := a.find(actor)
	if err != nil {
		return nil, err
	}
	all := a.sections(u)
	if len(all) == 0 {
		return nil, refuse("Steppe 6.0", "%s obeys no headquarters that is in play", u.c.Name)
	}
	section := all[0]
	if manner != "" {
		i := slices.IndexFunc(all, func(is string) bool { return strings.EqualFold(is, manner) })
		if i < 0 {
			return nil, refuse("Steppe 6.0", "%s is given no orders under %s; under these it is: %s", u.c.Name, manner, strings.Join(all, ", "))
		}
		section = all[i]
	}
	h := a.rehearsed(section)
	switch {
	case h == nil && u.Where != OnMap:
		return a.entries(section, u, a.s), nil
	case h == nil:
		return a.ways(section, u, a.s), nil
	}
	s, did := h.a.s, h.a.deeds[u.n]
	switch {
	case u.Where != OnMap && s.copied(u).Where != OnMap:
		return a.entries(section, u, s), nil
	case u.Where != OnMap:
		return nil, refuse("Steppe 4.0", "%s comes on the map under %s already", u.c.Name, section)
	case did.moved:
		return nil, refuse("Steppe 9.2", "%s moves under %s already, and an activation moves nobody twice", u.c.Name, section)
	case did.spent:
		return nil, refuse("Steppe 9.2", "%s uses all its movement points under %s already", u.c.Name, section)
	case s.copied(u).Where != OnMap:
		return nil, refuse("Steppe 9.2", "%s is off the map by then", u.c.Name)
	}
	return a.ways(section, s.copied(u), s), nil
}

// rehearsed is what the sheet's programme for a section comes to as things stand, nil if there
// is none.
func (a *guide) rehearsed(section string) *rehearsal {
	p := a.writtenUnder(section)
	if p == nil || len(p.steps) == 0 {
		return nil
	}
	h := a.s.prospect(a.side, a.given, p).rehearse()
	if h.a == nil {
		return nil
	}
	return h
}

// writtenUnder is the programme that stands on the sheet under the line of a section, its last variant if it
// has several: there the next order goes. It is nil for none.
func (a *guide) writtenUnder(section string) (out *programme) {
	under := false
	for _, p := range slices.Concat(a.given.programmes, a.given.solo) {
		if p.head != "" {
			under = a.isUnder(p, section)
		}
		if under {
			out = p
		}
	}
	return out
}

// tooManySteps is what a unit meets in a hex that has no room for it as things stand.
const tooManySteps = "too many steps now: somebody must leave"

// entries are the hexes by which a reinforcement may come when the orders above its own are
// carried out, which s stands after.
func (a *guide) entries(section string, u *Unit, s *State) (out []adjudicator.Way) {
	for _, o := range a.verbs(section, u) {
		if o = a.try(o); o.Verb != verbs[verbEnter] || o.Refused != nil {
			continue
		}
		h, _ := hex.Parse(o.Order[strings.LastIndexByte(o.Order, ' ')+1:])
		if s.holder(h) == other(a.side) {
			continue
		}
		way := adjudicator.Way{Hex: h, Section: section, Order: o.Order, Path: []hex.Hex{h}, Room: stackLimit - s.load(s.ix(h)) - u.Steps}
		if u.combat() && way.Room < 0 {
			way.Meets = append(way.Meets, tooManySteps)
		}
		out = append(out, way)
	}
	return out
}

// ways are the hexes that a unit on the map could move to when the orders above its own are
// carried out, which s stands after.
func (a *guide) ways(section string, u *Unit, s *State) (out []adjudicator.Way) {
	order := "MOVE " + u.c.Name + " TO %v"
	if !u.combat() && !strings.HasPrefix(section, soloVerb) {
		order = "HQ TO %v"
	}
	far := ""
	if hq := a.leader(section); hq != nil && hq.n != u.n && !a.s.inRange(hq, u.Hex) {
		far = "out of range of " + hq.c.Name + " now"
	}
	w := s.newWalk(u)
	f := w.search()
	for _, k := range f.seen {
		i := int(k)
		if i == w.start || !w.mayEnd(i, u) {
			continue
		}
		h := s.hexAt(i)
		way := adjudicator.Way{Hex: h, Section: section, Order: fmt.Sprintf(order, h), Cost: fmt.Sprint(w.mp - int(f.left[i])), Of: fmt.Sprint(w.mp),
			Path: f.path(i), Room: stackLimit - s.load(i) - u.Steps}
		if far != "" {
			way.Meets = append(way.Meets, far)
		}
		if w.zone[i] > 0 {
			way.Meets = append(way.Meets, "enemy zone of control: it stops there")
		}
		if f.ends[i] && w.zone[i] == 0 {
			way.Meets = append(way.Meets, "all its points")
		}
		if u.combat() && way.Room < 0 {
			way.Meets = append(way.Meets, tooManySteps)
		}
		out = append(out, way)
	}
	slices.SortFunc(out, func(x, y adjudicator.Way) int { return int(x.Hex) - int(y.Hex) })
	return out
}

// Weigh implements adjudicator.Guide.
func (a *guide) Weigh(section, order string) (*adjudicator.Forecast, error) {
	x, v := a.read(section, order)
	if v != nil {
		return nil, v
	}
	p, in := x.step()
	switch {
	case p == nil || in.verb != verbAttack:
		return nil, fmt.Errorf("%s is not an attack", order)
	case in.anywhere:
		return nil, errors.New("ATTACK ANY names no hex: it attacks wherever its odds are met")
	case a.s.holder(in.target) != other(a.side):
		return nil, fmt.Errorf("%s holds no enemy now", a.s.spot(in.target))
	}
	text, warning := p.outlook(in)
	able := slices.DeleteFunc(slices.Clone(in.units), func(u *Unit) bool { return p.tooFar(u) != "" || p.tooFarThen(u, in.target) != "" })
	if len(able) == 0 {
		able = in.units
	}
	o, shelter := p.oddsOf(able, in.target)
	out := &adjudicator.Forecast{Order: order, Text: strings.TrimSuffix(text+"; "+warning, "; "), Attack: o.attack, Defence: o.defence, First: a.s.sc.ratioName(o.gross), Column: o.name, Dice: o.drm}
	if shelter.shift != 0 {
		out.Shifts = append(out.Shifts, adjudicator.Shift{What: shelter.name, By: -shelter.shift, Clause: "Steppe 10.1"})
	}
	if p.blow {
		out.Shifts = append(out.Shifts, adjudicator.Shift{What: "Backhand Blow", By: 1, Clause: "Steppe 10.1"})
	}
	for roll := 2; roll <= 12; roll++ {
		r := a.s.sc.result(o, roll)
		out.Results = append(out.Results, adjudicator.Result{Roll: roll, Ways: waysOf(roll), Of: 36, Text: r.Text, OurLoss: r.ALoss, TheirLoss: r.DLoss, TheirHexes: r.Retreat})
	}
	return out, nil
}
