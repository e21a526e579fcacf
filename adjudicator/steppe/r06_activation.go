package steppe

import (
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

// activation is a chit, or an individual hex, while it is played.
type activation struct {
	r    *adjudicator.Run
	s    *State
	side Side
	hq   *Unit // nil for an individual hex
	name string
	doc  *doctrine
	// foeDoc is the enemy's, read when the first combat needs it.
	foeDoc *doctrine
	prog   *programme
	count  int // how often its chit has been drawn in this turn
	progress
	took   []hex.Hex // where it has attacked and left nobody of the enemy
	before int       // steps that its side had lost in the phase as it began
	now    half      // that is carried out
	at     int       // the order of it; what puts others in the place of all begins anew

	eligible []*Unit // that the headquarters may activate
	markers  int     // artillery support left
	marked   []*Unit // overrun markers
	deeds    []deeds // by place in State.Units

	strides []stride     // of the movement under way
	holding bool         // events are held back until it is settled
	held    []view.Event // those, with empty ones between
	// overhear hears of every order that is not carried out, in a rehearsal; nil: nobody does.
	overhear func(order, why string)
}

// deeds is what a unit has done in this activation.
type deeds struct {
	active  bool // activated by it
	moved   bool
	spent   bool // all movement points are used: a bridge was tried
	fought  bool
	overran bool
	begun   hex.Hex // where it stood when the Move mode began
	stood   hex.Hex // where it stood when the Combat mode began, and
	foes    uint8   // the directions, as bits, in which enemies were beside it then
}

// did is what a unit has done so far.
func (a *activation) did(u *Unit) *deeds { return &a.deeds[u.n] }

// mayActivate tells whether a headquarters may activate a unit: one of its own colour.
//
// Steppe 6.0/1
// Steppe 2.6/4
//
// reading Steppe 6.3: SS units obey the SS headquarters alone; Wiking obeys Army
// headquarters only with the switch wiking_under_army.
func (s *State) mayActivate(hq, u *Unit) bool {
	switch {
	case !u.combat():
		return false
	case u.c.Command == Hungarian: // Steppe 6.3/1
		return false
	case hq.c.Command == Army && s.isLentWiking(u):
		return true
	}
	// The headquarters and units of the two Soviet fronts do not serve each other, not
	// even in one hex.
	//
	// Steppe 2.4/12
	// Steppe 6.2/1
	// Steppe 6.2/2
	return u.c.Command == hq.c.Command
}

// isLentWiking: the SS division that a switch puts under the German Army as well.
func (s *State) isLentWiking(u *Unit) bool {
	return s.sc.Switches.WikingUnderArmy && u.c.Printed == "Wkg"
}

// inRange tells whether a hex is within the activation range of a headquarters: hexes
// in a direct line, whatever lies between.
//
// Steppe 6.0/2
// Steppe 6.0/3
func (s *State) inRange(hq *Unit, h hex.Hex) bool {
	return hq.Where == OnMap && s.sc.land.distance(s.ix(hq.Hex), s.ix(h)) <= hq.c.Range
}

// chitPhase draws a chit and plays it.
//
// Steppe 3.4/2
func chitPhase(r *adjudicator.Run, s *State) {
	if a := s.drawn(r); a != nil {
		before := s.stands()
		a.play()
		s.noteMovers(a.side, before)
	}
}

// drawn draws a chit and asks for its programme. Nil: the chit is wasted.
//
// Steppe 2.6/5
func (s *State) drawn(r *adjudicator.Run) *activation {
	side, name, die := s.draw(r)
	hq := s.byName(side, name)
	a := s.newActivation(r, side, hq)
	if !s.isPresent(hq) {
		r.Tell(view.Event{Kind: "chit-wasted", Clause: "Steppe 2.6", Side: string(side), Rolls: []string{"draw"},
			Facts: view.Pairs{"hq", name, "side", sideTitle(side), "die", die}})
		return nil
	}
	a.muster()
	e := view.Event{Kind: "chit", Clause: "Steppe 3.4", Side: string(side), Rolls: []string{"draw"},
		Facts: view.Pairs{"hq", name, "side", sideTitle(side), "command", hq.c.Command.title(),
			"units", strconv.Itoa(len(a.eligible)), "left", strconv.Itoa(s.Cup.Left()), "die", die}}
	if hq.Where == OnMap {
		e.Hexes, e.Facts = []hex.Hex{hq.Hex}, e.Facts.With("hex", s.spot(hq.Hex))
	}
	r.Tell(e)
	a.ask("Steppe 3.4")
	return a
}

// muster lists the units that the activation may activate: those in range of the
// headquarters as its chit is drawn, or of the individual hex.
//
// Steppe 3.4/3
// Steppe 6.0/4
func (a *activation) muster() {
	s, hq := a.s, a.hq
	if hq == nil {
		a.eligible = a.soloUnits()
		return
	}
	for u := range s.onMap() {
		if !u.Activated && s.mayActivate(hq, u) && s.inRange(hq, u.Hex) {
			a.eligible = append(a.eligible, u)
		}
	}
	if hq.Where == OnMap && !s.sc.before(2) {
		hq.Activated = true // Steppe 6.1/5
	}
}

// draw takes a chit out of the cup. Its group is drawn for all to see, which of the
// group's chits it is by a roll that would tell the enemy what else is in the cup.
func (s *State) draw(r *adjudicator.Run) (side Side, name, thrown string) {
	draw := r.Roll("Steppe 2.6", "draw", 1, s.Cup.Inside())[0]
	g := &s.Cup[s.Cup.Group(draw)]
	die := 1
	if g.Faces() > 1 {
		label := "chit " + strings.ToLower(g.Name)
		die = r.Roll("Steppe 2.6", label, 1, g.Faces())[0]
		r.Tell(view.Event{Kind: "chit-roll", Clause: "Steppe 2.6", To: []string{string(poolSide(g.Name))},
			Rolls: []string{label},
			Facts: view.Pairs{"die", strconv.Itoa(die), "label", label, "chits", strings.Join(g.In, ", ")}})
	}
	name, side = g.Draw(die), poolSide(g.Name)
	s.Played = append(s.Played, Chit{name, side})
	return side, name, strconv.Itoa(draw)
}

func (s *State) newActivation(r *adjudicator.Run, side Side, hq *Unit) *activation {
	a := &activation{r: r, s: s, side: side, hq: hq, doc: s.doctrineOf(side), deeds: make([]deeds, len(s.Units)), before: s.losses[sideIndex(side)]}
	if hq != nil {
		a.name, a.markers = hq.c.Name, hq.support()
	}
	for i := range s.Units {
		s.Units[i].Entered = false
	}
	return a
}

// isPresent tells whether a headquarters is on the map or may come now.
//
// reading Steppe 2.6: a chit whose headquarters was eliminated since it went into the
// cup is drawn and wasted.
func (s *State) isPresent(hq *Unit) bool {
	if hq.Where == OnMap {
		return true
	}
	return hq.Where == Later && hq.Due <= s.Turn // one that was eliminated is due in the next
}

// ask puts the programme to its owner and reads what they answer.
//
// deviation Steppe 3.4: what a headquarters does is written in advance, with
// conditions; a side may want to be asked when its chit comes. A headquarters without
// a programme holds.
//
// deviation Steppe 6.0: the units that are activated are those that the programme
// names, or with UNITS those of that list; a unit that is not named stays free for
// another headquarters.
func (a *activation) ask(clause rule.Clause) {
	s := a.s
	count := 0
	for _, c := range s.Played {
		if c.Side == a.side && c.HQ == a.name {
			count++
		}
	}
	sheet := s.programmesOf(a.side, a.hq)
	entry := entryFor(a.hq)
	d := adjudicator.Decision{Label: entry, Entry: entry, Kind: KindActivation, Side: a.side, Clause: clause,
		Proposal: sheet.text, Source: "your sheet"}
	if sheet.text == "" {
		d.Source = "no programme: it holds"
	}
	all := sheet.programmes
	a.count = count
	d.Pause = s.pause(a, all, count)
	s.Beside[sideIndex(a.side)] = false
	if answer := a.r.Ask(d)[0]; answer != sheet.text {
		now, _ := orders.Parse(answer, Vocabulary)
		all = s.readProgrammes(a.side, a.hq, now.Sections)
	}
	a.prog = s.choose(all, a.side, sofar{drawn: count})
}

// excerpt is what a sheet says of one activation: its text, and what is read in it.
type excerpt struct {
	text       string
	programmes []*programme
}

// programmesOf picks the sections that are about a headquarters, or with nil about the
// individual hex, out of the side's sealed sheet. Those whose line does not begin with
// its name are not read.
func (s *State) programmesOf(side Side, hq *Unit) excerpt {
	var texts []string
	var out excerpt
	for _, part := range orders.Cut(s.Sheets[sideIndex(side)].Orders, Vocabulary) {
		if !mayBeOf(part, hq) {
			continue
		}
		sheet, _ := orders.Parse(part, Vocabulary)
		read := s.readProgrammes(side, hq, sheet.Sections)
		if hq == nil || len(read) > 0 {
			texts, out.programmes = append(texts, part), append(out.programmes, read...)
		}
	}
	out.text = strings.Join(texts, "\n")
	return out
}

// mayBeOf tells from its first line whether a section may be about a headquarters, or
// with nil is about the individual hex.
func mayBeOf(section string, hq *Unit) bool {
	head, _, _ := strings.Cut(section, "\n")
	word, rest, _ := strings.Cut(head, " ")
	if hq == nil {
		return word == "SOLO"
	}
	return word == "CHIT" && strings.HasPrefix(squeeze(rest), hq.c.key)
}

// readProgrammes reads the sections that answer an activation.
func (s *State) readProgrammes(side Side, hq *Unit, sections []orders.Section) []*programme {
	t := s.readTurn(side, sections)
	if hq == nil {
		return t.solo
	}
	return slices.DeleteFunc(t.programmes, func(p *programme) bool { return p.hq != hq })
}

// play carries the programme out: all move and then attack, or all attack and then
// move; never do they attack, move and attack again.
//
// Steppe 9.0/2
//
// reading Steppe 6.0: one mode for the whole activation.
//
// reading Steppe 9.3: in an activation that attacks first the overrun movement comes
// before the ordinary one, which follows by the switch overrun_then_move.
func (a *activation) play() {
	if a.prog == nil {
		a.r.Tell(view.Event{Kind: "holds", Side: string(a.side), Facts: view.Pairs{"hq", a.title()}})
		return
	}
	a.activateListed()
	if a.prog.attack {
		a.combatMode() // Steppe 6.0/6
		a.overrunMoves()
		a.moveMode()
	} else {
		a.moveMode() // Steppe 6.0/5
		a.combatMode()
		a.overrunMoves() // Steppe 9.3/12
	}
	for i := range a.s.Units {
		a.s.Units[i].Entered = false // Steppe 6.0/9
	}
}

func (a *activation) title() string {
	if a.hq == nil {
		return "the individual hex"
	}
	return a.name
}

// activateListed activates the units of UNITS.
func (a *activation) activateListed() {
	for i, in := range a.prog.steps {
		if in.verb != verbUnits || !a.turnOf(i) {
			continue
		}
		us := in.units
		if us == nil {
			us = a.eligible
		}
		for _, u := range us {
			if why := a.activate(u); why != "" {
				a.dropped(in.text, u.c.Name+" "+why)
			}
		}
	}
}

// activate activates a unit for this chit; it says why not.
func (a *activation) activate(u *Unit) string {
	switch {
	case u.Where != OnMap:
		return offMap
	case u == a.hq || a.did(u).active:
		return ""
	case a.hq != nil && !u.combat():
		return "is a headquarters with a chit of its own"
	case u.Activated: // Steppe 6.0/8
		return actedOnce
	case slices.Contains(a.eligible, u):
		if u.combat() || !a.s.sc.before(2) {
			u.Activated = true
		}
		a.did(u).active = true
		return ""
	case a.hq != nil && !a.s.mayActivate(a.hq, u):
		return "does not obey " + a.name
	}
	return "is out of range" // Steppe 6.0/2
}

// dropped tells the owner of an order that was not carried out.
func (a *activation) dropped(order, why string) {
	if a.overhear != nil {
		a.overhear(order, why)
		return
	}
	if !isQuiet(why) && !a.isMuted(order) {
		a.tell(a.droppedEvent(order, why))
	}
}

func (a *activation) droppedEvent(order, why string) view.Event {
	return view.Event{Kind: "dropped", To: []string{string(a.side)}, Side: string(a.side),
		Facts: view.Pairs{"order", order, "why", why}}
}

// Reasons for which a unit drops out of an order without a word: it is lost, or has
// acted already.
const (
	offMap    = "is not on the map"
	actedOnce = "has been activated in this turn"
	notDue    = "is not due"
)

// isQuiet tells whether an order was not carried out for one of them.
func isQuiet(why string) bool {
	ends := func(reason string) bool { return strings.HasSuffix(why, reason) }
	return slices.ContainsFunc([]string{offMap, actedOnce, notDue}, ends)
}

// soloPhase is individual hex activation of one side.
//
// Steppe 6.1/1
//
// reading Steppe 6.1: the side whose chit was not the last goes first; all chosen units
// are of one colour; a headquarters in the hex may move too, and one that stands alone; no
// artillery, but aircraft. One whose chit was drawn in this turn has been activated.
func soloPhase(r *adjudicator.Run, s *State) {
	side := s.soloSide()
	s.Solo[sideIndex(side)] = true // Steppe 6.1/6
	a := s.newActivation(r, side, nil)
	a.ask("Steppe 6.1")
	if a.prog == nil {
		return
	}
	a.muster()
	if len(a.eligible) == 0 {
		a.dropped("SOLO HEX "+a.prog.hex.String(), "no unit there could be activated")
		return
	}
	r.Tell(view.Event{Kind: "solo", Clause: "Steppe 6.1", Hexes: []hex.Hex{a.prog.hex}, Side: string(side),
		Facts: view.Pairs{"hex", s.spot(a.prog.hex), "side", sideTitle(side), "units", names(a.eligible)}})
	before := s.stands()
	a.play() // Steppe 6.1/4
	s.noteMovers(a.side, before)
}

// soloUnits are the units of the individual hex that may act: those of one colour that
// have not been activated, whatever headquarters is near. The colour is that of the
// first combat unit that the programme names, or of the headquarters if it names none.
//
// Steppe 6.1/3
// Steppe 6.1/7
// Steppe 6.1/8
func (a *activation) soloUnits() []*Unit {
	var own []*Unit
	for _, u := range a.s.unitsAt(a.prog.hex) {
		if u.c.Side == a.side && !u.Activated {
			own = append(own, u) // Steppe 6.1/5
		}
	}
	i := slices.IndexFunc(own, func(u *Unit) bool { return u.combat() && a.speaksOf(u) })
	if i == -1 && !a.s.sc.before(2) {
		i = slices.IndexFunc(own, a.speaksOf)
	}
	if i < 0 {
		return nil
	}
	colour := own[i].c.Command // Steppe 6.3/2
	return slices.DeleteFunc(own, func(u *Unit) bool { return u.c.Command != colour })
}

// speaksOf tells whether the programme speaks of a unit.
func (a *activation) speaksOf(u *Unit) bool {
	return slices.ContainsFunc(a.prog.steps, func(in instruction) bool { return in.atWill || in.isFor(u) })
}

// isFor tells whether an instruction is for a unit.
func (in instruction) isFor(u *Unit) bool { return in.isForAll() || slices.Contains(in.units, u) }

// isForAll: UNITS ALL.
func (in instruction) isForAll() bool { return in.verb == verbUnits && in.units == nil }

// soloSide is the side that activates its individual hex now: first the one that did
// not draw the last chit.
//
// Steppe 6.1/2
func (s *State) soloSide() Side {
	first := Soviet
	if n := len(s.Played); n > 0 {
		first = other(s.Played[n-1].Side)
	}
	if s.Solo[sideIndex(first)] {
		return other(first)
	}
	return first
}
