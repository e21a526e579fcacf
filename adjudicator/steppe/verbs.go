package steppe

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// Vocabulary is the system's words for the sheet parser.
var Vocabulary = orders.Vocabulary{
	Sections: []string{"CHITS", "BACKHAND", "HQBACK", "CHIT", "SOLO", "STANDING"},
	Open:     []string{"CHIT", "SOLO"},
}

// verbs begin an instruction of a programme.
var verbs = []string{"MOVE", "ATTACK", "ENTER", "KG", "MERGE", "BLOW", "RAIL", "HQ", "OVERRUN-MOVE", "UNITS"}

// Words that end a list of units.
var (
	moveWords   = []string{"TO", "VIA", "PUSH", "BY", "INTO", "FROM", "IF"}
	attackWords = []string{"WITH", "MIN", "ARTILLERY", "ELSE", "AT-WILL", "KEY", "LOSSES", "ADVANCE", "OVERRUN", "AIR", "TO", "AND"}
)

var (
	walkForm = regexp.MustCompile(`^\d{3,4}(-\d{3,4})+$`)
	edgeForm = regexp.MustCompile(`^(\d{3,4})[-/](\d{3,4})$`)
)

// turnOrders is a sealed turn sheet: what a side has written before the first chit.
type turnOrders struct {
	chits      []*Unit // headquarters whose chits go into the cup; nil: by doctrine
	backhand   bool
	back       map[string]hex.Hex // returning headquarters by id
	programmes []*programme
	solo       []*programme
	standing   []standing
}

// programme is what a side has written for a chit, or for its individual hex.
type programme struct {
	hq     *Unit   // nil for the individual hex
	hex    hex.Hex // of that
	attack bool    // attack first, then move
	hold   bool
	guards []guard // all must hold; none: the fallback
	steps  []instruction
}

// instruction is one order of a programme.
type instruction struct {
	verb  string
	text  string
	units []*Unit
	course
	at      hex.Hex // ENTER: the edge hex
	edge    hex.Edge
	places  []hex.Hex // RAIL
	ours    bool      // RAIL ... IF OURS
	target  hex.Hex
	elseHex hex.Hex
	atWill  bool
	min     string
	arty    int // -1 by doctrine
	key     bool
	overrun []*Unit
	losses  []string
	advance []*Unit
	second  hex.Hex // of the advance
	declared
}

// declared is what an attack says about itself beside targets and units.
type declared struct {
	noAir     bool
	noAdvance bool
}

// readTurn reads the sections of a turn sheet. Every order and head is told to line,
// with the violation that refuses it, nil if it stands.
func (s *State) readTurn(side Side, sections []orders.Section, line func(orders.Pos, string, string, *rule.Violation)) *turnOrders {
	t := &turnOrders{back: map[string]hex.Hex{}}
	for _, sec := range sections {
		head := strings.TrimSpace(sec.Name + " " + clauseText(sec.Args))
		switch sec.Name {
		case "CHITS":
			us, v := s.units(side, sec.Args)
			if v == nil {
				v = s.judgeChits(side, us)
			}
			if v == nil {
				t.chits = us
			}
			line(sec.Pos, head, "", v)
		case "BACKHAND":
			v := s.readBackhand(t, side, sec.Args)
			line(sec.Pos, head, "", v)
		case "HQBACK":
			line(sec.Pos, head, "", s.readBack(t, side, sec.Args))
		case "CHIT", "SOLO":
			s.readProgramme(t, side, sec, line)
			continue
		case "STANDING":
			if len(sec.Args) > 0 {
				line(sec.Pos, head, "", &rule.Violation{Why: "standing orders stand on the lines below"})
			}
			for _, o := range sec.Orders {
				st, v := s.readStanding(side, o)
				if v == nil {
					t.standing = append(t.standing, st)
				}
				line(o.Pos, o.String(), "", v)
			}
			continue
		}
		for _, o := range sec.Orders {
			line(o.Pos, o.String(), "", &rule.Violation{Why: sec.Name + " stands alone on its line"})
		}
	}
	return t
}

func clauseText(ws []orders.Word) string { return orders.Clause(ws).String() }

// readBackhand reads BACKHAND [NEXT TURN] YES or NO.
func (s *State) readBackhand(t *turnOrders, side Side, args []orders.Word) *rule.Violation {
	r := phrase.New(args)
	if r.Skip("NEXT") {
		r.Skip("TURN")
	}
	word := r.Next()
	switch {
	case word != "YES" && word != "NO" && word != "" || !r.End():
		return &rule.Violation{Clause: "Steppe 15.0", Why: "BACKHAND NEXT TURN is followed by YES or NO"}
	case word == "NO":
		return nil
	case side != German:
		return &rule.Violation{Clause: "Steppe 15.0", Why: "only the Germans have a Backhand Blow"}
	case s.Backhand != 0:
		return &rule.Violation{Clause: "Steppe 15.0", Why: fmt.Sprintf("the Backhand Blow is turn %d; it comes once", s.Backhand)}
	case s.Turn >= s.sc.Last:
		return &rule.Violation{Clause: "Steppe 15.0", Why: "there is no next turn"}
	}
	t.backhand = true
	return nil
}

