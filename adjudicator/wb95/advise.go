package wb95

import (
	"errors"
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/view"
)

// Adviser answers a staff officer's questions about the rules. It knows what their
// View says and nothing else, judges by the same code as the game, and keeps the
// moves decided on so far, so that each is planned on the position that those
// before it leave. It is not safe for concurrent use.
type Adviser struct {
	s     *State
	side  Side      // on the map
	by    Side      // the player
	lines *supplied // of the position as it came
	score []view.Score
	guns  []int // the enemy's artillery, by number among the units
}

// Advise builds the position that a View describes, as it is when the side moves.
func (g *Game) Advise(v *view.View) (*Adviser, error) {
	s, err := g.believe(v)
	if err != nil {
		return nil, err
	}
	s.believeTakers(v)
	s.believeCrossings()
	a := &Adviser{s: s, side: s.sc.camp(Side(v.Side)), by: Side(v.Side), score: v.Score}
	a.lines = s.linesOfSupply(a.side)
	for i := range s.Units {
		if u := &s.Units[i]; u.c.Side == s.sc.Other(a.side) && u.artillery() {
			a.guns = append(a.guns, i)
		}
	}
	return a, nil
}

// Piece is an own unit that stands on the map or may come on to it now.
type Piece struct {
	ID, Name string
	Parent   string
	Nation   string
	Class    string
	Hex      hex.Hex // None: not on the map yet
	Entry    []string
	Steps    int
	Attack   int // strength points, as weakened
	Defence  int
	Moves    int // twelfths of a point
	Range    int // of a headquarters
	HQ       bool
	Regular  bool // has a zone of control, can entrench
	Fights   bool // may attack in direct combat
	Movable  bool // may be given an order
	Mended   bool // supplied and organized
	Supplied bool // a line of supply leads to it
	Shaken   bool // retreated in the last combat: cannot entrench
	Gun      bool // towed artillery, which moves in transport set-up only
	Firing   bool // a gun in combat set-up
	Fire     int  // strength of artillery in support of an attack, 0 if it cannot fire as it stands
}

// Pieces lists the side's units, in order of id.
func (a *Adviser) Pieces() []Piece {
	var out []Piece
	for i := range a.s.Units {
		u := &a.s.Units[i]
		if !a.s.mayOrder(a.by, u) {
			continue
		}
		if u.Where == Later && a.s.dueNow(u, a.s.arrival(u)) != nil {
			continue
		}
		out = append(out, a.piece(u))
	}
	return out
}

func (a *Adviser) piece(u *Unit) Piece {
	p := Piece{ID: u.ID, Name: u.c.Name, Parent: u.c.Parent, Nation: u.c.Nation, Class: string(u.c.Class), Hex: u.Hex, Steps: u.Steps,
		Moves: int(a.s.allowance(u, false)), HQ: u.c.Type == HQ, Regular: u.regular(), Fights: u.fights(),
		Movable: !u.c.hasSetup() && u.c.Type != RG, Mended: u.OoS == 0 && !u.disorganized(), Supplied: true, Shaken: u.Retreated}
	if !u.soft() {
		p.Attack, p.Defence = u.attackSP(false), u.defenceSP()
	}
	if p.Gun = u.c.hasSetup(); p.Gun {
		p.Firing = u.Firing
	}
	if u.artillery() && u.mayFire() == nil && a.s.still(u.c) == nil {
		p.Fire = u.attackSP(false)
	}
	if p.HQ {
		p.Range = a.s.hqRange(u)
	}
	if u.Where == OnMap {
		p.Supplied = a.lines.reaches(u)
	} else {
		p.Entry = a.s.arrival(u).Entry
	}
	return p
}

// Foe is an enemy stack as far as it is known.
type Foe struct {
	Hex     hex.Hex
	Defence int
	Attack  int
	Steps   int
	Fort    bool
	Lone    bool // headquarters and guns only, or what looks like them
}

// Foes lists the enemy's stacks in order of their hexes.
func (a *Adviser) Foes() []Foe {
	var out []Foe
	for _, h := range a.s.hexesOf(a.s.sc.Other(a.side)) {
		f := Foe{Hex: h, Defence: a.s.hexSP(h), Steps: a.s.stackSteps(h), Fort: a.s.fortified(h, a.s.sc.Other(a.side)), Lone: true}
		for _, u := range a.s.unitsAt(h) {
			if u.regular() {
				f.Attack += u.attackSP(true)
			}
			f.Lone = f.Lone && u.soft()
		}
		out = append(out, f)
	}
	return out
}

