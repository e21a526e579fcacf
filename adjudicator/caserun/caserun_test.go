package caserun

import (
	"strconv"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/casebook"
	"fieldpost/adjudicator/view"
)

// The rules of a game that is a number: whoever is asked may leave a throw out.
var toy = Engine[*int]{
	Clone:  func(n *int) *int { m := *n; return &m },
	Encode: func(n *int) []byte { return strconv.AppendInt(nil, int64(*n), 10) },
}

func toyPhase(r *adjudicator.Run, n *int) {
	answer := r.Ask(adjudicator.Decision{Side: "RED", Kind: "throw", Label: "throw", Clause: "Toy 1.1/1", Proposal: "YES",
		Options: []adjudicator.Option{{Answer: "YES"}, {Answer: "NO"}}})[0]
	if answer == "NO" {
		r.Tell(view.Event{Kind: "refused", Clause: "Toy 1.1/2", Facts: view.Pairs{"why", "no throw, no points"}})
		return
	}
	d := r.Roll("Toy 1.1/1", "points", 2, 6)
	*n += d[0] + d[1]
	r.Tell(view.Event{Kind: "points", Facts: view.Pairs{"all", strconv.Itoa(*n)}})
}

// toyRun plays a case of the game.
func toyRun(t *testing.T, body string) *Run {
	t.Helper()
	cases, err := casebook.Parse("x.txt", "CASE 1.1/1-1 \"toy\"\n"+body)
	if err != nil {
		t.Fatal(err)
	}
	r, n := New(t, cases[0]), new(int)
	_, stages := r.Stages(nil, []string{"DICE", "ANSWERS", "EXPECT"})
	for _, st := range stages {
		r.Script(st.With)
		if st.Word != "" {
			n, _ = toy.Play(r, st.Head, n, toyPhase)
		}
		for _, l := range st.Expected() {
			kinds, why := []string{"refused"}, ""
			switch clause, refused := strings.CutPrefix(l.Text, "refused "); {
			case refused:
				why = r.RefusedBy("Toy "+clause, "no points", kinds)
			case l.Text == "nothing refused":
				why = r.NothingRefused(kinds)
			default:
				why = r.Event("points", r.Facts(l.At, l.Text))
			}
			if why != "" {
				r.Fault(l.At, "%s: %s", l.Text, why)
			}
		}
	}
	return r
}

// What does not come as the case says is a fault, and what does is none.
func TestFaults(t *testing.T) {
	for body, want := range map[string]string{
		"GO\nDICE points: 3 4\nEXPECT all = 7":                                          "",
		"GO\nDICE\n  points: 3 4\nEXPECT\n  all has 7\n  nothing refused\n":             "",
		"GO\nDICE points: 3 4\nGO\nDICE points: 1 1\nEXPECT all = 9":                    "",
		"GO\nANSWERS throw: NO\nEXPECT refused 1.1/2":                                   "",
		"GO\nDICE points: 3 4\nEXPECT all = 8":                                          "there were: map[all:7]",
		"GO\nANSWERS throw: NO\nEXPECT all = 7":                                         "no such event; there were: refused",
		"GO\nANSWERS throw: NO\nEXPECT nothing refused":                                 "refused were",
		"GO\nANSWERS throw: NO\nEXPECT refused 1.1/1":                                   "refused were",
		"GO\nDICE points: 3 4 5\nEXPECT all = 7":                                        "throws 2 dice, the case has 3",
		"GO\nEXPECT all = 7":                                                            "no dice for \"points\"",
		"GO\nDICE points: 3 4; more: 1\nEXPECT all = 7":                                 "\"more\" were never thrown",
		"GO\nDICE points: 3 4\nANSWERS throw: YES; fly: NO\nEXPECT all = 7":             "nobody asked \"fly\"",
		"GO\nDICE points: 3 4\nGO\nANSWERS throw: NO\nDICE points: 1 1\nEXPECT all = 7": "were never thrown",
	} {
		switch faults := strings.Join(toyRun(t, body).Faults, "\n"); {
		case want == "" && faults != "":
			t.Errorf("%q: %s", body, faults)
		case !strings.Contains(faults, want):
			t.Errorf("%q: %q, want %q", body, faults, want)
		}
	}
}

// A phase that does not repeat from its journal is a fault.
func TestRepeat(t *testing.T) {
	r, times := New(t, casebook.Case{File: "x.txt"}), 0
	toy.Play(r, casebook.Line{At: 1, Text: "GO"}, new(int), func(_ *adjudicator.Run, n *int) { times++; *n = times })
	if len(r.Faults) != 1 || !strings.Contains(r.Faults[0], "another end") {
		t.Errorf("%q", r.Faults)
	}
}

func TestQuestions(t *testing.T) {
	r := toyRun(t, "GO\nDICE points: 3 4\n")
	if r.WasAsked("throw") != "" || r.WasNotAsked("fly") != "" || strings.Join(r.Options("throw"), " ") != "YES NO" {
		t.Errorf("%+v", r.Asked)
	}
	if r.WasAsked("fly") == "" || r.WasNotAsked("throw") == "" || r.Options("fly") != nil || r.NoEvent("points", nil) == "" {
		t.Error("what was not asked counts as asked, or the other way round")
	}
}
