package famous

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

var moveWords = []string{"TO", "VIA", "BY", "AT", "ENTER", "EXIT", "DROP", "STOP-IF", "IF-FIRED", "DEBARK", "ON"}

// verbWords are the orders of a programme.
var verbWords = []string{"MOVE", "ENTER", "EXIT", "MOUNT", "DISMOUNT", "DEBARK", "EMBARK", "CLEAR", "PONTOON", "BLOW", "BARRAGE", "FIRE", "ATTACK", "OVERRUN", "PASS", "HOLD", "STACK", "ACTIVATE", "STOP", "ASK", "OTHERWISE",
	"ADVANCE", "WITHDRAW", "COVER", "SUPPORT"}

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
//	STOP HERE, STOP ALL              OTHERWISE and an order, OTHERWISE SKIP
//	ASK HERE                         ASK AFTER ATTACK [2036]
//	SUPPORT 2PZ WITH HUMMEL
//	ADVANCE TO 3332; KEEP I.G.       WITHDRAW TO 2130          ENTER AT A: to the formation
//	COVER 2135                       SUPPORT 2PZ               SUPPORT 2135: likewise
//
// and IF or UNLESS with a condition behind any of them.
func (p *parser) parse(w phrase.Written) (*instruction, *rule.Violation) {
	if w.Fault != nil {
		return nil, w.Fault
	}
	if ofFormation(w) {
		f, v := p.formation(w)
		return &instruction{verb: f.verb, text: w.Text}, v
	}
	order, tied, v := p.leading(w.Order)
	if v != nil {
		return nil, v
	}
	words := order.Clauses[0]
	if !p.s.sc.before(7) {
		words = spelledOut(words)
	}
	first := phrase.New(slices.Clone(words))
	in := &instruction{verb: verb(first.Next()), text: w.Text, condition: tied}
	rest := order.Clauses[1:]
	switch in.verb {
	case verbStop:
		if v = in.stops(&first); v == nil && !first.End() {
			v = phrase.Unexpected(first.Peek(), "here")
		}
	case verbAsk:
		if v = p.s.sc.tooNew(7, "ASK"); v == nil {
			v = p.asked(in, &first)
		}
	case verbSkip:
		if in.quiet = true; !in.otherwise {
			v = &rule.Violation{Why: "SKIP stands behind OTHERWISE"}
		}
		rest = append([]orders.Clause{first.Words}, rest...)
	case verbMove, verbEnter, verbExit, verbDebark:
		return in, p.move(in, first, rest)
	case verbAttack, verbOverrun:
		return in, p.attack(in, first, rest)
	case verbMount:
		v = p.mount(in, &first)
	case verbDismount, verbEmbark:
		in.units, v = p.units(first.Words)
	case verbClear, verbPontoon, verbBlow:
		v = p.work(in, &first)
	case verbBarrage:
		v = p.barrage(in, &first)
	case verbFire:
		v = p.fire(in, &first)
	case verbSupport:
		v = p.support(in, &first)
	case verbPass, verbHold:
		rest = append([]orders.Clause{first.Words}, rest...)
	case verbStack:
		in.at, v = p.place(&first)
	case verbCover:
		return nil, &rule.Violation{Why: "COVER names the hex that is to be covered", Instead: formationHelp}
	case "KEEP":
		return nil, &rule.Violation{Why: "KEEP is a part of an order to the formation",
			Instead: "Write it behind that order, such as ADVANCE TO 3332; " + strings.ToUpper(w.Order.Clauses[0].String()) + "."}
	default:
		return nil, &rule.Violation{Why: fmt.Sprintf("%q is not an order of a programme", in.verb),
			Instead: strings.TrimSpace(orders.DidYouMean(orders.Near(string(in.verb), verbWords)) + " The orders are " + strings.Join(verbWords, ", ") + ".")}
	}
	if v == nil {
		v = nothing(rest)
	}
	return in, v
}

// spelledOut is an order with HQ TO ..., as the other game with chits has it, for MOVE HQ TO ...
func spelledOut(words orders.Clause) orders.Clause {
	if len(words) > 1 && words[0].Text == "HQ" && words[1].Text == "TO" {
		return append(orders.Clause{{Text: string(verbMove), Pos: words[0].Pos}}, words...)
	}
	return words
}

// nothing refuses what stands behind the end of an order.
func nothing(rest []orders.Clause) *rule.Violation {
	for _, c := range rest {
		if len(c) > 0 {
			return phrase.Unexpected(c[0].Text, "here")
		}
	}
	return nil
}

func (p *parser) move(in *instruction, first phrase.Reader, rest []orders.Clause) (v *rule.Violation) {
	o := &in.move
	o.text, o.debark = in.text, in.verb == verbDebark
	spec := p.movers(in, &first)
	if o.units, v = p.units(spec); v != nil {
		return v
	}
	for _, c := range append([]orders.Clause{first.Words}, rest...) {
		r := phrase.New(c)
		for !r.End() {
			if v := p.moveClause(in.verb, o, &r); v != nil {
				return v
			}
		}
	}
	return cmp.Or(o.complete(in.verb), p.way(o).Fault(o.leaves()))
}

