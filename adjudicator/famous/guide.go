package famous

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

// chitGuide answers what may be ordered: it tries an order at the end of the programme of its
// chit as the sheet has it, on the position that this programme leaves.
type chitGuide struct {
	g     *Game
	v     *view.View
	side  Side
	sheet *orders.Sheet
	base  *check             // before the first chit
	setUp *setUpGuide        // nil when it is over
	known map[string]*ending // by battalion
}

// ending is a programme of the sheet when its movement and its fighting are over.
type ending struct {
	section string // its line
	moved   *rehearsal
	fought  *rehearsal
}

// Guide implements adjudicator.Guiding.
func (g *Game) Guide(v *view.View) (adjudicator.Guide, error) {
	if _, err := g.sc.believe(v); err != nil {
		return nil, err
	}
	v = v.Now()
	a := &chitGuide{g: g, v: v, side: Side(v.Side)}
	a.stand(&orders.Sheet{})
	return a, nil
}

// Rehearse implements adjudicator.Guide.
func (a *chitGuide) Rehearse(sheet *orders.Sheet) *adjudicator.Filing {
	a.stand(sheet)
	return a.g.Check(a.v, sheet)
}

// stand takes the sheet for the orders given so far.
func (a *chitGuide) stand(sheet *orders.Sheet) {
	a.sheet, a.known = sheet, map[string]*ending{}
	a.base = a.fresh(sheet)
	s, _ := a.g.sc.believe(a.v)
	a.base.s = s
	if a.setUp = a.placingNow(s, sheet); s.Phase == setUpStep {
		a.base.placements(sheet)
		return
	}
	a.base.beforeChits(sheet)
}

// fresh is a check with nothing in it.
func (a *chitGuide) fresh(sheet *orders.Sheet) *check {
	return &check{side: a.side, acting: a.v.Acting, after: map[string]hex.Hex{}, filing: adjudicator.NewFiling(sheet), guards: map[string]string{}}
}

// settingUp tells whether the game is set up: placements are made then, and no programmes.
func (a *chitGuide) settingUp() bool { return a.base.s.Phase == setUpStep }

// ending is the programme of a battalion's chit as the sheet has it.
func (a *chitGuide) ending(bn string) *ending {
	if e, ok := a.known[bn]; ok {
		return e
	}
	sec := orders.Section{Name: "CHIT", Args: []orders.Word{{Text: strings.ToUpper(bn)}}}
	c := a.fresh(a.sheet)
	line := sec
	if given, one, h, has := a.written(bn); has {
		line, sec = given, one
		if h.otherwise {
			c.guards[programmeEntry(bn)] = "IF" // which the sheet has above it
		}
	}
	c.s = a.base.s
	e := &ending{section: strings.TrimSpace(line.Name + " " + orders.Clause(line.Args).String())}
	if t := c.marches(sec); t != nil {
		e.moved = t
		after := *t
		after.s = t.s.clone()
		after.s.commander = t.s.commander
		after.p = &parser{s: after.s, side: t.p.side, bn: t.p.bn}
		after.fights()
		e.fought = &after
	}
	a.known[bn] = e
	return e
}

// written is the section of the sheet to which orders for a battalion's chit are added, as it stands
// there and, where it opens with several chits, as it is for this one.
func (a *chitGuide) written(bn string) (given, one orders.Section, h programmeHead, has bool) {
	for _, given = range a.sheet.Sections {
		for _, part := range a.base.ofEachChit(given) {
			if h = a.headOf(part.sec); h.bad == nil && h.battalion == bn && h.guard == "" && len(h.inline) == 0 {
				return given, part.sec, h, true
			}
		}
	}
	return given, one, h, false
}

// headOf reads the line that opens a programme; bad where the section is none.
func (a *chitGuide) headOf(sec orders.Section) programmeHead {
	switch sec.Name {
	case "CHIT", "DIVISION":
		return a.base.head(sec)
	}
	return programmeHead{bad: &rule.Violation{Why: "no programme"}}
}

