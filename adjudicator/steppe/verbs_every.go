package steppe

import (
	"slices"

	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// sectionEvery opens the lines that stand behind those of every programme of a sheet.
const sectionEvery = "EVERY"

// everyChit are a sheet's sections with the lines of EVERY CHIT behind the last of each programme, and
// of each of its variants, that does not end in STOP ALL. Tell hears what becomes of the lines. So
// they are filed with each programme, and are read with it when its chit comes.
func (x *sheetReader) everyChit(sections []orders.Section) []orders.Section {
	var lines []orders.Order
	var rest []orders.Section
	for _, sec := range sections {
		if sec.Name == sectionEvery {
			lines = append(lines, x.linesOfEvery(sec)...)
		} else {
			rest = append(rest, sec)
		}
	}
	for i := range rest {
		if rest[i].Name == "CHIT" && len(lines) > 0 && !stopsAtOnce(rest[i]) {
			rest[i].Orders = x.withEvery(rest[i].Orders, x.everyFor(rest[i], lines))
		}
	}
	return rest
}

// linesOfEvery are the lines of a section that stand.
func (x *sheetReader) linesOfEvery(sec orders.Section) (out []orders.Order) {
	words := phrase.Uncoloned(sec.Args)
	head := headText(sec.Name, sec.Args)
	if isOpen := len(words) > 0 && words[0].Text == "CHIT" && !x.s.sc.before(5); !isOpen {
		x.told(sec.Pos, head, refuse("", "EVERY CHIT opens the lines that stand behind those of every programme"))
		for _, o := range sec.Orders {
			x.told(o.Pos, x.labelled(o), refuse("", "it is not filed: it stands under %s, which was refused", head))
		}
		return nil
	}
	for _, g := range x.instructions(words[1:], sec.Orders) {
		v := x.everyLine(g)
		if x.told(g.pos, g.text, v); v == nil {
			if x.texts != nil {
				x.texts[g.words[0].Pos] = orders.Clause(g.words).String()
			}
			out = append(out, orders.Order{Pos: g.pos, Clauses: []orders.Clause{slices.Clone(g.words)}})
		}
	}
	return out
}

// everyLine refuses a line that cannot stand behind every programme. One that names units stands
// behind those of the headquarters whom they obey, since the sixth version of the rules.
func (x *sheetReader) everyLine(g group) *rule.Violation {
	if x.ofFormation(g.words) {
		return refuse("", "an order to all units of a chit stands below its own chit")
	}
	scratch := &programme{hq: &Unit{c: &Counter{}}, steps: make([]instruction, 2)}
	var in instruction
	if v := x.instruction(&in, g, scratch); v != nil {
		return v
	}
	switch {
	case in.anywhere, in.verb == verbStop, in.verb == verbAsk, in.verb == verbSkip:
		return nil
	case !x.s.sc.before(6) && in.verb != verbHQ:
		return nil
	}
	v := refuse("", "it names units or a hex, and stands below its own chit")
	v.Instead = "Behind every programme may stand ATTACK ANY, OTHERWISE SKIP, STOP and ASK."
	return v
}

// everyFor are the lines of EVERY CHIT for one section: without those that its headquarters can give
// to nobody.
func (x *sheetReader) everyFor(sec orders.Section, lines []orders.Order) (out []orders.Order) {
	quiet := &sheetReader{s: x.s, side: x.side, judge: x.judge}
	p, _, v := quiet.readHead(sec)
	if v != nil || x.s.sc.before(6) {
		return lines
	}
	for _, o := range lines {
		in := instruction{}
		scratch := &programme{hq: p.hq, steps: make([]instruction, 2)}
		g := group{o.Pos, "", slices.Concat(o.Clauses...)}
		if quiet.instruction(&in, g, scratch) == nil && x.s.judge(p, in) == nil {
			out = append(out, o)
		}
	}
	return out
}

// withEvery puts lines behind those of a programme and of its variants.
func (x *sheetReader) withEvery(list, lines []orders.Order) (out []orders.Order) {
	add := func() {
		if n := len(out); n == 0 || !isStopAll(out[n-1]) {
			out = append(out, lines...)
		}
	}
	for i, o := range list {
		if opensCondition(o.Clauses[0][0].Text) && i > 0 {
			add()
		}
		out = append(out, o)
	}
	add()
	return out
}

// stopsAtOnce tells whether a section is one line that ends in STOP ALL.
func stopsAtOnce(sec orders.Section) bool {
	n := len(sec.Args)
	return len(sec.Orders) == 0 && n > 2 && phrase.Join(sec.Args[n-2:]) == "STOP ALL"
}

// isStopAll tells whether an order ends a programme whatever comes.
func isStopAll(o orders.Order) bool {
	return len(o.Clauses) == 1 && phrase.Join(o.Clauses[0]) == "STOP ALL"
}
