package staff

import (
	"cmp"
	"fmt"
	"slices"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
	"fieldpost/adjudicator/wb95"
)

// wb95Plan is an officer's thoughts on one turn of WB-95. Values are in hundredths of
// a strength point.
type wb95Plan struct {
	*ground
	v        *view.View
	as       temper
	pieces   []*wb95Unit // in order of id
	byID     map[string]*wb95Unit
	goals    []*wb95Goal
	load     map[hex.Hex]int // steps that are to end the phase in a hex
	assaults []*assault
	digs     map[hex.Hex]bool
	limit    int             // steps in a stack
	busy     map[string]bool // guns that support an attack of the sheet, by id

	moves, attacks, standing []string
	barrages                 []string
	air                      map[int][]string // missions by Air Phase
	wings                    []int            // strengths of aircraft counters that fly for no assault yet
	flights                  map[hex.Hex]int  // of those that do, by target
}

// wb95Unit is an own unit and what has been decided on it.
type wb95Unit struct {
	wb95.Piece
	at      hex.Hex            // where it stands in the plan
	reach   []wb95.Place       // where it can get to, in order of the hexes
	places  []hex.Hex          // those hexes, of which some may be left out
	radius  int                // how many hexes it is to the farthest of them from where it stands
	by      map[hex.Hex]string // of a reinforcement: the entry for each of them
	ways    map[hex.Hex]way    // and what is known of its way to a goal
	done    bool               // its movement is decided
	fights  bool               // it is in an assault
	led     bool               // a headquarters that has been moved is in range
	digs    bool
	goal    *wb95Goal // what draws it most, nil: nothing
	draws   int       // how much
	fires   *assault  // of a gun: the assault that it is to support
	network *network  // of its class; nil: not asked for yet
	open    *network  // and without the enemy
}

// wb95Goal is a hex worth having.
type wb95Goal struct {
	wb95.Goal
	worth   int
	counts  bool     // a strategic victory changes with each hex like it
	nations []string // whose units can have it, nil: anybody's
	need    int      // strength points that are still wanted there
}

// onMap tells whether a unit stands on the map in the plan; else it may come as a
// reinforcement.
func (u *wb95Unit) onMap() bool { return u.at != hex.None }

// networkOf is that of a unit's class.
func (p *wb95Plan) networkOf(u *wb95Unit) *network {
	if u.network == nil {
		u.network = p.network(u.Class)
	}
	return u.network
}

// newWB95 reads up the rules for a View of WB-95.
func newWB95(g *wb95.Game, v *view.View, as temper) (author, error) {
	if v.Turn == 0 {
		return asPrinted{}, nil
	}
	a, err := g.Advise(v)
	if err != nil {
		return nil, err
	}
	return newWB95Plan(v, a, as), nil
}

// asPrinted is the set-up that the book prints: nothing is ordered.
type asPrinted struct{}

func (asPrinted) write(*sheet) {}

// write makes the plan and writes its sections.
func (p *wb95Plan) write(b *sheet) {
	p.think()
	p.airSections(b)
	b.section("BARRAGE", p.barrages)
	b.section("MOVE", p.moves)
	b.section("ATTACK", p.attacks)
	b.section("STANDING", p.standing)
}

func newWB95Plan(v *view.View, a *wb95.Adviser, as temper) *wb95Plan {
	p := &wb95Plan{ground: newGround(a), v: v, as: as, limit: a.StackLimit(), byID: map[string]*wb95Unit{},
		load: map[hex.Hex]int{}, digs: map[hex.Hex]bool{}, busy: map[string]bool{}, flights: map[hex.Hex]int{}}
	for _, u := range a.Pieces() {
		c := &wb95Unit{Piece: u, at: u.Hex}
		p.pieces = append(p.pieces, c)
		p.byID[u.ID] = c
		if u.Hex != hex.None {
			p.load[u.Hex] += u.Steps
		}
	}
	p.setGoals()
	if own, _ := p.airPhases(); p.as.craft {
		p.wings = p.a.Wings(own.Turn)
	}
	return p
}

// think decides the whole turn.
func (p *wb95Plan) think() {
	for _, u := range p.pieces {
		p.look(u)
	}
	p.tether()
	p.garrison()
	p.spare()
	p.barrage()
	p.battle()
	p.hold()
	p.march()
	p.dig()
	p.moveHQs()
	p.guns()
	p.writeAttacks()
	p.writeAir()
	p.writeStanding()
}

