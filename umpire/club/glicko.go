package club

import (
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"fieldpost/store"
)

// Rating is how strong a player is thought to be after Glickman's Glicko-2 system ("Example of the
// Glicko-2 system", 2013): Value on the scale on which a newcomer has 1500, Deviation how far off it
// may be (two deviations either way hold the true strength nineteen times of twenty), Volatility how
// much the player's strength itself is thought to change in a period.
type Rating struct {
	Value      float64 `json:"value"`
	Deviation  float64 `json:"deviation"`
	Volatility float64 `json:"volatility"`
}

// newcomer is the rating of somebody who has not played.
var newcomer = Rating{Value: 1500, Deviation: 350, Volatility: 0.06}

// bout is a game of a rating period as one of its players sees it: against whom, and the score:
// 1 for a win, 1/2 for a draw, 0 for a loss.
type bout struct {
	against Rating
	score   float64
}

const (
	glickoScale = 173.7178 // of the system's own figures to those that are shown
	// tau bounds how much the volatility changes in a period: the smaller, the fewer surprises a
	// few odd results bring. Glickman advises 0.3 to 1.2.
	tau = 0.5
	// tolerance is how exactly the volatility is found.
	tolerance = 1e-6
)

// Provisional tells whether a rating says little yet: its deviation is beyond 110.
func (r Rating) Provisional() bool { return r.Deviation > 110 }

// After is the rating after a period with these games; without any it only gets less certain.
func (r Rating) After(games []bout) Rating {
	mu, phi := (r.Value-newcomer.Value)/glickoScale, r.Deviation/glickoScale
	if len(games) == 0 {
		return r.with(mu, math.Hypot(phi, r.Volatility), r.Volatility)
	}
	var certainty, surprise float64 // 1/v, and the sum below delta
	for _, b := range games {
		muOther, phiOther := (b.against.Value-newcomer.Value)/glickoScale, b.against.Deviation/glickoScale
		g := 1 / math.Sqrt(1+3*phiOther*phiOther/(math.Pi*math.Pi))
		expected := 1 / (1 + math.Exp(-g*(mu-muOther)))
		certainty += g * g * expected * (1 - expected)
		surprise += g * (b.score - expected)
	}
	v := 1 / certainty
	sigma := volatilityAfter(r.Volatility, phi, v, v*surprise)
	before := math.Hypot(phi, sigma)
	phi = 1 / math.Sqrt(1/(before*before)+certainty)
	return r.with(mu+phi*phi*surprise, phi, sigma)
}

// with is a rating of the system's own figures; nobody is less known than a newcomer.
func (r Rating) with(mu, phi, sigma float64) Rating {
	return Rating{Value: glickoScale*mu + newcomer.Value, Deviation: min(glickoScale*phi, newcomer.Deviation), Volatility: sigma}
}

// volatilityAfter finds the new volatility by the Illinois method, step 5 of Glickman's paper: the
// root of f, whose logarithm lies between a and b.
func volatilityAfter(sigma, phi, v, delta float64) float64 {
	a := math.Log(sigma * sigma)
	f := func(x float64) float64 {
		e := math.Exp(x)
		d := phi*phi + v + e
		return e*(delta*delta-d)/(2*d*d) - (x-a)/(tau*tau)
	}
	low, high := a, 0.0
	if rest := delta*delta - phi*phi - v; rest > 0 {
		high = math.Log(rest)
	} else {
		k := 1.0
		for f(a-k*tau) < 0 {
			k++
		}
		high = a - k*tau
	}
	fLow, fHigh := f(low), f(high)
	for math.Abs(high-low) > tolerance {
		next := low + (low-high)*fLow/(fHigh-fLow)
		fNext := f(next)
		if fNext*fHigh <= 0 {
			low, fLow = high, fHigh
		} else {
			fLow /= 2
		}
		high, fHigh = next, fNext
	}
	return math.Exp(low / 2)
}

// sure is the strength that somebody has at the least, as far as their games tell.
func (r Rating) sure() float64 { return r.Value - 2*r.Deviation }

// ratedGames are the games by the month in which they ended, which is the period of rating.
type ratedGames struct {
	byMonth map[month][]ratedGame
}

type ratedGame struct {
	one, other string  // addresses in small letters
	score      float64 // of one
}

// month counts months from year 0 on.
type month int

func monthOf(t time.Time) month {
	t = t.UTC()
	return month(t.Year()*12 + int(t.Month()))
}

// add takes a finished game in if it is one of person against person: what staff officers play,
// and what one plays against oneself, says nothing of strength.
func (r *ratedGames) add(g store.Game, result Result) {
	var at []SeatRecord
	for _, s := range result.Seats {
		if !s.Left {
			at = append(at, s)
		}
	}
	if len(at) != 2 || slices.ContainsFunc(at, func(s SeatRecord) bool { return s.Staff || s.address == "" }) {
		return
	}
	game := ratedGame{one: strings.ToLower(at[0].address), other: strings.ToLower(at[1].address), score: 0.5}
	if game.one == game.other {
		return
	}
	switch result.Winner {
	case at[0].Side:
		game.score = 1
	case at[1].Side:
		game.score = 0
	}
	ended := g.Ended
	if ended.IsZero() {
		ended = g.Created
	}
	if r.byMonth == nil {
		r.byMonth = map[month][]ratedGame{}
	}
	r.byMonth[monthOf(ended)] = append(r.byMonth[monthOf(ended)], game)
}

// rated is a rating and the number of games that it comes from.
type rated struct {
	Rating
	games int
}

// ratings are those of all players at a time, by address. The month that runs counts as far as it
// has come, and makes nobody less certain who has not finished a game in it yet.
func (r *ratedGames) ratings(now time.Time) map[string]rated {
	all := map[string]rated{}
	if len(r.byMonth) == 0 {
		return all
	}
	present := monthOf(now)
	for m := slices.Min(slices.Collect(maps.Keys(r.byMonth))); m <= present; m++ {
		games := map[string][]bout{}
		of := func(address string) Rating {
			if known, ok := all[address]; ok {
				return known.Rating
			}
			return newcomer
		}
		for _, g := range r.byMonth[m] {
			games[g.one] = append(games[g.one], bout{of(g.other), g.score})
			games[g.other] = append(games[g.other], bout{of(g.one), 1 - g.score})
		}
		after := maps.Clone(all)
		for address, played := range games {
			after[address] = rated{of(address).After(played), all[address].games + len(played)}
		}
		for address, before := range all {
			if games[address] == nil && m < present {
				after[address] = rated{before.After(nil), before.games}
			}
		}
		all = after
	}
	return all
}
