package steppe

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

func isHex(w string) bool { _, err := hex.Parse(w); return err == nil }

// readCourse reads 2712-2711-2612, or TO 3222 VIA 3423 PUSH; for ENTER first the edge hex.
func (x *sheetReader) readCourse(in *instruction, r *phrase.Reader) (v *rule.Violation) {
	if in.verb == verbEnter {
		r.Skip("AT")
		if isHex(r.Peek()) {
			if in.at, v = x.s.place(r); v != nil {
				return v
			}
		}
	}
	for !r.End() {
		if v = x.courseWord(in, r); v != nil {
			return v
		}
	}
	if in.goal() == hex.None && in.at == hex.None {
		v = phrase.Nowhere()
	}
	return v
}

// courseWord reads the next word of a course and what belongs to it.
func (x *sheetReader) courseWord(in *instruction, r *phrase.Reader) *rule.Violation {
	way := phrase.Way{Board: x.s.sc.Board, Stop: moveWords, To: &in.to, Via: &in.via, Path: &in.path}
	w := r.Next()
	if own, v := way.Clause(w, r); own {
		return v
	}
	if w == "PUSH" {
		in.push = true
		return nil
	}
	if w == "INTO" && r.Skip("CONTACT") { // as of an order to all units
		in.push = true
		return x.s.sc.tooNew(5, "INTO CONTACT of one unit")
	}
	return phrase.Astray(w, "PUSH", "INTO CONTACT")
}

// readAttack reads ATTACK 2512 WITH LAH, DR-; ARTILLERY 2; MIN 2:1; ELSE 2411; ADVANCE LAH.
func (x *sheetReader) readAttack(in *instruction, r *phrase.Reader) (v *rule.Violation) {
	if r.Skip("ANY") {
		in.anywhere, in.atWill = true, true
		v = x.s.sc.tooNew(5, "ATTACK ANY")
	} else {
		in.target, v = x.s.place(r)
	}
	if v != nil {
		return v
	}
	for !r.End() {
		if v = x.attackWord(in, r); v != nil {
			return v
		}
	}
	if in.anywhere {
		return in.namesNobody()
	}
	if len(in.units) == 0 && !in.atWill {
		v = refuse("Steppe 10.1", "the attack names no units")
		v.Instead = "Write WITH and the attacking units, or AT-WILL for all that can reach it."
	}
	return v
}

// namesNobody refuses units of an attack on any hex: it takes whom no other order names.
func (in *instruction) namesNobody() *rule.Violation {
	if len(in.units)+len(in.overrun)+len(in.advance) == 0 && in.elseHex == hex.None {
		return nil
	}
	v := refuse("Steppe 10.1", "ATTACK ANY takes all units that no order below it names, wherever its odds are met")
	v.Instead = "Write ATTACK ANY; MIN 2:1, or ATTACK a hex WITH these units."
	return v
}

// attackWord reads the next word of an attack and what belongs to it.
func (x *sheetReader) attackWord(in *instruction, r *phrase.Reader) (v *rule.Violation) {
	switch w := r.Next(); w {
	case "WITH", "AND":
		return x.readWith(in, r)
	case "OVERRUN":
		return x.readOverrun(in, r)
	case "MIN":
		return x.readMin(in, r)
	case "ARTILLERY":
		return readMarkers(in, r)
	case "ADVANCE":
		return x.readAdvance(in, r)
	case "ELSE":
		in.elseHex, v = x.s.place(r)
	case "AT-WILL":
		in.atWill = true
	case "KEY":
		in.key = true
	case "LOSSES":
		in.losses, v = x.s.lossOrder(x.side, r.Take(attackWords...))
	case "AIR":
		if in.noAir = r.Skip("NO"); !in.noAir {
			v = refuse("Steppe 11.0", "an attack may say AIR NO; what it does is standing orders")
		}
	default:
		v = phrase.Unexpected(w, "in an attack", attackWords[:10]...)
	}
	return v
}

// readWith reads attacking units.
func (x *sheetReader) readWith(in *instruction, r *phrase.Reader) *rule.Violation {
	list := r.Take(attackWords...)
	if phrase.Join(list) == "ALL" { // who can then
		in.atWill = true
		return x.s.sc.tooNew(5, "WITH ALL")
	}
	us, v := x.units(list)
	if v == nil {
		in.units = append(in.units, us...)
	}
	return v
}

// readOverrun reads OVERRUN with units, or without for all that attack.
func (x *sheetReader) readOverrun(in *instruction, r *phrase.Reader) (v *rule.Violation) {
	if list := r.Take(attackWords...); len(list) > 0 {
		in.overrun, v = x.units(list)
		return v
	}
	in.overrun = in.units
	if len(in.units) == 0 {
		v = refuse("Steppe 9.3", "OVERRUN names no units")
	}
	return v
}

