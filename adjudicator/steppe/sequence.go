package steppe

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/cup"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

// sequence is the sequence of play of a turn: its phases in their order. A chit is a
// phase, and so is the individual hex of each side; these come as long as there is one.
//
// Steppe 3.0/1
var sequence = [...]struct {
	step  Step
	name  func(*State) string
	play  func(*adjudicator.Run, *State)
	while func(*State) bool // nil: once
}{
	{StepWeather, named("Weather, reinforcements, air"), weatherPhase, nil},
	{StepOrders, named("Turn orders of both sides"), ordersPhase, nil},
	{StepChit, chitName, chitPhase, chitsToCome},
	{StepSolo, soloName, soloPhase, solosToCome},
	{StepEnd, named("End of Turn"), endPhase, nil},
}

func named(name string) func(*State) string { return func(*State) string { return name } }

func chitName(s *State) string { return fmt.Sprintf("Activation %d", len(s.Played)+1) }

func soloName(s *State) string { return "Individual hex of the " + sideTitle(s.soloSide()) + "s" }

func chitsToCome(s *State) bool { return s.Cup.Left() > 0 }

func solosToCome(s *State) bool { return s.Solo != [2]bool{true, true} }

// at is the place of a step in the sequence of play.
func (step Step) at() int {
	for i := range sequence {
		if sequence[i].step == step {
			return i
		}
	}
	return 0
}

// phase plays the phase that comes next.
func phase(r *adjudicator.Run, s *State) {
	if s.sc.Fog == adjudicator.FogBlind {
		r.Through((&listener{s: s}).hear)
	}
	sequence[s.Step.at()].play(r, s)
	s.look()
	s.advance(r)
}

// advance goes on to the next phase, or ends the game.
func (s *State) advance(r *adjudicator.Run) {
	s.Phase++
	// After a chit another one is drawn, until the cup is empty.
	//
	// Steppe 3.4/4
	// Steppe 3.4/5
	i := s.Step.at()
	if while := sequence[i].while; while != nil && while(s) {
		return
	}
	for _, p := range sequence[i+1:] {
		if p.while == nil || p.while(s) {
			s.Step = p.step
			return
		}
	}
	if s.Turn == s.sc.Last {
		s.Winner, s.Verdict = s.verdict()
		r.Tell(view.Event{Kind: "verdict", Clause: "Steppe 16.0", Facts: view.Pairs{"verdict", s.Verdict}})
		return // the clock stops with the game
	}
	s.Turn, s.Phase, s.Step = s.Turn+1, 1, StepWeather
}

// phaseName is the name of the phase that comes next.
func (s *State) phaseName() string {
	if s.Verdict != "" {
		return "the game is over"
	}
	return sequence[s.Step.at()].name(s)
}

// lateTurn is the turn from which the second half of the Weather Table counts.
const lateTurn = 5

// weatherPhase opens a turn: mergers take effect, the weather is rolled, reinforcements
// are due, aircraft are allotted, and who wants to be asked names the Backhand Blow.
//
// reading Steppe 3.1: the weather lasts for the turn, its End of Turn included.
func weatherPhase(r *adjudicator.Run, s *State) {
	s.clearTurn()
	s.mergeAll(r)
	s.announceSealed(r)
	die := r.Roll("Steppe 3.1", "weather", 1, 6)[0] // Steppe 3.1/1
	season := 0
	if s.Turn >= lateTurn {
		season = 1
	}
	// Both last until the next turn opens.
	//
	// Steppe 3.1/2
	// Steppe 3.1/3
	// Steppe 3.1/4
	s.Weather, s.Ground, _ = strings.Cut(s.sc.Weather[season][die], "/")
	s.changed()
	r.Tell(view.Event{Kind: "weather", Clause: "Steppe 3.1", Rolls: []string{"weather"},
		Facts: view.Pairs{"die", strconv.Itoa(die), "weather", s.Weather, "ground", s.Ground, "label", "weather",
			"turn", strconv.Itoa(s.Turn), "dates", s.sc.date(s.Turn)}})
	s.allot()
	s.askBlow(r)
}

// clearTurn forgets what belongs to one turn; supply states stay.
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
	s.Solo, s.Rail, s.Marked, s.Beside = [2]bool{}, [2]Rail{}, [2]bool{}, [2]bool{}
	for k := range s.Sheets {
		s.Sheets[k].Last = s.programmesFiled(s.Sheets[k].Orders)
		s.Sheets[k].Orders = ""
		s.Fallen[k] = nil
	}
}

// programmesFiled are the sections of a sealed sheet that are programmes of chits. Games begun before
// the sixth version of the rules do not keep them.
func (s *State) programmesFiled(sealed string) string {
	var out []string
	for _, part := range orders.Cut(sealed, Vocabulary) {
		if strings.HasPrefix(part, chitVerb) && !s.sc.before(6) {
			out = append(out, part)
		}
	}
	return strings.Join(out, "\n")
}

// announce tells of Manstein's Backhand Blow, which is this turn's: once in a game.
//
// Steppe 15.0/1
// Steppe 15.0/5
func (s *State) announce(r *adjudicator.Run) {
	if s.Backhand != 0 {
		return
	}
	s.Backhand = s.Turn
	r.Tell(view.Event{Kind: "backhand", Clause: "Steppe 15.0", Side: string(German),
		Facts: view.Pairs{"turn", strconv.Itoa(s.Turn)}})
}

// nameBlow announces the Backhand Blow if the sheet of this turn names it.
func (s *State) nameBlow(r *adjudicator.Run, b blow) {
	switch {
	case !b.strikes(s):
	case s.sc.before(2):
		s.Sheets[sideIndex(German)].Backhand = true
	default:
		s.announce(r)
	}
}

