package steppe

import (
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// Adviser answers a side's questions about the rules on what its View shows. It is what
// a staff officer reads up.
type Adviser struct {
	s    *State
	side Side
}

// Advise makes an adviser on a View.
func (g *Game) Advise(v *view.View) (*Adviser, error) {
	s, err := g.sc.believe(v)
	if err != nil {
		return nil, err
	}
	return &Adviser{s: s, side: Side(v.Side)}, nil
}

// Zones implements adjudicator.Zoner.
func (g *Game) Zones(v *view.View) (out []view.Zone, err error) {
	s, err := g.sc.believe(v)
	if err != nil {
		return nil, err
	}
	for _, side := range g.sc.sides() {
		z := view.Zone{Side: string(side)}
		for i, n := range s.zones(side) {
			if h := g.sc.Board.Grid.At(i); n > 0 && g.sc.Board.On(h) {
				z.Hexes = append(z.Hexes, h)
			}
		}
		out = append(out, z)
	}
	return out, nil
}

// Supply implements adjudicator.Supplier: the hexes that a supply path reaches.
func (g *Game) Supply(v *view.View) ([]hex.Hex, error) {
	s, err := g.sc.believe(v)
	if err != nil {
		return nil, err
	}
	out := []hex.Hex{}
	for i, reached := range s.supplied(Side(v.Side)) {
		if h := g.sc.Board.Grid.At(i); reached && g.sc.Board.On(h) {
			out = append(out, h)
		}
	}
	return out, nil
}

// Piece is an own unit on the map or due to come.
type Piece struct {
	ID, Name  string
	Command   string
	Hex       hex.Hex // None: it comes
	Attack    int     // as it is supplied
	Defence   int
	Steps     int
	HQ        bool
	Range     int // of a headquarters
	Support   int
	Mech      bool
	Hungarian bool
	Cut       int
	Acted     bool      // in this turn
	Entry     []hex.Hex // of a reinforcement
}

// Pieces lists the side's units, in order of id.
func (a *Adviser) Pieces() []Piece {
	var out []Piece
	for i := range a.s.Units {
		u := &a.s.Units[i]
		if u.c.Side != a.side {
			continue
		}
		p := Piece{ID: u.ID, Name: u.c.Name, Command: string(u.c.Command), Attack: u.attack(), Defence: u.defence(),
			Steps: u.Steps, HQ: u.c.Type == HQ, Range: u.c.Range, Support: u.support(), Mech: u.c.Mech,
			Hungarian: u.c.Command == Hungarian, Cut: u.Cut, Acted: u.Activated}
		switch {
		case u.Where == OnMap:
			p.Hex = u.Hex
		case a.s.due(u):
			p.Entry = a.s.zoneOf(u).Hexes
		default:
			continue
		}
		out = append(out, p)
	}
	return out
}

// Foe is an enemy stack.
type Foe struct {
	Hex     hex.Hex
	Defence int
	Attack  int
	Steps   int
	Lone    bool // a headquarters alone
}

// Foes lists the enemy's stacks in order of their hexes.
func (a *Adviser) Foes() []Foe {
	var out []Foe
	for i := range a.s.at.slot {
		if a.s.holderIx(i) != other(a.side) {
			continue
		}
		us := a.s.stack(i)
		f := Foe{Hex: a.s.hexAt(i), Defence: a.s.defenceAt(a.s.hexAt(i)), Steps: a.s.load(i), Lone: !hasCombat(us)}
		for _, u := range us {
			f.Attack += u.attack()
		}
		out = append(out, f)
	}
	return out
}

// Goal is a Victory Point location.
type Goal struct {
	Hex  hex.Hex
	Ours bool
}

// Goals lists them.
func (a *Adviser) Goals() []Goal {
	var out []Goal
	for _, o := range a.s.sc.Objectives {
		out = append(out, Goal{o.Hex, a.s.controller(o.Hex) == a.side})
	}
	return out
}

// Grid is the map's grid.
func (a *Adviser) Grid() *hex.Grid { return &a.s.sc.land.grid }

// Reach lists the hexes that a unit on the map could move to now, its own included, in
// ascending order. Whether there is room is another question.
func (a *Adviser) Reach(id string) []hex.Hex {
	u := a.s.unit(id)
	if u == nil || u.Where != OnMap {
		return nil
	}
	f := a.s.newWalk(u).search()
	var out []hex.Hex
	for _, i := range f.seen {
		out = append(out, a.s.hexAt(int(i)))
	}
	slices.Sort(out)
	return out
}

// Shelter is the columns that an attack from these hexes is shifted to the left.
func (a *Adviser) Shelter(target hex.Hex, from []hex.Hex) int { return a.s.shelter(target, from).shift }

// Odds is what an attack comes to before aircraft and dice.
type Odds struct {
	Level   int // 0 is 1:3, 3 is 1:1, 7 is 4:1, 8 is 5:1 ...
	Retreat int // ways of 36 in which the defender must retreat
	Ours    int // steps that we lose, summed over the 36 ways
	Theirs  int
}

// Odds weighs strengths, a shift and what is added to the dice.
func (a *Adviser) Odds(attack, defence, shift, drm int) Odds {
	sc := a.s.sc
	if a.s.strikesBack(a.side) {
		shift++
	}
	o := sc.settle(attack, defence, shift)
	out := Odds{Level: o.level, Retreat: sc.retreatChance(o, drm)}
	for roll := 2; roll <= 12; roll++ {
		res := sc.result(o, roll+drm)
		out.Ours += waysOf(roll) * res.ALoss
		out.Theirs += waysOf(roll) * res.DLoss
	}
	return out
}

// Zone tells whether an enemy zone of control lies on the hex.
func (a *Adviser) Zone(h hex.Hex) bool { return a.s.inZone(a.s.ix(h), a.side) }

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

// StackLimit is the most steps in a hex.
func (a *Adviser) StackLimit() int { return stackLimit }

// Supplied tells whether a supply path would reach the hex.
func (a *Adviser) Supplied(h hex.Hex) bool {
	return a.s.supplied(a.side)[a.s.ix(h)]
}

// Source is the nearest source of supply to a hex that no enemy holds, None if there is
// none.
func (a *Adviser) Source(h hex.Hex) hex.Hex {
	best, score := hex.None, 1<<20
	for _, i := range a.s.sources(a.side) {
		if n := a.Grid().Distance(h, a.s.hexAt(int(i))); n < score {
			best, score = a.s.hexAt(int(i)), n
		}
	}
	return best
}

// BackhandLeft tells whether the Germans may still name the Backhand Blow for this turn.
func (a *Adviser) BackhandLeft() bool {
	return a.side == German && a.s.Backhand == 0 && !a.s.sc.before(2)
}

// Place tells whether the hex is a town or a city.
func (a *Adviser) Place(h hex.Hex) bool { return a.s.sc.land.place[a.s.ix(h)] }
