package wb95

import "fieldpost/adjudicator"

// Course runs phase after phase from a position, like Play, but without reading
// every position anew: for repeating whole games.
func (g *Game) Course(position []byte) (func(journal []adjudicator.Entry, dice adjudicator.Dice, answers adjudicator.Answerer) (adjudicator.Outcome, error), error) {
	s, err := g.decode(position)
	if err != nil {
		return nil, err
	}
	return func(journal []adjudicator.Entry, dice adjudicator.Dice, answers adjudicator.Answerer) (adjudicator.Outcome, error) {
		out, after, err := g.play(s, journal, dice, answers)
		if err == nil && len(out.Pending) == 0 {
			s = after
		}
		return out, err
	}, nil
}
