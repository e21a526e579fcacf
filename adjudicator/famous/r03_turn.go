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

// weatherPhase rolls the weather and puts the chits into the cup.
//
// GD 3.2/1
func weatherPhase(r *adjudicator.Run, s *State) {
	// GD 14.0/1: a die decides the weather of each turn
	// GD 14.1/17: each turn has a roll of its own
	die := r.Roll("GD 14.0", "weather", 1, 6)[0]
	// GD 14.0/3: the turn track modifies it
	// reading GD 14.0: a modified die below 1 is a 1, above 6 a 6: the text has no other weather.
	// GD 14.1/16: it lasts for the turn
	s.Weather = max(1, min(6, die+s.box().Weather))
	s.Done, s.First = nil, nil
	for i := range s.Units {
		s.Units[i].Used = false
	}
	r.Tell(view.Event{Kind: "weather", Clause: "GD 14.0", Rolls: []string{"weather"}, Facts: view.Pairs{
		"date", s.date(s.Turn), "dice", fmt.Sprint(die), "label", "weather", "mod", fmt.Sprintf("%+d", s.box().Weather), "weather", s.weatherName()}})
	s.checkCondition(r)
	// GD 3.4/7: the chits of the turn are put into the cup
	// GD 6.0/11: all of them again
	s.Cup = s.chits()
}

// weatherName calls a sunny evening or night clear.
//
// GD 14.0/4
func (s *State) weatherName() string {
	name := s.weather().Name
	if name == "Sunny" && s.dark() {
		return "Clear"
	}
	return name
}

// checkCondition opens conditional reinforcements: if the scorer has held an
// objective, even for a moment, before they are due.
//
// GD 21.4/4
func (s *State) checkCondition(r *adjudicator.Run) {
	conditional := s.sc.Condition.Key != ""
	if !conditional || s.Opened || !s.held() {
		return
	}
	first := len(s.sc.Track) + 1
	for _, a := range s.sc.Arrivals {
		if a.Condition != "" {
			first = min(first, a.Turn)
		}
	}
	if s.Turn <= first {
		s.Opened = true
		r.Tell(view.Event{Kind: "opened", Clause: "GD 21.4", Facts: view.Pairs{"text", s.sc.Condition.Text}})
	}
}

// held tells whether the scorer has occupied an objective at any time.
func (s *State) held() bool {
	for _, o := range s.sc.Objectives {
		for _, h := range o.Hexes {
			if s.lastOn(h) == s.sc.Scorer || slices.Contains(s.Touched, h) {
				return true
			}
		}
	}
	return false
}

// supplyPhase reads the sealed orders of both sides, sets up in turn 1, and
// audits supply.
//
// GD 3.3/1
// deviation GD 17.0: without a turn 0 both sides set up by the sheets for turn 1, so that the
// second does not see where the first has changed its default placement (option set-up).
func supplyPhase(r *adjudicator.Run, s *State) {
	ds := make([]adjudicator.Decision, 2)
	for i, side := range s.sc.SetupOrder {
		ds[i] = adjudicator.Decision{Label: "orders of the " + string(side), Kind: kindTurn, Side: side, Clause: "GD 3.3", Turn: true}
	}
	answers := r.Ask(ds...)
	for i, side := range s.sc.SetupOrder {
		p := &parser{s: s, side: side}
		var sup supplyOrders
		places, rest := placements(phrase.ReadAll(answers[i]))
		s.setUpBy(r, p, places)
		for _, o := range rest {
			if v := p.turnOrder(&sup, o); v != nil {
				s.skipFor(r, side, o.Text, v)
			}
		}
		if s.Turn == 1 && !s.Placed {
			s.tellSetup(r, side)
		}
		s.defaultFirst(side)
		defer s.audit(r, side, sup)
	}
}

// turnOrder reads and does an order of the sections FIRST and SUPPLY.
func (p *parser) turnOrder(sup *supplyOrders, o phrase.Written) *rule.Violation {
	if o.Fault != nil {
		return o.Fault
	}
	r := phrase.New(slices.Clone(o.Order.Clauses[0]))
	switch w := r.Next(); w {
	case "FIRST":
		return p.first(&r)
	case "DIVSUPPLY":
		bn, v := p.battalion(phrase.Join(r.Words))
		sup.division = bn
		return v
	case "STACK":
		return p.supplyStack(sup, r.Words)
	default:
		return &rule.Violation{Why: fmt.Sprintf("%q is not understood here", w)}
	}
}

