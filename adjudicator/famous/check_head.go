package famous

import (
	"slices"
	"strings"

	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// chitSection is a section as it is for one of the chits that its line names.
type chitSection struct {
	name string
	sec  orders.Section
}

// opening are the words of the line that opens a section; since the seventh version of the rules a
// colon may end its head.
func (c *check) opening(sec orders.Section) []orders.Word {
	if c.s.sc.before(7) {
		return sec.Args
	}
	return phrase.Uncoloned(sec.Args)
}

// ofEachChit is a section for each of the chits that its opening line names, of one alone by older rules.
func (c *check) ofEachChit(sec orders.Section) (out []chitSection) {
	k := slices.IndexFunc(phrase.Uncoloned(sec.Args), endsName)
	if k < 0 {
		k = len(sec.Args)
	}
	names := phrase.Parts(sec.Args[:k])
	if len(names) < 2 || c.s.sc.before(7) {
		return []chitSection{{"", sec}}
	}
	for _, name := range names {
		one := sec
		one.Args = slices.Concat(name, sec.Args[k:])
		out = append(out, chitSection{strings.TrimSuffix(phrase.Join(name), ":"), one})
	}
	return out
}

// noneAbove refuses OTHERWISE behind the name of a chit that no section above it has a condition
// for.
func (c *check) noneAbove(entry string) *rule.Violation {
	if c.guards[entry] != "" {
		return nil
	}
	return &rule.Violation{Why: "OTHERWISE opens the programme that is chosen if no condition above it for this chit holds, and there is none above it",
		Instead: "Leave OTHERWISE out, or put a section of the chit with IF above it."}
}

// programmeHead is what stands on the line that opens a programme.
type programmeHead struct {
	battalion string
	guard     string
	otherwise bool          // it is chosen if no condition above it holds
	inline    []orders.Word // an order behind the name
	bad       *rule.Violation
}

// head reads the line that opens a programme: the battalion, a guard, or an order.
func (c *check) head(sec orders.Section) (h programmeHead) {
	name, rest := c.opening(sec), []orders.Word(nil)
	if k := slices.IndexFunc(name, endsName); k >= 0 {
		name, rest = name[:k], name[k:]
	}
	if len(rest) > 0 && rest[0].Text == otherwise && !c.s.sc.before(7) {
		h.otherwise, rest = true, rest[1:]
	}
	if len(rest) > 0 && slices.Contains(verbWords, rest[0].Text) {
		h.inline = rest
	} else {
		h.guard = orders.Clause(rest).String()
	}
	said := phrase.Join(name)
	switch {
	case sec.Name == "DIVISION":
		if !slices.Contains([]string{"", "HQ"}, said) {
			return programmeHead{bad: &rule.Violation{Why: "DIVISION HQ opens the programme of the division's chit"}}
		}
		said = "DIV"
	case said == "DIVISION HQ":
		said = "DIV"
	}
	p := &parser{s: c.s, side: c.side}
	h.battalion, h.bad = p.battalion(said)
	return h
}

// endsName: a guard or an order begins with the word.
func endsName(w orders.Word) bool {
	switch w.Text {
	case "IF", "UNLESS":
		return true
	}
	return slices.Contains(verbWords, w.Text)
}
