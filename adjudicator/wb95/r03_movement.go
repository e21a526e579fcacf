package wb95

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// movementPhase is phases 3 and 9.
//
// WB-95 3.1.1
// WB-95 3.1.3
func movementPhase(r *adjudicator.Run, s *State) {
	p := s.mover()
	answer := r.Ask(adjudicator.Decision{Label: "move", Kind: kindMove, Side: s.player(), Turn: true, Clause: "WB-95 3.1.3"})[0]
	s.finishBridges(p, r.Tell)
	s.moveAll(r, p, answer)
	s.withdraw(r, p)
	// reading WB-95 5.3.10: the mark of a retreat lasts to the end of the owner's next Movement Phase.
	for _, u := range s.moving() {
		u.Retreated = false
	}
}

// moveAll carries out a list of orders, a line each, and shows the enemy what may
// be seen of it.
//
// reading WB-95 3.1.3: orders are carried out as written, each against the
// position of that moment; one that fails does not stop those after it.
func (s *State) moveAll(r *adjudicator.Run, side Side, answer string) {
	s.dice = r
	defer func() { s.dice = nil }()
	tell := teller(r.Tell)
	before := s.whereabouts(side)
	list := s.inTurn(phrase.ReadLines(phrase.Lines(answer)))
	treks := make([]trek, 0, len(list))
	for _, w := range list {
		o, v := s.parseMove(s.player(), w)
		if v != nil {
			tell.tell(refusal(side, w.Text, v))
			continue
		}
		// reading WB-95 3.1.3: what an order depends on is looked at when it comes up.
		if why := s.unmet(side, o.when, nil); why != "" && !s.keptForLater(&o) {
			tell.tell(view.Event{Kind: "move-off", To: to(side), Facts: view.Pairs{"order", w.Text, "why", why}})
			continue
		}
		treks = append(treks, s.perform(o, tell).treks...)
	}
	s.unstack(s.player(), treks, tell)
	s.showMoves(side, before, tell)
	s.showLeavers(side, before, tell)
	for i := range s.Units {
		if u := &s.Units[i]; u.Through != hex.None && u.Where == OnMap && u.c.Side == side {
			u.Through, u.Batch = hex.None, 0
		}
	}
}

// keptForLater tells whether the order waits for the Strategic Movement Phase.
func (s *State) keptForLater(o *moveOrder) bool { return o.strategic && !s.strategicNow() }

// carryOut carries out one order. It returns how the order was read, and why it
// could not be carried out to its end; the units then stand where they got to.
func (s *State) carryOut(o moveOrder, tell teller) (understood string, v *rule.Violation) {
	d := s.perform(o, tell)
	return d.understood, d.fault
}

// deed is what became of an order.
type deed struct {
	understood string
	fault      *rule.Violation // the first reason why a unit did not get to the end
	treks      []trek
}

// perform carries out one order, unit by unit in the order written.
func (s *State) perform(o moveOrder, tell teller) deed {
	var d deed
	var first [4]saying // as many as most orders have
	said := sayings(first[:0])
	var halts []view.Event
	for i, u := range o.units {
		if o.passesOver(u) {
			continue
		}
		done, v := act{}, s.mayMove(u, &o)
		switch {
		case v == nil:
			done, v = s.act(u, &o, tell)
		case o.leavesBehind(u):
			done, v = act{text: "stays: " + v.Why}, nil
		}
		if done.march != nil {
			if d.treks == nil {
				d.treks = s.room.treks.Take(len(o.units))
			}
			d.treks = append(d.treks, done.march.trek())
		}
		if v != nil {
			halts = append(halts, d.fail(u, &o, v, done.path()))
		}
		if done.text != "" {
			said = said.add(o.units[i:i+1:i+1], done.text)
		}
		if done.march != nil {
			spentMarches.Put(done.march)
		}
	}
	d.understood = said.String()
	s.report(said, d.treks, tell)
	for _, e := range halts {
		tell.tell(e)
	}
	return d
}

