package tournament

import (
	"cmp"
	"slices"
)

// Pair is the next round by the Swiss system: who is level on points meets as far as that goes, nobody
// meets anybody twice as long as there is another way, sides are balanced, and of an odd number the
// last who had no free round yet has one. The same standing brings the same round.
func (t *Tournament) Pair() []Pairing {
	table := t.Table()
	var round []Pairing
	if len(table)%2 == 1 {
		free := len(table) - 1
		for free > 0 && table[free].Free {
			free--
		}
		round = append(round, Pairing{One: table[free].Place, Other: Nobody, Ended: true, Score: 1})
		table = slices.Delete(table, free, free+1)
	}
	var games [][2]Line
	for _, may := range []func(a, b Line) bool{fair, unmet, anyhow} {
		if found, ok := (&matcher{may: may, steps: mostSteps}).match(table); ok {
			games = found
			break
		}
	}
	for _, g := range games {
		round = append(round, seated(g[0], g[1], len(t.Paired)))
	}
	slices.SortStableFunc(round, func(a, b Pairing) int { return cmp.Compare(b.Other, Nobody) - cmp.Compare(a.Other, Nobody) })
	return round
}

// seated gives the first side to whom it is due: who had it less often, else by turns.
func seated(a, b Line, round int) Pairing {
	due := cmp.Compare(a.First, b.First)
	if due == 0 {
		due = 2*((a.Place+round)%2) - 1
	}
	if due > 0 {
		a, b = b, a
	}
	return Pairing{One: a.Place, Other: b.Place}
}

// Whether two may meet, the strictest first: not twice, and not where both are due the same side for
// the third time; not twice; anyhow.
func fair(a, b Line) bool {
	sameDue := min(a.First, b.First) >= mostOfASide || max(a.First, b.First) <= -mostOfASide
	return unmet(a, b) && !sameDue
}

func unmet(a, b Line) bool { return !a.met[b.Place] }

func anyhow(_, _ Line) bool { return true }

// mostOfASide is how much oftener somebody may have one side than the other.
const mostOfASide = 2

// mostSteps bounds the search for a round that all may play.
const mostSteps = 100_000

// matcher pairs lines from the top down and goes back where the rest cannot be paired.
type matcher struct {
	may   func(a, b Line) bool
	steps int
}

func (m *matcher) match(lines []Line) ([][2]Line, bool) {
	if len(lines) == 0 {
		return nil, true
	}
	first := lines[0]
	for i := 1; i < len(lines) && m.steps > 0; i++ {
		m.steps--
		if !m.may(first, lines[i]) {
			continue
		}
		if games, ok := m.match(slices.Concat(lines[1:i], lines[i+1:])); ok {
			return append([][2]Line{{first, lines[i]}}, games...), true
		}
	}
	return nil, false
}
