package arena

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
	"fieldpost/playtest"
	"fieldpost/staff"
	"fieldpost/trial"
)

// habit is something that a good player does less of.
type habit int

const (
	toAndFro    habit = iota // a unit is back where it stood two turns ago, and was elsewhere between
	intoCorner               // a unit within two hexes of a corner of the map that was not there before
	single                   // an attack by one unit alone
	passed                   // an own chit that a sheet says nothing to
	unguarded                // a programme of a chit that looks at no condition
	notDone                  // an order that was not carried out
	outOfSupply              // a unit out of supply, in each turn
	onTheRoad                // a gun that cannot fire since it is limbered up, in each turn
	hqLost
	unitLost
	habits // how many there are
)

// habitNames are the habits as the table prints them.
var habitNames = [habits]string{
	"units back where they were two turns ago", "units gone into a corner of the map", "attacks ordered by one unit alone",
	"own chits without a programme", "programmes of chits without a condition", "orders that were not carried out",
	"units out of supply", "guns limbered up", "headquarters lost", "units lost",
}

// counted is how often each habit was seen, in so many sheets.
type counted struct {
	sheets int
	of     [habits]int
}

func (c *counted) add(o counted) {
	c.sheets += o.sheets
	for i, n := range o.of {
		c.of[i] += n
	}
}

// observer looks over the shoulder of a seat.
type observer struct {
	counted
	was  [2]map[string]hex.Hex // where its units stood when its last sheets were written
	lost []view.Unit           // when the last one was
}

// look counts the habits of a sheet and of the View that it was written on.
func (s *observer) look(v *view.View, sheet string) {
	if v.Turn < 1 {
		return
	}
	s.sheets++
	now := map[string]hex.Hex{}
	for _, u := range v.Units {
		now[u.ID] = u.Hex
		s.stand(v, u)
	}
	s.was = [2]map[string]hex.Hex{now, s.was[0]}
	s.lost = v.Lost
	s.orders(v, sheet)
}

// stand counts what the place and the state of a unit show.
func (s *observer) stand(v *view.View, u view.Unit) {
	if u.OutOfSupply > 0 {
		s.of[outOfSupply]++
	}
	if u.Gun == "transport" {
		s.of[onTheRoad]++
	}
	last, known := s.was[0][u.ID]
	if !known || u.Hex == hex.None {
		return
	}
	if cornered(v, u.Hex) && !cornered(v, last) {
		s.of[intoCorner]++
	}
	if before, known := s.was[1][u.ID]; known && before == u.Hex && last != u.Hex {
		s.of[toAndFro]++
	}
}

// cornered tells whether a hex lies in a corner of the map.
func cornered(v *view.View, h hex.Hex) bool {
	g := v.Board.Grid
	col := min(h.Col()-g.ColMin, g.ColMax-h.Col())
	row := min(h.Row()-g.RowMin, g.RowMax-h.Row())
	return max(col, row) <= 2
}

// condition is a word of an order, or of the head of a programme, that looks at how things stand
// when its turn comes.
var condition = regexp.MustCompile(`\b(IF|UNLESS|IF-FIRED|STOP-IF)\b`)

// orders counts what the sheet itself shows.
func (s *observer) orders(v *view.View, sheet string) {
	programmes := map[string]bool{} // by chit: whether one looks at a condition
	chit := ""
	for l := range strings.Lines(sheet) {
		l = strings.TrimRight(l, "\n")
		if heads := !strings.HasPrefix(l, " "); heads {
			chit = chitOf(l)
		}
		if chit != "" {
			programmes[chit] = programmes[chit] || condition.MatchString(l)
		}
		if alone(l) {
			s.of[single]++
		}
	}
	for _, guarded := range programmes {
		if !guarded {
			s.of[unguarded]++
		}
	}
	if v.Chits == nil {
		return
	}
	for _, g := range v.Chits.Groups {
		for _, own := range g.Own {
			if _, programmed := programmes[strings.ToUpper(own)]; !programmed {
				s.of[passed]++
			}
		}
	}
}

