package systems

import (
	"fmt"
	"strings"

	"fieldpost/adjudicator/hex"
)

// air sends missions of every kind, in both Air Phases to come.
func (w *wb95Random) air() {
	if w.v.Air == nil {
		return
	}
	for _, p := range w.v.Air.Phases {
		left, own := p.Left, p.Phase == w.a.AirPhase()
		verbs := []string{"ATTACK", "DEFEND", "BRIDGE", "DISRUPT", "CROSSING", "SUPPLY"}
		if own {
			verbs = []string{"SUPPORT", "SUPPORT", "ATTACK", "ATTACK", "BRIDGE", "SUPPLY"}
		} else {
			left /= 2
		}
		for left > 0 && !w.in(5) {
			left -= w.mission(fmt.Sprintf("AIR %d", p.Phase), pick(w, verbs), left)
		}
	}
}

// mission writes one mission and tells the strength that it takes.
func (w *wb95Random) mission(section, verb string, left int) int {
	sp, where := 1+w.r.IntN(min(left, 6)), w.someHex().String()
	foes := w.a.Foes()
	switch verb {
	case "SUPPORT", "ATTACK":
		if len(foes) > 0 {
			where = pick(w, foes).Hex.String()
		}
	case "DEFEND":
		if len(w.v.Units) > 0 {
			where = pick(w, w.v.Units).Hex.String()
		}
	case "SUPPLY":
		if sp = min(left, 7); len(w.v.Units) > 0 {
			where = pick(w, w.v.Units).Hex.String()
		}
	case "BRIDGE":
		if len(w.v.Bridges) == 0 {
			return 0
		}
		sp, where = min(left, max(4, sp)), pick(w, w.v.Bridges).Edge.String()
	case "DISRUPT":
		sp = min(left, pick(w, []int{1, 2, 7, 8, 14}))
	case "CROSSING":
		if len(w.bigBanks()) == 0 {
			return 0
		}
		where = pick(w, w.bigBanks()).String()
	}
	w.add(section, "air "+verb, "%s %s %d", verb, where, sp)
	return sp
}

// bigBanks lists hexes beside big rivers.
func (w *wb95Random) bigBanks() []hex.Hex {
	if w.banks == nil {
		for _, r := range w.v.Board.Rivers {
			if strings.Contains(r.Kind, "big") {
				for _, e := range r.Edges {
					w.banks = append(w.banks, e.A)
				}
			}
		}
	}
	return w.banks
}