// Goal is a hex that somebody wins the game by.
type Goal struct {
	Hex    hex.Hex
	Points int // of the tactical victory
	// Strategic: the hex is one of those that a strategic victory asks for, of our
	// side or the enemy's; Clear: it is ground that the enemy must be driven from.
	Strategic bool
	Ours      bool // counts for our side now
}

// Goals lists the objectives and, each once, the hexes of strategic victories.
func (a *Adviser) Goals() []Goal {
	var out []Goal
	for _, o := range a.s.sc.Objectives {
		out = append(out, Goal{Hex: o.Hex, Points: o.Points, Ours: a.s.held(o.Hex) == a.side})
	}
	seen := map[hex.Hex]bool{}
	for _, c := range a.s.sc.Strategic {
		if c.Kind != winHold {
			continue
		}
		for _, h := range c.Hexes {
			if !seen[h] {
				out = append(out, Goal{Hex: h, Strategic: true, Ours: a.s.held(h) == a.side})
			}
			seen[h] = true
		}
	}
	return out
}

// Heads are the points that the enemy gets for each unit that we lose, and we for
// each of theirs.
func (a *Adviser) Heads() (ours, theirs int) {
	sc := a.s.sc
	for _, w := range sc.Awards {
		if w.Kind != awardLost {
			continue
		}
		for _, side := range sc.Sides {
			switch {
			case !w.isFor(side):
			case sc.Scorer != "" && sc.Scorer != side:
			case side == a.side:
				theirs += w.Points
			default:
				ours += w.Points
			}
		}
	}
	return ours, theirs
}

// Grid is the map's grid.
func (a *Adviser) Grid() *hex.Grid { return &a.s.sc.Board.Grid }

// Steps are the prices, in twelfths, of the steps of a class of movement from hex to hex, by grid index and direction,
// by ground, road and water alone; -1 where a step is closed. With all bridges they are as low as they may ever be.
func (a *Adviser) Steps(class string, allBridges bool) [][6]int16 {
	net, row, spans := a.s.sc.network(), rowOf(&Counter{Class: Class(class)}), a.s.bridges()
	out := make([][6]int16, len(net.next))
	for i := range out {
		for d, next := range net.next[i] {
			switch bit := uint8(1) << d; {
			case next < 0:
				out[i][d] = closed
			case net.water[i]&bit != 0 && spans[i]&bit == 0 && !allBridges:
				out[i][d] = net.dry[row][i][d]
			default:
				out[i][d] = net.over[row][i][d]
			}
		}
	}
	return out
}

// Wet tells whether water that favours the defender parts two adjacent hexes.
func (a *Adviser) Wet(from, to hex.Hex) bool {
	kind := a.s.sc.Board.River(hex.Between(from, to))
	return kind != "" && a.s.sc.terrainOf(kind).CM > 0
}

// On tells whether the hex is on the map.
func (a *Adviser) On(h hex.Hex) bool { return a.s.sc.Board.On(h) }

// Place is a hex that a unit can get to, with the price in twelfths.
type Place struct {
	Hex  hex.Hex
	Cost int
}

// Reach lists where the unit can get to in the Movement Phase, its own hex
// included. Whether there is room is another question.
func (a *Adviser) Reach(id string) []Place {
	u := a.s.unit(id)
	if u == nil || u.Where != OnMap {
		return nil
	}
	return places(a.s.reach(u, false))
}

// EntryReach lists where a reinforcement can get to if it enters through a zone
// or a place, and nothing if it cannot.
func (a *Adviser) EntryReach(id, by string) []Place {
	u := a.s.unit(id)
	if u == nil || u.Where != Later {
		return nil
	}
	m := a.s.newMarch(u, false)
	e, v := a.s.entryFor(m, &moveOrder{enter: by})
	if v != nil {
		return nil
	}
	m.start = e.start
	return places(m.search(e.seeds, e.start, e.placed))
}

