package steppe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/cup"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

// steps is the sequence of play. The middle ones repeat: a chit is a phase, and so is an
// individual hex of each side.
//
// Steppe 3.0/1
func steps() map[Step]func(*adjudicator.Run, *State) {
	return map[Step]func(*adjudicator.Run, *State){
		StepWeather: weatherPhase, // weather, reinforcements, air allotment
		StepOrders:  ordersPhase,  // both sides' sealed sheets: the chits go into the cup
		StepChit:    chitPhase,
		StepSolo:    soloPhase,
		StepEnd:     endPhase, // supply audit
	}
}

// phase plays the phase that comes next.
func phase(r *adjudicator.Run, s *State) {
	if s.sc.Fog == adjudicator.FogBlind {
		r.Through((&listener{s: s}).hear)
	}
	steps()[s.Step](r, s)
	s.look()
	s.advance(r)
}

// advance goes on to the next phase, or ends the game.
//
// Steppe 3.4/4
// Steppe 3.4/5
func (s *State) advance(r *adjudicator.Run) {
	s.Phase++
	switch s.Step {
	case StepWeather:
		s.Step = StepOrders
	case StepOrders, StepChit, StepSolo:
		switch {
		case s.Cup.Left() > 0:
			s.Step = StepChit
		case !s.Solo[0] || !s.Solo[1]:
			s.Step = StepSolo
		default:
			s.Step = StepEnd
		}
	case StepEnd:
		if s.Turn == s.sc.Last {
			s.Winner, s.Verdict = s.verdict()
			r.Tell(view.Event{Kind: "verdict", Clause: "Steppe 16.0", Facts: map[string]string{"verdict": s.Verdict}})
			return // the clock stops with the game
		}
		s.Turn, s.Phase, s.Step = s.Turn+1, 1, StepWeather
	}
}

// phaseName is the name of the phase that comes next.
func (s *State) phaseName() string {
	switch {
	case s.Verdict != "":
		return "the game is over"
	case s.Step == StepWeather:
		return "Weather, reinforcements, air"
	case s.Step == StepOrders:
		return "Turn orders of both sides"
	case s.Step == StepChit:
		return fmt.Sprintf("Activation %d", len(s.Played)+1)
	case s.Step == StepSolo:
		return "Individual hex of the " + sideTitle(s.soloSide()) + "s"
	}
	return "End of Turn"
}

// weatherPhase opens a turn: mergers take effect, the Backhand Blow is announced, the
// weather is rolled, reinforcements are due, aircraft are allotted.
//
// Steppe 3.1/1
// Steppe 3.1/2
// Steppe 3.1/3
// Steppe 3.1/4
//
// reading Steppe 3.1: the weather lasts for the turn, its End of Turn included.
func weatherPhase(r *adjudicator.Run, s *State) {
	s.clearTurn()
	s.mergeAll(r)
	s.announce(r)
	die := r.Roll("Steppe 3.1", "weather", 1, 6)[0]
	season := 0
	if s.Turn >= 5 {
		season = 1
	}
	s.Weather, s.Ground, _ = strings.Cut(s.sc.Weather[season][die], "/")
	s.changed()
	r.Tell(view.Event{Kind: "weather", Clause: "Steppe 3.1", Rolls: []string{"weather"},
		Facts: map[string]string{"die": fmt.Sprint(die), "weather": s.Weather, "ground": s.Ground, "label": "weather", "turn": fmt.Sprint(s.Turn), "dates": s.sc.date(s.Turn)}})
	s.allot()
}

// clearTurn forgets what belongs to one turn.
//
// Steppe 3.5/1
// Steppe 3.5/2
//
// reading Steppe 3.5: blown bridges, control and Kampfgruppen stay; 12.0 says that
// bridges are never repaired.
func (s *State) clearTurn() {
	for i := range s.Units {
		u := &s.Units[i]
		u.Activated, u.Entered, u.Regrouped = false, false, false
	}
	s.Played, s.Cup = nil, nil
	s.Solo, s.Rail, s.Marked = [2]bool{}, [2]Rail{}, [2]bool{}
	for k := range s.Sheets {
		s.Sheets[k].Orders = ""
		s.Fallen[k] = nil
	}
}

// announce tells of Manstein's Backhand Blow when the turn opens that was named.
//
// Steppe 15.0/1
// Steppe 15.0/2
// Steppe 15.0/3
// Steppe 15.0/5
//
// deviation Steppe 15.0: it is named in the sheet of the turn before and announced when
// its turn opens; so it cannot be the first turn of a scenario. It applies to every
// attack of German and Hungarian units in that turn.
func (s *State) announce(r *adjudicator.Run) {
	k := sideIndex(German)
	if !s.Sheets[k].Backhand || s.Backhand != 0 {
		return
	}
	s.Sheets[k].Backhand, s.Backhand = false, s.Turn
	r.Tell(view.Event{Kind: "backhand", Clause: "Steppe 15.0", Side: string(German), Facts: map[string]string{"turn": fmt.Sprint(s.Turn)}})
}

