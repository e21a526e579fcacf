package staff

import (
	"fmt"
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
	"fieldpost/adjudicator/wb95"
)

// plan is an officer's thoughts on one turn of WB-95. Values are in hundredths of
// a strength point.
type plan struct {
	*ground
	v      *view.View
	pieces []*piece // in order of id
	byID   map[string]*piece
	goals  []*goal
	load   map[hex.Hex]int // steps that are to end the phase in a hex
	war    []*assault
	digs   map[hex.Hex]bool
	limit  int             // steps in a stack
	busy   map[string]bool // guns that support an attack of the sheet, by id

	moves, attacks, standing []string
	barrages                 []string
	air                      map[int][]string // missions by Air Phase
}

// piece is an own unit and what has been decided on it.
type piece struct {
	wb95.Piece
	at     hex.Hex // where it stands in the plan
	reach  map[hex.Hex]int
	places []hex.Hex          // the keys of reach, in order
	by     map[hex.Hex]string // of a reinforcement: the entry for each of them
	done   bool               // its movement is decided
	fights bool               // it is in an assault
	digs   bool
	fires  *assault // of a gun: the assault that it is to support
}

// goal is a hex worth having.
type goal struct {
	wb95.Goal
	worth int
	need  int // strength points that are still wanted there
}

func newPlan(v *view.View, a *wb95.Adviser) *plan {
	p := &plan{ground: newGround(a), v: v, byID: map[string]*piece{}, load: map[hex.Hex]int{}, digs: map[hex.Hex]bool{}, busy: map[string]bool{}, limit: a.StackLimit()}
	for _, u := range a.Pieces() {
		c := &piece{Piece: u, at: u.Hex}
		p.pieces = append(p.pieces, c)
		p.byID[u.ID] = c
		if u.Hex != hex.None {
			p.load[u.Hex] += u.Steps
		}
	}
	p.setGoals()
	return p
}

// think decides the whole turn.
func (p *plan) think() {
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
	p.lead()
	p.guns()
	p.writeAttacks()
	p.writeAir()
	p.writeStanding()
}

// pointWorth is what a victory point is worth.
const pointWorth = 500

// setGoals weighs the hexes that decide the game.
func (p *plan) setGoals() {
	for _, g := range p.a.Goals() {
		t := &goal{Goal: g, worth: pointWorth * g.Points}
		switch {
		case g.Strategic && g.Ours:
			t.worth = 800 // one of them lost is the beginning of a lost game
		case g.Strategic:
			t.worth = 150
		}
		p.goals = append(p.goals, t)
	}
}

// desperate tells whether the enemy is near enough to what he would win the game by
// that reserves are worth what he gets for their coming.
func (p *plan) desperate() bool {
	return slices.ContainsFunc(p.goals, func(g *goal) bool { return g.Strategic && g.Ours && p.toFoe(g.Hex) <= 3 })
}

// look finds out where a unit can get to.
func (p *plan) look(u *piece) {
	u.reach = map[hex.Hex]int{}
	switch {
	case !u.Movable:
	case u.Hex == hex.None && p.a.Ransom(u.ID) > 0 && !p.desperate(): // it stays in reserve
	case u.Hex != hex.None:
		for _, t := range p.a.Reach(u.ID) {
			u.reach[t.Hex] = t.Cost
		}
	default:
		u.by = map[hex.Hex]string{}
		for _, zone := range p.entries(u) {
			for _, t := range p.a.EntryReach(u.ID, zone) {
				if c, ok := u.reach[t.Hex]; !ok || t.Cost < c {
					u.reach[t.Hex], u.by[t.Hex] = t.Cost, zone
				}
			}
			if len(u.reach) > 0 && !slices.Contains(u.Entry, zone) {
				break // a zone beside its own: one that is open is enough
			}
		}
	}
	for h := range u.reach {
		u.places = append(u.places, h)
	}
	slices.Sort(u.places)
}

// entries lists the zones and places by which a reinforcement may come: its own,
// and behind them the zones beside.
func (p *plan) entries(u *piece) []string {
	out := slices.Clone(u.Entry)
	zones := p.v.Board.Zones
	for _, own := range u.Entry {
		for i, z := range zones {
			if z.ID != own {
				continue
			}
			for _, j := range []int{i - 1, i + 1} {
				if j >= 0 && j < len(zones) && !slices.Contains(out, zones[j].ID) {
					out = append(out, zones[j].ID)
				}
			}
		}
	}
	return out
}

// room is the steps for which a hex has room in the plan.
func (p *plan) room(h hex.Hex) int {
	if p.foes[h] != nil {
		return 0
	}
	return p.limit - p.load[h]
}

// send orders a unit to a hex, or lets it stay there. It reports whether the
// order can be carried out.
func (p *plan) send(u *piece, to hex.Hex, how string) bool {
	if to == u.at {
		u.done = true
		return true
	}
	text := u.Name + " TO " + to.String()
	if u.at == hex.None {
		text = fmt.Sprintf("%s ENTER %s TO %v", u.Name, u.by[to], to)
	}
	if how != "" {
		text += " " + how
	}
	if _, err := p.a.Order(text); err != nil {
		return false
	}
	if u.at != hex.None {
		p.load[u.at] -= u.Steps
	}
	p.load[to] += u.Steps
	u.at, u.done = to, true
	p.moves = append(p.moves, text)
	return true
}

// entrench orders a unit to dig in where it stands.
func (p *plan) entrench(u *piece) bool {
	text := u.Name + " ENTRENCH"
	if _, err := p.a.Order(text); err != nil {
		return false
	}
	u.done, u.digs, p.digs[u.at] = true, true, true
	p.moves = append(p.moves, text)
	return true
}

// canDig is a unit that could entrench on the hex: the weakest that has not
// been moved.
func (p *plan) canDig(h hex.Hex) *piece {
	if p.a.Fort(h) || !p.a.Diggable(h) {
		return nil
	}
	var best *piece
	for _, u := range p.pieces {
		if u.Hex == h && u.at == h && !u.done && u.Regular && !u.Shaken && (best == nil || u.Attack < best.Attack) {
			best = u
		}
	}
	return best
}

// safe tells whether units on the hex are free of the duty to attack.
func (p *plan) safe(h hex.Hex) bool {
	return len(p.zonesOn(h)) == 0 || p.a.Fort(h) || p.digs[h]
}

// others lists the regular units that the plan has on a hex besides one.
func (p *plan) others(h hex.Hex, but *piece) (n, defence int) {
	for _, u := range p.pieces {
		if u != but && u.at == h && u.Regular {
			n++
			defence += u.Defence
		}
	}
	return n, defence
}

// leaving is what it is worth that the unit stays where it is.
func (p *plan) leaving(u *piece, to hex.Hex) int {
	if u.at == hex.None || to == u.at {
		return 0
	}
	if n, _ := p.others(u.at, u); n > 0 || !u.Regular {
		return 0
	}
	worth := 0
	if d := p.toFoe(u.at); d <= 3 {
		worth += 60
		if p.a.Fort(u.at) {
			worth += 80
		}
	}
	for _, g := range p.goals {
		if g.Hex == u.at && p.toFoe(u.at) <= 8 {
			worth += g.worth
		}
	}
	return worth
}