// passesOver tells whether an order to a stack means nothing for the unit: it changes
// set-ups and nothing else, and the unit has none.
func (o *moveOrder) passesOver(u *Unit) bool {
	return len(o.units) > 1 && o.setupOnly() && !u.c.hasSetup()
}

// leavesBehind tells whether the stack goes without the unit if that cannot move: towed
// guns stay where they are, unless the order limbers them.
func (o *moveOrder) leavesBehind(u *Unit) bool {
	return len(o.units) > 1 && u.towedGun() && !o.limber
}

// act is what one unit has done by its order.
type act struct {
	text  string // in words, "" for nothing
	march *march // if it went anywhere
}

func (a act) path() []hex.Hex {
	if a.march == nil {
		return nil
	}
	return a.march.path
}

// act has a unit that may move do what the order says.
func (s *State) act(u *Unit, o *moveOrder, tell teller) (done act, v *rule.Violation) {
	switch {
	case s.keptForLater(o):
		done.text = s.keepForLater(u, o)
	case o.entrench:
		done.text, v = s.entrench(u, o, tell)
	case o.reinforce != nil:
		done.text, v = s.reinforce(u, o.reinforce)
	default:
		var note string
		done.march, note, v = s.walkOrder(u, *o, tell)
		done.text = done.march.told(note)
	}
	return done, v
}

// mayMove checks what forbids the unit to do anything in this phase.
func (s *State) mayMove(u *Unit, o *moveOrder) *rule.Violation {
	switch {
	case s.still(u.c) != nil:
		return &rule.Violation{Clause: "WB-95 2.1.1", Why: s.still(u.c).Text}
	case s.share(u) == noMoves && !o.entrench:
		return &rule.Violation{Clause: "WB-95 2.1.1", Why: "it may not move before " + s.sc.date(s.sc.Slow[u.ID].Until+1)}
	// WB-95 15.2.1
	case u.c.Type == RG:
		return &rule.Violation{Clause: "WB-95 15.2.1", Why: "resilience groups never move"}
	case s.strategicNow():
		if v := s.maySM(u); v != nil {
			return v
		}
	case u.Active:
		return &rule.Violation{Clause: "WB-95 3.1.6", Why: "it has already acted in this phase", Instead: "Give each unit one order."}
	case u.Strategic && !o.strategic:
		return &rule.Violation{Clause: "WB-95 12.1.2", Why: "it is kept for strategic movement", Instead: "Give each unit one order."}
	}
	return u.maySetOut(o)
}

// walkOrder walks a unit along its order as far as it gets: it sets out, finds its way,
// goes, and does what the order asks for at the end of the way.
func (s *State) walkOrder(u *Unit, o moveOrder, tell teller) (m *march, note string, v *rule.Violation) {
	m = s.newMarch(u, o.full)
	begin, v := m.setOut(&o, tell)
	if v != nil {
		return m, begin.note, v
	}
	path, v := m.route(&o, begin)
	if v != nil {
		return m, begin.note, v
	}
	if v = m.walk(&o, path, begin, tell); v != nil {
		return m, begin.note, v
	}
	note, v = m.arrive(&o, begin.note, tell)
	return m, note, v
}

// outset is where a unit's way begins.
type outset struct {
	seeds    []seed
	standing bool   // it stands there already, or is put there before it moves
	note     string // what has been done before the way
}

// setOut brings a unit to where its way begins: to its entry if it is off the map, else
// it does on its hex what the order has before the way.
func (m *march) setOut(o *moveOrder, tell teller) (begin outset, v *rule.Violation) {
	begin.standing = true
	switch {
	case m.u.Where == Later:
		e, v := m.s.entryFor(m, o)
		if v != nil {
			return outset{}, v
		}
		m.start, begin = e.start, outset{e.seeds, e.placed, e.note}
	case o.enter != "":
		return begin, &rule.Violation{Clause: "WB-95 11.1.2", Why: fmt.Sprintf("it is on the map already, in %v", m.u.Hex), Instead: "Write TO and a hex."}
	case o.bridge.first && o.works():
		if begin.note, v = m.toil(o.bridge, tell); v != nil {
			return begin, v
		}
	}
	if v = m.limber(o); v != nil {
		return begin, v
	}
	if m.u.Where == OnMap {
		begin.seeds = m.seeds()
	}
	return begin, nil
}

