package wb95

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

// guide answers what may be ordered, on the position that a rehearsed sheet leaves. What it
// offers it has tried by the code that checks sheets, on a copy of that position.
type guide struct {
	g *Game
	v *view.View
	// now is the whole sheet rehearsed; first the moves that are made before the second
	// group's, dawn nothing of it but missions and barrages.
	now, first, dawn *check
	trial            *State // memory for tries
}

// airForce is the actor that flies missions.
const airForce = "AIR"

// Guide implements adjudicator.Guiding.
func (g *Game) Guide(v *view.View) (adjudicator.Guide, error) {
	if _, err := g.believe(v); err != nil {
		return nil, err
	}
	a := &guide{g: g, v: v, trial: new(State)}
	a.Rehearse(&orders.Sheet{})
	return a, nil
}

// Rehearse implements adjudicator.Guide.
func (a *guide) Rehearse(sheet *orders.Sheet) *adjudicator.Filing {
	a.now = a.g.rehearse(a.v, sheet, wholeSheet)
	a.first, a.dawn = a.now, a.now
	if a.now.s.Phase > 0 {
		a.dawn = a.g.rehearse(a.v, sheet, beforeMoves)
		if a.now.s.sc.Notes.Apart != nil {
			a.first = a.g.rehearse(a.v, sheet, firstMoves)
		}
	}
	return a.now.filing
}

// moves is the rehearsal that a further move of the unit would be tried on.
func (a *guide) moves(u *Unit) *check {
	if a.now.s.sc.Notes.Apart != nil && a.now.s.sc.group(u.c) != secondGroup {
		return a.first
	}
	return a.now
}

// settingUp tells whether the players choose their set-up.
func (a *guide) settingUp() bool { return a.now.s.Phase == 0 }

// Actors implements adjudicator.Guide.
func (a *guide) Actors() []adjudicator.Actor {
	var out []adjudicator.Actor
	if a.fliesMissions() {
		out = append(out, adjudicator.Actor{Name: airForce, Kind: "air"})
	}
	for i := range a.now.s.Units {
		u := &a.now.s.Units[i]
		if !a.now.s.mayOrder(a.now.by, u) || u.Where == Later && !a.settingUp() && a.now.s.dueNow(u, a.now.s.arrival(u)) != nil {
			continue
		}
		out = append(out, a.actor(u))
	}
	return out
}

func (a *guide) actor(u *Unit) adjudicator.Actor {
	x := adjudicator.Actor{Name: u.c.Name, ID: u.ID, Kind: "unit", Ordered: u.Active || u.Strategic}
	if u.Where == OnMap {
		x.Hex = u.Hex
	}
	switch {
	case a.settingUp():
	case u.Where == Later:
		for _, zone := range a.now.s.arrival(u).Entry {
			x.Ways = append(x.Ways, "ENTER "+zone)
		}
	default:
		x.Ways = []string{"", "STRATEGIC"}
		if u.OoS > 0 {
			x.Ways = append(x.Ways, "FULL")
		}
	}
	return x
}

// fliesMissions tells whether the side has aircraft to send.
func (a *guide) fliesMissions() bool {
	return a.v.Air != nil && len(a.v.Air.Phases) > 0 && a.now.by == a.now.side && !a.settingUp()
}

// find is the own unit of a name as orders write it, or of an id.
func (a *guide) find(name string) (*Unit, error) {
	s := a.now.s
	if u := s.unit(name); u != nil && s.mayOrder(a.now.by, u) {
		return u, nil
	}
	us, v := s.units(a.now.by, phrase.Read(strings.ToUpper(name)).Flat())
	switch {
	case v != nil:
		return nil, v
	case len(us) != 1:
		return nil, fmt.Errorf("%q names %d units", name, len(us))
	}
	return us[0], nil
}

// Verbs implements adjudicator.Guide.
func (a *guide) Verbs(actor string) ([]adjudicator.Offer, error) {
	if strings.EqualFold(actor, airForce) {
		return a.missions(), nil
	}
	u, err := a.find(actor)
	if err != nil {
		return nil, err
	}
	if a.settingUp() {
		return a.setUps(u), nil
	}
	var out []adjudicator.Offer
	for _, o := range a.barrages(u) {
		out = append(out, a.tryBarrage(o))
	}
	from := a.moves(u)
	for _, o := range a.works(from.s, from.s.unit(u.ID)) {
		out = append(out, a.tryMove(from, o))
	}
	for _, o := range a.assaults(u) {
		out = append(out, a.tryAttack(o))
	}
	for _, o := range a.standings(u) {
		out = append(out, a.tryStanding(o))
	}
	a.trial = new(State)
	return out, nil
}

