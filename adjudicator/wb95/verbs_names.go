package wb95

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// units resolves a list of units, separated by commas: short names, unambiguous
// beginnings of them, formations, or ALL AT a hex. Each unit is named once.
func (s *State) units(side Side, list []orders.Word) ([]*Unit, *rule.Violation) {
	if len(list) == 0 {
		return nil, &rule.Violation{Why: "no unit is named"}
	}
	var out []*Unit
	for start := 0; start < len(list); {
		end := start + 1
		for end < len(list) && !list[end].Comma {
			end++
		}
		us, v := s.named(side, list[start:end])
		if v != nil {
			v.Col = list[start].Pos.Col
			return nil, v
		}
		for _, u := range us {
			if slices.Contains(out, u) {
				return nil, &rule.Violation{Why: u.c.Name + " is named twice", Col: list[start].Pos.Col}
			}
			out = append(out, u)
		}
		start = end
	}
	return out, nil
}

func (s *State) named(side Side, spec []orders.Word) ([]*Unit, *rule.Violation) {
	if len(spec) == 3 && spec[0].Text == "ALL" && spec[1].Text == "AT" {
		return s.allAt(side, spec[2].Text)
	}
	name := words(spec)
	if u := s.called(side, name); u != nil {
		return []*Unit{u}, nil
	}
	var exact, prefix, formation []*Unit
	for i := range s.Units {
		u := &s.Units[i]
		if u.c.Side != side || u.Where == Gone {
			continue
		}
		switch n := strings.ToUpper(u.c.Name); {
		case n == name:
			exact = append(exact, u)
		case strings.HasPrefix(n, name):
			prefix = append(prefix, u)
		}
		if strings.EqualFold(u.c.Parent, name) || strings.EqualFold(u.c.Formation, name) {
			formation = append(formation, u)
		}
	}
	switch {
	case len(exact) == 1:
		return exact, nil
	case len(formation) > 0:
		return formation, nil
	case len(prefix) == 1:
		return prefix, nil
	case len(prefix) > 1:
		return nil, &rule.Violation{Why: fmt.Sprintf("%s may be %s", name, s.nameList(prefix)), Instead: "Write the whole name."}
	}
	return nil, s.unknown(side, name)
}

// called is the one unit whose whole name it is, nil if there is none or another
// of the name. Most orders name their units so.
func (s *State) called(side Side, name string) *Unit {
	var found *Unit
	for i := range s.Units {
		u := &s.Units[i]
		if len(u.c.Name) != len(name) || u.c.Side != side || u.Where == Gone || !strings.EqualFold(u.c.Name, name) {
			continue
		}
		if found != nil {
			return nil
		}
		found = u
	}
	return found
}

func (s *State) allAt(side Side, at string) ([]*Unit, *rule.Violation) {
	h, v := s.onBoard(at)
	if v != nil {
		return nil, v
	}
	var out []*Unit
	for _, u := range s.unitsAt(h) {
		if u.c.Side == side && u.c.Type != RG {
			out = append(out, u)
		}
	}
	if len(out) == 0 {
		return nil, &rule.Violation{Why: fmt.Sprintf("no unit of yours that could move stands on %v", h)}
	}
	return out, nil
}

// unknown refuses a name and offers the nearest one.
func (s *State) unknown(side Side, name string) *rule.Violation {
	v := &rule.Violation{Why: fmt.Sprintf("you have no unit %s", name)}
	best, score := (*Unit)(nil), 3
	for i := range s.Units {
		u := &s.Units[i]
		if u.c.Side != side {
			continue
		}
		n := strings.ToUpper(u.c.Name)
		if n == name && u.Where == Gone {
			v.Why = u.c.Name + " has been lost"
			return v
		}
		if u.Where == Gone || max(len(n)-len(name), len(name)-len(n)) >= score {
			continue // so many letters more or fewer
		}
		if d := distance(n, name); d < score {
			best, score = u, d
		}
	}
	if best != nil {
		v.Instead = "Did you mean " + s.nameList([]*Unit{best}) + "?"
	}
	return v
}