// ordersPhase takes both sides' sealed turn sheets and puts the chits into the cup.
//
// Steppe 3.4/1
// Steppe 2.6/1
// Steppe 2.6/2
//
// deviation Steppe 2.6: both sides choose their chits at once and in secret; how many
// are in the cup is public, which ones is not until they are drawn.
func ordersPhase(r *adjudicator.Run, s *State) {
	var ds []adjudicator.Decision
	for _, side := range s.sc.sides() {
		ds = append(ds, adjudicator.Decision{Label: "orders " + string(side), Kind: KindOrders, Side: side, Clause: "Steppe 3.4", Turn: true})
	}
	answers := r.Ask(ds...)
	var sheets [2]*turnOrders
	for i, side := range s.sc.sides() {
		var mode string
		if mode, s.Sheets[i].Orders = cutMode(answers[i]); mode != "" {
			s.Sheets[i].Mode = mode // it lasts until a sheet has another
		}
		sheets[i] = s.filed(side, s.Sheets[i].Orders)
		s.keepStanding(side, sheets[i].standing)
		s.Sheets[i].Backhand = sheets[i].backhand
	}
	for i, side := range s.sc.sides() {
		s.comeBack(r, side, sheets[i].back)
		s.allotRain(side, s.doctrineOf(side).rain)
	}
	for _, pool := range pools {
		side := poolSide(pool)
		s.Cup = append(s.Cup, s.fill(pool, sheets[sideIndex(side)].chits))
	}
	facts := map[string]string{}
	for _, g := range s.Cup {
		facts[strings.ToLower(g.Name)] = fmt.Sprint(g.Left)
	}
	r.Tell(view.Event{Kind: "cup", Clause: "Steppe 3.4", Facts: facts})
}

// modeLine begins the answer of a side that says how it wants to be asked.
const modeLine = "MODE: "

// cutMode parts the line of the mode from the sections of a sealed sheet.
func cutMode(answer string) (mode, sections string) {
	rest, ok := strings.CutPrefix(answer, modeLine)
	if !ok {
		return "", answer
	}
	mode, sections, _ = strings.Cut(rest, "\n")
	return mode, sections
}

// filed reads a sealed sheet that stood when it was sent.
func (s *State) filed(side Side, text string) *turnOrders {
	sheet, _ := orders.Parse(text, Vocabulary)
	return s.readTurn(side, sheet.Sections, func(orders.Pos, string, string, *rule.Violation) {})
}

// chitsOf are the headquarters of a pool that are on the map or come in this turn, in
// order of name.
func (s *State) chitsOf(pool string) []*Unit {
	var out []*Unit
	for i := range s.Units {
		u := &s.Units[i]
		if u.c.Type == HQ && u.c.Command.pool() == pool && (u.Where == OnMap || u.Where == Later && u.Due <= s.Turn) {
			out = append(out, u)
		}
	}
	slices.SortFunc(out, func(a, b *Unit) int { return strings.Compare(a.c.Name, b.c.Name) })
	return out
}

// fill makes the group of chits of a pool: the owner's choice if the track asks for
// fewer than there are headquarters, else all.
//
// Steppe 2.6/1
// Steppe 2.6/6
//
// reading Steppe 2.6: a chit names one headquarters; those of absent ones may not be
// put in. If the track asks for more, the drawn ones go back blindly when the last is
// out; a second draw lets the headquarters move and support again, and activate units
// that have not been.
func (s *State) fill(pool string, chosen []*Unit) cup.Group {
	there := s.chitsOf(pool)
	want := s.sc.Chits[s.Turn-1][pool]
	var put []*Unit
	for _, u := range chosen {
		if slices.Contains(there, u) && len(put) < want {
			put = append(put, u)
		}
	}
	rest := slices.DeleteFunc(slices.Clone(there), func(u *Unit) bool { return slices.Contains(put, u) })
	slices.SortStableFunc(rest, func(a, b *Unit) int {
		return cmp.Or(first(a.Where == Later && !a.Back, b.Where == Later && !b.Back), s.mates(b, b.Hex)*b.onMap()-s.mates(a, a.Hex)*a.onMap(), b.c.Artillery-a.c.Artillery)
	})
	for _, u := range rest {
		if len(put) < want {
			put = append(put, u)
		}
	}
	slices.SortFunc(put, func(a, b *Unit) int { return strings.Compare(a.c.Name, b.c.Name) })
	var chits []string
	for _, u := range put {
		chits = append(chits, u.c.Name)
	}
	return cup.New(pool, chits, want)
}

// onMap is 1 for a unit on the map.
func (u *Unit) onMap() int {
	if u.Where == OnMap {
		return 1
	}
	return 0
}

// judgeChits says what is wrong with a choice of chits.
func (s *State) judgeChits(side Side, us []*Unit) *rule.Violation {
	n := map[string]int{}
	for _, u := range us {
		pool := u.c.Command.pool()
		switch {
		case u.c.Type != HQ:
			return &rule.Violation{Clause: "Steppe 2.6", Why: u.c.Name + " is no headquarters"}
		case !slices.Contains(s.chitsOf(pool), u):
			return &rule.Violation{Clause: "Steppe 2.6", Why: fmt.Sprintf("the headquarters %s is not on the map and does not come in this turn", u.c.Name)}
		}
		if n[pool]++; n[pool] > s.sc.Chits[s.Turn-1][pool] {
			return &rule.Violation{Clause: "Steppe 2.6", Why: fmt.Sprintf("the track has %d chits for %s in this turn", s.sc.Chits[s.Turn-1][pool], strings.ToLower(pool))}
		}
	}
	return nil
}

// endPhase audits supply and closes the turn.
//
// Steppe 3.5/1
func endPhase(r *adjudicator.Run, s *State) { s.audit(r) }