// chitOf is the chit whose programme a line heads, "" if it heads none.
func chitOf(line string) string {
	name, is := strings.CutPrefix(line, "CHIT ")
	if !is {
		return ""
	}
	name, _, _ = strings.Cut(name, " MOVE THEN ATTACK")
	return strings.ToUpper(strings.TrimSpace(condition.Split(name, 2)[0]))
}

// alone tells whether a line orders an attack by one unit.
func alone(line string) bool {
	_, with, found := strings.Cut(line, " WITH ")
	attack := found && (strings.Contains(line, "ATTACK ") || strings.HasPrefix(line, "    "))
	with, _, _ = strings.Cut(with, ";")
	return attack && !strings.Contains(with, ",")
}

// undone are the events by which a system tells the owner of an order that it was not carried out.
var undone = []string{"dropped", "skipped", "refused", "attack-refused", "barrage-refused", "air-skipped"}

// hear counts what a phase tells the side.
func (s *observer) hear(side adjudicator.Side, events []view.Event) {
	for _, e := range events {
		if slices.Contains(undone, e.Kind) && slices.Contains(e.To, string(side)) {
			s.of[notDone]++
		}
	}
}

// total is all that was counted, the units that were lost until the last sheet included.
func (s *observer) total() counted {
	c := s.counted
	c.of[unitLost] = len(s.lost)
	for _, u := range s.lost {
		if u.Type == "HQ" {
			c.of[hqLost]++
		}
	}
	return c
}

// Habits has a cadet and the contenders of the options play both seats of every scenario against cadets,
// with the same dice, and prints how often each does what a good player does less of.
func Habits(ctx context.Context, t *trial.Trial, o Options, pairs int) error {
	of := []Contender{{Strength: staff.Cadet}, o.B, o.A}
	all := make([]counted, len(of))
	var lock sync.Mutex
	for _, id := range t.Scenarios {
		err := playtest.Parallel(ctx, pairs*len(of)*2, func(ctx context.Context, i int) error {
			who, seat := i/2%len(of), i%2
			c, err := watch(ctx, t, of[who], watched{id, t.Seed + i/2/len(of), seat})
			lock.Lock()
			defer lock.Unlock()
			all[who].add(c)
			return err
		})
		if err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
		fmt.Fprintf(t.Progress, "%s: %d games\n", id, pairs*len(of)*2)
	}
	fmt.Fprint(t.Out, habitsTable(of, all))
	return nil
}

// watched is a game in which one seat is observed: the first team or the second.
type watched struct {
	scenario   string
	seed, seat int
}

// watch plays a game of an officer against cadets and counts the officer's habits.
func watch(ctx context.Context, t *trial.Trial, who Contender, at watched) (c counted, err error) {
	m, err := t.Match(at.scenario, at.seed)
	if err != nil {
		return c, err
	}
	m.Turns = t.Turns
	teams, err := teamsOf(m.Game)
	if err != nil {
		return c, err
	}
	seats := map[adjudicator.Side]*observer{}
	for _, side := range teams[at.seat] {
		seats[side] = &observer{}
		m.Players[side] = &writer{Officer: who.officer(m.Game), looks: seats[side].look}
	}
	m.Each = func(_ []byte, out adjudicator.Outcome) error {
		for side, s := range seats {
			s.hear(side, out.Events)
		}
		return nil
	}
	if _, err := m.Play(ctx); err != nil {
		return c, err
	}
	for _, s := range seats {
		c.add(s.total())
	}
	return c, nil
}

// officer is the contender at a game.
func (c Contender) officer(g adjudicator.Game) staff.Officer {
	return staff.Officer{Game: g, Strength: c.Strength, Units: c.Units, Usual: c.Usual, Holds: true}
}

// habitsTable is what was counted, for a hundred sheets.
func habitsTable(of []Contender, all []counted) string {
	var b strings.Builder
	b.WriteString("| for 100 sheets |")
	for _, c := range of {
		fmt.Fprintf(&b, " %s |", c)
	}
	b.WriteString("\n| --- |" + strings.Repeat(" --- |", len(of)) + "\n")
	for i, name := range habitNames {
		fmt.Fprintf(&b, "| %s |", name)
		for _, c := range all {
			fmt.Fprintf(&b, " %.1f |", 100*float64(c.of[i])/float64(max(1, c.sheets)))
		}
		b.WriteString("\n")
	}
	return b.String()
}
