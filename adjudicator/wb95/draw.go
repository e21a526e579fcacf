package wb95

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// Draw makes a position that agrees with a View: own units, ground, control and air war are
// as it has them; the enemy's stacks get counters of the order of battle, those that were
// reported first. Games in which stacks are out of sight are not drawn, nor is the set-up.
// Where points hang on who stands unseen where, the board may show others than the View.
func (g *Game) Draw(v *view.View, n func(k int) int) ([]byte, error) {
	var best *State
	least := 0
	for range luckyDraws {
		d, err := g.drawing(v, n)
		if err != nil {
			return nil, err
		}
		if off := d.off(d.s.scorer()); best == nil || off < least {
			best, least = d.s, off
		}
		if least == 0 {
			break
		}
	}
	return best.encode(), nil
}

// luckyDraws is how many positions are drawn at most to find one with the points of the View.
const luckyDraws = 4

// drawing draws a position.
func (g *Game) drawing(v *view.View, n func(k int) int) (*drawing, error) {
	s, err := g.believe(v)
	if err != nil {
		return nil, err
	}
	if s.sc.Readings.Fog == adjudicator.FogBlind {
		return nil, fmt.Errorf("%s: a blind game is not drawn", v.Scenario)
	}
	if s.Phase, err = s.phaseOf(v); err != nil {
		return nil, err
	}
	side := s.sc.camp(Side(v.Side))
	s.belief, s.leads = false, nil
	s.believeNotes(v)
	s.believeAir(v, side)
	s.believeTakers(v)
	s.believeCrossings()
	d := &drawing{s: s, v: v, side: side, n: n, opening: s.sc.laidOut(s.Options)}
	d.fill()
	s.index()
	d.count()
	told := slices.Clone(s.Contact)
	s.noteContacts()
	s.Contact = slices.DeleteFunc(s.Contact, func(c Contact) bool { return c.Side == side })
	s.Contact = append(s.Contact, told...)
	slices.SortFunc(s.Contact, func(a, b Contact) int {
		return cmp.Or(strings.Compare(string(a.Side), string(b.Side)), cmp.Compare(a.Hex, b.Hex))
	})
	return d, nil
}

// phaseOf is the number of the phase that a View says comes next.
func (s *State) phaseOf(v *view.View) (int, error) {
	for p := 1; v.Turn > 0 && p <= s.sc.phases(); p++ {
		try := *s
		try.Phase = p
		if string(try.player()) == v.Mover && try.phaseName() == v.Phase {
			return p, nil
		}
	}
	return 0, fmt.Errorf("the view is of no phase of a turn: %q", v.Phase)
}

// believeNotes takes what the side was told of the enemy, and when.
func (s *State) believeNotes(v *view.View) {
	side := s.sc.camp(Side(v.Side))
	for _, st := range v.Enemy {
		if st.Seen == "" {
			continue
		}
		c := Contact{Side: side, Hex: st.Hex, Turn: s.turnOf(st.Seen), Units: []Sight{}}
		for _, g := range st.Units {
			c.Units = append(c.Units, Sight{Name: g.Name, Nation: g.Nation, Type: Type(g.Type), Steps: g.Steps})
		}
		s.Contact = append(s.Contact, c)
	}
	slices.SortFunc(s.Contact, func(a, b Contact) int { return cmp.Compare(a.Hex, b.Hex) })
}

// turnOf is the last turn so far that has a date.
func (s *State) turnOf(date string) int {
	for t := s.Turn; t > 1; t-- {
		if s.sc.date(t) == date {
			return t
		}
	}
	return 1
}

// believeAir takes what of the day's air strength the side has used.
func (s *State) believeAir(v *view.View, side Side) {
	if v.Air == nil {
		return
	}
	for _, p := range v.Air.Phases {
		if p.Turn == s.Turn {
			s.Flown[s.sc.number(side)] = max(0, s.airStrength(side, s.Turn)-p.Left)
		}
	}
}

