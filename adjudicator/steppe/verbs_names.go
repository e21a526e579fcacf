package steppe

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// reader takes words off the front of an order.
type reader struct{ words []orders.Word }

func (r *reader) end() bool { return len(r.words) == 0 }

// peek is the next word, "" at the end.
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

// skip takes the next word if it is one of these.
func (r *reader) skip(words ...string) bool {
	if r.end() || !slices.Contains(words, r.peek()) {
		return false
	}
	r.next()
	return true
}

// take takes the words up to one that ends the list.
func (r *reader) take(stop []string) []orders.Word {
	n := 0
	for n < len(r.words) && !slices.Contains(stop, r.words[n].Text) {
		n++
	}
	out := r.words[:n]
	r.words = r.words[n:]
	return out
}

func words(ws []orders.Word) string {
	var out []string
	for _, w := range ws {
		out = append(out, w.Text)
	}
	return strings.Join(out, " ")
}

// blanks are what a name may leave out.
var blanks = strings.NewReplacer(" ", "", ".", "")

// squeeze is a name without blanks and dots, in capitals: 7PD is 7 PD.
func squeeze(name string) string { return blanks.Replace(strings.ToUpper(name)) }

// prepare builds the look-up tables of the counters.
func (sc *Scenario) prepare() {
	sc.byID, sc.byName = map[string]*Counter{}, map[Side]map[string]string{German: {}, Soviet: {}}
	for i := range sc.Counters {
		c := &sc.Counters[i]
		c.key, c.keyPrinted = squeeze(c.Name), squeeze(c.Printed)
		sc.byID[c.ID], sc.byName[c.Side][c.key] = c, c.ID
	}
}

// byName is the unit of a side with that very name, nil if there is none.
func (s *State) byName(side Side, name string) *Unit {
	id, ok := s.sc.byName[side][name]
	if !ok {
		if id, ok = s.sc.byName[side][squeeze(name)]; !ok {
			return nil
		}
	}
	return s.unit(id)
}

// named finds the unit of a side that a player means: by its name, by what is printed
// on its counter where only one has that, or by the beginning of its name.
func (s *State) named(side Side, name string) (*Unit, *rule.Violation) {
	want := squeeze(name)
	if u := s.byName(side, name); u != nil {
		return u, nil
	}
	var printed, prefix []*Unit
	for i := range s.Units {
		u := &s.Units[i]
		if u.c.Side != side {
			continue
		}
		if u.c.keyPrinted == want {
			printed = append(printed, u)
		}
		if want != "" && strings.HasPrefix(u.c.key, want) {
			prefix = append(prefix, u)
		}
	}
	for _, list := range [][]*Unit{printed, prefix} {
		switch {
		case len(list) == 1:
			return list[0], nil
		case len(list) > 1:
			return nil, &rule.Violation{Why: fmt.Sprintf("%s may be %s", name, names(list)), Instead: "Write the whole name."}
		}
	}
	v := &rule.Violation{Why: fmt.Sprintf("you have no unit %s", name)}
	if near := s.nearest(side, want); near != nil {
		v.Instead = "Did you mean " + near.c.Name + "?"
	}
	return nil, v
}

// nearest is the unit whose name differs least.
func (s *State) nearest(side Side, want string) *Unit {
	var best *Unit
	score := 3
	for i := range s.Units {
		if u := &s.Units[i]; u.c.Side == side {
			if d := distance(u.c.key, want); d < score {
				best, score = u, d
			}
		}
	}
	return best
}

// distance is how many letters must change to make one word of the other.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := last
			if a[i] != b[j] {
				cost++
			}
			last = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// units reads a list of units parted by commas.
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
		us, v := s.meant(side, list[start:end])
		if v != nil {
			return nil, v
		}
		for _, u := range us {
			if slices.Contains(out, u) {
				return nil, &rule.Violation{Why: u.c.Name + " is named twice"}
			}
			out = append(out, u)
		}
		start = end
	}
	return out, nil
}

// meant reads one item of a list: a unit, or ALL AT a hex.
func (s *State) meant(side Side, item []orders.Word) ([]*Unit, *rule.Violation) {
	if len(item) == 3 && item[0].Text == "ALL" && item[1].Text == "AT" {
		h, v := s.place(&reader{item[2:]})
		if v != nil {
			return nil, v
		}
		var out []*Unit
		for _, u := range s.unitsAt(h) {
			if u.c.Side == side {
				out = append(out, u)
			}
		}
		if len(out) == 0 {
			return nil, &rule.Violation{Why: fmt.Sprintf("no unit of yours stands on %v", h)}
		}
		return out, nil
	}
	u, v := s.named(side, words(item))
	return []*Unit{u}, v
}

// place reads a hex number or the name of a place of one hex.
func (s *State) place(r *reader) (hex.Hex, *rule.Violation) {
	if r.end() {
		return hex.None, &rule.Violation{Why: "a hex is missing at the end of the order"}
	}
	if w := r.peek(); w[0] >= '0' && w[0] <= '9' {
		return s.onBoard(r.next())
	}
	for n := min(3, len(r.words)); n > 0; n-- {
		p := s.sc.Board.Named(words(r.words[:n]))
		if p == nil {
			continue
		}
		if len(p.Hexes) > 1 {
			return hex.None, &rule.Violation{Why: fmt.Sprintf("%s is %d hexes", p.Name, len(p.Hexes)), Instead: fmt.Sprintf("Write one of them: %v.", p.Hexes)}
		}
		r.words = r.words[n:]
		return p.Hexes[0], nil
	}
	return hex.None, &rule.Violation{Why: fmt.Sprintf("%q is neither a hex number nor a place of the map", r.peek())}
}

func (s *State) onBoard(text string) (hex.Hex, *rule.Violation) {
	h, err := hex.Parse(text)
	if err != nil {
		return hex.None, &rule.Violation{Why: err.Error()}
	}
	if !s.sc.Board.On(h) {
		g := s.sc.Board.Grid
		return hex.None, &rule.Violation{Why: fmt.Sprintf("hex %v is not on the map", h), Instead: fmt.Sprintf("It runs from %02d%02d to %02d%02d.", g.ColMin, g.RowMin, g.ColMax, g.RowMax)}
	}
	return h, nil
}

// spot is a hex with its place in words: "2616 (Zmiev)".
func (s *State) spot(h hex.Hex) string {
	if p := s.sc.Board.Place(h); p != nil {
		return fmt.Sprintf("%v (%s)", h, p.Name)
	}
	return h.String()
}

// figures are the ratings that the unit shows.
func (u *Unit) figures() string {
	f := u.face()
	if u.c.Type == HQ {
		return fmt.Sprintf("%d-%d-%d", u.c.Artillery, u.c.Range, f.Moves)
	}
	return fmt.Sprintf("%d-%d-%d", f.Attack, f.Defence, f.Moves)
}
