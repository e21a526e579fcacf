package staff

import (
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// account weighs a position of a rehearsal with open eyes, for a side. Its sums are in
// hundredths of a victory point.
type account struct {
	views []*view.View // of all sides, own first
}

// What things are worth, in hundredths of a point.
const (
	wonGame     = 1500
	inReach     = 60 // a point that both could take, if all the strength around is ours
	leastReach  = 20 // of it in the last turn
	aPoint      = 100
	perStrength = 5 // a strength point that lasts ten turns more
	perStep     = 3
	reachOf     = 8 // hexes
	ledOff      = 60
)

// scales are what things count in the games of a system, in percent: of the margin, how much less ten turns
// before the end, since points are taken back; the armies, and what both sides could take. Those of WB-95
// are rounded from what least squares found in four thousand positions of 220 games of four scenarios, in which both
// sides changed their plans at random: by how much more a side had won in the end than in other games at that turn.
type scales struct{ passing, army, reach int }

var scalesOf = map[string]scales{
	"wb95":   {50, 300, 80},
	"steppe": {0, 100, 100},
	"famous": {0, 100, 100},
}

// margin is the own points less the most that another side has.
func (a account) margin() int {
	own, other := 0, 0
	first := true
	for _, s := range a.views[0].Score {
		switch {
		case s.Side == a.views[0].Side:
			own = s.Points
		case first || s.Points > other:
			other, first = s.Points, false
		}
	}
	return own - other
}

// sum is what the position is worth to the side.
func (a account) sum() int {
	own := a.views[0]
	n := aPoint * a.margin()
	if own.Verdict != "" {
		switch own.Winner {
		case own.Side:
			n += wonGame
		case "":
		default:
			n -= wonGame
		}
		return n
	}
	left := min(10, max(0, own.Turns-own.Turn+1))
	ours, theirs := a.armies()
	count := scalesOf[own.System]
	n -= n * count.passing * left / 1000
	n += (army(ours) - army(theirs)) * count.army * left / 1000
	n += a.reach(ours, theirs, left) * count.reach / 100
	n += ledOff * leftMap(own.Lost)
	return n
}

// armies are the units on the map, own and allied ones apart from the enemy's.
func (a account) armies() (ours, theirs []view.Unit) {
	own := a.views[0]
	allied := map[string]bool{}
	for _, u := range own.Allies {
		allied[u.ID] = true
	}
	ours = slices.Concat(own.Units, own.Allies)
	for _, v := range a.views[1:] {
		for _, u := range v.Units {
			if !allied[u.ID] {
				theirs = append(theirs, u)
			}
		}
	}
	return ours, theirs
}

// army is what units are worth that last to the end of a long game.
func army(units []view.Unit) (n int) {
	for _, u := range units {
		n += power(u)
	}
	return n
}

// power is what a unit is worth.
func power(u view.Unit) int {
	n := perStrength*(u.Attack+u.Defence)/2 + perStep*u.Steps
	if u.Type == "HQ" {
		n += 40
	}
	switch {
	case u.OutOfSupply > 1:
		n = n * 3 / 10
	case u.OutOfSupply == 1:
		n = n * 6 / 10
	}
	if u.Disorganized || slices.Contains(u.Marks, "pinned") {
		n = n * 85 / 100
	}
	return n
}

// reach is what the objectives are worth that either side could still take: by whose strength
// weighs more around them.
func (a account) reach(ours, theirs []view.Unit, left int) (n int) {
	g := &a.views[0].Board.Grid
	share := leastReach + (inReach-leastReach)*left/10
	for _, o := range a.views[0].Objectives {
		p, q := weight(g, ours, o.Hex), weight(g, theirs, o.Hex)
		if p+q == 0 {
			continue
		}
		n += share * max(1, abs(o.Points)) * (p - q) / (p + q)
	}
	return n
}

// weight is the strength around a hex, by how near it is.
func weight(g *hex.Grid, units []view.Unit, h hex.Hex) (n int) {
	for _, u := range units {
		if u.Hex == hex.None {
			continue
		}
		if d := g.Distance(u.Hex, h); d <= reachOf {
			n += 60 * max(u.Attack, u.Defence) / (2 + d)
		}
	}
	return n
}

// leftMap counts the units that were led off the map.
func leftMap(lost []view.Unit) (n int) {
	for _, u := range lost {
		if slices.ContainsFunc(u.Marks, func(m string) bool { return strings.HasPrefix(m, "exited ") }) {
			n++
		}
	}
	return n
}

func abs(n int) int { return max(n, -n) }

// bounded keeps what is much from drowning what is usual: of 1,000,000, by half at that many
// hundredths of a point.
func bounded(n int) int { return 1_000_000 * n / (abs(n) + half) }

const half = 3000

// worst is less than [bounded] makes of anything that can come of a game: a hundred points
// behind are -769,231.
const worst = -990_000