// pointWorth is what a victory point is worth.
const pointWorth = 500

// setGoals weighs the hexes that decide the game: an officer by what hangs on them as things stand. A cadet knows
// nothing of awards, nor how near a strategic victory is.
func (p *wb95Plan) setGoals() {
	if p.as.craft {
		p.goals = p.stakes()
	} else {
		p.goals = p.places()
	}
	for _, g := range p.goals {
		if !g.Ours {
			g.worth = p.as.drawn(g.Hex, g.worth)
		}
	}
}

// places are the goals that the scenario names.
func (p *wb95Plan) places() (out []*wb95Goal) {
	for _, g := range p.a.Goals() {
		out = append(out, &wb95Goal{Goal: g, worth: pointWorth*g.Points + leastWorth(g)})
	}
	return out
}

// leastWorth is what a hex is worth for a strategic victory, however far off that is: one of ours that is lost is the
// beginning of a lost game.
func leastWorth(g wb95.Goal) int {
	switch {
	case !g.Strategic:
		return 0
	case g.Ours:
		return 800
	}
	return 150
}

// stakes are the goals that points hang on, and strategic victories.
func (p *wb95Plan) stakes() (out []*wb95Goal) {
	for _, st := range p.a.Stakes() {
		out = append(out, &wb95Goal{Goal: wb95.Goal{Hex: st.Hex, Ours: st.Ours}, nations: st.Nations, worth: pointWorth * st.Worth / 100})
	}
	decisive := p.a.Decisive()
	for _, g := range p.a.Goals() {
		if !g.Strategic {
			continue
		}
		counts := decisive[g.Hex] > 0
		worth := pointWorth * decisive[g.Hex] / 100
		if g.Ours {
			worth /= 2 // it has a guard besides
		}
		worth = max(worth, leastWorth(g))
		i := slices.IndexFunc(out, func(t *wb95Goal) bool { return t.Hex == g.Hex && t.nations == nil })
		if i < 0 || !counts {
			out = append(out, &wb95Goal{Goal: g, worth: worth, counts: counts})
			continue
		}
		out[i].Strategic, out[i].counts = true, true
		out[i].worth += worth
	}
	return out
}

// vital tells whether the enemy would win the game by taking the hex from us.
func (g *wb95Goal) vital() bool { return g.Strategic && g.Ours }

// desperate tells whether the enemy is near enough to what they would win the game by
// that reserves are worth what they get for their coming.
func (p *wb95Plan) desperate() bool {
	return slices.ContainsFunc(p.goals, func(g *wb95Goal) bool { return g.vital() && p.toFoe(g.Hex) <= 3 })
}

// look finds out where a unit can get to.
func (p *wb95Plan) look(u *wb95Unit) {
	u.reach = nil
	switch {
	case !u.Movable:
	case u.Hex != hex.None:
		u.reach = p.a.Reach(u.ID)
	case p.a.Ransom(u.ID) > 0 && !p.desperate(): // it stays in reserve
	default:
		p.lookIn(u)
	}
	u.places = make([]hex.Hex, len(u.reach))
	for i, t := range u.reach {
		u.places[i] = t.Hex
		if u.onMap() {
			u.radius = max(u.radius, p.g.Distance(u.at, t.Hex))
		}
	}
}

// cost is what a unit pays to get to a hex, if it can.
func (u *wb95Unit) cost(h hex.Hex) (twelfths int, ok bool) {
	i, ok := slices.BinarySearchFunc(u.reach, wb95.Place{Hex: h}, byHex)
	if !ok {
		return 0, false
	}
	return u.reach[i].Cost, true
}

func byHex(a, b wb95.Place) int { return cmp.Compare(a.Hex, b.Hex) }

// lookIn finds out where a reinforcement can come to, and by which entry for the least.
func (p *wb95Plan) lookIn(u *wb95Unit) {
	u.by = map[hex.Hex]string{}
	for _, zone := range p.entries(u) {
		for _, t := range p.a.EntryReach(u.ID, zone) {
			i, known := slices.BinarySearchFunc(u.reach, t, byHex)
			switch {
			case !known:
				u.reach = slices.Insert(u.reach, i, t)
			case t.Cost < u.reach[i].Cost:
				u.reach[i] = t
			default:
				continue
			}
			u.by[t.Hex] = zone
		}
		if slices.Contains(u.Entry, zone) {
			continue
		}
		if len(u.reach) > 0 {
			return // a zone beside its own: one that is open is enough
		}
	}
}

