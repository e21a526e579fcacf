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

// The phases of a turn: weather, supply, one for each chit, and the end.
//
// GD 1.0/2
// GD 1.0/3
// GD 1.0/4
// GD 3.1/1
func (s *State) play() (name string, do func(*adjudicator.Run, *State)) {
	switch {
	case s.Phase == 0:
		return "Set-up", setUpPhase
	case s.Phase == 1:
		return "Weather", weatherPhase
	case s.Phase == 2:
		return "Supply", supplyPhase
	case len(s.Cup)+len(s.First) > 0:
		return fmt.Sprintf("Activation %d", s.Phase-2), activationPhase
	}
	return "End of the turn", endPhase
}

func (s *State) phaseName() string {
	if s.Verdict != "" {
		return "the game is over"
	}
	name, _ := s.play()
	return name
}

// phase plays the phase that comes next.
func phase(r *adjudicator.Run, s *State) {
	_, do := s.play()
	r.Through(s.audience)
	do(r, s)
	s.noteContacts()
	if s.Verdict == "" {
		s.Phase++
	}
	s.rest()
}

// rest ends what lasts for an activation only.
func (s *State) rest() {
	for i := range s.Units {
		u := &s.Units[i]
		u.spent, u.started, u.stopped, u.active = 0, false, false, false
		u.fought, u.shot, u.barraged, u.cleared, u.worked, u.alighted, u.entered = false, false, false, false, false, false, false
	}
	s.commander, s.shots, s.plans = "", nil, [2]*standing{}
}

// weatherPhase rolls the weather and puts the chits into the cup.
//
// GD 3.2/1
// GD 3.4/7
// GD 6.0/11
// GD 14.0/1
// GD 14.0/3
// GD 14.1/16
// GD 14.1/17
func weatherPhase(r *adjudicator.Run, s *State) {
	die := r.Roll("GD 14.0", "weather", 1, 6)[0]
	s.Weather = max(1, min(6, die+s.box().Weather))
	s.Done, s.First = nil, nil
	for i := range s.Units {
		s.Units[i].Used = false
	}
	r.Tell(view.Event{Kind: "weather", Clause: "GD 14.0", Rolls: []string{"weather"}, Facts: map[string]string{
		"date": s.date(s.Turn), "dice": fmt.Sprint(die), "label": "weather", "mod": fmt.Sprintf("%+d", s.box().Weather), "weather": s.weatherName()}})
	s.checkCondition(r)
	s.Cup = s.chits()
}

// weatherName calls a sunny night clear.
//
// GD 14.0/4
func (s *State) weatherName() string {
	if n := s.weather().Name; n != "Sunny" || s.part().Name == "Morning" || s.part().Name == "Day" {
		return n
	}
	return "Clear"
}

