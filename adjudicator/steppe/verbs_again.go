package steppe

import (
	"fmt"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// asLastTurn are the sections of a sheet with what their chits had for the last turn in the place of
// those that say CHIT SS PZ AS LAST TURN, the lines below these behind it; and what is said of their
// lines. Last are the programmes that the side filed then.
func (x *sheetReader) asLastTurn(last []string, sections []orders.Section) (out []orders.Section, lines []adjudicator.Line) {
	for _, sec := range sections {
		names, is := phrase.AsLastTurn(phrase.Uncoloned(sec.Args))
		if !is || sec.Name != "CHIT" || x.s.sc.before(6) {
			out = append(out, sec)
			continue
		}
		head := headText(sec.Name, sec.Args)
		again, v := x.again(last, names)
		lines = append(lines, adjudicator.Line{Pos: sec.Pos, Text: head, Understood: "as it was filed for the last turn, judged as things stand now", Refused: v})
		if v != nil {
			lines[len(lines)-1].Understood = ""
			for _, o := range sec.Orders {
				lines = append(lines, adjudicator.Line{Pos: o.Pos, Text: x.labelled(o), Refused: refuse("", "it is not filed: it stands under %s, which was refused", head)})
			}
			continue
		}
		for i, one := range again {
			x.copies = append(x.copies, chitCopy{again: true})
			one = placed(one, sec.Pos.Line, len(x.copies))
			if p, _, v := x.readHead(one); v == nil && p.hq != nil {
				x.shared(p.hq, head)
			}
			if i == len(again)-1 {
				one.Orders = append(one.Orders, sec.Orders...)
			}
			out = append(out, one)
		}
	}
	return out, lines
}

// again are the sections that were filed for some headquarters for the last turn.
func (x *sheetReader) again(last []string, names []orders.Word) (out []orders.Section, v *rule.Violation) {
	for _, name := range phrase.Parts(names) {
		hq, n := x.longestHQ(name)
		if hq == nil || n != len(name) {
			v := refuse("Steppe 2.6", "CHIT names no headquarters of yours: %q", phrase.Join(name))
			v.Instead = "Yours are " + x.s.hqNames(x.side) + "."
			return nil, v
		}
		var texts []string
		for _, text := range last {
			if mayBeOf(text, hq) {
				texts = append(texts, text)
			}
		}
		if len(texts) == 0 {
			v := refuse("Steppe 3.4", "no programme of %s was filed for the last turn", hq.c.Name)
			v.Instead = fmt.Sprintf("Write CHIT %s and its orders.", strings.ToUpper(hq.c.Name))
			return nil, v
		}
		out = append(out, phrase.Sections(texts, Vocabulary)...)
	}
	return out, nil
}

// placed is a section that stands nowhere on the sheet at the line that asks for it, its words at
// places of the n-th copy.
func placed(sec orders.Section, line, n int) orders.Section {
	k := 0
	next := func() orders.Pos {
		k++
		return orders.Pos{Line: line, Col: n*copyShift + k}
	}
	sec.Pos = next()
	for i := range sec.Args {
		sec.Args[i].Pos = next()
	}
	for i := range sec.Orders {
		o := &sec.Orders[i]
		for _, c := range o.Clauses {
			for w := range c {
				c[w].Pos = next()
			}
		}
		o.Pos = o.Clauses[0][0].Pos
	}
	return sec
}
