package steppe

import (
	"fmt"
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
func (s *State) readCourse(in *instruction, r *phrase.Reader) (v *rule.Violation) {
	if in.verb == "ENTER" {
		r.Skip("AT")
		if w := r.Peek(); isHex(w) {
			if in.at, v = s.place(r); v != nil {
				return v
			}
		}
	}
	for !r.End() && v == nil {
		switch w := r.Next(); {
		case w == "TO":
			in.to, v = s.place(r)
		case w == "VIA":
			for v == nil && !r.End() && !slices.Contains(moveWords, r.Peek()) {
				var h hex.Hex
				if h, v = s.place(r); v == nil {
					in.via = append(in.via, h)
				}
			}
		case w == "PUSH":
			in.push = true
		case isWalk(w):
			for _, p := range strings.Split(w, "-") {
				h, bad := phrase.Hex(s.sc.Board, p)
				if bad != nil {
					return bad
				}
				in.path = append(in.path, h)
			}
		default:
			return &rule.Violation{Why: fmt.Sprintf("%q is not understood here", w), Instead: "Expected TO and a hex, VIA, PUSH, or a path such as 2712-2711-2612."}
		}
	}
	if v == nil && in.goal() == hex.None && (in.verb != "ENTER" || in.at == hex.None) {
		v = &rule.Violation{Why: "the order does not say where to", Instead: "Write TO and a hex, or a path such as 2712-2711-2612."}
	}
	return v
}

// readAttack reads ATTACK 2512 WITH LAH, DR-; ARTILLERY 2; MIN 2:1; ELSE 2411; ADVANCE LAH.
func (s *State) readAttack(in *instruction, side Side, r *phrase.Reader) (v *rule.Violation) {
	if in.target, v = s.place(r); v != nil {
		return v
	}
	for !r.End() && v == nil {
		v = s.attackWord(in, side, r)
	}
	if v == nil && len(in.units) == 0 && !in.atWill {
		v = &rule.Violation{Clause: "Steppe 10.1", Why: "the attack names no units", Instead: "Write WITH and the attacking units, or AT-WILL for all that can reach it."}
	}
	return v
}

func (s *State) attackWord(in *instruction, side Side, r *phrase.Reader) (v *rule.Violation) {
	switch w := r.Next(); w {
	case "WITH", "AND":
		var us []*Unit
		if us, v = s.units(side, r.Take(attackWords...)); v == nil {
			in.units = append(in.units, us...)
		}
	case "OVERRUN":
		list := r.Take(attackWords...)
		if len(list) == 0 {
			in.overrun = in.units
			if len(in.units) == 0 {
				v = &rule.Violation{Clause: "Steppe 9.3", Why: "OVERRUN names no units"}
			}
			break
		}
		in.overrun, v = s.units(side, list)
	case "MIN":
		if in.min = r.Next(); !slices.Contains(s.sc.Columns, in.min) {
			v = &rule.Violation{Clause: "Steppe 10.1", Why: fmt.Sprintf("%q is no column of the Combat Results Table", in.min), Instead: "The columns are " + strings.Join(s.sc.Columns, ", ") + "."}
		}
	case "ARTILLERY":
		if r.Skip("ALL") {
			in.arty = 99
			break
		}
		n, err := strconv.Atoi(r.Next())
		if in.arty = n; err != nil || n < 0 {
			v = &rule.Violation{Clause: "Steppe 10.1", Why: "ARTILLERY needs a number of markers, or ALL"}
		}
	case "ELSE":
		in.elseHex, v = s.place(r)
	case "AT-WILL":
		in.atWill = true
	case "KEY":
		in.key = true
	case "AIR":
		if in.noAir = r.Skip("NO"); !in.noAir {
			v = &rule.Violation{Clause: "Steppe 11.0", Why: "an attack may say AIR NO; what it does is standing orders"}
		}
	case "LOSSES":
		in.losses, v = s.lossOrder(side, r.Take(attackWords...))
	case "ADVANCE":
		v = s.readAdvance(in, side, r)
	default:
		v = &rule.Violation{Why: fmt.Sprintf("%q is not understood in an attack", w), Instead: "Expected " + strings.Join(attackWords[:10], ", ") + "."}
	}
	return v
}

// readAdvance reads ADVANCE LAH, DR- [TO 2411], ADVANCE ALL and ADVANCE NO.
func (s *State) readAdvance(in *instruction, side Side, r *phrase.Reader) (v *rule.Violation) {
	if r.Skip("NO", "NONE") {
		in.noAdvance = true
		return nil
	}
	if r.Skip("ALL") {
		in.advance = in.units
	} else if in.advance, v = s.units(side, r.Take(attackWords...)); v != nil {
		return v
	}
	if r.Skip("TO") {
		in.second, v = s.place(r)
	}
	return v
}

// readRail reads RAIL 6PD, 15ID TO 2613, 2512 [IF OURS].
func (s *State) readRail(in *instruction, side Side, r *phrase.Reader) (v *rule.Violation) {
	if in.units, v = s.units(side, r.Take(moveWords...)); v != nil {
		return v
	}
	if r.Next() != "TO" {
		return &rule.Violation{Clause: "Steppe 4.2", Why: "RAIL needs towns: TO and their hexes"}
	}
	for !r.End() && r.Peek() != "IF" {
		h, v := s.place(r)
		if v != nil {
			return v
		}
		if !s.sc.land.place[s.ix(h)] {
			return &rule.Violation{Clause: "Steppe 4.2", Why: fmt.Sprintf("%v is no town or city", h)}
		}
		in.places = append(in.places, h)
	}
	if r.Skip("IF") {
		in.ours = r.Skip("OURS")
	}
	for _, u := range in.units {
		if u.Where == OnMap {
			return &rule.Violation{Clause: "Steppe 4.2", Why: u.c.Name + " is on the map: only reinforcements are railed"}
		}
	}
	return nil
}

// readBlow reads BLOW 2914/2915 BY 62G RD.
func (s *State) readBlow(in *instruction, side Side, r *phrase.Reader) (v *rule.Violation) {
	m := edgeForm.FindStringSubmatch(r.Next())
	if m == nil {
		return &rule.Violation{Clause: "Steppe 12.0", Why: "BLOW names a bridge by its two hexes, such as 2914/2915"}
	}
	a, v := phrase.Hex(s.sc.Board, m[1])
	if v != nil {
		return v
	}
	b, v := phrase.Hex(s.sc.Board, m[2])
	if v != nil {
		return v
	}
	in.edge = hex.Between(a, b)
	if !s.sc.Board.Bridge(in.edge) {
		return &rule.Violation{Clause: "Steppe 12.0", Why: fmt.Sprintf("there is no bridge on %v", in.edge)}
	}
	if !r.Skip("BY") {
		return &rule.Violation{Clause: "Steppe 12.0", Why: "BLOW names the units that do it: BY and their names"}
	}
	in.units, v = s.units(side, r.Take())
	return v
}

// readKG reads KG D FROM 7 PD and MERGE KG A INTO 168. units holds the Kampfgruppe
// (nil: any) and the division.
func (s *State) readKG(in *instruction, side Side, r *phrase.Reader) *rule.Violation {
	list := r.Take("FROM", "INTO")
	if in.verb == "KG" {
		list = append([]orders.Word{{Text: "KG"}}, list...)
	}
	kg, v := s.named(side, phrase.Join(list))
	if v != nil {
		return v
	}
	if !kg.c.KG {
		return &rule.Violation{Clause: "Steppe 14.0", Why: kg.c.Name + " is no Kampfgruppe"}
	}
	if !r.Skip("FROM", "INTO") {
		return &rule.Violation{Clause: "Steppe 14.0", Why: "the division is missing", Instead: "Write KG D FROM 7 PD, or MERGE KG D INTO 7 PD."}
	}
	div, v := s.named(side, phrase.Join(r.Take()))
	if v != nil {
		return v
	}
	if v := likeKG(kg.c, div.c); v != nil {
		return v
	}
	in.units = []*Unit{kg, div}
	return nil
}