// movers takes the names of units off the front of a movement. The letter of an exit may
// follow the last of them without a comma.
func (p *parser) movers(in *instruction, first *phrase.Reader) []orders.Word {
	spec := first.Names(moveWords...)
	n := len(spec)
	if in.verb != verbExit || n < 2 || spec[n-1].Comma {
		return spec
	}
	if last := spec[n-1].Text; p.s.sc.Board.Zone(last) != nil {
		in.move.exit = last
		return spec[:n-1]
	}
	return spec
}

// way reads where a movement goes.
func (p *parser) way(o *moveOrder) phrase.Way {
	return phrase.Way{Board: p.s.sc.Board, Stop: moveWords, To: &o.to, Via: &o.via, Path: &o.path}
}

// complete tells what a movement still lacks.
func (o *moveOrder) complete(v verb) *rule.Violation {
	switch {
	case v == verbEnter && !o.enters():
		return &rule.Violation{Clause: "GD 4.0", Why: "ENTER needs AT and the letter of an entry hex"}
	case v == verbExit && !o.leaves():
		return &rule.Violation{Clause: "GD 18.3", Why: "EXIT needs the letter of an entry hex"}
	case v == verbMove && o.stays():
		return phrase.Nowhere()
	}
	return nil
}

// moveClause reads a word of a movement and what belongs to it.
func (p *parser) moveClause(of verb, o *moveOrder, r *phrase.Reader) (v *rule.Violation) {
	w := r.Next()
	if own, v := p.way(o).Clause(w, r); own {
		return v
	}
	switch w {
	case "BY":
		if of == verbExit && r.Peek() != "ROAD" {
			o.exit = r.Next()
			return nil
		}
		if !r.Skip("ROAD") {
			return &rule.Violation{Why: "BY ROAD is the only way with BY"}
		}
		o.road = true
	case "AT":
		if of != verbEnter {
			return &rule.Violation{Why: "AT stands with ENTER only"}
		}
		return p.entry(o, r)
	case "ENTER":
		return p.entry(o, r)
	case "EXIT":
		o.exit = r.Next()
	case "DROP":
		return p.dropOff(o, r)
	case "STOP-IF":
		r.Skip("SPOT")
		o.stopIf = spotting(r.Next())
		if o.stopIf != spotTank && o.stopIf != spotAny {
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
		return phrase.Astray(w, "BY ROAD", "DROP", "STOP-IF", "IF-FIRED", "DEBARK")
	}
	return nil
}

// entry reads the letter by which reinforcements come on.
func (p *parser) entry(o *moveOrder, r *phrase.Reader) *rule.Violation {
	o.enter = r.Next()
	return p.noEntryHex("GD 4.0", o.enter)
}

// noEntryHex refuses a letter that is none of an entry hex, and says which there are; nil for
// one that is.
func (p *parser) noEntryHex(c rule.Clause, letter string) *rule.Violation {
	board := p.s.sc.Board
	if board.Zone(letter) != nil {
		return nil
	}
	var there []string
	for _, z := range board.Zones {
		there = append(there, z.ID)
	}
	return &rule.Violation{Clause: c, Why: fmt.Sprintf("no entry hex %q", letter), Instead: "Expected " + strings.Join(there, ", ") + "."}
}

// dropOff reads which units stay behind, and where.
func (p *parser) dropOff(o *moveOrder, r *phrase.Reader) *rule.Violation {
	us, v := p.units(r.Take("AT"))
	if v != nil {
		return v
	}
	if !r.Skip("AT") {
		return &rule.Violation{Why: "DROP needs AT and a hex"}
	}
	h, v := p.place(r)
	if v != nil {
		return v
	}
	o.drops = append(o.drops, dropOff{us, h})
	return nil
}

// barrage reads the target and the guns of a barrage.
func (p *parser) barrage(in *instruction, r *phrase.Reader) (v *rule.Violation) {
	in.barrage.text = in.text
	if in.barrage.target, v = p.place(r); v != nil {
		return v
	}
	if !r.Skip("WITH") {
		return &rule.Violation{Why: "BARRAGE needs WITH and the guns"}
	}
	in.barrage.all = p.meansAll(r.Words)
	in.barrage.guns, v = p.units(r.Words)
	return v
}

// meansAll tells whether WITH ALL stands for those who can do it then, and not for the whole
// battalion, as in games begun before the sixth version of the rules.
func (p *parser) meansAll(list []orders.Word) bool {
	return phrase.Join(list) == "ALL" && !p.s.sc.before(6)
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
	if in.verb == verbClear {
		in.at, v = p.place(r)
	} else {
		in.work, v = p.works(r)
	}
	if v != nil {
		return v
	}
	if !r.Skip("WITH") {
		return &rule.Violation{Why: string(in.verb) + " needs WITH and an engineer"}
	}
	u, v := p.one(r.Words)
	in.units, in.work.unit = []*Unit{u}, u
	return v
}

func (p *parser) fire(in *instruction, r *phrase.Reader) *rule.Violation {
	if r.Skip("ANY") {
		if v := p.s.sc.tooNew(7, "FIRE ANY"); v != nil {
			return v
		}
		in.fire = fireOrder{text: in.text, anywhere: true}
		return in.fire.preference(r)
	}
	us, v := p.units(r.Take("AT"))
	if v != nil {
		return v
	}
	if !r.Skip("AT") {
		return &rule.Violation{Clause: "GD 11.3", Why: "FIRE needs AT and a hex"}
	}
	h, v := p.place(r)
	if v != nil {
		return v
	}
	in.fire = fireOrder{text: in.text, units: us, target: h}
	return in.fire.preference(r)
}

// preference reads PREF and a class of targets, at the end of an order to fire.
func (o *fireOrder) preference(r *phrase.Reader) *rule.Violation {
	if r.Skip("PREF") {
		o.prefer = preference(r.Next())
	}
	if !r.End() {
		return phrase.Unexpected(r.Peek(), "here")
	}
	return nil
}

// attackWords begin the parts of an attack.
var attackWords = []string{"WITH", "MIN", "ARTILLERY", "ADVANCE", "OVERRUN", "THEN"}

func (p *parser) attack(in *instruction, first phrase.Reader, rest []orders.Clause) (v *rule.Violation) {
	o := &in.attack
	o.text, o.min, o.overrun = in.text, -1, in.verb == verbOverrun
	if anywhere := first.Skip("AT-WILL") || first.Skip("ANY"); anywhere {
		o.atWill, o.min = true, 3
	} else if o.target, v = p.place(&first); v != nil {
		return v
	}
	for _, c := range append([]orders.Clause{first.Words}, rest...) {
		r := phrase.New(c)
		for !r.End() {
			if v := p.attackClause(o, &r); v != nil {
				return v
			}
		}
	}
	if len(o.units) == 0 && !o.atWill {
		return &rule.Violation{Clause: "GD 10.0", Why: "the attack names no units", Instead: "Write WITH and the attacking units, separated by commas."}
	}
	if o.then != nil && !o.overrun {
		return &rule.Violation{Clause: "GD 9.4", Why: "THEN follows an overrun only"}
	}
	return nil
}

// attackClause reads a word of an attack and what belongs to it.
func (p *parser) attackClause(o *attackOrder, r *phrase.Reader) (v *rule.Violation) {
	switch w := r.Next(); w {
	case "WITH":
		list := r.Take(attackWords[1:]...)
		o.all = p.meansAll(list)
		o.units, v = p.units(list)
	case "MIN":
		o.min = column(r.Next())
		if o.min < 0 {
			return &rule.Violation{Clause: "GD 10.1", Why: "MIN needs a column of the table", Instead: "They are " + strings.Join(columns[:], ", ") + "."}
		}
	case "ARTILLERY":
		v = p.artillery(o, r.Take("MIN", "ADVANCE", "OVERRUN", "THEN"))
	case "OVERRUN":
		o.overrun = true
	case "ADVANCE":
		v = p.advances(o, r.Take("MIN", "OVERRUN", "THEN"))
	case "THEN":
		r.Skip("MOVE")
		o.then = &moveOrder{text: o.text}
		for v == nil && !r.End() {
			v = p.moveClause(verbMove, o.then, r)
		}
	default:
		return phrase.Unexpected(w, "in an attack", attackWords...)
	}
	return v
}

// column is the column of the table that an order calls 2-1 or 2:1, -1 for none.
func column(odds string) int {
	return slices.Index(columns[:], strings.ReplaceAll(odds, ":", "-"))
}

// artillery reads the guns of an attack: names, or KEY, ANY and a number.
func (p *parser) artillery(o *attackOrder, list []orders.Word) (v *rule.Violation) {
	if len(list) > 0 {
		switch list[0].Text {
		case "KEY", "ANY":
			return p.anyGuns(o, list)
		}
	}
	o.guns, v = (&parser{p.s, p.side, ""}).units(list)
	return v
}

// anyGuns reads how many guns may take part of the engine's choice.
func (p *parser) anyGuns(o *attackOrder, list []orders.Word) *rule.Violation {
	o.auto = 9
	n := len(list)
	if n == 1 {
		return nil
	}
	most, err := strconv.Atoi(list[n-1].Text)
	if err != nil || most < 1 {
		return &rule.Violation{Clause: "GD 10.2", Why: "ARTILLERY ANY MAX needs a number of guns"}
	}
	o.auto = most
	return nil
}

// advances reads who advances and which hex beyond the target they go on to.
func (p *parser) advances(o *attackOrder, list []orders.Word) *rule.Violation {
	o.advanceSet = true
	switch phrase.Join(list) {
	case "NO", "NONE":
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