// offered is an order that is not judged yet.
func offered(section, verb, format string, args ...any) adjudicator.Offer {
	return adjudicator.Offer{Section: section, Verb: verb, Order: fmt.Sprintf(format, args...)}
}

// written is an offer as the rules read it.
func written(o adjudicator.Offer) phrase.Written { return phrase.Read(strings.ToUpper(o.Order)) }

// works are what a unit may do in its movement besides going somewhere.
func (a *guide) works(s *State, u *Unit) (out []adjudicator.Offer) {
	say := func(verb, format string, args ...any) {
		out = append(out, offered("MOVE", verb, "%s "+format, append([]any{u.c.Name}, args...)...))
	}
	if u.Where == Later {
		for _, zone := range s.arrival(u).Entry {
			say("ENTER", "ENTER %s", zone)
		}
		return out
	}
	say("ENTRENCH", "ENTRENCH")
	if u.c.hasSetup() {
		say("LIMBER", "LIMBER")
		say("UNLIMBER", "UNLIMBER")
	}
	g := &s.sc.Board.Grid
	for _, k := range g.Neighbours(u.Hex) {
		e := hex.Between(u.Hex, k)
		switch stands, is := s.bridgeAt(e); {
		case is && stands:
			say(workBlow, workBlow+" %v", e)
		case is:
			say(workRebuild, workRebuild+" %v", e)
		case s.sc.Board.River(e) != "" && s.sc.Board.On(k):
			say(workBuild, workBuild+" %v", e)
		}
	}
	for _, other := range s.unitsAt(u.Hex) {
		if u.c.Type == VS && other != u {
			say("REINFORCE", "REINFORCE %s", other.c.Name)
		}
	}
	for _, zone := range s.exits(u) {
		say("EXIT", "EXIT %s", zone)
	}
	return out
}

// exits are the zones that a unit can get to.
func (s *State) exits(u *Unit) (out []string) {
	g, most := &s.sc.Board.Grid, int(s.allowance(u, false)*4/One) // no step costs less than a quarter of a point
	var near []board.Zone
	for _, z := range s.sc.Board.Zones {
		if slices.ContainsFunc(z.Hexes, func(h hex.Hex) bool { return g.Distance(u.Hex, h) <= most }) {
			near = append(near, z)
		}
	}
	if len(near) == 0 {
		return nil
	}
	f := s.reach(u, false)
	defer f.release()
	for _, z := range near {
		if slices.ContainsFunc(z.Hexes, func(h hex.Hex) bool { return f.node(h) >= 0 }) {
			out = append(out, z.ID)
		}
	}
	return out
}

// bridgeAt tells whether there is a bridge on the hexside, and whether it stands.
func (s *State) bridgeAt(e hex.Edge) (stands, is bool) {
	i := slices.IndexFunc(s.Bridges, func(b Bridge) bool { return b.Edge == e })
	if i < 0 {
		return false, false
	}
	return s.Bridges[i].Stands, true
}

// tryMove judges an order of the MOVE section.
func (a *guide) tryMove(from *check, o adjudicator.Offer) adjudicator.Offer {
	a.trial = from.s.copyTo(a.trial)
	c := &check{side: from.side, by: from.by, s: a.trial, filing: &adjudicator.Filing{}}
	m, v := c.s.parseMove(c.by, written(o))
	if v != nil {
		o.Refused = v
		return o
	}
	done := c.s.perform(m, nil)
	o.Understood, o.Refused = done.understood, done.fault
	if o.Refused == nil {
		o.Warning = c.crowding(m, done.treks)
	}
	return o
}

// setUps are the choices of the set-up that a unit has.
func (a *guide) setUps(u *Unit) (out []adjudicator.Offer) {
	p := a.now.s.sc.placement(u.ID)
	if p == nil {
		return nil
	}
	for _, h := range p.Hexes {
		out = append(out, offered("SETUP", "AT", "%s AT %v", u.c.Name, h))
	}
	for n := 1; n <= u.c.Steps(); n++ {
		out = append(out, offered("SETUP", "STEPS", "%s STEPS %d", u.c.Name, n))
	}
	for i := range out {
		a.trial = a.now.s.copyTo(a.trial)
		out[i].Understood, out[i].Refused = a.trial.setUp(a.now.by, written(out[i]))
	}
	for _, o := range a.standings(u) {
		out = append(out, a.tryStanding(o))
	}
	return out
}

