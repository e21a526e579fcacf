// Package arena plays pairs of staff officers against each other: of each pair of games with
// the same dice each of them plays either side once. It tells who is better by margins of
// victory points, and stops when that is decided.
package arena

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/playtest"
	"fieldpost/staff"
	"fieldpost/trial"
	"fieldpost/trial/processor"
)

// Contender is who plays in the arena: a strength, with a bound of its own if Units is not 0, and with a usual
// plan of its own if Usual is not "", see [staff.Officer].
type Contender struct {
	Strength staff.Strength
	Units    int
	Usual    string
}

// ParseContender reads "chief", "chief@450", or "officer@100:bold".
func ParseContender(text string) (c Contender, err error) {
	text, usual, planned := strings.Cut(text, ":")
	name, units, bounded := strings.Cut(text, "@")
	if c.Strength, err = staff.ParseStrength(name); err != nil {
		return c, err
	}
	switch c.Usual = usual; {
	case planned && usual == "":
		return c, fmt.Errorf("behind the colon a plan is missing: write it as in chief:bold")
	case planned && c.Strength == staff.Cadet:
		return c, fmt.Errorf("a cadet has no plans: %q may be the usual one of an officer or a chief", usual)
	}
	if bounded {
		if c.Units, err = strconv.Atoi(units); err != nil || c.Units < 1 {
			return c, fmt.Errorf("%q is not a number of units: write it as in chief@450", units)
		}
	}
	return c, nil
}

func (c Contender) String() string {
	text := string(c.Strength)
	if c.Units > 0 {
		text += fmt.Sprintf("@%d", c.Units)
	}
	if c.Usual != "" {
		text += ":" + c.Usual
	}
	return text
}

// Options say who plays, and how long.
type Options struct {
	A, B  Contender
	Pairs int    // of each scenario at most
	All   bool   // plays them all, decided or not
	First int    // seed of the first pair
	Fresh int    // on how many fresh positions plans are tried once more that A has chosen
	Tell  string // folder into which the games are written out; "" for none
}

// strategic is the margin that a game counts at least which ended by a strategic victory.
const strategic = 20

// Run plays each scenario of the trial and prints a line for each pair, and a table.
func Run(ctx context.Context, t *trial.Trial, o Options) error {
	all := &tally{}
	var lines []string
	for _, id := range t.Scenarios {
		sum, err := scenario(ctx, t, o, id)
		if err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
		lines = append(lines, sum.row(id))
		all.add(sum)
	}
	fmt.Fprintf(t.Out, "\n%s against %s\n\n%s", o.A, o.B, tableHead)
	for _, l := range lines {
		fmt.Fprintln(t.Out, l)
	}
	if len(lines) > 1 {
		fmt.Fprintln(t.Out, all.row("all"))
	}
	all.notes(t.Out, o.A)
	return nil
}

// scenario plays pairs of one scenario until it is decided.
func scenario(ctx context.Context, t *trial.Trial, o Options, id string) (*tally, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	sum := &tally{}
	done := make([]*pair, o.Pairs)
	next := 0
	var lock sync.Mutex
	err := playtest.Parallel(ctx, o.Pairs, func(ctx context.Context, i int) error {
		p, err := play(ctx, t, o, id, o.First+i)
		if err != nil {
			return fmt.Errorf("pair %d: %w", o.First+i, err)
		}
		lock.Lock()
		defer lock.Unlock()
		// Pairs count in the order of their seeds, so that it is the same pairs on any machine.
		for done[i] = p; next < len(done) && done[next] != nil; next++ {
			if sum.decided() && !o.All {
				stop()
				return nil
			}
			sum.count(done[next])
			fmt.Fprintln(t.Out, done[next])
		}
		return nil
	})
	if sum.decided() && !o.All {
		err = nil
	}
	return sum, err
}

// pair is what came of a pair of games, and of the game of B against itself with the same dice.
type pair struct {
	scenario string
	seed     int
	teams    [2]string
	margins  [3]int // of the first team: A there, B there, and B on both sides
	victors  [3]int // in these games, see [victor]
	won      [2]int // by A: 2 for a win, 1 for a draw, of either game
	refused  int    // orders of A
	sheets   int    // of A
	units    int
	most     int // units of a turn: of a sheet with the answers at its chits
	unheard  int // sheets of A that were not rehearsed, though they should be
	failed   int // rehearsals of A that could not be played to their end
	leads    leads
}

