package wb95

// allowance is the movement points the unit has now. In the Strategic Movement
// Phase they are fewer. With full an out-of-supply unit pays a level for all of them.
//
// WB-95 3.1.5: a phase of movement has the unit's points and no more
// WB-95 3.1.6: what was saved in an earlier phase is not there
func (s *State) allowance(u *Unit, full bool) Cost {
	return allowanceFor(u, full, s.strategicNow(), s.share(u))
}

func allowanceFor(u *Unit, full, strategic bool, share Share) Cost {
	moves := u.c.Moves
	// WB-95 9.1.2
	if u.c.Type == HQ {
		moves = 10 * One
	}
	// WB-95 15.2.1
	if u.c.Type == RG {
		return 0
	}
	switch share {
	case noMoves:
		return 0
	case halfMoves:
		moves /= 2
	}
	// WB-95 10.2.2: out of supply half of them
	// WB-95 10.2.3: unless it has paid for all
	if u.OoS > 0 && !full {
		moves /= 2 // twelfths: never rounded
	}
	// WB-95 12.2.3
	// reading WB-95 12.2.3: the two points come off what is left after halving.
	if strategic {
		moves = max(0, moves-2*One)
	}
	return moves
}

// strategicNow tells whether the phase is one of strategic movement.
func (s *State) strategicNow() bool { return stageOf(s.Phase) == stageStrategic }
