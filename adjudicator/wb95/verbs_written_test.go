package wb95

import (
	"reflect"
	"strings"
	"testing"

	"fieldpost/orders"
)

// An order off a sheet is the one that its line in the journal is read as, word by word
// and column by column, however it stood on the sheet.
func TestAnOrderOnASheetReadsLikeItsLineInTheJournal(t *testing.T) {
	for _, text := range []string{
		"81 INF TO 2306",
		"  81   INF ,13/XXII   2206-2306",
		"1: 2306, 2307 WITH 81 INF; ART A ART, B ART\nMIN 2:1; IF 2 WON",
		"A: , 2306 WITH 81 INF ;, MIN 2:1 ;; FULL",
		"ŻÓŁW 1 TO ŁÓDŹ, 2306",
		"2306 WITH A,\nWITH B\n  MIN 3:1",
	} {
		sheet, faults := orders.Parse("ATTACK\n"+text, Vocabulary)
		if len(faults) > 0 {
			t.Fatalf("%q: %v", text, faults)
		}
		for _, o := range sheet.Sections[0].Orders {
			got, want := onSheet(o), read(o.String())
			got.sheet = orders.Order{}
			// What the sheet holds must not change with it.
			want.order.Pos, got.order.Pos = orders.Pos{}, orders.Pos{}
			if want.fault != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%q\noff the sheet     %+v\nout of the journal %+v", text, got, want)
			}
			if again := o.String(); again != strings.TrimSpace(got.text) {
				t.Errorf("%q: the sheet's own order became %q", text, again)
			}
		}
	}
}
