package famous

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

var walk = regexp.MustCompile(`^\d{3,4}(-\d{3,4})+$`)

var moveWords = []string{"TO", "VIA", "BY", "AT", "ENTER", "EXIT", "DROP", "STOP-IF", "IF-FIRED", "DEBARK", "ON"}

// verbWords are the orders of a programme.
var verbWords = []string{"MOVE", "ENTER", "EXIT", "MOUNT", "DISMOUNT", "DEBARK", "EMBARK", "CLEAR", "PONTOON", "BLOW", "BARRAGE", "FIRE", "ATTACK", "OVERRUN", "PASS", "HOLD", "STACK", "ACTIVATE"}

// parse reads an order of a programme:
//
//	MOVE 5K, 6K TO 2133 [VIA 2031] [BY ROAD]; DROP 6K AT 2032; STOP-IF SPOT TANK; IF-FIRED STOP
//	MOVE 5K 2130-2131-2132           hex by hex
//	ENTER 5K, 6K AT B [TO 2130]      reinforcements
//	EXIT 5K F [VIA 2852]             off the map
//	MOUNT 1K ON 5K/2PZ               DISMOUNT 1K      DEBARK 6K [TO 2334]      EMBARK 6K
//	CLEAR 2134 WITH 1K               PONTOON 2032/2033 WITH 1K    BLOW 2133/2134 WITH 1K
//	BARRAGE 1742 WITH HUMMEL         FIRE 5K AT 2135 [PREF TRACKED]
//	ATTACK 2135 WITH 5K, 6K; ARTILLERY (1)WSP/1ART; MIN 2-1; ADVANCE 5K 2136
//	ATTACK AT-WILL MIN 2-1           OVERRUN 2135 WITH 5K; THEN TO 2138
//	PASS                             STACK 2345       ACTIVATE 1FUS
func (p *parser) parse(text string) (*instruction, *rule.Violation) {
	o, err := orders.ParseOrder(text)
	if err != nil {
		return nil, &rule.Violation{Why: err.Error()}
	}
	first := phrase.New(slices.Clone(o.Clauses[0]))
	in := &instruction{verb: first.Next(), text: text}
	rest := o.Clauses[1:]
	switch in.verb {
	case "MOVE", "ENTER", "EXIT":
		return in, p.move(in, first, rest)
	case "MOUNT":
		v := p.mount(in, &first)
		return in, p.nothing(rest, v)
	case "DISMOUNT", "EMBARK":
		us, v := p.units(first.Words)
		in.units = us
		return in, p.nothing(rest, v)
	case "DEBARK":
		return in, p.move(in, first, rest)
	case "CLEAR", "PONTOON", "BLOW":
		v := p.work(in, &first)
		return in, p.nothing(rest, v)
	case "BARRAGE":
		h, v := p.place(&first)
		in.barrage = barrageOrder{text: text, target: h}
		if v == nil && !first.Skip("WITH") {
			v = &rule.Violation{Why: "BARRAGE needs WITH and the guns"}
		}
		if v == nil {
			in.barrage.guns, v = p.units(first.Words)
		}
		return in, p.nothing(rest, v)
	case "FIRE":
		v := p.fire(in, &first)
		return in, p.nothing(rest, v)
	case "ATTACK", "OVERRUN":
		return in, p.attack(in, first, rest)
	case "PASS", "HOLD":
		return in, p.nothing(append([]orders.Clause{first.Words}, rest...), nil)
	case "STACK":
		h, v := p.place(&first)
		in.at = h
		return in, p.nothing(rest, v)
	}
	return nil, &rule.Violation{Why: fmt.Sprintf("%q is no order of a programme", in.verb), Instead: "The orders are " + strings.Join(verbWords, ", ") + "."}
}

// nothing refuses what stands behind the end of an order.
func (p *parser) nothing(rest []orders.Clause, v *rule.Violation) *rule.Violation {
	for _, c := range rest {
		if v == nil && len(c) > 0 {
			v = &rule.Violation{Why: fmt.Sprintf("%q is not understood here", c[0].Text)}
		}
	}
	return v
}

