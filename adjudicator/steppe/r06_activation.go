package steppe

import (
	"fmt"
	"slices"
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

	range_  []*Unit // that the headquarters may activate
	markers int     // artillery support left
	marked  []*Unit // overrun markers
	deeds   []deeds // by place in State.Units
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

// mayActivate tells whether a headquarters may activate a unit.
//
// Steppe 2.6/4
// Steppe 6.0/1
// Steppe 6.2/1
// Steppe 6.2/2
// Steppe 6.3/1
// Steppe 2.4/12
//
// reading Steppe 6.3: SS units obey the SS headquarters alone; Wiking obeys Army
// headquarters only with the switch wiking_under_army.
func (s *State) mayActivate(hq, u *Unit) bool {
	if u.c.Side != hq.c.Side || !u.combat() || u.c.Command == Hungarian {
		return false
	}
	if s.sc.Switches.WikingUnderArmy && u.c.Printed == "Wkg" && hq.c.Command == Army {
		return true
	}
	return u.c.Command == hq.c.Command
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
		a.play()
	}
}

// drawn draws a chit and asks for its programme. Nil: the chit is wasted.
//
// Steppe 3.4/3
// Steppe 2.6/5
func (s *State) drawn(r *adjudicator.Run) *activation {
	side, name, die := s.draw(r)
	hq := s.byName(side, name)
	a := s.newActivation(r, side, hq)
	if !a.present() {
		r.Tell(view.Event{Kind: "chit-wasted", Clause: "Steppe 2.6", Side: string(side), Facts: map[string]string{"hq": name, "side": sideTitle(side), "die": die}, Rolls: []string{"draw"}})
		return nil
	}
	// Steppe 6.0/4
	for i := range s.Units {
		u := &s.Units[i]
		if u.Where == OnMap && !u.Activated && s.mayActivate(hq, u) && s.inRange(hq, u.Hex) {
			a.range_ = append(a.range_, u)
		}
	}
	at := hex.None
	if hq.Where == OnMap {
		at = hq.Hex
	}
	e := view.Event{Kind: "chit", Clause: "Steppe 3.4", Side: string(side), Rolls: []string{"draw"},
		Facts: map[string]string{"hq": name, "side": sideTitle(side), "command": hq.c.Command.title(), "units": fmt.Sprint(len(a.range_)), "left": fmt.Sprint(s.Cup.Left()), "die": die}}
	if at != hex.None {
		e.Hexes, e.Facts["hex"] = []hex.Hex{at}, s.spot(at)
	}
	r.Tell(e)
	a.ask(adjudicator.Decision{Label: entryFor(hq), Entry: entryFor(hq), Kind: KindActivation, Side: side, Clause: "Steppe 3.4"}, s.programmeText(side, hq))
	return a
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
		r.Tell(view.Event{Kind: "chit-roll", Clause: "Steppe 2.6", To: []string{string(poolSide(g.Name))}, Rolls: []string{label},
			Facts: map[string]string{"die": fmt.Sprint(die), "label": label, "chits": strings.Join(g.In, ", ")}})
	}
	name, side = g.Draw(die), poolSide(g.Name)
	s.Played = append(s.Played, Chit{name, side})
	return side, name, fmt.Sprint(draw)
}

func (s *State) newActivation(r *adjudicator.Run, side Side, hq *Unit) *activation {
	a := &activation{r: r, s: s, side: side, hq: hq, doc: s.doctrineOf(side), deeds: make([]deeds, len(s.Units))}
	if hq != nil {
		a.name, a.markers = hq.c.Name, hq.support()
	}
	for i := range s.Units {
		s.Units[i].Entered = false
	}
	return a
}

// present tells whether the chit's headquarters is on the map or may come now.
//
// reading Steppe 2.6: a chit whose headquarters was eliminated since it went into the
// cup is drawn and wasted.
func (a *activation) present() bool {
	return a.hq.Where == OnMap || a.hq.Where == Later && !a.hq.Back && a.hq.Due <= a.s.Turn
}

// ask puts the programme to its owner and reads what he answers.
//
// deviation Steppe 3.4: what a headquarters does is written in advance, with
// conditions; a side may want to be asked when its chit comes. A headquarters without
// a programme holds.
//
// deviation Steppe 6.0: the units that are activated are those that the programme
// names, or with UNITS those of that list; a unit that is not named stays free for
// another headquarters.
func (a *activation) ask(d adjudicator.Decision, text string) {
	s := a.s
	count := 0
	for _, c := range s.Played {
		if c.Side == a.side && c.HQ == a.name {
			count++
		}
	}
	d.Proposal, d.Source = text, "your sheet"
	if text == "" {
		d.Source = "no programme: it holds"
	}
	all := s.programmesIn(text, a.side, a.hq)
	d.Pause = s.pause(a, all, count)
	if answer := a.r.Ask(d)[0]; answer != text {
		all = s.programmesIn(answer, a.side, a.hq)
	}
	a.prog = s.choose(all, a.side, count)
}

// programmesIn reads the sections that answer an activation.
func (s *State) programmesIn(text string, side Side, hq *Unit) []*programme {
	sheet, _ := orders.Parse(text, Vocabulary)
	t := s.readTurn(side, sheet.Sections, func(orders.Pos, string, string, *rule.Violation) {})
	if hq == nil {
		return t.solo
	}
	return slices.DeleteFunc(t.programmes, func(p *programme) bool { return p.hq != hq })
}

// programmeText is the sections of the sheet that are about a headquarters, or with
// nil about the individual hex.
func (s *State) programmeText(side Side, hq *Unit) string {
	return sectionsFor(s, side, s.Sheets[sideIndex(side)].Orders, hq)
}