func places(f *field) []Place {
	defer f.release()
	hexes := f.hexes()
	out := make([]Place, 0, len(hexes))
	for _, h := range hexes {
		if f.m.s.strangersAt(f.m.u, h) {
			continue
		}
		c, _ := f.to(h)
		out = append(out, Place{h, int(c)})
	}
	return out
}

// Zones lists the enemy hexes whose zones of control cover the hex.
func (a *Adviser) Zones(h hex.Hex) []hex.Hex { return hexesUnder(a.s.zonesOn(h, a.s.sc.Other(a.side))) }

// Covered tells whether an own zone of control lies on the hex.
func (a *Adviser) Covered(h hex.Hex) bool { return a.s.inEnemyZone(h, a.s.sc.Other(a.side)) }

// Holder tells who stands on a hex: 1 we, -1 the enemy, 0 nobody.
func (a *Adviser) Holder(h hex.Hex) int {
	switch a.s.holder(h) {
	case "":
		return 0
	case a.side:
		return 1
	}
	return -1
}

// AirPhase is the number of the Air Phase that opens our own half turn.
func (a *Adviser) AirPhase() int { return 1 + halfTurn*slices.Index(a.s.sc.players(), a.by) }

// Wings are the points of the missions that our counters can fly on a day, one
// over each hex, as the game picks counters for points: nil where strength comes
// in points.
func (a *Adviser) Wings(turn int) []int {
	if a.s.sc.airCounters(a.side) == nil {
		return nil
	}
	ready, n := a.s.airReady(a.side, turn)
	slices.SortStableFunc(ready, func(x, y AirUnit) int { return btoi(x.White) - btoi(y.White) })
	out := []int{}
	for i, c := range ready[:min(n, len(ready))] {
		if i%crowdLimit == 0 {
			out = append(out, 0)
		}
		out[len(out)-1] += c.Strength
	}
	return out
}

// GuardsFromTheAir tells whether our aircraft may support a defence (8.2.5).
func (a *Adviser) GuardsFromTheAir() bool { return !a.s.sc.fields(a.side, "Soviet") }

// StackLimit is the most steps that may end a phase in a hex.
func (a *Adviser) StackLimit() int { return stackLimit }

// Fort tells whether we have fortifications on the hex.
func (a *Adviser) Fort(h hex.Hex) bool { return a.s.fortified(h, a.side) }

// Cover is the combat modifiers that ground and our works give on the hex.
func (a *Adviser) Cover(h hex.Hex) int {
	return sum(a.s.groundCMs(h)) + sum(a.s.fortCMs(h, a.side))
}

// Diggable tells whether the ground of the hex lets a unit entrench.
func (a *Adviser) Diggable(h hex.Hex) bool { return !a.s.swamp(h) && a.s.fort(h) == nil }

// InSupply tells whether a line of supply led to the hex when the turn began.
func (a *Adviser) InSupply(h hex.Hex) bool {
	i := a.Grid().Index(h)
	return a.lines.cost[i].within(7 * One)
}

// Suppose puts a unit on a hex without asking the rules, to see what would be.
// The function it returns takes that back; the last supposition goes first.
func (a *Adviser) Suppose(id string, h hex.Hex) (undo func()) {
	u := a.s.unit(id)
	was := *u
	a.s.put(u, h)
	return func() {
		a.s.lift(u)
		*u = was
		if was.Where == OnMap {
			u.Where = Later
			a.s.put(u, was.Hex)
		}
	}
}

// SupposeAir lets aircraft of ours support an attack on a hex, to see what would be. The function it returns takes
// that back; the last supposition goes first.
func (a *Adviser) SupposeAir(h hex.Hex, strength int) (undo func()) {
	was := a.s.Missions
	a.s.Missions = append(slices.Clone(was), Mission{Side: a.side, Kind: airSupport, Hex: h, SP: strength})
	return func() { a.s.Missions = was }
}

// Odds is what an attack comes to before the dice. Chances count the 36 ways
// that two dice can fall; sums are over all 36.
type Odds struct {
	Attack, Defence int
	Column          string
	Level           int // of the column: 0 is 1:1, 1 is 2:1, -1 is 1:2
	Retreats        int // the defender must retreat
	Repulsed        int // the attackers must
	TheirSteps      int // steps that the table takes, summed
	TheirHexes      int // hexes of retreat, summed
	OurSteps        int
	OurHexes        int
}