// supplyStack reads which stack of a battalion is in automatic supply, and with which of
// its units that stays if it parts: STACK 1RIF 2134, STACK 1RIF 2134 WITH 2.
//
// GD 5.1/7
func (p *parser) supplyStack(sup *supplyOrders, words []orders.Word) *rule.Violation {
	words, with := cutWith(words)
	n := len(words) - 1
	if n < 1 {
		return &rule.Violation{Clause: "GD 5.1", Why: "STACK needs a battalion and a hex"}
	}
	h, v := p.hex(words[n].Text)
	if v != nil {
		return v
	}
	bn, v := p.battalion(phrase.Join(words[:n]))
	if v != nil {
		return v
	}
	if sup.stacks == nil {
		sup.stacks, sup.keepers = map[string]hex.Hex{}, map[string]string{}
	}
	sup.stacks[bn] = h
	delete(sup.keepers, bn)
	if with == nil {
		return nil
	}
	in := &parser{s: p.s, side: p.side, bn: bn}
	u, v := in.one(with)
	switch {
	case v != nil:
		return v
	case u.c.Battalion != bn:
		return &rule.Violation{Clause: "GD 5.1", Why: fmt.Sprintf("%s is not of %s", u.c.Name, bn)}
	}
	sup.keepers[bn] = u.ID // GD 5.1/15
	return nil
}

// cutWith cuts what stands behind the word WITH off an order; nil if nothing does.
func cutWith(words []orders.Word) (before, with []orders.Word) {
	k := slices.IndexFunc(words, func(w orders.Word) bool { return w.Text == "WITH" })
	if k < 0 {
		return words, nil
	}
	return words[:k], words[k+1:]
}

// battalion reads the name of a battalion of the side, or of its headquarters.
func (p *parser) battalion(name string) (string, *rule.Violation) {
	bn := p.battalionCalled(name)
	if bn == "" {
		if u, found := phrase.Find(p, p.s.sc.Board, name); found && u.c.HQ {
			bn = u.c.Battalion
		}
	}
	if bn == "" {
		return "", &rule.Violation{Why: fmt.Sprintf("you have no battalion %s", name), Instead: orders.DidYouMean(orders.Near(name, p.battalions()))}
	}
	for u := range p.s.battalion(p.side, bn) {
		if v := p.s.foreign(u); v != nil {
			return "", v
		}
	}
	return bn, nil
}

// battalionCalled is the battalion of that name, in any spelling of it, "" for none.
func (p *parser) battalionCalled(name string) string {
	for _, same := range []func(a, b string) bool{strings.EqualFold, func(a, b string) bool { return phrase.Fold(a) == phrase.Fold(b) }} {
		for _, c := range p.s.sc.Counters {
			if c.Side == p.side && same(c.Battalion, name) {
				return c.Battalion
			}
		}
	}
	return ""
}