// Actors implements adjudicator.Guide.
func (a *chitGuide) Actors() (out []adjudicator.Actor) {
	s := a.base.s
	if a.settingUp() {
		for u := range s.army(a.side) {
			if u.onMap() {
				out = append(out, adjudicator.Actor{Name: u.c.Name, ID: u.ID, Kind: "unit", Hex: u.Hex})
			}
		}
		return out
	}
	var battalions []string
	for u := range s.army(a.side) {
		if !u.stands() && !s.due(u) {
			continue
		}
		if !slices.Contains(battalions, u.c.Battalion) {
			battalions = append(battalions, u.c.Battalion)
		}
		x := adjudicator.Actor{Name: u.c.Name, ID: u.ID, Kind: "unit", Ways: []string{""}}
		if u.onMap() {
			x.Hex = u.Hex
		} else {
			x.Ways = a.letters(u)
		}
		if e := a.ending(u.c.Battalion); e.moved != nil {
			x.Ordered = e.moved.s.unit(u.ID).did.spent > 0
		}
		out = append(out, x)
	}
	for _, bn := range battalions {
		out = append(out, a.chit(bn))
	}
	return out
}

// letters are the manners in which a reinforcement may come.
func (a *chitGuide) letters(u *Unit) (out []string) {
	if u.Where != Later {
		return nil
	}
	for _, letter := range a.base.s.sc.Arrivals[a.base.s.sc.arrival[u.ID]].Entry {
		out = append(out, "ENTER "+letter)
	}
	return out
}

// chitPrefix stands before the name of a battalion that is asked for as a chit.
const chitPrefix = "CHIT "

// chit is the chit of a battalion, and whom it would activate if it came now.
func (a *chitGuide) chit(bn string) adjudicator.Actor {
	x := adjudicator.Actor{Name: chitPrefix + bn, Kind: "chit"}
	e := a.ending(bn)
	if e.moved == nil {
		return x
	}
	for u := range e.moved.s.army(a.side) {
		if u.did.active {
			x.InRange = append(x.InRange, u.c.Name)
		}
	}
	return x
}

// find is the own unit of a name as orders write it, or of an id.
func (a *chitGuide) find(name string) (*Unit, error) {
	s := a.base.s
	if u := s.unit(name); u != nil && u.c.Side == a.side {
		return u, nil
	}
	u, found := phrase.Find(&parser{s: s, side: a.side}, s.sc.Board, strings.ToUpper(name))
	if !found {
		return nil, fmt.Errorf("you have no unit %q; orders guide without --unit lists them", name)
	}
	return u, nil
}

// Verbs implements adjudicator.Guide.
func (a *chitGuide) Verbs(actor string) ([]adjudicator.Offer, error) {
	if len(actor) > len(chitPrefix) && strings.EqualFold(actor[:len(chitPrefix)], chitPrefix) {
		bn := (&parser{s: a.base.s, side: a.side}).battalionCalled(actor[len(chitPrefix):])
		return slices.Concat(a.leaders(bn), a.supports(bn), a.standings()), nil
	}
	u, err := a.find(actor)
	if err != nil {
		return nil, err
	}
	out := a.placements(u)
	if a.settingUp() {
		return out, nil
	}
	e := a.ending(u.c.Battalion)
	if e.moved == nil {
		return out, nil
	}
	for _, o := range a.verbs(e, u) {
		out = append(out, e.try(o))
	}
	return out, nil
}

// standings are the usual standing orders; they are the side's, not a chit's.
func (a *chitGuide) standings() (out []adjudicator.Offer) {
	for _, text := range []string{"OPPORTUNITY ALL EVERY SHOT", "OPPORTUNITY ALL HOLD", "DEFENSIVE ARTILLERY ANY", "DEFENSIVE ARTILLERY NEVER",
		"LOSSES DEPLETED FIRST", "LOSSES DEPLETED LAST", "ADVANCE ALWAYS", "ADVANCE NEVER", "BLACK CHIT ALL ALWAYS"} {
		o := adjudicator.Offer{Section: "STANDING", Order: text, Verb: text}
		p := &parser{s: a.base.s, side: a.side}
		if o.Refused = p.standing(&standing{black: map[string]blackRule{}}, phrase.Read(text)); o.Refused == nil {
			o.Understood = "noted"
		}
		out = append(out, o)
	}
	return out
}

