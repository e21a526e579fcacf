package steppe

import (
	"fmt"
	"strings"

	"fieldpost/adjudicator/view"
)

// Names of the facts that a View has in words.
const (
	factAir      = "air " // and the pool in small letters
	factBackhand = "backhand blow"
)

// How facts are written, and read again.
const (
	airWords      = "%d fighters, %d close air support"
	freeWords     = "; %d and %d free to fly"
	backhandWords = "turn %d"
)

// facts are the circumstances that both sides know.
func (s *State) facts() []view.Fact {
	out := []view.Fact{{Name: "weather", Text: s.Weather}, {Name: "ground", Text: s.Ground}}
	for i, p := range pools {
		out = append(out, view.Fact{Name: factAir + strings.ToLower(p), Text: s.Air[i].fact(s.Step != StepWeather)})
	}
	if s.Backhand != 0 {
		out = append(out, view.Fact{Name: factBackhand, Text: fmt.Sprintf(backhandWords, s.Backhand)})
	}
	return out
}

// readFacts reads them again, but for weather and ground, which are a word each.
func (s *State) readFacts(v *view.View) (err error) {
	for i, p := range pools {
		name := factAir + strings.ToLower(p)
		if s.Air[i], err = readPool(v.Fact(name)); err != nil {
			return fmt.Errorf("the view's fact %q: %w", name, err)
		}
	}
	text := v.Fact(factBackhand)
	if text == "" {
		return nil // it is not named yet
	}
	if _, err := fmt.Sscanf(text, backhandWords, &s.Backhand); err != nil {
		return fmt.Errorf("the view's fact %q: %q: %w", factBackhand, text, err)
	}
	return nil
}

// fact is a pool in words; before the aircraft of a turn are allotted nobody knows how
// many may fly.
func (p Pool) fact(allotted bool) string {
	text := fmt.Sprintf(airWords, p.Fighters, p.CAS)
	if allotted {
		text += fmt.Sprintf(freeWords, p.FreeF, p.FreeC)
	}
	return text
}

// readPool reads a pool from its words.
func readPool(text string) (p Pool, err error) {
	allotted := strings.Contains(text, ";")
	if allotted {
		_, err = fmt.Sscanf(text, airWords+freeWords, &p.Fighters, &p.CAS, &p.FreeF, &p.FreeC)
	} else {
		_, err = fmt.Sscanf(text, airWords, &p.Fighters, &p.CAS)
	}
	if err == nil && p.fact(allotted) != text {
		err = fmt.Errorf("it would be written %q", p.fact(allotted))
	}
	if err != nil {
		return p, fmt.Errorf("%q is no number of aircraft: %w", text, err)
	}
	return p, nil
}