// sectionsFor picks them out of canonical text. Of the others not even the heads are read.
func sectionsFor(s *State, side Side, text string, hq *Unit) string {
	var out []string
	for _, part := range orders.Cut(text, Vocabulary) {
		head, _, _ := strings.Cut(part, "\n")
		word, rest, _ := strings.Cut(head, " ")
		if hq == nil && word == "SOLO" || hq != nil && word == "CHIT" && strings.HasPrefix(squeeze(rest), hq.c.key) && s.headOf(side, head) == hq {
			out = append(out, part)
		}
	}
	return strings.Join(out, "\n")
}

// headOf is the headquarters that the head of a section names, if it is understood.
func (s *State) headOf(side Side, head string) *Unit {
	sheet, _ := orders.Parse(head, Vocabulary)
	for _, sec := range sheet.Sections {
		if p, _, v := s.readHead(side, sec); v == nil {
			return p.hq
		}
	}
	return nil
}

// play carries the programme out: move and then attack, or attack and then move; never
// attack, move and attack again.
//
// Steppe 6.0/5
// Steppe 6.0/6
// Steppe 9.0/2
// Steppe 9.3/12
//
// reading Steppe 6.0: one mode for the whole activation.
//
// reading Steppe 9.3: in an activation that attacks first the overrun movement comes
// before the ordinary one, which follows by the switch overrun_then_move.
func (a *activation) play() {
	if a.prog == nil {
		a.r.Tell(view.Event{Kind: "holds", Side: string(a.side), Facts: map[string]string{"hq": a.title()}})
		return
	}
	a.activateListed()
	if a.prog.attack {
		a.combatMode()
		a.overrunMoves()
		a.moveMode()
	} else {
		a.moveMode()
		a.combatMode()
		a.overrunMoves()
	}
	// Steppe 6.0/9
	for i := range a.s.Units {
		a.s.Units[i].Entered = false
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
	for _, in := range a.prog.steps {
		if in.verb != "UNITS" {
			continue
		}
		us := in.units
		if us == nil {
			us = a.range_
		}
		for _, u := range us {
			if why := a.activate(u); why != "" {
				a.dropped(in.text, u.c.Name+" "+why)
			}
		}
	}
}

// activate activates a unit for this chit; it says why not.
//
// Steppe 6.0/8
// Steppe 6.0/10
func (a *activation) activate(u *Unit) string {
	switch {
	case u.Where != OnMap:
		return "is not on the map"
	case u == a.hq || a.did(u).active:
		return ""
	case a.hq != nil && !u.combat():
		return "is a headquarters with a chit of its own"
	case u.Activated:
		return "has been activated in this turn"
	case !slices.Contains(a.range_, u):
		if a.hq != nil && !a.s.mayActivate(a.hq, u) {
			return "does not obey " + a.name
		}
		return "is out of range"
	}
	if u.combat() {
		u.Activated = true
	}
	a.did(u).active = true
	return ""
}

// dropped tells the owner of an order that was not carried out.
func (a *activation) dropped(order, why string) {
	if a.quiet(why) {
		return
	}
	a.r.Tell(view.Event{Kind: "dropped", To: []string{string(a.side)}, Side: string(a.side), Facts: map[string]string{"order": order, "why": why}})
}

// quiet: a unit that is lost or has acted already drops out of an order without a word.
func (a *activation) quiet(why string) bool {
	return strings.HasSuffix(why, "is not on the map") || strings.HasSuffix(why, "has been activated in this turn") || strings.HasSuffix(why, "is not due")
}

// soloPhase is individual hex activation of one side.
//
// Steppe 6.1/1
// Steppe 6.1/2
// Steppe 6.1/3
// Steppe 6.1/4
// Steppe 6.1/6
// Steppe 6.1/7
// Steppe 6.3/2
//
// reading Steppe 6.1: the side whose chit was not the last goes first; all chosen units
// are of one colour; a headquarters in the hex may move too; no artillery, but aircraft.
func soloPhase(r *adjudicator.Run, s *State) {
	side := s.soloSide()
	s.Solo[sideIndex(side)] = true
	a := s.newActivation(r, side, nil)
	text := s.programmeText(side, nil)
	a.ask(adjudicator.Decision{Label: entryFor(nil), Entry: entryFor(nil), Kind: KindActivation, Side: side, Clause: "Steppe 6.1"}, text)
	if a.prog == nil {
		return
	}
	colour := Command("")
	for _, u := range s.unitsAt(a.prog.hex) {
		if u.c.Side != side || u.Activated && u.combat() {
			continue
		}
		if colour == "" && u.combat() && a.names(u) {
			colour = u.c.Command
		}
	}
	for _, u := range s.unitsAt(a.prog.hex) {
		// Steppe 6.1/5
		if u.c.Side == side && !u.Activated && u.c.Command == colour {
			a.range_ = append(a.range_, u)
		}
	}
	if len(a.range_) == 0 {
		a.dropped("SOLO HEX "+a.prog.hex.String(), "no unit there could be activated")
		return
	}
	r.Tell(view.Event{Kind: "solo", Clause: "Steppe 6.1", Hexes: []hex.Hex{a.prog.hex}, Side: string(side), Facts: map[string]string{"hex": s.spot(a.prog.hex), "side": sideTitle(side), "units": names(a.range_)}})
	a.play()
}

// names tells whether the programme speaks of a unit.
func (a *activation) names(u *Unit) bool {
	for _, in := range a.prog.steps {
		if slices.Contains(in.units, u) || in.verb == "UNITS" && in.units == nil || in.atWill {
			return true
		}
	}
	return false
}

// soloSide is the side that activates its individual hex now.
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