// verbs are what a unit might be ordered besides a way. What it can do is for the rules to say.
func (a *chitGuide) verbs(e *ending, u *Unit) (out []adjudicator.Offer) {
	say := func(v verb, format string, args ...any) {
		out = append(out, adjudicator.Offer{Section: e.section, Verb: string(v), Order: string(v) + " " + fmt.Sprintf(format, args...)})
	}
	name := u.c.Name
	if u.Where == Later {
		for _, letter := range a.base.s.sc.Arrivals[a.base.s.sc.arrival[u.ID]].Entry {
			say(verbEnter, "%s AT %s", name, letter)
		}
		return out
	}
	s := e.moved.s
	u = s.unit(u.ID)
	for _, tank := range s.unitsAt(u.idx) {
		if u.onMap() && tank != u && tank.class() == Tracked {
			say(verbMount, "%s ON %s", name, tank.c.Name)
		}
	}
	say(verbDismount, "%s", name)
	say(verbDebark, "%s", name)
	say(verbEmbark, "%s", name)
	for _, z := range s.sc.Board.Zones {
		say(verbExit, "%s %s", name, z.ID)
	}
	if u.c.Engineer && u.onMap() {
		a.works(s, u, say)
	}
	a.shots(e.fought.s, e.fought.s.unit(u.ID), say)
	return out
}

// works are what an engineer might do where it stands and around it.
func (a *chitGuide) works(s *State, u *Unit, say func(v verb, format string, args ...any)) {
	for _, h := range append(s.sc.Board.Grid.Neighbours(u.Hex), u.Hex) {
		if s.sc.Board.On(h) && len(s.fortsOn(h)) > 0 {
			say(verbClear, "%v WITH %s", h, u.c.Name)
		}
	}
	for _, h := range s.sc.Board.Grid.Neighbours(u.Hex) {
		e := hex.Between(u.Hex, h)
		switch {
		case !s.sc.Board.On(h):
		case s.sc.Board.Bridge(e):
			say(verbBlow, "%v WITH %s", e, u.c.Name)
		case s.sc.Board.River(e) != "":
			say(verbPontoon, "%v WITH %s", e, u.c.Name)
		}
	}
}

// shots are the fire and the attacks that a unit might make when all have moved.
func (a *chitGuide) shots(s *State, u *Unit, say func(v verb, format string, args ...any)) {
	if !u.stands() {
		return
	}
	for i := range s.at {
		if s.holds(i) != 1-s.sc.number(a.side) {
			continue
		}
		h := s.sc.Board.Grid.At(i)
		d := 0
		if u.onMap() {
			d = s.sc.Board.Grid.Distance(u.Hex, h)
		}
		if u.c.Direct > 0 && u.onMap() && d <= u.c.Direct {
			say(verbFire, "%s AT %v", u.c.Name, h)
		}
		if u.isGun() && d <= u.c.Artillery {
			say(verbBarrage, "%v WITH %s", h, u.c.Name)
		}
		if d != 1 {
			continue
		}
		say(verbAttack, "%v WITH %s", h, u.c.Name)
		if u.class() == Tracked {
			say(verbOverrun, "%v WITH %s", h, u.c.Name)
		}
	}
}

// copied is a rehearsal that can be spoilt.
func (t *rehearsal) copied() *rehearsal {
	out := *t
	out.s = t.s.clone()
	out.s.commander = t.s.commander
	out.p = &parser{s: out.s, side: t.p.side, bn: t.p.bn}
	return &out
}

