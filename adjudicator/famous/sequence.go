package famous

import (
	"fmt"

	"fieldpost/adjudicator"
)

// step is one step of the sequence of play.
type step struct {
	name    string // %d is the number of the activation
	decides decider
	play    func(*adjudicator.Run, *State)
}

// decider is who gives orders in a step.
type decider int

const (
	noSide     decider = iota
	bothSides          // each without seeing what the other writes
	oneByOne           // one after the other, in the order of the scenario
	chitsOwner         // the side of the chit that is drawn, for its programme
)

// sequence is a turn.
//
// GD 1.0/2: there are no player-turns, headquarters are activated one after the other
// GD 3.0/2: all turns have the same sequence
func sequence() [turnSteps]step {
	return [turnSteps]step{
		setUpStep:      {"Set-up", oneByOne, setUpPhase}, // turn 0, in games that have one
		weatherStep:    {"Weather", noSide, weatherPhase},
		supplyStep:     {"Supply", bothSides, supplyPhase},
		activationStep: {"Activation %d", chitsOwner, activationPhase}, // once for every chit in the cup
		endStep:        {"End of the turn", noSide, endPhase},
	}
}

// The steps of the sequence. The first three are the phases of those numbers.
const (
	setUpStep = iota
	weatherStep
	supplyStep
	activationStep
	endStep
	turnSteps
)

// next is the step that comes next.
//
// GD 3.1/1
func (s *State) next() step {
	k := min(s.Phase, activationStep)
	// GD 1.0/3: chits are drawn until the cup is empty
	// GD 1.0/4: then the turn is over
	if k == activationStep && s.chitsLeft() == 0 {
		k = endStep
	}
	return sequence()[k]
}

// chitsLeft counts the chits that are still to be drawn this turn.
func (s *State) chitsLeft() int { return len(s.Cup) + len(s.First) }

func (s *State) phaseName() string {
	if s.Verdict != "" {
		return "the game is over"
	}
	st := s.next()
	if st.decides == chitsOwner {
		return fmt.Sprintf(st.name, s.Phase-supplyStep)
	}
	return st.name
}

// phase plays the phase that comes next.
func phase(r *adjudicator.Run, s *State) {
	play := s.next().play
	r.Through(s.audience)
	play(r, s)
	if s.inSetUp() {
		return // the other side's turn
	}
	s.noteContacts()
	s.newsOfMovers()
	if s.Verdict == "" {
		s.Phase++
	}
	s.rest()
}

// rest ends what lasts for an activation only.
func (s *State) rest() {
	for i := range s.Units {
		s.Units[i].did = deeds{}
	}
	s.commander, s.shots, s.plans = "", nil, [2]*standing{}
}