// barrages are the barrages that a gun could fire in, with each of the guns that could
// join it: two are the least.
func (a *guide) barrages(u *Unit) (out []adjudicator.Offer) {
	s := a.dawn.s
	u = s.unit(u.ID)
	if !u.artillery() || u.Where != OnMap || s.leave(a.dawn.side) == nil {
		return nil
	}
	for _, h := range a.foesWithin(s, u.Hex, gunRange) {
		mate := a.mate(s, u, h)
		if mate == nil {
			out = append(out, offered("BARRAGE", "BARRAGE", "%s AT %v", u.c.Name, h))
			continue
		}
		out = append(out, offered("BARRAGE", "BARRAGE", "%s, %s AT %v", u.c.Name, mate.c.Name, h))
	}
	return out
}

// mate is another gun that could fire at a hex beside the unit.
func (a *guide) mate(s *State, u *Unit, target hex.Hex) *Unit {
	p := &plan{s: s, side: a.dawn.side}
	for _, w := range s.onMap(a.dawn.side) {
		if w != u && w.artillery() && s.mayOrder(a.now.by, w) && p.badBarrageGun(w, fireOrder{target: target}) == nil {
			return w
		}
	}
	return nil
}

// foesWithin are the hexes of the enemy around a hex, in ascending order.
func (a *guide) foesWithin(s *State, h hex.Hex, n int) (out []hex.Hex) {
	g := &s.sc.Board.Grid
	for _, foe := range s.hexesOf(s.sc.Other(a.now.side)) {
		if g.Distance(h, foe) <= n {
			out = append(out, foe)
		}
	}
	slices.Sort(out)
	return out
}

// tryBarrage judges a line of the BARRAGE section: it is fired before anybody moves.
func (a *guide) tryBarrage(o adjudicator.Offer) adjudicator.Offer {
	a.trial = a.dawn.s.copyTo(a.trial)
	p := &plan{s: a.trial, side: a.dawn.side}
	if given := a.dawn.shells; given != nil {
		p.fireOrders = slices.Clone(given.fireOrders)
	}
	f, fell, v := p.barrage(written(o))
	o.Refused, o.Warning = v, joined(fell)
	if v == nil {
		o.Understood = a.trial.barrageTold(f)
	}
	return o
}

// barrageTold says a barrage back.
func (s *State) barrageTold(f fireOrder) string {
	return fmt.Sprintf("%s fire with twice %d, less %d for the ground", names(f.guns), fireInAttack(f.guns, false), 2*sum(s.groundCMs(f.target)))
}

// assaults are the attacks, ranged fire and pontoon bridges that a unit could take part in
// where it stands after the moves.
func (a *guide) assaults(u *Unit) (out []adjudicator.Offer) {
	s := a.now.s
	if u.Where != OnMap {
		return nil
	}
	g := &s.sc.Board.Grid
	for _, h := range a.foesWithin(s, u.Hex, 1) {
		out = append(out, offered("ATTACK", "ATTACK", "%v WITH %s", h, u.c.Name))
	}
	if u.artillery() {
		for _, h := range a.foesWithin(s, u.Hex, gunRange) {
			out = append(out, offered("ATTACK", "FIRE", "FIRE %s AT %v", u.c.Name, h))
		}
		for _, b := range s.Bridges {
			if min(g.Distance(u.Hex, b.Edge.A), g.Distance(u.Hex, b.Edge.B)) <= gunRange {
				out = append(out, offered("ATTACK", "FIRE", "FIRE %s AT %v", u.c.Name, b.Edge))
			}
		}
	}
	if len(s.sc.Notes.Pontoons) > 0 && s.bigBanks(u.Hex) > 0 {
		for _, k := range g.Neighbours(u.Hex) {
			if e := hex.Between(u.Hex, k); s.sc.terrainOf(s.sc.Board.River(e)).Big {
				out = append(out, offered("ATTACK", pontoonVerb, pontoonVerb+" %v", e))
			}
		}
	}
	return out
}

// tryAttack judges an order of the ATTACK section beside the attacks that are given.
func (a *guide) tryAttack(o adjudicator.Offer) adjudicator.Offer {
	w := written(o)
	c := &check{side: a.now.side, by: a.now.by, s: a.now.s, filing: &adjudicator.Filing{}, attacks: slices.Clone(a.now.attacks), answers: map[string][]string{}}
	if isPontoon(w) {
		c.pontoon(w)
		l := c.filing.Lines[0]
		o.Understood, o.Warning, o.Refused = l.Understood, l.Warning, l.Refused
		return o
	}
	order, v := c.s.parseAttack(c.by, w)
	if v == nil {
		v = c.knownAttacks(order)
	}
	if v != nil {
		o.Refused = v
		return o
	}
	p := &plan{s: c.s, side: c.s.mover()}
	for _, given := range c.attacks {
		p.declare(given)
	}
	kept, fell, whole := p.declare(order)
	if o.Refused = whole; whole == nil {
		o.Understood, o.Warning = c.s.prospect(c.side, kept), joined(fell)
	}
	return o
}

