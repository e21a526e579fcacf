package famous

import (
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/caserun"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

// TestCases plays the numbered cases of testdata/cases. How a case is written
// stands in testdata/cases/README.md.
func TestCases(t *testing.T) {
	book := load(t, "gd-kursk")
	caserun.Test(t, Cases, func(r *caserun.Run) { newCaseRun(r, book).run() })
}

// caseRun is a case while it is played.
type caseRun struct {
	*caserun.Run
	book *Scenario

	lay   layout
	s     *State
	plans map[string]string // of the phase: what is filed, by its head
}

func newCaseRun(r *caserun.Run, book *Scenario) *caseRun {
	c := &caseRun{Run: r, book: book}
	// Draws of chits that the case does not care for are ones.
	r.Free = func(label string) bool {
		return strings.HasPrefix(label, "chit") || strings.HasPrefix(label, "name of the chit")
	}
	r.Filed = c.filed
	return c
}

// filed is what the sides have filed for the phase.
func (r *caseRun) filed(d adjudicator.Decision) (string, bool) {
	heads := map[string]string{kindTurn: "ORDERS ", kindSetUp: "ORDERS ", kindPlan: "plan ", kindStanding: "STANDING "}
	head, ok := heads[d.Kind]
	return r.plans[head+string(d.Side)], ok
}

// run reads and plays the case.
func (r *caseRun) run() {
	position, stages := r.Stages([]string{"MAP", "UNITS"}, []string{"EXPECT", "DICE", "ANSWERS", "STANDING", "ORDERS"})
	for _, sec := range position {
		if sec.Word == "MAP" {
			r.lay.start(sec.Rest)
		}
		for _, l := range sec.Body {
			if sec.Word == "MAP" {
				r.lay.ground(r, l)
			} else {
				r.lay.unit(r, l)
			}
		}
	}
	r.s = r.lay.build(r)
	if len(r.Faults) > 0 {
		return
	}
	for _, st := range stages {
		if st.Word != "" && !r.play(st) {
			return
		}
		for _, l := range st.Expected() {
			if r.s == nil && !strings.HasPrefix(l.Text, "fault ") {
				r.Fault(l.At, "the scenario does not load: %v", r.lay.fault)
				return
			}
			if why := r.holds(l.Text); why != "" {
				r.Fault(l.At, "%s: %s", l.Text, why)
			}
		}
	}
}

var caseEngine = caserun.Engine[*State]{Clone: (*State).clone, Encode: (*State).encode}

// judge has the sheet of a side judged that holds a programme for one chit; what is
// said of its lines stands for events.
func (r *caseRun) judge(st *caserun.Stage) bool {
	side, chit, _ := strings.Cut(st.Rest, " ")
	sheet, faults := orders.Parse(orders.Canonical("GAME: X\nSIDE: "+side+"\nTURN: 1\nSERIAL: 1\nCHIT "+chit+"\n"+strings.Join(st.Orders(), "\n")+"\nDONE\n"), Vocabulary)
	for _, f := range faults {
		r.Fault(st.Head.At, "%v", f)
	}
	s := r.s.clone()
	s.Phase, s.Cup = 3, s.chits()
	r.Events = nil
	for _, l := range newGame(s.sc).Check(s.view(Side(side)), sheet).Lines {
		if l.Refused != nil {
			r.Events = append(r.Events, view.Event{Kind: "skipped", Clause: l.Refused.Clause, Facts: view.Pairs{"order", l.Text, "why", l.Refused.Why + "; " + l.Refused.Instead}})
			continue
		}
		r.Events = append(r.Events, view.Event{Kind: "accepted", Facts: view.Pairs{"order", l.Text, "echo", l.Understood, "warning", l.Warning}})
	}
	return len(r.Faults) == 0
}

// play plays one phase.
func (r *caseRun) play(st *caserun.Stage) bool {
	switch st.Word {
	case "SHEET":
		return r.judge(st)
	case "CUP": // all chits are in it
		r.s.Cup = r.s.chits()
		return true
	}
	r.Script(st.With)
	r.plans = map[string]string{}
	for _, sec := range st.With {
		r.plans[sec.Head.Text] = strings.ToUpper(strings.Join(st.Below(sec.Head.Text), "\n"))
	}
	programme := strings.ToUpper(strings.Join(st.Orders(), "\n"))
	before := r.s.clone()
	before.Cup, before.First = slices.Clone(before.Cup), slices.Clone(before.First)
	switch st.Word {
	case "CHIT":
		side, bn, _ := strings.Cut(st.Rest, " ")
		chit := chitKey(Side(side), bn)
		before.Phase, before.First = 3, []string{chit}
		before.Cup = slices.DeleteFunc(before.Cup, func(k string) bool { return k == chit })
		r.plans["plan "+side] = programme
	case "DRAW":
		before.Phase = 3
		r.plans["plan RED"] = programme
	case "SETUP": // of the side whose turn it is
		before.Phase = setUpStep
	case "WEATHER":
		before.Phase = 1
	case "SUPPLY":
		before.Phase = 2
		before.Cup = before.chits()
	case "END":
		before.Phase, before.Cup, before.First = 9, nil, nil
	default:
		r.Fault(st.Head.At, "%q is no phase of a case", st.Head.Text)
		return false
	}
	after, ok := caseEngine.Play(r.Run, st.Head, before, phase)
	if !ok {
		return false
	}
	r.s = after
	fresh := after.clone()
	fresh.index()
	if !slices.Equal(fresh.zone[0], after.zone[0]) || !slices.Equal(fresh.zone[1], after.zone[1]) {
		r.Fault(st.Head.At, "zones of control were not kept in step with the units")
	}
	if st.Word == "CHIT" || st.Word == "DRAW" {
		r.s.Phase = 3
	}
	return true
}