// readMin reads the column below which the attack lapses.
func (x *sheetReader) readMin(in *instruction, r *phrase.Reader) *rule.Violation {
	in.min = r.Next()
	if slices.Contains(x.s.sc.Columns, in.min) {
		return nil
	}
	v := refuse("Steppe 10.1", "%q is not a column of the Combat Results Table", in.min)
	v.Instead = "The columns are " + strings.Join(x.s.sc.Columns, ", ") + "."
	return v
}

// readMarkers reads ARTILLERY 2 and ARTILLERY ALL.
func readMarkers(in *instruction, r *phrase.Reader) *rule.Violation {
	if r.Skip("ALL") {
		in.arty = allMarkers
		return nil
	}
	n, err := strconv.Atoi(r.Next())
	if err != nil || n < 0 {
		return refuse("Steppe 10.1", "ARTILLERY needs a number of markers, or ALL")
	}
	in.arty = n
	return nil
}

// readAdvance reads ADVANCE LAH, DR- [TO 2411], ADVANCE ALL and ADVANCE NO.
func (x *sheetReader) readAdvance(in *instruction, r *phrase.Reader) (v *rule.Violation) {
	if r.Skip("NO", "NONE") {
		in.noAdvance = true
		return nil
	}
	if r.Skip("ALL") {
		in.advance = in.units
	} else if in.advance, v = x.units(r.Take(attackWords...)); v != nil {
		return v
	}
	if r.Skip("TO") {
		in.second, v = x.s.place(r)
	}
	return v
}

// readRail reads RAIL 6PD, 15ID TO 2613, 2512 [IF OURS].
func (x *sheetReader) readRail(in *instruction, r *phrase.Reader) (v *rule.Violation) {
	if in.units, v = x.units(r.Take(moveWords...)); v != nil {
		return v
	}
	if r.Next() != "TO" {
		return refuse("Steppe 4.2", "RAIL needs towns: TO and their hexes")
	}
	if in.places, v = phrase.Places(x.s.sc.Board, nil, r, "IF"); v != nil {
		return v
	}
	for _, h := range in.places {
		if !x.s.sc.land.place[x.s.ix(h)] {
			return refuse("Steppe 4.2", "%v is not a town or city", h)
		}
	}
	if r.Skip("IF") {
		r.Skip("OURS") // a town that is not is passed over in any case
	}
	for _, u := range in.units {
		if u.Where == OnMap {
			return refuse("Steppe 4.2", "%s is on the map: only reinforcements are railed", u.c.Name)
		}
	}
	return nil
}

// readBlow reads BLOW 2914/2915 BY 62G RD.
func (x *sheetReader) readBlow(in *instruction, r *phrase.Reader) (v *rule.Violation) {
	if in.edge, _, v = phrase.Hexside(x.s.sc.Board, r); v != nil {
		v.Clause, v.Instead = "Steppe 12.0", cmp.Or(v.Instead, "BLOW names a bridge by its two hexes, such as 2914/2915.")
		return v
	}
	if !x.s.sc.Board.Bridge(in.edge) {
		return refuse("Steppe 12.0", "there is no bridge on %v", in.edge)
	}
	if !r.Skip("BY") {
		return refuse("Steppe 12.0", "BLOW names the units that do it: BY and their names")
	}
	in.units, v = x.units(r.Take())
	return v
}

// readKG reads KG D FROM 7 PD and MERGE KG A INTO 168. units holds the Kampfgruppe and
// the division: nothing else is broken off a division, a red-sash one neither.
//
// Steppe 7.2/5
func (x *sheetReader) readKG(in *instruction, r *phrase.Reader) *rule.Violation {
	list := r.Take("FROM", "INTO")
	if in.verb == verbKG {
		list = append([]orders.Word{{Text: "KG"}}, list...)
	}
	kg, v := x.s.named(x.side, list)
	if v != nil {
		return v
	}
	if !kg.c.KG {
		return refuse("Steppe 14.0", "%s is no Kampfgruppe", kg.c.Name)
	}
	if !r.Skip("FROM", "INTO") {
		v := refuse("Steppe 14.0", "the division is missing")
		v.Instead = "Write KG D FROM 7 PD, or MERGE KG D INTO 7 PD."
		return v
	}
	div, v := x.s.named(x.side, r.Take())
	if v != nil {
		return v
	}
	if v := likeKG(kg.c, div.c); v != nil {
		return v
	}
	in.units = []*Unit{kg, div}
	return nil
}