// seats is by how much A did better than B in the same seat against B, first team first.
func (p *pair) seats() [2]int {
	return [2]int{p.margins[0] - p.margins[2], p.margins[2] - p.margins[1]}
}

// margin is that of A over both games.
func (p *pair) margin() int { return p.margins[0] - p.margins[1] }

func (p *pair) String() string {
	return fmt.Sprintf(`{"scenario":%q,"seed":%d,"margin":%d,"as":{%q:%d,%q:%d},"itself":%d,"won":[%d,%d],"strategic":[%d,%d,%d],"refused":%d,"units":%d,"most":%d,"sheets":%d}`,
		p.scenario, p.seed, p.margin(), p.teams[0], p.margins[0], p.teams[1], -p.margins[1], p.margins[2], p.won[0], p.won[1], p.victors[0], p.victors[1], p.victors[2], p.refused, p.units, p.most, p.sheets)
}

// play plays the games of a seed.
func play(ctx context.Context, t *trial.Trial, o Options, id string, seed int) (*pair, error) {
	p := &pair{scenario: id, seed: seed}
	for k, seats := range [3][2]Contender{{o.A, o.B}, {o.B, o.A}, {o.B, o.B}} {
		m, err := t.Match(id, seed)
		if err != nil {
			return nil, err
		}
		m.Turns = t.Turns
		teams, err := teamsOf(m.Game)
		if err != nil {
			return nil, err
		}
		var tells *teller
		if o.Tell != "" {
			tells = newTeller(o.Tell, m.Game)
			m.Each = tells.hear
		}
		for i, team := range teams {
			p.teams[i] = name(team)
			for _, side := range team {
				w := &writer{Officer: seats[i].officer(m.Game), tells: tells}
				if ofA := k < 2 && i == k; ofA {
					w.pair, w.Fresh = p, o.Fresh
				}
				m.Players[side] = w
			}
		}
		r, err := m.Play(ctx)
		if err != nil {
			return nil, err
		}
		if tells != nil {
			if err := tells.keep(fmt.Sprintf("%s-%d-%s-%s", id, seed, seats[0], seats[1])); err != nil {
				return nil, err
			}
		}
		p.margins[k], p.victors[k] = marginOf(m.Game, teams, r), victor(teams, r)
		if k < 2 {
			p.won[k] = points(teams[k], r)
		}
	}
	p.margins = settled(p.margins, p.victors)
	return p, nil
}

// teamsOf parts the sides of a game: the first one with its allies, and the others.
func teamsOf(g adjudicator.Game) (teams [2][]adjudicator.Side, err error) {
	pos, err := g.Opening()
	if err != nil {
		return teams, err
	}
	sides := g.Sides()
	first, err := g.View(pos, sides[0])
	if err != nil {
		return teams, err
	}
	for _, side := range sides {
		v, err := g.View(pos, side)
		if err != nil {
			return teams, err
		}
		ally := slices.ContainsFunc(v.Units, func(u view.Unit) bool {
			return slices.ContainsFunc(first.Allies, func(a view.Unit) bool { return a.ID == u.ID })
		})
		k := 1
		if side == sides[0] || ally {
			k = 0
		}
		teams[k] = append(teams[k], side)
	}
	return teams, nil
}

func name(team []adjudicator.Side) string {
	var out []string
	for _, s := range team {
		out = append(out, string(s))
	}
	return strings.Join(out, "+")
}

// marginOf is the points of the first team less those of the second.
func marginOf(g adjudicator.Game, teams [2][]adjudicator.Side, r playtest.Result) (n int) {
	for i, side := range g.Sides() {
		if slices.Contains(teams[0], side) {
			n += r.Points[i]
		} else {
			n -= r.Points[i]
		}
	}
	return n
}