// route finds the way that an order means. Where it names but a zone to leave the map
// by, the goal is put into the order.
func (m *march) route(o *moveOrder, begin outset) ([]hex.Hex, *rule.Violation) {
	if o.exit != "" && !o.hasWay() {
		var v *rule.Violation
		if o.to, v = m.exitGoal(o.exit, begin.seeds, begin.standing); v != nil {
			return nil, v
		}
	}
	if m.u.Where == OnMap && m.s.blindfold() {
		return m.s.believedPlan(m, o)
	}
	return m.plan(o, begin.seeds, begin.standing)
}

// blindfold tells whether the true position is played in a blind game: ways are then
// planned by what their side knows.
func (s *State) blindfold() bool {
	return s.sc.Readings.Fog == adjudicator.FogBlind && !s.belief
}

// walk goes the way hex by hex, and stops where the rules stop the unit.
func (m *march) walk(o *moveOrder, path []hex.Hex, begin outset, tell teller) *rule.Violation {
	if m.u.Where == Later {
		m.comeOn(path[0], begin, tell)
	}
	m.path = append(m.s.room.hexes.Take(len(path)), m.path...)
	for _, h := range path[1:] {
		if m.u.Where == Gone {
			return nil
		}
		if v := m.step(h, tell); v != nil {
			return m.stopped(v, o)
		}
		// WB-95 10.2.5: who pays for the full allowance goes up a level with the first step
		if o.full && len(m.path) == 2 && m.u.OoS > 0 {
			m.u.OoS++
		}
	}
	return nil
}

// stopped adds to the reason why the walk stopped what the owner may do, if the order
// left the way to the staff.
func (m *march) stopped(v *rule.Violation, o *moveOrder) *rule.Violation {
	if len(o.path) > 0 || o.to == hex.None {
		return v
	}
	if m.at != hex.None && m.held[m.s.sc.Board.Grid.Index(o.to)] == heldFast {
		v = m.barred("WB-95 3.1.8", o.to)
	}
	m.advise(v, o)
	return v
}

// arrive does what the order asks for at the end of the way.
func (m *march) arrive(o *moveOrder, note string, tell teller) (string, *rule.Violation) {
	if v := m.unlimber(o); v != nil {
		return note, v
	}
	if m.u.Where == OnMap && o.works() && !m.hasWorked(o) {
		var v *rule.Violation
		if note, v = m.toil(o.bridge, tell); v != nil {
			return note, v
		}
	}
	if m.u.Where == OnMap && o.exit != "" {
		return m.leaveMap(o.exit, tell)
	}
	return note, nil
}

// hasWorked tells whether the unit did its work before the way: only on the map it can.
func (m *march) hasWorked(o *moveOrder) bool { return o.bridge.first && m.u.Through == hex.None }

// plan finds the way that an order means: hex by hex as written, or the cheapest.
func (m *march) plan(o *moveOrder, seeds []seed, standing bool) ([]hex.Hex, *rule.Violation) {
	if len(o.path) > 0 {
		return m.written(o.path, seeds)
	}
	if o.to == hex.None {
		return []hex.Hex{m.cheapest(seeds)}, nil
	}
	goals := append(slices.Clone(o.via), o.to)
	m.sought = goals
	// First by the rules; then as if points did not end; then as if there were no
	// enemy: the walk itself then shows where and why it stops.
	for try := range 3 {
		limit := m.start
		if try > 0 {
			limit = far
		}
		m.blind = try == 2
		path, ok := m.legs(goals, seeds, limit, standing)
		m.blind = false
		if ok {
			return path, nil
		}
	}
	from := "the edge of the map"
	if m.at != hex.None {
		from = m.at.String()
	}
	return nil, &rule.Violation{Clause: "WB-95 3.1.4", Why: fmt.Sprintf("no way for %s units leads from %s to %v", m.u.c.Class, from, o.to)}
}

