package caserun

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/casebook"
	"fieldpost/adjudicator/view"
)

// Run is a case while it is played.
type Run struct {
	T      testing.TB
	Case   casebook.Case
	Faults []string

	Events []view.Event           // of the last phase
	Asked  []adjudicator.Decision // in the last phase

	// Filed answers what is filed on sheets; not ok: the answers of the case, or what is
	// proposed. It may be nil.
	Filed func(d adjudicator.Decision) (answer string, ok bool)
	// Free tells which dice a case need not give: they show ones. It may be nil.
	Free func(label string) bool

	dice    map[string][]int
	answers map[string]string
	used    map[string]bool // dice and answers
}

// New is a case before it is played.
func New(t testing.TB, c casebook.Case) *Run {
	return &Run{T: t, Case: c, dice: map[string][]int{}, answers: map[string]string{}}
}

// Script takes dice and answers from the sections of these names, instead of those of the
// phase before. Several on a line are parted by semicolons.
func (r *Run) Script(sections []Section) {
	r.dice, r.answers = map[string][]int{}, map[string]string{}
	for _, s := range sections {
		if s.Word != "DICE" && s.Word != "ANSWERS" {
			continue
		}
		for _, l := range s.Lines() {
			for part := range strings.SplitSeq(l.Text, ";") {
				r.entry(s.Word, casebook.Line{At: l.At, Text: part})
			}
		}
	}
}

func (r *Run) entry(section string, l casebook.Line) {
	label, value, ok := strings.Cut(l.Text, ":")
	label, value = strings.TrimSpace(label), strings.TrimSpace(value)
	switch {
	case !ok:
		r.Broken(l.At, "%q: a label, a colon and what it shows", l.Text)
	case section == "ANSWERS":
		r.Reply(label, value)
	default:
		for d := range strings.FieldsSeq(value) {
			r.dice[label] = append(r.dice[label], r.Number(l.At, d))
		}
	}
}

// Reply adds an answer to the script.
func (r *Run) Reply(label, answer string) { r.answers[label] = answer }

// Engine is how the positions of a system are played.
type Engine[S any] struct {
	Clone  func(S) S
	Encode func(S) []byte
}

// Play plays a phase from a position with the dice and answers of the script, and again
// from its journal. It is a fault if the repeat ends otherwise, or if something in the
// script was not thrown or asked. Not ok says that there is no position to go on from.
func (e Engine[S]) Play(r *Run, head casebook.Line, before S, phase func(*adjudicator.Run, S)) (after S, ok bool) {
	r.used, r.Asked, r.Events = map[string]bool{}, nil, nil
	first, err := adjudicator.Play(e.Clone(before), phase, nil, r, r)
	if err != nil {
		r.Fault(head.At, "%s: %v", head.Text, err)
		return before, false
	}
	if len(first.Pending) > 0 {
		r.Fault(head.At, "%s: nobody answers %q", head.Text, first.Pending[0].Label)
		return before, false
	}
	again, err := adjudicator.Play(e.Clone(before), phase, first.Journal, nil, nil)
	if err != nil || !bytes.Equal(e.Encode(first.State), e.Encode(again.State)) || !reflect.DeepEqual(first.Events, again.Events) {
		r.Fault(head.At, "%s: the repeat comes to another end (%v)", head.Text, err)
	}
	r.Events = first.Events
	for label := range r.dice {
		if !r.used["dice "+label] {
			r.Fault(head.At, "the dice %q were never thrown", label)
		}
	}
	for label := range r.answers {
		if !r.used["answer "+label] {
			r.Fault(head.At, "nobody asked %q", label)
		}
	}
	return first.State, true
}

// Throw implements adjudicator.Dice.
func (r *Run) Throw(label string, count, _ int) ([]int, []byte, error) {
	r.used["dice "+label] = true
	d, ok := r.dice[label]
	switch {
	case ok && len(d) == count:
		return d, nil, nil
	case ok:
		return nil, nil, fmt.Errorf("%q throws %d dice, the case has %d", label, count, len(d))
	case r.Free != nil && r.Free(label):
		return slices.Repeat([]int{1}, count), nil, nil
	}
	return nil, nil, fmt.Errorf("the case has no dice for %q", label)
}

// Answer implements adjudicator.Answerer.
func (r *Run) Answer(d adjudicator.Decision) (answer, source string, known bool) {
	r.Asked = append(r.Asked, d)
	if r.Filed != nil {
		if answer, ok := r.Filed(d); ok {
			return answer, "the sheet", true
		}
	}
	if a, ok := r.answers[d.Label]; ok {
		r.used["answer "+d.Label] = true
		return a, "the case", true
	}
	return d.Proposal, d.Source, true
}
