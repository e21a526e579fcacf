package steppe

import (
	"cmp"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// readProgramme reads a CHIT or SOLO section with its guarded variants.
func (x *sheetReader) readProgramme(sec orders.Section) {
	head := headText(sec.Name, sec.Args)
	base, rest, v := x.readHead(sec)
	if v == nil && x.judge && base.otherwise {
		v = x.noneAbove(base)
	}
	x.told(sec.Pos, head, v)
	if v != nil {
		for _, o := range sec.Orders {
			x.told(o.Pos, x.labelled(o), refuse("", "it is not filed: it stands under %s, which was refused", head))
		}
		return
	}
	base.at, base.head = sec.Pos, head
	if x.s.goesOn(base) {
		base.rest, base.attack = x.s.Acting, x.s.Acting.AttackFirst
	}
	x.add(base)
	groups := x.instructions(rest, sec.Orders)
	base.steps = make([]instruction, 0, len(groups))
	p := base // the variant that the next orders belong to; nil under a condition that was refused
	for _, g := range groups {
		if opensCondition(g.words[0].Text) {
			p, g.words, v = x.variant(base, g.words)
			if p != nil {
				p.at = g.pos
			}
			if v != nil || len(g.words) == 0 {
				x.told(g.pos, g.text, v)
				continue
			}
		}
		if p == nil {
			x.told(g.pos, g.text, refuse("", "it is not filed: it stands under a condition that was refused"))
			continue
		}
		x.told(g.pos, g.text, x.addStep(p, g))
	}
}

// noneAbove refuses OTHERWISE behind the name of a chit that no section above it has a condition for.
func (x *sheetReader) noneAbove(p *programme) *rule.Violation {
	if slices.ContainsFunc(x.above(p), func(q *programme) bool { return len(q.guards) > 0 }) {
		return nil
	}
	v := refuse("", "OTHERWISE opens the programme that is chosen if no condition above it for this chit holds, and there is none above it")
	v.Instead = "Leave OTHERWISE out, or put a section of the chit with IF above it."
	return v
}

// above are the programmes of the chit, or of individual hexes, that have been read before one.
func (x *sheetReader) above(p *programme) []*programme {
	if p.hq == nil {
		return x.out.solo
	}
	return slices.DeleteFunc(slices.Clone(x.out.programmes), func(q *programme) bool { return q.hq != p.hq })
}

// add adds a programme to those of its chit or of the individual hex.
func (x *sheetReader) add(p *programme) {
	if p.hq == nil {
		x.out.solo = append(x.out.solo, p)
	} else {
		x.out.programmes = append(x.out.programmes, p)
	}
}

// addStep reads an order and adds it to a programme if it stands.
func (x *sheetReader) addStep(p *programme, g group) *rule.Violation {
	n := len(p.steps)
	p.steps = append(p.steps, instruction{})
	in := &p.steps[n]
	v := x.instruction(in, g, p)
	if v == nil && x.judge {
		v = cmp.Or(p.tooLate(n), in.oddsAstray(), in.tookNothing(p), in.asksNever(p), x.s.judge(p, *in))
	}
	if v != nil {
		p.steps = p.steps[:n]
	}
	return v
}

// opensCondition tells whether a word begins a condition.
func opensCondition(w string) bool { return w == "IF" || w == "UNLESS" }

// opensOrder tells whether a word begins an order of a programme, or a condition. ASK does since the
// fifth version of the rules.
func (x *sheetReader) opensOrder(w string) bool {
	if w == verbs[verbAsk] && x.s.sc.before(5) {
		return false
	}
	return opensCondition(w) || w == otherwise || slices.Contains(verbs, w)
}

// group is the words of one order of a programme.
type group struct {
	pos   orders.Pos
	text  string
	words []orders.Word
}

// instructions groups the clauses of a section, the rest of its head first: each group
// begins with a verb or a condition, and what follows without one belongs to it if it can.
// A line that goes on with nothing is a group of its own.
func (x *sheetReader) instructions(head orders.Clause, list []orders.Order) []group {
	out := make([]group, 0, 1+len(list))
	add := func(at orders.Pos, c orders.Clause, behind bool) {
		opens := x.opensOrder(c[0].Text) || x.ofFormation(c)
		goesOn := len(out) > 0 && (!opens || behind && x.isTerm(c))
		isOne := behind || x.s.sc.before(5) || goesOn && x.goesOn(out[len(out)-1], c)
		if goesOn && isOne {
			last := &out[len(out)-1]
			last.words, last.text = append(last.words, c...), last.text+"; "+x.text(c)
			return
		}
		out = append(out, group{at, x.text(c), slices.Clip(c)})
	}
	if len(head) > 0 {
		add(head[0].Pos, head, false)
	}
	for _, o := range list {
		for i := range o.Clauses {
			add(clausePos(o, i), o.Clauses[i], i > 0)
		}
	}
	return out
}

// goesOn tells whether a line that begins no order belongs to the one above it: it begins with a
// word that goes on, or makes sense there.
func (x *sheetReader) goesOn(above group, line orders.Clause) bool {
	if !x.opensOrder(above.words[0].Text) && !x.ofFormation(above.words) {
		return false
	}
	if slices.Contains(goingOn, line[0].Text) {
		return true
	}
	if opensCondition(above.words[0].Text) {
		r := phrase.New(above.words)
		_, v := x.conditions(&r, false)
		return v != nil // it is not complete
	}
	above.words = slices.Concat(above.words, line)
	scratch := &programme{hq: &Unit{c: &Counter{}}, steps: make([]instruction, 1)}
	return x.instruction(&instruction{}, above, scratch) == nil
}

// goingOn are the words that go on with an order on a line of their own.
var goingOn = slices.Concat(moveWords, attackWords, []string{"KEEP", "CONTACT", "OR", "NOT", "THEN"})

// isTerm tells whether a condition behind an order, on its line, is of that order: it ends
// without THEN. By version 3 it opened a variant as well.
func (x *sheetReader) isTerm(c orders.Clause) bool {
	return !x.s.sc.before(4) && opensCondition(c[0].Text) && !slices.ContainsFunc(c, func(w orders.Word) bool { return w.Text == "THEN" })
}

// clausePos is where a clause of an order stands on the sheet: the first where its order
// does.
func clausePos(o orders.Order, i int) orders.Pos {
	if i == 0 {
		return o.Pos
	}
	return o.Clauses[i][0].Pos
}

// readHead reads what follows CHIT or SOLO: who, and the mode.
func (x *sheetReader) readHead(sec orders.Section) (p *programme, rest []orders.Word, v *rule.Violation) {
	p = &programme{}
	words := sec.Args
	if !x.s.sc.before(5) {
		words = phrase.Uncoloned(words)
	}
	r := phrase.New(words)
	if sec.Name == "SOLO" {
		r.Skip("HEX")
		p.hex, v = x.s.place(&r)
	} else {
		p.hq, v = x.readHQ(&r)
	}
	if v != nil {
		return nil, nil, r.Blame(v)
	}
	v = x.readMode(p, &r)
	return p, r.Words, r.Blame(v)
}

// mostHQWords is how many words a form of a headquarters' name has at the most.
const mostHQWords = 6

// readHQ reads the name of a headquarters without a comma.
func (x *sheetReader) readHQ(r *phrase.Reader) (*Unit, *rule.Violation) {
	hq, n := x.longestHQ(r.Words)
	if hq == nil {
		v := refuse("Steppe 2.6", "CHIT names no headquarters of yours: %q", phrase.Join(r.Words))
		v.Instead = strings.TrimSpace(orders.DidYouMean(x.s.nearHQs(x.side, r.Words)) + " Yours are " + x.s.hqNames(x.side) + ".")
		return nil, v
	}
	if i := slices.IndexFunc(r.Words[1:n], func(w orders.Word) bool { return w.Comma }); i >= 0 {
		v := refuse("Steppe 2.6", "CHIT names one headquarters, and a comma parts %q", orders.Clause(r.Words[:n]))
		v.Instead = "Write CHIT " + strings.ToUpper(hq.c.Name) + "."
		return nil, phrase.Blame(v, r.Words[1+i])
	}
	r.Words = r.Words[n:]
	return hq, x.s.foreign(hq)
}

// longestHQ is the headquarters that as many words as can be name, and how many they are;
// nil if none of them do. HQ with an order behind it is the verb of that. No name goes on
// where the mode begins.
func (x *sheetReader) longestHQ(words []orders.Word) (*Unit, int) {
	for n := beforeMode(words[:min(mostHQWords, len(words))]); n > 0; n-- {
		if n > 1 && n < len(words) && words[n-1].Text == verbs[verbHQ] && !opensMode(words[n:]) {
			continue
		}
		if u, found := phrase.Find(muster{x.s, x.side}, x.s.sc.Board, phrase.Join(words[:n])); found && !u.combat() {
			return u, n
		}
	}
	return nil, 0
}

// beforeMode is how many of some words stand before those that begin to say what the
// programme is; the first is always one of them.
func beforeMode(words []orders.Word) int {
	for n := 1; n < len(words); n++ {
		if opensMode(words[n:]) {
			return n
		}
	}
	return len(words)
}

// opensMode tells whether the words begin to say what the programme is: in which sequence
// it acts, or whether.
func opensMode(words []orders.Word) bool {
	r := phrase.New(words)
	var p programme
	return readSequence(&p, &r) || words[0].Text == "HOLD" || opensCondition(words[0].Text)
}

// nearHQs are the headquarters that words may have been meant for that name none.
func (s *State) nearHQs(side Side, words []orders.Word) []string {
	return orders.Near(phrase.Join(words), strings.Split(strings.ToUpper(s.hqNames(side)), ", "))
}

// sequences are the ways to write which mode comes first. There is no other: no unit
// attacks, moves and attacks again.
//
// Steppe 6.0/7
var sequences = []struct {
	words  []string
	attack bool // Combat mode first
}{
	{[]string{"MOVE", "THEN", "ATTACK"}, false},
	{[]string{"ATTACK", "THEN", "MOVE"}, true},
	{[]string{"MA"}, false},
	{[]string{"AM"}, true},
}

// readSequence reads which mode comes first, if that stands here.
func readSequence(p *programme, r *phrase.Reader) bool {
	for _, q := range sequences {
		n := len(q.words)
		if len(r.Words) < n {
			continue
		}
		if slices.EqualFunc(r.Words[:n], q.words, func(w orders.Word, want string) bool { return w.Text == want }) {
			p.attack, r.Words = q.attack, r.Words[n:]
			return true
		}
	}
	return false
}

// readMode reads MOVE THEN ATTACK, ATTACK THEN MOVE, HOLD, IF and UNLESS.
func (x *sheetReader) readMode(p *programme, r *phrase.Reader) (v *rule.Violation) {
	for !r.End() && v == nil {
		if readSequence(p, r) {
			continue
		}
		if isHead := p.at == (orders.Pos{}) && !x.s.sc.before(5); isHead && r.Skip(otherwise) {
			p.otherwise = true
			continue
		}
		switch w := r.Peek(); {
		case w == "HOLD":
			r.Next()
			if !opensCondition(r.Peek()) {
				p.hold = true
				continue
			}
			v = x.addGuards(p, r, true)
		case opensCondition(w):
			v = x.addGuards(p, r, false)
		case slices.Contains(verbs, w), x.ofFormation(r.Words):
			return nil
		default:
			r.Next()
			v = phrase.Unexpected(w, "here", append([]string{"MOVE THEN ATTACK", "ATTACK THEN MOVE", "HOLD", "IF"}, verbs...)...)
		}
	}
	return v
}

// addGuards reads IF or UNLESS and conditions, of a programme that acts then, or with
// holds is idle then.
func (x *sheetReader) addGuards(p *programme, r *phrase.Reader, holds bool) *rule.Violation {
	c, v := x.conditions(r, holds)
	if v == nil && slices.ContainsFunc(c, phrase.Condition.AsksOdds) {
		v = oddsBehindAttack()
	}
	p.guards = append(p.guards, c...)
	return v
}

// variant opens a guarded variant of a programme: IF SOVIET HOLDS 2115 THEN ... Nil: it
// is refused.
func (x *sheetReader) variant(base *programme, words []orders.Word) (p *programme, rest []orders.Word, v *rule.Violation) {
	r := phrase.New(words)
	p = &programme{hq: base.hq, hex: base.hex, attack: base.attack, rest: base.rest}
	if v = x.addGuards(p, &r, false); v == nil {
		v = x.readMode(p, &r)
	}
	if v != nil {
		return nil, nil, r.Blame(v)
	}
	x.add(p)
	return p, r.Words, nil
}

// instruction reads one order of a programme.
func (x *sheetReader) instruction(in *instruction, g group, p *programme) (v *rule.Violation) {
	words, when, v := x.whenOf(g.words)
	if v != nil {
		return v
	}
	r := phrase.New(words)
	instead := r.Skip(otherwise)
	word := r.Peek()
	if x.ofFormation(r.Words) {
		return x.formation(in, g, p, &r, when, instead)
	}
	i := slices.Index(verbs, word)
	if i < 0 || !x.opensOrder(word) {
		return phrase.Unexpected(word, "here", append(slices.Clone(verbs), "IF")...)
	}
	r.Next()
	*in = instruction{verb: verb(i), pos: g.pos, text: g.text, arty: byDoctrine, when: when, otherwise: instead}
	if v := in.misplaced(p); v != nil {
		return r.Blame(v)
	}
	if v = x.readOrder(in, &r, p); v == nil && !r.End() {
		v = phrase.Unexpected(r.Next(), "in this order")
	}
	return r.Blame(v)
}

// readOrder reads what follows the verb.
func (x *sheetReader) readOrder(in *instruction, r *phrase.Reader, p *programme) (v *rule.Violation) {
	switch in.verb {
	case verbStop:
		var word string
		word, v = phrase.OneOf(r, "HERE", "ALL")
		in.stopAll = word == "ALL"
		return v
	case verbSkip:
		return nil
	case verbAsk:
		return x.readAsk(in, r)
	case verbAttack:
		return x.readAttack(in, r)
	case verbHQ:
		return x.readHQMove(in, r, p)
	case verbUnits:
		if in.text == "UNITS ALL" {
			r.Next()
			return nil
		}
		in.units, v = x.units(r.Take())
		return v
	case verbRail:
		return x.readRail(in, r)
	case verbBlow:
		return x.readBlow(in, r)
	case verbKG, verbMerge:
		return x.readKG(in, r)
	}
	if in.verb == verbEnter && r.Peek() == "ALL" && !x.s.sc.before(6) {
		return x.readEnterAll(in, r, p)
	}
	return x.readMove(in, r)
}

// readEnterAll reads ENTER ALL 2900 TO 2906: every reinforcement that is due and comes with the chit,
// by that hex if one is named, whoever moves farthest first and the headquarters last.
func (x *sheetReader) readEnterAll(in *instruction, r *phrase.Reader, p *programme) *rule.Violation {
	r.Next()
	if p.hq == nil {
		return refuse("Steppe 6.1", "reinforcements do not enter with an individual hex")
	}
	if v := x.readCourse(in, r); v != nil {
		return v
	}
	for i := range x.s.Units {
		u := &x.s.Units[i]
		comes := x.s.due(u) && (u == p.hq || x.s.mayActivate(p.hq, u))
		byThere := in.at == hex.None || slices.Contains(x.s.zoneOf(u).Hexes, in.at)
		if comes && byThere {
			in.units = append(in.units, u)
		}
	}
	slices.SortStableFunc(in.units, func(a, b *Unit) int {
		return cmp.Or(first(b == p.hq, a == p.hq), b.face().Moves-a.face().Moves, strings.Compare(a.ID, b.ID))
	})
	if len(in.units) > 0 {
		return nil
	}
	if in.at != hex.None {
		return refuse("Steppe 4.0", "nobody who comes with the chit of %s is due by %v in this turn", p.hq.c.Name, in.at)
	}
	return refuse("Steppe 3.2", "nobody who comes with the chit of %s is due in this turn", p.hq.c.Name)
}

// units reads a list of units of the side.
func (x *sheetReader) units(list []orders.Word) ([]*Unit, *rule.Violation) {
	return x.s.units(x.side, list)
}

// readHQMove reads HQ TO 2712.
func (x *sheetReader) readHQMove(in *instruction, r *phrase.Reader, p *programme) *rule.Violation {
	if p.hq == nil {
		v := refuse("Steppe 6.1", "an individual hex has no headquarters of its chit")
		v.Instead = "Name the unit: MOVE and its name."
		return v
	}
	in.units = []*Unit{p.hq}
	return x.readCourse(in, r)
}

// readMove reads MOVE LAH, DR- TO 2712, and likewise ENTER and OVERRUN-MOVE.
func (x *sheetReader) readMove(in *instruction, r *phrase.Reader) (v *rule.Violation) {
	stop := moveWords
	if in.verb == verbEnter {
		stop = append([]string{"AT"}, moveWords...)
	}
	words := r.Words
	list := r.Names(stop...)
	// ENTER LAH 1000: the last word of the names is where the unit enters.
	if n := len(list); in.verb == verbEnter && n > 1 && isHex(list[n-1].Text) {
		list, r.Words = list[:n-1], words[n-1:]
	}
	if in.units, v = x.units(list); v != nil {
		return v
	}
	return x.readCourse(in, r)
}

func (s *State) hqNames(side Side) string {
	var out []*Unit
	for i := range s.Units {
		u := &s.Units[i]
		if u.c.Side != side || u.combat() || u.Where == Gone {
			continue
		}
		out = append(out, u)
	}
	return names(out)
}
