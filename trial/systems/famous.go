package systems

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/famous"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

var famousTrial = System{Rules: famous.System{}, Inside: famousInside, Orders: famousOrders, Mutations: slices.Concat(famousMutants, famousSetUpMutants), SetUp: famousSetUpMutants,
	Feelers: famousFeelers, Law: famousLaw}

// famousRandom writes random programmes of Famous Divisions.
type famousRandom struct {
	v       *view.View
	a       *famous.Adviser
	r       *rand.Rand
	out     []Order
	section string
}

func famousOrders(game adjudicator.Game, v *view.View, r *rand.Rand) ([]Order, error) {
	g, ok := game.(interface {
		Advise(v *view.View) (*famous.Adviser, error)
	})
	if !ok {
		return nil, fmt.Errorf("%T is no game of Famous Divisions", game)
	}
	a, err := g.Advise(v)
	if err != nil {
		return nil, err
	}
	f := &famousRandom{v: v, a: a, r: r}
	if v.Turn == 0 {
		f.setUp()
	}
	for _, bn := range chitsOf(v) {
		f.programme(bn)
	}
	f.standing()
	return f.out, nil
}

// chitsOf are the side's chits in the cup.
func chitsOf(v *view.View) (out []string) {
	if v.Chits != nil {
		for _, g := range v.Chits.Groups {
			out = append(out, g.Own...)
		}
	}
	return out
}

func (f *famousRandom) in(n int) bool { return f.r.IntN(n) == 0 }

// do tries an order; what the adviser refuses is not written.
func (f *famousRandom) do(kind, format string, args ...any) bool {
	text := fmt.Sprintf(format, args...)
	if f.a.Order(text) != nil {
		return false
	}
	f.out = append(f.out, Order{f.section, text, kind})
	return true
}

func (f *famousRandom) programme(bn string) {
	f.section = "CHIT " + strings.ToUpper(bn)
	pieces := f.a.Open(bn)
	for _, p := range pieces {
		if f.in(3) {
			continue
		}
		if p.Hex == hex.None {
			f.enter(p)
			continue
		}
		f.move(p, pieces)
	}
	for _, p := range f.a.Pieces() {
		if p.Active && p.Hex != hex.None {
			f.fight(p)
		}
	}
	if f.in(2) {
		f.do("attack at will", "ATTACK AT-WILL MIN %s; ARTILLERY ANY MAX %d", []string{"1-2", "1-1", "2-1", "3-1"}[f.r.IntN(4)], 1+f.r.IntN(3))
	}
}

func (f *famousRandom) enter(p famous.Piece) {
	if len(p.Entry) == 0 {
		return
	}
	z := p.Entry[f.r.IntN(len(p.Entry))]
	if at := f.a.EntryReach(p.ID, z); len(at) > 0 && !f.in(4) {
		f.do("enter", "ENTER %s AT %s TO %v", p.Name, z, at[f.r.IntN(len(at))])
		return
	}
	f.do("enter", "ENTER %s AT %s", p.Name, z)
}

func (f *famousRandom) move(p famous.Piece, pieces []famous.Piece) {
	switch f.r.IntN(12) {
	case 0:
		for _, t := range pieces {
			if t.Class == "tracked" && t.Hex == p.Hex && t.ID != p.ID && f.do("mount", "MOUNT %s ON %s", p.Name, t.Name) {
				return
			}
		}
	case 1:
		if f.do("debark", "DEBARK %s", p.Name) || f.do("embark", "EMBARK %s", p.Name) || f.do("dismount", "DISMOUNT %s", p.Name) {
			return
		}
	case 2:
		if p.Engineer {
			f.engineer(p)
		}
	case 3:
		for _, z := range []string{"F", "G", "EAST"} {
			if f.do("exit", "EXIT %s %s", p.Name, z) {
				return
			}
		}
	}
	at := f.a.Reach(p.ID)
	to := at[f.r.IntN(len(at))]
	for range 3 { // towards the enemy more often than not
		if h := at[f.r.IntN(len(at))]; f.near(h) < f.near(to) {
			to = h
		}
	}
	if to == p.Hex {
		return
	}
	tail := ""
	switch f.r.IntN(8) {
	case 0:
		tail = "; IF-FIRED STOP"
	case 1:
		tail = "; STOP-IF SPOT ANY"
	case 2:
		tail = "; DEBARK"
	}
	if !f.do("move", "MOVE %s TO %v%s", p.Name, to, tail) {
		f.do("move", "MOVE %s TO %v", p.Name, to)
	}
}

func (f *famousRandom) near(h hex.Hex) int {
	best := 99
	for _, st := range f.v.Enemy {
		best = min(best, f.a.Grid().Distance(h, st.Hex))
	}
	return best
}

func (f *famousRandom) engineer(p famous.Piece) {
	for _, x := range f.v.Forts {
		if f.do("clear", "CLEAR %v WITH %s", x.Hex, p.Name) {
			return
		}
	}
	for _, b := range f.v.Bridges {
		if f.do("blow", "BLOW %v WITH %s", b.Edge, p.Name) {
			return
		}
	}
	for _, n := range f.a.Grid().Neighbours(p.Hex) {
		if f.do("pontoon", "PONTOON %v WITH %s", hex.Between(p.Hex, n), p.Name) || f.do("pontoon", "PONTOON %v WITH %s", n, p.Name) {
			return
		}
	}
}

func (f *famousRandom) fight(p famous.Piece) {
	for _, st := range f.v.Enemy {
		d := f.a.Grid().Distance(p.Hex, st.Hex)
		switch {
		case p.Direct > 0 && d <= p.Direct && f.in(2):
			f.do("fire", "FIRE %s AT %v", p.Name, st.Hex)
		case p.Gun > 0 && d <= p.Gun && f.in(6):
			f.do("barrage", "BARRAGE %v WITH %s", st.Hex, p.Name)
		case d == 1 && !p.HQ && f.in(3) && p.Class == "tracked":
			if f.do("overrun", "OVERRUN %v WITH %s; ADVANCE %s; THEN TO %v", st.Hex, p.Name, p.Name, p.Hex) {
				return
			}
		case d == 1 && !p.HQ && f.in(2):
			tail := ""
			if f.in(2) {
				tail = "; ADVANCE " + p.Name
			}
			if f.do("attack", "ATTACK %v WITH %s%s", st.Hex, p.Name, tail) {
				return
			}
		}
	}
}

func (f *famousRandom) standing() {
	f.section = "STANDING"
	for _, text := range []string{"OPPORTUNITY ALL EVERY SHOT", "OPPORTUNITY ALL HOLD", "OPPORTUNITY ALL WITHIN 2, TRACKED FIRST", "DEFENSIVE ARTILLERY ANY", "DEFENSIVE ARTILLERY NEVER",
		"DEFENSIVE ARTILLERY IF ODDS >= 2-1, KEEP 1", "LOSSES DEPLETED FIRST", "LOSSES DEPLETED LAST", "ADVANCE ALWAYS", "ADVANCE NEVER", "BLACK CHIT ALL ALWAYS"} {
		if f.in(6) {
			f.out = append(f.out, Order{f.section, text, "standing"})
		}
	}
}

// famousInside lets the trials look into a game.
func famousInside(game adjudicator.Game) (any, bool) {
	g, ok := game.(*famous.Game)
	return famous.Tried{Game: g}, ok
}
