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

// withdrawTo opens an order to all of them to go back, since the fifth version of the rules.
const withdrawTo = "WITHDRAW"

// ofFormation tells whether words are an order to all units of a chit.
func (x *sheetReader) ofFormation(words []orders.Word) bool {
	if len(words) < 2 || words[1].Text != "TO" {
		return false
	}
	return words[0].Text == advanceTo || words[0].Text == withdrawTo && !x.s.sc.before(5)
}

// formationHelp is how orders to all units are written.
const formationHelp = "Write ADVANCE TO 2712, ADVANCE TO 2712 OR 2711 VIA 2211 INTO CONTACT, ADVANCE TO 2712; KEEP LAH or WITHDRAW TO 2211."

// formation reads ADVANCE TO 2712 VIA 2211 INTO CONTACT; KEEP LAH, DR-: as programmes are read when
// their chit comes, it is a movement of those whom the headquarters can activate then.
//
// deviation Steppe 6.0: an order to all units of a chit moves those in range when it is drawn,
// whoever is nearest to the goal first and the headquarters last; it stays where nobody is left
// to go with it. Of a withdrawal those who touch the enemy go last. Of several goals it is the first
// that one of them can come to in this movement, or the first of all.
func (x *sheetReader) formation(in *instruction, g group, p *programme, r *phrase.Reader, when []phrase.Condition, instead bool) *rule.Violation {
	*in = instruction{verb: verbMove, pos: g.pos, text: g.text, arty: byDoctrine, when: when, otherwise: instead}
	if v := in.misplaced(p); v != nil {
		return r.Blame(v)
	}
	if p.hq == nil {
		return r.Blame(refuse("Steppe 6.1", "an individual hex has no formation: name its units"))
	}
	back := r.Next() == withdrawTo
	var goals []hex.Hex
	way := phrase.Way{Board: x.s.sc.Board, Stop: append([]string{"KEEP"}, moveWords...), To: &in.to, Via: &in.via, Path: &in.path}
	var keep []*Unit
	for !r.End() {
		w := r.Next()
		own, v := way.Clause(w, r)
		switch {
		case own && v == nil:
		case w == "OR":
			var h hex.Hex
			if v = x.s.sc.tooNew(5, "OR"); v == nil {
				h, v = x.s.place(r)
			}
			goals = append(goals, h)
		case w == "INTO" && r.Skip("CONTACT"), w == "PUSH":
			in.push = true
		case w == "KEEP":
			var us []*Unit
			us, v = x.units(r.Take("TO", "VIA", "INTO"))
			keep = append(keep, us...)
		case v == nil:
			v = phrase.Unexpected(w, "in an order to all units", "TO", "OR", "VIA", "INTO CONTACT", "KEEP")
			v.Instead = strings.TrimSpace(v.Instead + " " + formationHelp)
		}
		if v != nil {
			return r.Blame(v)
		}
	}
	if in.to == hex.None {
		return r.Blame(phrase.Nowhere())
	}
	stays := func(u *Unit) bool { return slices.Contains(keep, u) }
	in.to = x.s.firstGoal(slices.DeleteFunc(x.s.formed(p.hq, in.to), stays), in.course, goals)
	in.units = slices.DeleteFunc(x.s.formed(p.hq, in.to), stays)
	if back {
		x.s.contactLast(in.units)
	}
	return nil
}

// firstGoal is the first goal of a course, or of those that stand for it, that one of some units can
// come to in this movement; none: that of the course.
func (s *State) firstGoal(us []*Unit, to course, others []hex.Hex) hex.Hex {
	if len(others) == 0 {
		return to.to
	}
	for _, h := range append([]hex.Hex{to.to}, others...) {
		c := to
		c.to = h
		comes := func(u *Unit) bool {
			way, _ := s.follow(u, s.newWalk(u), c)
			return len(way) > 0 && last(way) == h
		}
		if slices.ContainsFunc(us, comes) {
			return h
		}
	}
	return to.to
}

// contactLast has units beside an enemy move behind the others, ahead of a headquarters at the end.
func (s *State) contactLast(us []*Unit) {
	rank := func(u *Unit) int {
		switch {
		case !u.combat():
			return 2
		case s.foeWithin(u.c.Side, phrase.Fact{Of: u.ID, N: 1}):
			return 1
		}
		return 0
	}
	slices.SortStableFunc(us, func(a, b *Unit) int { return rank(a) - rank(b) })
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