func (p *parser) move(in *instruction, first phrase.Reader, rest []orders.Clause) *rule.Violation {
	o := &in.move
	o.text = in.text
	stop := moveWords
	spec := first.Take(stop...)
	// A path, or the letter of an exit, may follow the last name.
	if n := len(spec); n > 1 {
		last := spec[n-1]
		switch {
		case walk.MatchString(last.Text) && !last.Comma:
			spec = spec[:n-1]
			first.Words = append([]orders.Word{last}, first.Words...)
		case in.verb == "EXIT" && !last.Comma && p.s.sc.Board.Zone(last.Text) != nil:
			o.exit = last.Text
			spec = spec[:n-1]
		}
	}
	us, v := p.units(spec)
	if v != nil {
		return v
	}
	o.units = us
	o.debark = in.verb == "DEBARK"
	for _, c := range append([]orders.Clause{first.Words}, rest...) {
		r := phrase.New(c)
		for !r.End() {
			if v := p.moveClause(in.verb, o, &r); v != nil {
				return v
			}
		}
	}
	switch {
	case in.verb == "ENTER" && o.enter == "":
		return &rule.Violation{Clause: "GD 4.0", Why: "ENTER needs AT and the letter of an entry hex"}
	case in.verb == "EXIT" && o.exit == "":
		return &rule.Violation{Clause: "GD 18.3", Why: "EXIT needs the letter of an entry hex"}
	case in.verb == "MOVE" && len(o.path) == 0 && o.to == hex.None && o.exit == "" && o.enter == "" && !o.debark:
		return &rule.Violation{Why: "the order does not say where to", Instead: "Write TO and a hex, or a path such as 2206-2306."}
	case len(o.path) > 0 && (o.to != hex.None || len(o.via) > 0):
		return &rule.Violation{Why: "a path hex by hex and a goal exclude each other"}
	case len(o.via) > 0 && o.to == hex.None && o.exit == "":
		return &rule.Violation{Why: "VIA needs a goal: TO and a hex"}
	}
	return nil
}

func (p *parser) moveClause(verb string, o *moveOrder, r *phrase.Reader) (v *rule.Violation) {
	switch w := r.Next(); w {
	case "TO":
		o.to, v = p.place(r)
	case "VIA":
		for v == nil && !r.End() && !slices.Contains(moveWords, r.Peek()) {
			var h hex.Hex
			if h, v = p.place(r); v == nil {
				o.via = append(o.via, h)
			}
		}
	case "BY":
		if verb == "EXIT" && r.Peek() != "ROAD" {
			o.exit = r.Next()
			break
		}
		if !r.Skip("ROAD") {
			return &rule.Violation{Why: "BY ROAD is the only way with BY"}
		}
		o.road = true
	case "AT", "ENTER":
		if w == "AT" && verb != "ENTER" {
			return &rule.Violation{Why: "AT stands with ENTER only"}
		}
		o.enter = r.Next()
		if p.s.sc.Board.Zone(o.enter) == nil {
			return &rule.Violation{Clause: "GD 4.0", Why: fmt.Sprintf("no entry hex %q", o.enter)}
		}
	case "EXIT":
		o.exit = r.Next()
	case "DROP":
		us, bad := p.units(r.Take("AT"))
		if bad != nil {
			return bad
		}
		if !r.Skip("AT") {
			return &rule.Violation{Why: "DROP needs AT and a hex"}
		}
		var h hex.Hex
		if h, v = p.place(r); v == nil {
			o.drops = append(o.drops, dropOff{us, h})
		}
	case "STOP-IF":
		r.Skip("SPOT")
		if o.stopIf = r.Next(); o.stopIf != "TANK" && o.stopIf != "ANY" {
			return &rule.Violation{Why: "STOP-IF SPOT needs ANY or TANK"}
		}
	case "IF-FIRED":
		switch r.Next() {
		case "STOP":
			o.ifFired = true
		case "GO":
		default:
			return &rule.Violation{Why: "IF-FIRED needs STOP or GO"}
		}
	case "DEBARK":
		o.debark = true
	case "TOGETHER":
	default:
		if !walk.MatchString(w) {
			return &rule.Violation{Why: fmt.Sprintf("%q is not understood here", w), Instead: "Expected TO and a hex, VIA, BY ROAD, DROP, STOP-IF, IF-FIRED, DEBARK or a path such as 2206-2306."}
		}
		for _, t := range strings.Split(w, "-") {
			h, bad := p.hex(t)
			if bad != nil {
				return bad
			}
			o.path = append(o.path, h)
		}
	}
	return v
}

