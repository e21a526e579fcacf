package wb95

import (
	"slices"

	"fieldpost/adjudicator/hex"
)

// Stake is a hex that points hang on as things stand.
type Stake struct {
	Hex   hex.Hex
	Worth int // by how many hundredths of a point the lead of our player changes with it
	Ours  bool
	// Nations are whose units are to take and hold it, nil for anybody.
	Nations []string
}

// Stakes lists the hexes that the points of a tactical victory hang on: objectives first, then where awards are earned
// or lost. Of an award for one hex of many it is the one that our units are nearest to.
func (a *Adviser) Stakes() []Stake {
	sc, out := a.s.sc, a.objectives()
	for _, player := range sc.players() {
		if sc.Scorer != "" && sc.Scorer != player {
			continue
		}
		for i := range sc.Awards {
			w := &sc.Awards[i]
			if !sc.pays(w, player) {
				continue
			}
			for _, st := range a.stakesOf(w, sc.camp(player)) {
				st.Worth *= sc.listsWith(w, player)
				if sc.Halved[player] {
					st.Worth /= 2
				}
				out = append(out, st)
			}
		}
	}
	return out
}

// objectives are the hexes that objectives hang on.
func (a *Adviser) objectives() (out []Stake) {
	for _, o := range a.s.sc.Objectives {
		if o.Side == "" {
			out = append(out, Stake{Hex: o.Hex, Worth: 100 * o.Points, Ours: a.s.held(o.Hex) == a.side})
			continue
		}
		worth := 100 * o.Points
		if a.s.sc.Halved[o.Side] {
			worth /= 2
		}
		out = append(out, a.taking(o.Hex, worth, a.s.sc.camp(o.Side), o.Nations, a.s.counts(o, o.Side))...)
	}
	return out
}

// taking is the stake of a hex that counts for one side alone, and only where units of nations have taken it: theirs
// to take or to keep while it counts, the other's to keep, or to take away while it counts.
func (a *Adviser) taking(h hex.Hex, worth int, by Side, nations []string, counts bool) []Stake {
	st := Stake{Hex: h, Worth: worth, Ours: a.s.held(h) == a.side}
	mine := by == a.side
	if mine == st.Ours && !counts { // another nation of theirs has it
		return nil
	}
	if mine {
		st.Nations = nations
	}
	return []Stake{st}
}

// stakesOf are the hexes that an award of a side hangs on.
func (a *Adviser) stakesOf(w *Award, side Side) (out []Stake) {
	worth, own := 100*w.Points, side == a.side
	each := func(worth int) {
		for _, h := range w.Hexes {
			out = append(out, Stake{Hex: h, Worth: worth, Ours: a.s.held(h) == a.side})
		}
	}
	switch w.Kind {
	case awardHold:
		each(worth / len(w.Hexes))
	case awardRoad:
		each(worth)
	case awardCross:
		if own && a.s.scorer().hits(w, side) == 0 {
			out = a.nearestOf(w.Hexes, worth, nil)
		}
	case awardOccupy:
		out = a.occupied(w, side)
	case awardClosed:
		if own {
			out = a.opened(w.Hexes, worth)
		}
	case awardTown:
		out = a.towns(w, side)
	case awardEast:
		out = a.columns(w, side)
	case awardWest: // for columns that the others' units are short of
		out = a.columns(w, a.s.sc.Other(side))
	}
	return out
}

// nearestOf is the hex that our units, of the nations if any are named, are nearest to.
func (a *Adviser) nearestOf(hexes []hex.Hex, worth int, nations []string) []Stake {
	best, least := hex.None, a.Grid().Len()
	for _, h := range hexes {
		if n := a.unitsFrom(h, nations); n < least {
			best, least = h, n
		}
	}
	if best == hex.None {
		return nil
	}
	return []Stake{{Hex: best, Worth: worth, Ours: a.s.held(best) == a.side, Nations: nations}}
}

// unitsFrom adds up how far from a hex the nearest of our units are.
func (a *Adviser) unitsFrom(h hex.Hex, nations []string) (sum int) {
	var near []int
	for _, u := range a.s.onMap(a.side) {
		if u.regular() && (nations == nil || slices.Contains(nations, u.c.Nation)) {
			near = append(near, a.Grid().Distance(u.Hex, h))
		}
	}
	if len(near) == 0 {
		return a.Grid().Len()
	}
	slices.Sort(near)
	for _, d := range near[:min(unitsNear, len(near))] {
		sum += d
	}
	return sum
}

// unitsNear is how many units count where a hex is sought that a side is near to.
const unitsNear = 4