// victor is 1 where the first team has won by a strategic victory, -1 where the second has, else 0.
func victor(teams [2][]adjudicator.Side, r playtest.Result) int {
	switch {
	case !strings.HasPrefix(r.Verdict, "strategic"):
		return 0
	case slices.Contains(teams[0], adjudicator.Side(r.Winner)):
		return 1
	}
	return -1
}

// settled has a strategic victory count as a point more than the largest margin that its team comes to on points in
// the games with the same dice, and as some points at least. It ends the game at once, and no number of points outranks it:
// who wins so in mid game must not come out behind those who collect points to the end.
func settled(margins, victors [3]int) [3]int {
	most, least := strategic, -strategic
	for k, n := range margins {
		switch won := victors[k]; {
		case won == 0:
			most, least = max(most, n+1), min(least, n-1)
		case won > 0:
			most = max(most, n)
		default:
			least = min(least, n)
		}
	}
	out := margins
	for k, won := range victors {
		switch {
		case won > 0:
			out[k] = most
		case won < 0:
			out[k] = least
		}
	}
	return out
}

// points is 2 for a game that a team has won, 1 for a draw.
func points(team []adjudicator.Side, r playtest.Result) int {
	switch {
	case r.Winner == "":
		return 1
	case slices.Contains(team, adjudicator.Side(r.Winner)):
		return 2
	}
	return 0
}

// writer is an officer at the table.
type writer struct {
	staff.Officer
	pair  *pair                            // what is counted of A; nil for others
	turn  int                              // units of the turn so far
	looks func(v *view.View, sheet string) // is shown each sheet; may be nil
	tells *teller                          // writes the game out; may be nil
}

// Sheet implements playtest.Player.
func (w *writer) Sheet(v *view.View, serial int) (string, error) {
	th, err := w.Think(v, serial)
	if err != nil {
		return "", err
	}
	if w.tells != nil {
		if err := w.tells.write(v, th); err != nil {
			return "", err
		}
	}
	if len(v.Asked) == 0 {
		w.turn = 0
	}
	w.turn += th.Units
	if w.pair != nil {
		w.pair.units += th.Units
		w.pair.most = max(w.pair.most, w.turn)
		w.pair.failed += th.Failed
		w.pair.leads.count(th.Lead)
	}
	if len(v.Asked) > 0 {
		return th.Sheet, nil
	}
	w.Stood, w.Plan = staff.StoodOn(v), th.Plan.Name
	if w.pair != nil {
		w.pair.sheets++
		if th.Unrehearsed != "" {
			w.pair.unheard++
		}
	}
	if w.looks != nil {
		w.looks(v, th.Sheet)
	}
	return th.Sheet, nil
}

// Judged implements the counting of orders that the rules did not take.
func (w *writer) Judged(lines []adjudicator.Line) {
	for _, l := range lines {
		if w.pair != nil && l.Refused != nil {
			w.pair.refused++
		}
	}
}

// leads are of plans of A that were chosen in place of the usual one, with what they come to on fresh positions.
type leads struct{ plans, chosen, fresh int }

func (l *leads) count(of staff.Lead) {
	if of.Positions > 0 {
		l.add(leads{1, of.Chosen, of.Fresh})
	}
}

func (l *leads) add(o leads) {
	l.plans, l.chosen, l.fresh = l.plans+o.plans, l.chosen+o.chosen, l.fresh+o.fresh
}

// notes says what else was seen.
func (s *tally) notes(out io.Writer, a Contender) {
	fmt.Fprintf(out, "\n%d sheets of %s, %d units each on the average with the answers at chits, %d at most; %d orders refused, %d sheets without rehearsal, %d rehearsals failed\n",
		s.sheets, a, s.units/max(1, s.sheets), s.most, s.refused, s.unheard, s.failed)
	fmt.Fprintf(out, "Elo %+.0f (95 %%: %+.0f to %+.0f) by pairs; %s; processor time %.0f s\n", s.elo(0), s.elo(-1.96), s.elo(1.96), s.verdict(), processor.Time().Seconds())
	if l := s.leads; l.plans > 0 {
		fmt.Fprintf(out, "%d times another plan than the usual one: it leads by %+.1f points in all on the positions that it was chosen on, by %+.1f on fresh ones\n",
			l.plans, float64(l.chosen)/100, float64(l.fresh)/100)
	}
}