// try judges an order at the end of the programme: at that of its movement, or of its fighting.
func (e *ending) try(o adjudicator.Offer) adjudicator.Offer {
	w := phrase.Read(strings.ToUpper(o.Order))
	late := ofFighting(append(slices.Clip(e.moved.list), w))
	t := e.moved
	if late[len(late)-1] {
		t = e.fought
	}
	t = t.copied()
	in, v := t.p.parse(w)
	if v != nil {
		o.Refused = v
		return o
	}
	in.late = late[len(late)-1]
	if !t.live {
		o.Understood = "if the condition holds"
		return o
	}
	o.Warning = t.warning
	o.Understood, o.Refused = t.s.trial(t.p, in)
	return o
}

// Reach implements adjudicator.Guide.
func (a *chitGuide) Reach(actor, manner string) ([]adjudicator.Way, error) {
	u, err := a.find(actor)
	switch {
	case err != nil:
		return nil, err
	case a.settingUp():
		return nil, &rule.Violation{Clause: "GD 17.0", Why: "the game is set up first"}
	}
	e := a.ending(u.c.Battalion)
	if e.moved == nil {
		return nil, &rule.Violation{Clause: "GD 6.0", Why: "its chit has no programme that stands"}
	}
	t := e.moved.copied()
	t.section, u = e.section, t.s.unit(u.ID)
	if letter, enters := strings.CutPrefix(strings.ToUpper(manner), "ENTER "); enters {
		return t.entries(u, letter)
	}
	if manner != "" {
		return nil, fmt.Errorf("%q is not a manner of moving: write ENTER and a letter", manner)
	}
	if !u.onMap() {
		if v := t.s.mayMove(u); v != nil {
			return nil, v
		}
		return nil, &rule.Violation{Clause: "GD 9.0", Why: u.c.Name + " is not on the map"}
	}
	if !u.did.active {
		tried := e.try(adjudicator.Offer{Order: fmt.Sprintf("%s %s TO %v", verbMove, u.c.Name, t.s.sc.Board.Grid.Neighbours(u.Hex)[0])})
		if tried.Refused != nil {
			return nil, tried.Refused
		}
	}
	if v := t.s.mayMove(u); v != nil {
		return nil, v
	}
	f := t.s.search(u, u.idx, false)
	return t.ways(u, f, fmt.Sprintf("%s %s TO ", verbMove, u.c.Name)), nil
}

// entries are the ways of a reinforcement by a letter.
func (t *rehearsal) entries(u *Unit, letter string) ([]adjudicator.Way, error) {
	if u.Where != Later {
		return nil, &rule.Violation{Clause: "GD 4.0", Why: u.c.Name + " is on the map already"}
	}
	f, at, v := t.s.entryField(u, letter)
	if v != nil {
		return nil, v
	}
	order := fmt.Sprintf("%s %s AT %s", verbEnter, u.c.Name, letter)
	tried := (&ending{moved: t}).try(adjudicator.Offer{Order: order})
	if tried.Refused != nil {
		return nil, tried.Refused
	}
	if to := fmt.Sprintf("%s TO %v", order, at); (&ending{moved: t}).try(adjudicator.Offer{Order: to}).Refused == nil {
		order = to
	}
	i := t.s.sc.Board.Grid.Index(at)
	out := []adjudicator.Way{{Hex: at, Section: t.section, Order: order, Cost: t.s.entryCost(u, i).plain(), Of: t.s.allowance(u).plain(), Path: []hex.Hex{at}, Room: t.s.roomAt(i, u)}}
	if f == nil {
		return out, nil
	}
	on := slices.DeleteFunc(t.ways(u, f, fmt.Sprintf("%s %s AT %s TO ", verbEnter, u.c.Name, letter)), func(w adjudicator.Way) bool { return w.Hex == at })
	return append(out, on...), nil
}

// ways are the hexes of a search in which the unit may stay.
func (t *rehearsal) ways(u *Unit, f *field, order string) (out []adjudicator.Way) {
	a, g := &Adviser{s: t.s, side: t.side}, &t.s.sc.Board.Grid
	for _, h := range a.room(u, f, nil) {
		i := g.Index(h)
		w := adjudicator.Way{Hex: h, Section: t.section, Order: order + h.String(), Cost: f.spent[i].plain(), Of: t.s.allowance(u).plain(),
			Path: f.way(g, i), Room: t.s.roomAt(i, u)}
		if u.onMap() {
			w.Path = append([]hex.Hex{u.Hex}, w.Path...)
		}
		if t.s.threatened(i, u.c.side) {
			w.Meets = append(w.Meets, inEnemyZone)
		}
		out = append(out, w)
	}
	slices.SortFunc(out, func(x, y adjudicator.Way) int { return int(x.Hex) - int(y.Hex) })
	return out
}