// occupied are the hexes of an award for a side that stands on one of them: those where it does, else the one that
// ours are nearest to.
func (a *Adviser) occupied(w *Award, side Side) (out []Stake) {
	worth, own := 100*w.Points, side == a.side
	held := slices.DeleteFunc(slices.Clone(w.Hexes), func(h hex.Hex) bool { return a.s.holder(h) != side })
	switch {
	case own && len(held) == 0:
		return a.nearestOf(w.Hexes, worth, nil)
	case own:
		return []Stake{{Hex: held[0], Worth: worth, Ours: true}}
	}
	for _, h := range held {
		out = append(out, Stake{Hex: h, Worth: worth / len(held)})
	}
	return out
}

// opened are the hexes that the enemy holds of some of which they must hold none.
func (a *Adviser) opened(hexes []hex.Hex, worth int) (out []Stake) {
	enemy := a.s.sc.Other(a.side)
	for _, h := range hexes {
		if a.s.holder(h) == enemy || a.s.held(h) == enemy {
			out = append(out, Stake{Hex: h})
		}
	}
	for i := range out {
		out[i].Worth = worth / len(out)
	}
	return out
}

// towns are the places of an award for those that units of nations have taken.
func (a *Adviser) towns(w *Award, side Side) (out []Stake) {
	for _, name := range w.Places {
		h := a.s.sc.Board.Named(name).Hexes[0]
		counts := a.s.held(h) == side && a.s.takenBy(w.Nations, h, side)
		out = append(out, a.taking(h, 100*w.Points, side, w.Nations, counts)...)
	}
	return out
}

// columnsAhead is how many columns further east than their easternmost units are a side's are sent at a time.
const columnsAhead = 6

// columns are where the units that an award counts the columns of are to go next, or are to be driven from.
func (a *Adviser) columns(w *Award, side Side) []Stake {
	var at []hex.Hex
	for _, u := range a.s.onMap(side) {
		if u.Supplied && slices.Contains(w.Nations, u.c.Nation) && !slices.Contains(at, u.Hex) {
			at = append(at, u.Hex)
		}
	}
	slices.SortFunc(at, func(x, y hex.Hex) int { return y.Col() - x.Col() })
	if len(at) == 0 || at[0].Col() >= w.To {
		return nil
	}
	first := at[0].Col()
	if side == a.side {
		ahead := min(w.To, first+columnsAhead)
		return a.nearestOf(a.column(ahead), 100*w.Points*(ahead-first), w.Nations)
	}
	next := w.From
	if len(at) > 1 {
		next = max(next, at[1].Col())
	}
	lost := min(first-next, columnsAhead)
	if lost <= 0 {
		return nil
	}
	return []Stake{{Hex: at[0], Worth: 100 * w.Points * lost}}
}

// column lists the hexes of a column.
func (a *Adviser) column(n int) (out []hex.Hex) {
	for i := range a.Grid().Len() {
		if h := a.Grid().At(i); h.Col() == n && a.On(h) {
			out = append(out, h)
		}
	}
	return out
}

// Decisive lists the hexes that strategic victories by places hang on, each with what changes with it, in hundredths of a
// point: more, the fewer hexes the victory lacks. There are none where one side alone scores, for points come cheaper
// there. A victory of the enemy's that needs all hexes is left out: to keep any one of them prevents it.
func (a *Adviser) Decisive() map[hex.Hex]int {
	out := map[hex.Hex]int{}
	if a.s.sc.Scorer != "" {
		return out
	}
	for i := range a.s.sc.Strategic {
		c := &a.s.sc.Strategic[i]
		if c.Kind != winHold {
			continue
		}
		claimant := a.s.sc.camp(c.Side)
		if claimant != a.side && c.Count == len(c.Hexes) {
			continue
		}
		lacks := c.Count - a.s.holdCount(claimant, c.Hexes)
		for _, h := range c.Hexes {
			if a.s.held(h) == claimant {
				out[h] += chance(lacks) - chance(lacks+1)
			} else {
				out[h] += chance(lacks-1) - chance(lacks)
			}
		}
	}
	return out
}

// What a strategic victory is worth, in hundredths of a point, and how much of that is left, in percent, with each hex
// that is lacking: what did best in games.
const (
	strategicWorth = 4000
	leftOfChance   = 60
)

// chance is what it is worth, in hundredths of a point, to be so many hexes short of a strategic victory.
func chance(lacks int) int {
	worth := strategicWorth
	for range max(0, lacks) {
		worth = worth * leftOfChance / 100
	}
	return worth
}