func (s *State) nameList(us []*Unit) string {
	var names []string
	for i, u := range us {
		if i == 6 {
			names = append(names, fmt.Sprintf("%d more", len(us)-i))
			break
		}
		if u.Where == OnMap {
			names = append(names, fmt.Sprintf("%s at %v", u.c.Name, u.Hex))
		} else {
			names = append(names, u.c.Name+" (not on the map)")
		}
	}
	return strings.Join(names, ", ")
}

// place reads a hex number or the name of a place of one hex.
func (s *State) place(rest *reader) (hex.Hex, *rule.Violation) {
	if rest.end() {
		return hex.None, &rule.Violation{Why: "a hex is missing at the end of the order"}
	}
	w := rest.peek()
	if w[0] >= '0' && w[0] <= '9' {
		return s.onBoard(rest.next())
	}
	for n := min(3, len(rest.words)); n > 0; n-- {
		p := s.sc.Board.Named(words(rest.words[:n]))
		if p == nil {
			continue
		}
		rest.words = rest.words[n:]
		if len(p.Hexes) > 1 {
			return hex.None, &rule.Violation{Why: fmt.Sprintf("%s has %d hexes: %v", p.Name, len(p.Hexes), p.Hexes), Instead: "Name one of them."}
		}
		return p.Hexes[0], nil
	}
	return hex.None, &rule.Violation{Why: fmt.Sprintf("%q is neither a hex nor a place of this map", w)}
}

// onBoard reads a hex by its number.
//
// WB-95 1.1/2
func (s *State) onBoard(w string) (hex.Hex, *rule.Violation) {
	h, err := hex.Parse(w)
	if err != nil {
		return hex.None, &rule.Violation{Why: err.Error()}
	}
	if !s.sc.Board.On(h) {
		g := s.sc.Board.Grid
		return hex.None, &rule.Violation{Why: fmt.Sprintf("hex %v is not on the map", h),
			Instead: fmt.Sprintf("Columns run from %02d to %02d, rows from %02d to %02d.", g.ColMin, g.ColMax, g.RowMin, g.RowMax)}
	}
	return h, nil
}

// reader walks over the words of an order.
type reader struct {
	words []orders.Word
	all   []orders.Word
}

func newReader(words []orders.Word) reader { return reader{words, words} }

// blame notes in a violation the word that was read last, if it names none yet.
func (r *reader) blame(v *rule.Violation) *rule.Violation {
	if n := len(r.all) - len(r.words); v != nil && v.Col == 0 && len(r.all) > 0 {
		v.Col = r.all[max(0, n-1)].Pos.Col
	}
	return v
}

// back takes the last word back that was read.
func (r *reader) back() { r.words = r.all[len(r.all)-len(r.words)-1:] }

func (r *reader) end() bool { return len(r.words) == 0 }

func (r *reader) peek() string {
	if r.end() {
		return ""
	}
	return r.words[0].Text
}

func (r *reader) next() string {
	w := r.peek()
	if !r.end() {
		r.words = r.words[1:]
	}
	return w
}

// take reads up to the first of the stop words.
func (r *reader) take(stop []string) []orders.Word {
	n := slices.IndexFunc(r.words, func(w orders.Word) bool { return slices.Contains(stop, w.Text) })
	if n < 0 {
		n = len(r.words)
	}
	out := r.words[:n]
	r.words = r.words[n:]
	return out
}

func (r *reader) until(stop []string) string { return words(r.take(stop)) }

func (r *reader) skip(any ...string) {
	if slices.Contains(any, r.peek()) {
		r.next()
	}
}

func words(list []orders.Word) string {
	var out []string
	for _, w := range list {
		out = append(out, w.Text)
	}
	return strings.Join(out, " ")
}

func flat(o orders.Order) []orders.Word {
	if len(o.Clauses) == 1 {
		return o.Clauses[0]
	}
	var out []orders.Word
	for _, c := range o.Clauses {
		out = append(out, c...)
	}
	return out
}

func unreadable(err error) *rule.Violation { return &rule.Violation{Why: err.Error()} }

// distance is the number of letters to change, insert or drop between two names.
func distance(a, b string) int {
	row := append(make([]int, 0, 32), make([]int, len(b)+1)...)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		prev := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := prev
			if a[i] != b[j] {
				cost = 1 + min(prev, row[j], row[j+1])
			}
			prev, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
