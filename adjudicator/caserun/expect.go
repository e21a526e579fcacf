package caserun

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
)

// What is expected is judged by functions that return why it does not hold, "" if it does.

// Unless is the reason why not.
func Unless(ok bool, why string) string {
	if ok {
		return ""
	}
	return cmp.Or(why, "it is not so")
}

// Same compares two texts.
func Same(got, want string) string {
	return Unless(got == want, fmt.Sprintf("it is %q", got))
}

// Fact is what a fact of an event must be.
type Fact struct {
	Name, Value string
	Part        bool // the value stands somewhere in it
}

// Facts reads "column = 2:1; attack = 8; drms has river; why = nothing".
func (r *Run) Facts(line int, text string) (out []Fact) {
	for part := range strings.SplitSeq(text, ";") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		if name, value, has := strings.Cut(part, " has "); has {
			out = append(out, Fact{name, value, true})
			continue
		}
		name, value, ok := strings.Cut(part, "=")
		if !ok {
			r.Broken(line, "a fact reads: column = 2:1")
		}
		if value = strings.TrimSpace(value); value == "nothing" {
			value = ""
		}
		out = append(out, Fact{strings.TrimSpace(name), value, false})
	}
	return out
}

// Event expects an event of a kind with all of the facts.
func (r *Run) Event(kind string, facts []Fact) string {
	var seen, kinds []string
	for _, e := range r.Events {
		kinds = append(kinds, e.Kind)
		if e.Kind != kind {
			continue
		}
		wrong := slices.IndexFunc(facts, func(f Fact) bool {
			got, isFact := e.Facts.Find(f.Name)
			if f.Name == "clause" && !isFact {
				got = string(e.Clause)
			}
			return got != f.Value && !(f.Part && strings.Contains(got, f.Value))
		})
		if wrong < 0 {
			return ""
		}
		seen = append(seen, fmt.Sprint(e.Facts.Map()))
	}
	if len(seen) == 0 {
		return "no such event; there were: " + strings.Join(kinds, " ")
	}
	return "there were: " + strings.Join(seen, "\n      ")
}

// NoEvent expects that there is no event of a kind with all of the facts.
func (r *Run) NoEvent(kind string, facts []Fact) string {
	return Unless(r.Event(kind, facts) != "", "there is one")
}

// refused are the events by which the rules say that an order is not carried out.
func (r *Run) refused(kinds []string) (out []string) {
	for _, e := range r.Events {
		if slices.Contains(kinds, e.Kind) {
			out = append(out, fmt.Sprintf("%s: %s", e.Clause, e.Facts.Get("why")))
		}
	}
	return out
}

// RefusedBy expects that an order was refused by a clause, with a word of why. Kinds are
// those of the events that say so.
func (r *Run) RefusedBy(clause, why string, kinds []string) string {
	said := r.refused(kinds)
	ok := slices.ContainsFunc(said, func(s string) bool {
		rest, ok := strings.CutPrefix(s, clause+": ")
		return ok && strings.Contains(rest, why)
	})
	return Unless(ok, fmt.Sprintf("refused were: %q", said))
}

// NothingRefused expects that every order was carried out.
func (r *Run) NothingRefused(kinds []string) string {
	said := r.refused(kinds)
	return Unless(len(said) == 0, fmt.Sprintf("refused were: %q", said))
}

// Question is one that was asked in the phase, nil if it was not.
func (r *Run) Question(label string) *adjudicator.Decision {
	for i := range r.Asked {
		if r.Asked[i].Label == label {
			return &r.Asked[i]
		}
	}
	return nil
}

// WasAsked expects a question.
func (r *Run) WasAsked(label string) string {
	var all []string
	for _, d := range r.Asked {
		all = append(all, d.Label)
	}
	return Unless(r.Question(label) != nil, "asked were: "+strings.Join(all, ", "))
}

// WasNotAsked expects that there was no such question.
func (r *Run) WasNotAsked(label string) string {
	return Unless(r.Question(label) == nil, "it was")
}

// Options are the answers that a question offered.
func (r *Run) Options(label string) (out []string) {
	if d := r.Question(label); d != nil {
		for _, o := range d.Options {
			out = append(out, o.Answer)
		}
	}
	return out
}