// entries lists the zones and places by which a reinforcement may come: its own,
// and behind them the zones beside.
func (p *wb95Plan) entries(u *wb95Unit) []string {
	out := slices.Clone(u.Entry)
	zones := p.v.Board.Zones
	for _, own := range u.Entry {
		i := slices.IndexFunc(zones, func(z board.Zone) bool { return z.ID == own })
		if i < 0 {
			continue
		}
		for _, beside := range zones[max(0, i-1):min(i+2, len(zones))] {
			if !slices.Contains(out, beside.ID) {
				out = append(out, beside.ID)
			}
		}
	}
	return out
}

// room is the steps for which a hex has room in the plan.
func (p *wb95Plan) room(h hex.Hex) int {
	if p.foes[h] != nil {
		return 0
	}
	return p.limit - p.load[h]
}

// fits tells whether a hex has room for a unit, which it has where the unit is.
func (p *wb95Plan) fits(u *wb95Unit, h hex.Hex) bool { return h == u.at || p.room(h) >= u.Steps }

// send orders a unit to a hex, or lets it stay there. It reports whether the
// order can be carried out.
func (p *wb95Plan) send(u *wb95Unit, to hex.Hex, how string) bool {
	if to == u.at {
		u.done = true
		return true
	}
	text := u.Name + " TO " + to.String()
	if !u.onMap() {
		text = fmt.Sprintf("%s ENTER %s TO %v", u.Name, u.by[to], to)
	}
	if how != "" {
		text += " " + how
	}
	if _, err := p.a.Order(text); err != nil {
		return false
	}
	if u.onMap() {
		p.load[u.at] -= u.Steps
	}
	p.load[to] += u.Steps
	u.at, u.done = to, true
	p.moves = append(p.moves, text)
	return true
}

// entrench orders a unit to dig in where it stands.
func (p *wb95Plan) entrench(u *wb95Unit) bool {
	text := u.Name + " ENTRENCH"
	if _, err := p.a.Order(text); err != nil {
		return false
	}
	u.done, u.digs, p.digs[u.at] = true, true, true
	p.moves = append(p.moves, text)
	return true
}

// canDig is a unit that could entrench on the hex: the weakest that has not
// been moved, nil if there is none.
func (p *wb95Plan) canDig(h hex.Hex) *wb95Unit {
	if p.a.Fort(h) || !p.a.Diggable(h) {
		return nil
	}
	var best choice[*wb95Unit]
	for _, u := range p.pieces {
		switch {
		case u.Hex != h, u.at != h, u.done, u.Shaken, !u.Regular:
			continue
		}
		best.offer(u, -u.Attack)
	}
	return best.best
}

// safe tells whether units on the hex are free of the duty to attack.
func (p *wb95Plan) safe(h hex.Hex) bool {
	return len(p.zonesOn(h)) == 0 || p.a.Fort(h) || p.digs[h]
}

// others counts the regular units that the plan has on a hex besides one.
func (p *wb95Plan) others(h hex.Hex, but *wb95Unit) (n, defence int) {
	for _, u := range p.pieces {
		if u.at != h || u == but {
			continue
		}
		if u.Regular {
			n++
			defence += u.Defence
		}
	}
	return n, defence
}

// alone tells whether no other regular unit stands with one.
func (p *wb95Plan) alone(u *wb95Unit) bool {
	n, _ := p.others(u.at, u)
	return n == 0
}

// leaving is what it is worth that the unit stays where it is, and does not go to a hex.
func (p *wb95Plan) leaving(u *wb95Unit, to hex.Hex) int {
	switch {
	case !u.onMap(), to == u.at, !u.Regular, !p.alone(u):
		return 0
	}
	return p.holding(u.at)
}

// holding is what it is worth that somebody stands on a hex.
func (p *wb95Plan) holding(h hex.Hex) (worth int) {
	if p.toFoe(h) <= frontline {
		worth += 60
		if p.a.Fort(h) {
			worth += 80
		}
	}
	for _, g := range p.goals {
		if g.Hex == h && p.toFoe(h) <= 8 {
			worth += g.worth
		}
	}
	return worth
}