// readBack reads HQBACK 3TA 3911.
func (s *State) readBack(t *turnOrders, side Side, args []orders.Word) *rule.Violation {
	if len(args) < 2 {
		return &rule.Violation{Clause: "Steppe 4.1", Why: "HQBACK names a headquarters and a hex"}
	}
	last := len(args) - 1
	if args[last-1].Text == "TO" {
		last--
	}
	u, v := s.named(side, phrase.Join(args[:last]))
	if v != nil {
		return v
	}
	r := phrase.New(args[len(args)-1:])
	h, v := s.place(&r)
	switch {
	case v != nil:
		return v
	case u.c.Type != HQ || !u.Back:
		return &rule.Violation{Clause: "Steppe 4.1", Why: u.c.Name + " is no headquarters that comes back"}
	case !slices.Contains(s.backHexes(u), h):
		return &rule.Violation{Clause: "Steppe 4.1", Why: fmt.Sprintf("%s comes back in or beside a unit of the %s, not on %v", u.c.Name, u.c.Command.title(), h)}
	}
	t.back[u.ID] = h
	return nil
}

// readProgramme reads a CHIT or SOLO section with its guarded variants.
func (s *State) readProgramme(t *turnOrders, side Side, sec orders.Section, line func(orders.Pos, string, string, *rule.Violation)) {
	head := strings.TrimSpace(sec.Name + " " + clauseText(sec.Args))
	base, rest, v := s.readHead(side, sec)
	line(sec.Pos, head, "", v)
	if v != nil {
		for _, o := range sec.Orders {
			line(o.Pos, o.String(), "", &rule.Violation{Why: "it stands under " + head + ", which was refused"})
		}
		return
	}
	add := func(p *programme) {
		if p.hq == nil {
			t.solo = append(t.solo, p)
		} else {
			t.programmes = append(t.programmes, p)
		}
	}
	add(base)
	p := base
	all := []placed{}
	if len(rest) > 0 {
		all = append(all, placed{rest[0].Pos, rest})
	}
	for _, o := range sec.Orders {
		for i, c := range o.Clauses {
			at := o.Pos
			if i > 0 {
				at = c[0].Pos
			}
			all = append(all, placed{at, c})
		}
	}
	for _, g := range instructions(all) {
		if w := g.words[0].Text; w == "IF" || w == "UNLESS" {
			var v *rule.Violation
			var more []orders.Word
			p, more, v = s.variant(side, base, g.words)
			if v == nil {
				add(p)
			} else {
				p = nil
			}
			if v != nil || len(more) == 0 {
				line(g.pos, g.text, "", v)
				continue
			}
			g.words = more
		}
		if p == nil {
			line(g.pos, g.text, "", &rule.Violation{Why: "it stands under a condition that was refused"})
			continue
		}
		in, v := s.instruction(side, g, p)
		if v == nil && s.judging {
			v = s.judge(side, p, in)
		}
		if v == nil {
			p.steps = append(p.steps, in)
		}
		line(g.pos, g.text, "", v)
	}
}

// placed is a clause and where it stands.
type placed struct {
	pos    orders.Pos
	clause orders.Clause
}

// group is the words of one order of a programme.
type group struct {
	pos   orders.Pos
	text  string
	words []orders.Word
}

// instructions groups clauses: each group begins with a verb or a condition, and what
// follows without one belongs to it.
func instructions(clauses []placed) []group {
	var out []group
	for _, c := range clauses {
		w := c.clause[0].Text
		if n := len(out); n > 0 && !slices.Contains(verbs, w) && w != "IF" && w != "UNLESS" {
			out[n-1].words = append(out[n-1].words, c.clause...)
			out[n-1].text += "; " + c.clause.String()
			continue
		}
		out = append(out, group{c.pos, c.clause.String(), slices.Clone(c.clause)})
	}
	return out
}

// readHead reads what follows CHIT or SOLO: who, and the mode.
func (s *State) readHead(side Side, sec orders.Section) (p *programme, rest []orders.Word, v *rule.Violation) {
	p = &programme{}
	r := phrase.New(sec.Args)
	if sec.Name == "SOLO" {
		r.Skip("HEX")
		if p.hex, v = s.place(&r); v != nil {
			return nil, nil, v
		}
	} else {
		for n := min(3, len(r.Words)); n > 0 && p.hq == nil; n-- {
			if u := s.byName(side, phrase.Join(r.Words[:n])); u != nil && u.c.Type == HQ {
				p.hq, r.Words = u, r.Words[n:]
			}
		}
		if p.hq == nil {
			return nil, nil, &rule.Violation{Clause: "Steppe 2.6", Why: fmt.Sprintf("CHIT names no headquarters of yours: %q", phrase.Join(sec.Args)), Instead: "Yours are " + s.hqNames(side) + "."}
		}
	}
	v = s.readMode(side, p, &r)
	return p, r.Words, v
}

