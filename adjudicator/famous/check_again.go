package famous

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// asLastTurn judges a section that files again what its chits had for the last turn: anew, and shown
// in full. The lines below it stand behind that.
func (c *check) asLastTurn(sec orders.Section, names []orders.Word) {
	again, v := c.again(names)
	if v != nil {
		c.refuse(phrase.Opening(sec), v)
		c.fallsWith(sec)
		return
	}
	c.accept(phrase.Opening(sec), "as it was filed for the last turn, judged as things stand now")
	part := 0
	for i, one := range again {
		own := map[orders.Pos]bool{}
		if i == len(again)-1 {
			for _, o := range phrase.AllOnSheet(sec.Orders) {
				own[o.Pos()] = true
			}
			one.Orders = append(one.Orders, sec.Orders...)
		}
		from := len(c.filing.Lines)
		head := adjudicator.Line{Text: phrase.Opening(one).Text, Understood: "noted"}
		c.programme(one)
		lines := slices.Clone(c.filing.Lines[from:])
		c.filing.Lines = c.filing.Lines[:from]
		if refused := len(lines) > 0 && lines[0].Text == head.Text && lines[0].Refused != nil; !refused {
			lines = append([]adjudicator.Line{head}, lines...)
		}
		for _, l := range lines {
			if !own[l.Pos] {
				part++
				l.Pos, l.At, l.Part = sec.Pos, orders.Pos{}, part
			}
			c.line(l)
		}
	}
}

// again are the sections that were filed for some chits when they were drawn last.
func (c *check) again(names []orders.Word) (out []orders.Section, v *rule.Violation) {
	p := &parser{s: c.s, side: c.side}
	for _, name := range phrase.Parts(names) {
		bn, v := p.battalion(phrase.Join(name))
		if v != nil {
			return nil, v
		}
		head := "CHIT " + strings.ToUpper(bn)
		var texts []string
		for _, text := range c.last {
			line, _, _ := strings.Cut(text, "\n")
			if line == head || strings.HasPrefix(line, head+" ") {
				texts = append(texts, text)
			}
		}
		if len(texts) == 0 {
			return nil, &rule.Violation{Why: fmt.Sprintf("no programme of %s was filed for the last turn", bn), Instead: "Write CHIT " + strings.ToUpper(bn) + " and its orders."}
		}
		sections := phrase.Sections(texts, Vocabulary)
		for i := range sections {
			for k := range sections[i].Orders {
				sections[i].Orders[k].Pos.Line = -1 - len(out) // it stands nowhere on this sheet
			}
		}
		out = append(out, sections...)
	}
	return out, nil
}