// legs joins the cheapest ways from goal to goal.
func (m *march) legs(goals []hex.Hex, seeds []seed, limit Cost, standing bool) ([]hex.Hex, bool) {
	var fields []*field
	defer func() {
		m.target = hex.None
		for _, f := range fields {
			f.release()
		}
	}()
	for i, goal := range goals {
		if i == len(goals)-1 && m.s.sc.Board.On(goal) {
			m.target = goal
		}
		f := m.search(seeds, limit, standing)
		fields = append(fields, f)
		seeds, standing = f.seedsAt(goal), standing && goal == m.at
	}
	// Back from the last goal: the layer that a leg begins on says how the one before it must end.
	var path []hex.Hex
	node := fields[len(fields)-1].node(goals[len(goals)-1])
	for _, f := range slices.Backward(fields) {
		if node < 0 {
			return nil, false
		}
		var leg []hex.Hex
		leg, node = f.trace(node)
		if len(path) > 0 {
			path = path[1:]
		}
		path = append(leg, path...)
	}
	return path, true
}

// written is a way given hex by hex. It may begin with the hex of the unit.
func (m *march) written(path []hex.Hex, seeds []seed) ([]hex.Hex, *rule.Violation) {
	if m.at != hex.None {
		if path[0] == m.at {
			return path, nil
		}
		if !m.s.sc.Board.Grid.Adjacent(m.at, path[0]) {
			return nil, &rule.Violation{Clause: "WB-95 3.1.4", Why: fmt.Sprintf("it stands in %v, the path begins in %v", m.at, path[0]),
				Instead: fmt.Sprintf("Write TO %v to let the staff find the way.", path[len(path)-1])}
		}
		return append(append(m.s.room.hexes.Take(len(path)+1), m.at), path...), nil
	}
	g := m.s.sc.Board.Grid
	for _, s := range seeds {
		if g.At(int(s.node/layers)) == path[0] {
			return path, nil
		}
	}
	if first := g.At(int(seeds[0].node / layers)); len(seeds) == 1 && g.Adjacent(first, path[0]) {
		return append([]hex.Hex{first}, path...), nil
	}
	return nil, &rule.Violation{Clause: "WB-95 11.1.2", Why: fmt.Sprintf("it cannot come on to the map in %v", path[0]),
		Instead: fmt.Sprintf("Begin the path in %v.", m.cheapest(seeds))}
}

// cheapest is the seed to stop in if the order names no goal: the cheapest one
// with room, else the cheapest; the lower hex number where prices are equal.
func (m *march) cheapest(seeds []seed) hex.Hex {
	g := m.s.sc.Board.Grid
	best, rank := hex.None, Cost(0)
	for _, s := range seeds {
		h := g.At(int(s.node / layers))
		c := s.cost
		if h != m.at && !m.s.roomFor(h, m.u) {
			c += far
		}
		if best == hex.None || cmp.Or(cmp.Compare(c, rank), cmp.Compare(h, best)) < 0 {
			best, rank = h, c
		}
	}
	return best
}

// advise names the hex nearest to the goal that the unit can get to.
func (m *march) advise(v *rule.Violation, o *moveOrder) {
	if m.at == hex.None || v.Clause == "WB-95 3.1.8" {
		return // to fight is the better advice
	}
	if v.Instead == "" {
		v.Instead = fmt.Sprintf("It stays in %v.", m.at)
		return
	}
	v.Instead = fmt.Sprintf("It can get to %v: write TO %v.", m.at, m.at)
	if m.s.sc.Board.Grid.Distance(m.at, o.to) == 0 {
		v.Instead = m.stopHere()
	}
}

