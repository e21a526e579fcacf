package steppe

import (
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// advanceTo opens an order to all units that a chit can activate, with TO behind it; with units
// or ALL it is a term of the attack before it.
const advanceTo = "ADVANCE"

// ofFormation tells whether words are an order to all units of a chit.
func ofFormation(words []orders.Word) bool {
	return len(words) > 1 && words[0].Text == advanceTo && words[1].Text == "TO"
}

// formationHelp is how orders to all units are written.
const formationHelp = "Write ADVANCE TO 2712, ADVANCE TO 2712 VIA 2211 INTO CONTACT or ADVANCE TO 2712; KEEP LAH."

// formation reads ADVANCE TO 2712 VIA 2211 INTO CONTACT; KEEP LAH, DR-: as programmes are read when
// their chit comes, it is a movement of those whom the headquarters can activate then.
//
// deviation Steppe 6.0: an order to all units of a chit moves those in range when it is drawn,
// whoever is nearest to the goal first and the headquarters last; it stays where nobody is left
// to go with it.
func (x *sheetReader) formation(in *instruction, g group, p *programme, r *phrase.Reader, when []phrase.Condition, instead bool) *rule.Violation {
	*in = instruction{verb: verbMove, pos: g.pos, text: g.text, arty: byDoctrine, when: when, otherwise: instead}
	if v := in.misplaced(p); v != nil {
		return r.Blame(v)
	}
	if p.hq == nil {
		return r.Blame(refuse("Steppe 6.1", "an individual hex has no formation: name its units"))
	}
	r.Next()
	way := phrase.Way{Board: x.s.sc.Board, Stop: append([]string{"KEEP"}, moveWords...), To: &in.to, Via: &in.via, Path: &in.path}
	var keep []*Unit
	for !r.End() {
		w := r.Next()
		own, v := way.Clause(w, r)
		switch {
		case own && v == nil:
		case w == "INTO" && r.Skip("CONTACT"), w == "PUSH":
			in.push = true
		case w == "KEEP":
			var us []*Unit
			us, v = x.units(r.Take("TO", "VIA", "INTO"))
			keep = append(keep, us...)
		case v == nil:
			v = phrase.Unexpected(w, "in an order to all units", "TO", "VIA", "INTO CONTACT", "KEEP")
			v.Instead = strings.TrimSpace(v.Instead + " " + formationHelp)
		}
		if v != nil {
			return r.Blame(v)
		}
	}
	if in.to == hex.None {
		return r.Blame(phrase.Nowhere())
	}
	in.units = slices.DeleteFunc(x.s.formed(p.hq, in.to), func(u *Unit) bool { return slices.Contains(keep, u) })
	return nil
}

// formed are the units that a headquarters can activate now and itself, by when they advance on a
// hex.
func (s *State) formed(hq *Unit, goal hex.Hex) (out []*Unit) {
	for u := range s.onMap() {
		free := !u.Activated || s.mayStillMove(u)
		if free && s.mayActivate(hq, u) && s.inRange(hq, u.Hex) {
			out = append(out, u)
		}
	}
	slices.SortStableFunc(out, func(a, b *Unit) int {
		return s.sc.land.grid.Distance(a.Hex, goal) - s.sc.land.grid.Distance(b.Hex, goal)
	})
	leadsNobody := len(out) == 0 && !s.sc.before(5) // it would march against the enemy alone
	if hq.Where == OnMap && !leadsNobody {
		out = append(out, hq)
	}
	return out
}