// believeTakers takes from the letters of the map which group of allies took what.
func (s *State) believeTakers(v *view.View) {
	if s.sc.Notes.Apart == nil {
		return
	}
	g := s.sc.Board.Grid
	note := []byte(strings.Repeat(string(noTaker), g.Len()))
	for i := range note {
		h := g.At(i)
		r, c := h.Row()-g.RowMin, h.Col()-g.ColMin
		if r >= len(v.Control) || c >= len(v.Control[r]) {
			continue
		}
		side := s.controller(h)
		if !s.sc.isShared(side) {
			continue
		}
		for _, group := range []int{firstGroup, secondGroup} {
			if s.sc.playerOf(group, side)[0] == v.Control[r][c] {
				note[i] = takerMark(group)
				break
			}
		}
	}
	s.Takers = string(note)
}

// believeCrossings takes a river for crossed where the scorer controls a hex of its far bank.
func (s *State) believeCrossings() {
	for _, a := range s.sc.Awards {
		ours := func(h hex.Hex) bool { return s.controller(h) == s.sc.Scorer }
		if a.Kind == awardCross && slices.ContainsFunc(a.Hexes, ours) {
			s.open(a.crossed())
		}
	}
}

// drawing fills a position with what its View leaves open.
type drawing struct {
	s       *State
	v       *view.View
	side    Side
	n       func(k int) int
	opening *State
	pool    []*Unit // of the opening: the enemy's counters that may be on the map and stand nowhere yet
	load    map[hex.Hex]int
}

// fill puts counters on the enemy's stacks, and everybody else where their schedule has them.
func (d *drawing) fill() {
	here := map[string]bool{}
	d.s.Units = slices.DeleteFunc(d.s.Units, func(u Unit) bool { return strings.HasPrefix(u.ID, "?") })
	for i := range d.s.Units {
		d.mend(&d.s.Units[i])
		here[d.s.Units[i].ID] = true
	}
	d.load = map[hex.Hex]int{}
	var rest []*Unit
	for i := range d.opening.Units {
		u := &d.opening.Units[i]
		switch {
		case here[u.ID]:
		case u.c.Side == d.side, u.Where == Later && (u.Due == 0 || u.Due > d.s.Turn):
			rest = append(rest, u)
		default:
			d.pool = append(d.pool, u)
		}
	}
	for _, st := range d.v.Enemy {
		d.reported(st)
	}
	d.unknown()
	for _, u := range append(rest, d.pool...) {
		d.s.Units = append(d.s.Units, d.away(u))
	}
	slices.SortFunc(d.s.Units, func(a, b Unit) int { return strings.Compare(a.ID, b.ID) })
}

// mend gives an own unit what a belief leaves out.
func (d *drawing) mend(u *Unit) {
	i := slices.IndexFunc(d.v.Lost, func(l view.Unit) bool { return l.ID == u.ID })
	if i >= 0 {
		u.Away = d.v.Lost[i].Note == "withdrawn"
	}
	if slices.ContainsFunc(d.v.Arrivals, func(a view.Unit) bool { return a.ID == u.ID && a.Note == "under repair" }) {
		u.Repair = underRepair
	}
	k := slices.IndexFunc(d.v.Arrivals, func(a view.Unit) bool { return a.ID == u.ID })
	if k < 0 || d.v.Arrivals[k].Turn > 0 {
		return
	}
	u.Due = 0
	if when := d.s.sc.arrival(u.ID).When; when != "" && d.v.Arrivals[k].Ready {
		if d.s.Opened == nil {
			d.s.Opened = map[string]int{}
		}
		d.s.Opened[when] = d.s.Turn - 1
	}
}

// count has as many of the enemy's counters that are nowhere lost, and the others withdrawn,
// as the points on the board ask for.
func (d *drawing) count() {
	own := map[string]bool{}
	for _, l := range d.v.Lost {
		own[l.ID] = true
	}
	var gone []*Unit
	for i := range d.s.Units {
		u := &d.s.Units[i]
		if u.Where == Gone && !own[u.ID] {
			u.Away = true
			gone = append(gone, u)
		}
	}
	sum := d.s.scorer() // who is gone stands in nobody's way
	least := d.off(sum)
	for _, u := range gone {
		if least == 0 {
			return
		}
		u.Away = false
		if n := d.off(sum); n < least {
			least = n
		} else {
			u.Away = true
		}
	}
}

