package arena

import (
	"fmt"
	"math"
)

// tally counts pairs.
type tally struct {
	pairs               int
	won, drawn          int // pairs, by margin
	sum, squares        float64
	seats               [2][3]int // by team: seats in which A did better, equally, worse than B
	games               [2][3]int // by team of A: games won, drawn, lost
	teams               [2]string
	units, sheets, most int
	refused, unheard    int
	failed              int
	leads               leads
}

// count adds a pair.
func (s *tally) count(p *pair) {
	s.pairs++
	m := float64(p.margin())
	s.sum += m
	s.squares += m * m
	switch {
	case m > 0:
		s.won++
	case m == 0:
		s.drawn++
	}
	for k, n := range p.seats() {
		s.seats[k][1-sign(n)]++
		s.games[k][2-p.won[k]]++
	}
	s.teams = p.teams
	s.units, s.sheets, s.most = s.units+p.units, s.sheets+p.sheets, max(s.most, p.most)
	s.refused, s.unheard = s.refused+p.refused, s.unheard+p.unheard
	s.failed += p.failed
	s.leads.add(p.leads)
}

// add adds what was counted of another scenario.
func (s *tally) add(o *tally) {
	s.pairs, s.won, s.drawn = s.pairs+o.pairs, s.won+o.won, s.drawn+o.drawn
	s.sum, s.squares = s.sum+o.sum, s.squares+o.squares
	for k := range s.seats {
		for i := range s.seats[k] {
			s.seats[k][i] += o.seats[k][i]
			s.games[k][i] += o.games[k][i]
		}
	}
	s.units, s.sheets, s.most = s.units+o.units, s.sheets+o.sheets, max(s.most, o.most)
	s.refused, s.unheard = s.refused+o.refused, s.unheard+o.unheard
	s.failed += o.failed
	s.leads.add(o.leads)
}

func sign(n int) int {
	switch {
	case n > 0:
		return 1
	case n < 0:
		return -1
	}
	return 0
}

// margin is that of A in a game, on the average, and half of its interval of 95 %.
func (s *tally) margin() (mean, half float64) {
	n := float64(s.pairs)
	if n == 0 {
		return 0, 0
	}
	mean = s.sum / n
	if n > 1 {
		half = 1.96 * math.Sqrt(max(0, s.squares/n-mean*mean)/(n-1))
	}
	return mean / 2, half / 2
}

// score is the share of pairs that A has won, a pair without a margin as half a one, and the
// variance of one pair's.
func (s *tally) score() (mean, variance float64) {
	n := float64(s.pairs)
	if n == 0 {
		return 0.5, 0.25
	}
	mean = (float64(s.won) + float64(s.drawn)/2) / n
	return mean, max(0.02, (float64(s.won)+float64(s.drawn)/4)/n-mean*mean)
}

// The sequential test: by how much Elo A is better under the second hypothesis, and the
// logarithm of the likelihood ratio at which either is taken, with errors of 5 % each.
const betterBy = 60

var decidedAt = math.Log(0.95 / 0.05)

// llr is the logarithm of the likelihood ratio of "A is better by so much" and "A is no
// better", by the normal approximation over pairs.
func (s *tally) llr() float64 {
	none, better := 0.5, 1/(1+math.Pow(10, -betterBy/400.0))
	mean, variance := s.score()
	return float64(s.pairs) * (better - none) * (2*mean - none - better) / (2 * variance)
}

// leastPairs are played in any case.
const leastPairs = 4

func (s *tally) decided() bool { return s.pairs >= leastPairs && math.Abs(s.llr()) >= decidedAt }

func (s *tally) verdict() string {
	switch {
	case !s.decided():
		return "not decided"
	case s.llr() > 0:
		return "the first is better"
	}
	return "the first is no better"
}

// elo is by how much A is better, at so many standard errors from the mean.
func (s *tally) elo(errors float64) float64 {
	mean, variance := s.score()
	p := mean + errors*math.Sqrt(variance/float64(max(1, s.pairs)))
	p = min(max(p, 0.5/float64(s.pairs+1)), 1-0.5/float64(s.pairs+1))
	return -400 * math.Log10(1/p-1)
}

const tableHead = `| scenario | pairs | better, equal, worse | margin a game | seats better, equal, worse | games won, drawn, lost | Elo | verdict |
| --- | --- | --- | --- | --- | --- | --- | --- |
`

// row is a line of the table.
func (s *tally) row(id string) string {
	mean, half := s.margin()
	by := func(list [2][3]int) string {
		text := func(k int) string { return fmt.Sprintf("%d, %d, %d", list[k][0], list[k][1], list[k][2]) }
		if s.teams[0] == "" {
			return fmt.Sprintf("%d, %d, %d", list[0][0]+list[1][0], list[0][1]+list[1][1], list[0][2]+list[1][2])
		}
		return fmt.Sprintf("%s %s; %s %s", s.teams[0], text(0), s.teams[1], text(1))
	}
	return fmt.Sprintf("| %s | %d | %d, %d, %d | %+.1f ± %.1f | %s | %s | %+.0f (%+.0f to %+.0f) | %s |", id, s.pairs, s.won, s.drawn, s.pairs-s.won-s.drawn,
		mean, half, by(s.seats), by(s.games), s.elo(0), s.elo(-1.96), s.elo(1.96), s.verdict())
}
