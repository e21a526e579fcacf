package famous

import (
	"errors"
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

// Adviser answers a staff officer's questions about the rules. It knows what the
// officer's View says and nothing else, judges by the same code as the game, and keeps the
// orders that were decided on. It is not safe for concurrent use.
type Adviser struct {
	s    *State
	side Side
	p    *parser
	// base is the position as it came, fresh the one that the open programme leaves if
	// it is the first to come: the game judges each programme by that.
	base, fresh *State
	keeps       [2]State        // what the positions were before an order, for one that cannot be done
	known       map[int][13]int // rolls, by modifier
}

// Advise builds the position that a View describes.
func (g *Game) Advise(v *view.View) (*Adviser, error) {
	s, err := g.sc.believe(v)
	if err != nil {
		return nil, err
	}
	return &Adviser{s: s, side: Side(v.Side), base: s.clone()}, nil
}

// Piece is an own unit on the map, or one that may enter now.
type Piece struct {
	ID, Name  string
	Battalion string
	Kind      string
	Class     string
	Hex       hex.Hex // None: not on the map yet
	Entry     []string
	Steps     int
	Halves    int // what it counts for stacking
	Attack    int
	Defence   int
	Direct    int // range of direct fire
	Gun       int // range of artillery
	HQ        bool
	Division  bool
	Engineer  bool
	Fired     bool
	Beside    bool // artillery beside the map
	Active    bool // in the programme that is open
}

// Open opens the programme of a chit and returns the units that it may use.
func (a *Adviser) Open(battalion string) []Piece {
	s := a.s
	if a.fresh == nil {
		a.fresh = &State{}
	}
	a.base.cloneOver(a.fresh)
	a.s.rest()
	a.begin(a.fresh, battalion)
	a.begin(s, battalion)
	a.p = &parser{s: s, side: a.side, bn: battalion}
	var out []Piece
	for _, p := range a.Pieces() {
		if p.Active {
			out = append(out, p)
		}
	}
	return out
}

// begin activates a battalion on a position.
func (a *Adviser) begin(s *State, battalion string) {
	if battalion == divBattalion {
		s.activate(activation{side: a.side, battalion: battalion, by: s.div(a.side)})
		return
	}
	s.activate(s.ownActivation(a.side, battalion))
}

// Pieces lists the side's units, in order of id.
func (a *Adviser) Pieces() []Piece {
	out := make([]Piece, 0, a.s.unitsIn(a.side, OnMap, Beside))
	for u := range a.s.army(a.side) {
		if !u.stands() && !a.s.due(u) {
			continue
		}
		p := a.piece(u)
		if u.Where == Later {
			p.Hex, p.Entry = hex.None, a.s.sc.Arrivals[a.s.sc.arrival[u.ID]].Entry
		}
		out = append(out, p)
	}
	return out
}

func (a *Adviser) piece(u *Unit) Piece {
	c := u.c
	return Piece{
		ID: u.ID, Name: c.Name, Battalion: c.Battalion, Kind: c.Kind, Class: u.class().String(), Hex: u.Hex, Steps: u.Steps, Halves: a.s.size(u),
		Attack: u.attack(), Defence: u.defence(), Direct: c.Direct, Gun: c.Artillery, HQ: c.HQ, Division: c.Division, Engineer: c.Engineer,
		Fired: u.Fired, Beside: u.Where == Beside, Active: u.did.active,
	}
}

// Foe is an enemy stack as far as it is known.
type Foe struct {
	Hex     hex.Hex
	Defence int
	Attack  int
	Units   int
	Steps   int
	Tracked bool
	Fires   bool // with direct fire
	Alone   bool // a headquarters by itself
	Known   bool
	Works   int // modifiers of ground and fortifications
}

// Foes lists the enemy's stacks in order of their hexes.
func (a *Adviser) Foes() []Foe {
	var out []Foe
	for i := range a.s.at {
		if a.s.holds(i) == 1-a.s.sc.number(a.side) {
			out = append(out, a.foe(i))
		}
	}
	return out
}

func (a *Adviser) foe(i int) Foe {
	h := a.s.sc.Board.Grid.At(i)
	us := combatants(a.s.unitsAt(i))
	f := Foe{Hex: h, Known: a.s.watches(a.side, h), Units: len(us), Works: a.Cover(h)}
	f.Tracked = slices.ContainsFunc(us, func(u *Unit) bool { return u.c.Class == Tracked })
	f.Alone = slices.ContainsFunc(us, func(u *Unit) bool { return u.c.HQ })
	f.Fires = slices.ContainsFunc(us, func(u *Unit) bool { return u.c.Direct > 0 })
	for _, u := range us {
		f.Defence += u.defence()
		f.Attack += u.attack()
		f.Steps += u.Steps
	}
	if !f.Known {
		f.Defence = max(f.Defence, assumedDefence)
	}
	for _, x := range a.s.fortsOn(h) {
		f.Works += a.s.sc.Forts[x.Kind].DRM
	}
	return f
}

// Goal is a hex that somebody wins the game by.
type Goal struct {
	Hex    hex.Hex
	Points int
	Ours   bool // occupied last by our side
}

// Goals lists the hexes that make points for the scorer; Scorer tells whether that
// is our side.
func (a *Adviser) Goals() []Goal {
	var out []Goal
	for _, o := range a.s.sc.Objectives {
		if o.Enemy {
			continue
		}
		for _, h := range o.Hexes {
			out = append(out, Goal{h, o.Points, a.s.lastOn(h) == a.side})
		}
	}
	return out
}

// Scorer tells whether our side is the one that makes points.
func (a *Adviser) Scorer() bool { return a.s.sc.Scorer == a.side }

// Grid is the map's grid.
func (a *Adviser) Grid() *hex.Grid { return &a.s.sc.Board.Grid }

// Command is the activation range of the open battalion's headquarters and where
// it stands; None if there is none.
func (a *Adviser) Command(battalion string) (hex.Hex, int) {
	hq := a.s.hq(a.side, battalion)
	if hq == nil {
		return hex.None, 0
	}
	return hq.Hex, hq.c.Command
}

// standing is the unit of that id if it is on the map, else nil.
func (a *Adviser) standing(id string) *Unit {
	if u := a.s.unit(id); u != nil && u.onMap() {
		return u
	}
	return nil
}

// Reach lists where an activated unit can get to and stay, its own hex included.
func (a *Adviser) Reach(id string) []hex.Hex {
	u := a.standing(id)
	if u == nil {
		return nil
	}
	out := []hex.Hex{u.Hex}
	if a.s.mayMove(u) != nil {
		return out
	}
	return a.room(u, a.s.search(u, u.idx, false), out)
}

// Detour is the cheapest way of a unit to a hex that enters none to be shunned before
// it, both ends included; nil if there is none.
func (a *Adviser) Detour(id string, to hex.Hex, shun func(hex.Hex) bool) []hex.Hex {
	u := a.standing(id)
	if u == nil || a.s.mayMove(u) != nil {
		return nil
	}
	g := a.Grid()
	f := a.s.searchOn(u, u.idx, terms{shun: func(i int) bool { return g.At(i) != to && shun(g.At(i)) }, goal: to})
	defer a.s.sc.done(f)
	if way := f.way(g, g.Index(to)); len(way) > 0 {
		return append([]hex.Hex{u.Hex}, way...)
	}
	return nil
}

// EntryReach lists where a reinforcement can get to that enters by a letter.
func (a *Adviser) EntryReach(id, zone string) []hex.Hex {
	u := a.s.unit(id)
	if u == nil || u.Where != Later {
		return nil
	}
	f, at, v := a.s.entryField(u, zone)
	if v != nil {
		return nil
	}
	var out []hex.Hex
	if i := a.s.sc.Board.Grid.Index(at); a.s.fits(i, u) {
		out = append(out, at)
	}
	if f == nil {
		return out
	}
	return a.room(u, f, out)
}

// entryField is what a reinforcement can get to from its entry hex; nil where it must stay
// there.
func (s *State) entryField(u *Unit, zone string) (f *field, at hex.Hex, v *rule.Violation) {
	if at, v = s.entryHex([]*Unit{u}, zone); v != nil {
		return nil, at, v
	}
	i := s.sc.Board.Grid.Index(at)
	probe := *u
	probe.did.spent, probe.did.started = s.entryCost(u, i), true
	if s.threatened(i, u.c.side) {
		return nil, at, nil
	}
	return s.search(&probe, i, false), at, nil
}

func (a *Adviser) room(u *Unit, f *field, out []hex.Hex) []hex.Hex {
	for _, i := range f.order {
		if f.starts(i) || !a.s.fits(i, u) || !a.s.mayEnd(u, f, i) {
			continue
		}
		if h := a.s.sc.Board.Grid.At(i); !slices.Contains(out, h) {
			out = append(out, h)
		}
	}
	return out
}

// Order does an order of the open programme. If it cannot be done nothing happens
// and the reason comes back.
func (a *Adviser) Order(text string) error {
	parsed, err := orders.ParseOrder(text)
	if err != nil {
		return err
	}
	o := phrase.OnSheet(parsed)
	both := [2]*State{a.fresh, a.s}
	for n, s := range both {
		s.cloneOver(&a.keeps[n])
		a.keeps[n].commander = s.commander
		if v := s.attempt(&parser{s: s, side: a.side, bn: a.p.bn}, o); v != nil {
			for m := range n + 1 {
				*both[m], a.keeps[m] = a.keeps[m], *both[m]
			}
			return errors.New(v.Why)
		}
	}
	return nil
}

// attempt reads an order and does it without dice.
func (s *State) attempt(p *parser, o phrase.Written) *rule.Violation {
	in, v := p.parse(o)
	if v == nil {
		_, v = s.trial(p, in)
	}
	return v
}

// Cover is the modifiers that the ground of a hex gives its defender.
func (a *Adviser) Cover(h hex.Hex) (n int) {
	for _, m := range a.s.sc.ground[a.Grid().Index(h)].drms {
		n += m
	}
	return n
}

// Threatened tells whether a hex is in an enemy zone of control.
func (a *Adviser) Threatened(h hex.Hex) bool {
	return a.s.threatened(a.Grid().Index(h), int8(a.s.sc.number(a.side)))
}

// Sees tells whether a line of sight joins two hexes at most ten apart.
func (a *Adviser) Sees(from, to hex.Hex) bool {
	return a.s.sc.sees(a.Grid().Index(from), a.Grid().Index(to))
}

// Fires tells whether there is direct fire this turn.
func (a *Adviser) Fires() bool { _, ok := a.s.fireDie(); return ok }

// Night tells whether it is night.
func (a *Adviser) Night() bool { return a.s.night() }

// Own tells how many halves of units stand on a hex, and whether they are ours.
func (a *Adviser) Own(h hex.Hex) (halves int, ours bool) {
	i := a.Grid().Index(h)
	all, _ := a.s.stacked(i)
	return all, a.s.holds(i) == a.s.sc.number(a.side)
}

// Limit is how many halves of units may stand on a hex.
func (a *Adviser) Limit(h hex.Hex) int { return a.s.sc.stackLimit(a.Grid().Index(h)) }

// Water is what the water of a hexside costs an attack across it, a bridge counted.
func (a *Adviser) Water(from, to hex.Hex) int {
	_, n := (&battle{s: a.s, target: to, units: []*Unit{{Hex: from}}}).water()
	return n
}

// Observed tells whether any of our units could direct a barrage at a hex.
func (a *Adviser) Observed(h hex.Hex) bool { return a.s.observed(a.side, h) }

// Chance is the chance in percent that a unit's fire harms somebody on a hex.
func (a *Adviser) Chance(id string, h hex.Hex) int {
	u := a.standing(id)
	if u == nil {
		return 0
	}
	return a.ChanceFrom(id, u.Hex, h)
}

// ChanceFrom is the same if the unit fired from another hex.
func (a *Adviser) ChanceFrom(id string, from, h hex.Hex) int {
	u, us := a.standing(id), a.s.targets(a.s.on(h))
	if u == nil || len(us) == 0 {
		return 0
	}
	probe := *u
	probe.Hex, probe.idx = from, a.Grid().Index(from)
	if !a.s.mayShoot(&probe, a.Grid().Index(h)) {
		return 0
	}
	_, harm := a.s.odds(&probe, a.s.pick(&probe, us, ""))
	return percent(harm)
}

// Exits lists the entry hexes by which our units make points when they leave.
func (a *Adviser) Exits() (out []hex.Hex) {
	for _, e := range a.s.sc.Exits {
		if e.Side != a.side {
			continue
		}
		for _, z := range e.Zones {
			for _, h := range a.s.sc.Board.Zone(z).Hexes {
				if !a.s.leadsNowhere(h) {
					out = append(out, h)
				}
			}
		}
	}
	return out
}