// battalions are those of the side, in capitals.
func (p *parser) battalions() (out []string) {
	for _, c := range p.s.sc.Counters {
		if name := strings.ToUpper(c.Battalion); c.Side == p.side && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// first takes the chits that a side draws first on turn 1, in its order.
func (p *parser) first(r *phrase.Reader) *rule.Violation {
	s := p.s
	r.Skip("CHIT")
	r.Skip("CHITS")
	if !s.choosesFirst(p.side) {
		return &rule.Violation{Clause: "GD 18.1", Why: fmt.Sprintf("the %s choose %d chits on turn 1, nobody else and never again", s.sc.FirstSide, s.sc.FirstChits)}
	}
	for _, spec := range phrase.Parts(r.Words) {
		bn, v := p.battalion(phrase.Join(spec))
		if v != nil {
			return v
		}
		k := slices.Index(s.Cup, chitKey(p.side, bn))
		if k < 0 || len(s.First) == s.sc.FirstChits {
			return &rule.Violation{Clause: "GD 18.1", Why: fmt.Sprintf("%s is not in the cup, or you have chosen your %d chits", bn, s.sc.FirstChits)}
		}
		s.First = append(s.First, s.Cup[k])
		s.Cup = slices.Delete(s.Cup, k, k+1)
	}
	return nil
}

// choosesFirst tells whether a side chooses now which chits come first: once, on turn 1.
//
// GD 18.1/1: the Germans, one
// GD 19.1/1: the Soviets, three
// GD 20.1/1: the Germans, one
// GD 21.1/1: the Soviets, five
func (s *State) choosesFirst(side Side) bool { return s.Turn == 1 && side == s.sc.FirstSide }

// defaultFirst fills up the chits that a side chooses first, in listing order.
func (s *State) defaultFirst(side Side) {
	if !s.choosesFirst(side) {
		return
	}
	for _, a := range s.Cup {
		if len(s.First) >= s.sc.FirstChits {
			break
		}
		if sd, _ := cutKey(a); sd == side {
			s.First = append(s.First, a)
		}
	}
	s.Cup = slices.DeleteFunc(s.Cup, func(k string) bool { return slices.Contains(s.First, k) })
}

// activationPhase draws a chit and has its battalion move and fight.
//
// GD 2.5/2: the chit says which battalion acts
// GD 6.0/17: none does twice in a turn
func activationPhase(r *adjudicator.Run, s *State) {
	key := s.drawChit(r)
	side, bn := cutKey(key)
	s.plansFor, s.soFar = side, sofar{}
	r.Tell(view.Event{Kind: "chit", Clause: "GD 3.4", Side: string(side), Facts: view.Pairs{"side", string(side), "chit", bn}})
	p := &parser{s: s, side: side, bn: bn}
	list := s.orders(r, p)
	var a activation
	if bn == divBattalion {
		a.by = s.div(side)
		p.bn, list = s.divisionTarget(p, list, a.by)
	}
	if a.by == nil {
		a = s.ownActivation(side, bn) // GD 2.4/7: the division's own companies alike
		if a.stack != hex.None {
			a.stack = p.stack(list, a.stack)
		}
	}
	a.side, a.battalion = side, p.bn
	if slices.Contains(s.Done, chitKey(side, p.bn)) {
		r.Tell(view.Event{Kind: "pass", Clause: "GD 6.0", Facts: view.Pairs{"side", string(side), "chit", bn}})
		return
	}
	us := s.activate(a)
	s.beginActivation(side)
	s.programme(r, p, list)
	s.used(side, p.bn, us)
	s.Quiet = slices.DeleteFunc(s.Quiet, func(k string) bool { return k == key })
	s.tellPass(r, side, bn, p.bn)
}

// ownActivation is how the chit of a battalion activates it: by its headquarters, if it
// has one; else one stack, the best if its owner names none.
func (s *State) ownActivation(side Side, bn string) activation {
	a := activation{side: side, battalion: bn, by: s.hq(side, bn)}
	// GD 6.0/19: one that is due and not on the map yet commands nobody there
	if a.by == nil {
		a.stack = s.bestStack(side, bn) // GD 2.4/5
	}
	return a
}

// endPhase ends the turn, after a night the day, and at the last the game.
//
// GD 6.0/18
// GD 3.5/8: bridges, supply, riders and debarked units stay as they are
// reading GD 3.5: of the markers that the end of the turn removes those stay that show what lasts by
// a rule of its own: blown bridges, states of supply, riders, debarked units; the text names Road
// Move alone.
func endPhase(r *adjudicator.Run, s *State) {
	s.finishPontoons(r)
	for i := range s.Units {
		u := &s.Units[i]
		// GD 2.6/4: pins, overruns and fired guns last to the end of the turn
		// GD 3.5/1: the markers go
		// GD 3.5/4: nobody is pinned any longer
		u.Pinned, u.Overrun, u.Used, u.KeptFor = false, false, false, ""
		// GD 3.5/5: guns may fire again
		// GD 10.2/13: in support too
		u.Fired = u.isGun() && u.outOfSupply() // GD 5.3/8
	}
	if s.night() {
		s.replacements(r)
	}
	s.Done = nil
	if s.Turn == len(s.sc.Track) {
		s.judge(r)
		return
	}
	s.Turn, s.Phase = s.Turn+1, 0 // GD 3.5/6: the marker moves on; phase adds one
}

// months are their names, for dates.
var months = []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}

// date is the day and part of the day of a turn.
func (s *State) date(turn int) string {
	b := s.sc.Track[min(turn, len(s.sc.Track))-1]
	return fmt.Sprintf("%d %s %d, %s", b.Day, months[s.sc.Month-1], s.sc.Year, b.Part.Name)
}