// askBlow asks the Germans, as long as they have the Backhand Blow, whether this turn is
// to be it: the weather is known and no chit has been chosen.
//
// Steppe 15.0/6
func (s *State) askBlow(r *adjudicator.Run) {
	if s.Backhand != 0 || s.sc.before(2) {
		return
	}
	answer := r.Ask(adjudicator.Decision{Label: "backhand", Kind: kindBackhand, Side: German, Clause: "Steppe 15.0",
		Options: []adjudicator.Option{
			{Answer: answerNo, Means: "this turn is not Manstein's Backhand Blow; your sheet may still name it"},
			{Answer: answerYes, Means: "it is: every German attack of this turn is shifted one column to the right"}},
		Proposal: answerNo, Source: "doctrine"})[0]
	if answer == answerYes {
		s.announce(r)
	}
}

// ordersPhase takes both sides' sealed turn sheets and puts the chits into the cup.
//
// Steppe 3.4/1
//
// deviation Steppe 15.0: the Germans name the Backhand Blow in the sheet of the turn, if
// they want to on a condition of the weather. It is announced as the sheets are opened,
// before a chit is in the cup; the Soviet programmes may have the condition BACKHAND. In
// ASK they are asked as soon as the weather is known, and both sides write their sheets
// when it has been announced.
//
// deviation Steppe 2.6: both sides choose their chits at once and in secret; how many
// are in the cup is public, which ones is not until they are drawn.
func ordersPhase(r *adjudicator.Run, s *State) {
	var ds []adjudicator.Decision
	for _, side := range s.sc.sides() {
		ds = append(ds, adjudicator.Decision{Label: "orders " + string(side), Kind: KindOrders, Side: side,
			Clause: "Steppe 3.4", Turn: true})
	}
	answers := r.Ask(ds...)
	var sheets [2]*turnOrders
	var doctrines [2]*doctrine
	for i, side := range s.sc.sides() {
		var mode string
		if mode, s.Sheets[i].Orders = cutMode(answers[i]); mode != "" {
			s.Sheets[i].Mode = mode // it lasts until a sheet has another
		}
		sheets[i] = s.opened(side, s.Sheets[i].Orders)
		doctrines[i] = doctrineBy(s.keepStanding(side, sheets[i].standing))
	}
	s.nameBlow(r, sheets[sideIndex(German)].blow)
	for i, side := range s.sc.sides() {
		s.comeBack(r, side, sheets[i].back)
		s.allotRain(side, doctrines[i].rain)
	}
	facts := view.Pairs{}
	for _, pool := range pools {
		g := s.fill(pool, sheets[sideIndex(poolSide(pool))].chits)
		s.Cup = append(s.Cup, g)
		facts = facts.With(strings.ToLower(pool), strconv.Itoa(g.Left))
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

// opened reads, of a sealed sheet that stood when it was sent, what is done as the turn
// opens.
func (s *State) opened(side Side, text string) *turnOrders {
	sheet, _ := orders.Parse(text, Vocabulary)
	x := &sheetReader{s: s, side: side, opening: true}
	return x.read(sheet.Sections)
}

// chitsOf are the headquarters of a pool that are on the map or come in this turn.
//
// Steppe 2.6/2
func (s *State) chitsOf(pool string) []*Unit {
	var out []*Unit
	for i := range s.Units {
		u := &s.Units[i]
		if u.combat() || u.c.Command.pool() != pool {
			continue
		}
		if u.Where == OnMap || u.Where == Later && u.Due <= s.Turn {
			out = append(out, u)
		}
	}
	return out
}

func byName(a, b *Unit) int { return strings.Compare(a.c.Name, b.c.Name) }

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
	put := slices.DeleteFunc(slices.Clone(chosen), func(u *Unit) bool { return !slices.Contains(there, u) })
	rest := slices.DeleteFunc(there, func(u *Unit) bool { return slices.Contains(put, u) })
	slices.SortStableFunc(rest, s.byUse)
	put = append(put, rest...)
	put = put[:min(want, len(put))]
	slices.SortFunc(put, byName)
	return cup.New(pool, namesOf(put), want)
}

// byUse orders headquarters by how much their chits are wanted: those that arrive
// first, then those with most units in range, then those with most guns.
func (s *State) byUse(a, b *Unit) int {
	arrives := func(u *Unit) bool { return u.Where == Later && !u.Back }
	led := func(u *Unit) int {
		if u.Where != OnMap {
			return 0
		}
		return s.mates(u, u.Hex)
	}
	return cmp.Or(first(arrives(a), arrives(b)), led(b)-led(a), b.c.Artillery-a.c.Artillery)
}

// judgeChits says what is wrong with a choice of chits.
func (s *State) judgeChits(us []*Unit) *rule.Violation {
	n := map[string]int{}
	for _, u := range us {
		pool := u.c.Command.pool()
		track := s.sc.Chits[s.Turn-1][pool]
		switch {
		case u.combat():
			return refuse("Steppe 2.6", "%s is not a headquarters", u.c.Name)
		case !slices.Contains(s.chitsOf(pool), u):
			return refuse("Steppe 2.6", "the headquarters %s is not on the map and does not come in this turn", u.c.Name)
		}
		if n[pool]++; n[pool] > track {
			return refuse("Steppe 2.6", "the track has %d chits for %s in this turn", track, strings.ToLower(pool))
		}
	}
	return nil
}

// endPhase audits supply and closes the turn.
func endPhase(r *adjudicator.Run, s *State) { s.audit(r) }
