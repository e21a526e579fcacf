package phrase

import (
	"reflect"
	"strings"
	"testing"

	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// An order off a sheet is the one that its line in the journal is read as, word by word
// and column by column, however it stood on the sheet.
func TestAnOrderOnASheetReadsLikeItsLineInTheJournal(t *testing.T) {
	words := orders.Vocabulary{Sections: []string{"ATTACK"}, Clauses: []string{"MIN", "WITH"}}
	for _, text := range []string{
		"81 INF TO 2306",
		"  81   INF ,13/XXII   2206-2306",
		"1: 2306, 2307 WITH 81 INF; ART A ART, B ART\nMIN 2:1; IF 2 WON",
		"A: , 2306 WITH 81 INF ;, MIN 2:1 ;; FULL",
		"ŻÓŁW 1 TO ŁÓDŹ, 2306",
		"2306 WITH A,\nWITH B\n  MIN 3:1",
	} {
		sheet, faults := orders.Parse("ATTACK\n"+text, words)
		if len(faults) > 0 {
			t.Fatalf("%q: %v", text, faults)
		}
		for _, o := range sheet.Sections[0].Orders {
			got, want := OnSheet(o), Read(o.String())
			for _, c := range got.Order.Clauses {
				for _, w := range c {
					if at := got.At(&rule.Violation{Col: w.Pos.Col}); !stands(o, w.Text, at) {
						t.Errorf("%q: %s is said to stand at %v", text, w.Text, at)
					}
				}
			}
			got.Sheet = orders.Order{}
			// What the sheet holds must not change with it.
			want.Order.Pos, got.Order.Pos = orders.Pos{}, orders.Pos{}
			if want.Fault != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%q\noff the sheet     %+v\nout of the journal %+v", text, got, want)
			}
			if again := o.String(); again != strings.TrimSpace(got.Text) {
				t.Errorf("%q: the sheet's own order became %q", text, again)
			}
		}
	}
}

// stands tells whether an order has the word at that place of its sheet.
func stands(o orders.Order, word string, at orders.Pos) bool {
	for _, c := range o.Clauses {
		for _, w := range c {
			if w.Text == word && w.Pos == at {
				return true
			}
		}
	}
	return false
}

// Of words behind the word of their section the faulty one is found where it stands.
func TestWordsBehindTheirSectionsAreFoundOnTheSheet(t *testing.T) {
	sheet, _ := orders.Parse("FIRST 1Fus, 2Fus", orders.Vocabulary{Sections: []string{"FIRST"}})
	sec := sheet.Sections[0]
	w := Headed(sec.Name, sec.Pos, sec.Args)
	if w.Text != "FIRST 1FUS, 2FUS" || w.Verb() != "FIRST" || len(w.Flat()) != 3 {
		t.Errorf("it reads %q, %v", w.Text, w.Flat())
	}
	if at := w.At(&rule.Violation{Col: w.Flat()[2].Pos.Col}); at != (orders.Pos{Line: 1, Col: 13}) {
		t.Errorf("2Fus is said to stand at %v", at)
	}
	for _, v := range []rule.Violation{{}, {Col: 1}, {Col: 99}} {
		if at := w.At(&v); at != sec.Pos {
			t.Errorf("column %d is said to stand at %v", v.Col, at)
		}
	}
	if o := Opening(sec); o.Text != w.Text || o.Pos() != sec.Pos || o.Verb() != "" {
		t.Errorf("the section opens with %+v", o)
	}
}

// A line of a journal that is no order says why.
func TestLinesOfAJournal(t *testing.T) {
	list := ReadAll("\n 81 INF TO 2306 \n\n1:\n")
	if len(list) != 2 || list[0].Text != "81 INF TO 2306" || list[0].Fault != nil || list[1].Fault == nil || list[1].Verb() != "" {
		t.Errorf("%+v", list)
	}
	if ReadAll(" \n") != nil && len(ReadAll(" \n")) != 0 {
		t.Error("an empty answer has orders")
	}
}