func (p *parser) mount(in *instruction, r *phrase.Reader) *rule.Violation {
	u, v := p.one(r.Take("ON"))
	if v != nil {
		return v
	}
	if !r.Skip("ON") {
		return &rule.Violation{Clause: "GD 9.5", Why: "MOUNT needs ON and a tracked unit"}
	}
	tank, v := p.one(r.Take("AT"))
	in.units, in.tank = []*Unit{u}, tank
	if v == nil && r.Skip("AT") {
		in.at, v = p.place(r)
	}
	return v
}

func (p *parser) work(in *instruction, r *phrase.Reader) (v *rule.Violation) {
	if in.verb == "CLEAR" {
		in.at, v = p.place(r)
	} else {
		in.work, v = p.works(r)
	}
	if v != nil {
		return v
	}
	if !r.Skip("WITH") {
		return &rule.Violation{Why: in.verb + " needs WITH and an engineer"}
	}
	u, v := p.one(r.Words)
	in.units, in.work.unit = []*Unit{u}, u
	return v
}

func (p *parser) fire(in *instruction, r *phrase.Reader) *rule.Violation {
	us, v := p.units(r.Take("AT"))
	if v != nil {
		return v
	}
	if !r.Skip("AT") {
		return &rule.Violation{Clause: "GD 11.3", Why: "FIRE needs AT and a hex"}
	}
	h, v := p.place(r)
	in.fire = fireOrder{text: in.text, units: us, target: h}
	if v == nil && r.Skip("PREF") {
		in.fire.prefer = r.Next()
	}
	if v == nil && !r.End() {
		v = &rule.Violation{Why: fmt.Sprintf("%q is not understood here", r.Peek())}
	}
	return v
}

func (p *parser) attack(in *instruction, first phrase.Reader, rest []orders.Clause) (v *rule.Violation) {
	o := &in.attack
	o.text, o.min, o.overrun = in.text, -1, in.verb == "OVERRUN"
	if first.Skip("AT-WILL") {
		o.atWill, o.min = true, 3
	} else if o.target, v = p.place(&first); v != nil {
		return v
	}
	stop := []string{"WITH", "MIN", "ARTILLERY", "ADVANCE", "OVERRUN", "THEN"}
	for _, c := range append([]orders.Clause{first.Words}, rest...) {
		r := phrase.New(c)
		for !r.End() {
			switch w := r.Next(); w {
			case "WITH":
				o.units, v = p.units(r.Take(stop[1:]...))
			case "MIN":
				c := slices.Index(columns[:], strings.ReplaceAll(r.Next(), ":", "-"))
				if o.min = c; c < 0 {
					v = &rule.Violation{Clause: "GD 10.1", Why: "MIN needs a column of the table", Instead: "They are " + strings.Join(columns[:], ", ") + "."}
				}
			case "ARTILLERY":
				v = p.artillery(o, r.Take("MIN", "ADVANCE", "OVERRUN", "THEN"))
			case "OVERRUN":
				o.overrun = true
			case "ADVANCE":
				v = p.advances(o, r.Take("MIN", "OVERRUN", "THEN"))
			case "THEN":
				r.Skip("MOVE")
				then := &moveOrder{text: in.text}
				for v == nil && !r.End() {
					v = p.moveClause("MOVE", then, &r)
				}
				o.then = then
			default:
				v = &rule.Violation{Why: fmt.Sprintf("%q is not understood in an attack", w), Instead: "Expected " + strings.Join(stop, ", ") + "."}
			}
			if v != nil {
				return v
			}
		}
	}
	if !o.atWill && len(o.units) == 0 {
		return &rule.Violation{Clause: "GD 10.0", Why: "the attack names no units", Instead: "Write WITH and the attacking units, separated by commas."}
	}
	if o.then != nil && !o.overrun {
		return &rule.Violation{Clause: "GD 9.4", Why: "THEN follows an overrun only"}
	}
	return nil
}