// Odds weighs an attack of units on hexes.
func (a *Adviser) Odds(ids []string, targets []hex.Hex) Odds {
	return a.OddsWith(ids, nil, targets)
}

// OddsWith weighs an attack that guns support, against a defender who uses the
// stars and the guns that we know of.
func (a *Adviser) OddsWith(ids, guns []string, targets []hex.Hex) Odds {
	t := &a.s.sc.Combat
	units, support := a.these(ids), a.these(guns)
	if !a.s.deservesSupport(units) {
		support = nil
	}
	o := a.s.weighWith(a.side, units, targets, false, aid{gunsA: support, gunsD: a.gunsFor(targets), starsA: colours, starsD: colours})
	out := Odds{Attack: o.attack, Defence: o.defence, Column: o.final, Level: o.column - slices.Index(t.Columns, "1:1"),
		Retreats: o.retreats, Repulsed: o.repulsed}
	for roll := 2; roll <= 12; roll++ {
		ways, c := 6-abs(roll-7), t.cell(roll+o.dice, o.column)
		out.TheirSteps += ways * c.DLoss
		out.TheirHexes += ways * c.DRetreat
		out.OurSteps += ways * c.ALoss
		out.OurHexes += ways * c.ARetreat
	}
	return out
}

// gunsFor are the enemy's guns that we know of and that may support the hexes.
func (a *Adviser) gunsFor(targets []hex.Hex) (out []*Unit) {
	for _, i := range a.guns {
		u := &a.s.Units[i]
		if u.Where != OnMap || slices.Contains(targets, u.Hex) {
			continue
		}
		if a.s.maySupport(u, targets) == nil {
			out = append(out, u)
		}
	}
	return out
}

func (a *Adviser) these(ids []string) []*Unit {
	var out []*Unit
	for _, id := range ids {
		if u := a.s.unit(id); u != nil {
			out = append(out, u)
		}
	}
	return out
}

// Attack is one attack: hexes and the ids of the attackers.
type Attack struct {
	Targets []hex.Hex
	Units   []string
}

// GunRange is how far guns support and fire.
func (a *Adviser) GunRange() int { return gunRange }

// Ground is what the ground of a hex takes off ranged fire at it.
func (a *Adviser) Ground(h hex.Hex) int { return 2 * sum(a.s.groundCMs(h)) }

// Complete adds to the attacks, as the game would, whatever the duties to attack
// leave open on the position as it is.
func (a *Adviser) Complete(given []Attack) []Attack {
	p := &plan{s: a.s, side: a.side}
	for _, g := range given {
		p.declare(attackOrder{targets: g.Targets, units: a.these(g.Units)})
	}
	bound, due := a.s.duties(a.side)
	p.complete(bound, due)
	var out []Attack
	for _, c := range p.combats {
		at := Attack{Targets: sorted(c.order.targets)}
		for _, u := range c.order.units {
			at.Units = append(at.Units, u.ID)
		}
		out = append(out, at)
	}
	return out
}

// Bound lists the ids of the units that must attack as things stand, and the
// hexes that must be attacked.
func (a *Adviser) Bound() (ids []string, due []hex.Hex) {
	us, due := a.s.duties(a.side)
	for _, u := range us {
		ids = append(ids, u.ID)
	}
	return ids, due
}

// Order tries an order of the MOVE section. If it can be carried out to its end
// the position changes with it; if not, nothing happens and the reason comes back.
func (a *Adviser) Order(text string) (understood string, err error) {
	o := phrase.Read(text)
	if o.Fault != nil {
		return "", o.Fault
	}
	trial := a.s.clone()
	m, v := trial.parseMove(a.by, o)
	if v == nil {
		understood, v = trial.carryOut(m, nil)
	}
	if v != nil {
		return "", errors.New(v.Why)
	}
	a.s = trial
	return understood, nil
}

// Where is the hex of a unit now, None if it is not on the map.
func (a *Adviser) Where(id string) hex.Hex {
	if u := a.s.unit(id); u != nil && u.Where == OnMap {
		return u.Hex
	}
	return hex.None
}
