package famous

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// reader walks over the words of an order.
type reader struct{ words []orders.Word }

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
func (r *reader) take(stop ...string) []orders.Word {
	n := slices.IndexFunc(r.words, func(w orders.Word) bool { return slices.Contains(stop, w.Text) })
	if n < 0 {
		n = len(r.words)
	}
	out := r.words[:n]
	r.words = r.words[n:]
	return out
}

// accept reads a word if it comes next.
func (r *reader) accept(word string) bool {
	if r.peek() != word || r.end() {
		return false
	}
	r.next()
	return true
}

func joinWords(list []orders.Word) string {
	var out []string
	for _, w := range list {
		out = append(out, w.Text)
	}
	return strings.Join(out, " ")
}

// parser reads the orders of one side, for one battalion if it is a programme.
type parser struct {
	s    *State
	side Side
	bn   string
}

// lists splits a list of names at its commas.
func lists(list []orders.Word) (out [][]orders.Word) {
	for start := 0; start < len(list); {
		end := start + 1
		for end < len(list) && !list[end].Comma {
			end++
		}
		out = append(out, list[start:end])
		start = end
	}
	return out
}

// units resolves a list of names: 5K or 5K/2PZ, (1)WSP, HQ, HQ 2PZ, ALL, ALL AT
// 2133, a battalion.
func (p *parser) units(list []orders.Word) ([]*Unit, *rule.Violation) {
	if len(list) == 0 {
		return nil, &rule.Violation{Why: "no unit is named"}
	}
	var out []*Unit
	for _, spec := range lists(list) {
		us, v := p.named(spec)
		if v != nil {
			return nil, v
		}
		for _, u := range us {
			if slices.Contains(out, u) {
				return nil, &rule.Violation{Why: u.c.Name + " is named twice"}
			}
			out = append(out, u)
		}
	}
	return out, nil
}

// one resolves the name of a single unit.
func (p *parser) one(list []orders.Word) (*Unit, *rule.Violation) {
	us, v := p.units(list)
	if v == nil && len(us) != 1 {
		v = &rule.Violation{Why: fmt.Sprintf("%s names %d units", joinWords(list), len(us)), Instead: "Name one."}
	}
	if v != nil {
		return nil, v
	}
	return us[0], nil
}

func (p *parser) named(spec []orders.Word) ([]*Unit, *rule.Violation) {
	name := joinWords(spec)
	if len(spec) == 3 && spec[0].Text == "ALL" && spec[1].Text == "AT" {
		h, v := p.hex(spec[2].Text)
		if v != nil {
			return nil, v
		}
		us := slices.DeleteFunc(p.s.on(h), func(u *Unit) bool {
			return u.c.Side != p.side || u.Aboard != "" || p.bn != "" && !strings.EqualFold(u.c.Battalion, p.bn)
		})
		if len(us) == 0 {
			return nil, &rule.Violation{Why: fmt.Sprintf("no unit of yours that could act stands on %v", h)}
		}
		return us, nil
	}
	var exact, short, prefix, battalion []*Unit
	for i := range p.s.Units {
		u := &p.s.Units[i]
		if u.c.Side != p.side {
			continue
		}
		n, base := u.c.upper, u.c.base
		own := p.bn != "" && strings.EqualFold(u.c.Battalion, p.bn)
		switch {
		case n == name:
			exact = append(exact, u)
		case own && (base == name || name == "HQ" && u.c.HQ):
			short = append(short, u)
		case u.Where != Gone && strings.HasPrefix(n, name) && (own || p.bn == ""):
			prefix = append(prefix, u)
		}
		if u.Where != Gone && u.Where != Exited && (name == "ALL" && own || strings.EqualFold(u.c.Battalion, name)) {
			battalion = append(battalion, u)
		}
	}
	for _, list := range [][]*Unit{exact, short} {
		if len(list) == 1 {
			if w := list[0].Where; w == Gone || w == Exited {
				return nil, &rule.Violation{Why: list[0].c.Name + " is not in play any more"}
			}
			return list, nil
		}
	}
	switch {
	case len(battalion) > 0:
		return battalion, nil
	case len(prefix) == 1:
		return prefix, nil
	case len(prefix) > 1:
		return nil, &rule.Violation{Why: fmt.Sprintf("%s may be %s", name, names(prefix)), Instead: "Write the whole name."}
	}
	return nil, p.unknown(name)
}

// unknown refuses a name and offers the nearest one.
func (p *parser) unknown(name string) *rule.Violation {
	v := &rule.Violation{Why: fmt.Sprintf("you have no unit %s", name)}
	best := 3
	for i := range p.s.Units {
		u := &p.s.Units[i]
		if u.c.Side != p.side || u.Where == Gone {
			continue
		}
		for _, c := range []string{u.c.upper, u.c.base} {
			if d := distance(c, name); d < best {
				best, v.Instead = d, "Did you mean "+u.c.Name+"?"
			}
		}
	}
	return v
}

// hex reads a hex number on the map, or the name of a place by its first hex.
func (p *parser) hex(w string) (hex.Hex, *rule.Violation) {
	h, err := hex.Parse(w)
	if err != nil {
		if place := p.s.sc.Board.Named(strings.ReplaceAll(w, "_", " ")); place != nil && len(place.Hexes) == 1 {
			return place.Hexes[0], nil
		}
		return hex.None, &rule.Violation{Why: err.Error()}
	}
	if !p.s.sc.Board.On(h) {
		g := p.s.sc.Board.Grid
		return hex.None, &rule.Violation{Why: fmt.Sprintf("hex %v is not on the map", h), Instead: fmt.Sprintf("Columns run from %02d to %02d, rows from %02d to %02d.", g.ColMin, g.ColMax, g.RowMin, g.RowMax)}
	}
	return h, nil
}

// place reads a hex, or a place of one hex by its name of up to three words.
func (p *parser) place(r *reader) (hex.Hex, *rule.Violation) {
	if r.end() {
		return hex.None, &rule.Violation{Why: "a hex is missing at the end of the order"}
	}
	if w := r.peek(); w[0] >= '0' && w[0] <= '9' {
		return p.hex(r.next())
	}
	for n := min(3, len(r.words)); n > 0; n-- {
		place := p.s.sc.Board.Named(joinWords(r.words[:n]))
		if place == nil {
			continue
		}
		r.words = r.words[n:]
		if len(place.Hexes) > 1 {
			return hex.None, &rule.Violation{Why: fmt.Sprintf("%s has %d hexes: %v", place.Name, len(place.Hexes), place.Hexes), Instead: "Name one of them."}
		}
		return place.Hexes[0], nil
	}
	return hex.None, &rule.Violation{Why: fmt.Sprintf("%q is neither a hex nor a place of this map", r.peek())}
}

// works reads a hexside or a major river hex.
func (p *parser) works(r *reader) (workOrder, *rule.Violation) {
	w := r.next()
	if strings.ContainsAny(w, "/-") {
		e, err := hex.ParseEdge(w)
		if err != nil {
			return workOrder{}, &rule.Violation{Why: err.Error()}
		}
		b := p.s.sc.Board
		if !b.On(e.A) || !b.On(e.B) || !b.Grid.Adjacent(e.A, e.B) {
			return workOrder{}, &rule.Violation{Why: fmt.Sprintf("%v is not a hexside of the map", e)}
		}
		return workOrder{edge: e}, nil
	}
	h, v := p.hex(w)
	return workOrder{hex: h}, v
}

// distance is the number of letters to change, insert or drop between two names.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
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