// artillery reads the guns of an attack: names, or KEY, ANY and a number.
func (p *parser) artillery(o *attackOrder, list []orders.Word) (v *rule.Violation) {
	if len(list) > 0 && (list[0].Text == "KEY" || list[0].Text == "ANY") {
		o.auto = 9
		if n := len(list); n > 1 {
			k, err := strconv.Atoi(list[n-1].Text)
			if err != nil || k < 1 {
				return &rule.Violation{Clause: "GD 10.2", Why: "ARTILLERY ANY MAX needs a number of guns"}
			}
			o.auto = k
		}
		return nil
	}
	o.guns, v = (&parser{p.s, p.side, ""}).units(list)
	return v
}

// advances reads who advances and which hex beyond the target he goes on to.
func (p *parser) advances(o *attackOrder, list []orders.Word) *rule.Violation {
	o.advanceSet = true
	if len(list) == 1 && (list[0].Text == "NO" || list[0].Text == "NONE") {
		return nil
	}
	for _, spec := range phrase.Parts(list) {
		a := advance{}
		if n := len(spec); n > 1 {
			if h, err := hex.Parse(spec[n-1].Text); err == nil {
				a.on, spec = h, spec[:n-1]
			}
		}
		u, v := p.one(spec)
		if v != nil {
			return v
		}
		a.unit = u
		o.advances = append(o.advances, a)
	}
	return nil
}

// guard reads a condition: IF SOVIET HOLDS 2115, UNLESS 2 OWN CHITS PLAYED, IF TURN 3.
func (p *parser) guard(list []orders.Word) (*guard, *rule.Violation) {
	if len(list) == 0 {
		return nil, nil
	}
	r := phrase.New(list)
	g := &guard{}
	switch r.Next() {
	case "IF":
	case "UNLESS":
		g.unless = true
	default:
		return nil, &rule.Violation{Why: fmt.Sprintf("%q stands where IF or UNLESS was expected", list[0].Text)}
	}
	w := r.Next()
	n, err := strconv.Atoi(w)
	var v *rule.Violation
	switch {
	case w == "TURN":
		g.kind = "turn"
		if g.n, err = strconv.Atoi(r.Next()); err != nil {
			return nil, &rule.Violation{Why: "IF TURN needs a number"}
		}
	case Side(w) == p.s.sc.Sides[0] || Side(w) == p.s.sc.Sides[1]:
		g.kind, g.side = "holds", Side(w)
		if !r.Skip("HOLDS") {
			return nil, &rule.Violation{Why: "a condition reads IF " + w + " HOLDS 2115"}
		}
		g.at, v = p.place(&r)
	case err == nil && (r.Peek() == "OWN" || r.Peek() == "CHITS"):
		g.kind, g.n = "played", n
		r.Take()
	case err == nil && r.Peek() == "EMPTY":
		g.kind = "empty"
		r.Next()
		g.at, v = p.hex(w)
	default:
		return nil, &rule.Violation{Why: fmt.Sprintf("the condition %q is not understood", phrase.Join(list)), Instead: "Write IF SOVIET HOLDS 2115, IF 2115 EMPTY, IF 2 OWN CHITS PLAYED or IF TURN 3."}
	}
	if v == nil && !r.End() {
		v = &rule.Violation{Why: fmt.Sprintf("%q is not understood in a condition", r.Peek())}
	}
	return g, v
}
