package steppe

import (
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/phrase"
	"fieldpost/orders"
)

// copyShift parts the places of a section's words for one of the chits that its line names from those
// for the others, so that each has a verdict of its own: the n-th chit's stand n times so far to the
// right.
const copyShift = 1 << 16

// chitCopy is a section that does not stand on the sheet as it is read.
type chitCopy struct {
	name  string // of its chit, which a line of several chits is told for
	again bool   // it was filed for the last turn
}

// ofEachChit are the sections of a sheet, with one for each chit in the place of a section that
// opens with several: CHIT SS PZ, OKH. Before the sixth version of the rules there was none.
func (x *sheetReader) ofEachChit(sections []orders.Section) (out []orders.Section) {
	for _, sec := range sections {
		names := x.chitsNamed(sec)
		if len(names) < 2 {
			out = append(out, sec)
			continue
		}
		rest, line := sec.Args[headLength(x, sec):], headText(sec.Name, sec.Args)
		for _, name := range names {
			one := sec
			one.Args = slices.Concat(name, rest)
			x.copies = append(x.copies, chitCopy{})
			out = append(out, shifted(one, len(x.copies)))
			if hq, n := x.longestHQ(name); hq != nil && n == len(name) {
				x.copies[len(x.copies)-1].name = hq.c.Name
				x.shared(hq, line)
			} else {
				x.copies[len(x.copies)-1].name = phrase.Join(name)
			}
		}
	}
	return out
}

// shared keeps the line of the first section that a headquarters has in common with others.
func (x *sheetReader) shared(hq *Unit, line string) {
	if x.lines == nil {
		x.lines = map[*Unit]string{}
	}
	if _, has := x.lines[hq]; !has {
		x.lines[hq] = line
	}
}

// chitsNamed are the names with which a section opens, in the words of each.
func (x *sheetReader) chitsNamed(sec orders.Section) [][]orders.Word {
	if sec.Name != "CHIT" || x.s.sc.before(6) || len(sec.Args) == 0 {
		return nil
	}
	words := phrase.Uncoloned(sec.Args)[:headLength(x, sec)]
	if hq, n := x.longestHQ(words); n == len(words) && hq.c.key == squeeze(phrase.Join(words)) {
		return nil // a comma within the name of one
	}
	return phrase.Parts(words)
}

// headLength is how many words of a section's line name its chits.
func headLength(x *sheetReader, sec orders.Section) int {
	words := phrase.Uncoloned(sec.Args)
	for n := 1; n < len(words); n++ {
		isOfName := words[n].Text == verbs[verbHQ] && (n+1 == len(words) || words[n+1].Text != "TO" && !isHex(words[n+1].Text))
		isVerb := x.opensOrder(words[n].Text) && !isOfName || x.ofFormation(words[n:])
		if isVerb || opensMode(words[n:]) {
			return n
		}
	}
	return len(words)
}

// shifted is a section whose words stand where those for the n-th chit do.
func shifted(sec orders.Section, n int) orders.Section {
	move := func(words []orders.Word) []orders.Word {
		words = slices.Clone(words)
		for i := range words {
			words[i].Pos.Col += n * copyShift
		}
		return words
	}
	sec.Pos.Col += n * copyShift
	sec.Args = move(sec.Args)
	sec.Orders = slices.Clone(sec.Orders)
	for i := range sec.Orders {
		o := &sec.Orders[i]
		o.Pos.Col += n * copyShift
		o.Clauses = slices.Clone(o.Clauses)
		for k := range o.Clauses {
			o.Clauses[k] = move(o.Clauses[k])
		}
	}
	return sec
}

// ofCopies puts the verdicts on the lines of several chits where these stand, and says of each for
// which chit it is.
func (x *sheetReader) ofCopies(lines []adjudicator.Line) {
	parts := map[int]int{}
	for i := range lines {
		l := &lines[i]
		n := l.Pos.Col / copyShift
		if n == 0 {
			continue
		}
		l.Pos.Col %= copyShift
		if x.copies[n-1].again {
			parts[l.Pos.Line]++
			l.Part, l.At, l.Pos.Col = parts[l.Pos.Line], orders.Pos{}, 1
			continue
		}
		l.At.Col %= copyShift
		if strings.HasPrefix(l.Text, "CHIT ") {
			continue // it has the name
		}
		name := x.copies[n-1].name + ": "
		if l.Understood != "" {
			l.Understood = name + l.Understood
		}
		if l.Warning != "" {
			l.Warning = name + l.Warning
		}
		if l.Refused != nil {
			v := *l.Refused
			v.Why, v.Col = name+v.Why, v.Col%copyShift
			l.Refused = &v
		}
	}
}