// plain is a price without its unit: "2 1/2".
func (c Cost) plain() string { return strings.TrimSuffix(points(c), " MP") }

// roomAt is how many more units fit on a hex beside one that comes, two halves a unit.
func (s *State) roomAt(i int, u *Unit) int {
	all, _ := s.stacked(i)
	if u.idx != i || !u.onMap() {
		all += s.size(u)
	}
	return (s.sc.stackLimit(i) - all) / 2
}

// Weigh implements adjudicator.Guide.
func (a *chitGuide) Weigh(section, order string) (*adjudicator.Forecast, error) {
	text := orders.Canonical(section + "\n" + order + "\n")
	sheet, faults := orders.Parse(text, Vocabulary)
	if len(faults) > 0 || len(sheet.Sections) == 0 {
		return nil, fmt.Errorf("%s: %s is not an order of a programme", section, order)
	}
	e, tried, err := a.tried(sheet.Sections[0], order)
	if err != nil {
		return nil, err
	}
	t := e.fought.copied()
	in, v := t.p.parse(phrase.Read(strings.ToUpper(order)))
	if v != nil {
		return nil, v
	}
	out := &adjudicator.Forecast{Order: order, Text: tried.Understood}
	switch in.verb {
	case verbAttack, verbOverrun:
		if !in.attack.atWill {
			t.forecast(out, in.attack)
		}
	case verbBarrage, verbFire:
	default:
		return nil, fmt.Errorf("%s is neither attack nor fire", order)
	}
	return out, nil
}

// tried tries an order in the programme of a section; of several chits in that of the first that can
// carry it out.
func (a *chitGuide) tried(sec orders.Section, order string) (e *ending, o adjudicator.Offer, err error) {
	for _, part := range a.base.ofEachChit(sec) {
		h := a.headOf(part.sec)
		if h.bad != nil {
			return nil, o, h.bad
		}
		if e = a.ending(h.battalion); e.fought == nil {
			err = fmt.Errorf("%s has no programme that stands", phrase.Opening(sec).Text)
			continue
		}
		if o = e.try(adjudicator.Offer{Order: order}); o.Refused == nil {
			return e, o, nil
		}
		err = o.Refused
	}
	return nil, o, err
}

// forecast is an attack by the table, with the event chits as they are reckoned.
func (t *rehearsal) forecast(out *adjudicator.Forecast, o attackOrder) {
	s := t.s
	b := &battle{s: s, side: t.side, target: o.target, order: o, overrun: o.overrun, units: o.units, guns: o.guns, where: map[*Unit]hex.Hex{}, defenders: s.on(o.target)}
	out.Attack, out.Defence = b.strengths()
	if !s.watches(t.side, o.target) {
		out.Defence = assumedDefence
	}
	column := ratio(out.Attack, out.Defence)
	out.First, out.Column = columns[column], columns[column]
	b.modifiers()
	for _, m := range b.drms {
		out.Shifts = append(out.Shifts, adjudicator.Shift{What: m.why + " (dice)", By: m.n, Clause: "GD 10.1"})
	}
	out.Dice = b.drm()
	stakes := b.stakes()
	for line, weight := range (&Adviser{s: s, side: t.side}).rolls(b.drm()) {
		if weight == 0 || line < 2 {
			continue
		}
		r := s.sc.Combat[line][column]
		harm, cost, gone := stakes.of(r)
		out.Results = append(out.Results, adjudicator.Result{Roll: line, Ways: weight, Of: rollScale, Text: string(r), OurLoss: cost / 100, TheirLoss: harm / 100, TheirHexes: b2i(gone)})
	}
}