// checkCondition opens conditional reinforcements: if the scorer has held an
// objective, even for a moment, before they are due.
//
// GD 21.4/4
func (s *State) checkCondition(r *adjudicator.Run) {
	if s.sc.Condition.Key == "" || s.Opened || !s.held() {
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
		r.Tell(view.Event{Kind: "opened", Clause: "GD 21.4", Facts: map[string]string{"text": s.sc.Condition.Text}})
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
//
// GD 18.4/1
// GD 21.4/1
//
// deviation GD 17.0: both sides set up by one mail, so that the second does not see where the first has changed its default placement.
func supplyPhase(r *adjudicator.Run, s *State) {
	ds := make([]adjudicator.Decision, 2)
	for i, side := range s.sc.SetupOrder {
		ds[i] = adjudicator.Decision{Label: "orders of the " + string(side), Kind: kindTurn, Side: side, Clause: "GD 3.3", Turn: true}
	}
	answers := r.Ask(ds...)
	for i, side := range s.sc.SetupOrder {
		p := &parser{s: s, side: side}
		var sup supplyOrders
		for _, l := range lines(answers[i]) {
			if v := p.turnOrder(&sup, l); v != nil {
				s.skipFor(r, side, l, v)
			}
		}
		if s.Turn == 1 && !s.Placed {
			s.tellSetup(r, side)
		}
		s.defaultFirst(side)
		defer s.audit(r, side, sup)
	}
}

// turnOrder reads and does an order of the sections SETUP, FIRST and SUPPLY.
//
// GD 18.1/1
// GD 18.1/2
// GD 19.1/1
// GD 20.1/1
// GD 21.1/1
// GD 17.0/3
func (p *parser) turnOrder(sup *supplyOrders, text string) *rule.Violation {
	o, err := orders.ParseOrder(text)
	if err != nil {
		return &rule.Violation{Why: err.Error()}
	}
	r := phrase.New(slices.Clone(o.Clauses[0]))
	switch w := r.Next(); w {
	case "FIRST":
		return p.first(&r)
	case "DIVSUPPLY":
		bn, v := p.battalion(r.Words)
		sup.division = bn
		return v
	case "STACK":
		n := len(r.Words) - 1
		if n < 1 {
			return &rule.Violation{Clause: "GD 5.1", Why: "STACK needs a battalion and a hex"}
		}
		h, v := p.hex(r.Words[n].Text)
		if v != nil {
			return v
		}
		bn, v := p.battalion(r.Words[:n])
		if sup.stacks == nil {
			sup.stacks = map[string]hex.Hex{}
		}
		sup.stacks[bn] = h
		return v
	case "PLACE":
		return p.place1(&r)
	default:
		return &rule.Violation{Why: fmt.Sprintf("%q is not understood here", w)}
	}
}

// battalion reads the name of a battalion of the side.
func (p *parser) battalion(list []orders.Word) (string, *rule.Violation) {
	name := phrase.Join(list)
	for _, c := range p.s.sc.Counters {
		if c.Side == p.side && strings.EqualFold(c.Battalion, name) {
			for i := range p.s.Units {
				if u := &p.s.Units[i]; u.c.Side == p.side && u.c.Battalion == c.Battalion {
					if v := p.s.foreign(u); v != nil {
						return "", v
					}
				}
			}
			return c.Battalion, nil
		}
	}
	return "", &rule.Violation{Why: fmt.Sprintf("you have no battalion %s", name)}
}

// first takes the chits that a side draws first on turn 1, in its order.
func (p *parser) first(r *phrase.Reader) *rule.Violation {
	s := p.s
	r.Skip("CHIT")
	r.Skip("CHITS")
	if s.Turn != 1 || p.side != s.sc.FirstSide {
		return &rule.Violation{Clause: "GD 18.1", Why: fmt.Sprintf("the %s choose %d chits on turn 1, nobody else and never again", s.sc.FirstSide, s.sc.FirstChits)}
	}
	for _, spec := range phrase.Parts(r.Words) {
		bn, v := p.battalion(spec)
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

// defaultFirst fills up the chits that a side chooses first, in listing order.
func (s *State) defaultFirst(side Side) {
	if s.Turn != 1 || side != s.sc.FirstSide {
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
// GD 2.5/2
// GD 3.4/8
// GD 6.0/9
// GD 18.1/2
func activationPhase(r *adjudicator.Run, s *State) {
	key := s.drawChit(r)
	side, bn := cutKey(key)
	s.plansFor = side
	r.Tell(view.Event{Kind: "chit", Clause: "GD 3.4", Side: string(side), Facts: map[string]string{"side": string(side), "chit": bn}})
	p := &parser{s: s, side: side, bn: bn}
	texts := s.orders(r, p)
	var by *Unit
	stack := hex.None
	own := bn
	if bn == "Div" {
		by = s.div(side)
		own, texts = s.divisionTarget(p, texts, by)
		p.bn = own
	} else if by = s.hq(side, bn); by == nil && s.dueHQ(side, bn) == nil {
		if slices.ContainsFunc(s.Units, func(u Unit) bool { return u.c.Side == side && u.c.Battalion == bn && u.Where == OnMap }) {
			stack = p.stack(texts, s.bestStack(side, bn))
		}
	} // else the headquarters itself is still to enter
	if slices.Contains(s.Done, chitKey(side, own)) {
		r.Tell(view.Event{Kind: "pass", Clause: "GD 6.0", Facts: map[string]string{"side": string(side), "chit": bn}})
		return
	}
	us := s.activate(side, own, by, stack)
	s.activateRiders()
	s.programme(r, p, texts)
	s.used(side, own, us)
	s.Quiet = slices.DeleteFunc(s.Quiet, func(k string) bool { return k == key })
	s.tellPass(r, side, bn, own)
}

// endPhase ends the turn, after a night the day, and at the last the game.
//
// GD 2.6/4
// GD 3.5/1
// GD 3.5/4
// GD 3.5/5
// GD 3.5/6
// GD 6.0/18
// GD 10.2/13
// GD 11.4/11
func endPhase(r *adjudicator.Run, s *State) {
	s.finishPontoons(r)
	for i := range s.Units {
		u := &s.Units[i]
		u.Pinned, u.Overrun, u.Used = false, false, false
		u.Fired = u.c.Artillery > 0 && u.Unsupplied >= 2
	}
	if s.part().Name == "Night" {
		s.replacements(r)
	}
	s.Done = nil
	if s.Turn == len(s.sc.Track) {
		s.judge(r)
		return
	}
	s.Turn, s.Phase = s.Turn+1, 0 // phase adds one
}

// month names for dates.
var months = []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}

// date is the day and part of the day of a turn.
func (s *State) date(turn int) string {
	b := s.sc.Track[min(turn, len(s.sc.Track))-1]
	return fmt.Sprintf("%d %s %d, %s", b.Day, months[s.sc.Month-1], s.sc.Year, b.Part.Name)
}