// readMode reads MOVE THEN ATTACK, ATTACK THEN MOVE, HOLD, IF and UNLESS.
//
// Steppe 6.0/7
func (s *State) readMode(side Side, p *programme, r *phrase.Reader) *rule.Violation {
	for !r.End() {
		then := len(r.Words) > 2 && r.Words[1].Text == "THEN"
		switch w := r.Peek(); {
		case w == "MOVE" && then && r.Words[2].Text == "ATTACK", w == "ATTACK" && then && r.Words[2].Text == "MOVE":
			p.attack = w == "ATTACK"
			r.Words = r.Words[3:]
		case w == "MA" || w == "AM":
			p.attack = r.Next() == "AM"
		case w == "HOLD":
			r.Next()
			if r.Peek() != "IF" && r.Peek() != "UNLESS" {
				p.hold = true
				break
			}
			not := r.Next() == "IF" // it holds unless the guard says that it may act
			g, v := s.readGuards(side, r)
			if v != nil {
				return v
			}
			p.guards = append(p.guards, negated(g, not)...)
		case w == "IF" || w == "UNLESS":
			not := r.Next() == "UNLESS"
			g, v := s.readGuards(side, r)
			if v != nil {
				return v
			}
			p.guards = append(p.guards, negated(g, not)...)
		case slices.Contains(verbs, w):
			return nil
		default:
			return &rule.Violation{Why: fmt.Sprintf("%q is not understood here", w), Instead: "Expected MOVE THEN ATTACK, ATTACK THEN MOVE, HOLD, IF, or an order: " + strings.Join(verbs, ", ") + "."}
		}
	}
	return nil
}

// variant opens a guarded variant of a programme: IF SOVIET HOLDS 2115 THEN ...
func (s *State) variant(side Side, base *programme, words []orders.Word) (*programme, []orders.Word, *rule.Violation) {
	r := phrase.New(words)
	not := r.Next() == "UNLESS"
	g, v := s.readGuards(side, &r)
	if v != nil {
		return base, nil, v
	}
	p := &programme{hq: base.hq, hex: base.hex, attack: base.attack, guards: negated(g, not)}
	return p, r.Words, s.readMode(side, p, &r)
}

// instruction reads one order of a programme.
func (s *State) instruction(side Side, g group, p *programme) (in instruction, v *rule.Violation) {
	r := phrase.New(g.words)
	in = instruction{verb: r.Peek(), text: g.text, arty: -1}
	if !slices.Contains(verbs, in.verb) {
		return in, &rule.Violation{Why: fmt.Sprintf("%q is not understood here", in.verb), Instead: "Expected " + strings.Join(verbs, ", ") + " or IF."}
	}
	r.Next()
	switch in.verb {
	case "ATTACK":
		v = s.readAttack(&in, side, &r)
	case "HQ":
		if p.hq == nil {
			return in, &rule.Violation{Clause: "Steppe 6.1", Why: "an individual hex has no headquarters of its chit", Instead: "Name the unit: MOVE and its name."}
		}
		in.units = []*Unit{p.hq}
		v = s.readCourse(&in, &r)
	case "UNITS":
		if in.text == "UNITS ALL" {
			return in, nil
		}
		in.units, v = s.units(side, r.Take())
	case "RAIL":
		v = s.readRail(&in, side, &r)
	case "BLOW":
		v = s.readBlow(&in, side, &r)
	case "KG", "MERGE":
		v = s.readKG(&in, side, &r)
	default:
		stop := moveWords
		if in.verb == "ENTER" {
			stop = append([]string{"AT"}, moveWords...)
		}
		list := r.Take(stop...)
		for len(list) > 0 && (walkForm.MatchString(list[len(list)-1].Text) || in.verb == "ENTER" && isHex(list[len(list)-1].Text) && len(list) > 1) {
			r.Words = append([]orders.Word{list[len(list)-1]}, r.Words...)
			list = list[:len(list)-1]
		}
		if in.units, v = s.units(side, list); v == nil {
			v = s.readCourse(&in, &r)
		}
	}
	if v == nil && !r.End() {
		v = &rule.Violation{Why: fmt.Sprintf("%q is not understood in this order", r.Peek())}
	}
	return in, v
}

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
		case walkForm.MatchString(w):
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

func (s *State) hqNames(side Side) string {
	var out []*Unit
	for i := range s.Units {
		if u := &s.Units[i]; u.c.Side == side && u.c.Type == HQ && u.Where != Gone {
			out = append(out, u)
		}
	}
	return names(out)
}