// off is by how many points the position shows others than the View.
func (d *drawing) off(sum *scorer) (n int) {
	for i, t := range sum.score() {
		n += max(t.Points-d.v.Score[i].Points, d.v.Score[i].Points-t.Points)
	}
	return n
}

// away is a unit of which nobody knows anything: not due yet, or lost.
func (d *drawing) away(u *Unit) Unit {
	out := Unit{ID: u.ID, Where: Gone, c: u.c}
	if string(d.s.sc.owner(u.c)) == d.v.Side { // its owner would see it
		out.Turned, out.c = true, d.s.sc.turned(u.c)
	}
	if u.Where == Later && (u.Due == 0 || u.Due >= d.s.Turn) {
		out.Where, out.Due, out.Steps = Later, u.Due, u.Steps
	}
	return out
}

// reported puts on a hex the counters that a report of it names or describes.
func (d *drawing) reported(st view.Stack) {
	for _, g := range st.Units {
		if u := d.take(st, func(u *Unit) bool { return g.Name != "" && u.c.Name == g.Name }); u != nil {
			d.put(u, st.Hex, g.Steps)
			continue
		}
		if u := d.take(st, func(u *Unit) bool { return string(u.c.Type) == g.Type && g.Steps <= u.c.Steps() }); u != nil {
			d.put(u, st.Hex, g.Steps)
		}
	}
}

// unknown puts counters on the stacks of which nothing is reported: one each, and of those
// that are left some more.
func (d *drawing) unknown() {
	var open []view.Stack
	for _, st := range d.v.Enemy {
		if d.load[st.Hex] == 0 {
			open = append(open, st)
		}
	}
	combat := func(u *Unit) bool { return u.regular() }
	for _, st := range open {
		u := d.take(st, combat)
		if u == nil {
			u = d.take(st, func(*Unit) bool { return true })
		}
		if u != nil {
			d.put(u, st.Hex, 0)
		}
	}
	for more := len(d.pool) * shareLeft / 100; more > 0 && len(open) > 0; more-- {
		st := open[d.n(len(open))]
		u := d.take(st, func(u *Unit) bool { return d.load[st.Hex]+u.c.Steps() <= stackLimit })
		if u != nil {
			d.put(u, st.Hex, 0)
		}
	}
}

// shareLeft is the percentage of the counters that are nowhere which are taken to stand with
// others: the rest is lost.
const shareLeft = 60

// tries is of how many counters that fit the nearest to its printed place is taken.
const tries = 3

// take takes a counter that fits a stack out of the pool: of a few that are drawn the one
// whose printed place is nearest. Nil if none fits.
func (d *drawing) take(st view.Stack, fits func(*Unit) bool) *Unit {
	var able []int
	for i, u := range d.pool {
		if fits(u) && string(d.s.sc.owner(u.c)) == st.Side {
			able = append(able, i)
		}
	}
	if len(able) == 0 {
		return nil
	}
	best, far := -1, 0
	for range tries {
		i := able[d.n(len(able))]
		if n := d.from(d.pool[i], st.Hex); best < 0 || n < far {
			best, far = i, n
		}
	}
	u := d.pool[best]
	d.pool = slices.Delete(d.pool, best, best+1)
	return u
}

// from is how far a hex is from the printed place of a counter.
func (d *drawing) from(u *Unit, h hex.Hex) int {
	if u.Where != OnMap {
		return 12
	}
	return d.s.sc.Board.Grid.Distance(u.Hex, h)
}

// put sets a counter on a hex, with the steps that were told, or with most of its own.
func (d *drawing) put(u *Unit, h hex.Hex, steps int) {
	if steps == 0 || steps > u.c.Steps() {
		steps = u.c.Steps()
		if steps > 1 && d.n(4) == 0 {
			steps--
		}
	}
	d.load[h] += steps
	d.s.Units = append(d.s.Units, Unit{ID: u.ID, Where: OnMap, Hex: h, Steps: steps, Supplied: true, Firing: u.c.hasSetup(), c: u.c})
}
