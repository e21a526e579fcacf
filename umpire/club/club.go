package club

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/seats"
)

// Standing is a player over all their games.
type Standing struct {
	Name    string `json:"name"`
	Rating  Rating `json:"rating"`
	Rated   int    `json:"rated"`  // games that it comes from: finished, person against person
	Points  int    `json:"points"` // two for a win, one for a draw
	Games   int    `json:"games"`  // finished
	Won     int    `json:"won"`
	Drawn   int    `json:"drawn"`
	Lost    int    `json:"lost"`
	Running int    `json:"running"`
	Left    int    `json:"left"` // games that they gave into other hands
	Turns   int    `json:"turns"`
	Late    int    `json:"late"`
}

// Reliable is the share of their turns that came in time, in percent; 100 without any.
func (s Standing) Reliable() int {
	if s.Turns+s.Late == 0 {
		return 100
	}
	return 100 * s.Turns / (s.Turns + s.Late)
}

// Club is the ladder and the results.
type Club struct {
	Ladder  []Standing `json:"ladder"`
	Results []Result   `json:"results"`
}

// Club reckons the ladder and the results. A person is known by their mail address,
// which is not shown. Who left a game before its end neither wins nor loses it.
func (o *Observer) Club() (c Club, err error) {
	games, err := o.DB.Games()
	if err := o.Readable(err); err != nil {
		return c, err
	}
	slices.SortFunc(games, func(a, b store.Game) int {
		return cmp.Or(a.Created.Compare(b.Created), strings.Compare(a.ID, b.ID))
	})
	people := map[string]*Standing{}
	var rated ratedGames
	for _, g := range games {
		if g.Status == store.StatusOpen {
			continue
		}
		r, err := o.resultOf(g)
		if err != nil {
			return c, fmt.Errorf("game %s: %w", g.ID, err)
		}
		if g.Status == store.StatusFinished {
			c.Results = append(c.Results, r)
			rated.add(g, r)
		}
		for _, s := range r.Seats {
			if s.Staff || s.address == "" {
				continue
			}
			key := strings.ToLower(s.address)
			if people[key] == nil {
				people[key] = &Standing{Rating: newcomer}
			}
			people[key].add(s, r, g.Status)
		}
	}
	for address, of := range rated.ratings(o.Now()) {
		people[address].Rating, people[address].Rated = of.Rating, of.games
	}
	for _, s := range people {
		c.Ladder = append(c.Ladder, *s)
	}
	slices.SortFunc(c.Ladder, func(a, b Standing) int {
		return cmp.Or(cmp.Compare(b.Rating.sure(), a.Rating.sure()), b.Points-a.Points, b.Won-a.Won, a.Games-b.Games, b.Reliable()-a.Reliable(), strings.Compare(a.Name, b.Name))
	})
	return c, nil
}

func (s *Standing) add(seat SeatRecord, r Result, status store.Status) {
	s.Name = seat.Name
	s.Turns, s.Late = s.Turns+seat.Turns, s.Late+seat.Late
	switch {
	case seat.Left:
		s.Left++
	case status != store.StatusFinished:
		s.Running++
	case r.Winner == seat.Side:
		s.Games, s.Won, s.Points = s.Games+1, s.Won+1, s.Points+2
	case r.Winner == "":
		s.Games, s.Drawn, s.Points = s.Games+1, s.Drawn+1, s.Points+1
	default:
		s.Games, s.Lost = s.Games+1, s.Lost+1
	}
}

// resultOf is result, kept for each of a game's Changes.
func (o *Observer) resultOf(g store.Game) (Result, error) {
	o.looking.Lock()
	kept, ok := o.results[g.ID]
	o.looking.Unlock()
	if ok && kept.seq == g.Seq {
		return kept.result, nil
	}
	r, err := o.result(g)
	if err != nil {
		return r, err
	}
	o.looking.Lock()
	defer o.looking.Unlock()
	if o.results == nil {
		o.results = map[string]keptResult{}
	}
	o.results[g.ID] = keptResult{g.Seq, r}
	return r, nil
}

// result tells of a game that has begun.
func (o *Observer) result(g store.Game) (Result, error) {
	r := Result{Game: g.ID, Scenario: g.Scenario, Title: g.Title, Ended: g.Ended}
	if g.Status == store.StatusFinished {
		m, err := o.Load(g.ID)
		if err != nil {
			return r, err
		}
		v, err := m.View(g.Sides[0])
		if err != nil {
			return r, err
		}
		r.Winner, r.Verdict = v.Winner, v.Verdict
	}
	sheets, err := o.DB.AllSheets(g.ID)
	if err != nil {
		return r, err
	}
	turns := func(side string, after, before uint64) int {
		seen := map[int]bool{}
		for _, s := range sheets {
			switch {
			case s.Side != side, s.Seq <= after, s.Seq >= before:
				// another side's, or of who had the seat before or after
			case match.StandInOfText(s.Canonical) == "":
				seen[s.Turn] = true
			}
		}
		return len(seen)
	}
	left, err := seats.LeftSeatRecords.All(o.DB, g.ID)
	if err != nil {
		return r, err
	}
	gone := slices.SortedFunc(maps.Values(left), func(a, b seats.LeftSeat) int { return cmp.Compare(a.Seq, b.Seq) })
	since := map[string]uint64{}
	for _, l := range gone {
		r.Seats = append(r.Seats, SeatRecord{Side: l.Side, Name: l.Name, address: l.Address, Late: l.Late, Turns: turns(l.Side, since[l.Side], l.Seq), Left: true})
		since[l.Side] = l.Seq
	}
	for _, p := range g.Players {
		r.Seats = append(r.Seats, SeatRecord{Side: p.Side, Name: p.Name, address: p.Address, Late: p.LateTurns, Turns: turns(p.Side, since[p.Side], ^uint64(0)), Staff: p.Staffed()})
	}
	return r, nil
}
