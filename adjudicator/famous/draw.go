package famous

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// Draw makes a position that agrees with a View of the moment in which orders for the turn
// are due, or orders for a chit that was drawn: own units, ground and points are as it has them, stacks that were seen are who was
// seen; on the others stand counters of the order of battle. Blind games are not drawn, nor
// is the set-up of a turn 0.
func (g *Game) Draw(v *view.View, n func(k int) int) ([]byte, error) {
	chit, atChit := chitAsked(v)
	switch {
	case g.sc.Fog == adjudicator.FogBlind:
		return nil, fmt.Errorf("%s: a blind game is not drawn", v.Scenario)
	case atChit:
	case v.Turn < 1 || !slices.Contains(v.Due, "orders for the turn"):
		return nil, fmt.Errorf("the view is of no moment in which orders for the turn are due: %q", v.Phase)
	}
	s, err := g.sc.believe(v)
	if err != nil {
		return nil, err
	}
	s.leads = nil
	d := &drawing{s: s, v: v, foe: s.sc.Other(Side(v.Side)), n: n, opening: s.sc.opening()}
	d.remember()
	d.fill()
	d.cups()
	d.touch()
	if err := s.attach(s.sc); err != nil {
		return nil, err
	}
	s.works()
	d.chits()
	if atChit {
		s.standAtChit(v, chit)
	}
	return s.encode(), nil
}

// chitAsked is the chit for which a View asks for orders.
func chitAsked(v *view.View) (chit string, asked bool) {
	for _, q := range v.Asked {
		chit, is := strings.CutPrefix(q.Label, activationLabel)
		if is && q.Kind == kindActivation && !strings.HasPrefix(chit, "the rest of ") {
			return chit, true
		}
	}
	return "", false
}

// standAtChit puts the position before the drawing of a chit of the View's side.
func (s *State) standAtChit(v *view.View, chit string) {
	number := 0
	if _, err := fmt.Sscanf(v.Phase, sequence()[activationStep].name, &number); err == nil {
		s.Phase = supplyStep + number
	}
	if key := chitKey(Side(v.Side), chit); !slices.Contains(s.Cup, key) {
		s.Cup = insert(s.Cup, key)
	}
}

// chits puts as many of the enemy's chits into the cup as everybody sees there: of battalions
// that stand on the map first.
func (d *drawing) chits() {
	left := 0
	for _, g := range d.v.Chits.Groups {
		if Side(g.Side) == d.foe {
			left = g.Left
		}
	}
	var here, gone []string
	for _, k := range d.s.chits() {
		if side, _ := cutKey(k); side == d.foe && !slices.Contains(d.s.Done, k) {
			here = append(here, k)
		}
	}
	for i := range d.s.sc.Counters {
		c := &d.s.sc.Counters[i]
		k := chitKey(c.Side, c.Battalion)
		known := slices.Contains(here, k) || slices.Contains(gone, k) || slices.Contains(d.s.Done, k)
		if c.Side == d.foe && !known {
			gone = append(gone, k)
		}
	}
	for len(here) > left {
		i := d.n(len(here))
		here = slices.Delete(here, i, i+1)
	}
	here = append(here, gone[:min(left-len(here), len(gone))]...)
	for _, k := range here {
		d.s.Cup = insert(d.s.Cup, k)
	}
}

// drawing fills a position with what its View leaves open.
type drawing struct {
	s       *State
	v       *view.View
	foe     Side
	n       func(k int) int
	opening *State
	pool    []*Unit // of the opening: counters of the enemy that may be on the map and stand nowhere yet
}

// remember takes what the side remembers of stacks that it does not see now.
func (d *drawing) remember() {
	for _, st := range d.v.Enemy {
		if st.Seen == "" {
			continue
		}
		c := Contact{Side: Side(d.v.Side), Hex: st.Hex, Turn: d.turnOf(st.Seen)}
		for _, g := range st.Units {
			if x := d.named(g.Name); x != nil {
				c.Units = append(c.Units, Seen{x.ID, g.Steps})
			}
		}
		d.s.Contacts = append(d.s.Contacts, c)
	}
	slices.SortFunc(d.s.Contacts, func(a, b Contact) int { return int(a.Hex) - int(b.Hex) })
}

// turnOf is the last turn so far that has a date.
func (d *drawing) turnOf(date string) int {
	for t := d.s.Turn; t > 1; t-- {
		if d.s.date(t) == date {
			return t
		}
	}
	return 1
}

