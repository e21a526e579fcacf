package steppe

import (
	"fmt"
	"strings"

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
		switch n := v.Figures(name); len(n) {
		case 2:
			s.Air[i] = Pool{Fighters: n[0], CAS: n[1]}
		case 4:
			s.Air[i] = Pool{n[0], n[1], n[2], n[3]}
		default:
			return fmt.Errorf("the view's fact %q has no figures of the aircraft: is it of an earlier version of the program?", name)
		}
	}
	if v.Fact(factBackhand) == "" {
		return nil // it is not named yet
	}
	n := v.Figures(factBackhand)
	if len(n) != 1 {
		return fmt.Errorf("the view's fact %q does not name one turn in figures", factBackhand)
	}
	s.Backhand = n[0]
	return nil
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
