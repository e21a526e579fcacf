package steppe

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"fieldpost/adjudicator/view"
)

// Names of the facts that a View has in words and figures.
const (
	factAir      = "air " // and the pool in small letters
	factBackhand = "backhand blow"
)

// facts are the circumstances that both sides know.
func (s *State) facts() []view.Fact {
	out := []view.Fact{{Name: "weather", Text: s.Weather}, {Name: "ground", Text: s.Ground}}
	for i, p := range pools {
		out = append(out, s.Air[i].fact(factAir+strings.ToLower(p), s.Step != StepWeather))
	}
	if s.Backhand != 0 {
		out = append(out, view.Fact{Name: factBackhand, Text: fmt.Sprintf("turn %d", s.Backhand), Numbers: []int{s.Backhand}})
	}
	return out
}

// readFacts reads their figures again; weather and ground are a word each.
func (s *State) readFacts(v *view.View) error {
	for i, p := range pools {
		name := factAir + strings.ToLower(p)
		switch n := figures(v, name); len(n) {
		case 2:
			s.Air[i] = Pool{Fighters: n[0], CAS: n[1]}
		case 4:
			s.Air[i] = Pool{n[0], n[1], n[2], n[3]}
		default:
			return fmt.Errorf("the view's fact %q has no figures of the aircraft", name)
		}
	}
	if v.Fact(factBackhand) == "" {
		return nil // it is not named yet
	}
	n := figures(v, factBackhand)
	if len(n) != 1 {
		return fmt.Errorf("the view's fact %q does not name one turn in figures", factBackhand)
	}
	s.Backhand = n[0]
	return nil
}

// figures are those of a fact. A view that was mailed before facts had any has them in its
// words: a game that waits for its answer goes on with it.
func figures(v *view.View, name string) []int {
	if n := v.Figures(name); n != nil {
		return n
	}
	var out []int
	for _, digits := range strings.FieldsFunc(v.Fact(name), func(r rune) bool { return !unicode.IsDigit(r) }) {
		n, err := strconv.Atoi(digits)
		if err != nil {
			return nil
		}
		out = append(out, n)
	}
	return out
}

// fact is a pool in words and figures; before the aircraft of a turn are allotted nobody
// knows how many may fly.
func (p Pool) fact(name string, allotted bool) view.Fact {
	f := view.Fact{Name: name, Text: fmt.Sprintf("%d fighters, %d close air support", p.Fighters, p.CAS), Numbers: []int{p.Fighters, p.CAS}}
	if allotted {
		f.Text += fmt.Sprintf("; %d and %d free to fly", p.FreeF, p.FreeC)
		f.Numbers = append(f.Numbers, p.FreeF, p.FreeC)
	}
	return f
}