// standings are the usual standing orders for a unit.
func (a *guide) standings(u *Unit) (out []adjudicator.Offer) {
	for _, how := range []string{"HOLD", "RETREAT FULL", "PURSUE FULL", "PURSUE NO", "ADVANCE"} {
		out = append(out, offered("STANDING", how, "%s %s", u.c.Name, how))
	}
	if a.now.s.sc.Special.none() {
		return out
	}
	for _, verb := range []string{verbRepair, verbMines} {
		if u.c.Type == ARM {
			out = append(out, offered("STANDING", verb, "%s %s", verb, u.c.Name))
		}
	}
	return out
}

// tryStanding judges a standing order.
func (a *guide) tryStanding(o adjudicator.Offer) adjudicator.Offer {
	st, v := a.now.s.parseStanding(a.now.by, written(o))
	if o.Refused = v; v == nil {
		o.Understood = st.understood()
	}
	return o
}

// farPhases is how many of the Air Phases to come missions are offered for.
const farPhases = 2

// missions are the air missions that could be flown, over the hexes where there is
// something for them to do.
func (a *guide) missions() (out []adjudicator.Offer) {
	for phase, left := range a.airPhases() {
		for _, kind := range airVerb {
			out = slices.AppendSeq(out, a.missionsOf(kind, phase, left))
		}
	}
	return out
}

// airPhases are the Air Phases to come that missions are offered for, each with the strength
// points (SP) that no mission has yet.
func (a *guide) airPhases() iter.Seq2[int, int] {
	return func(yield func(phase, left int) bool) {
		if !a.fliesMissions() {
			return
		}
		used := map[int]int{}
		for _, f := range a.dawn.sorties {
			used[f.turn] += f.SP
		}
		for i, p := range a.v.Air.Phases[:min(farPhases, len(a.v.Air.Phases))] {
			if !yield(i, p.Left-used[p.Turn]) {
				return
			}
		}
	}
}

// missionsOf are the missions of a kind in one of the Air Phases to come: those that may be
// flown, or the first of them, and why it may not.
func (a *guide) missionsOf(kind string, phase, left int) iter.Seq[adjudicator.Offer] {
	return func(yield func(adjudicator.Offer) bool) {
		least := 1 // the strength of the first that may be flown, which is enough for the others
		most := max(1, left)
		objects := a.objects(kind)
		if left < least || a.dawn.s.grounded(a.dawn.side, kind, a.v.Air.Phases[phase].Phase) != nil {
			least, objects = most, objects[:min(1, len(objects))] // why it may not is the same everywhere
		}
		for i, over := range objects {
			o, sp := a.leastMission(kind, over, phase, left, least, most)
			if o.Refused == nil {
				least, most = sp, sp
			}
			if (o.Refused == nil || i == 0) && !yield(o) {
				return
			}
		}
	}
}

// leastMission is the mission over a hex with the fewest strength points (SP) that may be
// flown, and how many they are; or the one with the most, and why it may not.
func (a *guide) leastMission(kind, over string, phase, left, least, most int) (o adjudicator.Offer, sp int) {
	p := a.v.Air.Phases[phase]
	section := fmt.Sprintf("AIR %d", p.Phase)
	for sp = least; sp <= most; sp++ {
		o = offered(section, kind, "%s %s %d", kind, over, sp)
		m, refused := a.dawn.mission(written(o), p, phase == 0, left)
		if o.Refused = refused; refused == nil {
			o.Understood = m.String()
			break
		}
	}
	return o, sp
}

// objects are the hexes, or hexsides, that missions of a kind are offered over.
func (a *guide) objects(kind string) (out []string) {
	s, side := a.dawn.s, a.dawn.side
	switch kind {
	case airBridge:
		for _, b := range s.Bridges {
			out = append(out, b.Edge.String())
		}
		return out
	case airDefend, airSupply:
	case airCrossing:
		for i := range s.sc.Board.Grid.Len() {
			if h := s.sc.Board.Grid.At(i); s.sc.Board.On(h) && s.bigBanks(h) > 0 {
				out = append(out, h.String())
			}
		}
		return out
	default:
		side = s.sc.Other(side)
	}
	for _, h := range s.hexesOf(side) {
		out = append(out, h.String())
	}
	return out
}
