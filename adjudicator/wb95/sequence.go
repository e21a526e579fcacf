package wb95

import (
	"fmt"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
)

// step is one line of the sequence of play.
type step struct {
	name    string // %s is the side on move
	decides bool   // the side on move gives orders in it
	play    func(*adjudicator.Run, *State)
}

// stageKind is a place in the sequence of play of one side.
type stageKind int

// The stages of a half turn.
const (
	stageAir stageKind = iota
	stageBarrage
	stageMovement
	stageAttack
	stageStrategic
	stageSupply
)

// halfTurn is the number of phases of one side.
const halfTurn = 6

// sequence is a half turn; side A plays it as phases 1 to 6, side B as 7 to 12,
// a third player as 13 to 18.
var sequence [halfTurn]step

// The list is filled in here because its phases ask it what they are called.
func init() {
	// WB-95 2.1.1: the game is played in turns
	// WB-95 2.1.2: each a row of phases with actions of their own
	// WB-95 2.2/1: the side with the initiative plays its half first
	sequence = [halfTurn]step{
		stageAir:       {"Air Phase, turn of the %s", true, airPhase},
		stageBarrage:   {"Artillery Barrage of the %s", false, barragePhase},   // WB-95 2.2/3
		stageMovement:  {"Movement of the %s", true, movementPhase},            // WB-95 2.2/4
		stageAttack:    {"Attack of the %s", true, attackPhase},                // WB-95 2.2/5
		stageStrategic: {"Strategic Movement of the %s", true, strategicPhase}, // WB-95 2.2/6
		stageSupply:    {"Supply of the %s", false, supplyPhase},
	}
}

// stageOf is the place in the sequence of a phase of the turn, from 1.
func stageOf(phase int) stageKind { return stageKind((phase - 1) % halfTurn) }

// stepOf is the line of the sequence for it.
func stepOf(phase int) *step { return &sequence[stageOf(phase)] }

// phaseName is the name of the phase that comes next.
func (s *State) phaseName() string {
	if s.Verdict != "" {
		return "the game is over"
	}
	if s.Phase == 0 {
		return "Set-up"
	}
	name := stepOf(s.Phase).name
	return fmt.Sprintf(name, s.sc.nameOf(s.player()))
}

// phase plays the phase that comes next and what the end of every phase brings.
func phase(r *adjudicator.Run, s *State) {
	if s.Phase == 0 {
		setUpPhase(r, s)
		return
	}
	if s.sc.Partner != nil || s.sc.Notes.Defection != nil {
		r.Through(func(e view.Event) []view.Event { return []view.Event{s.shareNews(e)} })
	}
	s.defect(r)
	stepOf(s.Phase).play(r, s)
	s.tellPools(r.Tell)
	s.reorganize()
	s.sweepForts(r.Tell)
	s.holdBridges()
	s.thinCrowds()
	s.noteContacts()
	s.advance(r)
}

// advance goes on to the next phase, or ends the game.
func (s *State) advance(r *adjudicator.Run) {
	// WB-95 2.1.3: the turn is over when all its phases are
	endOfTurn := s.Phase == s.sc.phases()
	endOfGame := endOfTurn && s.Turn == s.sc.Turns
	if winner, verdict := s.checkVictory(endOfTurn, endOfGame); verdict != "" {
		s.Winner, s.Verdict = winner, verdict
		r.Tell(view.Event{Kind: "verdict", Clause: "WB-95 2.1.3", Facts: view.Pairs{"verdict", verdict, "winner", string(winner)}})
		return // the clock stops with the game: there is no turn after the last
	}
	// WB-95 2.1.4: the phases follow each other in a fixed order
	if s.Phase++; s.Phase > s.sc.phases() {
		// WB-95 2.1.5: and then the next turn follows
		s.endAirDay()
		s.Turn, s.Phase, s.Flown, s.FlownAir = s.Turn+1, 1, [2]int{}, nil
	}
}