// trek is the way for going back if the stack at its end is too large.
func (m *march) trek() trek {
	path := m.path
	if m.u.Through != hex.None {
		path = append([]hex.Hex{hex.None}, path...)
	}
	return trek{m.u, path}
}

// told says how an order was read: "4114-4013, 2 1/2 of 8 MP".
func (m *march) told(note string) string {
	if len(m.path) == 0 {
		return ""
	}
	var room [160]byte
	text := room[:0]
	switch {
	case m.u.Through != hex.None:
		text = append(text, "enters "...)
	case len(m.path) == 1:
		text = append(text, "stays in "...)
	}
	text = append(appendTrail(text, m.path), ", "...)
	text = append(m.spent.append(text), " of "...)
	text = append(m.start.append(text), " MP"...)
	text = append(text, m.setupTold()...)
	if m.free {
		text = append(text, " and a free hex of side road"...)
	}
	if note != "" {
		text = append(append(text, ", "...), note...)
	}
	return m.s.room.texts.Keep(append(text, m.endTold()...))
}

// endTold says what stopping where it stopped means for the unit.
func (m *march) endTold() string {
	switch {
	case m.u.Where != OnMap, !m.s.inEnemyZone(m.at, m.u.c.Side):
		return ""
	case m.u.fights() && !m.s.fortified(m.at, m.u.c.Side):
		return ", ends in enemy ZOC: must attack"
	}
	return ", ends in enemy ZOC"
}

// fail notes why a unit did not get to the end of its order, and says it to the owner.
func (d *deed) fail(u *Unit, o *moveOrder, v *rule.Violation, path []hex.Hex) view.Event {
	e := refusal(u.c.Side, o.text, v)
	e.Facts = e.Facts.With("unit", u.c.Name)
	if len(path) > 0 {
		e.Kind, e.Hexes, e.Facts = "halt", []hex.Hex{u.Hex}, e.Facts.With("hex", u.Hex.String())
	}
	if d.fault == nil {
		d.fault = v
		if len(o.units) > 1 {
			named := *v
			named.Why = u.c.Name + ": " + v.Why
			d.fault = &named
		}
	}
	return e
}

// refusal is the event of an order that could not be carried out.
func refusal(side Side, order string, v *rule.Violation) view.Event {
	return view.Event{Kind: "refused", Clause: v.Clause, To: to(side),
		Facts: view.Pairs{"order", order, "why", v.Why, "clause", string(v.Clause), "unit", ""}}
}

// saying is what units of one order do, who share a line.
type saying struct {
	text string
	who  []*Unit
}

// sayings collects what units of one order do.
type sayings []saying

// add notes what one of the units does.
func (y sayings) add(one []*Unit, text string) sayings {
	if i := slices.IndexFunc(y, func(t saying) bool { return t.text == text }); i >= 0 {
		y[i].who = append(y[i].who, one...)
		return y
	}
	return append(y, saying{text, one})
}

func (y sayings) String() string {
	if len(y) == 1 {
		return y[0].text
	}
	parts := make([]string, len(y))
	for i, t := range y {
		parts[i] = names(t.who) + ": " + t.text
	}
	return strings.Join(parts, "; ")
}

// report tells the owner what was done.
func (s *State) report(said sayings, treks []trek, tell teller) {
	if tell == nil {
		return
	}
	for _, t := range said {
		u := t.who[0]
		e := view.Event{Kind: "moved", Clause: "WB-95 3.1.3", To: append(s.room.names.Take(1), string(u.c.Side)),
			Facts: append(s.room.names.Take(4), "units", names(t.who), "text", t.text)}
		if u.Where == OnMap {
			e.Hexes = append(s.room.hexes.Take(2), u.Hex)
		}
		for _, k := range treks {
			if from := k.from(); k.unit == u && from != hex.None {
				e.Hexes = append(e.Hexes, from)
			}
		}
		tell.tell(e)
	}
}

// names lists units by their short names.
func names(us []*Unit) string {
	if len(us) == 1 {
		return us[0].c.Name
	}
	return strings.Join(shortNames(us), ", ")
}