// named is the enemy's counter of a name.
func (d *drawing) named(name string) *Counter {
	for i := range d.s.sc.Counters {
		if c := &d.s.sc.Counters[i]; c.Side == d.foe && c.Name == name {
			return c
		}
	}
	return nil
}

// fill puts counters on stacks that nobody has seen, and all others where their schedule has them.
func (d *drawing) fill() {
	var open []hex.Hex
	d.s.Units = slices.DeleteFunc(d.s.Units, func(u Unit) bool {
		phantom := strings.HasPrefix(u.ID, "~")
		if phantom {
			open = append(open, u.Hex)
		}
		return phantom
	})
	here := map[string]bool{}
	for _, u := range d.s.Units {
		here[u.ID] = true
	}
	for i := range d.opening.Units {
		u := &d.opening.Units[i]
		a, later := d.s.sc.arrival[u.ID]
		switch {
		case here[u.ID]:
		case u.Where == Beside && !d.hasActed(u), u.Where == nowhere, u.c.Division && u.Where != OnMap:
			d.s.Units = append(d.s.Units, *u)
		case later && d.s.sc.Arrivals[a].Turn >= d.s.Turn && !d.hasActed(u):
			d.s.Units = append(d.s.Units, Unit{ID: u.ID, Where: Later, Steps: u.Steps, c: u.c})
		default:
			d.pool = append(d.pool, u)
		}
	}
	for _, h := range open {
		d.place(h)
	}
	for more := len(d.pool) * shareLeft / 100; more > 0 && len(open) > 0; more-- {
		if h := open[d.n(len(open))]; d.standing(h) < 2 {
			d.place(h)
		}
	}
	for _, u := range d.pool {
		d.s.Units = append(d.s.Units, Unit{ID: u.ID, Where: Gone, c: u.c})
	}
	slices.SortFunc(d.s.Units, func(a, b Unit) int { return strings.Compare(a.ID, b.ID) })
}

// hasActed tells whether the chit of a unit was played in this turn: it may have come on.
func (d *drawing) hasActed(u *Unit) bool { return slices.Contains(d.s.Done, u.key()) }

// shareLeft is the percentage of the counters that are nowhere which are taken to stand with
// others: the rest is lost.
const shareLeft = 60

// tries is of how many counters that are drawn the one printed nearest is taken.
const tries = 3

// standing counts the units on a hex so far.
func (d *drawing) standing(h hex.Hex) (n int) {
	for i := range d.s.Units {
		if u := &d.s.Units[i]; u.Where == OnMap && u.Hex == h {
			n++
		}
	}
	return n
}

// place puts a counter of the pool on a hex.
func (d *drawing) place(h hex.Hex) {
	if len(d.pool) == 0 {
		return
	}
	best, far := -1, 0
	for range tries {
		i := d.n(len(d.pool))
		way := 12
		if u := d.pool[i]; u.Where == OnMap {
			way = d.s.sc.Board.Grid.Distance(u.Hex, h)
		}
		if best < 0 || way < far {
			best, far = i, way
		}
	}
	u := d.pool[best]
	d.pool = slices.Delete(d.pool, best, best+1)
	steps := u.Steps
	if steps > 1 && d.n(4) == 0 {
		steps--
	}
	d.s.Units = append(d.s.Units, Unit{ID: u.ID, Where: OnMap, Hex: h, Steps: steps, c: u.c})
}

// cups gives both sides event chits as at the beginning, without those that the side knows.
func (d *drawing) cups() {
	for k := range d.s.Events {
		was, now := d.opening.Events[k], &d.s.Events[k]
		now.Blue, now.Red, now.Black = was.Blue, was.Red, was.Black
		if d.s.sc.Sides[k] == d.foe {
			for _, name := range strings.Split(d.v.Fact("black chits of the "+d.s.sc.Names[k]), ", ") {
				if name != "" {
					now.Hand = insert(now.Hand, name)
				}
			}
		}
	}
	copy(d.s.Pool, d.opening.Pool)
	for k, side := range d.s.sc.Sides {
		if side == d.foe {
			continue
		}
		for _, name := range d.s.Events[k].Drawn {
			for i, e := range d.s.sc.Events {
				if e.Name == name && d.s.Pool[i] > 0 {
					d.s.Pool[i]--
				}
			}
		}
	}
}

// touch notes which objectives the side that scores holds: what it has held is not known.
func (d *drawing) touch() {
	for _, o := range d.s.sc.Objectives {
		for _, h := range o.Hexes {
			if d.s.lastOn(h) == d.s.sc.Scorer {
				d.s.Touched = append(d.s.Touched, h)
			}
		}
	}
}
